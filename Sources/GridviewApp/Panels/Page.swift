import DataGrid
import DataGridTerminal
import TerminalSurface

/// A page of text over the grid, which can be scrolled and searched. Each feature declares its pages.
struct Page: Overlay {
    let title: String
    /// Returns the lines before they are wrapped. It must capture no values, because `==` does not compare it.
    let makeLines: @MainActor @Sendable (AppState) -> [Line]
    /// True to show the text in two columns on wide screens.
    let usesTwoColumns: Bool
    /// The text that the copy key copies, with a name for the message; `nil` if the page has nothing to copy.
    let copyableText: (name: String, text: @MainActor @Sendable (AppState) -> String)?
    /// The index of the first visible line, counting wrapped lines.
    var scroll = 0
    /// The search in the text of the page; `nil` for none.
    var search: PageSearch?

    init(
        _ title: String, usesTwoColumns: Bool = false, copyableText: (name: String, text: @MainActor @Sendable (AppState) -> String)? = nil,
        _ makeLines: @escaping @MainActor @Sendable (AppState) -> [Line]
    ) {
        (self.title, self.usesTwoColumns, self.copyableText, self.makeLines) = (title, usesTwoColumns, copyableText, makeLines)
    }

    static func == (one: Page, other: Page) -> Bool {
        one.title == other.title && one.scroll == other.scroll && one.search == other.search
    }

    var contexts: [KeyContext] { search?.isTyping == true ? [.prompt] : [.page, .panel] }

    func frame(in state: AppState) -> PanelFrame? { PanelFrame(pageIn: state.size) }

    func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        if search?.isTyping == true { return runPrompt(id, in: &state) }
        if id == .readingOptions { return state.openReading() }
        if id == .copy { return copyableText.map { [.copy(.text($0.text(state), name: $0.name))] } ?? state.show(.nothingToCopy) }
        var page = self
        switch id {
        case .close:
            state.overlay = nil
            return []
        case .search: page.search = PageSearch(originalFirstLine: PageLayout(self, in: state).firstLine)
        case .searchNext, .searchPrevious:
            guard page.search != nil else {
                return state.show(.noSearch(searchKey: state.keyMap.label(of: .search, in: contexts) ?? state.key(.search)))
            }
            page.goToMatch(in: state, isForward: id == .searchNext)
        default:
            let layout = PageLayout(self, in: state)
            guard let lines = id.scrolledLines(ofPage: layout.lineCount) else { return [] }
            page.scroll = layout.scroll(layout.firstLine + lines)
        }
        state.overlay = page
        return []
    }

    func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect] {
        guard var search else { return [] }
        var page = self
        change(&search.field)
        search.match = nil
        (page.search, page.scroll) = (search, search.originalFirstLine)
        page.goToMatch(in: state, isForward: true)
        state.overlay = page
        return []
    }

    func scroll(notches: Int, in state: inout AppState) -> [AppEffect] { run(notches > 0 ? .down : .up, in: &state) }

    func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)? { painter.paintPage(self, on: &buffer) }

    func hints(with painter: AppPainter) -> [KeyHint] {
        let scrolling = [painter.hint(.up, .down, as: "scroll"), painter.hint(.close)]
        let reading = title == Page.about.title ? [painter.hint(.readingOptions)] : []
        let found = search == nil ? [] : [painter.hint(.searchNext, .searchPrevious, as: "next, previous match")]
        let copying = copyableText == nil ? [] : [painter.hint(.copy)]
        return scrolling + reading + copying + [painter.hint(.pageDown, as: "page")] + found + [painter.hint(.search)]
    }
}
