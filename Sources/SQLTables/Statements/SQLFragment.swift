/// A part of a statement: SQL text and parameters.
///
/// Fragments are built from literals in the source code and from other fragments. A `String` cannot be inserted by mistake: names go
/// through ``SQLDialect/name(_:)``, and values become parameters or, for engines without parameters, literals of digits.
struct SQLFragment: Hashable, Sendable {
    enum Token: Hashable, Sendable {
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
    func statement(in dialect: SQLDialect) -> SQLStatement {
        var statement = SQLStatement(of: self)
        var numbers: [SQLParameter: Int] = [:]
        for token in tokens {
            switch token {
            case .text(let text): statement.text += text
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
        var joined = SQLFragment(checked: "")
        for (index, part) in parts.enumerated() {
            if index > 0 { joined.tokens += separator.tokens }
            joined.tokens += part.tokens
        }
        return joined
    }

    /// True if the fragment has neither text nor parameters.
    var isEmpty: Bool { tokens.allSatisfy { $0 == .text("") } }
}

extension SQLFragment: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var tokens: [Token] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: StaticString) { tokens.append(.text(literal.description)) }

        mutating func appendInterpolation(_ fragment: SQLFragment) { tokens += fragment.tokens }

        mutating func appendInterpolation(_ number: Int) { tokens.append(.text(String(number))) }

        mutating func appendInterpolation(_ fragments: [SQLFragment], by separator: SQLFragment = ", ") {
            tokens += SQLFragment.joined(fragments, by: separator).tokens
        }
    }

    init(stringLiteral literal: StaticString) { tokens = [.text(literal.description)] }

    init(stringInterpolation: StringInterpolation) { tokens = stringInterpolation.tokens }
}
