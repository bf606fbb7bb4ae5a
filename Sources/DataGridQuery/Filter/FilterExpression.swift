import FieldValues
import Tables

/// A condition prepared for execution: a tree of typed comparisons that refer to columns by index.
indirect enum FilterExpression: Sendable, Hashable {
    case all([FilterExpression])
    case any([FilterExpression])
    case not(FilterExpression)
    case compare(FilterValue, FilterComparison, FilterValue)
    case isOneOf(FilterValue, [FilterNumber])
    case compareTexts(FilterText, FilterComparison, FilterText)
    case textIsOneOf(column: Int, [String])
    case test(FilterTextTest, column: Int, String, ignoresCase: Bool)
    case matches(column: Int, FilterPattern)
    case isEmpty(column: Int)
    /// True for a null or missing field.
    case isNull(column: Int)
    case anyFieldContains(String)
    /// A condition that needs the evaluation of a formula.
    case computed(FilterFormula)

    /// The conditions that must all be true, if this is a conjunction; otherwise only this condition.
    var conjuncts: [FilterExpression] { if case .all(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] } }
}

/// A formula used as a condition. Two conditions are equal if their formulas and the kinds of their fields are equal.
struct FilterFormula: Sendable, Hashable {
    private let formula: Formula
    private let fields: [Field?]
    let program: FormulaProgram

    /// - Precondition: type checks of the formula with this schema have passed.
    init(_ formula: Formula, _ schema: Schema) {
        self.formula = formula
        fields = formula.fields.map { schema[$0] }
        program = FormulaProgram(formula, schema)
    }

    static func == (a: FilterFormula, b: FilterFormula) -> Bool { a.formula == b.formula && a.fields == b.fields }

    func hash(into hasher: inout Hasher) { hasher.combine(formula) }
}

enum FilterComparison: UInt8, Sendable, Hashable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

    /// The result of the comparison, from the relation of the left value to the right one. If one of the two values is NaN, all three
    /// parameters are false.
    @inline(__always)
    func matches(isLess: Bool, isEqual: Bool, isGreater: Bool) -> Bool {
        switch self {
        case .equal: isEqual
        case .notEqual: !isEqual
        case .less: isLess
        case .lessOrEqual: isLess || isEqual
        case .greater: isGreater
        case .greaterOrEqual: isGreater || isEqual
        }
    }
}

enum FilterTextTest: UInt8, Sendable, Hashable {
    case equals, contains, startsWith, endsWith
}

/// One side of a comparison of strings.
enum FilterText: Sendable, Hashable {
    case column(Int)
    case literal(String)
}

/// One side of a comparison of values.
enum FilterValue: Sendable, Hashable, BitwiseCopyable {
    case column(Int, ComparisonType)
    case literal(FilterNumber)
}

/// How a comparison reads the values of a field. Every value becomes a number.
enum ComparisonType: Sendable, Hashable {
    case number(DecimalStyle)
    /// Microseconds since 1970, at midnight.
    case date(DateNotation = .iso)
    case dateTime(DateNotation = .iso)
    /// Microseconds since midnight.
    case time
    /// 1 for true, 0 for false.
    case flag

    /// The type for a comparison with the values of a column; `nil` if the column is compared as strings.
    init?(_ field: Field) {
        switch field.kind {
        case .text: return nil
        case .integer, .decimal: self = .number(field.notation)
        case .date: self = .date(field.dateNotation)
        case .dateTime: self = .dateTime(field.dateNotation)
        case .time: self = .time
        case .flag: self = .flag
        }
    }

    var isNumber: Bool { if case .number = self { true } else { false } }
    var isTemporal: Bool {
        switch self {
        case .date, .dateTime, .time: true
        case .number, .flag: false
        }
    }

    /// For a date, the type of a date with a time, in which a date stands for its midnight. Otherwise the same type.
    var withTime: ComparisonType { if case .date(let notation) = self { .dateTime(notation) } else { self } }

    /// The number that a field represents; ``FilterNumber/none`` if the field cannot be read as this kind.
    @inline(__always)
    func value(of field: FieldBytes) -> FilterNumber {
        switch self {
        case .number(let notation): return Self.number(field, notation)
        case .date(let notation): return field.temporal(.date, notation).map { .integer($0) } ?? .none
        case .dateTime(let notation): return field.temporal(.dateTime, notation).map { .integer($0) } ?? .none
        case .time: return field.temporal(.time).map { .integer($0) } ?? .none
        case .flag: return field.flag().map { .integer($0 ? 1 : 0) } ?? .none
        }
    }

    @inline(__always)
    private static func number(_ field: FieldBytes, _ notation: DecimalStyle) -> FilterNumber {
        // A plain number, the most common case, is read fastest.
        if let plain = FixedPoint.read(field, notation) { return FilterNumber(plain.mantissa, digits: plain.digits) }
        if let integer = field.integer(notation) { return .integer(integer) }
        return FilterNumber(field, notation)
    }

    /// The number that a string represents; `nil` if the string cannot be read as this kind.
    func value(of text: String) -> FilterNumber? {
        let value = FieldBytes.withBytes(of: text) { self.value(of: $0) }
        return value.isNaN ? nil : value
    }
}
