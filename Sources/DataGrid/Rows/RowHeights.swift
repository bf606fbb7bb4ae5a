import FieldValues

/// A visible column with wrapped text.
public struct WrapColumn: Hashable, Sendable {
    /// The identity of the column.
    public var id: ColumnID
    /// The width of a line in terminal cells.
    public var width: Int
}

/// The source of automatic and delegated row heights. Layouts call it for rows in and next to the viewport, from any thread.
///
/// A source returns the same height for a row each time. After a content change, the grid gets a new source
/// (``GridState/updateHeights(from:)``). A source that can read content on one thread only may return a default height on other threads
/// until it has read the row.
public protocol RowHeightSource: AnyObject, Sendable {
    /// The number of lines that a row needs if the text of these columns wraps. Each text has at most `limit` lines.
    func lines(ofRow row: RowID, wrapping columns: [WrapColumn], limit: Int) -> Int

    /// The delegated height of a row, or `nil`. The method is called only if ``GridMetrics/hasDelegatedRowHeights`` is true.
    func height(ofRow row: RowID) -> Int?
    /// The delegated height of the card of a row, or `nil`. The method is called only if ``GridMetrics/hasDelegatedRowHeights`` is true.
    func height(ofCard row: RowID) -> Int?
    /// The delegated height of a section header, or `nil`. The method is called only if ``GridMetrics/hasDelegatedRowHeights`` is true.
    func height(ofSection section: Int) -> Int?
    /// Returns a source for renumbered rows, with its cached heights under their new ids. A source that caches nothing by id returns
    /// itself.
    /// - Parameter newID: returns the new id of a row; `nil` for a removed row.
    func renumbered(_ newID: @Sendable (RowID) -> RowID?) -> any RowHeightSource
    /// Returns a source without cached heights of section headers, because sections or their rows have changed. A source that caches none
    /// returns itself.
    func withoutHeaderHeights() -> any RowHeightSource
    /// Returns a source that calls no delegate or data source: it has the cached heights, and a height of one line for other rows. A source
    /// that never calls one returns itself.
    func cachedOnly() -> any RowHeightSource
}

extension RowHeightSource {
    /// Returns `nil`.
    public func height(ofRow row: RowID) -> Int? { nil }
    /// Returns `nil`.
    public func height(ofCard row: RowID) -> Int? { nil }
    /// Returns `nil`.
    public func height(ofSection section: Int) -> Int? { nil }
    /// Returns itself.
    public func renumbered(_ newID: @Sendable (RowID) -> RowID?) -> any RowHeightSource { self }
    /// Returns itself.
    public func withoutHeaderHeights() -> any RowHeightSource { self }
    /// Returns itself.
    public func cachedOnly() -> any RowHeightSource { self }
}

/// The explicit heights of single rows, by identity.
struct RowHeights: Equatable, Sendable {
    /// The heights in lines, without the rule below the row.
    private var heights: [RowID: Int] = [:]
    /// The heights by position.
    private(set) var index = LineIndex()

    var isEmpty: Bool { heights.isEmpty }

    /// The explicit height of a row, or `nil`. O(1).
    subscript(row: RowID) -> Int? { heights[row] }

    /// Sets or removes the height of a row. O(log rows), and O(rows) to find the row in a sorted order.
    mutating func set(_ height: Int?, of row: RowID, in rows: RowOrder) {
        heights[row] = height
        if let position = Self.position(of: row, in: rows) { index.set(height, at: position) }
    }

    /// Updates the positions for another order of rows. O(heights), and O(rows) for sorted orders and many moved rows.
    mutating func follow(_ rows: RowOrder) {
        guard !heights.isEmpty else { return }
        index = LineIndex()
        if rows.prefersLookup(ofRows: heights.count) {
            for (row, height) in heights { if let position = Self.position(of: row, in: rows) { index.set(height, at: position) } }
        } else {
            rows.forEachRecord { position, record in
                if let height = heights[RowID(record)] { index.set(height, at: position) }
                return true
            }
        }
    }

    /// Updates ids and positions. O(heights), and O(rows) for sorted or manual orders.
    /// - Parameter newID: returns the new id of a row; `nil` for a removed row.
    mutating func follow(_ rows: RowOrder, _ newID: (RowID) -> RowID?) {
        guard !heights.isEmpty else { return }
        heights = heights.reduce(into: [:]) { renumbered, entry in if let row = newID(entry.key) { renumbered[row] = entry.value } }
        index = LineIndex()
        follow(rows)
    }

    var all: [RowID: Int] { heights }

    /// Updates the positions after a move of rows. O(heights).
    mutating func follow(_ move: RowMove) { index = index.moved(move) }

    /// The position of a row. In source order, this position is known even before the row is loaded.
    private static func position(of row: RowID, in rows: RowOrder) -> Int? {
        switch rows {
        case .natural: return row.isCountedFromEnd ? nil : row.rawValue
        case .spliced: return rows.position(of: row)
        // Only spliced orders contain ids that count from the end.
        case .permuted, .moved: return row.isCountedFromEnd ? nil : rows.position(of: row)
        }
    }
}
