import FieldValues
import Foundation
import GridTestSupport
import Tables

/// A table for tests of writers.
struct WriterSample {
    enum Values {
        case numbers([Int64?])
        case doubles([Double?])
        case texts([[UInt8]?])

        static func strings(_ texts: [String?]) -> Values { .texts(texts.map { $0.map { Array($0.utf8) } }) }

        var count: Int {
            switch self {
            case .numbers(let values): values.count
            case .doubles(let values): values.count
            case .texts(let values): values.count
            }
        }

        /// For each value, true if it is missing.
        var nulls: [Bool] {
            switch self {
            case .numbers(let values): values.map { $0 == nil }
            case .doubles(let values): values.map { $0 == nil }
            case .texts(let values): values.map { $0 == nil }
            }
        }
    }

    var columns: [(name: String, type: WrittenType, values: Values)]

    var rowCount: Int { columns.first?.values.count ?? 0 }
    var written: [WrittenColumn] {
        columns.map { WrittenColumn(name: $0.name, type: $0.type, hasNulls: $0.values.nulls.contains(true)) }
    }

    /// Calls `body` with all rows in batches.
    func forEachBatch(rows: Int, _ body: (ColumnBatch) throws -> Void) rethrows {
        var first = 0
        while first < rowCount {
            let range = first..<min(rowCount, first + rows)
            var release: [() -> Void] = []
            defer { for action in release { action() } }
            func copy<Element>(_ values: [Element]) -> UnsafePointer<Element> {
                let buffer = UnsafeMutablePointer<Element>.allocate(capacity: max(1, values.count))
                buffer.initialize(from: values, count: values.count)
                release.append { buffer.deallocate() }
                return UnsafePointer(buffer)
            }
            let vectors = columns.map { column -> ColumnVector in
                let presence = copy(column.values.nulls[range].map { $0 ? UInt8(0) : 1 })
                switch column.values {
                case .doubles(let values):
                    return ColumnVector(.doubles(copy(values[range].map { $0 ?? 7 })), presence: presence)
                case .texts(let values):
                    let fields = values[range].map { bytes -> FieldBytes in
                        guard let bytes else { return .missing }
                        return FieldBytes(start: copy(bytes), count: bytes.count)
                    }
                    return ColumnVector(.texts(copy(fields)), presence: presence)
                case .numbers(let values):
                    if column.type == .flag {
                        return ColumnVector(.flags(copy(values[range].map { UInt8(truncatingIfNeeded: $0 ?? 1) })), presence: presence)
                    }
                    let numbers = copy(values[range].map { $0 ?? 7 })
                    let vector: ColumnVector.Values =
                        switch column.type {
                        case .decimal(let scale): .integers(numbers, scale: scale)
                        case .date: .dates(numbers)
                        case .dateTime(let digits, let isUTC): .dateTimes(numbers, digits: digits, isUTC: isUTC)
                        case .time(let digits): .times(numbers, digits: digits)
                        default: .integers(numbers, scale: 0)
                        }
                    return ColumnVector(vector, presence: presence)
                }
            }
            try body(ColumnBatch(firstRecord: first, count: range.count, columns: vectors))
            first = range.upperBound
        }
    }

    /// Writes the table to a file.
    func write(_ format: any WritableFormat, to path: String, table: String = "sample", rows: Int = 1_000) throws {
        var data = Data()
        var writer = try format.makeWriter(written, rowCount: rowCount, table: table) { data.append(contentsOf: $0) }
        try forEachBatch(rows: rows) { try writer.write($0) }
        try writer.finish()
        try data.write(to: URL(fileURLWithPath: path))
    }

    /// The values as the program prints them; `nil` for missing ones.
    func printed(_ column: Int) -> [String?] {
        if case .texts(let values) = columns[column].values { return values.map { $0.map { String(decoding: $0, as: UTF8.self) } } }
        var texts: [String?] = []
        var one = self
        one.columns = [columns[column]]
        one.forEachBatch(rows: 500) { batch in
            var printer = ValuePrinter(width: 1)
            let fields = printer.fields(of: 0..<batch.count, in: batch)
            for record in 0..<batch.count {
                let field = fields.fields(of: record)[0]
                texts.append(field.isMissing ? nil : String(decoding: field.bytes, as: UTF8.self))
            }
        }
        return texts
    }

    /// A table with a column of each type, and a first column without missing values.
    static func random(rows: Int, nulls: Int, seed: UInt64) -> WriterSample {
        var random = SplitMix64(seed: seed)
        func withNulls<Value>(_ make: () -> Value) -> [Value?] {
            (0..<rows).map { _ in Int.random(in: 0..<100, using: &random) < nulls ? nil : make() }
        }
        func number(_ range: ClosedRange<Int64>) -> Int64 {
            // Small and large numbers are equally frequent.
            let limit = Int64(1) << Int64.random(in: 1...62, using: &random)
            return Bool.random(using: &random)
                ? Int64.random(in: range, using: &random)
                : min(range.upperBound, max(range.lowerBound, Int64.random(in: -limit...limit, using: &random)))
        }
        let day: Int64 = 86_400
        let pieces = [
            "a", "é", "漢", "🎈", " ", "\t", "\n", "\r", "\0", "\u{1}", "\u{1F}", "\u{7F}", "_", "x", "x0041", "_x0041_", "&", "<", ">",
            "\"", "'", "=1+1", "]]>", "00123", "\u{FFFE}", "\u{FFFF}", "\u{85}", "\u{2028}", "F", "1", "-5",
        ]
        func text() -> String { (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined() }
        func wide() -> String {
            let digits = (0..<Int.random(in: 1...38, using: &random)).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            let full = String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
            var whole = String(full.dropLast(5).drop { $0 == "0" })
            if whole.isEmpty { whole = "0" }
            return (Bool.random(using: &random) ? "-" : "") + whole + "." + full.suffix(5)
        }
        func double() -> Double {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: Double(bitPattern: UInt64.random(in: 0 ... .max, using: &random))
            case 1: Double(Int.random(in: -1_000_000...1_000_000, using: &random))
            case 2:
                [0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 0.1]
                    .randomElement(
                        using: &random)!
            default: Double(Int.random(in: -10_000_000...10_000_000, using: &random)) / 1_000
            }
        }
        return WriterSample(columns: [
            ("id", .integer, .numbers((0..<Int64(rows)).map { $0 })),
            ("integer", .integer, .numbers(withNulls { number(.min ... .max) })),
            ("price", .decimal(scale: 2), .numbers(withNulls { Int64.random(in: -100_000_000...100_000_000, using: &random) })),
            ("exact", .decimal(scale: 7), .numbers(withNulls { number(-999_999_999_999_999_999...999_999_999_999_999_999) })),
            ("tiny", .decimal(scale: 18), .numbers(withNulls { number(-999_999_999_999_999_999...999_999_999_999_999_999) })),
            ("wide", .wideDecimal(scale: 5), .strings(withNulls(wide))),
            ("double", .double, .doubles(withNulls(double))),
            ("flag", .flag, .numbers(withNulls { Int64.random(in: 0...1, using: &random) })),
            ("date", .date, .numbers(withNulls { Int64.random(in: -30_000...40_000, using: &random) })),
            (
                "moment", .dateTime(digits: 6, isUTC: false),
                .numbers(withNulls { Int64.random(in: -3_000_000_000...3_000_000_000, using: &random) * 500 })
            ),
            (
                "utc", .dateTime(digits: 9, isUTC: true),
                .numbers(withNulls { Int64.random(in: -3_000_000...3_000_000, using: &random) * 500_000_000 })
            ),
            ("time", .time(digits: 6), .numbers(withNulls { Int64.random(in: 0..<day * 10_000, using: &random) * 100 })),
            ("text", .text, .strings(withNulls(text))),
            (
                "bytes", .binary,
                .texts(withNulls { (0..<Int.random(in: 0...5, using: &random)).map { _ in UInt8.random(in: 0 ... .max, using: &random) } })
            ),
        ])
    }
}
