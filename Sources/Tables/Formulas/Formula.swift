public import FieldValues

/// A value computed from the fields of a row.
///
/// A formula is a tree of fields, constants and functions. Operators are functions too. Fields are referenced by ID, so renaming a field
/// does not break a formula. ``text(in:)`` returns the text form.
public indirect enum Formula: Hashable, Codable, Sendable {
    /// A field of the row.
    case field(FieldID)
    /// The same value in every row.
    case constant(Constant)
    /// The result of a function.
    case call(Function, [Formula])

    /// A fixed value in a formula.
    public enum Constant: Hashable, Codable, Sendable {
        /// An exact number. Its fraction has no trailing zeros.
        case number(ExactDecimal)
        /// A number with more than 38 digits, as written. It can be used only in filters.
        case approximate(String)
        /// Any text.
        case text(String)
        /// True or false.
        case flag(Bool)
        /// A date, a time or both, in microseconds, as returned by `FieldBytes.temporal(_:_:)`.
        case temporal(Int64, ValueKind)
    }

    /// A function or operator.
    public enum Function: String, Hashable, Codable, Sendable, CaseIterable, BitwiseCopyable {
        /// `a + b`.
        case add
        /// `a - b`.
        case subtract
        /// `a * b`.
        case multiply
        /// `a / b`; no value if `b` is 0.
        case divide
        /// `-a`.
        case negate
        /// The absolute value.
        case abs
        /// Rounds to the nearest number with the given number of fraction digits (default 0). Halves round away from zero.
        case round
        /// Rounds down to a whole number.
        case floor
        /// Rounds up to a whole number.
        case ceil

        /// `a = b`.
        case equal
        /// `a != b`; also true if `a` or `b` has no value.
        case notEqual
        /// `a < b`.
        case less
        /// `a <= b`.
        case lessOrEqual
        /// `a > b`.
        case greater
        /// `a >= b`.
        case greaterOrEqual
        /// `a in (b, c)`: true if `a` equals one of the values.
        case isIn
        /// True if the argument has no value, or only spaces.
        case isEmpty
        /// True if the argument has no value: a null, a missing key of JSON, or a field after the end of a short record.
        case isNull

        /// True if all arguments are true.
        case and
        /// True if at least one argument is true.
        case or
        /// True if the argument is false.
        case not

        /// True if the first text contains the second.
        case contains
        /// True if the first text starts with the second.
        case startsWith
        /// True if the first text ends with the second.
        case endsWith
        /// `a ~ 'b'`: true if the regular expression `b` matches anywhere in the text `a`.
        case matches
        /// `a =* 'b'`: true if two strings are equal ignoring case.
        case equalIgnoringCase
        /// `a contains* 'b'`.
        case containsIgnoringCase
        /// `a starts with* 'b'`.
        case startsWithIgnoringCase
        /// `a ends with* 'b'`.
        case endsWithIgnoringCase
        /// `a ~* 'b'`.
        case matchesIgnoringCase
        /// `anywhere('a')`: true if any field of the row contains the text. Case matters only if the text has capital letters. Only filters
        /// can use it.
        case anyFieldContains
        /// The text in upper case.
        case upper
        /// The text in lower case.
        case lower
        /// The text without leading and trailing spaces and control characters.
        case trim
        /// The number of Unicode scalars.
        case length
        /// The first `n` Unicode scalars.
        case left
        /// The last `n` Unicode scalars.
        case right
        /// `mid(a, position, n)`: `n` Unicode scalars from a position on. The first scalar has position 1.
        case mid
        /// The text with every occurrence of the second argument replaced by the third.
        case replace
        /// The texts of all arguments, joined without a separator.
        case concat
        /// `json(a, 'b.c')`: the value at a path in JSON text, with the notation of the option `--path`. A string at the path can be read
        /// as any type. Arrays and objects become JSON text, and `null` becomes a missing value.
        case json

        /// The year.
        case year
        /// The month, 1 to 12.
        case month
        /// The day of the month, 1 to 31.
        case day
        /// The day of the week, 1 (Monday) to 7 (Sunday).
        case weekday
        /// The hour, 0 to 23.
        case hour
        /// The minute, 0 to 59.
        case minute
        /// The second, with its fraction.
        case second
        /// The date part of a value with date and time.
        case date
        /// The number of days from the first date to the second; negative if the second is earlier.
        case days

        /// `if(a, b, c)`: `b` if `a` is true, otherwise `c`.
        case conditional
        /// `coalesce(a, b)`: the first argument that is not empty.
        case coalesce
    }

    /// The distinct fields that the formula uses, in order of appearance.
    public var fields: [FieldID] {
        var found: [FieldID] = []
        func collect(_ formula: Formula) {
            switch formula {
            case .field(let id): if !found.contains(id) { found.append(id) }
            case .constant: break
            case .call(_, let arguments): arguments.forEach(collect)
            }
        }
        collect(self)
        return found
    }

    /// The number of nodes of the tree: fields, constants and functions.
    package var size: Int {
        if case .call(_, let arguments) = self { arguments.reduce(1) { $0 + $1.size } } else { 1 }
    }
}

extension Formula.Function {
    /// The name used to call the function; `nil` for operators.
    public var name: String? {
        switch self {
        case .abs, .round, .floor, .ceil, .upper, .lower, .trim, .length, .left, .right, .mid, .replace, .concat, .json: rawValue
        case .year, .month, .day, .weekday, .hour, .minute, .second, .date, .days: rawValue
        case .conditional: "if"
        case .coalesce: "coalesce"
        case .anyFieldContains: "anywhere"
        default: nil
        }
    }

    /// The functions that are called by name, with their names as keys.
    public static let named: [String: Formula.Function] = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { function in function.name.map { ($0, function) } })

    /// The least and the greatest number of arguments.
    public var argumentCounts: ClosedRange<Int> {
        switch self {
        case .negate, .not, .isEmpty, .isNull, .abs, .floor, .ceil, .upper, .lower, .trim, .length: 1...1
        case .year, .month, .day, .weekday, .hour, .minute, .second, .date: 1...1
        case .anyFieldContains: 1...1
        case .round: 1...2
        case .add, .subtract, .multiply, .divide, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: 2...2
        case .contains, .startsWith, .endsWith, .matches, .left, .right, .days: 2...2
        case .equalIgnoringCase, .containsIgnoringCase, .startsWithIgnoringCase, .endsWithIgnoringCase, .matchesIgnoringCase: 2...2
        case .json: 2...2
        case .mid, .replace, .conditional: 3...3
        case .and, .or, .isIn, .coalesce, .concat: 2...1_000_000
        }
    }

    /// The valid numbers of arguments as text, such as `1 or 2 arguments`.
    package var argumentCountText: String {
        let counts = argumentCounts
        return switch counts.count {
        case 1: counts.lowerBound == 1 ? "1 argument" : "\(counts.lowerBound) arguments"
        case 2: "\(counts.lowerBound) or \(counts.upperBound) arguments"
        default: "at least \(counts.lowerBound) arguments"
        }
    }

    /// The variant of a comparison that ignores case, such as `contains*` for `contains`; `nil` without such a variant.
    public var ignoringCase: Formula.Function? {
        switch self {
        case .equal: .equalIgnoringCase
        case .contains: .containsIgnoringCase
        case .startsWith: .startsWithIgnoringCase
        case .endsWith: .endsWithIgnoringCase
        case .matches: .matchesIgnoringCase
        default: nil
        }
    }

    /// True if the result is a truth value: a comparison or a logical operator.
    public var isCondition: Bool {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .isEmpty, .isNull, .and, .or, .not: true
        case .contains, .startsWith, .endsWith, .matches, .anyFieldContains: true
        case .equalIgnoringCase, .containsIgnoringCase, .startsWithIgnoringCase, .endsWithIgnoringCase, .matchesIgnoringCase: true
        default: false
        }
    }

    /// True if the second argument must be a text constant, such as a regular expression.
    public var needsConstant: Bool {
        switch self {
        case .matches, .equalIgnoringCase, .containsIgnoringCase, .startsWithIgnoringCase, .endsWithIgnoringCase, .matchesIgnoringCase: true
        case .json: true
        default: false
        }
    }

    /// True if the right operand is always read as a string, even if it looks like a number, a date or a quoted field name.
    var readsText: Bool { needsConstant || [.contains, .startsWith, .endsWith].contains(self) }

    /// The symbol or words of an operator that is written between its arguments; `nil` for other functions.
    var infix: String? {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .equal: "="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .and: "and"
        case .or: "or"
        case .contains: "contains"
        case .startsWith: "starts with"
        case .endsWith: "ends with"
        case .matches: "~"
        case .equalIgnoringCase: "=*"
        case .containsIgnoringCase: "contains*"
        case .startsWithIgnoringCase: "starts with*"
        case .endsWithIgnoringCase: "ends with*"
        case .matchesIgnoringCase: "~*"
        default: nil
        }
    }

    /// The precedence of the operator. A greater number binds more tightly, and functions called by name bind most tightly.
    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .not: 3
        case .anyFieldContains: 8
        case _ where isCondition: 4
        case .add, .subtract: 5
        case .multiply, .divide: 6
        case .negate: 7
        default: 8
        }
    }
}

// MARK: Codable

extension Formula {
    private enum CodingKeys: String, CodingKey { case field, constant, function, arguments }

    /// Decodes a formula.
    /// - Throws: `DecodingError` for a function with too few or too many arguments.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let field = try container.decodeIfPresent(FieldID.self, forKey: .field) {
            self = .field(field)
        } else if let constant = try container.decodeIfPresent(Constant.self, forKey: .constant) {
            self = .constant(constant)
        } else {
            let function = try container.decode(Function.self, forKey: .function)
            let arguments = try container.decode([Formula].self, forKey: .arguments)
            guard function.argumentCounts.contains(arguments.count) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .arguments, in: container, debugDescription: "“\(function.rawValue)” cannot have \(arguments.count) arguments.")
            }
            self = .call(function, arguments)
        }
    }

    /// Encodes the formula. Fields are encoded as their numbers.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .field(let id): try container.encode(id, forKey: .field)
        case .constant(let constant): try container.encode(constant, forKey: .constant)
        case .call(let function, let arguments):
            try container.encode(function, forKey: .function)
            try container.encode(arguments, forKey: .arguments)
        }
    }
}
