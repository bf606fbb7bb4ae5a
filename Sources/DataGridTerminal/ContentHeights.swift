public import DataGrid

/// Row heights: the delegate's heights or, without those, the number of lines of the wrapped visible cells.
///
/// Caches heights of the rows and section headers of several screens, including the absence of a delegate's height. A ``GridController``
/// invalidates changed rows. Such a grid must be laid out on the main actor, because the data source is called there.
@MainActor
public final class ContentHeights: RowHeightSource {
    private weak var source: (any GridDataSource)?
    private weak var delegate: (any GridDelegate)?
    private var known: [RowID: Int] = [:]
    private var delegateHeights: [RowID: Int?] = [:]
    private var headers: [Int: Int?] = [:]
    /// The columns of the cached heights.
    private var columns: [WrapColumn] = []
    private var limit = 0
    private let capacity = 4_096
    /// Content read from the source since the last frame, which the next frame reuses.
    private var answers: [Cell: CellContent] = [:]
    /// Invalid heights. Answers of one instance never change, so ``renewed(isAutomatic:)`` drops them in a new instance.
    private var stale = Stale.rows([])
    /// True if the rows have new IDs here that the source, a content cache, does not have yet.
    private var hasNewRowIDs = false

    private struct Cell: Hashable {
        var row: RowID
        var column: ColumnID
    }

    private enum Stale {
        case rows(Set<RowID>)
        case all
    }

    /// Creates heights for the current content of `source`. Create another instance when the content changes.
    public init(_ source: (any GridDataSource)?, delegate: (any GridDelegate)? = nil) {
        self.source = source
        self.delegate = delegate
    }

    /// The delegate's height of a row. O(1); the delegate is called only for rows that are not cached.
    nonisolated public func height(ofRow row: RowID) -> Int? {
        MainActor.assumeIsolated { delegateHeight(row, \.delegateHeights) { $0.height(ofRow: row) } }
    }

    /// The delegate's height of a section header. O(1); the delegate is called only for headers that are not cached.
    nonisolated public func height(ofSection section: Int) -> Int? {
        MainActor.assumeIsolated { delegateHeight(section, \.headers) { $0.height(ofSection: section) } }
    }

    private func delegateHeight<Key: Hashable>(
        _ key: Key, _ answers: ReferenceWritableKeyPath<ContentHeights, [Key: Int?]>, ask: (any GridDelegate) -> Int?
    ) -> Int? {
        guard let delegate else { return nil }
        if let height = self[keyPath: answers][key] { return height }
        if self[keyPath: answers].count >= capacity { self[keyPath: answers].removeAll(keepingCapacity: true) }
        let height = ask(delegate)
        self[keyPath: answers][key] = .some(height)
        return height
    }

    /// The number of lines of a row. O(1) for cached rows, otherwise O(length of the text in `limit` lines).
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
        let source = hasNewRowIDs ? cache?.source : self.source
        return columns.reduce(1) { most, column in
            guard most < limit, let content = source?.content(row: row, column: column.id) else { return most }
            // A content cache keeps its own content.
            if cache == nil || hasNewRowIDs, answers.count < capacity { answers[Cell(row: row, column: column.id)] = content }
            guard content.isText else { return most }
            return max(most, TextWrap.lines(content.text, width: column.width, limit: limit).count)
        }
    }

    /// The cell content that was read while the current frame was laid out; `nil` if it was not read from `source`.
    func answer(of source: (any GridDataSource)?, _ row: RowID, _ column: ColumnID) -> CellContent? {
        source === self.source ? answers[Cell(row: row, column: column)] : nil
    }

    /// Discards the content that was read for a frame, after the frame is painted.
    func endFrame() { answers.removeAll(keepingCapacity: true) }

    // MARK: Invalidation

    func forget(_ row: RowID, _ column: ColumnID) { if columns.contains(where: { $0.id == column }) { forget([row]) } }

    /// Invalidates changed or removed rows; all rows if `nil`.
    func forget(_ rows: [RowID]?) {
        guard let rows else { return stale = .all }
        guard case .rows(var old) = stale,
            case let new = rows.filter({ known[$0] != nil || delegateHeights[$0] != nil || !answers.isEmpty }),
            !new.isEmpty
        else { return }
        old.formUnion(new)
        stale = .rows(old)
    }

    func forget(columns gone: [ColumnID]) { if columns.contains(where: { gone.contains($0.id) }) { forget(nil) } }

    /// New heights without the invalid ones; `nil` if all heights are valid.
    /// - Parameter isAutomatic: true if heights depend on content. Then the delegate is asked again about changed rows. Otherwise its
    ///   heights are valid until ``GridController/reload()``.
    func renewed(isAutomatic: Bool) -> ContentHeights? {
        let new = ContentHeights(source, delegate: delegate)
        (new.delegateHeights, new.headers) = (delegateHeights, headers)
        switch stale {
        case .rows(let rows):
            guard rows.contains(where: { isAutomatic || known[$0] != nil }) else {
                stale = .rows([])
                return nil
            }
            (new.known, new.columns, new.limit) = (known, columns, limit)
            for row in rows { new.known[row] = nil }
            if isAutomatic { for row in rows { new.delegateHeights[row] = nil } }
        case .all: if isAutomatic { new.delegateHeights = [:] }
        }
        return new
    }

    /// The same heights for rows with new IDs. O(cached rows).
    nonisolated public func renumbered(_ name: @Sendable (RowID) -> RowID?) -> any RowHeightSource {
        withoutActuallyEscaping(name) { name in MainActor.assumeIsolated { renaming(name) } }
    }

    private func renaming(_ name: (RowID) -> RowID?) -> ContentHeights {
        let new = ContentHeights(source, delegate: delegate)
        (new.columns, new.limit) = (columns, limit)
        for (row, lines) in known { if let row = name(row) { new.known[row] = lines } }
        for (row, height) in delegateHeights { if let row = name(row) { new.delegateHeights[row] = height } }
        new.headers = headers
        if case .rows(let rows) = stale { new.stale = .rows(Set(rows.compactMap(name))) } else { new.stale = .all }
        new.hasNewRowIDs = source is ContentCache
        return new
    }

    /// The same row heights, without heights of section headers. O(1).
    nonisolated public func resectioned() -> any RowHeightSource { MainActor.assumeIsolated { regrouping() } }

    private func regrouping() -> ContentHeights {
        let new = ContentHeights(source, delegate: delegate)
        (new.known, new.columns, new.limit, new.delegateHeights) = (known, columns, limit, delegateHeights)
        (new.answers, new.stale, new.hasNewRowIDs) = (answers, stale, hasNewRowIDs)
        return new
    }

    /// A frozen copy of the cached heights, which reads no content. O(1).
    nonisolated public func cachedOnly() -> any RowHeightSource {
        MainActor.assumeIsolated {
            RecalledHeights(known: known, columns: columns, limit: limit, delegateHeights: delegateHeights, headers: headers)
        }
    }

    /// Moves content that was read directly into the content cache, which has the new row IDs now. Later content is read through the cache.
    func moveContentToCache() {
        guard hasNewRowIDs, let cache = source as? ContentCache else { return }
        hasNewRowIDs = false
        for (cell, content) in answers { cache.store(content, row: cell.row, column: cell.column) }
        answers = [:]
    }
}

/// An immutable copy of cached heights.
private final class RecalledHeights: RowHeightSource {
    private let known: [RowID: Int]
    private let columns: [WrapColumn]
    private let limit: Int
    private let delegateHeights: [RowID: Int?]
    private let headers: [Int: Int?]

    init(known: [RowID: Int], columns: [WrapColumn], limit: Int, delegateHeights: [RowID: Int?], headers: [Int: Int?]) {
        (self.known, self.columns, self.limit, self.delegateHeights, self.headers) = (known, columns, limit, delegateHeights, headers)
    }

    func lines(ofRow row: RowID, wrapping columns: [WrapColumn], limit: Int) -> Int {
        columns == self.columns && limit == self.limit ? known[row] ?? 1 : 1
    }

    func height(ofRow row: RowID) -> Int? { delegateHeights[row] ?? nil }
    func height(ofSection section: Int) -> Int? { headers[section] ?? nil }
}
