/// How dates are written in a column.
///
/// A notation is a property of a whole column, because a single `01/02/2024` is ambiguous, and `20240102` may be a number. Unambiguous
/// dates, such as `2024-01-02` and `2 Jan 2024`, are read in every notation.
public enum DateNotation: String, Sendable, Hashable, Codable, CaseIterable, BitwiseCopyable {
    /// Unambiguous dates only, such as `2024-01-02` and `2 Jan 2024`.
    case iso
    /// The day before the month: `24/01/2022`, `24-01-2022`, `24/01/22`.
    case dayFirst = "dmy"
    /// The month before the day: `01/24/2022`, `01-24-2022`, `01/24/22`.
    case monthFirst = "mdy"
    /// Digits only: `20220124`, also with a time: `20220124T1022`, `20220124T102204`.
    case digits = "ymd"
    /// Seconds since 1970-01-01T00:00Z. A fraction is allowed.
    case epochSeconds = "epoch"
    /// Milliseconds since 1970-01-01T00:00Z, without a fraction.
    case epochMilliseconds = "epoch-ms"

    /// True if dates are written as numbers.
    public var isNumber: Bool { self == .digits || isEpoch }

    /// True if dates are written as the time since 1970.
    package var isEpoch: Bool {
        switch self {
        case .epochSeconds, .epochMilliseconds: true
        case .iso, .dayFirst, .monthFirst, .digits: false
        }
    }

    /// The notation with the opposite order of day and month; `nil` if the notation does not specify their order.
    public var swappingDayAndMonth: DateNotation? {
        switch self {
        case .dayFirst: .monthFirst
        case .monthFirst: .dayFirst
        case .iso, .digits, .epochSeconds, .epochMilliseconds: nil
        }
    }
}
