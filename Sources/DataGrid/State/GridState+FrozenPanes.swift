extension GridState {
    /// The frozen panes after a command that toggles frozen columns, rows or both: unfreezes them if some are frozen, otherwise freezes
    /// the ones up to the cursor. O(log sections).
    public func frozenPanes(togglingColumns columns: Bool, rows: Bool) -> FrozenPanes {
        var panes = frozen
        let isOn = columns && panes.leading > 0 || rows && panes.rows > 0
        if columns { panes.leading = isOn ? 0 : cursor.column + 1 }
        if rows { panes.rows = isOn ? 0 : outline.index(of: cursor.item) + 1 }
        return panes
    }
}
