/// The format of the values of an ``ObjectColumn``.
///
/// ```swift
/// ObjectColumn("Price", \.price, format: .number(fractionDigits: 2))
/// ```
///
/// Without a format, the thousands of integers are not separated, because integers can be ids or years. Floating-point numbers have as many
/// fraction digits as the values need, from 0 to 6, and all cells of the column have the same number of digits. Sorting and editing use the
/// value itself.
public struct ColumnFormat<Value> {
    let format: ValueFormat
    let text: ((Value) -> String?)?

    /// Numbers with exactly `fractionDigits` decimals, rounded half away from zero.
    public static func number(fractionDigits: Int = 0, groupsThousands: Bool = true) -> ColumnFormat {
        number(fractionDigits: fractionDigits...fractionDigits, groupsThousands: groupsThousands)
    }

    /// Numbers with a minimum and a maximum number of decimals, rounded half away from zero and aligned at the decimal separator.
    ///
    /// With `1...3`, 2 is `2.0` and 0.0625 is `0.063`.
    public static func number(fractionDigits: ClosedRange<Int>, groupsThousands: Bool = true) -> ColumnFormat {
        ColumnFormat(format: ValueFormat(fractionDigits: fractionDigits, groupsThousands: groupsThousands), text: nil)
    }

    /// Fractions as percentages without decimals: 0.25 is `25%`.
    public static var percent: ColumnFormat { percent(fractionDigits: 0) }

    /// Fractions as percentages with exactly `fractionDigits` decimals: 0.125 is `12.5%` with 1.
    public static func percent(fractionDigits: Int) -> ColumnFormat {
        percent(fractionDigits: fractionDigits...fractionDigits)
    }

    /// Fractions as percentages with a minimum and a maximum number of decimals: 0.125 is `12.5%` with `0...2`.
    public static func percent(fractionDigits: ClosedRange<Int>) -> ColumnFormat {
        ColumnFormat(format: ValueFormat(fractionDigits: fractionDigits, isPercentage: true), text: nil)
    }

    /// Dates and times in a pattern, such as `yyyy-MM-dd` (see `DateText.text(ofMicroseconds:pattern:)`).
    public static func date(_ pattern: String) -> ColumnFormat { ColumnFormat(format: ValueFormat(datePattern: pattern), text: nil) }

    /// Values as the text that a closure returns. If the closure returns `nil`, the default text is used.
    public static func custom(_ text: @escaping (Value) -> String?) -> ColumnFormat {
        ColumnFormat(format: ValueFormat(groupsThousands: false), text: text)
    }
}
