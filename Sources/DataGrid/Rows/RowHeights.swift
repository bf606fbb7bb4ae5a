import FieldValues

/// A visible column whose text wraps into several lines.
public struct WrapColumn: Hashable, Sendable {
    /// The identity of the column.
    public var id: ColumnID
    /// The number of terminal cells of a line of text.
    public var width: Int
}

/// The object from which layouts get row heights that depend on wrapped text or on a delegate. Layouts call the object for visible rows and
/// nearby rows, from any thread.
///
/// An object returns the same height for a row each time. After a content change, the grid gets a new object
/// (``GridState/updateHeights(from:)``). An object that can read content on one thread only may return a default height on other threads
/// until it has read the row.
public protocol RowHeightSource: AnyObject, Sendable {
    /// The number of lines that a row needs if the text of `columns` wraps. The text of each column is cut after `limit` lines.
    func lines(ofRow row: RowID, wrapping columns: [WrapColumn], limit: Int) -> Int

    /// The height in lines that the delegate returns for a row; `nil` if it returns no height. The method is called only if
    /// ``GridMetrics/hasDelegatedRowHeights`` is true.
    func height(ofRow row: RowID) -> Int?
    /// The height in lines that the delegate returns for the card of a row; `nil` if it returns no height. The method is called only if
    /// ``GridMetrics/hasDelegatedRowHeights`` is true.
    func height(ofCard row: RowID) -> Int?
    /// The height in lines that the delegate returns for a section header; `nil` if it returns no height. The method is called only if
    /// ``GridMetrics/hasDelegatedRowHeights`` is true.
    func height(ofSection section: Int) -> Int?
    /// Returns an object whose cached heights are stored under the new ids of the rows. An object that does not cache heights by row id
    /// returns itself.
    /// - Parameter newID: returns the new id of a row; `nil` for a removed row.
    func renumbered(_ newID: @Sendable (RowID) -> RowID?) -> any RowHeightSource
    /// Returns an object without cached heights of section headers, which are invalid because sections or their rows have changed. An
    /// object that does not cache such heights returns itself.
    func withoutHeaderHeights() -> any RowHeightSource
    /// Returns an object that calls neither the delegate nor the data source. It returns cached heights, and one line for rows without a
    /// cached height. An object that never makes such calls returns itself.
    func cachedOnly() -> any RowHeightSource
}

extension RowHeightSource {
    /// Returns `nil`, so that rows have their automatic or default height.
    public func height(ofRow row: RowID) -> Int? { nil }
    /// Returns `nil`, so that cards are as tall as their slots need.
    public func height(ofCard row: RowID) -> Int? { nil }
    /// Returns `nil`, so that section headers have their default height.
    public func height(ofSection section: Int) -> Int? { nil }
    /// Returns the object itself: by default, no heights are cached.
    public func renumbered(_ newID: @Sendable (RowID) -> RowID?) -> any RowHeightSource { self }
    /// Returns the object itself: by default, no heights are cached.
    public func withoutHeaderHeights() -> any RowHeightSource { self }
    /// Returns the object itself: by default, it calls neither a delegate nor a data source.
    public func cachedOnly() -> any RowHeightSource { self }
}

/// The heights that were set for single rows, by identity.
struct RowHeights: Equatable, Sendable {
    /// The height of each row in lines, without the rule below the row.
    private var heights: [RowID: Int] = [:]
    /// The same heights by position, to convert between rows and lines.
    private(set) var lineIndex = LineIndex()

    var isEmpty: Bool { heights.isEmpty }

    /// The height that was set for a row; `nil` if no height was set. O(1).
    subscript(row: RowID) -> Int? { heights[row] }

    /// Sets the height of a row, or removes it if `height` is `nil`. O(log rows), and O(rows) to find the row in a sorted order.
    mutating func set(_ height: Int?, of row: RowID, in rows: RowOrder) {
        heights[row] = height
        if let position = Self.position(of: row, in: rows) { lineIndex.set(height, at: position) }
    }

    /// Updates ``lineIndex`` to the positions of the rows in another order. O(heights), and O(rows) for sorted orders and many moved rows.
    mutating func updatePositions(in rows: RowOrder) {
        guard !heights.isEmpty else { return }
        lineIndex = LineIndex()
        if rows.prefersLookup(ofRows: heights.count) {
            for (row, height) in heights { if let position = Self.position(of: row, in: rows) { lineIndex.set(height, at: position) } }
        } else {
            rows.forEachRecord { position, record in
                if let height = heights[RowID(record)] { lineIndex.set(height, at: position) }
                return true
            }
        }
    }

    /// Updates the ids of the rows, and ``lineIndex`` to their positions in `rows`. O(heights), and O(rows) for sorted orders and moved
    /// rows.
    /// - Parameter newID: returns the new id of a row; `nil` for a removed row.
    mutating func updatePositions(in rows: RowOrder, newID: (RowID) -> RowID?) {
        guard !heights.isEmpty else { return }
        heights = heights.reduce(into: [:]) { renumbered, entry in if let row = newID(entry.key) { renumbered[row] = entry.value } }
        lineIndex = LineIndex()
        updatePositions(in: rows)
    }

    var all: [RowID: Int] { heights }

    /// Updates ``lineIndex`` after users have moved rows. O(heights).
    mutating func updatePositions(after move: RowMove) { lineIndex = lineIndex.moved(move) }

    /// The position of a row; `nil` if it is unknown. In source order, the position is known even before the row is loaded.
    private static func position(of row: RowID, in rows: RowOrder) -> Int? {
        switch rows {
        case .natural: return row.isCountedFromEnd ? nil : row.rawValue
        case .spliced: return rows.position(of: row)
        // Rows that are counted from the end are in ``RowOrder/spliced(first:head:tail:)`` orders only.
        case .permuted, .moved: return row.isCountedFromEnd ? nil : rows.position(of: row)
        }
    }
}
