public import DataGrid

/// How high rows are: what the delegate says of them or, where that says nothing, what their wrapped cells in sight need.
///
/// Remembers what it found and was told, also that nothing was said, for the rows and section headers of some screens; a ``GridController``
/// has it forget what has changed. Grids that have it lay themselves out on the main actor, as their source is asked there.
@MainActor
public final class ContentHeights: RowHeightSource {
    private weak var source: (any GridDataSource)?
    private weak var delegate: (any GridDelegate)?
    private var known: [RowID: Int] = [:]
    private var said: [RowID: Int?] = [:]
    private var headers: [Int: Int?] = [:]
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

    /// What the delegate says of a row. O(1); it is asked for rows that were not in sight lately.
    nonisolated public func height(ofRow row: RowID) -> Int? {
        MainActor.assumeIsolated { told(row, \.said) { $0.height(ofRow: row) } }
    }

    /// What the delegate says of a section's header. O(1); it is asked for headers that were not in sight lately.
    nonisolated public func height(ofSection section: Int) -> Int? {
        MainActor.assumeIsolated { told(section, \.headers) { $0.height(ofSection: section) } }
    }

    private func told<Key: Hashable>(
        _ key: Key, _ answers: ReferenceWritableKeyPath<ContentHeights, [Key: Int?]>, ask: (any GridDelegate) -> Int?
    ) -> Int? {
        guard let delegate else { return nil }
        if let height = self[keyPath: answers][key] { return height }
        if self[keyPath: answers].count >= capacity { self[keyPath: answers].removeAll(keepingCapacity: true) }
        let height = ask(delegate)
        self[keyPath: answers][key] = .some(height)
        return height
    }

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
        let lines = height(ofRow: row) ?? contentHeight(of: row)
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

    func forget(_ row: RowID, _ column: ColumnID) { if columns.contains(where: { $0.id == column }) { forget([row]) } }

    /// The rows say something else, or have gone; all of them when `nil`.
    func forget(_ rows: [RowID]?) {
        guard let rows else { return stale = .all }
        guard case .rows(var old) = stale, case let new = rows.filter({ known[$0] != nil || said[$0] != nil || !answers.isEmpty }),
            !new.isEmpty
        else { return }
        old.formUnion(new)
        stale = .rows(old)
    }

    func forget(columns gone: [ColumnID]) { if columns.contains(where: { gone.contains($0.id) }) { forget(nil) } }

    /// What finds again what was forgotten, and knows the rest; `nil` when nothing was.
    /// - Parameter isAutomatic: whether content decides how high rows are. Then the delegate is asked again for those that say something
    ///   else; otherwise what it has said holds until ``GridController/reload()``.
    func renewed(isAutomatic: Bool) -> ContentHeights? {
        let new = ContentHeights(source, delegate: delegate)
        (new.said, new.headers) = (said, headers)
        switch stale {
        case .rows(let rows):
            guard rows.contains(where: { isAutomatic || known[$0] != nil }) else {
                stale = .rows([])
                return nil
            }
            (new.known, new.columns, new.limit) = (known, columns, limit)
            for row in rows { new.known[row] = nil }
            if isAutomatic { for row in rows { new.said[row] = nil } }
        case .all: if isAutomatic { new.said = [:] }
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
        for (row, height) in said { if let row = name(row) { new.said[row] = height } }
        new.headers = headers
        if case .rows(let rows) = stale { new.stale = .rows(Set(rows.compactMap(name))) } else { new.stale = .all }
        new.isAhead = source is ContentCache
        return new
    }

    /// What knows of the rows what this knows, and of the headers of sections nothing. O(1).
    nonisolated public func regrouped() -> any RowHeightSource { MainActor.assumeIsolated { regrouping() } }

    private func regrouping() -> ContentHeights {
        let new = ContentHeights(source, delegate: delegate)
        (new.known, new.columns, new.limit, new.said) = (known, columns, limit, said)
        (new.answers, new.stale, new.isAhead) = (answers, stale, isAhead)
        return new
    }

    /// What knows what this knows, and no more. O(1).
    nonisolated public func recalled() -> any RowHeightSource {
        MainActor.assumeIsolated { RecalledHeights(known: known, columns: columns, limit: limit, said: said, headers: headers) }
    }

    /// The cache knows the rows under their other names, too: it is told what was asked past it, and asked from now on.
    func catchUp() {
        guard isAhead, let cache = source as? ContentCache else { return }
        isAhead = false
        for (cell, content) in answers { cache.store(content, row: cell.row, column: cell.column) }
        answers = [:]
    }
}

/// Heights as they were found.
private final class RecalledHeights: RowHeightSource {
    private let known: [RowID: Int]
    private let columns: [WrapColumn]
    private let limit: Int
    private let said: [RowID: Int?]
    private let headers: [Int: Int?]

    init(known: [RowID: Int], columns: [WrapColumn], limit: Int, said: [RowID: Int?], headers: [Int: Int?]) {
        (self.known, self.columns, self.limit, self.said, self.headers) = (known, columns, limit, said, headers)
    }

    func lines(ofRow row: RowID, wrapping columns: [WrapColumn], limit: Int) -> Int {
        columns == self.columns && limit == self.limit ? known[row] ?? 1 : 1
    }

    func height(ofRow row: RowID) -> Int? { said[row] ?? nil }
    func height(ofSection section: Int) -> Int? { headers[section] ?? nil }
}
