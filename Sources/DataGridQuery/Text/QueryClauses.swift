public import FieldValues
public import Tables

/// An error in the text of a sort key, a group level, an aggregate or a column reference.
public struct QueryTextError: Error, Hashable, Sendable {
    /// A sentence that says what is wrong and how to correct it.
    public let message: String

    init(_ message: String) { self.message = message }

    /// Creates an error for an unknown word. Its message lists the valid words.
    /// - Parameters:
    ///   - noun: the name for words of this kind, such as `order`.
    ///   - column: the column that the word was written for.
    init(unknown noun: String, _ word: String, for column: String? = nil, _ knownWords: [String]) {
        let suggestion = Suggestions.closest(word, knownWords).map { " Did you mean “\($0)”?" } ?? ""
        let purpose = column.map { " for \($0)" } ?? ""
        message = "Unknown \(noun) “\(word)”\(purpose). Use \(Suggestions.alternatives(knownWords)).\(suggestion)"
    }
}

private let directions = ["desc": true, "down": true, "asc": false, "up": false]

extension Substring {
    /// The text before and after the last colon, without surrounding spaces; `nil` without a colon.
    fileprivate var partsAtLastColon: (start: Substring, last: Substring)? {
        lastIndex(of: ":").map { (self[..<$0].trimmed, self[index(after: $0)...].trimmed) }
    }
}

/// A column in a command line option, by name or number, or several columns as a range.
public struct ColumnReference: Hashable, Sendable {
    /// The reference as written, such as `price`, `#3` or `a..d`.
    public var text: String

    /// Creates a reference. The column is looked up when the columns of the input are known.
    public init(_ text: String) { self.text = text }
}

/// A sort key in the option `--sort`.
public struct SortRequest: Hashable, Sendable {
    /// The column to sort by; a single column, not a range.
    public var column: ColumnReference
    /// True for descending order. Empty cells come last in both directions.
    public var isDescending = false
    /// The comparison of the fields of the column.
    public enum Comparison: String, Sendable, CaseIterable {
        /// Strings in natural order, where digits in a string count as numbers.
        case natural
        /// Strings by Unicode scalars.
        case text
        /// Numbers by value.
        case number
        /// Dates and times from earlier to later.
        case date
    }

    /// The error for an unknown word after the colon of a sort key.
    package static func unknownOrderError(_ word: String, for column: String) -> QueryTextError {
        QueryTextError(unknown: "order", word, for: column, ["desc", "asc"] + Comparison.allCases.map(\.rawValue))
    }

    /// The comparison; `nil` for the one that fits the type of the column.
    public var comparison: Comparison?

    /// Creates an ascending sort key with the comparison that fits the type of the column.
    public init(_ column: ColumnReference) { self.column = column }

    /// Parses a sort key such as `price:desc` or `name:natural`. The column name may contain colons. Spaces around a part are ignored.
    public init(text: String) throws(QueryTextError) {
        var rest = text.trimmed
        self.init(ColumnReference(""))
        while let (start, last) = rest.partsAtLastColon {
            let word = last.lowercased()
            if let direction = directions[word] {
                isDescending = direction
            } else if let found = Comparison(rawValue: word) {
                comparison = found
            } else if start.contains(":") || Suggestions.isTypo(word, "desc") || Suggestions.isTypo(word, "asc") {
                throw Self.unknownOrderError(String(last), for: String(start))
            } else {
                break
            }
            rest = start
        }
        column = ColumnReference(String(rest))
    }

    /// The sort key as text, which ``init(text:)`` parses.
    public var text: String {
        column.text + (comparison.map { ":" + $0.rawValue } ?? "") + (isDescending ? ":desc" : "")
    }
}

/// A group level in the option `--group`.
public struct GroupRequest: Hashable, Sendable {
    /// The property by which the groups of a level are sorted.
    public enum Order: Hashable, Sendable {
        /// The number of rows of a group.
        case count
        /// An aggregate of a group. The header of the group also shows it.
        case aggregate(AggregateOption)
    }

    /// The column to group by; a single column, not a range.
    public var column: ColumnReference
    /// The property by which the groups are sorted. If `nil`, the groups are sorted by the values that they are grouped by.
    public var order: Order?
    /// True for descending order of the groups.
    public var isDescending: Bool
    /// The comparison for groups sorted by value; `nil` for the one that fits the type of the column.
    public var comparison: SortRequest.Comparison?
    /// The intervals that form groups, such as months; `nil` if rows with equal values form a group.
    public var interval: GroupInterval?

    /// Creates a group level, ascending by default.
    public init(_ column: ColumnReference, by order: Order? = nil, isDescending: Bool = false) {
        self.column = column
        self.order = order
        self.isDescending = isDescending
    }

    /// Parses a group level: a column, followed by an interval, a comparison, and the order of its groups, each after a colon. All parts
    /// except the column can be omitted. Spaces around a part are ignored. The column name may contain colons.
    ///
    /// Examples: `sector`, `sector:count:desc`, `sector:sum(quantity)`, `sector:text:desc`, `day:month`, `price:10:desc`.
    public init(text: String) throws(QueryTextError) {
        self.init(ColumnReference(""))
        var rest = text.trimmed
        if let (start, last) = rest.partsAtLastColon, let direction = directions[last.lowercased()] {
            isDescending = direction
            rest = start
        }
        if rest.last == ")" {
            // The name in the parentheses of an aggregate may contain colons, too. The separator is therefore the first colon that precedes
            // an aggregate.
            for colon in rest.indices where rest[colon] == ":" {
                let subtotal = rest[rest.index(after: colon)...]
                guard let open = subtotal.firstIndex(of: "(") else { break }
                let name = String(subtotal[..<open].trimmed)
                guard AggregateOption.functionNames.contains(where: { Suggestions.isTypo(name, $0) }) else { continue }
                order = .aggregate(try AggregateOption(text: String(subtotal)))
                rest = rest[..<colon].trimmed
                break
            }
        } else if let (start, last) = rest.partsAtLastColon {
            if last.lowercased() == "count" {
                order = .count
                rest = start
            } else if GroupInterval(text: String(last)) == nil,
                ["desc", "asc", "count"].contains(where: { Suggestions.isTypo(String(last), $0) })
            {
                throw Self.unknownOrderError(String(last), for: String(start))
            }
        }
        if let (start, last) = rest.partsAtLastColon, let found = SortRequest.Comparison(rawValue: last.lowercased()) {
            comparison = found
            rest = start
        }
        if let (start, last) = rest.partsAtLastColon, !start.isEmpty, let found = GroupInterval(text: String(last)) {
            interval = found
            rest = start
        }
        guard !rest.isEmpty else { throw QueryTextError("Missing column name in “\(text)” (expected COLUMN[:count][:desc]).") }
        column = ColumnReference(String(rest))
    }

    /// The error for an unknown word after the colon of a group level.
    package static func unknownOrderError(_ word: String, for column: String) -> QueryTextError {
        QueryTextError(
            unknown: "order", word, for: column,
            ["desc", "asc", "count"] + GroupInterval.Period.allCases.map(\.rawValue) + ["a width such as 10"]
                + SortRequest.Comparison.allCases.map(\.rawValue) + ["an aggregate, as in \(column):sum(COLUMN)"])
    }

    /// The group level as text, which ``init(text:)`` parses.
    public var text: String {
        let by =
            switch order {
            case .count: ":count"
            case .aggregate(let subtotal): ":" + subtotal.text
            case nil: ""
            }
        let read = (interval.map { ":" + $0.text } ?? "") + (comparison.map { ":" + $0.rawValue } ?? "")
        return column.text + read + by + (isDescending ? ":desc" : "")
    }

    /// Throws if the column cannot be grouped by the requested interval.
    /// - Parameters:
    ///   - kind: the kind of the column. A requested comparison as numbers or dates takes precedence.
    ///   - columnName: the name of the column, for messages.
    public func checkInterval(for kind: ValueKind, columnName: String) throws(QueryTextError) {
        let kind = comparison == .number ? .decimal : comparison == .date ? .dateTime : kind
        guard let interval, !interval.applies(to: kind) else { return }
        if kind == .text {
            let reading =
                switch interval {
                case .period: "dates, append :date, as in \(column.text):\(interval.text):date"
                case .bins: "numbers, append :number, as in \(column.text):\(interval.text):number"
                }
            throw QueryTextError("Cannot group “\(columnName)” by \(interval.text): it is text. To read it as \(reading).")
        }
        let periods = Suggestions.alternatives(GroupInterval.Period.allCases.map(\.rawValue))
        throw QueryTextError(
            "Cannot group “\(columnName)” by \(interval.text). Dates take \(periods), times take hour, and numbers a width such as 10.")
    }
}

/// An aggregate in the option `--aggregate`.
public struct AggregateOption: Hashable, Sendable {
    /// The aggregate function, computed over the rows of each group.
    public var function: Query.Aggregate.Function
    /// The column to aggregate; a single column, not a range. `nil` for the number of rows, which every group header shows.
    public var column: ColumnReference?

    /// Creates an aggregate option.
    public init(_ function: Query.Aggregate.Function, _ column: ColumnReference?) {
        self.function = function
        self.column = column
    }

    fileprivate static let functionNames = Query.Aggregate.Function.allCases.map(\.rawValue) + ["avg"]

    /// Parses an aggregate such as `sum(quantity)` or `count`. Spaces around it and its column are ignored.
    public init(text: String) throws(QueryTextError) {
        let text = String(text.trimmed)
        if text == Query.Aggregate.Function.count.rawValue {
            self.init(.count, nil)
            return
        }
        guard let open = text.firstIndex(of: "("), text.last == ")" else {
            throw QueryTextError("“\(text)” is not an aggregate such as sum(column).")
        }
        let name = String(text[..<open].trimmed)
        guard let function = name == "avg" ? .mean : Query.Aggregate.Function(rawValue: name) else {
            throw QueryTextError(unknown: "aggregate", name, Self.functionNames)
        }
        self.init(function, ColumnReference(String(text[text.index(after: open)...].dropLast().trimmed)))
    }

    /// The aggregate as text, which ``init(text:)`` parses.
    public var text: String { column.map { "\(function.rawValue)(\($0.text))" } ?? function.rawValue }
}
