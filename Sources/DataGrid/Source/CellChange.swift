/// A change of a cell or a row that a data source reports, so that the grid highlights it.
public struct CellChange: Hashable, Sendable {
    /// The kind of change.
    public enum Kind: UInt8, Hashable, Sendable {
        /// The content of the cell changed without a known direction.
        case changed
        /// The value increased.
        case risen
        /// The value decreased.
        case fallen
        /// The row is highlighted because some of its cells changed. This change does not reload the cells, because each changed cell is
        /// reported separately.
        case updated
        /// The row was inserted.
        case inserted
        /// The row moved up to fill the gap that removed rows left.
        case movedUp
    }

    /// The identity of the changed row.
    public var row: RowID
    /// The column of the cell; `nil` means the whole row.
    public var column: ColumnID?
    /// The kind of change.
    public var kind: Kind

    /// Creates a change of a cell, or of a whole row.
    public init(_ kind: Kind, row: RowID, column: ColumnID? = nil) {
        self.kind = kind
        self.row = row
        self.column = column
    }
}

/// The interface that a data source uses to update a grid, such as a `GridController`. ``ObjectSource`` calls it on the main actor.
@MainActor
public protocol GridHost: AnyObject {
    /// The state of the grid, without its content.
    var state: GridState { get }
    /// The data source of the grid.
    var dataSource: (any GridDataSource)? { get set }
    /// Performs an action. Returns true if the action was performed, and false if it was refused.
    @discardableResult func perform(_ action: GridAction) -> Bool
    /// Reads the sections, rows and content of the data source again.
    func reload()
    /// Reads the content of these rows again; `nil` means all rows.
    func reloadRows(_ rows: [RowID]?)
    /// Reports changed cells. Visible cells are reloaded and briefly highlighted. Totals and section headers are reloaded even if the list
    /// is empty, because they can depend on data that no column shows.
    func reportChanges(_ changes: [CellChange])
}
