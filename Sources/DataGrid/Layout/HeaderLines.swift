/// The lines of the header: column names, then types. In a small frame, the second and later lines of names are omitted first, then the
/// types.
struct HeaderLines: Equatable {
    /// The number of lines with column names.
    var titleLines: Int
    /// The number of lines of the header: names and types.
    var count: Int

    init(_ metrics: GridMetrics, frameHeight: Int) {
        let half = max(0, frameHeight) / 2
        let requested = max(0, metrics.headerHeight)
        let parts = min(requested, 2, half)
        titleLines = parts == 0 ? 0 : min(max(1, metrics.titleLines, requested - 1), half - (parts - 1))
        count = parts == 0 ? 0 : titleLines + parts - 1
    }
}
