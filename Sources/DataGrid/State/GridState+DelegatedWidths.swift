extension GridState {
    /// Asks a delegate for the widths of all columns whose width is automatic. To be called when columns come, and when the delegate would
    /// answer otherwise. O(columns).
    /// - Returns: what the change brings about.
    @MainActor
    public mutating func takeWidths(from delegate: (any GridDelegate)?) -> [GridEvent] {
        guard let delegate else { return [] }
        var widths: [ColumnID: Int] = [:]
        for column in columns.all where column.width == .automatic { widths[column.id] = delegate.width(ofColumn: column.id) }
        return widths.isEmpty ? [] : apply(.setMeasuredWidths(widths))
    }
}
