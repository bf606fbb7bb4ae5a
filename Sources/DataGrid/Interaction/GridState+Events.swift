/// Values of a grid before an action. They are compared with the values after the action to find the events to report.
struct EventBaseline {
    /// A column that the action may hide, show, resize or move.
    struct ChangedColumn {
        var id: ColumnID
        var index: Int?
        var column: Column
    }

    var selection: Selection
    var sort: [ColumnSort]
    var frozen: FrozenPanes
    var presentation: GridPresentation
    var tree: SectionTree?
    var collapsed: [Bool]
    /// True if rows, a column or its edge are being dragged.
    var isDragging: Bool
    var changedColumn: ChangedColumn?
}

extension GridState {
    /// The maximum number of collapsed or expanded sections for which each section gets its own event. For more sections, a single event
    /// reports their number.
    static let maximumReportedSections = 1_000

    /// The values that ``addEvents(since:_:to:)`` compares, before `action` is applied. O(1).
    func eventBaseline(before action: GridAction) -> EventBaseline {
        var changedColumn: ColumnID?
        switch action {
        case .setHidden(let id, _), .pinLeading(let id), .pinTrailing(let id): changedColumn = id
        case .updateColumn(let column): changedColumn = column.id
        case .cancelDrag: if case .separator(let edge) = drag { changedColumn = edge.column }
        default: break
        }
        return EventBaseline(
            selection: selection, sort: sort, frozen: frozen, presentation: effectivePresentation, tree: outline.tree,
            collapsed: outline.collapsed, isDragging: isDragging,
            changedColumn: changedColumn.flatMap { id in
                columns[id].map { EventBaseline.ChangedColumn(id: id, index: columns.index(of: id), column: $0) }
            })
    }

    /// True if rows, a column or its edge are being dragged; false for a press that has not moved yet.
    private var isDragging: Bool {
        switch drag {
        case .reorder(let reordering): reordering.target != nil
        case .separator: true
        default: false
        }
    }

    /// Adds events for all differences between `old` and the current state, including indirect effects of the action.
    ///
    /// O(1) if nothing changed, otherwise O(sections + columns).
    func addEvents(since old: EventBaseline, _ action: GridAction, to events: inout [GridEvent]) {
        addSectionEvents(since: old, to: &events)
        if old.isDragging, drag == nil, !action.isPointerInput { events.append(.dragInterrupted) }
        if sort != old.sort { events.append(.sortChanged) }
        if effectivePresentation != old.presentation { events.append(.presentationChanged) }
        if case .restore = action {
            events.append(.viewRestored)
        } else {
            if let changedColumn = old.changedColumn { addColumnEvents(changedColumn, to: &events) }
            if frozen != old.frozen { events.append(.frozenPanesChanged) }
        }
        if selection != old.selection { events.append(.selectionChanged) }
    }

    private func addSectionEvents(since old: EventBaseline, to events: inout [GridEvent]) {
        // Sections of different trees cannot be compared. Report only sections that were collapsed or expanded in the same tree.
        guard outline.collapsed != old.collapsed, outline.tree == old.tree else { return }
        // Millions of sections may change. Collect only the sections to report, and count all of them.
        var changed: [Int] = []
        var count = 0
        for (section, (was, isCollapsed)) in zip(old.collapsed, outline.collapsed).enumerated() where was != isCollapsed {
            if count < Self.maximumReportedSections { changed.append(section) }
            count += 1
        }
        guard count <= Self.maximumReportedSections else { return events.append(.sectionsChanged(count)) }
        for section in changed {
            events.append(outline.collapsed[section] ? .sectionCollapsed(section) : .sectionExpanded(section))
        }
    }

    private func addColumnEvents(_ old: EventBaseline.ChangedColumn, to events: inout [GridEvent]) {
        guard let column = columns[old.id] else { return }
        if column.isHidden != old.column.isHidden { events.append(column.isHidden ? .columnHidden(old.id) : .columnShown(old.id)) }
        if column.width != old.column.width { events.append(.columnResized(old.id, width: currentWidth(of: old.id))) }
        if let from = old.index, let to = columns.index(of: old.id), from != to {
            events.append(.columnMoved(old.id, from: from, to: to))
        }
    }
}
