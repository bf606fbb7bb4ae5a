import FieldValues

/// The place of a row in an order: the values of the sort keys and of the tie-break, as the server gave them.
public struct RowKey: Hashable, Codable, Sendable {
    /// The values, most significant first.
    public var values: [SQLValue]

    /// Creates a key.
    public init(_ values: [SQLValue]) { self.values = values }
}

/// Rows to fetch in the order of a query.
public enum PageRequest: Hashable, Sendable {
    /// The first rows.
    case first(Int)
    /// The last rows.
    case last(Int)
    /// The rows after a row.
    case after(RowKey, Int)
    /// The rows before a row.
    case before(RowKey, Int)
    /// The rows from a fraction of the table, 0 to 1. Only for orders by row address or by one integer; for others, see
    /// ``SQLQuery/sample(percent:anchors:)``.
    case fraction(Double, Int)
    /// The rows of a range of blocks. Only for orders by row address.
    case blocks(Range<Int64>)

    /// The number of rows; `nil` for blocks.
    var count: Int? {
        switch self {
        case .first(let count), .last(let count), .after(_, let count), .before(_, let count), .fraction(_, let count): max(0, count)
        case .blocks: nil
        }
    }

    /// True if the rows come from the server in reverse order.
    var isBackward: Bool {
        switch self {
        case .last, .before: true
        case .first, .after, .fraction, .blocks: false
        }
    }
}

/// One row of a page.
public struct PageRow: Hashable, Sendable {
    /// The texts of the cells; `nil` for NULL.
    public var cells: [SQLValue]
    /// True for the cells whose text is longer than was asked for.
    public var isTruncated: [Bool]
    /// The place of the row in the order.
    public var key: RowKey
}

/// A statement that fetches a page, and the meaning of its result.
public struct PageStatement: Hashable, Sendable {
    /// The statement.
    public var statement: SQLStatement
    /// The number of cells at the start of each result row. The values after them are the key.
    public var cellCount: Int
    /// The number of values of the key.
    public var keyCount: Int
    /// True if the rows come in reverse order.
    public var isReversed: Bool
    /// The number of characters of a cell. Cells come with one more character if they are longer.
    public var cellLimit: Int
    /// The blocks that the statement reads; `nil` for pages by key. A page of blocks may have any number of rows, even none.
    public var blocks: Range<Int64>?

    /// The rows of a result in the order of the query. Result rows of a wrong length are left out.
    public func rows(_ result: [[SQLValue]]) -> [PageRow] {
        var rows: [PageRow] = []
        rows.reserveCapacity(result.count)
        for values in result where values.count == cellCount + keyCount {
            var cells = Array(values[..<cellCount])
            var isTruncated = [Bool](repeating: false, count: cellCount)
            for (place, cell) in cells.enumerated() {
                guard case .text(let text) = cell, text.utf8.count > cellLimit else { continue }
                let scalars = text.unicodeScalars
                guard let end = scalars.index(scalars.startIndex, offsetBy: cellLimit, limitedBy: scalars.endIndex), end < scalars.endIndex
                else { continue }
                (cells[place], isTruncated[place]) = (.text(String(scalars[..<end])), true)
            }
            rows.append(PageRow(cells: cells, isTruncated: isTruncated, key: RowKey(Array(values[cellCount...]))))
        }
        return isReversed ? rows.reversed() : rows
    }
}

extension SQLValue {
    /// True for a text of spaces and tabs.
    var isBlank: Bool {
        if case .text(let text) = self { return FieldBytes.withBytes(of: text) { $0.isBlank } }
        return false
    }
}
