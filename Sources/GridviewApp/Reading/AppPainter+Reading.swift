import DataGrid
import DataGridTerminal
import Tables
import TerminalSurface

extension AppPainter {
    /// The minimum and maximum width of a column in the preview, in terminal cells.
    private static let columnWidthRange = 3...24

    /// Draws the form for reading options.
    /// - Returns: The position of the text cursor.
    func paintReading(_ form: ReadingForm, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        let layout = ReadingFormLayout(form, in: state.size)
        let rect = layout.rect
        buffer.fill(rect, style: theme.panel.textStyle)
        let name = Message.name(state.document.name, width: max(8, rect.width - 20))
        paintTitle("Read “\(name)” as", in: rect, below: 0, on: &buffer)
        var cursor: (x: Int, y: Int)?
        var isExplained = false
        for (line, field) in layout.fields.enumerated() {
            let y = rect.y + 1 + line
            let isSelected = field == form.selected
            let style = isSelected ? theme.panelSelection : theme.panel
            if isSelected { buffer.fill(TerminalRect(x: rect.x, y: y, width: rect.width, height: 1), style: style.textStyle) }
            write(field.label, x: rect.x + 1, y: y, width: 11, style: style, on: &buffer)
            let (value, isTyped) = text(of: field, in: form)
            let start = rect.x + 13
            let room = max(1, rect.width - 14)
            // On the selected line, use the text style, because the faint style of hints would be hard to read.
            let end =
                start
                + write(value, x: start, y: y, width: room, style: isTyped || isSelected ? style : style.applying(theme.hint), on: &buffer)
            if isSelected { cursor = (min(isTyped && field.isText ? end : start, rect.x + rect.width - 1), y) }
            guard let error = form.error, error.field == field else { continue }
            let width = rect.x + rect.width - end - 3
            isExplained = DisplayWidth.of(error.message, limit: rect.width) <= width
            let text = isExplained ? error.message : "✗"
            write(text, x: end + 2, y: y, width: max(1, width), style: style.applying(theme.error), on: &buffer)
        }
        let height = max(0, rect.y + rect.height - layout.previewY)
        if let error = form.error {
            if !isExplained {
                for (n, line) in TextWrap.lines(error.message, width: max(1, rect.width - 2)).prefix(height).enumerated() {
                    write(
                        line, x: rect.x + 1, y: layout.previewY + n, width: rect.width - 2, style: theme.panel.applying(theme.error),
                        on: &buffer)
                }
            }
        } else if let preview = form.preview {
            paint(preview, in: TerminalRect(x: rect.x + 1, y: layout.previewY, width: rect.width - 2, height: height), on: &buffer)
        }
        return cursor
    }

    /// Draws the preview: column names and the first rows of the file.
    private func paint(_ preview: ReadingPreview, in rect: TerminalRect, on buffer: inout CellBuffer) {
        guard rect.height > 0, rect.width > 0 else { return }
        let rows = preview.rows.prefix(rect.height - 1)
        guard preview.columnCount > 0 else {
            write("No columns.", x: rect.x, y: rect.y, width: rect.width, style: theme.panel.applying(theme.hint), on: &buffer)
            return
        }
        var x = rect.x
        for (index, title) in preview.titles.enumerated() {
            let texts = [title] + rows.map { $0.indices.contains(index) ? $0[index] : "" }
            let widest = texts.map { DisplayWidth.of($0, limit: Self.columnWidthRange.upperBound) }.max() ?? 0
            let width = min(max(widest, Self.columnWidthRange.lowerBound), Self.columnWidthRange.upperBound, rect.x + rect.width - x)
            guard width > 0 else { break }
            for (line, text) in texts.enumerated() {
                let style = line == 0 ? theme.panel.applying(theme.title) : theme.panel
                write(text, x: x, y: rect.y + line, width: width, style: style, on: &buffer)
            }
            x += width + 2
        }
    }

    /// The text that the form shows for a field. `isTyped` is false for a detected value or the default, which is drawn faintly.
    private func text(of field: ReadingSettings.Field, in form: ReadingForm) -> (text: String, isTyped: Bool) {
        let value = form.values[field] ?? ""
        if !value.isEmpty {
            guard field == .header else { return (value, true) }
            return (["yes": "first row", "two": "first two rows", "no": "none"][value] ?? value, true)
        }
        switch field {
        case .skippedLines: return ("0", false)
        case .escape, .commentPrefix: return ("none", false)
        case .decimal: return ("auto", false)
        case .delimiter, .quote, .header, .encoding:
            let format = field == .delimiter ? form.preview?.detail("format") : nil
            let found = format ?? form.preview?.detail(field.rawValue)
            return (found.map { "auto: \($0)" } ?? "auto", false)
        }
    }
}
