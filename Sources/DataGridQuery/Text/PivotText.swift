public import FieldValues
public import Tables

/// A pivot table as text: the value of the option `--pivot`, such as `region, city by year: sum(amount), count`.
///
/// The parts are the row fields, the word `by`, the column field, and the values of a cell after a colon. Without values, a cell has the
/// number of rows. Fields are written as in `--group`, and values as in `--aggregate`. Double quotes protect commas, colons and the word
/// `by` in names.
public struct PivotText: Hashable, Sendable {
    /// The row fields, outermost first.
    public var rows: [GroupRequest]
    /// The field whose values become columns.
    public var column: GroupRequest
    /// The values of a cell; at least one.
    public var values: [AggregateOption]

    /// Creates a pivot text.
    public init(rows: [GroupRequest], column: GroupRequest, values: [AggregateOption] = [AggregateOption(.count, nil)]) {
        (self.rows, self.column, self.values) = (rows, column, values)
    }

    /// Parses a text such as `region by year: sum(amount)`.
    public init(text: String) throws(QueryTextError) {
        let marked = MarkedText(text)
        guard let by = marked.firstWord("by") else {
            throw QueryTextError("Missing “by” in “\(text)”. \(Self.advice)")
        }
        rows = []
        for part in marked.list(marked.all.lowerBound..<by.lowerBound) { rows.append(try GroupRequest(text: part)) }
        values = [AggregateOption(.count, nil)]
        var end = marked.all.upperBound
        if let colon = marked.lastColon(after: by.upperBound) {
            let parts = marked.list(colon + 1..<end)
            if try Self.areValues(parts) {
                if !parts.isEmpty { values = [] }
                for part in parts { values.append(try AggregateOption(text: part)) }
                end = colon
            }
        }
        let columnText = marked.text(by.upperBound..<end)
        if columnText.allSatisfy(\.isWhitespace) { throw QueryTextError("Missing column after “by” in “\(text)”. \(Self.advice)") }
        column = try GroupRequest(text: columnText)
    }

    private static let advice = "Write ROWS by COLUMN: VALUES, as in region by year: sum(amount)."

    /// True if the parts after a colon are the values of a cell. Otherwise, they belong to the column field, as in `year:desc`.
    /// - Throws: an error if the parts are values with a mistake.
    private static func areValues(_ parts: [String]) throws(QueryTextError) -> Bool {
        guard let first = parts.first else { return true }
        if (try? AggregateOption(text: first)) != nil { return true }
        // A list and parentheses occur only in values.
        if parts.count > 1 || first.contains("(") { _ = try AggregateOption(text: first) }
        return false
    }

    /// The pivot text, which ``init(text:)`` parses.
    public var text: String { "\(title): \(values.map(\.pivotText).joined(separator: ", "))" }

    /// The pivot text without values, such as `region by year`.
    public var title: String {
        (rows.isEmpty ? "" : rows.map(\.pivotText).joined(separator: ", ") + " ") + "by \(column.pivotText)"
    }
}

extension PivotText {
    /// Creates the text form of a pivot table. ``pivot(in:untypedFields:)`` returns an equal pivot table if every key and aggregate reads
    /// its field as the schema does, and if each aggregate is used once.
    /// - Throws: ``FilterError`` if the schema lacks a field of the pivot table.
    public init(_ pivot: Pivot, in schema: Schema) throws(FilterError) {
        var query = Query()
        (query.groups, query.aggregates) = (pivot.rows + [pivot.column], pivot.aggregates)
        let text = try QueryText(query, in: schema)
        let values = pivot.values.map { value in
            switch value {
            case .rowCount: AggregateOption(.count, nil)
            case .aggregate(let index): text.aggregates[index]
            }
        }
        self.init(rows: Array(text.groups.dropLast()), column: text.groups[text.groups.count - 1], values: values)
    }

    /// Looks up the fields.
    /// - Parameters:
    ///   - schema: all fields, including derived ones.
    ///   - untypedFields: the fields whose kind is unknown, because they have no value. Every aggregate and interval fits them.
    /// - Throws: ``QueryTextError`` if a field does not exist, its name is ambiguous, its kind does not fit, or a row field or a value is
    ///   listed twice.
    public func pivot(in schema: Schema, untypedFields: Set<FieldID> = []) throws(QueryTextError) -> Pivot {
        var text = QueryText()
        text.aggregates = values
        if schema.fields(named: column.column.text).isEmpty, let mistake = columnMistake { throw mistake }
        for var key in rows + [column] {
            if untypedFields.contains(try key.column.field(in: schema).id) { key.interval = nil }
            text.groups.append(key)
        }
        let query: Query
        do {
            query = try text.query(in: schema)
        } catch {
            // Only formulas cause other errors, and this query does not contain formulas.
            throw (error as? QueryTextError) ?? QueryTextError("\(error)")
        }
        var intervals: [FieldID: [GroupInterval?]] = [:]
        for (key, row) in zip(query.groups, rows) {
            // A field can occur several times with different intervals, such as years and months.
            if intervals[key.field, default: []].contains(row.interval) {
                throw QueryTextError("Column “\(schema[key.field]?.name ?? "")” is listed twice. Remove one of them.")
            }
            intervals[key.field, default: []].append(row.interval)
        }
        var indices: [Query.Aggregate: Int] = [:]
        var aggregates: [Query.Aggregate] = []
        func index(_ aggregate: Query.Aggregate) -> Int {
            if let index = indices[aggregate] { return index }
            aggregates.append(aggregate)
            indices[aggregate] = aggregates.count - 1
            return aggregates.count - 1
        }
        var found = query.aggregates[...]
        let values = try self.values.map { (option) throws(QueryTextError) in
            guard option.column != nil, let aggregate = found.popFirst() else { return Pivot.Value.rowCount }
            if !untypedFields.contains(aggregate.field) {
                try option.check(aggregate.kind, columnName: schema[aggregate.field]?.name ?? "")
            }
            return .aggregate(index(aggregate))
        }
        for (index, value) in values.enumerated() where values[..<index].contains(value) {
            throw QueryTextError("\(self.values[index].text) is listed twice. Remove one of them.")
        }
        let keys = query.groups.map { key in
            guard case .aggregate(let number) = key.order else { return key }
            var key = key
            key.order = .aggregate(index(query.aggregates[number]))
            return key
        }
        return Pivot(rows: keys.dropLast(), column: keys[keys.count - 1], aggregates: aggregates, values: values)
    }
}

extension PivotText {
    /// The error for a column field that does not exist, if the mistake is known: its text names several fields, or the text after its
    /// colon is not an aggregate. Otherwise `nil`.
    private var columnMistake: QueryTextError? {
        let text = column.column.text
        if text.contains(",") || MarkedText(text).firstWord("by") != nil {
            return QueryTextError("A pivot table has one column field, not “\(text)”. Write the other fields before “by”.")
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let value = String(text[text.index(after: colon)...].trimmed)
        guard value.first?.isLetter == true else { return nil }
        do {
            _ = try AggregateOption(text: value)
            return nil
        } catch {
            return error
        }
    }
}

extension AggregateOption {
    /// Throws if the type of the column does not support the function.
    /// - Parameters:
    ///   - kind: the kind of the column.
    ///   - columnName: the name of the column, for messages.
    public func check(_ kind: ValueKind, columnName: String) throws(QueryTextError) {
        guard !function.isDefined(for: kind) || function == .sum && kind.isTemporal else { return }
        // Minimum and maximum also exist for flags, dates and times. For all other aggregates, the message names only numbers.
        let needed = function == .min || function == .max ? "numbers, dates, times or flags" : "a number column"
        let found = kind == .text ? "text" : "of type \(kind == .dateTime ? "datetime" : kind.rawValue)"
        throw QueryTextError("\(text) needs \(needed); \(columnName) is \(found).")
    }

    /// The aggregate as a part of a pivot text.
    fileprivate var pivotText: String { column.map { "\(function.rawValue)(\(MarkedText.quoted($0.text)))" } ?? text }
}

extension GroupRequest {
    /// The group level as a part of a pivot text.
    fileprivate var pivotText: String {
        var request = self
        request.column.text = MarkedText.quoted(column.text)
        if case .aggregate(let option) = order {
            request.order = .aggregate(AggregateOption(option.function, option.column.map { ColumnReference(MarkedText.quoted($0.text)) }))
        }
        return request.text
    }
}

/// A text in which each character is marked as a possible separator or as a part of a name. Characters in double quotes and in parentheses
/// are parts of names.
private struct MarkedText {
    private let characters: [(character: Character, isSeparator: Bool)]

    init(_ text: String) {
        var characters: [(character: Character, isSeparator: Bool)] = []
        var (isQuoted, depth) = (false, 0)
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case "(" where !isQuoted: depth += 1
            case ")" where !isQuoted: depth = max(0, depth - 1)
            default: break
            }
            if character != "\"" { characters.append((character, !isQuoted && depth == 0)) }
        }
        self.characters = characters
    }

    /// A name in double quotes, if it could be read as several parts.
    static func quoted(_ name: String) -> String {
        let marked = MarkedText(name)
        let isPlain =
            marked.characters.count == name.count && marked.firstWord("by") == nil
            && !marked.characters.contains { ",:()".contains($0.character) }
        return isPlain ? name : "\"\(name)\""
    }

    var all: Range<Int> { characters.indices }

    func text(_ range: Range<Int>) -> String { String(characters[range].map(\.character)) }

    /// The range of the first occurrence of a word outside quotes and parentheses, ignoring case.
    func firstWord(_ word: String) -> Range<Int>? {
        let letters = Array(word)
        func isSpace(_ index: Int) -> Bool { !all.contains(index) || characters[index].character.isWhitespace }
        return all.dropLast(letters.count - 1).lazy.map { $0..<$0 + letters.count }.first { range in
            isSpace(range.lowerBound - 1) && isSpace(range.upperBound)
                && zip(characters[range], letters).allSatisfy { $0.isSeparator && $0.character.lowercased() == String($1) }
        }
    }

    /// The index of the last colon outside quotes and parentheses.
    func lastColon(after start: Int) -> Int? {
        (start..<all.upperBound).last { characters[$0].character == ":" && characters[$0].isSeparator }
    }

    /// The parts between commas, without surrounding spaces. Empty parts are left out.
    func list(_ range: Range<Int>) -> [String] {
        characters[range].split { $0.character == "," && $0.isSeparator }
            .map { String(String($0.map(\.character)).trimmed) }.filter { !$0.isEmpty }
    }
}
