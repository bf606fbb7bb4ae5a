extension GridState {
    /// Asks a delegate for the widths of all columns that have none of their own or whose width is automatic; those of which it says none, as
    /// where there is no delegate, are as wide as they would be without it. To be called when columns come, and when the delegate would answer
    /// otherwise. O(columns).
    /// - Returns: what the change brings about.
    @MainActor
    public mutating func updateWidths(from delegate: (any GridDelegate)?) -> [GridEvent] {
        var widths: [ColumnID: Int] = [:]
        if let delegate {
            for column in columns.all where column.width.followsContent { widths[column.id] = delegate.width(ofColumn: column.id) }
        }
        if widths.isEmpty, columns.all.allSatisfy({ $0.delegatedWidth == nil }) { return [] }
        return apply(.setDelegatedWidths(widths))
    }
}
