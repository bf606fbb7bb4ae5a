import DataGridTerminal

/// The text of the pages over the grid.
@MainActor
enum PageText {
    enum Line: Equatable {
        case chapter(String)
        /// A label at the left, with a description.
        case entry(keys: String, text: String)
        case text(String)
    }

    /// The maximum width of labels in terminal cells.
    private static let keyWidth = 22

    static func title(of page: Page) -> String {
        switch page {
        case .help: "All keys"
        case .about: "File details"
        }
    }

    static func lines(of page: Page, _ state: AppState, width: Int) -> [Line] {
        let room = max(12, width - keyWidth(width) - 4)
        return unwrapped(page, state).flatMap { line -> [Line] in
            switch line {
            case .chapter: return [line]
            case .text(let text):
                let indent = String(text.prefix { $0 == " " })
                // The lines of one note belong together.
                let hanging = indent.isEmpty ? "" : indent + "  "
                let pieces = TextWrap.lines(String(text.dropFirst(indent.count)), width: max(12, width - 2 - hanging.count))
                return pieces.enumerated().map { .text(($0 == 0 ? indent : hanging) + $1) }
            case .entry(let keys, let text):
                // The longer of the label and the description determines the number of lines.
                let left = TextWrap.lines(keys, width: keyWidth(width))
                let right = TextWrap.lines(text, width: room)
                return (0..<max(left.count, right.count)).map {
                    .entry(keys: $0 < left.count ? left[$0] : "", text: $0 < right.count ? right[$0] : "")
                }
            }
        }
    }

    /// The width of labels on a page of this width, in terminal cells: a third, or the longest key name.
    static func keyWidth(_ width: Int) -> Int { max(1, min(keyWidth, max(width / 3, min(longestKey, width / 2)))) }

    private static let longestKey = "Ctrl-Backspace".count

    private static func unwrapped(_ page: Page, _ state: AppState) -> [Line] {
        switch page {
        case .help: HelpText.lines(state.keyMap)
        case .about: about(state)
        }
    }

    private static func about(_ state: AppState) -> [Line] {
        let document = state.document
        let change = state.changeExplanation.map { Line.text("  " + $0) }
        let news = change.isEmpty ? [] : [.chapter("The file has changed")] + change + [.text("")]
        let facts = document.facts.map { Line.entry(keys: $0.name, text: $0.value) }
        let notes = document.notes.map { Line.text("  " + $0) }
        let options = state.queryOptions.map { Line.entry(keys: $0.name, text: $0.value) }
        let view = options.isEmpty ? [] : [.text(""), .chapter("This view as command-line options")] + options
        return news + facts + view + [.text(""), .chapter("Problems found")] + (notes.isEmpty ? [.text("  None.")] : notes)
    }
}
