import DataGrid
import DataGridTerminal
import FieldValues
import TerminalSurface
import Testing

@Suite struct TextTests {
    @Test(
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("one two three", 3, ["one", "two", "thr", "ee"]), ("abcdef", 4, ["abcd", "ef"]),
            ("", 4, [""]), ("a\nb", 9, ["a", "b"]), ("a\n\nb\n", 9, ["a", "", "b", ""]), ("日本語", 4, ["日本", "語"]), ("日本", 1, ["日", "本"]),
            ("日本", 3, ["日", "本"]), ("ab cd", 2, ["ab", "cd"]), ("a\r\nb", 5, ["a", "b"]), ("x", 0, []), ("x", -1, []),
        ])
    func `A9: text is broken at blanks, and elsewhere only if a line has no blank`(text: String, width: Int, lines: [String]) {
        #expect(TextWrap.lines(text, width: width) == lines)
    }

    @Test func `A9: the last available line has the rest of the text`() {
        #expect(TextWrap.lines("one two three", width: 3, limit: 2) == ["one", "two three"])
        #expect(TextWrap.lines("one two three", width: 3, limit: 1) == ["one two three"])
    }

    @Test(arguments: [3, 4, 5, 9, 40]) func `A9: no line exceeds the width, and only blanks and line breaks are dropped`(width: Int) {
        let text = "The quick  brown 日本語 fox\njumps-over-the-lazy dog \u{301}e e\u{301}x"
        let lines = TextWrap.lines(text, width: width)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
        #expect(lines.joined().filter { !$0.isWhitespace }.unicodeScalars.count == text.filter { !$0.isWhitespace }.unicodeScalars.count)
    }

    private func shown(_ text: String, _ column: Column) -> String { ValueText.display(CellContent(text), in: column) }

    @Test func `D3: values are displayed in the format of their column`() {
        var price = Column(id: 0, title: "", kind: .decimal)
        price.format.alignedFractionDigits = 2
        #expect(shown("1234567.5", price) == "1,234,567.5 ")
        #expect(shown("7", price) == "7   ")
        #expect(shown("1e5", price) == "1e5")
        price.format.groupsThousands = false
        #expect(shown("1234", price) == "1234")
        #expect(shown("1234567", Column(id: 0, title: "", kind: .integer)) == "1,234,567")
        #expect(shown("true", Column(id: 0, title: "", kind: .flag)) == "✓")
        #expect(shown("no", Column(id: 0, title: "", kind: .flag)) == "✗")
        var column = Column(id: 0, title: "", kind: .flag)
        column.flagMarks = .trueAndFalse
        #expect(["true", "false", "True", "no"].map { shown($0, column) } == ["✓", "✗", "True", "no"])
        column.flagMarks = .none
        #expect(["true", "no"].map { shown($0, column) } == ["true", "no"])
        #expect(shown("2024-01-01T10:22:04Z", Column(id: 0, title: "", kind: .dateTime)) == "2024-01-01 10:22:04Z")
        #expect(shown("1234567", Column(id: 0, title: "", kind: .text)) == "1234567")
        #expect(ValueText.display(CellContent("1234", condition: .unreadable), in: Column(id: 0, title: "", kind: .integer)) == "1234")
    }

    @Test(
        arguments: [
            ("2.5", 0, "3"), ("-2.5", 0, "-3"), ("2.4", 0, "2"), ("-0.4", 0, "0"), ("7", 2, "7.00"), ("1.005", 2, "1.01"),
            ("999.995", 2, "1,000.00"),
            ("999,999.9", 0, "1,000,000"), ("9,999.9", 0, "10,000"), ("-.5", 1, "-0.5"), ("1e5", 1, "1e5"), ("n/a", 1, "n/a"), ("", 1, ""),
            ("12345678901234567890123.45", 1, "12,345,678,901,234,567,890,123.5"), ("+9.99", 1, "+10.0"), ("5.", 1, "5.0"),
        ])
    func `D3: numbers are rounded in decimal, half away from zero`(text: String, digits: Int, shown: String) {
        var column = Column(id: 0, title: "", kind: .decimal, format: ValueFormat(fractionDigits: digits...digits))
        #expect(self.shown(text, column) == shown)
        column.format.groupsThousands = false
        #expect(!text.contains(",") ? self.shown(text, column) == shown.filter { $0 != "," } : true)
    }

    @Test(
        arguments: [
            ("2", "2.0  "), ("2.5", "2.5  "), ("2.500", "2.5  "), ("2.125", "2.125"), ("2.0625", "2.063"), ("1234.9996", "1,235.0  "),
            ("-0.0001", "0.0  "),
        ])
    @MainActor func `B1: numbers have at least the minimum and at most the maximum decimals, and align at the separator`(
        text: String, shown: String
    ) {
        var column = Column(id: 0, title: "", kind: .decimal, format: ValueFormat(fractionDigits: 1...3))
        #expect(self.shown(text, column) == shown)
        #expect(ValueText.display(CellContent(.number(Double(text)!)), in: column) == shown)
        #expect(GridPainter.number(of: SectionAggregate(Aggregate(.max, of: 0), 2.5), in: column) == "2.500")
        column.format.groupsThousands = false
        #expect(self.shown(text, column) == shown.filter { $0 != "," })
    }

    @Test func `B1: percentages also have a minimum and a maximum number of decimals`() {
        let column = Column(id: 0, title: "", kind: .decimal, format: ValueFormat(fractionDigits: 0...2, isPercentage: true))
        #expect(["0.125", "0.5", "0.12345", "n/a"].map { shown($0, column) } == ["12.5% ", "50%   ", "12.35%", "n/a"])
        let keeping = Column(id: 0, title: "", kind: .decimal, format: ValueFormat(alignedFractionDigits: 2))
        #expect(shown("2.0625", keeping) == "2.0625", "without a range, numbers keep their decimals")
    }

    @Test func `D3: the header shows short names of types`() {
        let names = ValueKind.allCases.map { ValueText.typeName(Column(id: 0, title: "", kind: $0)) }
        #expect(names == ["text", "int", "dec", "date", "date time", "time", "bool"])
    }

    @Test @MainActor func `D3: decimal commas are kept, and thousands are grouped by points`() {
        let price = Column(id: 0, title: "", kind: .decimal, notation: .comma, format: ValueFormat(alignedFractionDigits: 2))
        #expect(shown("1234567,5", price) == "1.234.567,5 ")
        #expect(shown("1.234", price) == "1.234   ")
        #expect(GridPainter.number(of: SectionAggregate(Aggregate(.mean, of: 6), 1234.5), in: price) == "1.234,50")
    }

    @Test(arguments: [(0, "0"), (999, "999"), (10_000_000, "10,000,000"), (-1234, "-1,234")])
    func `D3: the digits of counts are grouped`(number: Int, text: String) {
        #expect(ValueText.count(number) == text)
    }
}
