import DataGrid
import DataGridTerminal
import FieldValues
import TerminalSurface

extension AppPainter {
    /// Draws the last line of the screen: a message, the possible next keys of a binding, or hints.
    func paintHints(_ y: Int, on buffer: inout CellBuffer) {
        let width = state.size.columns
        if let message = state.message {
            write(
                message.text(width: width - 2), x: 1, y: y, width: width - 2, style: message.isError ? theme.error : theme.message,
                on: &buffer)
            return
        }
        if !state.pendingKeys.isEmpty {
            paintPending(y, on: &buffer)
            return
        }
        var right = width - 1
        if layout.titleY == nil, let job = state.jobs.last(where: \.isShown) {
            // The title line shows the running job. On a screen without a title line, show the job here.
            let text = ProgressText(job, reloadKey: state.key(.reload)).text(width: width / 2)
            let textWidth = min(DisplayWidth.of(text), width / 2)
            right -= textWidth
            write(text, x: right, y: y, width: textWidth, style: theme.progress, on: &buffer)
            right -= 2
        }
        // A panel has its own search, or none. Leave the room to its hints.
        if state.overlay == nil, let search = state.search, search.isShown {
            let title = search.count == 0 && !state.isAtTitle ? search.column.flatMap { state.grid.columns[$0]?.title } : nil
            let short = "\(search.name(width: max(4, width / 3 - DisplayWidth.of(matchText) - 3))) \(matchText)"
            let long = short + (title.map { "in \(Message.quoted($0)) " } ?? "")
            let text = DisplayWidth.of(long) <= width / 3 ? long : short
            let textWidth = min(DisplayWidth.of(text), width / 3)
            right -= textWidth
            write(text, x: right, y: y, width: textWidth, style: theme.message, on: &buffer)
            right -= 2
        }
        buffer.write(hints, y: y, end: right - 1, theme: theme, over: theme.row)
    }

    /// Hints for a prompt: the key that accepts the text, with its effect, and the key that cancels.
    func promptHints(_ applies: String) -> [String] { ["\(label(of: .accept)) \(applies)", "\(label(of: .close)) cancel"] }

    /// The same hints without words, for narrow screens: only the two keys.
    var shortPromptHints: String { "\(label(of: .accept)) · \(label(of: .close))" }

    func label(of id: CommandID) -> String { state.keyMap.label(of: id, in: state.contexts) ?? "" }

    /// Draws a prompt with its text and, at the right, the first of `errors` and the first of `hints` that fit.
    ///
    /// An error is drawn without a hint only if no error fits together with a hint. Long text leaves room for the shortest error or,
    /// without errors, for one of the last two hints.
    /// - Parameter isSelected: true to draw the text as selected, because the next typed character replaces it.
    func paintPrompt(
        _ label: String, _ field: LineEditor, isSelected: Bool = false, errors: [String] = [""], hints: [String], _ y: Int,
        on buffer: inout CellBuffer
    ) -> (
        x: Int, y: Int
    ) {
        let width = state.size.columns
        var x = 1 + write(label, x: 1, y: y, width: width / 2, style: theme.hintKey, on: &buffer)
        let availableWidth = max(1, width - x - 2)
        let nonemptyErrors = errors.filter { !$0.isEmpty }
        let reserved = (nonemptyErrors.isEmpty ? hints.suffix(2) : nonemptyErrors.suffix(1)).map { DisplayWidth.of($0) + 3 }
        let room = availableWidth - (reserved.first { availableWidth - $0 >= 20 } ?? reserved.last { availableWidth - $0 >= 8 } ?? 0)
        let viewport = LineEditorViewport(field, width: room)
        let cursor = x + viewport.cursorX
        paint(viewport, x: x, y: y, style: isSelected ? theme.row.applying(theme.selection) : theme.row, on: &buffer)
        x += viewport.usedWidth
        var forms = nonemptyErrors.flatMap { error in hints.filter { !$0.isEmpty }.map { (error: error + " · ", hint: $0) } }
        if hints.contains("") { forms += nonemptyErrors.map { (error: $0, hint: "") } }
        if errors.contains("") { forms += hints.map { (error: "", hint: $0) } }
        if let form = forms.first(where: { x + 3 + DisplayWidth.of($0.error + $0.hint, limit: width) < width }) {
            let (error, hint) = (DisplayWidth.of(form.error), DisplayWidth.of(form.hint))
            write(form.error, x: width - hint - error - 1, y: y, width: error, style: theme.error, on: &buffer)
            write(form.hint, x: width - hint - 1, y: y, width: hint, style: theme.hint, on: &buffer)
        }
        return (min(cursor, max(0, width - 1)), y)
    }

    func paint(_ viewport: LineEditorViewport, x: Int, y: Int, style: CellStyle, on buffer: inout CellBuffer) {
        let mark = style.applying(theme.mark)
        viewport.paint { write($0, x: x + $1, y: y, width: $2, style: $3 ? mark : style, on: &buffer) }
    }

    private func paintPending(_ y: Int, on buffer: inout CellBuffer) {
        let width = state.size.columns
        let x = 1 + write(state.pendingKeys.label, x: 1, y: y, width: width - 2, style: theme.hintKey, on: &buffer) + 2
        guard !state.pendingKeys.keys.isEmpty else {
            let uses = [
                "\(label(of: .bottom)) go to row", "\(label(of: .fitColumn)) set width", "\(label(of: .hideColumn)) hide columns",
                "arrows move",
            ]
            let cancelHint = "\(label(of: .escape)) cancel"
            let forms = [uses, Array(uses.prefix(1)), []].map { ($0 + [cancelHint]).joined(separator: " · ") }
            let text = forms.first { x + DisplayWidth.of($0) < width } ?? cancelHint
            write(text, x: x, y: y, width: width - x - 1, style: theme.hint, on: &buffer)
            return
        }
        paintContinuations(y, on: &buffer)
    }

    private func paintContinuations(_ y: Int, on buffer: inout CellBuffer) {
        guard let list = KeyContinuationList(state, y: y) else { return }
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
            // The last entry of a line can use the rest of the line.
            let isLast = n + 1 == list.items.count || !list.isOneLine && n % list.itemsPerLine == list.itemsPerLine - 1
            let end = isLast || list.isOneLine ? state.size.columns : next + list.columnWidth - 2
            let keys = write(item.keys, x: next, y: line, width: end - next, style: theme.hintKey, on: &buffer)
            write(item.title, x: next + keys + 1, y: line, width: end - next - keys - 1, style: theme.hint, on: &buffer)
            next += list.widths[n]
        }
    }

    /// True if the current cell is cut off and a wider column would show more of it.
    private var isTruncated: Bool {
        guard let column = state.grid.currentColumn, let row = state.grid.currentRow,
            let content = source?.content(row: row, column: column.id)
        else { return false }
        let metrics = state.grid.metrics
        guard column.kind.isNumber || metrics.rowHeight == 1 && !metrics.hasAutomaticRowHeights else { return false }
        let geometry = state.controller.drawnLayout?.geometry ?? ColumnGeometry(state.grid)
        guard geometry.widths.indices.contains(state.grid.cursor.column) else { return false }
        let width = geometry.widths[state.grid.cursor.column]
        return width < column.maximumWidth ?? max(geometry.fittedLimit, geometry.paneWidth)
            && DisplayWidth.of(ValueText.display(content, in: column), limit: width + 1) > width
    }

    /// True if the current cell is in a number column and its value is a number, not text such as `n/a`.
    private var isAtNumber: Bool {
        guard let column = state.grid.currentColumn, column.kind.isNumber, let row = state.grid.currentRow else { return false }
        return source?.content(row: row, column: column.id).condition != .unreadable
    }

    /// A hint with the keys of these commands, and with `title` or else the title of the first command.
    func hint(_ ids: CommandID..., as title: String? = nil) -> KeyHint {
        let contexts = state.contexts
        return KeyHint(
            ids.reduce("") { $0 + (state.keyMap.label(of: $1, in: contexts) ?? "") },
            title ?? ids.first.flatMap { state.keyMap.command($0, in: contexts)?.title } ?? "")
    }

    /// The hints while the user picks rows to print.
    private var pickingHints: [KeyHint] {
        guard let pick = state.pick else { return [] }
        return [hint(.pick, as: "pick")] + (pick.allowsMany ? [hint(.markAndNext, as: "mark")] : [])
    }

    /// The hints for the current state, the most important first.
    private var hints: [KeyHint] {
        if let overlay = state.overlay { return overlay.hints(with: self) }
        if state.document.isAwaited { return [hint(.escape, as: "stop waiting"), hint(.help), hint(.close)] }
        if state.grid.drag != nil {
            let cancel = state.keyMap.command(.escape, in: [.drag])?.title ?? ""
            return [KeyHint(state.keyMap.label(of: .escape, in: [.drag]) ?? "", cancel), KeyHint("release", "to drop")]
        }
        if state.grid.selectedColumns().count > 1 {
            return pickingHints + [
                hint(.copy), hint(.hideColumn, as: "hide"), hint(.fitColumn, as: "fit"), hint(.sort), hint(.columnType, as: "type"),
                hint(.pinLeft, as: "pin"), hint(.moveColumnLeft, .moveColumnRight, as: "move"), hint(.escape, as: "clear"),
            ]
        }
        if !state.grid.selection.isEmpty {
            return pickingHints + [
                hint(.copy), hint(.copyWithHeader), hint(.addRange), hint(.invertSelection, as: "invert"), hint(.swapSelectionEnds),
                hint(.escape, as: "clear"),
            ]
        }
        if case .header = state.grid.cursor.item {
            let details = groupLine?.isComplete == false ? [hint(.groupDetails, as: "see all")] : []
            return details + [
                hint(.left, .right, as: "collapse, expand"), hint(.collapseAll), hint(.expandAll),
                hint(.nextSection, as: "next"), hint(.previousSection, as: "previous"), hint(.ungroup), hint(.help),
            ]
        }
        // A number that is cut off looks like another number, so its hint comes first. The hint for cut-off text replaces a hint of the
        // same width, so that the other hints do not move.
        let isNumber = isAtNumber
        let isTruncated = isTruncated
        let fit = isTruncated && isNumber ? [hint(.fitColumn, as: "show the whole number")] : []
        let off = state.query.requested.allFilters.isEmpty ? [] : [hint(.removeFilter)]
        let open = state.document.listsTables ? [hint(.record, as: "open this table")] : []
        let back = state.originSheet.map { [hint(.close, as: $0.document.listsTables ? "back to the list" : "back")] } ?? []
        return pickingHints + open + back + fit + off + [
            isTruncated && !isNumber ? hint(.fitColumn, as: "see all") : hint(.left, .up, .down, .right, as: "move"), hint(.sort),
            hint(.search),
            hint(.filter), hint(.group),
            hint(.freezeColumns, as: "freeze"),
        ] + (state.pick == nil && open.isEmpty ? [hint(.record)] : []) + [
            hint(.goToColumn, as: "column"),
            hint(.palette), hint(.help),
        ] + (back.isEmpty ? [hint(.close)] : [])
    }
}
