extension GridState {
    /// Asks a delegate for the widths of all columns that have none of their own or whose width is automatic; those of which it says one are
    /// automatic from then on. To be called when columns come, and when the delegate would answer otherwise. O(columns).
    /// - Returns: what the change brings about.
    @MainActor
    public mutating func takeWidths(from delegate: (any GridDelegate)?) -> [GridEvent] {
        guard let delegate else { return [] }
        var widths: [ColumnID: Int] = [:]
        for column in columns.all where column.width.followsContent {
            widths[column.id] = delegate.width(ofColumn: column.id)
        }
        if widths.isEmpty { return [] }
        // What is said is a width, no need: such a column is not made wider to fill the frame.
        columns.updateAll { if $0.width == .standard, widths[$0.id, default: 0] > 0 { $0.width = .automatic } }
        return apply(.setMeasuredWidths(widths))
    }
}
