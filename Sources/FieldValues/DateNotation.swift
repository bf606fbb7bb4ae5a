/// The notation of the dates of a column.
///
/// A notation is a property of a whole column, because a single `01/02/2024` is ambiguous, and `20240102` may be a number. Unambiguous
/// dates, such as `2024-01-02` and `2 Jan 2024`, are read in every notation.
public enum DateNotation: String, Sendable, Hashable, Codable, CaseIterable, BitwiseCopyable {
    /// Unambiguous dates only, such as `2024-01-02` and `2 Jan 2024`.
    case iso
    /// `24/01/2022`, `24-01-2022`, `24/01/22`.
    case dayFirst = "dmy"
    /// `01/24/2022`, `01-24-2022`, `01/24/22`.
    case monthFirst = "mdy"
    /// `20220124`, also with a time: `20220124T1022`, `20220124T102204`.
    case digits = "ymd"
    /// Seconds since 1970-01-01T00:00Z, also with a fraction.
    case epochSeconds = "epoch"
    /// Milliseconds since 1970-01-01T00:00Z.
    case epochMilliseconds = "epoch-ms"

    /// True if dates are written as numbers.
    public var isNumber: Bool { self == .digits || isEpoch }

    /// True if dates are times since 1970.
    package var isEpoch: Bool {
        switch self {
        case .epochSeconds, .epochMilliseconds: true
        case .iso, .dayFirst, .monthFirst, .digits: false
        }
    }

    /// The notation with day and month swapped; `nil` for notations without day and month.
    public var swappingDayAndMonth: DateNotation? {
        switch self {
        case .dayFirst: .monthFirst
        case .monthFirst: .dayFirst
        case .iso, .digits, .epochSeconds, .epochMilliseconds: nil
        }
    }
}
