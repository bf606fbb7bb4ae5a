/// How numbers are written in a column: the decimal and thousands separators, and the unit.
///
/// A notation is a property of a whole column, because a single `1,500` is ambiguous.
public struct DecimalStyle: Sendable, Hashable, BitwiseCopyable {
    /// The byte of the decimal separator: a point or a comma.
    public let decimalSeparator: UInt8
    /// The unit in the fields of the column, such as `€`. A field with another currency does not parse as a number.
    public var unit: NumberUnit

    @usableFromInline
    init(decimalSeparator: UInt8, unit: NumberUnit = .none) { (self.decimalSeparator, self.unit) = (decimalSeparator, unit) }

    /// A decimal point and commas between thousands: `1,234.56`.
    @inlinable
    public static var point: DecimalStyle { DecimalStyle(decimalSeparator: 0x2E) }
    /// A decimal comma and points between thousands: `1.234,56`.
    @inlinable
    public static var comma: DecimalStyle { DecimalStyle(decimalSeparator: 0x2C) }

    /// The thousands separator.
    @inlinable
    public var groupSeparator: UInt8 { isComma ? 0x2E : 0x2C }

    /// True if the decimal separator is a comma.
    @inlinable
    public var isComma: Bool { decimalSeparator == 0x2C }

    /// The same separators without a unit.
    public var withoutUnit: DecimalStyle { with(.none) }

    /// The same separators with another unit.
    public func with(_ unit: NumberUnit) -> DecimalStyle { DecimalStyle(decimalSeparator: decimalSeparator, unit: unit) }
}

extension DecimalStyle: CaseIterable {
    /// The notations with a decimal point and a decimal comma, without a unit.
    public static var allCases: [DecimalStyle] { [.point, .comma] }

    /// The code of the separators in saved data: 0 for a decimal point, 1 for a decimal comma.
    public var rawValue: UInt8 { isComma ? 1 : 0 }

    /// Creates the notation, without a unit, that has this ``rawValue``; `nil` for an unknown value.
    public init?(rawValue: UInt8) {
        guard rawValue < 2 else { return nil }
        self = rawValue == 1 ? .comma : .point
    }
}

extension DecimalStyle {
    /// The notation as text: ``rawValue`` and, with a unit, its pattern, such as `0 €#`.
    package var code: String { unit == .none ? "\(rawValue)" : "\(rawValue) \(unit.pattern)" }

    /// Creates the notation with this ``code``; `nil` for other text.
    package init?(code: String) {
        let number: UInt8? = code.first.flatMap { $0 == "0" ? 0 : $0 == "1" ? 1 : nil }
        guard let style = number.flatMap({ DecimalStyle(rawValue: $0) }) else { return nil }
        let rest = code.dropFirst()
        guard !rest.isEmpty else {
            self = style
            return
        }
        guard rest.first == " ", let unit = NumberUnit(pattern: String(rest.dropFirst())) else { return nil }
        self = style.with(unit)
    }
}

extension DecimalStyle: Codable {
    /// Decodes ``rawValue`` or, with a unit, text such as `0 €#`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let number = try? container.decode(UInt8.self)
        guard let style = DecimalStyle(code: try number.map { "\($0)" } ?? container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is not a number notation.")
        }
        self = style
    }

    /// Encodes ``rawValue`` or, with a unit, text such as `0 €#`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if unit == .none { return try container.encode(rawValue) }
        try container.encode(code)
    }
}

extension DecimalStyle: CustomStringConvertible {
    /// The notation as text: `point` or `comma`, followed by the unit if there is one, as in `comma # €`.
    public var description: String { (isComma ? "comma" : "point") + (unit == .none ? "" : " \(unit.pattern)") }
}
