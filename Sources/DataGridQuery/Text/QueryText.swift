import FieldValues
public import Tables

/// A query as text: the values of the options `--derive`, `--filter`, `--sort`, `--group` and `--aggregate`.
///
/// A query text references columns by name; a ``Tables/Query`` references fields of a schema and specifies how they are read.
public struct QueryText: Hashable, Sendable {
    /// Definitions of derived fields, such as `total = price * quantity`.
    public var derived: [String] = []
    /// Conditions, such as `price > 100`.
    public var filters: [String] = []
    /// Sort keys, most significant first.
    public var sort: [SortRequest] = []
    /// Group levels, outermost first.
    public var groups: [GroupRequest] = []
    /// The aggregates to compute for each group.
    public var aggregates: [AggregateOption] = []

    /// Creates an empty query text.
    public init() {}

    /// The command line options for this query with their values. The values are not quoted for a shell yet.
    public var options: [(name: String, value: String)] {
        func list(_ name: String, _ texts: [String]) -> [(name: String, value: String)] {
            texts.isEmpty ? [] : [(name, texts.joined(separator: ","))]
        }
        return derived.map { ("--derive", $0) } + filters.map { ("--filter", $0) } + list("--sort", sort.map(\.text))
            + list("--group", groups.map(\.text)) + list("--aggregate", aggregates.map(\.text))
    }
}

extension QueryText {
    /// Creates the text form of a query. ``query(in:)`` returns an equal query, with two exceptions.
    ///
    /// ``Tables/Query/needsRows`` and ``Tables/Query/rowLimit`` are not part of the text form. A kind or notation that differs from the
    /// field's is not part of it either. Such a key becomes `number` or `date`; such an aggregate uses the kind of the field.
    /// - Parameters:
    ///   - query: the query.
    ///   - schema: the fields of the table, without derived fields.
    /// - Throws: ``FilterError`` if the query references a field that the schema does not have.
    public init(_ query: Query, in schema: Schema) throws(FilterError) {
        let fullSchema = Schema(schema.fields + query.derived.map(\.field))
        func reference(_ id: FieldID) throws(FilterError) -> ColumnReference {
            guard let field = fullSchema[id] else { throw FilterError(.unknownColumnNumber, "No column #\(id.rawValue + 1).", at: 0..<0) }
            return ColumnReference(field, in: fullSchema)
        }
        func aggregateOption(_ aggregate: Query.Aggregate) throws(FilterError) -> AggregateOption {
            AggregateOption(aggregate.function, try reference(aggregate.field))
        }
        derived = query.derived.map { $0.text(in: fullSchema) }
        for filter in query.filters { filters.append(try Filter(filter, in: fullSchema).text) }
        for key in query.sort {
            var request = SortRequest(try reference(key.field))
            request.isDescending = key.isDescending
            request.comparison = SortRequest.Comparison(key.comparison, of: fullSchema[key.field])
            sort.append(request)
        }
        for key in query.groups {
            let order: GroupRequest.Order?
            switch key.order {
            case .value: order = nil
            case .rowCount: order = .count
            case .aggregate(let index): order = .aggregate(try aggregateOption(query.aggregates[index]))
            }
            var request = GroupRequest(try reference(key.field), by: order, isDescending: key.isDescending)
            request.comparison = SortRequest.Comparison(key.comparison, of: fullSchema[key.field])
            request.interval = key.interval
            groups.append(request)
        }
        for aggregate in query.aggregates { aggregates.append(try aggregateOption(aggregate)) }
    }

    /// Parses the text.
    /// - Parameter schema: the fields of the table, without derived fields.
    /// - Throws: ``FilterError`` with the position of an error in a formula; ``QueryTextError`` if a column does not exist or its name is
    ///   ambiguous.
    public func query(in schema: Schema) throws -> Query {
        var query = Query()
        var fullSchema = schema
        for definition in derived {
            let id = FieldID(rawValue: FieldID.firstDerived.rawValue + query.derived.count)
            query.derived.append(try DerivedField(definition, id: id, in: fullSchema))
            fullSchema = Schema(schema.fields + query.derived.map(\.field))
        }
        query.filters = try filters.map { try Filter($0, in: fullSchema).formula }
        query.sort = try sort.map {
            let field = try $0.column.field(in: fullSchema)
            return Query.SortKey(field.id, by: Query.Comparison($0.comparison, of: field), isDescending: $0.isDescending)
        }
        func aggregate(_ option: AggregateOption) throws -> Query.Aggregate? {
            guard let field = try option.column?.field(in: fullSchema) else { return nil }
            return Query.Aggregate(
                option.function, of: field.id, kind: field.kind, notation: field.notation, dateNotation: field.dateNotation)
        }
        query.aggregates = try aggregates.compactMap(aggregate)
        for level in groups {
            let field = try level.column.field(in: fullSchema)
            try level.checkInterval(for: field.kind, columnName: field.name)
            var key = Query.GroupKey(
                field.id, by: Query.Comparison(level.comparison, of: field), isDescending: level.isDescending, interval: level.interval)
            switch level.order {
            case .count: key.order = .rowCount
            case .aggregate(let option):
                if let subtotal = try aggregate(option) {
                    if !query.aggregates.contains(subtotal) { query.aggregates.append(subtotal) }
                    key.order = .aggregate(query.aggregates.firstIndex(of: subtotal)!)
                } else {
                    key.order = .rowCount
                }
            case nil: break
            }
            query.groups.append(key)
        }
        return query
    }
}

extension ColumnReference {
    /// Creates a reference to a field by name, or by number if several fields have the name or if the name cannot be written in an option.
    fileprivate init(_ field: Field, in schema: Schema) {
        let name = field.name
        let isPlain =
            !name.isEmpty && !name.contains { ",:()#\"".contains($0) } && name.first?.isWhitespace == false
            && name.last?.isWhitespace == false
        self.init(isPlain && schema.nameIdentifies(field) ? name : "#\(field.id.rawValue + 1)")
    }

    /// The referenced field. A reference such as `#3` means the field with this number. Otherwise, exactly one field must have this name.
    func field(in schema: Schema) throws(QueryTextError) -> Field {
        if text.first == "#", let number = Int(text.dropFirst()), let field = schema.field(numbered: number) { return field }
        let fields = schema.fields(named: text)
        guard fields.count < 2 else { throw QueryTextError(Schema.ambiguousNameMessage(text, fields.map { (id: $0.id, name: $0.name) })) }
        if let field = fields.first { return field }
        let suggestion = schema.adviceOnOutputName(text) ?? schema.name(near: text).map { " Did you mean “\($0)”?" } ?? ""
        throw QueryTextError("Unknown column “\(text)”.\(suggestion)")
    }
}

extension SortRequest.Comparison {
    /// The word for a comparison. `nil` if the comparison fits the kind of the field, because it then needs no word.
    fileprivate init?(_ comparison: Query.Comparison, of field: Field?) {
        switch comparison {
        case .natural: self = .natural
        case .text: self = .text
        case .kind(let kind, _), .dates(let kind, _):
            guard kind != field?.kind else { return nil }
            switch kind {
            case .integer, .decimal: self = .number
            case .date, .dateTime, .time: self = .date
            case .text: self = .natural
            // Flags have no word, so their comparison is left out.
            case .flag: return nil
            }
        }
    }
}

extension Query.Comparison {
    /// The comparison that `request` names. If `request` is `nil`, the comparison that fits the kind of the field.
    public init(_ request: SortRequest.Comparison?, of field: Field?) {
        let field = field ?? Field(FieldID(rawValue: 0), name: "", kind: .text)
        switch request {
        case .natural: self = .natural
        case .text: self = .text
        case .number: self.init(.decimal, of: field)
        case .date: self.init(.dateTime, of: field)
        case nil: self.init(field.kind, of: field)
        }
    }
}
