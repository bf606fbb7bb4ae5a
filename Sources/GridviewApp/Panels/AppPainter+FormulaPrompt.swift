import DataGrid
import DataGridQuery
import DataGridTerminal
import FieldValues
import TerminalSurface

extension AppPainter {
    /// Draws the prompt for a filter, a formula or a pivot table, with an explanation or an error in the lines above it.
    /// - Returns: The position of the text cursor, and the first line that the prompt covers.
    func paintFormulaPrompt(
        _ prompt: FormulaPrompt, _ y: Int, on buffer: inout CellBuffer
    ) -> (cursor: (x: Int, y: Int), top: Int) {
        let (label, action) =
            switch prompt.purpose {
            case .filter: ("Filter: ", "apply")
            case .derivation: ("New column: ", "add")
            case .pivot: ("Pivot: ", "open")
            }
        let hasHistory = prompt.purpose == .filter && !state.filterHistory.isEmpty
        let history = hasHistory ? ["\(self.label(of: .previousFilter)) history"] : []
        let endHints = promptHints(action)
        let complete = prompt.candidates == nil ? [] : ["\(self.label(of: .nextCompletion)) complete"]
        let hints =
            prompt.error == nil
            ? [complete + history + endHints, history + endHints, [shortPromptHints]]
            : [complete + history + [endHints[1]], history + [endHints[1]], [endHints[1]]]
        let cursor = paintPrompt(label, prompt.field, hints: hints.map { $0.joined(separator: " · ") }, y, on: &buffer)
        guard y > 0 else { return (cursor, y) }
        let width = state.size.columns
        buffer.fill(TerminalRect(x: 0, y: y - 1, width: width, height: 1), style: theme.row.textStyle)
        guard let error = prompt.error else {
            let texts = explanations(prompt)
            let text = texts.first { DisplayWidth.of($0, limit: width) < width - 1 } ?? texts[texts.count - 1]
            write(text, x: 1, y: y - 1, width: width - 2, style: theme.hint, on: &buffer)
            guard let hint = prompt.hint, y > 1 else { return (cursor, y - 1) }
            buffer.fill(TerminalRect(x: 0, y: y - 2, width: width, height: 1), style: theme.row.textStyle)
            write(Message.fitting(hint.message, width: width - 2), x: 1, y: y - 2, width: width - 2, style: theme.hint, on: &buffer)
            return (cursor, y - 2)
        }
        let style = prompt.isUnfinished ? theme.hint : theme.error
        // `shown` is the screen column of the first character of the text. It is negative if long text is scrolled.
        let text = prompt.field.string
        let marked = ErrorMarker.cells(of: error.range, in: text)
        let shown = cursor.x - DisplayWidth.of(String(prompt.field.text[..<prompt.field.cursor]))
        let column = min(max(label.count + 1, shown + marked.column), max(0, width - 2))
        let marks = String(repeating: "^", count: max(1, min(marked.width, DisplayWidth.of(text, limit: width), width - column - 1)))
        let textStart = column + marks.count + 1
        let textWidth = DisplayWidth.of(error.message, limit: width)
        let isBefore = textStart + textWidth >= width && column >= textWidth + 2
        // If the error message does not fit after the marks under the error, write it in the lines above them. Write the first sentences
        // after the marks only if the screen has too few lines, because the last sentence is the advice.
        let room = max(1, width - 2)
        let lines = TextWrap.lines(Message.fitting(error.message, width: 2 * room), width: room)
        let hasRoomAbove = lines.count <= min(3, y - 1)
        let isAfter = textStart + textWidth < width
        let message = isBefore || isAfter || hasRoomAbove ? error.message : Message.fitting(error.message, width: width - textStart - 1)
        if isBefore || isAfter || !hasRoomAbove && DisplayWidth.of(message, limit: width) < width - textStart {
            write(marks, x: column, y: y - 1, width: width - column, style: style, on: &buffer)
            let start = isBefore ? column - textWidth - 1 : textStart
            write(message, x: start, y: y - 1, width: width - start - 1, style: style, on: &buffer)
            return (cursor, y - 1)
        }
        guard hasRoomAbove else {
            write(Message.fitting(error.message, width: room), x: 1, y: y - 1, width: room, style: style, on: &buffer)
            return (cursor, y - 1)
        }
        write(marks, x: column, y: y - 1, width: width - column, style: style, on: &buffer)
        let top = y - 1 - lines.count
        buffer.fill(TerminalRect(x: 0, y: top, width: width, height: lines.count), style: theme.row.textStyle)
        for (n, line) in lines.enumerated() { write(line, x: 1, y: top + n, width: room, style: style, on: &buffer) }
        return (cursor, top)
    }

    /// The maximum number of lines for suggested completions.
    private static let candidateLines = 8

    /// Draws suggestions that complete the word at the cursor, in the lines above `y`, if the screen has room for them.
    func paintCandidates(_ prompt: FormulaPrompt, above y: Int, cursor: Int, on buffer: inout CellBuffer) {
        guard let candidates = prompt.candidates, y > layout.gridY + 5, state.size.columns > 4 else { return }
        let lineCount = min(candidates.all.count, Self.candidateLines, y - layout.gridY - 4)
        let first = max(0, (candidates.selected ?? 0) - lineCount + 1)
        let shown = candidates.all[first..<min(candidates.all.count, first + lineCount)].map { candidate in
            (text: candidate.text, count: candidate.count.map { ValueText.count($0) } ?? "")
        }
        let more = candidates.all.count - lineCount
        let widest = shown.map { DisplayWidth.of($0.text) + ($0.count.isEmpty ? 0 : DisplayWidth.of($0.count) + 2) }.max() ?? 0
        let moreText = more > 0 ? " \(ValueText.count(more)) more " : ""
        let width = min(state.size.columns, max(widest, 10, moreText.count) + 4)
        let typed = DisplayWidth.of(String(prompt.field.text[min(candidates.start, prompt.field.cursor)..<prompt.field.cursor]))
        let x = max(0, min(cursor - typed - 2, state.size.columns - width))
        let frame = TerminalRect(x: x, y: y - lineCount - 2, width: width, height: lineCount + 2)
        buffer.fill(frame, style: theme.panel.textStyle)
        paintFrame(TerminalRect(x: x + 1, y: frame.y, width: width - 2, height: frame.height), on: &buffer)
        write(moreText, x: x + 1, y: frame.y, width: width - 2, style: theme.panel, on: &buffer)
        for (n, line) in shown.enumerated() {
            let style = first + n == candidates.selected ? theme.panelSelection : theme.panel
            let top = frame.y + 1 + n
            buffer.fill(TerminalRect(x: x + 1, y: top, width: width - 2, height: 1), style: style.textStyle)
            let countWidth = DisplayWidth.of(line.count)
            write(line.text, x: x + 2, y: top, width: width - 4 - (countWidth > 0 ? countWidth + 2 : 0), style: style, on: &buffer)
            write(line.count, x: x + width - 2 - countWidth, y: top, width: countWidth, style: style, on: &buffer)
        }
    }

    /// The number of rows that match the typed filter, as text; empty while it is unknown.
    private func matchCount(_ prompt: FormulaPrompt) -> String {
        guard let matches = prompt.matches else { return "" }
        let verb = matches.count == 1 ? "matches" : "match"
        guard matches.isComplete else { return "\(Message.rows(matches.count)) \(verb) so far." }
        return "\(ValueText.count(matches.count)) of \(Message.rows(state.document.recordCount)) \(verb)."
    }

    /// Texts that explain what the typed text does, the longest first. While nothing is typed, they show examples.
    private func explanations(_ prompt: FormulaPrompt) -> [String] {
        if prompt.purpose == .derivation {
            return [
                "name = formula, as in total = price * quantity · + - * / · = < and or · if round abs length upper year month …",
                "name = formula, as in total = price * quantity", "name = formula",
            ]
        }
        if prompt.purpose == .pivot {
            return [
                "rows by column: values, as in region, city by year: sum(amount), count · periods: day:month · ranges: price:10",
                "rows by column: values, as in region by year: sum(amount)", "rows by column: values",
            ]
        }
        let count = matchCount(prompt)
        if !prompt.bareTexts.isEmpty {
            let texts = prompt.bareTexts.prefix(10).map { "“\($0)”" }.joined(separator: " and ")
            let sentence = "Rows that contain \(texts)\(prompt.bareTexts.count > 10 ? " …" : "")."
            return count.isEmpty ? [sentence] : ["\(sentence) \(count)", count]
        }
        if !prompt.field.text.allSatisfy({ $0 == " " }) { return [count] }
        if prompt.editedFilter != nil { return ["\(label(of: .accept)) without text removes the filter."] }
        return [
            "column > 100 · = 'text' · ~ 'regex' · contains 'text' · in (1, 2) · is empty · and or not ( ) · or a word to find in any cell",
            "column > 1 · = 'text' · ~ 'regex' · contains · in (…) · or a word to find in any cell",
            "a condition, or a word to find in any cell",
        ]
    }
}
