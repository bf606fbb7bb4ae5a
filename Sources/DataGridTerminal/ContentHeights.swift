public import DataGrid

/// How high rows are: what the delegate says of them or, where that says nothing, what their wrapped cells in sight need.
///
/// Remembers what it found for the rows of some screens; a ``GridController`` has it forget what has changed. Grids that have it lay
/// themselves out on the main actor, as their source is asked there.
@MainActor
public final class ContentHeights: RowHeightSource {
    private weak var source: (any GridDataSource)?
    private weak var delegate: (any GridDelegate)?
    private var known: [RowID: Int] = [:]
    /// What the known heights were found for.
    private var columns: [WrapColumn] = []
    private var limit = 0
    private let capacity = 4_096
    /// What the source has answered since the last frame, so that the next one need not ask it again.
    private var answers: [Cell: CellContent] = [:]
    /// What the known heights are not true of any more. A source answers alike for as long as it is the grid's, so they are forgotten in the
    /// next one.
    private var stale = Stale.rows([])
    /// Whether rows have other names here than in the cache that the source is.
    private var isAhead = false

    private struct Cell: Hashable {
        var row: RowID
        var column: ColumnID
    }

    private enum Stale {
        case rows(Set<RowID>)
        case all
    }

    /// For the content that `source` has now; when that changes, make another one.
    public init(_ source: (any GridDataSource)?, delegate: (any GridDelegate)? = nil) {
        self.source = source
        self.delegate = delegate
    }

    /// What the delegate says of a row.
    nonisolated public func height(ofRow row: RowID) -> Int? { MainActor.assumeIsolated { delegate?.height(ofRow: row) } }

    /// What the delegate says of a section's header.
    nonisolated public func height(ofSection section: Int) -> Int? { MainActor.assumeIsolated { delegate?.height(ofSection: section) } }

    /// The lines of a row. O(1) for rows that were in sight lately, otherwise O(their text, as far as it goes into `limit` lines).
    nonisolated public func lines(ofRow row: RowID, wrapping columns: [WrapColumn], limit: Int) -> Int {
        MainActor.assumeIsolated { height(of: row, columns, limit) }
    }

    private func height(of row: RowID, _ columns: [WrapColumn], _ limit: Int) -> Int {
        if columns != self.columns || limit != self.limit || known.count >= capacity {
            known.removeAll(keepingCapacity: true)
            self.columns = columns
            self.limit = limit
        }
        if let lines = known[row] { return lines }
        let lines = delegate?.height(ofRow: row) ?? contentHeight(of: row)
        known[row] = lines
        return lines
    }

    private func contentHeight(of row: RowID) -> Int {
        let cache = source as? ContentCache
        let source = isAhead ? cache?.source : self.source
        return columns.reduce(1) { most, column in
            guard most < limit, let content = source?.content(row: row, column: column.id) else { return most }
            // A cache keeps its answers itself.
            if cache == nil || isAhead, answers.count < capacity { answers[Cell(row: row, column: column.id)] = content }
            guard content.isText else { return most }
            return max(most, TextWrap.lines(content.text, width: column.width, limit: limit).count)
        }
    }

    /// What `source` has answered about a cell while it was measured for the frame that is being painted; `nil` when it was not asked.
    func answer(of source: (any GridDataSource)?, _ row: RowID, _ column: ColumnID) -> CellContent? {
        source === self.source ? answers[Cell(row: row, column: column)] : nil
    }

    /// A frame has been painted: the next one asks for what has changed since.
    func endFrame() { answers.removeAll(keepingCapacity: true) }

    // MARK: What has changed

    /// The cell says something else.
    func forget(_ row: RowID, _ column: ColumnID) { if columns.contains(where: { $0.id == column }) { forget([row]) } }

    /// The rows say something else, or have gone; all of them when `nil`.
    func forget(_ rows: [RowID]?) {
        guard let rows else { return stale = .all }
        guard case .rows(var old) = stale, case let new = rows.filter({ known[$0] != nil || !answers.isEmpty }), !new.isEmpty else {
            return
        }
        old.formUnion(new)
        stale = .rows(old)
    }

    /// The columns say something else.
    func forget(columns gone: [ColumnID]) { if columns.contains(where: { gone.contains($0.id) }) { forget(nil) } }

    /// What finds again what was forgotten, and knows the rest; `nil` when nothing was.
    func renewed() -> ContentHeights? {
        let new = ContentHeights(source, delegate: delegate)
        switch stale {
        case .rows([]): return nil
        case .rows(let rows):
            (new.known, new.columns, new.limit) = (known, columns, limit)
            for row in rows { new.known[row] = nil }
        case .all: break
        }
        return new
    }

    /// What knows of each row under its other name what this knows. O(rows known).
    nonisolated public func renamed(_ name: @Sendable (RowID) -> RowID?) -> any RowHeightSource {
        withoutActuallyEscaping(name) { name in MainActor.assumeIsolated { renaming(name) } }
    }

    private func renaming(_ name: (RowID) -> RowID?) -> ContentHeights {
        let new = ContentHeights(source, delegate: delegate)
        (new.columns, new.limit) = (columns, limit)
        for (row, lines) in known { if let row = name(row) { new.known[row] = lines } }
        if case .rows(let rows) = stale { new.stale = .rows(Set(rows.compactMap(name))) } else { new.stale = .all }
        new.isAhead = source is ContentCache
        return new
    }

    /// The cache knows the rows under their other names, too: it is told what was asked past it, and asked from now on.
    func catchUp() {
        guard isAhead, let cache = source as? ContentCache else { return }
        isAhead = false
        for (cell, content) in answers { cache.take(content, row: cell.row, column: cell.column) }
        answers = [:]
    }
}
