public import DataGrid
public import DataGridQuery
import FieldValues
public import Tables

/// Conversion between saved views and queries. A view has names and text, so it can be used with other files. A query has field IDs of one
/// table.
extension SavedView {
    /// The query of the view: derived fields, conditions, sort keys, groups and aggregates.
    /// - Parameter schema: the fields of the table. A kind that the view sets for a column replaces the kind of the field. If several
    ///   fields have the same name, this name means the first of them in conditions, sort keys and groups.
    /// - Throws: `FilterError` with the range of an error in a condition; `QueryTextError` if a column does not exist.
    public func query(in schema: Schema) throws -> Query {
        var text = QueryText()
        text.filters = filters.enumerated().filter { !offFilters.contains($0.offset) }.map(\.element)
        text.sort = sort.map { key in
            var request = SortRequest(ColumnReference(key.valueKey))
            request.isDescending = key.isDescending
            return request
        }
        text.derived = derived
        text.aggregates = try (aggregates ?? []).map { try AggregateOption(text: $0) }
        // Some column names cannot be written in the notation of group levels, so the name is set separately.
        text.groups = try grouping.enumerated().map { index, name in
            guard groupLevels.count == grouping.count else { return GroupRequest(ColumnReference(name)) }
            var level = try GroupRequest(text: groupLevels[index])
            level.column = ColumnReference(name)
            return level
        }
        return try text.query(in: schemaWithSavedKinds(schema).namingFirstFields)
    }

    /// Stores a query in the view. The comparisons of sort keys are not saved: ``query(in:)`` compares by the kind of each field.
    /// - Parameter schema: the fields of the table.
    /// - Throws: `FilterError` if the query references a field that the schema does not have.
    public mutating func store(_ query: Query, in schema: Schema) throws(FilterError) {
        let schema = schemaWithSavedKinds(schema)
        let text = try QueryText(query, in: schema)
        let fields = Schema(schema.fields + query.derived.map(\.field))
        func name(_ id: FieldID) -> String {
            guard let name = fields[id]?.name, name.first != "#", fields.field(named: name)?.id == id else { return "#\(id.rawValue + 1)" }
            return name
        }
        (derived, filters) = (text.derived, text.filters)
        (groupLevels, aggregates) = (text.groups.map(\.text), text.aggregates.map(\.text))
        sort = query.sort.map { SavedSortKey(name($0.field), isDescending: $0.isDescending) }
        grouping = query.groups.map { name($0.field) }
    }

    private func schemaWithSavedKinds(_ schema: Schema) -> Schema {
        var kinds: [String: [Int: ValueKind]] = [:]
        for (column, occurrence) in zip(columns, occurrences) { kinds[column.valueKey, default: [:]][occurrence] = column.kind }
        var next: [String: Int] = [:]
        return Schema(
            schema.fields.map { field in
                var field = field
                let occurrence = next[field.name, default: 0]
                next[field.name] = occurrence + 1
                if let kind = kinds[field.name]?[occurrence] { field.kind = kind }
                return field
            })
    }
}
