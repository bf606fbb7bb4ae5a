import FieldValues
public import Tables

/// A query as people write it: the values of the options `--derive`, `--filter`, `--sort`, `--group` and `--aggregate`.
///
/// A text names columns; a ``Tables/Query`` names the fields that a schema has under these names, and says how they are read.
public struct QueryText: Hashable, Sendable {
    /// Fields computed from others, such as `total = price * quantity`.
    public var derived: [String] = []
    /// Conditions, such as `price > 100`.
    public var filters: [String] = []
    /// Sort keys, the strongest first.
    public var sort: [SortRequest] = []
    /// Levels of groups, the outermost first.
    public var groups: [GroupRequest] = []
    /// What is computed for each group.
    public var aggregates: [AggregateOption] = []

    /// Asks for nothing.
    public init() {}

    /// The options and their values, as they stand on a command line before quoting.
    public var options: [(name: String, value: String)] {
        func list(_ name: String, _ texts: [String]) -> [(name: String, value: String)] {
            texts.isEmpty ? [] : [(name, texts.joined(separator: ","))]
        }
        return derived.map { ("--derive", $0) } + filters.map { ("--filter", $0) } + list("--sort", sort.map(\.text))
            + list("--group", groups.map(\.text)) + list("--aggregate", aggregates.map(\.text))
    }
}

extension QueryText {
    /// Writes a query. ``query(in:)`` gives the same one, where fields are read as the schema says or are compared as texts or naturally.
    /// - Parameters:
    ///   - query: what to write.
    ///   - schema: the fields of the table, without derived ones.
    /// - Throws: ``FilterError`` where the query names a field that the schema does not have.
    public init(_ query: Query, in schema: Schema) throws(FilterError) {
        let whole = Schema(schema.fields + query.derived.map(\.field))
        func reference(_ id: FieldID) throws(FilterError) -> ColumnReference {
            guard let field = whole[id] else { throw FilterError("No column #\(id.rawValue + 1).", at: 0..<0) }
            return ColumnReference(field, in: whole)
        }
        func figure(_ aggregate: Query.Aggregate) throws(FilterError) -> AggregateOption {
            AggregateOption(aggregate.function, try reference(aggregate.field))
        }
        derived = query.derived.map { $0.text(in: whole) }
        for filter in query.filters { filters.append(try Filter(filter, in: whole).text) }
        for key in query.sort {
            var request = SortRequest(try reference(key.field))
            request.isDescending = key.isDescending
            request.comparison = SortRequest.Comparison(key.comparison, of: whole[key.field])
            sort.append(request)
        }
        for key in query.groups {
            let order: GroupRequest.Order?
            switch key.order {
            case .value: order = nil
            case .rowCount: order = .count
            case .aggregate(let place): order = .aggregate(try figure(query.aggregates[place]))
            }
            groups.append(GroupRequest(try reference(key.field), by: order, isDescending: key.isDescending))
        }
        for aggregate in query.aggregates { aggregates.append(try figure(aggregate)) }
    }

    /// Reads the text.
    /// - Parameter schema: the fields of the table, without derived ones.
    /// - Throws: ``FilterError`` with the place of a mistake in a formula, ``QueryTextError`` where there is no such column.
    public func query(in schema: Schema) throws -> Query {
        var query = Query()
        var whole = schema
        for definition in derived {
            let id = FieldID(rawValue: FieldID.firstDerived.rawValue + query.derived.count)
            query.derived.append(try DerivedField(definition, id: id, in: whole))
            whole = Schema(schema.fields + query.derived.map(\.field))
        }
        query.filters = try filters.map { try Filter($0, in: whole).formula }
        query.sort = try sort.map {
            let field = try $0.column.field(in: whole)
            return Query.SortKey(field.id, by: Query.Comparison($0.comparison, of: field), isDescending: $0.isDescending)
        }
        func aggregate(_ option: AggregateOption) throws -> Query.Aggregate? {
            guard let field = try option.column?.field(in: whole) else { return nil }
            return Query.Aggregate(option.function, of: field.id, kind: field.kind, notation: field.notation)
        }
        query.aggregates = try aggregates.compactMap(aggregate)
        for level in groups {
            let field = try level.column.field(in: whole)
            var key = Query.GroupKey(field.id, by: Query.Comparison(nil, of: field), isDescending: level.isDescending)
            switch level.order {
            case .count: key.order = .rowCount
            case .aggregate(let option):
                if let figure = try aggregate(option) {
                    if !query.aggregates.contains(figure) { query.aggregates.append(figure) }
                    key.order = .aggregate(query.aggregates.firstIndex(of: figure)!)
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
    /// The name of a field, or its number where the name does not lead back to it.
    fileprivate init(_ field: Field, in schema: Schema) {
        let name = field.name
        let isPlain =
            !name.isEmpty && !name.contains { ",:()#\"".contains($0) } && name.first?.isWhitespace == false
            && name.last?.isWhitespace == false
        self.init(isPlain && schema.field(named: name)?.id == field.id ? name : "#\(field.id.rawValue + 1)")
    }

    /// The field that this means: the first with that name, else the one with that number.
    fileprivate func field(in schema: Schema) throws(QueryTextError) -> Field {
        if let field = schema.field(named: text) { return field }
        if text.first == "#", let number = Int(text.dropFirst()), let field = schema.field(numbered: number) { return field }
        let near = schema.name(near: text).map { " Did you mean “\($0)”?" } ?? ""
        throw QueryTextError("Unknown column “\(text)”.\(near)")
    }
}

extension SortRequest.Comparison {
    /// What has to be said of a comparison; `nil` where it is that of the field's kind.
    fileprivate init?(_ comparison: Query.Comparison, of field: Field?) {
        switch comparison {
        case .natural: self = .natural
        case .text: self = .text
        case .kind(let kind, _):
            guard kind != field?.kind else { return nil }
            self = kind.isNumber ? .number : kind == .text ? .natural : .date
        }
    }
}

extension Query.Comparison {
    /// How the values of a field are compared, unless a request says otherwise.
    public init(_ request: SortRequest.Comparison?, of field: Field?) {
        let notation = field?.notation ?? .point
        switch request {
        case .natural: self = .natural
        case .text: self = .text
        case .number: self = .kind(.decimal, notation)
        case .date: self = .kind(.dateTime, notation)
        case nil: self = .kind(field?.kind ?? .text, notation)
        }
    }
}
