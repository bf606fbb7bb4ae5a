import FieldValues
import DataGrid
import DataGridQuery
import DataGridSources
import Tables

extension Document {
    /// The initial view that the command-line options describe. Does not read the input.
    /// - Throws: ``RequestError`` for an option that is not valid for the columns.
    func view(_ options: LaunchOptions) throws -> OpenedView {
        var view = OpenedView(columns: columns)
        (view.frozen, view.isCollapsed, view.selectionMode) = (options.frozen, options.isCollapsed, options.selectionMode)
        (view.followsFile, view.reloadsChanges) = (options.followsFile && canBeFollowed, options.reloadsChanges)
        view.arrangement = try arrangement(options)
        let byID = options.types.isEmpty ? [] : columns.sorted { $0.id < $1.id }
        let typedNames = ColumnNames(count: options.types.count)
        for (reference, _) in options.types {
            view.typedColumns.formUnion(try Self.resolve(reference, byID, typedNames, of: input).map { byID[$0].id })
        }
        for request in options.sort { view.comparisons[try columnID(request.column, of: "--sort")] = request.comparison }
        for group in options.groups {
            if let comparison = group.comparison { view.comparisons[try columnID(group.column, of: "--group")] = comparison }
        }
        if let pick = options.pick { _ = try pickedColumns(pick) }
        if let text = options.searchText, !text.isEmpty {
            let search = Search(argument: text)
            do {
                _ = try search.textSearch()
            } catch {
                throw RequestError("--find: “\(search.text)” is not a valid regular expression: \(error.message).", isUsageError: true)
            }
            view.search = search
        }
        return view
    }

    /// If columns were added, looks up all column names in the options again, because an added column can have the same name. A filter on
    /// `#6` can add columns before all records are read for the output.
    /// - Throws: ``RequestError`` for a name that is now ambiguous.
    func checkColumnNames(_ options: LaunchOptions) throws {
        guard inputColumnCount > checkedColumnCount else { return }
        _ = try view(options)
        let lists = [
            ("--columns", options.columns), ("--hide", options.hiddenColumns), ("--format", options.fractionDigits.map(\.column)),
        ]
        for (option, references) in lists {
            let names = ColumnNames(count: references.count)
            for reference in references { _ = try resolve(reference, columns, names, of: option) }
        }
        _ = try definedFields(options, from: columns.filter { !$0.field.isDerived })
        checkedColumnCount = inputColumnCount
    }

    /// True if new rows can arrive: for a file, and for a pipe that has not ended.
    private var canBeFollowed: Bool { input.path != nil || input.location == nil && !input.snapshot().isComplete }

    private func arrangement(_ options: LaunchOptions) throws -> Arrangement {
        var arrangement = Arrangement()
        arrangement.filters = try options.filters.map { try filter($0) }
        for key in options.sort {
            let id = try columnID(of: key, options.groups)
            // A second key would also change the comparison of the first key, because each column has one comparison.
            guard !arrangement.sort.contains(where: { $0.column == id }) else {
                throw repetitionError("--sort", id, "Remove one of them.")
            }
            arrangement.sort.append(ColumnSort(id, isDescending: key.isDescending))
        }
        for group in options.groups {
            let id = try columnID(group.column, of: "--group", unknownOrderError: GroupRequest.unknownOrderError)
            guard !arrangement.groups.contains(id) else {
                throw repetitionError("--group", id, "For a second level, compute a column with --derive.")
            }
            arrangement.groups.append(id)
            if let column = columns.first(where: { $0.id == id }), !untypedFields.contains(column.field) {
                do {
                    try group.checkInterval(for: column.kind, columnName: column.title)
                } catch {
                    throw typeError("--group: \(error.message)", about: column)
                }
            }
            arrangement.groupIntervals[id] = group.interval
            let criterion: SectionOrder.Criterion =
                switch group.order {
                case .count: .rowCount
                case .aggregate(let option): try aggregate(option, of: "--group").map { .aggregate($0) } ?? .rowCount
                case nil: .title
                }
            if criterion != .title || group.isDescending {
                arrangement.sectionOrders[id] = SectionOrder(criterion, isDescending: group.isDescending)
            }
        }
        if !options.aggregates.isEmpty {
            var aggregates: [Aggregate] = []
            for option in options.aggregates {
                guard let aggregate = try self.aggregate(option, of: "--aggregate") else { continue }
                guard !aggregates.contains(aggregate) else {
                    throw RequestError("--aggregate: \(option.text) is listed twice. Remove one of them.", isUsageError: true)
                }
                aggregates.append(aggregate)
            }
            arrangement.aggregates = aggregates
        }
        return arrangement
    }

    /// The error for a column that an option lists twice. Its name can differ from the second reference, such as `#8`.
    private func repetitionError(_ option: String, _ id: ColumnID, _ advice: String) -> RequestError {
        let name = columns.first { $0.id == id }?.title ?? ""
        return RequestError("\(option): Column “\(name)” is listed twice. \(advice)", isUsageError: true)
    }

    /// Parses a filter, whose column names must exist now.
    /// - Throws: ``RequestError`` with marks under the error.
    private func filter(_ text: String) throws -> Filter {
        let schema = Schema(columns)
        do {
            return try Filter(text, in: schema)
        } catch {
            throw optionError("--filter", text, error, in: schema)
        }
    }

    /// An error about the value of a command-line option, with marks under its invalid part.
    func optionError(_ option: String, _ text: String, _ error: FilterError, in schema: Schema) -> RequestError {
        var failure = RequestError("\(option): \(error.message)\n\(ErrorMarker.lines(text, error.range))", isUsageError: true)
        // A name in double quotes that is not a column is read as a string, which can cause this error. Later rows may have the column.
        let namesUnknownField = input.mayFindNewFields && (error.kind == .unknownColumn || Filter.hasUnknownQuotedName(text, in: schema))
        failure.mayBecomeValid = namesUnknownField || mayNameLaterColumn(text)
        return failure
    }

    /// The aggregate that an option names; `nil` for the row count, which groups always show.
    /// - Throws: ``RequestError`` for an unknown column, or for an aggregate that the type of the column does not support.
    private func aggregate(_ aggregate: AggregateOption, of option: String) throws -> Aggregate? {
        guard let reference = aggregate.column else { return nil }
        let id = try columnID(reference, of: option)
        if let column = columns.first(where: { $0.id == id }), !untypedFields.contains(column.field) {
            do {
                try aggregate.check(column.kind, columnName: column.title)
            } catch {
                throw typeError("\(option): \(error.message)", about: column)
            }
        }
        return Aggregate(aggregate.function, of: id)
    }

    /// An error about the type of a column. Later rows can show another type.
    private func typeError(_ message: String, about column: Column) -> RequestError {
        var error = RequestError(message, isUsageError: true)
        error.needsRareTypes = rareTypes.contains(column.field)
        error.mayBecomeValid = error.needsRareTypes
        return error
    }

    /// The column of a sort key.
    /// - Throws: ``RequestError``. If the key is written as in other programs, such as `-price`, the message shows how gridview writes it.
    ///   If the key is an aggregate, the message shows how to sort the groups by it.
    private func columnID(of key: SortRequest, _ groups: [GroupRequest]) throws -> ColumnID {
        do {
            return try columnID(key.column, of: "--sort", unknownOrderError: SortRequest.unknownOrderError)
        } catch var error as RequestError {
            if var group = groups.last, let aggregate = try? AggregateOption(text: key.column.text) {
                (group.order, group.isDescending) = (.aggregate(aggregate), key.isDescending)
                error.message = "--sort: Unknown column “\(key.column.text)”. To sort the groups by it, use --group '\(group.text)'."
                throw error
            }
            guard let same = key.inGridviewNotation, (try? columnID(same.column, of: "--sort")) != nil else { throw error }
            let direction = same.isDescending ? "descending" : "ascending"
            error.message = "--sort: Unknown column “\(key.column.text)”. For \(direction) order, use \(same.text)."
            throw error
        }
    }

    /// The column in an option value such as `price:desc`.
    /// - Parameters:
    ///   - option: the name of the option, for the error.
    ///   - unknownOrderError: creates the error for an unknown word after the colon. Its parameters are this word and the column name.
    private func columnID(
        _ reference: ColumnReference, of option: String, unknownOrderError: (String, String) -> QueryTextError
    ) throws -> ColumnID {
        do {
            return try columnID(reference, of: option)
        } catch let error as RequestError {
            guard let colon = reference.text.lastIndex(of: ":") else { throw error }
            let (column, order) = (String(reference.text[..<colon].trimmed), reference.text[reference.text.index(after: colon)...].trimmed)
            guard (try? columnID(ColumnReference(column), of: option)) != nil else { throw error }
            var failure = RequestError("\(option): \(unknownOrderError(String(order), column).message)", isUsageError: true)
            failure.mayBecomeValid = error.mayBecomeValid
            throw failure
        }
    }
}

extension SortRequest {
    /// The sort key in the notation of gridview, for a key that is written as in other programs: `-price`, `+price` or `price desc`. `nil`
    /// for any other key.
    fileprivate var inGridviewNotation: SortRequest? {
        let text = column.text
        var key = self
        if let sign = text.first, sign == "-" || sign == "+" {
            key.isDescending = sign == "-"
            key.column.text = String(text.dropFirst().trimmed)
            return key
        }
        let words = ["desc": true, "descending": true, "asc": false, "ascending": false]
        guard let blank = text.lastIndex(of: " "), let isDescending = words[text[text.index(after: blank)...].lowercased()] else {
            return nil
        }
        key.isDescending = isDescending
        key.column.text = String(text[..<blank].trimmed)
        return key
    }
}
