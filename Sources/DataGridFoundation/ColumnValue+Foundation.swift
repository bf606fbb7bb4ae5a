public import DataGrid
public import FieldValues

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Date: ColumnValue {
    /// A date and time.
    public static var columnKind: ValueKind { .dateTime }
    /// The date and time in UTC, with milliseconds if there are any; empty if ``isMissingColumnValue``.
    public var columnText: String {
        if isMissingColumnValue { return "" }
        return DateText.text(ofMicroseconds: Int64((timeIntervalSince1970 * 1_000).rounded()) * 1_000, kind: .dateTime)
    }
    /// True for dates more than 100,000 years from 1970, which have no text.
    public var isMissingColumnValue: Bool { !(timeIntervalSince1970.magnitude < 3.2e12) }
}

extension Decimal: ColumnValue {
    /// A decimal number.
    public static var columnKind: ValueKind { .decimal }
    /// The nearest floating-point number.
    public var columnNumber: Double? { Double(description) }
    /// True for NaN.
    public var isMissingColumnValue: Bool { isNaN }
}

extension UUID: ColumnValue {
    /// The order of the text.
    public func columnOrder(to other: UUID) -> Int {
        let (text, otherText) = (uuidString, other.uuidString)
        return text < otherText ? -1 : text == otherText ? 0 : 1
    }
}

extension URL: ColumnValue {
    /// The text of the URL.
    public var columnText: String { absoluteString }
    /// Natural order of the text.
    public func columnOrder(to other: URL) -> Int { NaturalOrder.compare(absoluteString, other.absoluteString) }
}
