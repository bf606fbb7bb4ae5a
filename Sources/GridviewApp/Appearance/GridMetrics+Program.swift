import DataGrid

extension GridMetrics {
    /// The layout of a newly opened file: the header shows names and types, section headers stay visible at the top while their rows
    /// scroll, and cards are 36 to 60 terminal cells wide.
    static var programDefaults: GridMetrics {
        var metrics = GridMetrics()
        metrics.headerHeight = 2
        metrics.showsColumnEdges = true
        metrics.hasStickySectionHeaders = true
        metrics.cards.minimumWidth = 36
        metrics.cards.maximumWidth = 60
        metrics.cards.hasBackground = true
        return metrics
    }
}
