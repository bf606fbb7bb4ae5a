import FieldValues
import Tables

extension FormulaType {
    var kind: ValueKind {
        switch self {
        case .number: .decimal
        case .text: .text
        case .flag: .flag
        case .date: .date
        case .dateTime: .dateTime
        case .time: .time
        }
    }

    /// The name of the type with an article, for error messages.
    var description: String {
        switch self {
        case .number: "a number"
        case .text: "text"
        case .flag: "true or false"
        case .date: "a date"
        case .dateTime: "a date and time"
        case .time: "a time"
        }
    }
}

/// The error for an argument that has a wrong type.
struct TypeMismatch: Error {
    var argument: Int
    var message: String
}

extension Formula.Function {
    /// The type of the result of the function for arguments of the given types.
    ///
    /// A text field is accepted as a number, a date or a flag, because its strings may have that form. Any type is accepted as text.
    func type(of types: [FormulaType], areTextFields: [Bool]) throws(TypeMismatch) -> FormulaType {
        func expect(_ expected: FormulaType, _ argument: Int) throws(TypeMismatch) {
            guard types[argument] != expected, expected != .text, !areTextFields[argument] else { return }
            throw TypeMismatch(argument: argument, message: "Expected \(expected.description), not \(types[argument].description).")
        }
        func expectDateOrTime(_ argument: Int, withDate: Bool, withTime: Bool) throws(TypeMismatch) {
            let type = types[argument]
            if areTextFields[argument] || type == .dateTime || type == .date && withDate || type == .time && withTime { return }
            let expected = withDate ? "a date" : "a time"
            throw TypeMismatch(argument: argument, message: "Expected \(expected), not \(type.description).")
        }
        switch self {
        case .subtract where types.allSatisfy({ $0 == .date || $0 == .dateTime }):
            throw TypeMismatch(
                argument: 0,
                message: "Expected a number, not \(types[0].description). For the days from date a to date b, write days(a, b).")
        case .add, .subtract, .multiply, .divide, .negate, .abs, .round, .floor, .ceil:
            for argument in types.indices {
                if self == .add, types[argument] == .text, !areTextFields[argument] {
                    throw TypeMismatch(
                        argument: argument, message: "Expected a number, not text. To join text, write concat(a, b).")
                }
                try expect(.number, argument)
            }
            return .number
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn:
            for argument in types.indices.dropFirst() {
                if Self.comparedType(types[0], types[argument], areTextFields[0], areTextFields[argument]) != nil { continue }
                throw TypeMismatch(
                    argument: argument,
                    message: "Cannot compare \(types[0].description) with \(types[argument].description).")
            }
            return .flag
        case .isEmpty, .isNull, .contains, .startsWith, .endsWith, .matches, .anyFieldContains: return .flag
        case .equalIgnoringCase, .containsIgnoringCase, .startsWithIgnoringCase, .endsWithIgnoringCase, .matchesIgnoringCase: return .flag
        case .and, .or, .not:
            for argument in types.indices { try expect(.flag, argument) }
            return .flag
        case .upper, .lower, .trim, .replace, .concat, .json: return .text
        case .length: return .number
        case .left, .right, .mid:
            for argument in types.indices.dropFirst() { try expect(.number, argument) }
            return .text
        case .year, .month, .day, .weekday:
            try expectDateOrTime(0, withDate: true, withTime: false)
            return .number
        case .hour, .minute, .second:
            try expectDateOrTime(0, withDate: false, withTime: true)
            return .number
        case .date:
            try expectDateOrTime(0, withDate: true, withTime: false)
            return .date
        case .days:
            for argument in types.indices { try expectDateOrTime(argument, withDate: true, withTime: false) }
            return .number
        case .conditional:
            try expect(.flag, 0)
            return Set(types.dropFirst()).count == 1 ? types[1] : .text
        case .coalesce: return Set(types).count == 1 ? types[0] : .text
        }
    }

    /// The type in which two values are compared; `nil` if they cannot be compared.
    static func comparedType(_ a: FormulaType, _ b: FormulaType, _ isTextFieldA: Bool, _ isTextFieldB: Bool) -> FormulaType? {
        if a == b { return a }
        if a.isDateOrTime, b.isDateOrTime { return a == .time || b == .time ? nil : .dateTime }
        if isTextFieldA { return b == .date ? .dateTime : b }
        if isTextFieldB { return a == .date ? .dateTime : a }
        return nil
    }
}
