public import DataGrid
import FieldValues
import TerminalSurface

extension ValueText {
    /// A value in the format of its column; `nil` for items other than values.
    static func display(_ item: CellItem, in column: Column) -> String? {
        switch item {
        case .number(let value): return number(value, in: column)
        case .integer(let value):
            guard column.format.groupsThousands else { return aligned(String(value), in: column) }
            return NumberText.grouped(String(value), column.notation, fractionDigits: column.format.reservedFractionDigits)
        case .dateTime(let microseconds, let kind):
            if let pattern = column.format.datePattern { return DateText.text(ofMicroseconds: microseconds, pattern: pattern) }
            return DateText.text(ofMicroseconds: microseconds, kind: kind)
        case .flag(let isSet): return isSet ? "✓" : "✗"
        case .styled: return item.plainText
        case .text, .icon, .bar, .sparkline: return nil
        }
    }

    /// A number with the fraction digits of the format or, by default, with the shortest exact representation.
    private static func number(_ value: Double, in column: Column) -> String {
        let format = column.format
        if format.isPercentage {
            let text = NumberText.text(of: value, column.notation, maximumFractionDigits: 40, groupsThousands: false)
            return percentage(text, in: column) ?? text
        }
        let digits = format.fractionDigits ?? 0...20
        let text = NumberText.text(
            of: value, column.notation, maximumFractionDigits: digits.upperBound, minimumFractionDigits: digits.lowerBound)
        guard value.isFinite, value.magnitude < 1e21 else { return text }
        let separator = Character(Unicode.Scalar(column.notation.groupSeparator))
        return aligned(format.groupsThousands ? text : String(text.filter { $0 != separator }), in: column)
    }

    /// The percentage of a fraction in plain digits; `nil` if `text` is not a plain number.
    static func percentage(_ text: String, in column: Column) -> String? {
        let (format, room) = (column.format, column.format.reservedFractionDigits)
        return NumberText.percentage(
            text, column.notation, fractionDigits: format.fractionDigits ?? room...room, groupsThousands: format.groupsThousands)
    }

    /// Pads at the right, so that decimal separators align.
    static func aligned(_ text: String, in column: Column) -> String {
        let room = column.format.reservedFractionDigits
        guard room > 0 else { return text }
        let sign = Character(Unicode.Scalar(column.notation.decimalSeparator))
        let fractionWidth = text.lastIndex(of: sign).map { text.distance(from: $0, to: text.endIndex) } ?? 0
        return text + String(repeating: " ", count: max(0, room + 1 - fractionWidth))
    }

    /// The width of `content` in `column`, in terminal cells, up to `limit`. A bar takes eight cells, plus a space and its text if the text
    /// is next to it; a chart takes one cell for each number.
    public static func width(of content: CellContent, in column: Column, limit: Int) -> Int {
        let width: Int
        switch content.item {
        case .icon(let icon): width = DisplayWidth.of(icon.glyph, limit: limit)
        case .sparkline(let line): width = line.values.count
        case .bar(let bar):
            let text = DisplayWidth.of(bar.text, limit: limit)
            let isBeside = bar.textPosition == .beside && (text > 0 || bar.textWidth > 0)
            width = isBeside ? 9 + max(text, bar.textWidth) : max(8, text)
        case .text, .styled, .number, .integer, .dateTime, .flag: width = DisplayWidth.of(display(content, in: column), limit: limit)
        }
        return min(width, limit)
    }
}
