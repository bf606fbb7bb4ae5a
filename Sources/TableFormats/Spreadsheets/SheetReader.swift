/// Reads the rows of a sheet, one by one.
protocol SheetReader: AnyObject, Sendable {
    /// Writes the next rows, at least one unless the sheet ends. Returns `false` at the end.
    func readRow(into writer: SheetRowWriter) throws(ContentError) -> Bool
}

/// Converts a sheet to comma-separated text, block by block.
final class SheetConverter: @unchecked Sendable {
    private let reader: any SheetReader
    private let writer: SheetRowWriter
    private let notes: SheetNotes
    private var isAtEnd = false
    private static let blockBytes = 128 << 10

    init(_ reader: any SheetReader, maximumRows: Int, notes: SheetNotes) {
        (self.reader, self.notes) = (reader, notes)
        writer = SheetRowWriter(maximumRows: maximumRows)
    }

    /// Appends the next rows. Returns `false` at the end. Rows before damage are appended before the error is thrown.
    func convert(into output: inout [UInt8]) throws(ContentError) -> Bool {
        defer {
            output.append(contentsOf: writer.output)
            writer.output.removeAll(keepingCapacity: true)
            notes.publish(writer.columns, from: writer.firstColumn, formulasWithoutValue: writer.formulasWithoutValue)
        }
        do throws(ContentError) {
            while !isAtEnd, writer.output.count < Self.blockBytes {
                if try writer.continueCopies() { continue }
                if try !reader.readRow(into: writer) {
                    isAtEnd = true
                    try writer.finish()
                }
            }
        } catch {
            isAtEnd = true
            try? writer.finish()
            throw error
        }
        return !isAtEnd
    }

    /// True if the sheet has a cell with a value. Reads the sheet only up to that cell.
    static func hasValue(_ reader: any SheetReader) throws(ContentError) -> Bool {
        let writer = SheetRowWriter(maximumRows: .max)
        while try reader.readRow(into: writer) { if !writer.isRowEmpty { return true } }
        return !writer.isRowEmpty
    }
}
