extension AppState {
    /// The estimated number of rows of the view, until they are counted; `nil` without an estimate.
    var estimatedRowCount: Int? { query.shown.isFileOrder ? document.currentEstimate : nil }
}
