public import FieldValues

/// A value worked out from the fields of a row.
///
/// A formula is a tree of fields, constants and functions; operators are functions, too. It knows fields by their ids, so it survives
/// renaming. ``text(in:)`` writes it as a person would.
public indirect enum Formula: Hashable, Codable, Sendable {
    /// A field of the row.
    case field(FieldID)
    /// The same value in every row.
    case constant(Constant)
    /// What a function makes of its arguments.
    case call(Function, [Formula])

    /// A value that stands in a formula.
    public enum Constant: Hashable, Codable, Sendable {
        /// An exact number, without zeros at the end of its fraction.
        case number(ExactDecimal)
        /// A number that does not fit in 38 digits, as it is written. Filters alone compare with it.
        case approximate(String)
        /// Any text.
        case text(String)
        /// A truth value.
        case flag(Bool)
        /// A date, a time or both, in microseconds as `FieldBytes.temporal(_:)` gives them.
        case moment(Int64, ValueKind)
    }

    /// What a formula does with its arguments.
    public enum Function: String, Hashable, Codable, Sendable, CaseIterable, BitwiseCopyable {
        /// `a + b`.
        case add
        /// `a - b`.
        case subtract
        /// `a * b`.
        case multiply
        /// `a / b`; no value when `b` is 0.
        case divide
        /// `-a`.
        case negate
        /// The number without its sign.
        case abs
        /// To the nearest number with so many digits after the point (0 unless told), halves away from zero.
        case round
        /// To the next whole number below.
        case floor
        /// To the next whole number above.
        case ceil

        /// `a = b`.
        case equal
        /// `a != b`; holds too when one of them has no value.
        case notEqual
        /// `a < b`.
        case less
        /// `a <= b`.
        case lessOrEqual
        /// `a > b`.
        case greater
        /// `a >= b`.
        case greaterOrEqual
        /// `a in (b, c)`: whether it equals one of them.
        case isIn
        /// Whether there is no value, or nothing but blanks.
        case isEmpty

        /// Whether all hold.
        case and
        /// Whether one holds.
        case or
        /// Whether it does not hold.
        case not

        /// Whether the second text stands in the first.
        case contains
        /// Whether the first text begins with the second.
        case startsWith
        /// Whether the first text ends with the second.
        case endsWith
        /// `a ~ 'b'`: whether a regular expression matches anywhere in a text.
        case matches
        /// `a =* 'b'`: whether two texts are the same but for case.
        case equalIgnoringCase
        /// `a contains* 'b'`.
        case containsIgnoringCase
        /// `a starts with* 'b'`.
        case startsWithIgnoringCase
        /// `a ends with* 'b'`.
        case endsWithIgnoringCase
        /// `a ~* 'b'`.
        case matchesIgnoringCase
        /// `anywhere('a')`: whether any field of the row contains the text. Case counts if, and only if, it has capital letters. Filters
        /// alone have it.
        case anyFieldContains
        /// In capital letters.
        case upper
        /// In small letters.
        case lower
        /// Without blanks and control characters around it.
        case trim
        /// The number of Unicode scalars.
        case length
        /// So many scalars from the start.
        case left
        /// So many scalars from the end.
        case right
        /// From the scalar with this number, from 1, so many.
        case mid
        /// Every occurrence of the second text replaced by the third.
        case replace
        /// All one after the other.
        case concat

        /// The year of a date.
        case year
        /// The month of a date, 1 to 12.
        case month
        /// The day of the month, 1 to 31.
        case day
        /// The day of the week: Monday is 1, Sunday 7.
        case weekday
        /// The hour of a time, 0 to 23.
        case hour
        /// The minute of a time.
        case minute
        /// The second of a time, with its fraction.
        case second
        /// The date of a date and time.
        case date
        /// The days from the first date to the second.
        case days

        /// `if(a, b, c)`: the second value where the first holds, otherwise the third.
        case choose
        /// `coalesce(a, b)`: the first value that is not empty.
        case firstFilled
    }

    /// The fields that the value depends on, each once, in the order of the formula.
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
}

extension Formula.Function {
    /// How the function is called with its arguments in parentheses; `nil` for operators.
    public var name: String? {
        switch self {
        case .abs, .round, .floor, .ceil, .upper, .lower, .trim, .length, .left, .right, .mid, .replace, .concat: rawValue
        case .year, .month, .day, .weekday, .hour, .minute, .second, .date, .days: rawValue
        case .choose: "if"
        case .firstFilled: "coalesce"
        case .anyFieldContains: "anywhere"
        default: nil
        }
    }

    /// The functions that are called by name.
    public static let named: [String: Formula.Function] = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { function in function.name.map { ($0, function) } })

    /// How many arguments the function takes.
    public var argumentCounts: ClosedRange<Int> {
        switch self {
        case .negate, .not, .isEmpty, .abs, .floor, .ceil, .upper, .lower, .trim, .length: 1...1
        case .year, .month, .day, .weekday, .hour, .minute, .second, .date: 1...1
        case .anyFieldContains: 1...1
        case .round: 1...2
        case .add, .subtract, .multiply, .divide, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: 2...2
        case .contains, .startsWith, .endsWith, .matches, .left, .right, .days: 2...2
        case .equalIgnoringCase, .containsIgnoringCase, .startsWithIgnoringCase, .endsWithIgnoringCase, .matchesIgnoringCase: 2...2
        case .mid, .replace, .choose: 3...3
        case .and, .or, .isIn, .firstFilled, .concat: 2...1_000_000
        }
    }

    /// The same function without regard to case; `nil` when there is none.
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

    /// Whether the function tells if something holds, by comparing its arguments or by combining what they tell.
    public var isCondition: Bool {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .isEmpty, .and, .or, .not: true
        case .contains, .startsWith, .endsWith, .matches, .anyFieldContains: true
        case .equalIgnoringCase, .containsIgnoringCase, .startsWithIgnoringCase, .endsWithIgnoringCase, .matchesIgnoringCase: true
        default: false
        }
    }

    /// Whether the second argument can only be a text constant.
    public var needsConstant: Bool {
        switch self {
        case .matches, .equalIgnoringCase, .containsIgnoringCase, .startsWithIgnoringCase, .endsWithIgnoringCase, .matchesIgnoringCase: true
        default: false
        }
    }

    /// Whether a number, a date or a text in double quotes right behind it is read as a text.
    var readsText: Bool { needsConstant || [.contains, .startsWith, .endsWith].contains(self) }

    /// The sign or words between the arguments; `nil` for what is written otherwise.
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

    /// How strongly the operator binds its arguments; functions called by name bind strongest.
    var binding: Int {
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

    /// Reads a formula.
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

    /// Writes the formula with its fields by their numbers.
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
