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

/// A table that passes only records with the required bytes. It passes no fields if these bytes alone prove that a record matches.
final class RequiredBytesTable: Table {
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
