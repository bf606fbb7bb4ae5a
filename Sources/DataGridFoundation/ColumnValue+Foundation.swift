public import DataGrid
public import FieldValues

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Date: ColumnValue {
    /// The kind of a column of dates: a date with a time.
    public static var columnKind: ValueKind { .dateTime }
    /// The date and time in UTC, with milliseconds if they are not zero. Dates that ``isMissingColumnValue`` reports have no text.
    public var columnText: String {
        if isMissingColumnValue { return "" }
        return DateText.text(ofMicroseconds: Int64((timeIntervalSince1970 * 1_000).rounded()) * 1_000, kind: .dateTime)
    }
    /// True for NaN and for dates more than about 100,000 years from 1970. Such a date is shown as a missing value.
    public var isMissingColumnValue: Bool { !(timeIntervalSince1970.magnitude < 3.2e12) }
}

extension Decimal: ColumnValue {
    /// A decimal number.
    public static var columnKind: ValueKind { .decimal }
    /// The floating-point number nearest to the value.
    public var columnNumber: Double? { Double(description) }
    /// True for NaN, which is shown as a missing value.
    public var isMissingColumnValue: Bool { isNaN }
}

extension UUID: ColumnValue {
    /// Compares the texts of the two UUIDs.
    public func columnOrder(to other: UUID) -> Int {
        let (text, otherText) = (uuidString, other.uuidString)
        return text < otherText ? -1 : text == otherText ? 0 : 1
    }
}

extension URL: ColumnValue {
    /// The URL as text, which the cell shows.
    public var columnText: String { absoluteString }
    /// Compares the texts of the two URLs in natural order: `file9` comes before `file10`.
    public func columnOrder(to other: URL) -> Int { NaturalOrder.compare(absoluteString, other.absoluteString) }
}
