import DelimitedText
import FieldValues

/// Writes the rows of a sheet as comma-separated text.
///
/// The first rows are buffered to find the columns of the table. Blank rows and columns before the first cell, and blank rows at the end,
/// are left out. A blank row between other rows is an empty line.
final class SheetRowWriter: @unchecked Sendable {
    /// The maximum number of columns of a sheet, as in Excel and LibreOffice.
    static let maximumColumns = 16_384
    /// The maximum number of bytes of a cell, and of all cells of a row.
    static let maximumCellBytes = 4 << 20
    static let maximumRowBytes = 64 << 20
    private static let maximumBufferedRows = 200
    private static let maximumBufferedBytes = 1 << 20

    /// The text that is written. The caller copies it and then removes it.
    @exclusivity(unchecked) var output: [UInt8] = []
    /// The cell counts of the columns of the sheet, published with ``SheetNotes``.
    @exclusivity(unchecked) private(set) var columns: [SheetNotes.CellCounts] = []
    /// The number of written rows, excluding blank rows at the start of the sheet.
    @exclusivity(unchecked) private(set) var rowCount = 0

    /// The number of cells with a formula whose value the file does not have. They are blank.
    @exclusivity(unchecked) private(set) var formulasWithoutValue = 0

    private struct Cell {
        var column: Int
        /// The byte offset in the row at which the field ends.
        var end: Int
        /// The byte offset in the row at which the field starts.
        var start: Int
    }

    private struct Row {
        var number = 0
        var cells: [Cell] = []
        var bytes: [UInt8] = []
    }

    /// The first column that a file declares to have cells; `nil` if it declares none.
    var declaredFirstColumn: Int?
    private let maximumRows: Int
    @exclusivity(unchecked) private var row = Row()
    @exclusivity(unchecked) private var bufferedRows: [Row] = []
    private var bufferedByteCount = 0
    @exclusivity(unchecked) private var isBuffering = true
    /// The index in the sheet of the first column of the table, and the minimum number of columns of a written row.
    @exclusivity(unchecked) private(set) var firstColumn = 0
    @exclusivity(unchecked) private var width = 0
    /// True until a row has more than half of ``usualWidth`` columns. The rows above it are captions, and are not filled up with empty
    /// fields.
    @exclusivity(unchecked) private var isInPreamble = true
    /// The most common number of columns of the buffered rows.
    @exclusivity(unchecked) private var usualWidth = 0
    /// The number of the last written row.
    @exclusivity(unchecked) private var lastNumber: Int?

    init(maximumRows: Int) { self.maximumRows = maximumRows }

    // MARK: Cells

    /// Starts a row.
    /// - Parameter number: the row number, from 0. It is greater than that of the previous row.
    func beginRow(_ number: Int) {
        row.number = number
        row.cells.removeAll(keepingCapacity: true)
        row.bytes.removeAll(keepingCapacity: true)
    }

    /// True if the current row has no cell yet.
    var isRowEmpty: Bool { row.cells.isEmpty }

    /// The number of bytes of the current row.
    var rowByteCount: Int { row.bytes.count }

    /// Adds a cell of a known kind.
    @inline(__always)
    func add(column: Int, _ kind: CellKind, _ write: (inout [UInt8]) throws(ContentError) -> Void) throws(ContentError) {
        try add(column: column) { (output) throws(ContentError) in
            try write(&output)
            return kind
        }
    }

    /// Adds a cell. `write` appends its text and returns its kind. A cell without text is blank.
    @inline(__always)
    func add(column: Int, _ write: (inout [UInt8]) throws(ContentError) -> CellKind) throws(ContentError) {
        let start = row.bytes.count
        let kind = try write(&row.bytes)
        if row.bytes.count == start { return }
        guard column < Self.maximumColumns, row.bytes.count <= Self.maximumRowBytes else {
            throw ContentError(
                column < Self.maximumColumns
                    ? "row \(row.number + 1) is larger than \(Self.maximumRowBytes >> 20) MiB"
                    : "row \(row.number + 1) has a cell beyond column \(Self.maximumColumns)")
        }
        countCell(kind, column)
        row.cells.append(Cell(column: column, end: row.bytes.count, start: start))
    }

    /// Counts cells with a formula whose value the file does not have.
    func countFormulasWithoutValue(_ count: Int = 1) {
        let (sum, overflows) = formulasWithoutValue.addingReportingOverflow(count)
        formulasWithoutValue = overflows ? .max : sum
    }

    private func countCell(_ kind: CellKind, _ column: Int) {
        while columns.count <= column { columns.append(SheetNotes.CellCounts()) }
        switch kind {
        case .number: columns[column].numbers += 1
        case .numberText: columns[column].numberTexts += 1
        case .other: break
        }
    }

    // MARK: Rows

    /// Ends a row.
    /// - Parameter count: the number of equal rows.
    func endRow(repeated count: Int = 1) throws(ContentError) {
        guard !row.cells.isEmpty else { return }
        let (end, overflows) = row.number.addingReportingOverflow(count)
        guard !overflows, end <= maximumRows else { throw ContentError("it has more than \(maximumRows) rows") }
        // The order is checked first, because cells are rarely out of order.
        if zip(row.cells, row.cells.dropFirst()).contains(where: { $0.column >= $1.column }) { sortCells() }
        for number in row.number..<end {
            if isBuffering {
                var copy = row
                copy.number = number
                bufferedRows.append(copy)
                bufferedByteCount += copy.bytes.count + 1
                if bufferedRows.count >= Self.maximumBufferedRows || bufferedByteCount >= Self.maximumBufferedBytes {
                    try writeBufferedRows(areAllRows: false)
                }
            } else {
                try write(row, number: number)
                // A row may be repeated very often, so writing stops if the output is large. `continueCopies` writes the remaining rows.
                if output.count > Self.maximumBufferedBytes, number + 1 < end {
                    remainingCopies = number + 1..<end
                    return
                }
            }
        }
    }

    /// The range of row numbers that are still to be written as copies of the current row.
    private var remainingCopies = 0..<0

    /// Writes more copies of a repeated row after the caller has removed the output. Returns `false` if no copies remain.
    func continueCopies() throws(ContentError) -> Bool {
        guard !remainingCopies.isEmpty else { return false }
        while !remainingCopies.isEmpty, output.count <= Self.maximumBufferedBytes {
            try write(row, number: remainingCopies.lowerBound)
            remainingCopies = (remainingCopies.lowerBound + 1)..<remainingCopies.upperBound
        }
        return true
    }

    /// Writes the buffered rows. Call it after the last row.
    func finish() throws(ContentError) { if isBuffering { try writeBufferedRows(areAllRows: true) } }

    private func sortCells() {
        // If there are several cells for the same column, the last one is kept.
        let order = row.cells.enumerated().sorted { ($0.element.column, $0.offset) < ($1.element.column, $1.offset) }.map(\.element)
        var cells: [Cell] = []
        for cell in order {
            if cells.last?.column == cell.column { cells.removeLast() }
            cells.append(cell)
        }
        row.cells = cells
    }

    /// Writes the buffered rows, and stops buffering.
    /// - Parameter areAllRows: true if the sheet has no other rows.
    private func writeBufferedRows(areAllRows: Bool) throws(ContentError) {
        isBuffering = false
        let first = bufferedRows.lazy.compactMap { $0.cells.first?.column }.min() ?? 0
        // Without a declared first column, a later row may have cells further left.
        firstColumn = areAllRows ? first : min(first, declaredFirstColumn ?? 0)
        var counts: [Int: Int] = [:]
        for row in bufferedRows {
            let count = (row.cells.last?.column ?? -1) + 1 - firstColumn
            counts[count, default: 0] += 1
            width = max(width, count)
        }
        usualWidth = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
        let rows = bufferedRows
        bufferedRows = []
        for row in rows { try write(row, number: row.number) }
    }

    private func write(_ row: borrowing Row, number: Int) throws(ContentError) {
        if let lastNumber, number > lastNumber + 1 {
            let blanks = number - lastNumber - 1
            output.append(contentsOf: repeatElement(10, count: blanks))
            rowCount += blanks
        }
        lastNumber = number
        rowCount += 1
        var next = firstColumn
        row.bytes.withUnsafeBufferPointer { bytes in
            for cell in row.cells where cell.column >= next {
                while next < cell.column {
                    output.append(UInt8(ascii: ","))
                    next += 1
                }
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[cell.start..<cell.end]))
            }
        }
        guard row.cells.first.map({ $0.column >= firstColumn }) ?? true else {
            throw ContentError("row \(number + 1) starts to the left of the declared columns")
        }
        let count = next + 1 - firstColumn
        if isInPreamble, count * 2 > usualWidth { isInPreamble = false }
        if !isInPreamble, count < width { output.append(contentsOf: repeatElement(UInt8(ascii: ","), count: width - count)) }
        output.append(10)
    }
}

/// The kind of a cell, for the cell counts of its column.
enum CellKind {
    /// A number.
    case number
    /// A string that looks like a number, such as 00123.
    case numberText
    /// Any other value.
    case other
}

extension [UInt8] {
    /// Appends a string as a field of comma-separated text, in quotes where necessary.
    mutating func appendField(_ text: UnsafeBufferPointer<UInt8>) {
        var needsQuotes = text.first == 0xEF
        for byte in text where byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 10 || byte == 13 {
            needsQuotes = true
            break
        }
        guard needsQuotes else { return append(contentsOf: text) }
        append(UInt8(ascii: "\""))
        for byte in text {
            if byte == UInt8(ascii: "\"") { append(byte) }
            append(byte)
        }
        append(UInt8(ascii: "\""))
    }
}

/// True if a string is a number, such as 00123. Spreadsheets store such a number as text to keep its zeros.
func looksLikeNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, text.count <= 64, first < UInt8(ascii: ":"), first != UInt8(ascii: "#") else { return false }
    return FieldBytes(start: text.baseAddress, count: text.count).decimal() != nil
}
