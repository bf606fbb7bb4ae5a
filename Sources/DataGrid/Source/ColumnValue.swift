public import FieldValues

/// A value that a column of an ``ObjectSource`` shows, sorts and sums.
///
/// Text, integers, floating-point numbers, Booleans and optionals of all values conform. `DataGridFoundation` adds `Date`, `Decimal`,
/// `UUID` and `URL`. Two kinds of types get all members by default: `RawRepresentable` types whose raw value conforms, and types that are
/// `Comparable` and `CustomStringConvertible`.
///
/// ```swift
/// enum Side: String, ColumnValue { case buy, sell }
/// ```
public protocol ColumnValue {
    /// The type of the column's values, which determines alignment and format. By default, it is text.
    static var columnKind: ValueKind { get }
    /// The text of a value that is not missing, in a form that the grid can parse as ``columnKind``.
    var columnText: String { get }
    /// The value as a number, for sums and means; `nil` if it is not a number, as by default.
    var columnNumber: Double? { get }
    /// True if the value is missing, such as `nil`. The cell is then blank, and its row is sorted last. False by default.
    var isMissingColumnValue: Bool { get }
    /// Returns a negative number if this value comes before `other`, 0 if they are equal, and a positive number if it comes after `other`.
    /// The method is not called for missing values.
    func columnOrder(to other: Self) -> Int
    /// Returns true if both values certainly have the same text. If it returns false, as by default, the grid compares their texts.
    func hasSameColumnText(as other: Self) -> Bool
}

extension ColumnValue {
    /// The kind `text`, which is the default.
    public static var columnKind: ValueKind { .text }
    /// `nil`: by default, values are not numbers.
    public var columnNumber: Double? { nil }
    /// False: by default, values are not missing.
    public var isMissingColumnValue: Bool { false }
    /// False by default, so that the grid compares the texts of the values.
    public func hasSameColumnText(as other: Self) -> Bool { false }
}

extension ColumnValue where Self: Comparable {
    /// Compares the values with `<` and `==`. Returns −1, 0 or 1.
    public func columnOrder(to other: Self) -> Int { self < other ? -1 : self == other ? 0 : 1 }
}

extension ColumnValue where Self: CustomStringConvertible {
    /// The `description` of the value.
    public var columnText: String { description }
}

extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
    /// The kind of the raw value.
    public static var columnKind: ValueKind { RawValue.columnKind }
    /// The text of the raw value.
    public var columnText: String { rawValue.columnText }
    /// The raw value as a number; `nil` if it is not a number.
    public var columnNumber: Double? { rawValue.columnNumber }
    /// True if the raw value is missing.
    public var isMissingColumnValue: Bool { rawValue.isMissingColumnValue }
    /// Compares the raw values. Returns a negative number, 0 or a positive number.
    public func columnOrder(to other: Self) -> Int { rawValue.columnOrder(to: other.rawValue) }
}

extension ColumnValue where Self: RawRepresentable & Comparable, RawValue: ColumnValue {
    /// Compares the values with `<` and `==`. Returns −1, 0 or 1.
    public func columnOrder(to other: Self) -> Int { self < other ? -1 : self == other ? 0 : 1 }
}

extension ColumnValue where Self: RawRepresentable & CustomStringConvertible, RawValue: ColumnValue {
    /// The kind `text`.
    public static var columnKind: ValueKind { .text }
    /// The `description` of the value.
    public var columnText: String { description }
    /// `nil`: the value is not a number.
    public var columnNumber: Double? { nil }
}

extension ColumnValue where Self: BinaryInteger {
    /// The kind `integer`.
    public static var columnKind: ValueKind { .integer }
    /// The floating-point number nearest to the integer.
    public var columnNumber: Double? { Double(self) }
    /// True for equal integers.
    public func hasSameColumnText(as other: Self) -> Bool { self == other }
}

extension Int: ColumnValue {}
extension Int8: ColumnValue {}
extension Int16: ColumnValue {}
extension Int32: ColumnValue {}
extension Int64: ColumnValue {}
extension UInt: ColumnValue {}
extension UInt8: ColumnValue {}
extension UInt16: ColumnValue {}
extension UInt32: ColumnValue {}
extension UInt64: ColumnValue {}

extension Double: ColumnValue {
    /// The kind `decimal`.
    public static var columnKind: ValueKind { .decimal }
    /// The shortest decimal that represents the number; without an exponent from 1e-20 to 1e21.
    public var columnText: String {
        let text = description
        guard text.utf8.contains(UInt8(ascii: "e")), magnitude >= 1e-20, magnitude < 1e21 else { return text }
        return NumberText.text(of: self, maximumFractionDigits: 40, groupsThousands: false)
    }
    /// The number itself.
    public var columnNumber: Double? { self }
    /// True if the bits of both numbers are equal. The numbers 0 and -0 are equal, but have different text.
    public func hasSameColumnText(as other: Double) -> Bool { bitPattern == other.bitPattern }
    /// True for NaN, which cannot be compared with other numbers.
    public var isMissingColumnValue: Bool { isNaN }
}

extension Float: ColumnValue {
    /// The kind `decimal`.
    public static var columnKind: ValueKind { .decimal }
    /// The shortest decimal that represents the number; without an exponent from 1e-20 to 1e21.
    public var columnText: String { columnNumber?.columnText ?? description }
    /// The number as a `Double`: the one nearest to the shortest decimal of this value. 0.1 therefore stays 0.1.
    public var columnNumber: Double? { Double(description) }
    /// True for NaN, which cannot be compared with other numbers.
    public var isMissingColumnValue: Bool { isNaN }
}

extension String: ColumnValue {
    /// Compares the texts in natural order: `file2` comes before `file10`.
    public func columnOrder(to other: String) -> Int { NaturalOrder.compare(self, other) }
    /// True for equal texts.
    public func hasSameColumnText(as other: String) -> Bool { self == other }
}

extension Bool: ColumnValue {
    /// The kind `flag`.
    public static var columnKind: ValueKind { .flag }
    /// `true` or `false`.
    public var columnText: String { self ? "true" : "false" }
    /// Compares the values: false comes before true.
    public func columnOrder(to other: Bool) -> Int { (self ? 1 : 0) - (other ? 1 : 0) }
    /// True for equal values.
    public func hasSameColumnText(as other: Bool) -> Bool { self == other }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// The kind of the wrapped value.
    public static var columnKind: ValueKind { Wrapped.columnKind }
    /// The text of the wrapped value; empty for `nil`.
    public var columnText: String { self?.columnText ?? "" }
    /// The wrapped value as a number; `nil` if there is no value, or if it is not a number.
    public var columnNumber: Double? { self?.columnNumber }
    /// True for `nil`, and if the wrapped value is missing.
    public var isMissingColumnValue: Bool { self?.isMissingColumnValue ?? true }
    /// Compares the wrapped values; `nil` comes last.
    public func columnOrder(to other: Wrapped?) -> Int {
        guard let self, let other else { return (self == nil ? 1 : 0) - (other == nil ? 1 : 0) }
        return self.columnOrder(to: other)
    }
    /// True if both values certainly have the same text.
    public func hasSameColumnText(as other: Wrapped?) -> Bool {
        guard let self, let other else { return false }
        return self.hasSameColumnText(as: other)
    }
}

extension ColumnValue {
    /// The text of the value; `nil` if the value is missing.
    var textIfPresent: String? { isMissingColumnValue ? nil : columnText }

    /// Compares two values: negative if `a` comes first, 0 if they are equal, otherwise positive. Missing values are last, even in
    /// descending order.
    static func compare(_ a: Self, _ b: Self, _ isDescending: Bool) -> Int {
        let (isMissing, isOtherMissing) = (a.isMissingColumnValue, b.isMissingColumnValue)
        if isMissing || isOtherMissing { return (isMissing ? 1 : 0) - (isOtherMissing ? 1 : 0) }
        return isDescending ? b.columnOrder(to: a) : a.columnOrder(to: b)
    }

    /// Returns a function that compares two elements of `values`, given by their indices. The casts let the compiler specialize the
    /// function for frequent types.
    static func comparator(_ values: [Self], _ isDescending: Bool) -> (Int, Int) -> Int {
        if let values = values as? [Double] { return order(values, isDescending) }
        if let values = values as? [Int] { return order(values, isDescending) }
        if let values = values as? [String] { return order(values, isDescending) }
        return order(values, isDescending)
    }
}

private func order<Value: ColumnValue>(_ values: [Value], _ isDescending: Bool) -> (Int, Int) -> Int {
    { Value.compare(values[$0], values[$1], isDescending) }
}
