import FieldValues
import Foundation
import GridTestSupport
import Tables

/// Writes tables as typed files, in the two passes of the program.
enum TypedFile {
    static func write(_ table: any Table, _ fields: [Field], as format: any WritableFormat, to path: String) throws -> String {
        let output = FileBytes()
        let ids = fields.map(\.id.rawValue)
        var types = WrittenTypes(fields)
        let nested = table.hasNestedValues ? ids.map { FieldID.firstNested + $0 } : []
        try table.scan(0..<table.recordCount, columns: ids + nested) { _, row in
            types.add(row)
            return true
        }
        var writer = try format.makeWriter(types.columns, rowCount: table.recordCount, table: "data") { output.data.append(contentsOf: $0) }
        let rows = RowBatcher(types.columns, fields: fields) { try writer.write($0) }
        var failure: (any Error)?
        try table.scan(0..<table.recordCount, columns: ids) { _, row in
            do { try rows.append(row) } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
        try rows.finish()
        try writer.finish()
        try output.data.write(to: URL(fileURLWithPath: path))
        return path
    }
}

private final class FileBytes {
    var data = Data()
}
