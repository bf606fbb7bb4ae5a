public import DataGrid
import FieldValues

/// How values are written in cells: for the eye only. The value itself is never changed.
public enum ValueText {
    /// The text of a cell of `column`.
    public static func display(_ content: CellContent, in column: Column) -> String {
        guard content.condition == .value else { return content.text }
        switch column.kind {
        case .integer, .decimal:
            guard column.format.groupsThousands else { return content.text }
            return NumberText.grouped(content.text, column.notation, fractionDigits: column.format.fractionDigits) ?? content.text
        case .dateTime:
            return DateText.text(of: content.text, kind: .dateTime) ?? content.text
        case .flag:
            return flag(content.text) ?? content.text
        case .text, .date, .time:
            return content.text
        }
    }

    private static func flag(_ text: String) -> String? {
        FieldBytes.withBytes(of: text) { $0.flag() }.map { $0 ? "✓" : "✗" }
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
        case .flag: "✓✗"
        }
    }

    /// A count with its thousands grouped.
    public static func count(_ number: Int) -> String {
        NumberText.grouped(String(number), fractionDigits: 0) ?? String(number)
    }
}
