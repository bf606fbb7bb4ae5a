import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppPainter {
    // MARK: Lists

    func paintList(_ panel: ListPanel, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        let matches = panel.matches
        let frame = state.frame(of: panel)
        let rect = frame.rect
        let first = frame.firstRow(selected: panel.selected)
        // A clear cell at each side separates the list from the text of the grid in every theme.
        let (left, right) = (max(0, rect.x - 1), min(state.size.columns, rect.x + rect.width + 1))
        buffer.fill(TerminalRect(x: left, y: rect.y, width: right - left, height: rect.height), style: theme.row.textStyle)
        buffer.fill(rect, style: theme.panel.textStyle)
        if hasFrames { paintFrame(rect, on: &buffer) }
        paintTitle(panel.title, in: rect, below: matches.count - first - frame.listHeight, on: &buffer)
        let label = write("› ", x: rect.x + 1, y: rect.y + 1, width: rect.width - 2, style: theme.panel, on: &buffer)
        let room = max(1, rect.width - 2 - label)
        let window = FieldWindow(panel.field, width: room)
        paint(window, x: rect.x + 1 + label, y: rect.y + 1, style: theme.panel, on: &buffer)
        for line in 0..<min(frame.listHeight, max(0, matches.count - first)) {
            let row = matches[first + line]
            let y = rect.y + 2 + line
            let isSelected = first + line == panel.selected
            let style = isSelected ? theme.panelSelection : theme.panel
            if isSelected { buffer.fill(TerminalRect(x: rect.x, y: y, width: rect.width, height: 1), style: style.textStyle) }
            let wide = DisplayWidth.of(row.detail)
            write(row.text, x: rect.x + 2, y: y, width: rect.width - wide - 5, style: style, on: &buffer)
            write(
                row.detail, x: rect.x + rect.width - wide - 2, y: y, width: wide,
                style: isSelected ? style : theme.panel.applying(theme.hint),
                on: &buffer)
        }
        if matches.isEmpty {
            write("No matches.", x: rect.x + 2, y: rect.y + 2, width: rect.width - 4, style: theme.panel.applying(theme.hint), on: &buffer)
        }
        return (min(rect.x + 1 + label + window.cursorX, rect.x + rect.width - 1), rect.y + 1)
    }

    /// True if a list is drawn with a frame, because its background does not distinguish it from the grid.
    private var hasFrames: Bool {
        let ground = theme.row.background ?? theme.ground.background
        return state.terminalColors.range != .many || theme.panel.background ?? ground == ground
    }

    /// Draws a frame in the lines of the title and below the entries, and in the cells at the sides.
    private func paintFrame(_ rect: TerminalRect, on buffer: inout CellBuffer) {
        let (left, right, last) = (rect.x - 1, rect.x + rect.width, rect.y + rect.height - 1)
        let line = String(repeating: "─", count: rect.width)
        for (y, ends) in [(rect.y, ("┌", "┐")), (last, ("└", "┘"))] {
            write(line, x: rect.x, y: y, width: rect.width, style: theme.panel, on: &buffer)
            if left >= 0 { write(ends.0, x: left, y: y, width: 1, style: theme.panel, on: &buffer) }
            if right < state.size.columns { write(ends.1, x: right, y: y, width: 1, style: theme.panel, on: &buffer) }
        }
        for y in rect.y + 1..<max(rect.y + 1, last) {
            if left >= 0 { write("│", x: left, y: y, width: 1, style: theme.panel, on: &buffer) }
            if right < state.size.columns { write("│", x: right, y: y, width: 1, style: theme.panel, on: &buffer) }
        }
    }

    // MARK: Pages

    /// Draws the title of a full-screen panel and, at the right, the number of lines below the visible ones.
    func paintTitle(_ title: String, in rect: TerminalRect, below count: Int, on buffer: inout CellBuffer) {
        paintTitle([title], in: rect, below: count, on: &buffer)
    }

    /// Draws the first of the titles that fits, otherwise the last one.
    func paintTitle(_ titles: [String], in rect: TerminalRect, below count: Int, on buffer: inout CellBuffer) {
        let reserved = count <= 0 ? 2 : DisplayWidth.of("↓ \(ValueText.count(count))") + 4
        let title = titles.first { DisplayWidth.of($0) + reserved <= rect.width } ?? titles.last ?? ""
        let words = count == 1 ? "↓ 1 more line" : "↓ \(ValueText.count(count)) more lines"
        let fits = DisplayWidth.of(title) + DisplayWidth.of(words) + 4 <= rect.width
        let more = count <= 0 ? "" : fits ? words : "↓ \(ValueText.count(count))"
        let wide = DisplayWidth.of(more)
        let end = wide == 0 ? 1 : wide + 3
        write(title, x: rect.x + 1, y: rect.y, width: rect.width - 1 - end, style: theme.panel.applying(theme.title), on: &buffer)
        write(more, x: rect.x + rect.width - wide - 1, y: rect.y, width: wide, style: theme.panel.applying(theme.hint), on: &buffer)
    }

    func paintPage(_ page: Page, _ scroll: Int, on buffer: inout CellBuffer) {
        let frame = PanelFrame(pageIn: state.size)
        let rect = frame.rect
        buffer.fill(rect, style: theme.panel.textStyle)
        let lines = PageText.lines(of: page, state, width: rect.width)
        let first = min(scroll, max(0, lines.count - frame.pageHeight))
        let last = min(lines.count, first + frame.pageHeight)
        paintTitle(PageText.title(of: page), in: rect, below: lines.count - last, on: &buffer)
        let keyWidth = PageText.keyWidth(rect.width)
        for (n, line) in lines[first..<last].enumerated() {
            let y = rect.y + 1 + n
            switch line {
            case .chapter(let title):
                write(title, x: rect.x + 1, y: y, width: rect.width - 2, style: theme.panel.applying(theme.sectionHeader), on: &buffer)
            case .entry(let keys, let text):
                write(keys, x: rect.x + 2, y: y, width: keyWidth, style: theme.panel.applying(theme.hintKey), on: &buffer)
                write(text, x: rect.x + 3 + keyWidth, y: y, width: rect.width - keyWidth - 4, style: theme.panel, on: &buffer)
            case .text(let text): write(text, x: rect.x + 1, y: y, width: rect.width - 2, style: theme.panel, on: &buffer)
            }
        }
    }

    // MARK: Row view

    /// Draws the row view, from `place`.
    func paintRecord(_ place: RecordPlace, on buffer: inout CellBuffer) {
        guard let form = record, let row = state.grid.currentRow else { return }
        let frame = PanelFrame(pageIn: state.size)
        let rect = frame.rect
        buffer.fill(rect, style: theme.panel.textStyle)
        let height = frame.pageHeight
        // One more line, to detect the end of the page.
        let lines = form.lines(from: place, count: height + 1)
        let all = state.document.isComplete ? " of \(ValueText.count(state.document.recordCount))" : ""
        let number = row.isCountedFromEnd ? "" : " \(ValueText.count(row.rawValue + 1))\(all)"
        let position = form.position(of: lines, height: height)
        let wide = DisplayWidth.of(position)
        let taken = write(
            "Row\(number)", x: rect.x + 1, y: rect.y, width: rect.width - 2, style: theme.panel.applying(theme.title), on: &buffer)
        if taken + wide + 4 <= rect.width {
            write(
                position, x: rect.x + rect.width - wide - 1, y: rect.y, width: wide, style: theme.panel.applying(theme.hint), on: &buffer)
        }
        // The first visible line of the current field is highlighted: the whole field can be longer than the page.
        let current = lines.prefix(height).firstIndex { $0.place.column == state.grid.cursor.column }
        for (n, line) in lines.prefix(height).enumerated() {
            let y = rect.y + 1 + n
            let ground = n == current ? theme.panelSelection : theme.panel
            let dim = n == current ? ground : ground.applying(theme.hint)
            if n == current { buffer.fill(TerminalRect(x: rect.x, y: y, width: rect.width, height: 1), style: ground.textStyle) }
            let wide = min(DisplayWidth.of(line.title), form.titleWidth)
            write(line.title, x: rect.x + 1 + form.titleWidth - wide, y: y, width: form.titleWidth, style: dim, on: &buffer)
            write(
                line.value, x: rect.x + form.titleWidth + 3, y: y, width: form.valueWidth, style: line.isNote ? dim : ground, on: &buffer)
        }
    }
}
