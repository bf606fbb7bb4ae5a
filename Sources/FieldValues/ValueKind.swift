/// What the text of a field means.
///
/// A kind is a property of a whole column: it decides alignment, the order that sorting uses and which aggregates make sense.
/// Text that cannot be read as the kind of its column stays what it is; it is shown as unreadable and never changed.
public enum ValueKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Anything; compared as text.
    case text
    /// A whole number of 64 bits, perhaps with thousands separators.
    case integer
    /// A decimal number, perhaps with an exponent, thousands separators or a percent sign.
    case decimal
    /// A calendar date (ISO 8601, or one of the unambiguous national forms).
    case date
    /// A date and a time of day, perhaps with a time zone.
    case dateTime
    /// A time of day.
    case time
    /// A truth value: true/false, yes/no, y/n, t/f.
    case flag

    /// Whether values are numbers, which align at the decimal point and can be summed.
    public var isNumber: Bool { self == .integer || self == .decimal }
    /// Whether values are points in time, which have an order of their own.
    public var isTemporal: Bool { self == .date || self == .dateTime || self == .time }
}
