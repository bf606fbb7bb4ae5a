import DataGrid
import DataGridTerminal
import TerminalSurface

/// One row as a form: every visible column with its whole value, wrapped.
struct RecordForm {
    struct Line: Equatable {
        /// The column's title on its first line, then nothing.
        var title: String
        var value: String
        var isMissing: Bool
    }

    let lines: [Line]
    let titleWidth: Int
    let valueWidth: Int

    /// - Parameters:
    ///   - width: of the page, in terminal cells.
    ///   - limit: how many lines are wanted; what follows them is not looked at.
    ///   - text: the whole text of a column's cell; `nil` when the row has none.
    init(_ columns: [Column], width: Int, limit: Int, text: (ColumnID) -> String?) {
        titleWidth = min(max(8, width / 3), max(4, columns.map { DisplayWidth.of($0.title, limit: 40) }.max() ?? 4))
        let room = max(1, width - titleWidth - 5)
        valueWidth = room
        var lines: [Line] = []
        for column in columns {
            guard lines.count < limit else { break }
            let text = text(column.id)
            let parts = text.map { TextWrap.lines($0, width: room, limit: limit) } ?? ["·"]
            for (n, part) in parts.enumerated() {
                lines.append(Line(title: n == 0 ? column.title : "", value: part, isMissing: text == nil))
            }
        }
        self.lines = lines
    }
}
