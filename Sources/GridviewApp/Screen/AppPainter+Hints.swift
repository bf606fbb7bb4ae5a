import DataGrid
import DataGridTerminal
import FieldValues
import TerminalSurface

extension AppPainter {
    /// Draws the last line: a prompt, a message, the continuations of a pending key, or hints.
    /// - Returns: The position of the text cursor.
    func paintHints(_ y: Int, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        let width = state.size.columns
        switch state.layer {
        case .search(let prompt): return paintSearch(prompt, y, on: &buffer)
        case .rename(let field, let id):
            // Half of the line is for the text.
            let name = Message.quoted(state.grid.columns[id]?.title ?? "", width: max(4, min(18, width / 2 - 12)))
            let hints = [promptHints("rename").joined(separator: " · "), shortPromptHints, label(of: .close)]
            return paintPrompt("Rename \(name): ", field, hints: hints, y, on: &buffer)
        case .formula(let prompt): return paintFormulaPrompt(prompt, y, on: &buffer)
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
        if let search = state.search, !search.isDismissed {
            let place = search.count == 0 && !state.isAtTitle ? search.column.flatMap { state.grid.columns[$0]?.title } : nil
            let short = "\(search.name(width: max(4, width / 3 - DisplayWidth.of(matchText) - 3))) \(matchText)"
            let long = short + (place.map { "in \(Message.quoted($0)) " } ?? "")
            let text = DisplayWidth.of(long) <= width / 3 ? long : short
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
        let name = prompt.isPattern ? "regex /" : "/"
        let (done, leave) = (promptHints("done")[0], promptHints("done")[1])
        if let mistake = prompt.error {
            let errors = ["Invalid regular expression: \(mistake).", "Invalid regex: \(mistake).", "invalid regex", ""]
            return paintPrompt(name, prompt.field, errors: errors, hints: [leave, ""], y, on: &buffer)
        }
        let scope = prompt.column.flatMap { state.grid.columns[$0]?.title }.map { "in \(Message.quoted($0))" } ?? "in all columns"
        let change = "\(label(of: .searchScope)) \(prompt.column == nil ? "this column" : "all columns")"
        let toggle = "\(label(of: .searchPattern)) \(prompt.isPattern ? "plain text" : "regex")"
        let found = matchText.isEmpty ? "" : matchText + "· "
        let forms = [
            [scope, change, toggle, done, leave], [change, toggle, done, leave], [change, toggle, leave], [change, leave], [leave],
        ]
        return paintPrompt(name, prompt.field, hints: forms.map { found + $0.joined(separator: " · ") } + [leave], y, on: &buffer)
    }

    /// Hints for the keys that accept and cancel a prompt.
    func promptHints(_ applies: String) -> [String] { ["\(label(of: .accept)) \(applies)", "\(label(of: .close)) cancel"] }

    /// The keys that accept and cancel a prompt.
    var shortPromptHints: String { "\(label(of: .accept)) · \(label(of: .close))" }

    func label(of id: CommandID) -> String { state.keyMap.label(of: id, in: state.contexts) ?? "" }

    /// The number of the match and the number of matches, such as `3/12 `; unknown parts are omitted.
    private var matchText: String {
        guard let search = state.search, let count = search.count else { return "" }
        let total = ValueText.count(count) + (search.isCounted ? "" : "+")
        let rows = "\(total) \(count == 1 && search.isCounted ? "row" : "rows") "
        if state.isAtTitle { return count == 0 && search.isCounted ? "in header " : "in header, \(rows)" }
        if count == 0, search.isCounted { return "not found " }
        if let current = search.current { return "\(ValueText.count(current))/\(total) " }
        return search.isCounted ? "–/\(total) " : rows
    }

    /// Draws a prompt with, at the right, the first of `errors` and the first of `hints` that fit.
    ///
    /// An error is drawn without a hint only if no error fits together with a hint. Long text leaves room for the shortest error or,
    /// without errors, for one of the last two hints.
    func paintPrompt(
        _ label: String, _ field: LineEditor, errors: [String] = [""], hints: [String], _ y: Int, on buffer: inout CellBuffer
    ) -> (
        x: Int, y: Int
    ) {
        let width = state.size.columns
        var x = 1 + write(label, x: 1, y: y, width: width / 2, style: theme.hintKey, on: &buffer)
        let whole = max(1, width - x - 2)
        let mistakes = errors.filter { !$0.isEmpty }
        let reserved = (mistakes.isEmpty ? hints.suffix(2) : mistakes.suffix(1)).map { DisplayWidth.of($0) + 3 }
        let room = whole - (reserved.first { whole - $0 >= 20 } ?? reserved.last { whole - $0 >= 8 } ?? 0)
        let window = FieldWindow(field, width: room)
        let cursor = x + window.cursorX
        paint(window, x: x, y: y, style: theme.row, on: &buffer)
        x += window.usedWidth
        var forms = mistakes.flatMap { error in hints.filter { !$0.isEmpty }.map { (error: error + " · ", hint: $0) } }
        if hints.contains("") { forms += mistakes.map { (error: $0, hint: "") } }
        if errors.contains("") { forms += hints.map { (error: "", hint: $0) } }
        if let form = forms.first(where: { x + 3 + DisplayWidth.of($0.error + $0.hint, limit: width) < width }) {
            let (error, hint) = (DisplayWidth.of(form.error), DisplayWidth.of(form.hint))
            write(form.error, x: width - hint - error - 1, y: y, width: error, style: theme.error, on: &buffer)
            write(form.hint, x: width - hint - 1, y: y, width: hint, style: theme.hint, on: &buffer)
        }
        return (min(cursor, max(0, width - 1)), y)
    }

    func paint(_ window: FieldWindow, x: Int, y: Int, style: CellStyle, on buffer: inout CellBuffer) {
        let mark = style.applying(theme.mark)
        window.paint { write($0, x: x + $1, y: y, width: $2, style: $3 ? mark : style, on: &buffer) }
    }

    private func paintPending(_ y: Int, on buffer: inout CellBuffer) {
        let width = state.size.columns
        let x = 1 + write(state.pending.label, x: 1, y: y, width: width - 2, style: theme.hintKey, on: &buffer) + 2
        guard !state.pending.keys.isEmpty else {
            let uses = ["\(label(of: .bottom)) go to row", "\(label(of: .fitColumn)) set width", "arrows move"]
            let leave = "\(label(of: .escape)) cancel"
            let forms = [uses, Array(uses.prefix(1)), []].map { ($0 + [leave]).joined(separator: " · ") }
            let text = forms.first { x + DisplayWidth.of($0) < width } ?? leave
            write(text, x: x, y: y, width: width - x - 1, style: theme.hint, on: &buffer)
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
        for (n, item) in list.items.enumerated() {
            let line = list.isOneLine ? y : top + n / list.itemsPerLine
            if !list.isOneLine { next = list.x + n % list.itemsPerLine * list.columnWidth }
            // The last entry can use the rest of the line.
            let isLast = n + 1 == list.items.count || !list.isOneLine && n % list.itemsPerLine == list.itemsPerLine - 1
            let end = isLast || list.isOneLine ? state.size.columns : next + list.columnWidth - 2
            let keys = write(item.keys, x: next, y: line, width: end - next, style: theme.hintKey, on: &buffer)
            write(item.title, x: next + keys + 1, y: line, width: end - next - keys - 1, style: theme.hint, on: &buffer)
            next += list.widths[n]
        }
    }

    /// True if the cell under the cursor is cut off, and fitting its column would show more of it.
    private var isTruncated: Bool {
        guard let column = state.grid.currentColumn, let row = state.grid.currentRow,
            let content = source?.content(row: row, column: column.id)
        else { return false }
        let metrics = state.grid.metrics
        guard column.kind.isNumber || metrics.rowHeight == 1 && !metrics.hasAutomaticRowHeights else { return false }
        let geometry = state.controller.drawnLayout?.geometry ?? ColumnGeometry(state.grid)
        guard geometry.widths.indices.contains(state.grid.cursor.column) else { return false }
        let width = geometry.widths[state.grid.cursor.column]
        return width < column.maximumWidth ?? geometry.fittedLimit
            && DisplayWidth.of(ValueText.display(content, in: column), limit: width + 1) > width
    }

    /// The hints for the current state, most important first.
    private var hints: [(String, String)] {
        let contexts = state.contexts
        func hint(_ ids: CommandID..., as title: String? = nil) -> (String, String) {
            (
                ids.reduce("") { $0 + (state.keyMap.label(of: $1, in: contexts) ?? "") },
                title ?? ids.first.flatMap { state.keyMap.command($0, in: contexts)?.title } ?? ""
            )
        }
        switch state.layer {
        // The hint for closing is among the first two, because these fit narrow screens.
        case .page: return [hint(.up, .down, as: "scroll"), hint(.close), hint(.pageDown, as: "page")]
        case .list(let panel):
            let enter = panel.purpose == .showColumns ? "show or hide" : "select"
            return [hint(.accept, as: enter), hint(.close, as: "back"), hint(.up, .down, as: "choose"), ("type", "to filter")]
        case .record:
            return [
                hint(.nextRow), hint(.close), hint(.previousRow), hint(.up, .down, as: "scroll"), hint(.nextColumn), hint(.copy),
                hint(.bottom, as: "last field"),
            ]
        case .statistics(let panel):
            switch panel.subject {
            case .column: return [hint(.frequencies), hint(.close), hint(.up, .down, as: "scroll"), hint(.pageDown, as: "page")]
            case .frequencies:
                let order = hint(.sort, as: panel.isByValue ? "by count" : "by value")
                return [hint(.accept, as: "filter"), hint(.close), hint(.up, .down, as: "choose"), order]
            case .summary: return [hint(.accept), hint(.close), hint(.up, .down, as: "choose")]
            }
        case .search, .rename, .formula, nil: break
        }
        if state.grid.drag != nil {
            let cancel = state.keyMap.command(.escape, in: [.drag])?.title ?? ""
            return [(state.keyMap.label(of: .escape, in: [.drag]) ?? "", cancel), ("release", "to drop")]
        }
        if !state.grid.selection.isEmpty {
            return [
                hint(.copy), hint(.copyWithHeader), hint(.addRange), hint(.invertSelection, as: "invert"), hint(.otherEnd),
                hint(.escape, as: "clear"),
            ]
        }
        if case .header = state.grid.cursor.item {
            return [
                hint(.left, .right, as: "collapse, expand"), hint(.collapseAll), hint(.expandAll),
                hint(.nextSection, as: "next"), hint(.previousSection, as: "previous"), hint(.ungroup), hint(.help),
            ]
        }
        // A truncated number looks like another number, so its hint comes first. The hint for truncated text replaces a hint of the same
        // width, so that the other hints do not move.
        let isNumber = state.grid.currentColumn?.kind.isNumber == true
        let isTruncated = isTruncated
        let fit = isTruncated && isNumber ? [hint(.fitColumn, as: "show the whole number")] : []
        let off = state.query.requested.filters.isEmpty ? [] : [hint(.removeFilter)]
        return fit + off + [
            isTruncated && !isNumber ? hint(.fitColumn, as: "see all") : hint(.left, .up, .down, .right, as: "move"), hint(.sort),
            hint(.search),
            hint(.filter), hint(.group),
            hint(.freezeColumns, as: "freeze"), hint(.record),
            hint(.goToColumn, as: "column"),
            hint(.palette), hint(.help), hint(.close),
        ]
    }
}
