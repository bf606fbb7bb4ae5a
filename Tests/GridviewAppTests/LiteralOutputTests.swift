import DataGrid
import DataGridSources
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import GridviewApp

/// Rows in JSON and SQL, byte by byte as simple code with strings writes them.
@Suite struct LiteralOutputTests {
    /// Columns with the same names and other properties for each seed, and rows of their fields.
    private struct Rows {
        let columns: [Column]
        let keepsJSON: Bool
        let keepsStrings: [Bool]
        /// The fields of each row; with nested values, twice as many as columns.
        let fields: [[[UInt8]?]]

        init(using random: inout SplitMix64) {
            func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
            let kinds: [ValueKind] = [.text, .integer, .decimal, .date, .dateTime, .time, .flag]
            columns = (0..<number(0..<8)).map { index in
                let isDerived = number(0..<4) == 0
                let id = isDerived ? FieldID.firstDerived.rawValue + index : index
                var column = Column(id: ColumnID(id), title: String(decoding: random.difficultText(), as: UTF8.self))
                column.kind = kinds[number(0..<kinds.count)]
                let euro = NumberUnit.currency("€", precedesNumber: true, isSpaced: false)!
                let unit = [.none, .none, .accounting, .percent(), euro][number(0..<5)]
                column.notation = (number(0..<2) == 0 ? DecimalStyle.comma : .point).with(unit)
                column.dateNotation = [.iso, .digits, .epochSeconds, .dayFirst][number(0..<4)]
                return column
            }
            keepsJSON = number(0..<2) == 0
            keepsStrings = columns.map { _ in number(0..<4) == 0 }
            let hasNested = number(0..<2) == 0
            let columns = columns
            fields = (0..<4).map { _ in
                let fields = columns.map { _ in number(0..<6) == 0 ? nil : Self.field(using: &random) }
                let nested = hasNested ? columns.map { _ in number(0..<2) == 0 ? nil : Self.nested(using: &random) } : []
                return fields + nested
            }
        }

        private static func field(using random: inout SplitMix64) -> [UInt8] {
            let usual = [
                "true", "false", "True", "FALSE", "yes", "", " ", "\t ", "2024-01-02", "20240102", "1706092924", "1.5", "1.234,5", "+1,5",
                "1.234.567",
                "-0,25", "+-5", "++5", "007", "1e5", "1,5e-3", "+", "-", "NaN", "inf", "12%", "1,234.5", "10:22", "-12", "3.0",
                "(1,234.50)", "(1.234,5)", "5-", "(5)", "( 7 )", "(007)", "(.5)", ".5", "-,5", "5.", "€1.50", "(€5)", "5 €", " 12 ",
                "1e400",
            ]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return random.difficultText()
            case 1: return Array(String(Double.random(in: -1e6...1e6, using: &random)).utf8)
            case 2:
                let letters = Array("+-0123456789.,eE %()".utf8)
                return (0..<Int.random(in: 1..<9, using: &random)).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] }
            default: return Array(usual[Int.random(in: 0..<usual.count, using: &random)].utf8)
            }
        }

        /// Nested JSON with NaN, Infinity and raw control characters.
        private static func nested(using random: inout SplitMix64) -> [UInt8] {
            let parts = (0..<Int.random(in: 0..<6, using: &random)).map { _ -> String in
                let string = "\"\(PlainJSON.escapingQuotes(String(decoding: random.difficultText(), as: UTF8.self)))\""
                return ["NaN", "-Infinity", "1e400", "null", "[true,\t{}]", string][Int.random(in: 0..<6, using: &random)]
            }
            return Array("[\(parts.joined(separator: ",\u{A0}\n"))]".utf8)
        }
    }

    /// The value of a field by simple rules: `null` and `plain` are written without quotes.
    private enum Value {
        case null
        case plain(String)
        case text(String)
    }

    private func value(_ bytes: [UInt8]?, of column: Column) -> Value {
        guard let bytes else { return .null }
        let text = String(decoding: bytes, as: UTF8.self)
        if column.kind != .text, bytes.allSatisfy({ $0 == 9 || $0 == 32 }) { return .null }
        switch column.kind {
        case .integer, .decimal:
            let unit = column.notation.unit
            guard !unit.isCurrency, !unit.isPercent, let plain = jsonNumber(text, column.notation) else { return .text(text) }
            return .plain(plain)
        case .flag: return ["true", "false"].contains(text.lowercased()) ? .plain(text.lowercased()) : .text(text)
        case .date, .dateTime: return column.dateNotation.isNumber && PlainJSON.isNumber(text) ? .plain(text) : .text(text)
        case .text, .time: return .text(text)
        }
    }

    /// The number of a field as JSON; `nil` if it is a string in JSON.
    private func jsonNumber(_ text: String, _ notation: DecimalStyle) -> String? {
        guard FieldBytes.withFields(of: [text], { $0[0].parses(as: .decimal, notation) }) else {
            return PlainJSON.isNumber(text) ? text : nil
        }
        func trimmed(_ text: some StringProtocol) -> String { text.trimmingCharacters(in: CharacterSet(charactersIn: " \t")) }
        var (number, sign) = (trimmed(text), "")
        if number.hasPrefix("(") {
            (number, sign) = (trimmed(number.dropFirst().dropLast()), "-")
        } else if number.hasSuffix("-") {
            (number, sign) = (String(number.dropLast()), "-")
        }
        let (group, point) = notation.isComma ? (".", ",") : (",", ".")
        // JSON would lose the plus sign of a telephone number.
        let isPlain = number.dropFirst().allSatisfy { $0.isASCII && $0.isNumber || String($0) == point }
        if sign.isEmpty, number.hasPrefix("+"), isPlain { return nil }
        // A single comma can be a decimal comma.
        if !notation.isComma, number.count(where: { $0 == "," }) == 1, !number.contains(".") { return nil }
        number = number.replacing(group, with: "").replacing(point, with: ".")
        if number.hasPrefix("+") { number.removeFirst() }
        if number.hasPrefix(".") { number = "0" + number }
        if number.hasPrefix("-.") { number = "-0" + number.dropFirst() }
        if number.hasSuffix(".") { number.removeLast() }
        return PlainJSON.isNumber(sign + number) ? sign + number : nil
    }

    private func nestedJSON(_ bytes: [UInt8]) -> String {
        var result = ""
        bytes.withUnsafeBufferPointer { bytes in
            JSONPart.forEach(in: FieldBytes(start: bytes.baseAddress, count: bytes.count)) { part, bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                switch part {
                case .nonFinite: result += "\"\(text)\""
                case .string: result += PlainJSON.escapingControls(text)
                case .other: result += PlainJSON.blankingControls(text)
                }
                return true
            }
        }
        return result
    }

    private func object(_ fields: [[UInt8]?], of rows: Rows, names: [String]) -> String {
        var members: [String] = []
        for (index, column) in rows.columns.enumerated() {
            let field = fields[index], nested = fields.count > rows.columns.count ? fields[rows.columns.count + index] : nil
            let isBlank = field?.allSatisfy { $0 == 9 || $0 == 32 } ?? true
            var text: String
            if let nested {
                text = nestedJSON(nested)
            } else if rows.keepsJSON, field == nil {
                continue
            } else if rows.keepsStrings[index] || rows.keepsJSON && isBlank && !column.field.isDerived {
                text = PlainJSON.string(String(decoding: field ?? [], as: UTF8.self))
            } else {
                switch value(field, of: column) {
                case .null: text = "null"
                case .plain(let plain): text = plain
                case .text(let string): text = PlainJSON.string(string)
                }
            }
            members.append("\(PlainJSON.string(names[index])): \(text)")
        }
        return "{\(members.joined(separator: ", "))}"
    }

    /// Calls `body` with fields that have a quote before and after them.
    private func withFields(_ texts: [[UInt8]?], _ body: (UnsafeBufferPointer<FieldBytes>) -> Void) {
        var bytes: [UInt8] = []
        let ranges = texts.map { text in
            bytes.append(34)
            let start = bytes.count
            bytes += text ?? []
            return text == nil ? nil : start..<bytes.count
        }
        bytes.append(34)
        bytes.withUnsafeBufferPointer { bytes in
            let fields = ranges.map { $0.map { FieldBytes(start: bytes.baseAddress! + $0.lowerBound, count: $0.count) } ?? .missing }
            fields.withUnsafeBufferPointer(body)
        }
    }

    private func outputBytes(_ rows: Rows, as output: OutputFormat) -> [UInt8] {
        var format = RowFormat(output, columns: rows.columns)
        format.objectFormat?.keepsJSON = rows.keepsJSON
        format.objectFormat?.keepsStrings = rows.keepsStrings
        var sink = OutputSink(byteLimit: .max)
        for fields in rows.fields { withFields(fields) { format.writeRow($0, &sink) } }
        sink.flush()
        return sink.buffer
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `D15: JSON output of random fields of all types equals the output of a simple reference function`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<150 {
            let rows = Rows(using: &random)
            let names = DistinctNames.numbered(rows.columns.map(\.title)) { $0 }
            let expected = rows.fields.map { object($0, of: rows, names: names) }
            // The strings are compared by bytes, because equal strings can have different bytes.
            let areLinesEqual = outputBytes(rows, as: .jsonl) == expected.flatMap { Array($0.utf8) + [10] }
            #expect(areLinesEqual, "\(rows)")
            let isDocumentEqual = outputBytes(rows, as: .json) == Array(("\n  " + expected.joined(separator: ",\n  ")).utf8)
            #expect(isDocumentEqual, "\(rows)")
        }
    }

    @MainActor
    @Test func `D15: plain numbers are written as numbers in JSON and SQL, and currencies and percentages as strings`() throws {
        let content = """
            id,a,b,c,d,e
            1,"(1,234.50)",€1.50,12%,"1.234,50-",1
            2,12.5,2,3%,"7,25","1,234,567"
            3,12-,(€3),1%,"1.234",.5
            4,,,,,
            5,(007),€0,0%,"2,5",5.

            """
        let rows = [
            #"{"id": 1, "a": -1234.50, "b": "€1.50", "c": "12%", "d": -1234.50, "e": 1}"#,
            #"{"id": 2, "a": 12.5, "b": "2", "c": "3%", "d": 7.25, "e": 1234567}"#,
            #"{"id": 3, "a": -12, "b": "(€3)", "c": "1%", "d": 1234, "e": 0.5}"#,
            #"{"id": 4, "a": null, "b": null, "c": null, "d": null, "e": null}"#,
            #"{"id": 5, "a": "(007)", "b": "€0", "c": "0%", "d": 2.5, "e": 5}"#,
        ]
        #expect(try BatchOutput.text(content, .jsonl) == rows.map { $0 + "\n" }.joined())
        let statements = try BatchOutput.text(content, .sql).filledLines
        #expect(statements[0].hasSuffix("VALUES (1, -1234.50, '€1.50', '12%', -1234.50, 1);"))
        #expect(statements[1].hasSuffix("VALUES (2, 12.5, '2', '3%', 7.25, 1234567);"))
        #expect(statements[2].hasSuffix("VALUES (3, -12, '(€3)', '1%', 1234, 0.5);"))
    }

    @MainActor
    @Test func `D15: a late value of another type does not change how JSON output writes the other values`() throws {
        // The sample that decides the types does not contain the rows from 68,500 to 68,502.
        let late = [68_500: "€7,7", 68_501: "(8),x", 68_502: "9,9"]
        let rows = (1...70_000).map { (late[$0] ?? "\($0),€\($0)") + "\n" }
        let json = try BatchOutput.text("a,b\n" + rows.joined(), .jsonl).filledLines
        #expect(json[0] == #"{"a": 1, "b": "€1"}"# && json[69_999] == #"{"a": 70000, "b": "€70000"}"#)
        #expect(json[68_499] == #"{"a": "€7", "b": "7"}"# && json[68_500] == #"{"a": "(8)", "b": "x"}"#)
        #expect(json[68_501] == #"{"a": 9, "b": "9"}"#)
    }

    @Test func `D15: SQL output of random fields of all types equals the output of a simple reference function`() {
        var random = SplitMix64(seed: 9)
        for _ in 0..<150 {
            let rows = Rows(using: &random)
            func quoted(_ text: String, _ quote: Unicode.Scalar) -> String {
                let doubled = text.unicodeScalars.map { $0 == quote ? "\($0)\($0)" : "\($0)" }.joined()
                return "\(quote)\(doubled)\(quote)"
            }
            let names = DistinctNames.numbered(rows.columns.map(\.title)) { $0 }.map { quoted($0, "\"") }
            let expected = rows.fields.map { fields in
                let values = zip(rows.columns, fields).map { column, field in
                    switch value(field, of: column) {
                    case .null: "NULL"
                    case .plain(let text): text
                    case .text(let text): quoted(text, "'")
                    }
                }
                return "INSERT INTO \"data\" (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")));\n"
            }
            let areEqual = outputBytes(rows, as: .sql) == Array(expected.joined().utf8)
            #expect(areEqual, "\(rows)")
        }
    }
}
