/// A part of a statement: SQL text and parameters.
///
/// Fragments are built from literals in the source code and from other fragments. A `String` cannot be inserted by mistake: names go
/// through ``SQLDialect/name(_:)``, and values become parameters or, for engines without parameters, literals of digits.
struct SQLFragment: Hashable, Sendable {
    enum Token: Hashable, Sendable {
        /// SQL that is written in the source code, or quoted or checked: syntax, names, numbers and statements of the user.
        case text(String)
        /// The name of a function that is called, see ``SQLDialect/functionName(_:)``.
        case function(String)
        case parameter(SQLParameter)
    }

    private(set) var tokens: [Token]
    /// The length of the SQL in tokens. A literal in the source code counts as one token, together with the functions that it calls.
    private(set) var length = 1

    /// Creates a fragment from text that the caller has quoted or checked.
    init(checked text: String) { tokens = [.text(text)] }

    /// Creates a fragment that consists of a placeholder for a parameter.
    init(_ parameter: SQLParameter) { tokens = [.parameter(parameter)] }

    /// Renders the fragment as a statement. Equal parameters share a placeholder if the dialect numbers placeholders. The statement has no
    /// parameters if the dialect has literals instead.
    func statement(in dialect: SQLDialect) -> SQLStatement {
        var statement = SQLStatement(of: self)
        var numbers: [SQLParameter: Int] = [:]
        for token in tokens {
            switch token {
            case .text(let text): statement.text += text
            case .function(let name): statement.text += dialect.functionName(name)
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

    /// Joins fragments with a separator.
    static func joined(_ parts: [SQLFragment], by separator: SQLFragment) -> SQLFragment {
        var joined: SQLFragment = ""
        for (index, part) in parts.enumerated() {
            if index > 0 { joined.append(separator) }
            joined.append(part)
        }
        return joined
    }

    fileprivate mutating func append(_ fragment: SQLFragment) {
        tokens += fragment.tokens
        length += fragment.length
    }

    /// True if the fragment has neither text nor parameters.
    var isEmpty: Bool { tokens.allSatisfy { $0 == .text("") } }
}

extension SQLFragment: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var fragment = SQLFragment(tokens: [], length: 0)
        /// True if the last token is a part of a literal.
        private var isInLiteral = false

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: StaticString) { append(.text(literal.description), isInLiteral: true) }

        /// Appends the name of a function that is called, as in `"\(function: "lower")(\(text))"`.
        ///
        /// Use it for all functions that PostgreSQL runs. Conditional expressions such as `coalesce`, and `extract`, are not functions.
        mutating func appendInterpolation(function name: StaticString) { append(.function(name.description), isInLiteral: true) }

        mutating func appendInterpolation(_ fragment: SQLFragment) {
            self.fragment.append(fragment)
            isInLiteral = false
        }

        mutating func appendInterpolation(_ number: Int) { append(.text(String(number)), isInLiteral: false) }

        mutating func appendInterpolation(_ fragments: [SQLFragment], by separator: SQLFragment = ", ") {
            appendInterpolation(SQLFragment.joined(fragments, by: separator))
        }

        private mutating func append(_ token: Token, isInLiteral: Bool) {
            fragment.tokens.append(token)
            if !(isInLiteral && self.isInLiteral) { fragment.length += 1 }
            self.isInLiteral = isInLiteral
        }
    }

    init(stringLiteral literal: StaticString) { tokens = [.text(literal.description)] }

    init(stringInterpolation: StringInterpolation) { self = stringInterpolation.fragment }

    private init(tokens: [Token], length: Int) { (self.tokens, self.length) = (tokens, length) }
}
