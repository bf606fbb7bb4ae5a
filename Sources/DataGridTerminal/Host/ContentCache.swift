import DataGrid

/// The rows whose content or styles have changed since the last frame.
struct FrameChanges {
    private(set) var rows: Set<RowID> = []
    /// A counter that increases when every row may have changed, or when there are too many rows to list in ``rows``. If it differs between
    /// two frames, no row of the older frame counts as unchanged.
    private(set) var fullChangeCount = 0
    private static let maximumRows = 4_096

    mutating func add(_ changedRows: [RowID]) {
        rows.formUnion(changedRows)
        if rows.count > Self.maximumRows { addFullChange() }
    }

    /// Records that every row may have changed.
    mutating func addFullChange() {
        fullChangeCount += 1
        removeRows()
    }

    mutating func removeRows() { rows = [] }
}

/// A data source that caches the visible content of another data source until the content is invalidated.
@MainActor
final class ContentCache: GridDataSource {
    weak var source: (any GridDataSource)? { didSet { removeAll() } }
    var onShow: (([RowID], [ColumnID]) -> Void)?
    private(set) var cells = RowCache<RowAttributes, CellContent>()
    /// The changes since the last frame, from which the painter decides which rows to copy.
    var changes = FrameChanges()
    private var sections: [Int: SectionAttributes] = [:]
    private var totals: [ColumnID: CellContent?] = [:]
    private var knownCorner: CellContent??

    struct RowAttributes {
        var header: String?
        var styleClass: String?
        var accessory = Accessory.none
    }

    private struct SectionAttributes {
        var scrollingTitle: String?
        var aggregates: [SectionAggregate]
    }

    /// Returns the changes since the last frame. Changes that are reported later, even while the new frame is painted, belong to the next
    /// frame.
    func drainChanges() -> FrameChanges {
        defer { changes.removeRows() }
        return changes
    }

    func removeAll() {
        change { $0.removeAll() }
        removeSections()
    }

    func removeSections() {
        sections = [:]
        totals = [:]
        knownCorner = nil
    }

    /// True if totals or section headers were read, even if they have no value yet. Both may aggregate rows.
    var hasAggregates: Bool { !sections.isEmpty || !totals.isEmpty }

    /// Changes the cache in a way that can affect every row.
    func change(_ change: (inout RowCache<RowAttributes, CellContent>) -> Void) {
        changes.addFullChange()
        change(&cells)
    }

    func remove(rows: [RowID]) {
        changes.add(rows)
        cells.remove(rows: rows)
    }

    func remove(_ row: RowID, _ column: ColumnID) {
        changes.add([row])
        cells.remove(row, column)
    }

    private func attributes(ofSection section: Int) -> SectionAttributes {
        if let attributes = sections[section] { return attributes }
        let attributes = SectionAttributes(
            scrollingTitle: source?.scrollingTitle(ofSection: section), aggregates: source?.aggregates(ofSection: section) ?? [])
        // Headers that are no longer visible must not accumulate. There are never more visible headers than visible rows.
        if sections.count > 3 * cells.visible.count + 100 { sections = [:] }
        sections[section] = attributes
        return attributes
    }

    // MARK: GridDataSource

    func numberOfRows(inSection section: Int) -> Int { source?.numberOfRows(inSection: section) ?? 0 }
    var numberOfSections: Int { source?.numberOfSections ?? 1 }
    func title(ofSection section: Int) -> String? { source?.title(ofSection: section) }
    func level(ofSection section: Int) -> Int { source?.level(ofSection: section) ?? 0 }
    func scrollingTitle(ofSection section: Int) -> String? { attributes(ofSection: section).scrollingTitle }
    var groupColumns: [ColumnID] { source?.groupColumns ?? [] }
    func aggregates(ofSection section: Int) -> [SectionAggregate] { attributes(ofSection: section).aggregates }
    var rowOrder: RowOrder? { source?.rowOrder }
    var rowNoun: RowNoun { source?.rowNoun ?? RowNoun() }
    var emptyText: String { source?.emptyText ?? "" }
    func prepare(for view: SavedView) { source?.prepare(for: view) }
    func sort(by keys: [ColumnSort]) { source?.sort(by: keys) }
    var hasSlowRows: Bool { source?.hasSlowRows ?? false }
    func willReload() { source?.willReload() }
    func didMove(rows: Range<Int>, to: Int) { source?.didMove(rows: rows, to: to) }
    var totalsTitle: String? { source?.totalsTitle }

    var corner: CellContent? {
        if let knownCorner { return knownCorner }
        let corner = source?.corner
        knownCorner = .some(corner)
        return corner
    }

    func total(column: ColumnID) -> CellContent? {
        if let total = totals[column] { return total }
        let total = source?.total(column: column)
        totals[column] = .some(total)
        return total
    }

    func rowHeader(_ row: RowID) -> String? { attributes(ofRow: row).header }
    func styleClass(ofRow row: RowID) -> String? { attributes(ofRow: row).styleClass }
    func accessory(ofRow row: RowID) -> Accessory { attributes(ofRow: row).accessory }

    private func attributes(ofRow row: RowID) -> RowAttributes {
        cells.rowValue(row) {
            guard let source else { return RowAttributes() }
            return RowAttributes(
                header: source.rowHeader(row), styleClass: source.styleClass(ofRow: row), accessory: source.accessory(ofRow: row))
        }
    }

    func content(row: RowID, column: ColumnID) -> CellContent {
        cells.cell(row, column) { source?.content(row: row, column: column) ?? .missing }
    }

    /// Stores cell content that was read from the source directly.
    func store(_ content: CellContent, row: RowID, column: ColumnID) { _ = cells.cell(row, column) { content } }

    /// Announces rows to the source. Leaves out rows that were already announced with these columns, and rows whose cells are all cached.
    func willShow(rows: [RowID], columns: [ColumnID]) {
        let unknown = cells.beginFrame(showing: rows, columns: columns)
        onShow?(rows, columns)
        if !unknown.isEmpty { source?.willShow(rows: unknown, columns: columns) }
    }
}

/// A delegate that caches the visible styles of another delegate until they are invalidated.
@MainActor
final class StyleCache: GridDelegate {
    weak var delegate: (any GridDelegate)? { didSet { removeAll() } }
    var cells = RowCache<CellStyle?, CellStyle?>()
    private var sections: [Int: CellStyle?] = [:]
    private var headers: [Int: CellStyle?] = [:]
    private var columns: [ColumnID: CellStyle?] = [:]
    private var rules: [GridRule: CellStyle?] = [:]

    func removeAll() {
        cells.removeAll()
        removeSections()
        removeColumnsAndRules()
    }

    func removeSections() {
        sections = [:]
        headers = [:]
    }

    func removeColumnsAndRules() {
        columns = [:]
        rules = [:]
    }

    // MARK: GridDelegate

    func style(ofRow row: RowID) -> CellStyle? { cells.rowValue(row) { delegate?.style(ofRow: row) } }

    func style(ofRow row: RowID, column: ColumnID) -> CellStyle? {
        cells.cell(row, column) { delegate?.style(ofRow: row, column: column) }
    }

    func style(ofSection section: Int) -> CellStyle? { cached(section, \.sections) { $0.style(ofSection: section) } }
    func headerStyle(ofSection section: Int) -> CellStyle? { cached(section, \.headers) { $0.headerStyle(ofSection: section) } }
    func height(ofRow row: RowID) -> Int? { delegate?.height(ofRow: row) }
    func height(ofCard row: RowID) -> Int? { delegate?.height(ofCard: row) }
    func height(ofSection section: Int) -> Int? { delegate?.height(ofSection: section) }
    func width(ofColumn column: ColumnID) -> Int? { delegate?.width(ofColumn: column) }

    func style(ofColumn column: ColumnID) -> CellStyle? { cached(column, \.columns) { $0.style(ofColumn: column) } }
    func style(ofRule rule: GridRule) -> CellStyle? { cached(rule, \.rules) { $0.style(ofRule: rule) } }

    private func cached<Key: Hashable>(
        _ key: Key, _ styles: ReferenceWritableKeyPath<StyleCache, [Key: CellStyle?]>, load: (any GridDelegate) -> CellStyle?
    ) -> CellStyle? {
        if let style = self[keyPath: styles][key] { return style }
        // Limit memory: no usual screen has as many lines or columns.
        if self[keyPath: styles].count > 1_000 { self[keyPath: styles] = [:] }
        let style = delegate.flatMap(load)
        self[keyPath: styles][key] = .some(style)
        return style
    }
}
