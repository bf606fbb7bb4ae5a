import DataGrid
import DataGridQuery
import DataGridTerminal
import Tables

extension Session {
    /// Applies the options; where they name a column that only a later row has, the file is read to its end first.
    func applyOptionsReadingOn() throws {
        try document.readingOn(options) {
            let columns = document.addColumns()
            if !columns.isEmpty { send(.columnsAdded(columns)) }
            try applyOptions()
        }
    }

    /// Brings the view into the shape that the options ask for.
    private func applyOptions() throws {
        var view = OpenedView(
            columns: document.columns, frozen: options.frozen, arrangement: try arrangement(from: options),
            isCollapsed: options.isCollapsed, selectionMode: options.selectionMode)
        for request in options.sort { view.comparisons[try document.id(request.column)] = request.comparison }
        if view.frozen != FrozenPanes() { state.controller.perform(.freeze(view.frozen)) }
        if let mode = view.selectionMode { state.controller.perform(.setSelectionMode(mode)) }
        state.opened = view
        state.query = QueryState(asking: view.arrangement, collapsesSections: view.isCollapsed)
        state.tellSort()
        state.controller.perform(.setFilters(state.query.wanted.filters))
        state.filterHistory = state.query.wanted.filters
        if let text = options.find, !text.isEmpty {
            let search = Search(argument: text)
            do {
                _ = try search.textSearch()
            } catch {
                throw RequestError("--find: “\(search.text)” is no regular expression: \(error.message).", isUsage: true)
            }
            (state.search, sheet.launchSearch) = (search, search)
        }
    }

    /// The arrangement the options ask for.
    func arrangement(from options: LaunchOptions) throws -> Arrangement {
        var arrangement = Arrangement()
        arrangement.filters = try options.filters.map { try checked($0) }
        arrangement.sort = try options.sort.map { SortDescriptor(try document.id($0.column), isDescending: $0.isDescending) }
        for group in options.groups {
            let id = try document.id(group.column)
            guard !arrangement.groups.contains(id) else { continue }
            arrangement.groups.append(id)
            let criterion: SectionOrder.Criterion =
                switch group.order {
                case .count: .rowCount
                case .aggregate(let option): try Self.aggregate(option, document).map { .aggregate($0) } ?? .rowCount
                case nil: .title
                }
            if criterion != .title || group.isDescending {
                arrangement.sectionOrders[id] = SectionOrder(criterion, isDescending: group.isDescending)
            }
        }
        if !options.aggregates.isEmpty {
            arrangement.aggregates = try options.aggregates.compactMap { try Self.aggregate($0, document) }
        }
        return arrangement
    }

    /// `nil`: the number of rows.
    private static func aggregate(_ option: AggregateOption, _ document: Document) throws -> Aggregate? {
        try option.column.map { Aggregate(AggregateFunction(rawValue: option.function.rawValue)!, of: try document.id($0)) }
    }
}
