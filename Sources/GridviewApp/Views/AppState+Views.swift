import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables

extension AppState {
    /// The settings of the current view, to save them in a file. Positions, selections and marks are not included.
    func savedView() -> SavedView {
        var view = grid.savedView
        view.storeOriginals(of: grid.columns.all)
        (view.selection, view.rowOrder, view.movedRows, view.collapsed) = (.empty, nil, [], [])
        (view.marks, view.rowHeights, view.theme) = ([], [], nil)
        (view.scroll, view.cursor) = (GridScroll(), GridCursor())
        collapsedGroups?.store(in: &view)
        view.reading = readingOptions
        let requested = query.requested
        guard (try? view.store(query(for: requested), in: fileSchema)) != nil else { return view }
        // Store the aggregates that the user has chosen, even if the rows are not grouped by them yet. Default aggregates are not stored.
        view.aggregates = requested.aggregates.map { aggregates in
            var query = Query()
            query.derived = derivedFields
            query.aggregates = aggregates.map {
                Query.Aggregate($0.function, of: $0.column.field, kind: .text, notation: .point, dateNotation: .iso)
            }
            return (try? QueryText(query, in: fileSchema))?.aggregates.map(\.text) ?? []
        }
        // Store a filter as the user typed it, if this text still has the same meaning.
        let schema = schema
        for (index, filter) in requested.filters.enumerated() where (try? Filter(filter.text, in: schema))?.formula == filter.formula {
            view.filters[index] = filter.text
        }
        for (index, shown) in requested.allFilters.enumerated() where !shown.isOn {
            view.filters.insert(shown.filter.text, at: min(index, view.filters.count))
            view.offFilters.append(index)
        }
        return view
    }

    /// The groups that are collapsed now, or that will be when the pending query has ended; `nil` for none.
    var collapsedGroups: CollapsedGroups? {
        if query.requested.groups.isEmpty { return nil }
        if let awaited = query.request?.collapsed { return awaited == .allExpanded ? nil : awaited }
        return grid.outline.tree?.columns == query.requested.groups ? CollapsedGroups(grid.outline) : nil
    }

    /// True if the collapsed groups have changed since the file was opened, so that the view must be saved.
    var hasOtherCollapsedGroups: Bool {
        !query.requested.groups.isEmpty && collapsedGroups != (sheet.openedView.isCollapsed ? CollapsedGroups.allCollapsed : nil)
    }

    /// Collapses the groups of a restored view: at once, or when the pending query has computed the groups.
    private mutating func restoreCollapsed(_ groups: CollapsedGroups) {
        query.setCollapsed(groups)
        guard query.isSettled, let tree = grid.outline.tree else { return }
        controller.perform(groups.areAllCollapsed ? .setAllCollapsed(true) : .setCollapsedSections(groups.sections(of: tree)))
    }

    /// Opens the prompt for the path at which to save the view.
    mutating func openSaveView() -> [AppEffect] {
        if jobs.contains(where: { $0.kind == .export }) { return show(.exportRunning(cancelKey: key(.escape))) }
        guard grid.columns.count > 0 else { return show(.nothingToExport) }
        let file = document.isFile ? document.details.first { $0.name == "name" }?.value : nil
        var prompt = ExportPrompt(path: "\(file ?? "table").view.json", formats: fileFormats)
        prompt.savesView = true
        return open(prompt)
    }

    /// Applies a saved view, and adds this to the history as one change.
    /// - Parameters:
    ///   - fields: the new derived fields of the view, with their columns.
    ///   - leftOutCount: the number of definitions in the view that are not valid for this table.
    ///   - unknownFields: the names of values in the view that this version of the program does not know.
    mutating func restore(
        _ view: SavedView, deriving fields: [DerivedField], _ newColumns: [Column], leftOutCount: Int, unknownFields: [String]
    ) -> [AppEffect] {
        sheet.derivedFields += fields
        let before = ViewState(self)
        var target = before
        let columns = before.columns + newColumns
        let restored = view.restored(columns + view.missingCopies(of: columns))
        target.columns = restored.columns
        target.frozenRows = view.frozen.rows
        if let metrics = view.metrics {
            target.layout = ViewState.Layout(
                presentation: view.presentation ?? before.layout.presentation, rowHeight: min(max(1, metrics.rowHeight), 99),
                hasAutomaticRowHeights: metrics.hasAutomaticRowHeights, gridLines: metrics.gridLines,
                transposedRowWidth: metrics.transposedRowWidth)
        }
        var leftOutCount = leftOutCount
        target.arrangement = Arrangement(view, columns: restored.columns, leftOut: &leftOutCount)
        let added = zip(fields, newColumns).map { AppEffect.columnsAdded([$1], deriving: $0) }
        let effects = apply([ViewPatch(from: before, to: target)])
        restoreCollapsed(CollapsedGroups(view))
        query.setRestoring()
        sheet.history.title = ViewHistory.restoredViewTitle
        show(
            .viewRestored(
                missing: restored.missing, leftOutCount: leftOutCount, unknownFields: unknownFields,
                isNewer: view.version > SavedView.currentVersion))
        return added + effects
    }
}

extension SavedView {
    /// The maximum number of copies of columns that a view can add.
    private static let copyLimit = 256

    /// Stores which of the columns are copies of others, for ``missingCopies(of:)``.
    /// - Parameter all: the columns of the grid, which are those of the view.
    fileprivate mutating func storeOriginals(of all: [Column]) {
        guard all.contains(where: { $0.id.copy > 0 }) else { return }
        let places = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.id, $0) })
        for (index, column) in all.enumerated() where column.id.copy > 0 {
            columns[index].originalIndex = places[ColumnID(column.field)]
        }
    }

    /// The copies of columns that the view has and `all` lacks. O(columns).
    fileprivate func missingCopies(of all: [Column]) -> [Column] {
        guard columns.contains(where: { $0.originalIndex != nil }) else { return [] }
        let places = places(in: all)
        var counts: [FieldID: Int] = [:]
        for column in all { counts[column.field] = max(counts[column.field] ?? 0, column.id.copy) }
        var copies: [Column] = []
        for (saved, place) in zip(columns, places) where place == nil && copies.count < Self.copyLimit {
            guard let index = saved.originalIndex, places.indices.contains(index), let original = places[index] else { continue }
            let number = counts[all[original].field, default: 0] + 1
            counts[all[original].field] = number
            copies.append(Column(copyOf: all[original], number: number, title: saved.valueKey))
        }
        return copies
    }
}

extension Arrangement {
    /// The maximum number of filters that a view may have. The same limit applies to its sort keys, groups and aggregates.
    private static let clauseLimit = 256

    /// The filters, sort keys and groups of a saved view that are valid for these columns.
    /// - Parameter leftOut: increased by the number of filters, sort keys, groups and aggregates that are not valid.
    init(_ view: SavedView, columns: [Column], leftOut: inout Int) {
        self.init()
        let schema = Schema(columns)
        // A name shared by several columns means the first of them in the file.
        let columns = columns.sorted { $0.id < $1.id }
        func column(_ name: String) -> Column? {
            if let column = columns.first(where: { $0.valueKey == name }) ?? columns.first(where: { $0.title == name }) { return column }
            guard name.first == "#", let number = Int(name.dropFirst()) else { return nil }
            return columns.first { $0.id.rawValue == number &- 1 }
        }
        func aggregate(_ option: AggregateOption) -> Aggregate? {
            guard let column = option.column.flatMap({ column($0.text) }), !option.function.needsNumbers || column.kind != .text else {
                return nil
            }
            return Aggregate(option.function, of: column.id)
        }
        let off = Set(view.offFilters)
        allFilters = view.filters.prefix(Self.clauseLimit).enumerated().compactMap { index, text in
            Self.savedFilter(text, in: schema).map { ShownFilter(filter: $0, isOn: !off.contains(index)) }
        }
        for key in view.sort.prefix(Self.clauseLimit) {
            guard let id = column(key.valueKey)?.id, !sort.contains(where: { $0.column == id }) else { continue }
            sort.append(ColumnSort(id, isDescending: key.isDescending))
        }
        for (index, name) in view.grouping.prefix(Self.clauseLimit).enumerated() {
            guard let column = column(name), !groups.contains(column.id) else { continue }
            groups.append(column.id)
            guard view.groupLevels.count == view.grouping.count, let level = try? GroupRequest(text: view.groupLevels[index]) else {
                continue
            }
            if (try? level.checkInterval(for: column.kind, columnName: column.title)) != nil { groupIntervals[column.id] = level.interval }
            let criterion: SectionOrder.Criterion? =
                switch level.order {
                case .count: .rowCount
                case .aggregate(let option): option.column == nil ? .rowCount : aggregate(option).map { .aggregate($0) }
                case nil: .title
                }
            guard let criterion else { continue }
            let order = SectionOrder(criterion, isDescending: level.isDescending)
            if order != self.order(ofLevel: column.id) { sectionOrders[column.id] = order }
        }
        if let texts = view.aggregates {
            var all: [Aggregate] = []
            for text in texts.prefix(Self.clauseLimit) {
                guard let found = (try? AggregateOption(text: text)).flatMap({ aggregate($0) }), !all.contains(found) else { continue }
                all.append(found)
            }
            aggregates = all
        }
        leftOut += view.filters.count + view.sort.count + view.grouping.count + (view.aggregates?.count ?? 0)
        leftOut -= allFilters.count + sort.count + groups.count + (aggregates?.count ?? 0)
    }

    /// Parses a filter of a saved view; `nil` if it is not valid. If several columns have the name in the filter, the first of them is
    /// meant, as in views that older versions saved. The text of such a filter then has the number of the column.
    private static func savedFilter(_ text: String, in schema: Schema) -> Filter? {
        if let filter = try? Filter(text, in: schema) { return filter }
        return (try? Filter(text, in: schema.namingFirstFields)).flatMap { try? Filter($0.formula, in: schema) }
    }
}
