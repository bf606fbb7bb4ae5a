import DataGrid
import DataGridTerminal
import FieldValues
import TerminalSurface

extension AppPainter {
    /// The last line: a prompt, a message, what a pending key may be followed by, or hints.
    /// - Returns: where the text cursor stands.
    func paintHints(_ y: Int, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        let width = state.size.columns
        switch state.layer {
        case .search(let prompt): return paintSearch(prompt, y, on: &buffer)
        case .rename(let field, let id):
            return paintPrompt(
                "Title of \(state.grid.columns[id]?.title ?? ""): ", field, hints: ["Enter keeps · Esc gives up"], y, on: &buffer)
        case .filter(let prompt): return paintFilter(prompt, y, on: &buffer)
        default: break
        }
        if let message = state.message {
            write(
                message.text(width: width - 2), x: 1, y: y, width: width - 2, style: message.isError ? theme.error : theme.message,
                on: &buffer)
            return nil
        }
        if !state.pending.isEmpty {
            paintPending(y, on: &buffer)
            return nil
        }
        var right = width - 1
        if let search = state.search, !search.isPassedOver {
            let text = "\(search.name(width: width / 3)) \(matchText)"
            let wide = min(DisplayWidth.of(text), width / 3)
            right -= wide
            write(text, x: right, y: y, width: wide, style: theme.message, on: &buffer)
            right -= 2
        }
        var x = 1
        for (keys, title) in hints {
            let wide = DisplayWidth.of(keys) + 1 + DisplayWidth.of(title)
            guard x + wide < right else { break }
            x += write(keys, x: x, y: y, width: right - x, style: theme.hintKey, on: &buffer) + 1
            x += write(title, x: x, y: y, width: right - x, style: theme.hint, on: &buffer) + 2
        }
        return nil
    }

    private func paintSearch(_ prompt: SearchPrompt, _ y: Int, on buffer: inout CellBuffer) -> (x: Int, y: Int) {
        let label = prompt.isPattern ? "regex /" : "/"
        if let mistake = prompt.mistake {
            return paintPrompt(
                label, prompt.field, hints: ["This is no regular expression: \(mistake).", mistake, "no regex"], style: theme.error, y,
                on: &buffer)
        }
        let scope = prompt.column.flatMap { state.grid.columns[$0]?.title }.map { "in \($0)" } ?? "in all columns"
        let change = "\(scope) · Tab changes"
        let toggle = "\(KeyNotation.label(KeyPress(.character("r"), .control))) \(prompt.isPattern ? "plain text" : "regex")"
        let found = matchText.isEmpty ? "" : matchText + "· "
        let hints = ["\(change) · \(toggle) · Enter keeps · Esc gives up", "\(change) · \(toggle) · Esc gives up", change, scope]
        return paintPrompt(label, prompt.field, hints: hints.map { found + $0 } + [matchText], y, on: &buffer)
    }

    /// `3/12 ` as far as it is known.
    private var matchText: String {
        guard let search = state.search, let count = search.count else { return "" }
        let total = ValueText.count(count) + (search.isCounted ? "" : "+")
        let rows = "\(total) \(count == 1 && search.isCounted ? "row" : "rows") "
        if state.isAtTitle { return count == 0 && search.isCounted ? "in the title " : "in the title, \(rows)" }
        if count == 0, search.isCounted { return "nothing found " }
        if let current = search.current { return "\(ValueText.count(current))/\(total) " }
        return search.isCounted ? "–/\(total) " : rows
    }

    /// - Parameter hints: what may stand at the right, the first one that fits.
    func paintPrompt(
        _ label: String, _ field: TextField, hints: [String], style: CellStyle? = nil, _ y: Int, on buffer: inout CellBuffer
    ) -> (
        x: Int, y: Int
    ) {
        let width = state.size.columns
        var x = 1 + write(label, x: 1, y: y, width: width / 2, style: theme.hintKey, on: &buffer)
        let room = max(1, width - x - 2)
        let window = FieldWindow(field, width: room)
        let cursor = x + window.cursorX
        x += paint(window, x: x, y: y, width: room, style: theme.row, on: &buffer)
        if let hint = hints.first(where: { x + 3 + DisplayWidth.of($0, limit: width) < width }) {
            let wide = DisplayWidth.of(hint)
            write(hint, x: width - wide - 1, y: y, width: wide, style: style ?? theme.hint, on: &buffer)
        }
        return (min(cursor, max(0, width - 1)), y)
    }

    /// Draws the visible part of a text field, with marks where it is cut.
    /// - Returns: the terminal cells written.
    func paint(_ window: FieldWindow, x: Int, y: Int, width: Int, style: CellStyle, on buffer: inout CellBuffer) -> Int {
        var used = 0
        for (character, place, wide) in window.characters {
            write(String(character), x: x + place, y: y, width: wide, style: style, on: &buffer)
            used = place + wide
        }
        let mark = style.with(theme.mark)
        if window.isCut.leading { write("…", x: x, y: y, width: 1, style: mark, on: &buffer) }
        guard window.isCut.trailing else { return used }
        write("…", x: x + width - 1, y: y, width: 1, style: mark, on: &buffer)
        return width
    }

    /// The keys that may follow the ones pressed.
    private func paintPending(_ y: Int, on buffer: inout CellBuffer) {
        let width = state.size.columns
        let x = 1 + write(state.pending.label, x: 1, y: y, width: width - 2, style: theme.hintKey, on: &buffer) + 2
        guard !state.pending.keys.isEmpty else {
            write(
                "G to that row · _ that wide · arrows that far · Esc gives up", x: x, y: y,
                width: width - x - 1, style: theme.hint, on: &buffer)
            return
        }
        paintContinuations(y, on: &buffer)
    }

    private func paintContinuations(_ y: Int, on buffer: inout CellBuffer) {
        guard let list = PendingList(state, y: y) else { return }
        let top = y - list.lineCount + 1
        if !list.isOneLine {
            for line in top..<y {
                buffer.fill(TerminalRect(x: 0, y: line, width: state.size.columns, height: 1), style: theme.row.textStyle)
            }
        }
        var next = list.x
        let shown = list.itemsPerLine * list.lineCount
        for (n, item) in list.items.enumerated() where n < shown {
            let line = list.isOneLine ? y : top + n / list.itemsPerLine
            if !list.isOneLine { next = list.x + n % list.itemsPerLine * list.columnWidth }
            let keys = write(item.keys, x: next, y: line, width: state.size.columns - next, style: theme.hintKey, on: &buffer)
            write(item.title, x: next + keys + 1, y: line, width: state.size.columns - next - keys - 1, style: theme.hint, on: &buffer)
            next += list.widths[n]
        }
        let more = "… \(list.items.count - shown) more"
        let start = state.size.columns - DisplayWidth.of(more) - 1
        guard list.items.count > shown, next < start else { return }
        write(more, x: start, y: y, width: state.size.columns - start, style: theme.hint, on: &buffer)
    }

    /// Whether the cell under the cursor is cut, and fitting its column would show more of it.
    private var isCut: Bool {
        guard let column = state.grid.currentColumn, let row = state.grid.currentRow,
            let content = source?.content(row: row, column: column.id)
        else { return false }
        let metrics = state.grid.metrics
        guard column.kind.isNumber || metrics.rowHeight == 1 && !metrics.hasAutomaticRowHeights else { return false }
        let geometry = ColumnGeometry(state.grid)
        let width = geometry.widths[state.grid.cursor.column]
        return width < column.maximumWidth ?? geometry.fittedLimit
            && DisplayWidth.of(ValueText.display(content, in: column), limit: width + 1) > width
    }

    /// Labels that were shown before: hints are drawn with every frame, and reading the notation of keys takes longer than drawing them.
    private static var labels: [CommandID: String] = [:]

    /// The first key of a command, as hints name it.
    private static func label(of id: CommandID) -> String {
        if let label = labels[id] { return label }
        let label = Command.named(id).keys.first.map { KeyNotation.label(KeyNotation.sequence($0)) } ?? ""
        labels[id] = label
        return label
    }

    /// Six to eight hints that fit the moment.
    private var hints: [(String, String)] {
        func hint(_ id: CommandID, _ title: String? = nil) -> (String, String) { (Self.label(of: id), title ?? Command.named(id).title) }
        switch state.layer {
        case .page: return [("↑↓", "scroll"), ("PgDn", "page"), ("Esc", "back")]
        case .list(let panel):
            let enter = panel.purpose == .showColumns ? "show or hide" : "take"
            return [("↑↓", "choose"), ("Enter", enter), ("Esc", "back"), ("type", "to narrow")]
        case .record:
            return [
                ("n", "next row"), ("p", "previous row"), ("↑↓", "scroll"), ("Esc", "back"), ("Tab", "next column"), ("y", "copy the cell"),
                ("End", "end"),
            ]
        case .statistics(let panel):
            switch panel.subject {
            case .column: return [("↑↓", "scroll"), ("F", "frequencies"), ("Esc", "back"), ("PgDn", "page")]
            case .frequencies:
                return [("↑↓", "choose"), ("Enter", "filter"), ("Esc", "back"), ("s", panel.isByValue ? "by count" : "by value")]
            case .summary: return [("↑↓", "choose"), ("Enter", "more"), ("Esc", "back")]
            }
        case .search, .rename, .filter, nil: break
        }
        if state.grid.drag != nil { return [("Esc", "cancels"), ("release", "to drop")] }
        if !state.grid.selection.isEmpty {
            return [
                hint(.copy), hint(.copyWithHeader), hint(.addRange), hint(.invertSelection, "invert"), hint(.otherEnd), ("Esc", "clear"),
            ]
        }
        if case .header = state.grid.cursor.item {
            return [
                ("←→", "close, open"), hint(.collapseAll, "close all"), hint(.expandAll, "open all"), hint(.nextSection, "next"),
                hint(.previousSection, "previous"), hint(.ungroup), hint(.help),
            ]
        }
        // Half a number is another one. Of a text the hint is as wide as the one it takes the place of: no other is written anew.
        let isNumber = state.grid.currentColumn?.kind.isNumber == true
        let isCut = isCut
        let fit = isCut && isNumber ? [hint(.fitColumn, "shows the whole number")] : []
        let off = state.query.wanted.filters.isEmpty ? [] : [hint(.removeFilter)]
        return fit + off + [
            isCut && !isNumber ? hint(.fitColumn, "see all") : ("←↑↓→", "move"), hint(.sort), hint(.search), hint(.filter), hint(.group),
            hint(.freezeColumns, "freeze"), hint(.record),
            hint(.goToColumn, "column"),
            hint(.palette), hint(.help), hint(.close),
        ]
    }
}
