import DataGrid
import DataGridQuery
import DataGridTerminal
import TerminalSurface

extension AppPainter {
    /// Draws the prompt for a filter or formula, with an explanation or an error above it.
    /// - Returns: The position of the text cursor.
    func paintFormulaPrompt(_ prompt: FormulaPrompt, _ y: Int, on buffer: inout CellBuffer) -> (x: Int, y: Int) {
        let isFilter = prompt.purpose == .filter
        let label = isFilter ? "Filter: " : "New column: "
        let history = state.filterHistory.isEmpty || !isFilter ? [] : ["\(self.label(of: .previousFilter)) history"]
        let leave = promptHints(isFilter ? "apply" : "add")
        let hints = prompt.error == nil ? [history + leave, [shortPromptHints]] : [history + [leave[1]], [leave[1]]]
        let cursor = paintPrompt(label, prompt.field, hints: hints.map { $0.joined(separator: " · ") }, y, on: &buffer)
        guard y > 0 else { return cursor }
        let width = state.size.columns
        buffer.fill(TerminalRect(x: 0, y: y - 1, width: width, height: 1), style: theme.row.textStyle)
        guard let mistake = prompt.error else {
            let texts = explanations(prompt)
            let text = texts.first { DisplayWidth.of($0, limit: width) < width - 1 } ?? texts[texts.count - 1]
            write(text, x: 1, y: y - 1, width: width - 2, style: theme.hint, on: &buffer)
            return cursor
        }
        let style = prompt.isUnfinished ? theme.hint : theme.error
        // The position of the cursor shows how far the text is scrolled.
        let text = prompt.field.string
        let place = ErrorMarker.cells(of: mistake.place, in: text)
        let shown = cursor.x - DisplayWidth.of(String(prompt.field.text[..<prompt.field.cursor]))
        let column = min(max(label.count + 1, shown + place.column), max(0, width - 2))
        let marks = String(repeating: "^", count: max(1, min(place.width, DisplayWidth.of(text, limit: width), width - column - 1)))
        let behind = column + marks.count + 1
        let wide = DisplayWidth.of(mistake.message, limit: width)
        let isBefore = behind + wide >= width && column >= wide + 2
        let message = isBefore ? mistake.message : Message.fitting(mistake.message, width: width - behind - 1)
        if isBefore || DisplayWidth.of(message, limit: width) < width - behind {
            write(marks, x: column, y: y - 1, width: width - column, style: style, on: &buffer)
            let start = isBefore ? column - wide - 1 : behind
            write(message, x: start, y: y - 1, width: width - start - 1, style: style, on: &buffer)
            return cursor
        }
        // Without room beside the marks, the message is in the lines above them.
        let room = max(1, width - 2)
        let lines = TextWrap.lines(Message.fitting(mistake.message, width: 2 * room), width: room)
        guard lines.count <= min(3, y - 1) else {
            write(Message.fitting(mistake.message, width: room), x: 1, y: y - 1, width: room, style: style, on: &buffer)
            return cursor
        }
        write(marks, x: column, y: y - 1, width: width - column, style: style, on: &buffer)
        let top = y - 1 - lines.count
        buffer.fill(TerminalRect(x: 0, y: top, width: width, height: lines.count), style: theme.row.textStyle)
        for (n, line) in lines.enumerated() { write(line, x: 1, y: top + n, width: room, style: style, on: &buffer) }
        return cursor
    }

    /// Explanations of the typed text, the longest first; examples while nothing is typed.
    private func explanations(_ prompt: FormulaPrompt) -> [String] {
        if prompt.purpose == .derivation {
            return [
                "name = formula, as in total = price * quantity · + - * / · = < and or · if round abs length upper year month …",
                "name = formula, as in total = price * quantity", "name = formula",
            ]
        }
        if let bare = prompt.bareText { return ["Rows that contain “\(bare)”."] }
        if !prompt.field.text.allSatisfy({ $0 == " " }) { return [""] }
        return [
            "column > 100 · = 'text' · ~ 'regex' · contains 'text' · in (1, 2) · is empty · and or not ( ) · or a word to find in any cell",
            "column > 1 · = 'text' · ~ 'regex' · contains · in (…) · or a word to find in any cell",
            "a condition, or a word to find in any cell",
        ]
    }
}
