import DataGrid
import FieldValues
import Locks

/// Neutralizes fields that a spreadsheet would run as formulas, and counts them. All threads of an output share one guard.
///
/// A field that begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets a leading apostrophe, unless it is a number.
final class FormulaGuard: Sendable {
    private let changedCount = Atomic(0)

    /// The number of fields that got an apostrophe.
    var count: Int { changedCount.load(ordering: .relaxed) }

    /// Calls `body` with the fields of a row. Each field that a spreadsheet would run as a formula gets a leading apostrophe.
    func withSafeFields(
        _ fields: UnsafeBufferPointer<FieldBytes>, of columns: [Column], _ body: (UnsafeBufferPointer<FieldBytes>) -> Void
    ) {
        let found = fields.indices.filter { Self.isFormula(fields[$0], in: columns[$0]) }
        guard !found.isEmpty else { return body(fields) }
        changedCount.add(found.count, ordering: .relaxed)
        var bytes: [UInt8] = []
        for index in found {
            bytes.append(UInt8(ascii: "'"))
            bytes.append(contentsOf: fields[index].bytes)
        }
        bytes.withUnsafeBufferPointer { bytes in
            var safe = Array(fields)
            var start = bytes.baseAddress!
            for index in found {
                safe[index] = FieldBytes(start: start, count: fields[index].count + 1)
                start += fields[index].count + 1
            }
            safe.withUnsafeBufferPointer(body)
        }
    }

    private static func isFormula(_ field: FieldBytes, in column: Column) -> Bool {
        switch field.bytes.first {
        case UInt8(ascii: "="), UInt8(ascii: "@"), 13: true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), 9: !field.parses(as: .decimal, column.notation) && !field.parses(as: .decimal)
        default: false
        }
    }
}
