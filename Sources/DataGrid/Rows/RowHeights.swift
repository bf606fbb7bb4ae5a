import FieldValues

/// A column in sight whose text is broken into lines.
public struct WrapColumn: Hashable, Sendable {
    /// Which column it is.
    public var id: ColumnID
    /// Terminal cells of a line.
    public var width: Int
}

/// The source of automatic and delegated row heights. Layouts ask it for rows in sight and next to them, from any thread.
///
/// Its answers never change: when content has changed, the grid gets a new source (``GridState/updateHeights(from:)``).
public protocol RowHeightSource: AnyObject, Sendable {
    /// The lines that a row needs when these columns are wrapped; content never has more than `limit` lines.
    func lines(ofRow row: RowID, wrapping columns: [WrapColumn], limit: Int) -> Int

    /// The delegated height of a row; `nil`: none. Asked when ``GridMetrics/hasDelegatedRowHeights``.
    func height(ofRow row: RowID) -> Int?
    /// The delegated height of a section header; `nil`: none. Asked when ``GridMetrics/hasDelegatedRowHeights``.
    func height(ofSection section: Int) -> Int?
    /// The source after rows were renumbered; itself where it remembers nothing by ids.
    /// - Parameter name: the new id of a row; `nil` for one that was removed.
    func renamed(_ name: @Sendable (RowID) -> RowID?) -> any RowHeightSource
    /// The source for a grid whose sections are others from now on, or have other rows; itself where it remembers nothing of sections.
    func regrouped() -> any RowHeightSource
    /// A source with the answers known so far, which asks nobody; unknown rows have one line. Itself where it asks nobody.
    func recalled() -> any RowHeightSource
}

extension RowHeightSource {
    /// Nothing is said.
    public func height(ofRow row: RowID) -> Int? { nil }
    /// Nothing is said.
    public func height(ofSection section: Int) -> Int? { nil }
    /// Itself.
    public func renamed(_ name: @Sendable (RowID) -> RowID?) -> any RowHeightSource { self }
    /// Itself.
    public func regrouped() -> any RowHeightSource { self }
    /// Itself.
    public func recalled() -> any RowHeightSource { self }
}

/// The heights that were set for single rows. They belong to a row, wherever it stands.
struct RowHeights: Equatable, Sendable {
    /// Lines, the rule below the row not counted.
    private var own: [RowID: Int] = [:]
    /// The same by position.
    private(set) var index = LineIndex()

    var isEmpty: Bool { own.isEmpty }

    /// The lines of a row that has a height of its own. O(1).
    subscript(row: RowID) -> Int? { own[row] }

    /// Sets a row's height, or takes it away. O(log rows), and O(rows) to find the row in an order found by sorting.
    mutating func set(_ height: Int?, of row: RowID, in rows: RowOrder) {
        own[row] = height
        if let position = Self.position(of: row, in: rows) { index.set(height, at: position) }
    }

    /// Takes another order of the rows. O(heights), and O(rows) for sorted or manual orders.
    mutating func follow(_ rows: RowOrder) {
        guard !own.isEmpty else { return }
        index = LineIndex()
        switch rows {
        case .natural, .spliced:
            for (row, height) in own { if let position = Self.position(of: row, in: rows) { index.set(height, at: position) } }
        case .permuted(let permutation):
            permutation.records.forEach { position, record in
                if let height = own[RowID(record)] { index.set(height, at: position) }
                return true
            }
        case .moved:
            for position in 0..<rows.count { if let height = own[rows[position]] { index.set(height, at: position) } }
        }
    }

    /// Takes another order in which rows may have other names. O(heights), and O(rows) as above.
    mutating func follow(_ rows: RowOrder, _ renaming: RowRenaming) {
        guard !own.isEmpty else { return }
        own = own.reduce(into: [:]) { heights, entry in if let row = renaming(entry.key) { heights[row] = entry.value } }
        index = LineIndex()
        follow(rows)
    }

    var all: [RowID: Int] { own }

    /// Takes a move of rows, O(heights).
    mutating func follow(_ move: RowMove) { index = index.moved(move) }

    /// In the order of the source rows have their positions before they are there: nothing has to be found anew as they come.
    private static func position(of row: RowID, in rows: RowOrder) -> Int? {
        switch rows {
        case .natural: return row.isCountedFromEnd ? nil : row.rawValue
        case .spliced: return rows.position(of: row)
        // Rows that are known by their numbers have no other name.
        case .permuted, .moved: return row.isCountedFromEnd ? nil : rows.position(of: row)
        }
    }
}
