import FieldValues
import Foundation
import GridTestSupport
import Tables

/// Writes tables as typed files, in the two passes of the program.
enum TypedFile {
    /// - Parameters:
    ///   - fields: the fields of all columns of the table.
    ///   - keepsNested: true to write nested columns with their types, false for JSON text.
    static func write(
        _ table: any Table, _ fields: [Field], as format: any WritableFormat, to path: String, keepsNested: Bool = false
    ) throws -> String {
        let output = OutputBuffer()
        let ids = fields.map(\.id.rawValue)
        let runs = keepsNested ? nestedColumns(table, format) : []
        var types = WrittenTypes(fields, nested: runs.map(\.column.field), hasExactDecimals: format.hasExactDecimals)
        let nested = table.hasNestedValues ? ids.map { FieldID.firstNestedColumn + $0 } : []
        try table.scan(0..<table.recordCount, columns: ids + runs.map(\.number) + nested) { _, row in
            types.add(row)
            return true
        }
        var (columns, fields) = (types.columns, fields)
        for (run, column) in zip(runs, types.nestedColumns).reversed() {
            guard let column else { continue }
            columns.replaceSubrange(run.column.columns, with: [column])
            fields.replaceSubrange(run.column.columns, with: [Field(FieldID(rawValue: run.number), name: column.name, kind: .text)])
        }
        var writer = try format.makeWriter(columns, rowCount: table.recordCount, table: "data") { output.data.append(contentsOf: $0) }
        let rows = RowBatcher(columns, fields: fields) { try writer.write($0) }
        var failure: (any Error)?
        try table.scan(0..<table.recordCount, columns: fields.map(\.id.rawValue)) { _, row in
            do { try rows.append(row) } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
        try rows.finish()
        try writer.finish()
        try output.data.write(to: URL(fileURLWithPath: path))
        return path
    }

    /// The outermost nested columns that a format can write, with their column numbers.
    private static func nestedColumns(_ table: any Table, _ format: any WritableFormat) -> [(column: NestedColumn, number: Int)] {
        var found: [(column: NestedColumn, number: Int)] = []
        for (index, column) in table.nestedColumns.enumerated()
        where column.columns.lowerBound >= found.last?.column.columns.upperBound ?? 0 && format.canWrite(column.field.type) {
            found.append((column, FieldID.firstStoredColumn + index))
        }
        return found
    }
}

private final class OutputBuffer {
    var data = Data()
}
