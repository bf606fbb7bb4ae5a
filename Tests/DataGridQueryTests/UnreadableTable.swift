import GridTestSupport
import Tables
import FieldValues
import Synchronization

@testable import DataGridQuery

/// A table that fails, or cancels its own job, when a certain record is read.
struct UnreadableTable: Table {
    struct Broken: Error {}
    var recordCount = 200_000
    var columnCount: Int { 1 }
    var trap: @Sendable (Int) throws -> Void

    func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
        for record in records {
            try trap(record)
            let continues = FieldBytes.withBytes(of: "\(record % 7)") { field in
                withUnsafePointer(to: field) { body(record, UnsafeBufferPointer(start: $0, count: 1)) }
            }
            if !continues { return }
        }
    }
}

/// A table that delivers only the required records. It delivers no fields if the required bytes alone decide that a record matches.
final class SelectiveTable: Table {
    let plain: MemoryTable
    let skippedCount = Atomic(0)
    var recordCount: Int { plain.recordCount }
    var columnCount: Int { plain.columnCount }

    init(plain: MemoryTable) { self.plain = plain }

    func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
        try plain.scan(records, columns: columns, body)
    }

    func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while shouldContinue: () -> Bool,
        _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try plain.scan(records, columns: columns) { record, fields in
            guard shouldContinue() else { return false }
            let holds = fields.contains { field in
                let bytes = field.bytes
                return bytes.count >= required.count
                    && (0...bytes.count - required.count).contains { place in
                        (0..<required.count).allSatisfy { required.matches(bytes[place + $0], at: $0) }
                    }
            }
            if !holds { skippedCount.add(1, ordering: .relaxed) }
            return !holds || body(record, required.isSufficient ? UnsafeBufferPointer(start: nil, count: 0) : fields)
        }
    }
}

/// A table that has fewer records than it reports.
struct ShortTable: Table {
    var recordCount: Int { 100 }
    var columnCount: Int { 1 }
    func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {}
}

/// The kinds of random fields in a column.
let samples: [String: [String?]] = [
    "whole": [
        "1", "2", "-3", "10", "007", "9223372036854775807", "9223372036854775806", "-9223372036854775808", "9007199254740993",
        "9007199254740992", "", " ", "x", nil, "n/a", "1,000",
    ],
    "decimal": [
        "0", "-0", "0.0", "1.5", "-2.25", "1e400", "-inf", "nan", "3", "1e-3", "12%", "", "abc", "abd", nil, "0.30000000000000004", "0.3",
    ],
    "date": ["2024-01-01", "1969-12-31", "2024/02/29", "29.02.2024", "2023-02-29", "soon", "", nil],
    "flag": ["true", "no", "Yes", "F", "1", "", nil],
    "text": [
        "a", "B", "b", "a\u{0}", "a\u{0}b", "common beginning 1", "common beginning 10", "common beginning 2", "common beginning", "",
        "\t", nil, "é", "file2", "file10", "File10", "file010", "common beginnin", "seven77", "seven77\u{0}", "seven777",
    ],
]

func randomTable(_ names: [String], count: Int, seed: UInt64) -> MemoryTable {
    var random = SplitMix64(seed: seed)
    return MemoryTable(
        (0..<count).map { _ in
            names.map { name in
                // Occasional new values limit the number of ties.
                if random.next() % 4 == 0 {
                    let number = Int(random.next() % 100_000)
                    return name == "decimal"
                        ? "\(Double(number) / 64)" : name == "text" ? "name \(number)" : name == "whole" ? "\(number)" : "z\(number)"
                }
                return samples[name]![Int(random.next() % UInt64(samples[name]!.count))]
            }
        })
}
