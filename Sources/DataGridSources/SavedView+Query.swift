public import DataGrid
public import DataGridQuery
public import Tables

/// What a view that was kept asks of a table. A view has texts and names, so that it fits other files; a query has the fields of one.
extension SavedView {
    /// The conditions, sort keys and groups of the view.
    /// - Parameter schema: the fields of the table. Kinds that the view has given to columns go before theirs.
    /// - Throws: `FilterError` with the place of a mistake in a condition, `QueryTextError` where there is no such column.
    public func query(in schema: Schema) throws -> Query {
        var text = QueryText()
        text.filters = filters
        text.sort = sort.map { key in
            var request = SortRequest(ColumnReference(key.valueKey))
            request.isDescending = key.isDescending
            return request
        }
        text.groups = grouping.map { GroupRequest(ColumnReference($0)) }
        return try text.query(in: read(schema))
    }

    /// Keeps the conditions, sort keys and groups of a query, for ``query(in:)``. A view has no place for the rest of it: derived fields,
    /// aggregates, the order of groups, and comparisons that are not those of a field's kind.
    /// - Parameter schema: the fields of the table.
    /// - Throws: `FilterError` where the query names a field that the schema does not have.
    public mutating func keep(_ query: Query, in schema: Schema) throws(FilterError) {
        let schema = read(schema)
        let text = try QueryText(query, in: schema)
        let fields = Schema(schema.fields + query.derived.map(\.field))
        func name(_ id: FieldID) -> String {
            guard let name = fields[id]?.name, fields.field(named: name)?.id == id else { return "#\(id.rawValue + 1)" }
            return name
        }
        filters = text.filters
        sort = query.sort.map { SavedSortKey(name($0.field), isDescending: $0.isDescending) }
        grouping = query.groups.map { name($0.field) }
    }

    private func read(_ schema: Schema) -> Schema {
        let kinds = Dictionary(columns.compactMap { column in column.kind.map { (column.valueKey, $0) } }) { first, _ in first }
        return Schema(
            schema.fields.map { field in
                var field = field
                if let kind = kinds[field.name] { field.kind = kind }
                return field
            })
    }
}
