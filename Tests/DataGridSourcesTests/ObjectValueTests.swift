import DataGrid
import DataGridFoundation
import DataGridTerminal
import FieldValues
import Foundation
import TerminalSurface
import Testing

private enum Side: String, ColumnValue { case buy, sell }

/// An enumeration whose order and text differ from its raw value.
private enum Rank: Int, Comparable, CustomStringConvertible, ColumnValue {
    case base = 9
    case top = 1

    var description: String { self == .top ? "Top" : "Base" }
    static func < (a: Rank, b: Rank) -> Bool { a.rawValue > b.rawValue }
}

private struct Size: Comparable, CustomStringConvertible, ColumnValue {
    var cells = 3
    var description: String { "\(cells) cells" }
    static func < (a: Size, b: Size) -> Bool { a.cells < b.cells }
}

private struct Order: Identifiable {
    var id = 1
    var kind = "a"
    var side = Side.buy
    var rank: Rank? = .base
    var size = Size()
    var isOpen: Bool? = true
    var year = 2024
    var price = 1.0
    var weight: Float = 0.1
    var when: Date? = Date(timeIntervalSince1970: 0)
    var cost = Decimal(string: "12.50")!
    var key = UUID(uuidString: "00000000-0000-0000-0000-000000000001")!
    var link = URL(string: "https://example.org/a")
}

/// Columns of objects: their values, formats and defaults.
@MainActor
@Suite struct ObjectValueTests {
    private func source(_ orders: [Order], _ columns: ObjectColumn<Order>...) -> ObjectSource<Order, Int> {
        ObjectSource(orders, columns: columns)
    }

    private func open(_ source: ObjectSource<Order, Int>) -> GridController {
        var metrics = GridMetrics()
        (metrics.showsTotals, metrics.showsScrollBar) = (true, false)
        let grid = GridController(columns: [], metrics: metrics)
        grid.frame = TerminalRect(x: 0, y: 0, width: 40, height: 12)
        source.attach(to: grid)
        return grid
    }

    private func draw(_ grid: GridController) -> [String] {
        var buffer = CellBuffer(size: TerminalSize(columns: 40, rows: 12))
        // Changes are drawn after a delay.
        grid.tick(at: .now + .seconds(10))
        grid.draw(on: &buffer)
        return buffer.lines()
    }

    /// The strings of the first object as the grid shows them.
    private func shown(_ source: ObjectSource<Order, Int>) -> [String] {
        source.gridColumns.map { ValueText.display(source.content(row: 0, column: $0.id), in: $0) }
    }

    @Test func `A19: a column can show a number, Boolean, date, decimal, id, enumeration or own type by its key path`() {
        let source = source(
            [Order(), Order(id: 2, rank: nil, isOpen: nil, when: nil, link: nil)], ObjectColumn("Side", \.side),
            ObjectColumn("Rank", \.rank),
            ObjectColumn("Size", \.size), ObjectColumn("Open", \.isOpen), ObjectColumn("Weight", \.weight), ObjectColumn("When", \.when),
            ObjectColumn("Cost", \.cost), ObjectColumn("Key", \.key), ObjectColumn("Link", \.link))
        #expect(source.gridColumns.map(\.kind) == [.text, .text, .text, .flag, .decimal, .dateTime, .decimal, .text, .text])
        let texts = source.gridColumns.map { source.content(row: 0, column: $0.id).text }
        #expect(
            texts == [
                "buy", "Base", "3 cells", "true", "0.1", "1970-01-01 00:00:00", "12.5", "00000000-0000-0000-0000-000000000001",
                "https://example.org/a",
            ])
        for column in [1, 3, 5, 8] { #expect(source.content(row: 1, column: ColumnID(column)) == .missing) }
        #expect(source.total(column: 6) == nil)
    }

    @Test func `A19: values of a type are sorted and grouped in the order of that type, with missing values last`() {
        let orders = [
            Order(id: 1, rank: nil), Order(id: 2, rank: .top), Order(id: 3, rank: .base), Order(id: 4, side: .sell, rank: .base),
        ]
        let source = source(orders, ObjectColumn("Side", \.side), ObjectColumn("Rank", \.rank), ObjectColumn("Key", \.key))
        let grid = open(source)
        func ids() -> [Int] { (0..<4).map { source.object(grid.state.rows[$0])!.id } }
        source.sort(by: [ColumnSort(1)])
        #expect(ids() == [3, 4, 2, 1])
        source.sort(by: [ColumnSort(1, isDescending: true)])
        #expect(ids() == [2, 3, 4, 1])
        source.sort(by: [])
        source.groupings = [ObjectGrouping(by: \.side), ObjectGrouping(by: \.rank)]
        #expect(grid.state.outline.tree?.sections.map(\.title) == ["buy", "Base", "Top", "", "sell", "Base"])
        #expect(source.groupColumns == [0, 1])
    }

    @Test func `A19, A1: a column format is a number of digits, a percentage, a date pattern or a closure`() {
        let source = source(
            [Order(price: 1234.125)], ObjectColumn("A", \.price, format: .number(fractionDigits: 2)),
            ObjectColumn("B", \.price, format: .percent), ObjectColumn("C", \.price, format: .percent(fractionDigits: 2)),
            ObjectColumn("D", \.when, format: .date("d MMM yyyy")), ObjectColumn("E", \.price, format: .custom { "<\($0)>" }),
            ObjectColumn("F", \.year, format: .number()), ObjectColumn("G", \.year),
            ObjectColumn("H", \.price, format: .number(fractionDigits: 1...2)),
            ObjectColumn("I", \.price, format: .percent(fractionDigits: 0...1)))
        #expect(
            shown(source) == [
                "1,234.13", "123,413%", "123,412.50%", "1 Jan 1970", "<1234.125>", "2,024", "2024", "1,234.13", "123,412.5%",
            ])
        let percent = source.gridColumns[2]
        #expect(ValueText.display(CellContent(.number(0.5)), in: percent) == "50.00%")
        #expect(GridPainter.number(of: SectionAggregate(Aggregate(.mean, of: 2), 0.125), in: percent) == "12.50%")
        #expect(GridPainter.number(of: SectionAggregate(Aggregate(.count, of: 2), 3), in: percent) == "3")
        let texts = ["0.285", ".5", "12", "-0.005", "0", "1e5", "x"].map { NumberText.percentage($0, fractionDigits: 0...0) }
        #expect(texts == ["29%", "50%", "1,200%", "-1%", "0%", nil, nil])
    }

    @Test func `A18: a saved view keeps percentages, and a saved format without a percentage is still read`() throws {
        let format = ValueFormat(fractionDigits: 1...3, isPercentage: true)
        #expect(try JSONDecoder().decode(ValueFormat.self, from: JSONEncoder().encode(format)) == format)
        let old = #"{"fractionDigits": 1, "groupsThousands": true, "isFixed": false}"#
        #expect(try JSONDecoder().decode(ValueFormat.self, from: Data(old.utf8)) == ValueFormat(alignedFractionDigits: 1))
        let fixed = #"{"fractionDigits": 2, "groupsThousands": true, "isFixed": true}"#
        #expect(try JSONDecoder().decode(ValueFormat.self, from: Data(fixed.utf8)) == ValueFormat(fractionDigits: 2...2))
        let reversed = #"{"minimumFractionDigits": 3, "maximumFractionDigits": 2, "groupsThousands": true}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ValueFormat.self, from: Data(reversed.utf8)) }
    }

    @Test func `A19, D3: decimals without a format have equally many fraction digits, and align at the decimal point`() {
        let orders = [1, 2.25, 10.5].enumerated().map { Order(id: $0, price: $1) }
        let source = source(
            orders, ObjectColumn("Kind", \.kind) { $0.width = .fixed(20) },
            ObjectColumn("Price", \.price) { $0.width = .fixed(12) }.totaled(by: .sum))
        source.groupings = [ObjectGrouping(by: \.kind)]
        source.aggregates = [Aggregate(.sum, of: 1)]
        let grid = open(source)
        func check(_ texts: [String]) {
            let lines = draw(grid).filter { $0.contains(".") }
            #expect(lines.count == texts.count && zip(lines, texts).allSatisfy { $0.hasSuffix($1) }, "\(lines)")
            let points = lines.map { Array($0).firstIndex(of: ".") }
            #expect(Set(points).count == 1, "\(lines)")
        }
        check(["sum 13.75", " 1.00", " 2.25", " 10.50", " 13.75"])
        source.update(0) { $0.price = 3.125 }
        check(["sum 15.875", "3.125", " 2.250", " 10.500", " 15.875"])
        source.update(0) { $0.price = 3 }
        check(["sum 15.750", "3.000", " 2.250", " 10.500", " 15.750"])
        #expect(source.count == 3)
    }

    @Test func `A19: fraction digits follow the values up to six digits; a format set by the application takes precedence`() {
        let source = source([Order(price: 1.0 / 3)], ObjectColumn("Price", \.price), ObjectColumn("Year", \.year))
        #expect(shown(source) == ["0.333333", "2024"])
        source.update(1) { $0.price = 1e-9 }
        #expect(shown(source)[0] == "0.000000001")
        let other = self.source([Order(price: 0.5)], ObjectColumn("Price", \.price).totaled(by: .count))
        let grid = open(other)
        #expect(grid.state.columns[0].format.fractionDigits == 1...1)
        #expect(ValueText.display(other.total(column: 0)!, in: other.gridColumns[0]) == "1  ", "a count has no decimals")
        var column = grid.state.columns[0]
        column.format = ValueFormat(fractionDigits: 3...3)
        grid.perform(.updateColumn(column))
        other.update(1) { $0.price = 0.12345 }
        #expect(grid.state.columns[0].format.fractionDigits == 3...3)
    }

    @Test func `A19, B3: an automatic width grows with the fraction digits, and does not shrink`() {
        let orders = [1, 2.25, 10.5].enumerated().map { Order(id: $0, price: $1) }
        let source = source(orders, ObjectColumn("P", \.price) { $0.width = .automatic })
        let grid = open(source)
        func width() -> Int { grid.state.columns[0].measuredWidth }
        let old = width()
        source.update(1) { $0.price = 3.125678 }
        #expect(draw(grid).contains { $0.contains("10.500000") } && !draw(grid).joined().contains("…"))
        #expect(old > 0 && width() > old)
        let grown = width()
        source.update(2) { $0.price = 1e-9 }
        source.update(2) { $0.price = 1 }
        #expect(width() >= grown)
        // The column also fits rows that replace all others.
        let other = self.source([Order(id: 0, price: 1.5)], ObjectColumn("P", \.price) { $0.width = .automatic })
        let replaced = open(other)
        other.replaceAll([Order(id: 7, price: 1234.56789)])
        #expect(draw(replaced).contains { $0.contains("1,234.56789") })
    }

    @Test func `A19, A18: fraction digits follow the values after a view is restored`() throws {
        func open(_ price: Double) -> (GridController, ObjectSource<Order, Int>) {
            let saved = self.source([Order(price: price)], ObjectColumn("Price", \.price))
            return (self.open(saved), saved)
        }
        let (grid, saved) = open(0.125)
        let view = try JSONDecoder().decode(SavedView.self, from: JSONEncoder().encode(grid.state.savedView))
        #expect(saved.count == 1 && view.columns[0].format?.fractionDigits == 3...3)
        let (other, source) = open(0.5)
        other.perform(.restore(view))
        #expect(other.state.columns[0].format.fractionDigits == 3...3)
        source.update(1) { $0.price = 0.25 }
        #expect(other.state.columns[0].format.fractionDigits == 3...3, "digits never shrink")
        source.update(1) { $0.price = 0.0625 }
        #expect(other.state.columns[0].format.fractionDigits == 4...4)
        other.perform(.restore(view))
        #expect(other.state.columns[0].format.fractionDigits == 4...4, "the values still need four digits")
    }

    @Test(
        arguments: [Double.nan, .infinity, -.infinity, 1e300, -4e12])
    func `A19: a date that has no text counts as missing, and its text is empty`(seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(date.isMissingColumnValue && date.columnText.isEmpty)
    }

    @Test func `A19, A11: the edit closure receives the row, the column, and the old and new value of an edit`() {
        let source = source(
            [Order()],
            ObjectColumn("Price", \.price, format: .number(fractionDigits: 2)).editable { order, text in
                guard let price = Double(text) else { return "A number, please." }
                order.price = price
                return nil
            })
        var edits: [ObjectEdit<Order>] = []
        source.didEdit = { edits.append($0) }
        #expect(source.setContent("x", row: 0, column: 0) == .rejected("A number, please.") && edits.isEmpty)
        #expect(source.setContent("2.5", row: 0, column: 0) == .accepted && edits.count == 1)
        #expect(edits[0].row == 0 && edits[0].column == 0 && edits[0].oldText == "1.0" && edits[0].newText == "2.5")
        #expect(edits[0].oldObject.price == 1 && edits[0].newObject.price == 2.5)
    }

    @Test func `C6: by default, the header has one line with the column names`() {
        let source = source([Order()], ObjectColumn("Year", \.year) { $0.width = .fixed(6) })
        let grid = open(source)
        let lines = withExtendedLifetime(source) { draw(grid) }
        #expect(lines[0].contains("Year") && lines[1].contains("2024"))
    }
}
