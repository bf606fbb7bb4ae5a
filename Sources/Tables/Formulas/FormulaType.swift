package import FieldValues

/// The type of the values that a formula returns or that a function takes as an argument.
package enum FormulaType: Hashable, Sendable, CaseIterable {
    case number, text, flag, date, dateTime, time

    package init(_ kind: ValueKind) {
        switch kind {
        case .integer, .decimal: self = .number
        case .text: self = .text
        case .flag: self = .flag
        case .date: self = .date
        case .dateTime: self = .dateTime
        case .time: self = .time
        }
    }

    package var isDateOrTime: Bool { self == .date || self == .dateTime || self == .time }
}
