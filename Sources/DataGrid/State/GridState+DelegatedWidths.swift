extension GridState {
    /// Requests the widths of standard and automatic columns from a delegate. The host calls it when columns are added or the delegate
    /// returns other widths. O(columns).
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
