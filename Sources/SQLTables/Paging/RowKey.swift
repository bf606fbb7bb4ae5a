import FieldValues

/// The position of a row in the order of a query: the values of its sort keys and tie-break, as the server returned them.
public struct RowKey: Hashable, Codable, Sendable {
    /// The values, most significant first.
    public var values: [SQLValue]

    /// Creates a key.
    public init(_ values: [SQLValue]) { self.values = values }

    /// The disk block of a row address of PostgreSQL; `nil` for other keys. The address `(12,3)` is row 3 of block 12.
    package var block: Int64? {
        guard values.count == 1, case .text(let text) = values[0], text.hasPrefix("(") else { return nil }
        return UInt32(text.dropFirst().prefix { $0 != "," }).map { Int64($0) }
    }
}

/// Rows to fetch in the order of a query.
public enum PageRequest: Hashable, Sendable {
    /// The first rows; the number is the maximum number of rows.
    case first(Int)
    /// The last rows; the number is the maximum number of rows.
    case last(Int)
    /// The rows after a row; the number is the maximum number of rows.
    case after(RowKey, Int)
    /// The rows before a row; the number is the maximum number of rows.
    case before(RowKey, Int)
    /// The first row with these values in the first sort keys, and the rows after it; the count is the maximum number of rows. An index
    /// must start with the first sort key, see ``SQLQuery/isIndexedByFirstKeyOnly``.
    case from(firstKeyValues: [SQLValue], count: Int)
    /// The rows in a range of disk blocks. Only for orders by row address.
    case blocks(Range<Int64>)

    /// The maximum number of rows; `nil` for ``blocks(_:)``, because blocks can have any number of rows.
    var count: Int? {
        switch self {
        case .first(let count), .last(let count), .after(_, let count), .before(_, let count), .from(_, let count): max(0, count)
        case .blocks: nil
        }
    }

    /// True if the server returns the rows in reverse order. Rows are then skipped from the end.
    package var isBackward: Bool {
        switch self {
        case .last, .before: true
        case .first, .after, .from, .blocks: false
        }
    }
}

/// One row of a page.
public struct PageRow: Hashable, Sendable {
    /// The cells as text; ``SQLValue/null`` for NULL.
    public var cells: [SQLValue]
    /// True for each cell whose text was cut at the limit.
    public var isTruncated: [Bool]
    /// The position of the row in the order.
    public var key: RowKey
}

/// A statement that fetches a page, and the layout of its result.
public struct PageStatement: Hashable, Sendable {
    /// The statement to run.
    public var statement: SQLStatement
    /// The number of cells at the start of each result row. The values after them are the key.
    public var cellCount: Int
    /// The number of values of the key.
    public var keyCount: Int
    /// True if the result is in reverse order.
    public var isReversed: Bool
    /// The maximum number of characters of a cell. Longer cells are fetched with one character more.
    public var cellLimit: Int
    /// True if the limit is in bytes, because the server counts bytes instead of characters.
    var countsBytes = false
    /// The blocks that the statement reads; `nil` for pages by key. A page of blocks can have any number of rows, including 0.
    public var blocks: Range<Int64>?

    /// The rows of a result in the order of the query. Result rows of the wrong length are skipped.
    public func rows(_ result: [[SQLValue]]) -> [PageRow] {
        var rows: [PageRow] = []
        rows.reserveCapacity(result.count)
        for values in result where values.count == cellCount + keyCount {
            var cells = Array(values[..<cellCount])
            var isTruncated = [Bool](repeating: false, count: cellCount)
            for (index, cell) in cells.enumerated() {
                guard let start = start(of: cell) else { continue }
                (cells[index], isTruncated[index]) = (start, true)
            }
            rows.append(PageRow(cells: cells, isTruncated: isTruncated, key: RowKey(Array(values[cellCount...]))))
        }
        return isReversed ? rows.reversed() : rows
    }

    /// The start of a text that is longer than the limit; `nil` for other values.
    private func start(of cell: SQLValue) -> SQLValue? {
        let text: String
        switch cell {
        case .text(let cell): text = cell
        case .invalidText(let bytes) where countsBytes: return start(of: bytes)
        case .invalidText(let bytes): text = String(decoding: bytes, as: UTF8.self)
        case .null, .integer, .double, .bytes: return nil
        }
        guard text.utf8.count > cellLimit else { return nil }
        if countsBytes { return start(of: Array(text.utf8)) }
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: cellLimit, limitedBy: scalars.endIndex), end < scalars.endIndex
        else { return nil }
        return .text(String(scalars[..<end]))
    }

    /// The first bytes of a text, without the bytes of a character that the limit splits; `nil` if the text is not longer than the limit.
    private func start(of bytes: [UInt8]) -> SQLValue? {
        guard bytes.count > cellLimit else { return nil }
        let end = stride(from: cellLimit, through: max(0, cellLimit - 3), by: -1).first { bytes[$0] & 0xC0 != 0x80 } ?? cellLimit
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        return text.utf8.elementsEqual(bytes[..<end]) ? .text(text) : .invalidText(Array(bytes[..<end]))
    }
}

extension SQLValue {
    /// True for text that is empty or only spaces and tabs.
    var isBlank: Bool {
        if case .text(let text) = self { return FieldBytes.withBytes(of: text) { $0.isBlank } }
        return false
    }
}
