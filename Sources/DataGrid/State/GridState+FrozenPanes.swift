extension GridState {
    /// The frozen panes when what stands up to the cursor is frozen at the left, at the top or both; when anything is frozen there already,
    /// those without it. O(log sections).
    public func frozenPanes(togglingColumns columns: Bool, rows: Bool) -> FrozenPanes {
        var panes = frozen
        let isOn = columns && panes.leading > 0 || rows && panes.rows > 0
        if columns { panes.leading = isOn ? 0 : cursor.column + 1 }
        if rows { panes.rows = isOn ? 0 : outline.index(of: cursor.item) + 1 }
        return panes
    }
}
