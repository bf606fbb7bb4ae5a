extension GridState {
    /// The frozen panes after a command that toggles frozen columns, rows or both. If some of them are frozen, the command unfreezes them.
    /// Otherwise, it freezes the columns or rows up to the cursor. O(log sections).
    public func frozenPanes(togglingColumns columns: Bool, rows: Bool) -> FrozenPanes {
        var panes = frozen
        let isOn = columns && panes.leading > 0 || rows && panes.rows > 0
        if columns { panes.leading = isOn ? 0 : cursor.column + 1 }
        if rows { panes.rows = isOn ? 0 : outline.index(of: cursor.item) + 1 }
        return panes
    }
}
