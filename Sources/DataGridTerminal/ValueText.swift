public import DataGrid
import FieldValues
import TerminalSurface

/// Formats values for display. Values themselves do not change.
public enum ValueText {
    /// The text of a cell in the format of `column`.
    public static func display(_ content: CellContent, in column: Column) -> String {
        if content.condition == .null { return "null" }
        guard content.condition == .value else { return content.text }
        guard content.isText else { return display(content.item, in: column) ?? content.text }
        switch column.kind {
        case .integer, .decimal:
            let format = column.format
            if format.isPercentage { return percentage(content.text, in: column) ?? content.text }
            let rounded = format.fractionDigits.flatMap { NumberText.rounded(content.text, column.notation, fractionDigits: $0) }
            guard format.groupsThousands else { return rounded.map { aligned($0, in: column) } ?? content.text }
            let text = rounded ?? content.text
            return NumberText.grouped(text, column.notation, fractionDigits: format.reservedFractionDigits) ?? text
        case .date, .dateTime, .time:
            if let pattern = column.format.datePattern {
                return DateText.text(of: content.text, kind: column.kind, notation: column.dateNotation, pattern: pattern) ?? content.text
            }
            // Dates and times of day are shown as written, except dates that are written as seconds or milliseconds since 1970.
            guard column.kind == .dateTime || (column.kind == .date && column.dateNotation.isEpoch) else { return content.text }
            return DateText.text(of: content.text, kind: column.kind, notation: column.dateNotation) ?? content.text
        case .flag:
            return flag(content.text, column.flagMarks) ?? content.text
        case .text:
            return content.text
        }
    }

    private static func flag(_ text: String, _ marks: FlagMarks) -> String? {
        let isMarked =
            switch marks {
            case .everyWord: true
            case .trueAndFalse: text == "true" || text == "false"
            case .none: false
            }
        return isMarked ? FieldBytes.withBytes(of: text) { $0.flag() }.map { $0 ? "✓" : "✗" } : nil
    }

    /// The type name of a column in the header.
    public static func typeName(_ column: Column) -> String {
        switch column.kind {
        case .text: "text"
        case .integer: "int"
        case .decimal: "dec"
        case .date: dateName(column) ?? "date"
        case .dateTime: dateName(column).map { "\($0) time" } ?? "date time"
        case .time: "time"
        case .flag: "bool"
        }
    }

    /// The order of day and month, with a question mark if it is a guess; `nil` if dates have no such order.
    private static func dateName(_ column: Column) -> String? {
        switch column.dateNotation {
        case .dayFirst: column.hasAmbiguousDates ? "d/m/y?" : "d/m/y"
        case .monthFirst: column.hasAmbiguousDates ? "m/d/y?" : "m/d/y"
        case .iso, .digits, .epochSeconds, .epochMilliseconds: nil
        }
    }

    /// The width of a column header in terminal cells, up to `limit`. It is the width of the title with icon and accessory or, if the
    /// header shows a type name that is wider, the width of the type name. A sort badge does not count, because it can use the space after
    /// the column.
    public static func headerWidth(of column: Column, limit: Int, showsType: Bool = true) -> Int {
        var title = DisplayWidth.of(column.title, limit: limit)
        if column.accessory != .none { title += 2 }
        if case .icon(let icon) = column.headerItem?.item { title += DisplayWidth.of(icon.glyph, limit: limit) + 1 }
        return min(limit, max(title, showsType ? DisplayWidth.of(typeName(column), limit: limit) : 0))
    }

    /// A number with grouped thousands.
    public static func count(_ number: Int) -> String { NumberText.count(number) }
}
