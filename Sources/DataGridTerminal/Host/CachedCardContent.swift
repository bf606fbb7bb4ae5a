import DataGrid

/// Reports which cells of a data source are empty, for the layout of cards. On threads other than the main thread, it reports that no
/// cell is empty.
@MainActor
final class CachedCardContent: CardContent {
    private let contents: ContentCache

    init(_ contents: ContentCache) { self.contents = contents }

    nonisolated func isEmpty(row: RowID, column: ColumnID) -> Bool {
        guard MainQueue.isCurrent else { return false }
        return MainActor.assumeIsolated { contents.content(row: row, column: column).isBlank }
    }
}

extension CellContent {
    /// True if a cell shows nothing.
    var isBlank: Bool { condition == .missing || isText && text.isEmpty }
}
