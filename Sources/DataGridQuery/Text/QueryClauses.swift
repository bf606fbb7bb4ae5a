import FieldValues
public import Tables

/// What is wrong with the text of a query.
public struct QueryTextError: Error, Hashable, Sendable {
    /// A sentence that a person can act on.
    public let message: String

    init(_ message: String) { self.message = message }

    /// A word that is not one of those that may stand there.
    init(unknown word: String, _ known: [String]) {
        let near = NearNames.nearest(word, known).map { " Did you mean “\($0)”?" } ?? ""
        message = "Unknown value “\(word)”. Use \(known.joined(separator: ", ")).\(near)"
    }
}

private let directions = ["desc": true, "down": true, "asc": false, "up": false]

/// How one column is asked for: by name, by number, or as a range.
public struct ColumnReference: Hashable, Sendable {
    /// As written: `price`, `#3`, `a..d`.
    public var text: String

    /// Takes a reference as written; which columns it means is known once a file is open.
    public init(_ text: String) { self.text = text }
}

/// One `--sort` key.
public struct SortRequest: Hashable, Sendable {
    /// The column whose values decide; one column, not a range.
    public var column: ColumnReference
    /// Whether the greatest value comes first. Empty cells come last either way.
    public var isDescending = false
    /// How the column's fields are compared.
    public enum Comparison: String, Sendable, CaseIterable {
        /// As names: digits in them count as numbers.
        case natural
        /// By Unicode scalars.
        case text
        /// As numbers.
        case number
        /// As dates and times.
        case date
    }

    /// How the fields are compared; `nil`: as the column's type says.
    public var comparison: Comparison?

    /// A key that sorts upwards, by the column's own type.
    public init(_ column: ColumnReference) { self.column = column }

    /// Reads a key such as `price:desc` or `name:natural`. A name may hold colons.
    public init(text: String) throws(QueryTextError) {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        self.init(ColumnReference(""))
        while parts.count > 1, let last = parts.last {
            let word = last.lowercased()
            if let direction = directions[word] {
                isDescending = direction
            } else if let found = Comparison(rawValue: word) {
                comparison = found
            } else if parts.count > 2 || NearNames.isNear(last, "desc") || NearNames.isNear(last, "asc") {
                throw QueryTextError(unknown: last, ["desc", "asc"] + Comparison.allCases.map(\.rawValue))
            } else {
                break
            }
            parts.removeLast()
        }
        column = ColumnReference(parts.joined(separator: ":"))
    }

    /// The key as ``init(text:)`` reads it.
    public var text: String {
        column.text + (comparison.map { ":" + $0.rawValue } ?? "") + (isDescending ? ":desc" : "")
    }
}

/// One level of `--group`.
public struct GroupRequest: Hashable, Sendable {
    /// What the sections of the level are put in order by.
    public enum Order: Hashable, Sendable {
        /// Their number of rows.
        case count
        /// A figure of theirs, which their headers then tell.
        case aggregate(AggregateOption)
    }

    /// The column whose values are shared; one, not a range.
    public var column: ColumnReference
    /// What puts the sections in order; `nil`: the values that are shared.
    public var order: Order?
    /// Whether the greatest comes first.
    public var isDescending: Bool

    /// A level for the values of `column`, the least first unless told otherwise.
    public init(_ column: ColumnReference, by order: Order? = nil, isDescending: Bool = false) {
        self.column = column
        self.order = order
        self.isDescending = isDescending
    }

    /// Reads a level: a column, and behind colons what its groups are put in order by, such as `sector`, `sector:count:desc`,
    /// `sector:sum(quantity)`. A name may hold colons.
    public init(text: String) throws(QueryTextError) {
        self.init(ColumnReference(""))
        var rest = Substring(text)
        if let colon = rest.lastIndex(of: ":"), let direction = directions[rest[rest.index(after: colon)...].lowercased()] {
            isDescending = direction
            rest = rest[..<colon]
        }
        if rest.last == ")" {
            // So may the one in parentheses: the first colon that a figure stands behind.
            for colon in rest.indices where rest[colon] == ":" {
                let figure = rest[rest.index(after: colon)...]
                guard let open = figure.firstIndex(of: "(") else { break }
                guard AggregateOption.functionNames.contains(where: { NearNames.isNear(String(figure[..<open]), $0) }) else { continue }
                order = .aggregate(try AggregateOption(text: String(figure)))
                rest = rest[..<colon]
                break
            }
        } else if let colon = rest.lastIndex(of: ":") {
            let last = String(rest[rest.index(after: colon)...])
            if last.lowercased() == "count" {
                order = .count
                rest = rest[..<colon]
            } else if ["desc", "asc", "count"].contains(where: { NearNames.isNear(last, $0) }) {
                throw QueryTextError(unknown: last, ["desc", "asc", "count", "sum(column)"])
            }
        }
        guard !rest.isEmpty else { throw QueryTextError("Missing column name in “\(text)” (expected COLUMN[:count][:desc]).") }
        column = ColumnReference(String(rest))
    }

    /// The level as ``init(text:)`` reads it.
    public var text: String {
        let by =
            switch order {
            case .count: ":count"
            case .aggregate(let figure): ":" + figure.text
            case nil: ""
            }
        return column.text + by + (isDescending ? ":desc" : "")
    }
}

/// One `--aggregate`.
public struct AggregateOption: Hashable, Sendable {
    /// What is worked out over the rows of each section.
    public var function: Query.Aggregate.Function
    /// The column it is worked out of; one, not a range. `nil`: the number of rows, which every section tells.
    public var column: ColumnReference?

    /// Asks for `function` of `column`.
    public init(_ function: Query.Aggregate.Function, _ column: ColumnReference?) {
        self.function = function
        self.column = column
    }

    fileprivate static let functionNames = Query.Aggregate.Function.allCases.map(\.rawValue) + ["avg"]

    /// Reads a figure such as `sum(quantity)`, or `count`.
    public init(text: String) throws(QueryTextError) {
        if text == Query.Aggregate.Function.count.rawValue {
            self.init(.count, nil)
            return
        }
        guard let open = text.firstIndex(of: "("), text.last == ")" else {
            throw QueryTextError("“\(text)” is not an aggregate, as in sum(column).")
        }
        let name = String(text[..<open])
        guard let function = name == "avg" ? .mean : Query.Aggregate.Function(rawValue: name) else {
            throw QueryTextError(unknown: name, Self.functionNames)
        }
        self.init(function, ColumnReference(String(text[text.index(after: open)...].dropLast())))
    }

    /// The figure as ``init(text:)`` reads it.
    public var text: String { column.map { "\(function.rawValue)(\($0.text))" } ?? function.rawValue }
}
