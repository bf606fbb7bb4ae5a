/// An edit of a cell by a user, which the column has accepted.
public struct ObjectEdit<Object> {
    /// The row of the edited object.
    public let row: RowID
    /// The column of the edited cell.
    public let column: ColumnID
    /// The text of the cell before the edit, without the format of its column.
    public let oldText: String
    /// The text of the cell after the edit, without the format of its column.
    public let newText: String
    /// The object before the edit; for a class, the same instance as ``newObject``.
    public let oldObject: Object
    /// The object after the edit.
    public let newObject: Object
}

/// An edit of a sendable object can be sent to another thread, for example to save it.
extension ObjectEdit: Sendable where Object: Sendable {}
