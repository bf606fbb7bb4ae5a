import DataGrid
import TerminalSurface

/// The prompt for the text of a search. The search runs while the user types.
struct SearchPrompt: Overlay {
    /// The text field with the typed text.
    var field = LineEditor()
    var isPattern = false
    /// The column to search; `nil` for all columns.
    var column: ColumnID?
    /// The cursor position when the prompt was opened, to restore it if the search is cancelled.
    let originalCursor: GridCursor
    /// The scroll position when the prompt was opened, to restore it if the search is cancelled.
    let originalScroll: GridScroll
    /// For each section, true if it was collapsed when the prompt was opened. It is restored if the search is cancelled, because a match
    /// expands its section.
    let collapsed: [Bool]
    /// The error in the typed regular expression; `nil` if it is valid.
    var error: String?

    private var history = PromptHistory<Search>()

    init(in grid: GridState) { (originalCursor, originalScroll, collapsed) = (grid.cursor, grid.scroll, grid.outline.collapsed) }

    var contexts: [KeyContext] { [.search, .prompt] }

    func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        var prompt = self
        switch id {
        case .close:
            state.overlay = nil
            return state.cancelSearch(of: self)
        case .accept:
            guard error == nil else { return [] }
            state.overlay = nil
            guard let search = state.search else { return [] }
            state.searchHistory.remember(Search(text: search.text, isPattern: search.isPattern))
            state.remember(originalCursor)
            return [.countMatches(search)]
        case .previousSearch, .nextSearch:
            let current = Search(text: field.string, isPattern: isPattern)
            let step = id == .previousSearch ? -1 : 1
            guard let search = prompt.history.move(by: step, in: state.searchHistory, from: current) else { return [] }
            (prompt.field, prompt.isPattern) = (LineEditor(search.text), search.isPattern)
        // Use the column in which the cursor was when the prompt was opened, because the cursor may have moved to a match.
        case .searchScope:
            let columns = state.grid.columns
            prompt.column = column == nil && originalCursor.column < columns.count ? columns[originalCursor.column].id : nil
        case .searchPattern: prompt.isPattern.toggle()
        default: return []
        }
        return state.restartSearch(prompt)
    }

    func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect] {
        var prompt = self
        change(&prompt.field)
        return state.restartSearch(prompt)
    }

    func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        painter.layout.hintY.map { painter.paintSearch(self, $0, on: &buffer) }
    }
}
