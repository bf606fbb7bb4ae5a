extension GridState {
    /// The frozen panes after a toggle command: if columns (or rows) are frozen, it unfreezes them; otherwise it freezes those up to the
    /// cursor. O(log sections).
    public func frozenPanes(togglingColumns columns: Bool, rows: Bool) -> FrozenPanes {
        var panes = frozen
        let isOn = columns && panes.leading > 0 || rows && panes.rows > 0
        if columns { panes.leading = isOn ? 0 : cursor.column + 1 }
        if rows { panes.rows = isOn ? 0 : outline.index(of: cursor.item) + 1 }
        return panes
    }
}
