import DataGrid

extension AppState {
    /// The estimated number of rows of the view, until they are counted; `nil` without an estimate that exceeds the known rows.
    var estimatedRowCount: Int? {
        if query.shown.isFileOrder { return document.currentEstimate }
        // While the first rows of a query are shown, its job counts the others.
        guard query.previous != nil, let estimate = jobs.first(where: { $0.kind == .arrange })?.estimatedRowCount else { return nil }
        return estimate > grid.rows.count ? estimate : nil
    }
}
