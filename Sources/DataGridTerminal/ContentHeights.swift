public import DataGrid
import Locks

/// Row heights: the height from the delegate or, if it returns `nil`, the number of lines of the wrapped visible cells.
///
/// Caches the heights of rows, cards and section headers of several screens, including `nil` from the delegate. A ``GridController``
/// invalidates changed rows. Source and delegate are called on the main queue only. A layout on another thread uses cached heights. On
/// such a thread, rows that are not cached have one line, and headers that are not cached have the standard height.
@MainActor
public final class ContentHeights: RowHeightSource {
    private let provider: HeightProvider
    /// Guarded by a lock, because layouts of copied states can run on any thread.
    private let cache: Mutex<HeightCache>

    /// Creates heights for the current content of `source`. Create another instance when the content changes.
    public init(_ source: (any GridDataSource)?, delegate: (any GridDelegate)? = nil) {
        provider = HeightProvider(source, delegate)
        cache = Mutex(HeightCache())
    }

    nonisolated private init(_ provider: HeightProvider, _ heights: HeightCache) {
        self.provider = provider
        cache = Mutex(heights)
    }

    /// The delegate's height of a row. O(1); the delegate is called only for rows that are not cached, and only on the main queue.
    nonisolated public func height(ofRow row: RowID) -> Int? { height(of: row, in: \.delegateHeights) { $0.height(ofRow: row) } }

    /// The delegate's height of the card of a row. O(1), like ``height(ofRow:)``.
    nonisolated public func height(ofCard row: RowID) -> Int? { height(of: row, in: \.cardHeights) { $0.height(ofCard: row) } }

    /// The delegate's height of a section header. O(1); the delegate is called only for headers that are not cached, and only on the main
    /// queue.
    nonisolated public func height(ofSection section: Int) -> Int? {
        height(of: section, in: \.headerHeights) { $0.height(ofSection: section) }
    }

    nonisolated private func height<Key: Hashable & Sendable>(
        of key: Key, in heights: any WritableKeyPath<HeightCache, [Key: Int?]> & Sendable, _ load: @MainActor (any GridDelegate) -> Int?
    ) -> Int? {
        if let height = cache.withLock({ $0[keyPath: heights][key] }) { return height }
        guard MainQueue.isCurrent else { return nil }
        return MainActor.assumeIsolated {
            guard let delegate = provider.delegate else { return nil }
            let height = load(delegate)
            cache.withLock { $0.store(height, of: key, in: heights) }
            return height
        }
    }

    /// The number of lines of a row. O(1) for cached rows, otherwise O(length of the text in `limit` lines). Reads content only on the main
    /// queue.
    nonisolated public func lines(ofRow row: RowID, wrapping columns: [WrapColumn], limit: Int) -> Int {
        if let lines = cache.withLock({ $0.lines(ofRow: row, columns, limit) }) { return lines }
        let delegated = height(ofRow: row)
        guard MainQueue.isCurrent else { return delegated ?? 1 }
        let lines = delegated ?? MainActor.assumeIsolated { contentHeight(of: row, columns, limit) }
        cache.withLock { $0.store(lines, ofRow: row, columns, limit) }
        return lines
    }

    private func contentHeight(of row: RowID, _ columns: [WrapColumn], _ limit: Int) -> Int {
        let contents = provider.source as? ContentCache
        let hasNewRowIDs = cache.withLock { $0.hasNewRowIDs }
        let source = hasNewRowIDs ? contents?.source : provider.source
        return columns.reduce(1) { maximum, column in
            guard maximum < limit, let content = source?.content(row: row, column: column.id) else { return maximum }
            // If the content was read through a content cache, the cache has already stored it.
            if contents == nil || hasNewRowIDs { cache.withLock { $0.store(content, row, column.id) } }
            guard let text = content.wrappingText else { return maximum }
            return max(maximum, TextWrap.lines(text, width: column.width, limit: limit).count)
        }
    }

    /// The cell content that was read while the current frame was laid out; `nil` if it was not read from `source`.
    func readContent(of source: (any GridDataSource)?, _ row: RowID, _ column: ColumnID) -> CellContent? {
        guard source === provider.source else { return nil }
        return cache.withLock { $0.directContent[HeightCache.Cell(row: row, column: column)] }
    }

    /// Discards the content that was read for a frame. Called after the frame is painted.
    func endFrame() { cache.withLock { $0.directContent.removeAll(keepingCapacity: true) } }

    // MARK: Invalidation

    func invalidate(_ row: RowID, _ column: ColumnID) { invalidate([row], of: [column]) }

    /// Invalidates changed or removed rows; all rows if `nil`.
    func invalidate(_ rows: [RowID]?) { cache.withLock { $0.invalidate(rows) } }

    func invalidate(columns: [ColumnID]) { invalidate(nil, of: columns) }

    private func invalidate(_ rows: [RowID]?, of columns: [ColumnID]) {
        cache.withLock { heights in if heights.columns.contains(where: { columns.contains($0.id) }) { heights.invalidate(rows) } }
    }

    /// New heights without the invalid heights; `nil` if all heights are valid.
    /// - Parameter isAutomatic: True if heights depend on content. The delegate is then asked again about changed rows. If false, the
    ///   delegate's heights are valid until ``GridController/reload()``.
    func withoutStaleHeights(isAutomatic: Bool) -> ContentHeights? {
        cache.withLock { $0.withoutStaleHeights(isAutomatic: isAutomatic) }.map { ContentHeights(provider, $0) }
    }

    /// A copy of these heights for rows with new IDs. O(cached rows).
    nonisolated public func renumbered(_ newID: @Sendable (RowID) -> RowID?) -> any RowHeightSource {
        var heights = cacheCopy
        heights.renumber(newID)
        heights.hasNewRowIDs = provider.isContentCache
        return ContentHeights(provider, heights)
    }

    /// A copy of these row heights, without heights of section headers. O(1).
    nonisolated public func withoutHeaderHeights() -> any RowHeightSource {
        var heights = cacheCopy
        heights.headerHeights = [:]
        return ContentHeights(provider, heights)
    }

    /// An immutable copy of the cached heights, which never reads content. O(1).
    nonisolated public func cachedOnly() -> any RowHeightSource { CachedHeights(cacheCopy) }

    nonisolated private var cacheCopy: HeightCache { cache.withLock { $0 } }

    /// Moves content that was read directly from the source to the content cache. Call it when the cache has the new row IDs. Later
    /// content is read through the cache.
    func moveContentToCache() {
        guard let contents = provider.source as? ContentCache else { return }
        for (cell, content) in cache.withLock({ $0.removeDirectContent() }) {
            contents.store(content, row: cell.row, column: cell.column)
        }
    }
}

/// The objects that provide heights: the data source and the delegate.
@MainActor
private final class HeightProvider {
    private(set) weak var source: (any GridDataSource)?
    private(set) weak var delegate: (any GridDelegate)?
    nonisolated let isContentCache: Bool

    init(_ source: (any GridDataSource)?, _ delegate: (any GridDelegate)?) {
        (self.source, self.delegate) = (source, delegate)
        isContentCache = source is ContentCache
    }
}

/// Heights that wrapped text needs or that the delegate has returned. The cache is emptied when it is full.
private struct HeightCache: Sendable {
    private var lineCounts: [RowID: Int] = [:]
    /// The wrapped columns for which the line counts were computed; other columns make the counts invalid.
    private(set) var columns: [WrapColumn] = []
    private var limit = 0
    var delegateHeights: [RowID: Int?] = [:]
    var cardHeights: [RowID: Int?] = [:]
    var headerHeights: [Int: Int?] = [:]
    /// Content read without the content cache since the last frame, which the next frame reuses.
    var directContent: [Cell: CellContent] = [:]
    /// The heights that are no longer valid. They stay unchanged here, and ``withoutStaleHeights(isAutomatic:)`` creates a source without
    /// them.
    private var staleHeights = StaleHeights.rows([])
    /// True if rows already have new IDs here, but not yet in the source, which is a content cache.
    var hasNewRowIDs = false
    private static let capacity = 4_096

    struct Cell: Hashable {
        var row: RowID
        var column: ColumnID
    }

    /// The rows whose heights must be computed again.
    private enum StaleHeights {
        case rows(Set<RowID>)
        case all
    }

    func lines(ofRow row: RowID, _ columns: [WrapColumn], _ limit: Int) -> Int? {
        columns == self.columns && limit == self.limit ? lineCounts[row] : nil
    }

    mutating func store(_ lines: Int, ofRow row: RowID, _ columns: [WrapColumn], _ limit: Int) {
        if columns != self.columns || limit != self.limit || lineCounts.count >= Self.capacity {
            lineCounts.removeAll(keepingCapacity: true)
            self.columns = columns
            self.limit = limit
        }
        lineCounts[row] = lines
    }

    mutating func store<Key>(_ height: Int?, of key: Key, in heights: WritableKeyPath<HeightCache, [Key: Int?]>) {
        if self[keyPath: heights].count >= Self.capacity { self[keyPath: heights].removeAll(keepingCapacity: true) }
        self[keyPath: heights][key] = .some(height)
    }

    mutating func store(_ content: CellContent, _ row: RowID, _ column: ColumnID) {
        if directContent.count < Self.capacity { directContent[Cell(row: row, column: column)] = content }
    }

    mutating func invalidate(_ rows: [RowID]?) {
        guard let rows else { return staleHeights = .all }
        guard case .rows(var old) = staleHeights,
            case let new = rows.filter({
                lineCounts[$0] != nil || delegateHeights[$0] != nil || cardHeights[$0] != nil || !directContent.isEmpty
            }),
            !new.isEmpty
        else { return }
        old.formUnion(new)
        staleHeights = .rows(old)
    }

    mutating func withoutStaleHeights(isAutomatic: Bool) -> HeightCache? {
        var new = HeightCache()
        (new.delegateHeights, new.cardHeights, new.headerHeights) = (delegateHeights, cardHeights, headerHeights)
        switch staleHeights {
        case .rows(let rows):
            guard rows.contains(where: { isAutomatic || lineCounts[$0] != nil }) else {
                staleHeights = .rows([])
                return nil
            }
            (new.lineCounts, new.columns, new.limit) = (lineCounts, columns, limit)
            for row in rows { new.lineCounts[row] = nil }
            if isAutomatic { for row in rows { (new.delegateHeights[row], new.cardHeights[row]) = (nil, nil) } }
        case .all: if isAutomatic { (new.delegateHeights, new.cardHeights) = ([:], [:]) }
        }
        return new
    }

    mutating func renumber(_ newID: (RowID) -> RowID?) {
        lineCounts = Self.renumbered(lineCounts, newID)
        delegateHeights = Self.renumbered(delegateHeights, newID)
        cardHeights = Self.renumbered(cardHeights, newID)
        directContent = [:]
        if case .rows(let rows) = staleHeights { staleHeights = .rows(Set(rows.compactMap(newID))) }
    }

    private static func renumbered<Height>(_ heights: [RowID: Height], _ newID: (RowID) -> RowID?) -> [RowID: Height] {
        heights.reduce(into: [:]) { renumbered, entry in if let row = newID(entry.key) { renumbered[row] = entry.value } }
    }

    /// Removes and returns the content that was read directly from the source, because the content cache did not have the new row IDs yet.
    mutating func removeDirectContent() -> [Cell: CellContent] {
        guard hasNewRowIDs else { return [:] }
        hasNewRowIDs = false
        defer { directContent = [:] }
        return directContent
    }
}

/// An immutable copy of cached heights.
private final class CachedHeights: RowHeightSource {
    private let heights: HeightCache

    init(_ heights: HeightCache) { self.heights = heights }

    func lines(ofRow row: RowID, wrapping columns: [WrapColumn], limit: Int) -> Int { heights.lines(ofRow: row, columns, limit) ?? 1 }
    func height(ofRow row: RowID) -> Int? { heights.delegateHeights[row] ?? nil }
    func height(ofCard row: RowID) -> Int? { heights.cardHeights[row] ?? nil }
    func height(ofSection section: Int) -> Int? { heights.headerHeights[section] ?? nil }
}
