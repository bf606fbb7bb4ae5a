public import DataGrid
import FieldValues
import TerminalSurface

/// How values are written in cells: for the eye only. The value itself is never changed.
public enum ValueText {
    /// The text of a cell of `column`.
    public static func display(_ content: CellContent, in column: Column) -> String {
        guard content.condition == .value else { return content.text }
        guard content.isText else { return display(content.item, in: column) ?? content.text }
        switch column.kind {
        case .integer, .decimal:
            let format = column.format
            let text =
                format.isFixed
                ? NumberText.rounded(content.text, column.notation, fractionDigits: format.fractionDigits) ?? content.text : content.text
            guard format.groupsThousands else { return text }
            return NumberText.grouped(text, column.notation, fractionDigits: format.fractionDigits) ?? text
        case .date, .dateTime, .time:
            if let pattern = column.format.datePattern {
                return DateText.text(of: content.text, kind: column.kind, pattern: pattern) ?? content.text
            }
            guard column.kind == .dateTime else { return content.text }
            return DateText.text(of: content.text, kind: .dateTime) ?? content.text
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

    /// What the header says about a column's type.
    public static func typeName(_ column: Column) -> String {
        switch column.kind {
        case .text: "text"
        case .integer: "123"
        case .decimal: (column.notation == .point ? "1." : "1,") + "23456789".prefix(max(1, min(column.format.fractionDigits, 4)))
        case .date: "date"
        case .dateTime: "date time"
        case .time: "time"
        case .flag: column.flagMarks == .none ? "yes/no" : "✓✗"
        }
    }

    /// The terminal cells that the header of a column wants, up to `limit`: its title with what stands beside it and room for a sort badge,
    /// or its type where that is shown.
    public static func headerWidth(of column: Column, limit: Int, showsType: Bool = true) -> Int {
        var title = DisplayWidth.of(column.title, limit: limit) + 2
        if column.accessory != .none { title += 2 }
        if case .icon(let icon) = column.headerItem?.item { title += DisplayWidth.of(icon.glyph, limit: limit) + 1 }
        return min(limit, max(title, showsType ? DisplayWidth.of(typeName(column), limit: limit) : 0))
    }

    /// A count with its thousands grouped.
    public static func count(_ number: Int) -> String { NumberText.count(number) }
}
