package import FieldValues

/// Formats copied cells as plain text for spreadsheets, line by line. Both `GridController` and the program use it.
///
/// A line has a field for each column of the copied cells; tabs separate the fields. A field with a tab, quote or line ending is quoted,
/// and its quotes are doubled. A single cell is copied without quotes. The last line has no line ending in the clipboard: see
/// ``text(ofLines:)``.
package struct CopiedText: Sendable {
    private let cells: CopiedCells

    package init(_ cells: CopiedCells) { self.cells = cells }

    /// Calls `body` with the line of column titles, which ends with a line feed.
    package func withTitles(_ body: (_ line: UnsafeBufferPointer<UInt8>) -> Void) {
        FieldBytes.withFields(of: cells.columns.map(\.title)) { withLine(of: $0, body) }
    }

    /// Calls `body` with the line of a row, which ends with a line feed.
    /// - Parameter fields: a field for each column, missing if the cell is not copied, as in ``CopiedCells/withFields(_:at:_:)``.
    package func withLine(of fields: UnsafeBufferPointer<FieldBytes>, _ body: (_ line: UnsafeBufferPointer<UInt8>) -> Void) {
        // Write an empty line for both a missing field and an empty field. Quotes could mark the empty field, but spreadsheets do not show
        // a difference.
        if fields.count == 1, fields[0].count == 0 { return withUnsafePointer(to: 10) { body(UnsafeBufferPointer(start: $0, count: 1)) } }
        guard cells.isSingleCell else { return FieldBytes.withRecord(of: fields, delimiter: 9, body) }
        let text = fields[0].bytes
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count + 1) { line in
            _ = line.initialize(fromContentsOf: text)
            line.initializeElement(at: text.count, to: 10)
            body(UnsafeBufferPointer(line))
        }
    }

    /// The text to put on the clipboard: all lines, without the line ending of the last line.
    package static func text(ofLines bytes: [UInt8]) -> ArraySlice<UInt8> { bytes.last == 10 ? bytes.dropLast() : bytes[...] }
}
