import FieldValues
import Tables

/// The column names of a table.
func titles(_ source: any TableSource) -> [String] { (0..<source.columnCount).map { source.title(ofColumn: $0) } }

/// All rows of a table; `nil` for missing fields.
func rows(_ source: any TableSource) throws -> [[String?]] {
    var rows: [[String?]] = []
    let table = source.snapshot()
    try table.scan(0..<table.recordCount, columns: Array(0..<table.columnCount)) { _, fields in
        rows.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
        return true
    }
    return rows
}

/// All rows of a table, with empty strings for missing fields.
func rowTexts(_ source: any TableSource) throws -> [[String]] { try rows(source).map { $0.map { $0 ?? "" } } }
