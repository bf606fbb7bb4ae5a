package import FieldValues

/// Formats copied cells as plain text for spreadsheets, line by line. The library and the program copy with it.
///
/// A line has a field for each column of the copied cells, separated by tabs. A field with a tab, quote or line ending is quoted, and its
/// quotes are doubled. A single cell is copied as it is. The last line is pasted without its line ending: see ``text(ofLines:)``.
package struct CopiedText: Sendable {
    private let cells: CopiedCells

    package init(_ cells: CopiedCells) { self.cells = cells }

    /// Calls `body` with the line of the column titles.
    package func withTitles(_ body: (_ line: UnsafeBufferPointer<UInt8>) -> Void) {
        FieldBytes.withFields(of: cells.columns.map(\.title)) { withLine(of: $0, body) }
    }

    /// Calls `body` with the line of a row.
    /// - Parameter fields: a field for each column, missing if the cell is not copied, as in ``CopiedCells/withFields(_:at:_:)``.
    package func withLine(of fields: UnsafeBufferPointer<FieldBytes>, _ body: (_ line: UnsafeBufferPointer<UInt8>) -> Void) {
        // A missing field has no quotes. They would tell an empty value from an empty line, but not in a spreadsheet.
        if fields.count == 1, fields[0].count == 0 { return withUnsafePointer(to: 10) { body(UnsafeBufferPointer(start: $0, count: 1)) } }
        guard cells.isSingleCell else { return FieldBytes.withRecord(of: fields, delimiter: 9, body) }
        let text = fields[0].bytes
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count + 1) { line in
            _ = line.initialize(fromContentsOf: text)
            line.initializeElement(at: text.count, to: 10)
            body(UnsafeBufferPointer(line))
        }
    }

    /// The text of all lines.
    package static func text(ofLines bytes: [UInt8]) -> ArraySlice<UInt8> { bytes.last == 10 ? bytes.dropLast() : bytes[...] }
}
