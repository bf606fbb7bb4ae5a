import DataGrid
import DataGridTerminal

import TerminalSurface

/// A panel with a list over the grid, such as of columns or commands. Typing reduces the list to the matching rows.
struct ListPanel: Overlay {
    /// The use of a list, which determines its rows and the effect of choosing one. Each feature declares the uses of its lists.
    struct Purpose: Equatable, Sendable {
        /// A function that runs after the user has chosen a row and the list is closed. It must capture no values, because `==` compares
        /// only the names of purposes.
        typealias Effect = @MainActor @Sendable (inout AppState, ListPanel, Row) -> [AppEffect]

        let name: String
        /// The hint for the Enter key, which says what choosing a row does.
        let hint: String
        let select: Effect
        /// Handles typed text that is not the name of a row, such as a row number; returns `nil` for text that it cannot handle. The
        /// property is `nil` if only names can be typed.
        let accept: (@MainActor @Sendable (inout AppState, String) -> [AppEffect]?)?
        /// Returns the rows for the typed text; `nil` if the rows do not depend on the text.
        let rows: (@MainActor @Sendable (AppState, String) -> [Row])?
        /// The key context of commands that only this list has; `nil` without such commands.
        let context: KeyContext?
        /// Runs a command that only this list has. The list stays open.
        let run: (@MainActor @Sendable (inout AppState, ListPanel, CommandID) -> [AppEffect])?

        init(
            _ name: String, hint: String = "select", accept: (@MainActor @Sendable (inout AppState, String) -> [AppEffect]?)? = nil,
            rows: (@MainActor @Sendable (AppState, String) -> [Row])? = nil,
            context: KeyContext? = nil, run: (@MainActor @Sendable (inout AppState, ListPanel, CommandID) -> [AppEffect])? = nil,
            _ select: @escaping Effect
        ) {
            (self.name, self.hint, self.accept, self.select) = (name, hint, accept, select)
            (self.rows, self.context, self.run) = (rows, context, run)
        }

        /// Compares only the names, because functions cannot be compared.
        static func == (one: Purpose, other: Purpose) -> Bool { one.name == other.name }
    }

    struct Row: Equatable, Sendable {
        /// The text of the row, which is compared with the typed text.
        var text: String
        /// A short text at the right of the row, such as a key or a state.
        var detail: String
        /// Identifies the item of the row: by a column ID, for example, or by the index of a command in the command table.
        var tag: Int
        /// A description that is shown while the row is selected; empty for none.
        var note = ""
        /// Other words that find the row, in lower case, separated by spaces. Rows found by these words come after rows whose text matches.
        var keywords = ""
        /// Strings such as `wq` that put the row at the top when typed exactly.
        var aliases: [String] = []
    }

    /// The values of one row of the table, which a list of columns shows next to the column names.
    struct Values: Equatable, Sendable {
        /// The row number, from 1.
        let row: Int
        /// The beginning of each value. An empty text is an empty value.
        let texts: [ColumnID: String]
    }

    /// For a list of columns, the values in the current row; `nil` until a job has read them, and for other lists.
    var values: Values?
    /// The use of the list, which determines the effect of choosing a row.
    var purpose: Purpose
    /// The column to which the commands of a menu apply; `nil` for other lists.
    let column: ColumnID?
    /// The line of the screen at which the menu of a cell begins; `nil` for other lists.
    var top: Int?
    /// The title in the first line of the panel.
    var title: String
    /// All rows, including those that do not match the typed text.
    var rows: [Row] { didSet { updateMatches() } }
    /// The text field with the typed text.
    var field = LineEditor() { didSet { if field.string != oldValue.string { updateMatches() } } }
    /// The index of the selected row in ``matches``.
    var selected = 0
    /// The indices in ``rows`` of the rows that match. They are stored, because drawing needs some of them for every frame.
    private var matchIndices: [Int] = []

    init(purpose: Purpose, title: String, rows: [Row], of column: ColumnID? = nil) {
        (self.purpose, self.title, self.rows, self.column) = (purpose, title, rows, column)
        updateMatches()
    }

    /// The rows that match the typed text, the best first.
    var matches: LazyMapCollection<[Int], Row> { matchIndices.lazy.map { rows[$0] } }

    /// Finds the rows that match the typed text. O(rows · length), and O(matches · log matches) to sort them.
    private mutating func updateMatches() {
        updateMatchesByText()
        // Only lists with `accept` can have aliases. Do not search other lists for an alias, because they may have a million rows.
        guard purpose.accept != nil, let exact = rows.firstIndex(where: { $0.aliases.contains(field.string) }) else { return }
        matchIndices.removeAll { $0 == exact }
        matchIndices.insert(exact, at: 0)
    }

    private mutating func updateMatchesByText() {
        matchIndices = FuzzyMatch.rank(field.string, in: rows.lazy.map(\.text))
        let words = field.string.lowercased().split(separator: " ")
        // In the palette, a typed number is a row number, so do not search the keywords for it.
        guard let first = words.first?.first, first.isLetter || first.isNumber && purpose.accept == nil,
            rows.contains(where: { !$0.keywords.isEmpty })
        else { return }
        let found = Set(matchIndices)
        // Many rows have equal keywords, such as the type of their column. Compare equal keywords only once.
        var isMatch: [String: Bool] = [:]
        matchIndices += rows.indices.filter { index in
            guard !found.contains(index) else { return false }
            let keywords = rows[index].keywords
            if let cached = isMatch[keywords] { return cached }
            let all = keywords.split(separator: " ")
            let matches = words.allSatisfy { word in all.contains { $0.hasPrefix(word) } }
            isMatch[keywords] = matches
            return matches
        }
    }

    /// Moves the selection by `count` rows. Continues at the other end of the list.
    mutating func move(by count: Int) {
        let all = matches.count
        guard all > 0 else { return }
        selected = ((selected + count) % all + all) % all
    }

    // MARK: Overlay

    var contexts: [KeyContext] { (purpose.context.map { [$0] } ?? []) + [.list, .prompt] }

    func frame(in state: AppState) -> PanelFrame? { listFrame(in: state) }

    /// The frame on the screen. A menu is below its cell or the name of its column if there is room. All other lists are in the middle of
    /// the screen.
    @MainActor func listFrame(in state: AppState) -> PanelFrame {
        let layout = state.grid.layout
        if let column, let index = state.grid.columns.index(of: column), let span = layout.columns.first(where: { $0.index == index }) {
            let widths = rows.map { DisplayWidth.of($0.text) + DisplayWidth.of($0.detail) + 8 }
            // Leave room beside the title for the number of hidden entries.
            let width = max(widths.max() ?? 0, DisplayWidth.of(title) + 9)
            let y = max(AppLayout(state).gridY + layout.headerHeight, top ?? 0)
            if let frame = PanelFrame(menuIn: state.size, x: span.x, y: y, width: width, rows: rows.count, matches: matches.count) {
                return frame
            }
        }
        return PanelFrame(listIn: state.size, rows: rows.count, matches: matches.count)
    }

    func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        var panel = self
        switch id {
        case .up: panel.move(by: -1)
        case .down: panel.move(by: 1)
        case .pageUp: panel.move(by: -min(10, selected))
        case .pageDown: panel.move(by: min(10, max(0, matches.count - 1 - selected)))
        case .accept: return choose(in: &state)
        case .close:
            state.overlay = nil
            return []
        default: return purpose.run?(&state, self, id) ?? []
        }
        state.overlay = panel
        return []
    }

    /// Handles typed text that is not a name, such as a row number; otherwise runs the effect of the selected row.
    @MainActor private func choose(in state: inout AppState) -> [AppEffect] {
        if let effects = purpose.accept?(&state, field.string) { return effects }
        guard selected < matches.count else { return [] }
        state.overlay = nil
        return purpose.select(&state, self, matches[selected])
    }

    func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect] {
        var panel = self
        change(&panel.field)
        if let rows = purpose.rows?(state, panel.field.string) { panel.rows = rows }
        panel.selected = 0
        state.overlay = panel
        return []
    }

    func click(x: Int, y: Int, in state: inout AppState) -> [AppEffect] {
        guard let row = listFrame(in: state).row(atX: x, y: y, selected: selected), row < matches.count else { return [] }
        var panel = self
        panel.selected = row
        return panel.choose(in: &state)
    }

    func scroll(notches: Int, in state: inout AppState) -> [AppEffect] {
        var panel = self
        panel.move(by: notches)
        state.overlay = panel
        return []
    }

    func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)? { painter.paintList(self, on: &buffer) }

    func hints(with painter: AppPainter) -> [KeyHint] {
        [painter.hint(.accept, as: purpose.hint), painter.hint(.close, as: "back")]
            + Command.table.filter { $0.context == purpose.context }.map { painter.hint($0.id) }
            + [painter.hint(.up, .down, as: "choose"), KeyHint("type", "to filter")]
    }
}
