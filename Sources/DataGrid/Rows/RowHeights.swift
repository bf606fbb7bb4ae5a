import FieldValues

/// A column in sight whose text is broken into lines.
public struct WrapColumn: Hashable, Sendable {
    /// Which column it is.
    public var id: ColumnID
    /// Terminal cells of a line.
    public var width: Int
}

/// Tells how high rows want to be: as their content needs, or as an application will have it.
///
/// A layout asks it for rows in sight and next to them, and for no others. It must answer alike for as long as it is the grid's source:
/// when the content of rows has changed, the grid is given a new one (``GridState/updateHeights(from:)``). Layouts ask from wherever they
/// are made.
public protocol RowHeightSource: AnyObject, Sendable {
    /// The lines that a row wants when these columns are wrapped.
    /// - Parameters:
    ///   - row: the row.
    ///   - columns: the columns that are wrapped, and how wide they are.
    ///   - limit: no content is given more lines than this; what an application asks for may be more.
    func lines(ofRow row: RowID, wrapping columns: [WrapColumn], limit: Int) -> Int

    /// The height that an application will have for a row, whatever is in it; `nil`: it says nothing. Asked when
    /// ``GridMetrics/hasDelegatedRowHeights``.
    func height(ofRow row: RowID) -> Int?
    /// The height that an application will have for the header of a section; `nil`: it says nothing. Asked as the above is.
    func height(ofSection section: Int) -> Int?
    /// The source for a grid in which rows have other names from now on, as others have come or gone before them; itself where it remembers
    /// nothing by names.
    /// - Parameter name: what a row is called; `nil` for those that have gone.
    func renamed(_ name: @Sendable (RowID) -> RowID?) -> any RowHeightSource
    /// The source for a grid whose sections are others from now on, or have other rows; itself where it remembers nothing of sections.
    func regrouped() -> any RowHeightSource
    /// The source for a grid that is looked at as it was: it tells what this has found out, and asks nobody for what it does not know; a row is
    /// a line high then, and nothing is said. Itself where it asks nobody.
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

    /// Takes another order of the rows, O(1) when no row has a height of its own, otherwise O(heights), and O(rows) for an order found by
    /// sorting or made by hand.
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
