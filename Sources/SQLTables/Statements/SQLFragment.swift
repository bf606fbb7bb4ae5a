/// A part of a statement: SQL text and parameters.
///
/// Fragments are built from literals in the source code and from other fragments. A `String` cannot be inserted by mistake: names go
/// through ``SQLDialect/name(_:)``, and values become parameters or, for engines without parameters, literals of digits.
struct SQLFragment: Hashable, Sendable {
    enum Token: Hashable, Sendable {
        /// A literal in the source code. Only literals call functions.
        case literal(String)
        /// Other text, such as a name, a number or a statement of the user.
        case text(String)
        case parameter(SQLParameter)
    }

    private(set) var tokens: [Token]

    /// Creates a fragment from text that the caller has quoted or checked.
    init(checked text: String) { tokens = [.text(text)] }

    /// Creates a fragment that consists of a placeholder for a parameter.
    init(_ parameter: SQLParameter) { tokens = [.parameter(parameter)] }

    /// Renders the fragment as a statement. Equal parameters share a placeholder if the dialect numbers placeholders. The statement has no
    /// parameters if the dialect has literals instead.
    ///
    /// In PostgreSQL, the functions have the schema `pg_catalog`. Otherwise, PostgreSQL could call a function in another schema of the
    /// `search_path`, such as `public.lower(varchar)`, because it prefers the types of the arguments to the order of the schemas.
    func statement(in dialect: SQLDialect) -> SQLStatement {
        var fragment = self
        if dialect.family == .postgreSQL { fragment.addSchemasOfFunctions() }
        var statement = SQLStatement(of: fragment)
        var numbers: [SQLParameter: Int] = [:]
        for token in fragment.tokens {
            switch token {
            case .literal(let text), .text(let text): statement.text += text
            case .parameter(let parameter):
                var number = dialect.parameterStyle == .numbered ? numbers[parameter] : nil
                if number == nil, dialect.parameterStyle != .literals {
                    statement.parameters.append(parameter)
                    number = statement.parameters.count
                    numbers[parameter] = number
                }
                statement.text += dialect.placeholder(number ?? 0, for: parameter)
            }
        }
        return statement
    }

    /// Lowercase words before a parenthesis that are not functions: types, and syntax of PostgreSQL, which cannot have a schema.
    private static let syntax: Set = ["coalesce", "decimal", "extract", "greatest", "least", "nullif", "numeric"]

    /// Adds the schema `pg_catalog` to the functions of PostgreSQL: the lowercase words directly before a parenthesis.
    private mutating func addSchemasOfFunctions() {
        for index in tokens.indices {
            guard case .literal(let text) = tokens[index], text.utf8.contains(UInt8(ascii: "(")) else { continue }
            var (qualified, rest) = ("", text[...])
            while let end = rest.utf8.firstIndex(of: UInt8(ascii: "(")) {
                let before = rest[..<end]
                let start = before.utf8.lastIndex { !Self.isWordByte($0) }.map(before.utf8.index(after:)) ?? before.startIndex
                let word = before[start...]
                qualified += before[..<start]
                // A name of one letter is an alias. A name with a period has a schema.
                let isFunction =
                    word.utf8.count > 1 && !word.utf8.contains { $0 == UInt8(ascii: ".") || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
                if isFunction && !Self.syntax.contains(String(word)) { qualified += "pg_catalog." }
                qualified += word
                qualified += "("
                rest = rest[rest.utf8.index(after: end)...]
            }
            tokens[index] = .literal(qualified + rest)
        }
    }

    /// True for the bytes of names, with a schema or without.
    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
        }
    }

    /// Joins fragments with a separator.
    static func joined(_ parts: [SQLFragment], by separator: SQLFragment) -> SQLFragment {
        var joined: SQLFragment = ""
        for (index, part) in parts.enumerated() {
            if index > 0 { joined.tokens += separator.tokens }
            joined.tokens += part.tokens
        }
        return joined
    }

    /// True if the fragment has neither text nor parameters.
    var isEmpty: Bool { tokens.allSatisfy { $0 == .literal("") || $0 == .text("") } }
}

extension SQLFragment: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var tokens: [Token] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: StaticString) { tokens.append(.literal(literal.description)) }

        mutating func appendInterpolation(_ fragment: SQLFragment) { tokens += fragment.tokens }

        mutating func appendInterpolation(_ number: Int) { tokens.append(.text(String(number))) }

        mutating func appendInterpolation(_ fragments: [SQLFragment], by separator: SQLFragment = ", ") {
            tokens += SQLFragment.joined(fragments, by: separator).tokens
        }
    }

    init(stringLiteral literal: StaticString) { tokens = [.literal(literal.description)] }

    init(stringInterpolation: StringInterpolation) { tokens = stringInterpolation.tokens }
}
