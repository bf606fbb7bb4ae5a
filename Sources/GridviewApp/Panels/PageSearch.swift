import DataGrid
import DataGridTerminal
import TerminalSurface

/// A search in the text of a ``Page``. It ignores case.
struct PageSearch: Equatable {
    /// The typed text.
    var field = LineEditor()
    /// True while the user types the text to find.
    var isTyping = true
    /// The first visible line when the search prompt was opened.
    let originalFirstLine: Int
    /// The index of the line with the current match, counting lines before they are wrapped; `nil` for no match.
    var match: Int?

    init(originalFirstLine: Int) { self.originalFirstLine = originalFirstLine }

    /// The characters to find, in lower case.
    var characters: [String] { field.string.map { $0.lowercased() } }

    /// The indices of all characters of `text` that belong to a match; empty if no text was typed. O(length of `text` · length of the
    /// search).
    func matchIndices(in text: [Character]) -> [Int] {
        let characters = characters
        guard !characters.isEmpty, text.count >= characters.count else { return [] }
        let lowercased = text.map { $0.lowercased() }
        return (0...lowercased.count - characters.count).filter { lowercased[$0..<$0 + characters.count].elementsEqual(characters) }
    }

    /// True if the line contains the typed text.
    func matches(_ line: Page.Line) -> Bool {
        switch line {
        case .chapter(let text), .text(let text): !matchIndices(in: Array(text)).isEmpty
        case .entry(let keys, let text, let words):
            !matchIndices(in: Array(keys)).isEmpty || !matchIndices(in: Array(text)).isEmpty || matches(words: words)
        }
    }

    /// True if each typed word is the beginning of one of `words`, as in the palette.
    func matches(words: String) -> Bool {
        let (typed, all) = (field.string.lowercased().split(separator: " "), words.split(separator: " "))
        return !typed.isEmpty && typed.allSatisfy { word in all.contains { $0.hasPrefix(word) } }
    }
}

/// The wrapped lines of a page, and how they are arranged on the screen.
@MainActor
struct PageLayout {
    /// The wrapped lines. `index` is the index of the line before wrapping.
    let lines: [(index: Int, line: Page.Line)]
    let frame: PanelFrame
    /// The number of text columns on the screen, 1 or 2.
    let columnCount: Int
    /// The width of a text column in terminal cells.
    let columnWidth: Int
    /// The index of the first visible line.
    let firstLine: Int

    /// The minimum screen width, in terminal cells, for text in two columns.
    static let minimumTwoColumnWidth = 110

    init(_ page: Page, in state: AppState) {
        frame = PanelFrame(pageIn: state.size)
        columnCount = page.usesTwoColumns && frame.rect.width >= Self.minimumTwoColumnWidth ? 2 : 1
        columnWidth = frame.rect.width / columnCount
        lines = page.wrapped(state, width: columnWidth)
        firstLine = min(page.scroll, max(0, lines.count - frame.pageHeight * columnCount))
    }

    /// The number of wrapped lines that fit on the screen.
    var lineCount: Int { frame.pageHeight * columnCount }

    /// The valid index of a first visible line that is nearest to `line`.
    func scroll(_ line: Int) -> Int { min(max(0, line), max(0, lines.count - lineCount)) }
}

extension Page {
    @MainActor func runPrompt(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        var page = self
        switch id {
        case .accept where search?.characters.isEmpty == false: page.search?.isTyping = false
        case .accept, .close: (page.scroll, page.search) = (search?.originalFirstLine ?? scroll, nil)
        default: return []
        }
        state.overlay = page
        return []
    }

    /// Goes to the next or previous match. Starts at the current match, or at the first visible line if there is no current match.
    /// After the last match comes the first one. Scrolls only if the match is not visible.
    @MainActor mutating func goToMatch(in state: AppState, isForward: Bool) {
        guard let search else { return }
        let (layout, matches) = (PageLayout(self, in: state), matches(state))
        let visible = layout.lines.dropFirst(layout.firstLine).first?.index ?? 0
        let start = search.match.map { $0 + 1 } ?? visible
        let next =
            isForward
            ? matches.first { $0 >= start } ?? matches.first
            : matches.last { $0 < search.match ?? visible } ?? matches.last
        self.search?.match = next
        guard let next, let line = layout.lines.firstIndex(where: { $0.index == next }) else { return }
        if !(layout.firstLine..<layout.firstLine + layout.lineCount).contains(line) { scroll = layout.scroll(line - layout.lineCount / 3) }
    }

    /// The indices of the lines that match, counting lines before they are wrapped.
    @MainActor func matches(_ state: AppState) -> [Int] {
        guard let search, !search.characters.isEmpty else { return [] }
        return makeLines(state).enumerated().filter { search.matches($1) }.map(\.offset)
    }
}
