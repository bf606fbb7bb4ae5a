import DataGrid
import DataGridQuery
import Tables

extension Document {
    /// The view that the options describe. Does not read the input.
    /// - Throws: ``RequestError`` for an option that is not valid for the columns.
    func view(_ options: LaunchOptions) throws -> OpenedView {
        var view = OpenedView(columns: columns)
        (view.frozen, view.isCollapsed, view.selectionMode) = (options.frozen, options.isCollapsed, options.selectionMode)
        view.arrangement = try arrangement(options)
        for request in options.sort { view.comparisons[try id(request.column)] = request.comparison }
        for group in options.groups {
            if let comparison = group.comparison { view.comparisons[try id(group.column)] = comparison }
        }
        if let text = options.find, !text.isEmpty {
            let search = Search(argument: text)
            do {
                _ = try search.textSearch()
            } catch {
                throw RequestError("--find: “\(search.text)” is not a regular expression: \(error.message).", isUsage: true)
            }
            view.search = search
        }
        return view
    }

    private func arrangement(_ options: LaunchOptions) throws -> Arrangement {
        var arrangement = Arrangement()
        arrangement.filters = try options.filters.map { try filter($0) }
        arrangement.sort = try options.sort.map { SortDescriptor(try id($0.column), isDescending: $0.isDescending) }
        for group in options.groups {
            let id = try id(group.column)
            guard !arrangement.groups.contains(id) else { continue }
            arrangement.groups.append(id)
            let criterion: SectionOrder.Criterion =
                switch group.order {
                case .count: .rowCount
                case .aggregate(let option): try aggregate(option).map { .aggregate($0) } ?? .rowCount
                case nil: .title
                }
            if criterion != .title || group.isDescending {
                arrangement.sectionOrders[id] = SectionOrder(criterion, isDescending: group.isDescending)
            }
        }
        if !options.aggregates.isEmpty { arrangement.aggregates = try options.aggregates.compactMap { try aggregate($0) } }
        return arrangement
    }

    /// Parses a filter for the current columns.
    /// - Throws: ``RequestError`` that marks the mistake.
    private func filter(_ text: String) throws -> Filter {
        do {
            return try Filter(text, in: Schema(columns))
        } catch {
            throw mistake("--filter", text, error)
        }
    }

    /// An error that marks the mistake in the text of an option.
    func mistake(_ option: String, _ text: String, _ error: FilterError) -> RequestError {
        var failure = RequestError("\(option): \(error.message)\n\(ErrorMarker.lines(text, error.place))", isUsage: true)
        failure.mayHoldLater = namesLaterColumn(text)
        return failure
    }

    /// Converts an aggregate of the options; `nil` for the row count.
    private func aggregate(_ option: AggregateOption) throws -> Aggregate? {
        try option.column.map { Aggregate(option.function, of: try id($0)) }
    }
}
