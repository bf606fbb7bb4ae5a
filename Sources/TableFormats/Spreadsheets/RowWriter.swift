import DelimitedText
import FieldValues

/// Writes the rows of a sheet as comma-separated text.
///
/// The first rows are held, to find the columns of the table. Blank rows and columns before the first cell are left out, and so are blank
/// rows at the end. A blank row between others is an empty line.
final class RowWriter: @unchecked Sendable {
    /// The maximum number of columns of a sheet, as in Excel and LibreOffice.
    static let maximumColumns = 16_384
    /// The maximum number of bytes of a cell, and of all cells of a row.
    static let maximumCellBytes = 4 << 20
    static let maximumRowBytes = 64 << 20
    private static let heldRows = 200
    private static let heldBytes = 1 << 20

    /// The written text, which the caller removes.
    @exclusivity(unchecked) var output: [UInt8] = []
    /// The facts of the columns, published with ``SheetFacts``.
    @exclusivity(unchecked) private(set) var columns: [SheetFacts.Column] = []
    /// The number of rows written, without the blank rows at the start.
    @exclusivity(unchecked) private(set) var rowCount = 0

    private struct Cell {
        var column: Int
        /// The end of the field in the bytes of the row.
        var end: Int
        /// The start of the field.
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
    @exclusivity(unchecked) private var held: [Row] = []
    private var heldByteCount = 0
    @exclusivity(unchecked) private var isHolding = true
    /// The first column of the table, and the number of columns to which shorter rows are padded.
    @exclusivity(unchecked) private(set) var firstColumn = 0
    @exclusivity(unchecked) private var width = 0
    /// True before the first row of the table, such as in lines of titles.
    @exclusivity(unchecked) private var isInPreamble = true
    /// The most common number of columns of the held rows.
    @exclusivity(unchecked) private var usualWidth = 0
    /// The number of the last written row.
    @exclusivity(unchecked) private var lastNumber: Int?

    init(maximumRows: Int) { self.maximumRows = maximumRows }

    // MARK: Cells

    /// Starts a row.
    /// - Parameter number: the number of the row from 0, greater than the number of the row before.
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
        count(kind, column)
        row.cells.append(Cell(column: column, end: row.bytes.count, start: start))
    }

    private func count(_ kind: CellKind, _ column: Int) {
        while columns.count <= column { columns.append(SheetFacts.Column()) }
        switch kind {
        case .number: columns[column].numbers += 1
        case .numberText: columns[column].numberTexts += 1
        case .other: break
        }
    }

    // MARK: Rows

    /// Ends a row that stands for `count` equal rows.
    func endRow(repeated count: Int = 1) throws(ContentError) {
        guard !row.cells.isEmpty else { return }
        let (end, overflows) = row.number.addingReportingOverflow(count)
        guard !overflows, end <= maximumRows else { throw ContentError("it has more than \(maximumRows) rows") }
        // Cells out of order are rare.
        if zip(row.cells, row.cells.dropFirst()).contains(where: { $0.column >= $1.column }) { sortCells() }
        for number in row.number..<end {
            if isHolding {
                var copy = row
                copy.number = number
                held.append(copy)
                heldByteCount += copy.bytes.count + 1
                if held.count >= Self.heldRows || heldByteCount >= Self.heldBytes { try writeHeldRows(areAllRows: false) }
            } else {
                try write(row, number: number)
                // A repeated row may stand for a very large number of rows.
                if output.count > Self.heldBytes, number + 1 < end {
                    repeated = number + 1..<end
                    return
                }
            }
        }
    }

    /// The rows that the current row still stands for.
    private var repeated = 0..<0

    /// Continues to write a repeated row after the output was taken. Returns `false` if no row is being repeated.
    func continueRepeated() throws(ContentError) -> Bool {
        guard !repeated.isEmpty else { return false }
        while !repeated.isEmpty, output.count <= Self.heldBytes {
            try write(row, number: repeated.lowerBound)
            repeated = (repeated.lowerBound + 1)..<repeated.upperBound
        }
        return true
    }

    /// Writes the held rows. Call it after the last row.
    func finish() throws(ContentError) { if isHolding { try writeHeldRows(areAllRows: true) } }

    private func sortCells() {
        // If a column has several cells, the last one is kept.
        let order = row.cells.enumerated().sorted { ($0.element.column, $0.offset) < ($1.element.column, $1.offset) }.map(\.element)
        var cells: [Cell] = []
        for cell in order {
            if cells.last?.column == cell.column { cells.removeLast() }
            cells.append(cell)
        }
        row.cells = cells
    }

    /// Writes the held rows, and stops holding rows.
    /// - Parameter areAllRows: true if the sheet has no other rows.
    private func writeHeldRows(areAllRows: Bool) throws(ContentError) {
        isHolding = false
        let first = held.lazy.compactMap { $0.cells.first?.column }.min() ?? 0
        // Without a declaration, a later row may begin further left.
        firstColumn = areAllRows ? first : min(first, declaredFirstColumn ?? 0)
        var counts: [Int: Int] = [:]
        for row in held {
            let count = (row.cells.last?.column ?? -1) + 1 - firstColumn
            counts[count, default: 0] += 1
            width = max(width, count)
        }
        usualWidth = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
        let rows = held
        held = []
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

/// The kind of a cell, for the facts of its column.
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

/// True if a string is a number, such as 00123, which a spreadsheet stores as text to keep it as it is.
func looksLikeNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, text.count <= 64, first < UInt8(ascii: ":"), first != UInt8(ascii: "#") else { return false }
    return FieldBytes(start: text.baseAddress, count: text.count).decimal() != nil
}
