/// Something in a grid is another than a moment ago.
public struct CellChange: Hashable, Sendable {
    /// What has become of it.
    public enum Kind: UInt8, Hashable, Sendable {
        /// It says something else.
        case changed
        /// A value has gone up.
        case risen
        /// A value has gone down.
        case fallen
        /// The row has come.
        case inserted
        /// Rows before it have gone, and it stands where they stood.
        case closedUp
    }

    /// The row.
    public var row: RowID
    /// The cell; `nil`: the whole row.
    public var column: ColumnID?
    /// What has become of it.
    public var kind: Kind

    /// `kind` has happened to a cell, or to a whole row.
    public init(_ kind: Kind, row: RowID, column: ColumnID? = nil) {
        self.kind = kind
        self.row = row
        self.column = column
    }
}

/// A grid as those see it who bring it its rows: what an ``ObjectSource`` drives.
@MainActor
public protocol GridHost: AnyObject {
    /// Everything about the grid but its content.
    var state: GridState { get }
    /// Where its content comes from.
    var dataSource: (any GridDataSource)? { get set }
    /// Does something to the grid, and answers whether it was done.
    @discardableResult func perform(_ action: GridAction) -> Bool
    /// Asks anew for what cells say: in these rows, or in all.
    func reloadRows(_ rows: [RowID]?)
    /// Says that cells say something else, so that those in sight are asked for anew and lit up for a while. Totals, and what headers of
    /// sections tell, are asked for anew even where no cell is named: they may be made of what no column shows.
    func note(_ changes: [CellChange])
}
