/// The type of the value that a field contains as text.
///
/// A kind is a property of a whole column: it determines alignment, sort order and the available aggregates. Text that does not parse as
/// the kind of its column is marked as unreadable and never changed.
public enum ValueKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Any text.
    case text
    /// A 64-bit integer, optionally with thousands separators or the currency of its column.
    case integer
    /// A decimal number, optionally with an exponent, thousands separators, a percent sign or the currency of its column.
    case decimal
    /// A calendar date (ISO 8601, or an unambiguous national form).
    case date
    /// A date and a time of day, optionally with a time zone.
    case dateTime
    /// A time of day.
    case time
    /// A flag: true/false, yes/no, y/n, t/f.
    case flag

    /// True if values are numbers, which align at the decimal point and can be summed.
    public var isNumber: Bool { self == .integer || self == .decimal }
    /// True if values are dates or times, which have a chronological order.
    public var isTemporal: Bool { self == .date || self == .dateTime || self == .time }
}
