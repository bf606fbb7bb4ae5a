import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

extension Arrangement {
    /// The arrangement as a query, which names fields instead of columns.
    /// - Parameter comparisons: how to compare the values of columns for which an option sets this. Other columns are compared by their
    ///   type.
    func query(derived: [DerivedField], columns: [Column], comparisons: [ColumnID: SortRequest.Comparison]) -> Query {
        func field(_ id: ColumnID) -> Field? {
            columns.first { $0.id == id }.map {
                Field(id.field, name: $0.title, kind: $0.kind, notation: $0.notation, dateNotation: $0.dateNotation)
            }
        }
        func comparison(_ id: ColumnID) -> Query.Comparison { Query.Comparison(comparisons[id], of: field(id)) }
        var query = Query()
        (query.derived, query.filters) = (derived, filters.map(\.formula))
        query.sort = sort.map { Query.SortKey($0.column.field, by: comparison($0.column), isDescending: $0.isDescending) }
        let aggregates = shownAggregates(columns)
        query.groups = groups.map { id in
            let order = order(ofLevel: id)
            let criterion: Query.GroupKey.Order =
                switch order.criterion {
                case .title: .value
                case .rowCount: .rowCount
                case .aggregate(let aggregate): .aggregate(aggregates.firstIndex(of: aggregate)!)
                }
            return Query.GroupKey(
                id.field, by: comparison(id), order: criterion, isDescending: order.isDescending, interval: groupIntervals[id])
        }
        guard !query.groups.isEmpty else { return query }
        query.aggregates = aggregates.map { aggregate in
            let field = field(aggregate.column)
            return Query.Aggregate(
                aggregate.function, of: aggregate.column.field, kind: field?.kind ?? .text, notation: field?.notation ?? .point,
                dateNotation: field?.dateNotation ?? .iso)
        }
        return query
    }
}

extension AppState {
    func query(for arrangement: Arrangement) -> Query {
        arrangement.query(derived: derivedFields, columns: grid.columns.all, comparisons: sheet.openedView.comparisons)
    }

    /// The command-line options that filter, sort and group the file as in this view, quoted for a shell. They use the column names of the
    /// file.
    public var queryOptions: [(name: String, value: String)] {
        guard var text = try? QueryText(query(for: query.requested), in: fileSchema) else { return [] }
        // Default aggregates apply without an option.
        if self.query.requested.aggregates == nil { text.aggregates = [] }
        return text.options.map { ($0.name, ShellWord.word($0.value)) }
    }

    /// The fields of the file in their original order, with their names in the file.
    var fileSchema: Schema {
        let columns = grid.columns.all.filter { $0.id.copy == 0 && !$0.field.isDerived }.sorted { $0.id < $1.id }
        return Schema(
            columns.map {
                Field(
                    $0.field, name: $0.valueKey, kind: $0.kind, notation: $0.notation, dateNotation: $0.dateNotation, hasNulls: $0.hasNulls)
            })
    }
}
