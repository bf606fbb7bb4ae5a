import DataGridTerminal

extension Page {
    /// A line of a page before it is wrapped.
    enum Line: Equatable {
        case chapter(String)
        /// A label at the left, such as a key, with a description. The search also finds the line by `words`, which are not shown.
        case entry(keys: String, text: String, words: String = "")
        case text(String)
    }

    /// The maximum width of the labels at the left, in terminal cells.
    private static let keyWidth = 22

    /// The lines of the page, wrapped to `width` terminal cells.
    @MainActor func lines(_ state: AppState, width: Int) -> [Line] { wrapped(state, width: width).map(\.line) }

    /// The lines of the page, wrapped to `width` terminal cells. `index` is the index of the line before wrapping.
    @MainActor func wrapped(_ state: AppState, width: Int) -> [(index: Int, line: Line)] {
        let descriptionWidth = max(12, width - Self.labelWidth(onPageOfWidth: width) - 4)
        return makeLines(state).enumerated().flatMap { index, line in
            Self.wrapped(line, width: width, descriptionWidth: descriptionWidth).map { (index, $0) }
        }
    }

    private static func wrapped(_ line: Line, width: Int, descriptionWidth: Int) -> [Line] {
        switch line {
        case .chapter: return [line]
        case .text(let text):
            let indent = String(text.prefix { $0 == " " })
            // If an indented line is wrapped, indent its later parts further, to show that they belong to the line above.
            let hanging = indent.isEmpty ? "" : indent + "  "
            let pieces = TextWrap.lines(String(text.dropFirst(indent.count)), width: max(12, width - 2 - hanging.count))
            return pieces.enumerated().map { .text(($0 == 0 ? indent : hanging) + $1) }
        case .entry(let keys, let text, let words):
            // A label and its description are wrapped separately, so the longer one determines the number of lines.
            let left = TextWrap.lines(keys, width: labelWidth(onPageOfWidth: width))
            let right = TextWrap.lines(text, width: descriptionWidth)
            return (0..<max(left.count, right.count)).map {
                .entry(keys: $0 < left.count ? left[$0] : "", text: $0 < right.count ? right[$0] : "", words: words)
            }
        }
    }

    /// The width of the labels on a page of `width` terminal cells: a third of the page. On a narrow page, they take up to half of the
    /// page, so that the longest key label fits.
    static func labelWidth(onPageOfWidth width: Int) -> Int { max(1, min(keyWidth, max(width / 3, min(longestKey, width / 2)))) }

    private static let longestKey = "Ctrl-Backspace".count
}
