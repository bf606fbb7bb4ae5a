import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppPainter {
    /// Draws a page of text. While the user types a search, also draws the search prompt.
    /// - Returns: The position of the text cursor; `nil` if no text is being typed.
    func paintPage(_ page: Page, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        let layout = PageLayout(page, in: state)
        let (rect, lines, width) = (layout.frame.rect, layout.lines, layout.columnWidth)
        buffer.fill(rect, style: theme.panel.textStyle)
        let last = min(lines.count, layout.firstLine + layout.lineCount)
        paintTitle(pageTitles(page), in: rect, below: lines.count - last, on: &buffer)
        let keyWidth = Page.labelWidth(onPageOfWidth: width)
        for (n, (index, line)) in lines[layout.firstLine..<last].enumerated() {
            let (x, y) = (rect.x + n / layout.frame.pageHeight * width, rect.y + 1 + n % layout.frame.pageHeight)
            func paint(_ text: String, _ x: Int, _ width: Int, _ style: CellStyle, words: String = "") {
                write(text, x: x, y: y, width: width, style: style, on: &buffer)
                guard let search = page.search else { return }
                // The search has found a hidden synonym of a command, so mark the keys of this command.
                if search.matches(words: words) {
                    let match = style.applying(index == search.match ? theme.currentMatch : theme.match)
                    write(text, x: x, y: y, width: width, style: match, on: &buffer)
                }
                let match = style.applying(index == search.match ? theme.currentMatch : theme.match)
                let letters = Array(text)
                for index in search.matchIndices(in: letters) {
                    let start = DisplayWidth.of(String(letters[..<index]))
                    let found = String(letters[index..<index + search.characters.count])
                    write(found, x: x + start, y: y, width: min(width - start, DisplayWidth.of(found)), style: match, on: &buffer)
                }
            }
            switch line {
            case .chapter(let title): paint(title, x + 1, width - 2, theme.panel.applying(theme.sectionHeader))
            case .entry(let keys, let text, let words):
                paint(keys, x + 2, keyWidth, theme.panel.applying(theme.hintKey), words: words)
                paint(text, x + 3 + keyWidth, width - keyWidth - 4, theme.panel)
            case .text(let text): paint(text, x + 1, width - 2, theme.panel)
            }
        }
        guard let search = page.search, search.isTyping, let y = self.layout.hintY else { return nil }
        buffer.fill(TerminalRect(x: 0, y: y, width: state.size.columns, height: 1), style: theme.row.textStyle)
        return paintPrompt("/", search.field, hints: [promptHints("done").joined(separator: " · "), shortPromptHints, ""], y, on: &buffer)
    }

    /// The forms of the page title, the longest first. During a search, they have the rank of the current match and the number of matches.
    private func pageTitles(_ page: Page) -> [String] {
        guard let search = page.search, !search.characters.isEmpty else { return [page.title] }
        let matches = page.matches(state)
        let found = search.match.flatMap { match in matches.firstIndex(of: match).map { "\($0 + 1)/\(matches.count)" } } ?? "not found"
        return ["\(page.title): \(Message.quoted(search.field.string)) \(found)", "\(page.title): \(found)", found]
    }
}
