import DataGrid
import DataGridTerminal

import TerminalSurface

/// A list over the grid, such as columns or commands, that the user filters by typing.
struct ListPanel: Overlay {
    /// The use of a list. Each feature declares the uses of its lists.
    struct Purpose: Equatable, Sendable {
        /// The effect of selecting a row of a list. The list is closed first. The closure captures no values, because `==` compares names
        /// only.
        typealias Effect = @MainActor @Sendable (inout AppState, ListPanel, Row) -> [AppEffect]

        let name: String
        /// The hint for the key that selects a row.
        let hint: String
        let select: Effect
        /// A closure that handles typed text that is not a name, such as a row number. It returns `nil` for text that it does not handle.
        /// The property is `nil` if only names can be typed.
        let accept: (@MainActor @Sendable (inout AppState, String) -> [AppEffect]?)?
        /// The rows for typed text; `nil` if they do not depend on it.
        let rows: (@MainActor @Sendable (AppState, String) -> [Row])?
        /// The context of the list's own commands; `nil` for none.
        let context: KeyContext?
        /// The effect of the list's own commands. The list stays open.
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

        /// Compares the names.
        static func == (one: Purpose, other: Purpose) -> Bool { one.name == other.name }
    }

    /// A row of the list.
    struct Row: Equatable, Sendable {
        /// The displayed text, which is matched against the typed text.
        var text: String
        /// A detail at the right, such as a key or a state.
        var detail: String
        /// Identifies the item of the row: by a column ID, for example, or by the index of a command in the table.
        var tag: Int
        /// The description that is shown while the row is selected; empty for none.
        var note = ""
        /// More words by which the row is found, in lower case. Rows whose text matches come first.
        var keywords = ""
        /// Strings that put the row at the top when typed exactly.
        var aliases: [String] = []
    }

    /// The values of the listed columns in a row.
    struct Values: Equatable, Sendable {
        /// The number of the row, from 1.
        let row: Int
        /// The first bytes of each value; `""` for an empty value.
        let texts: [ColumnID: String]
    }

    /// In a list of columns, the values in the row of the cursor, once they have been read; otherwise `nil`.
    var values: Values?
    /// The use of the list.
    var purpose: Purpose
    /// The column of a menu; `nil` for other lists.
    let column: ColumnID?
    /// The title at the top of the panel.
    var title: String
    /// All rows, including those that do not match.
    var rows: [Row] { didSet { rank() } }
    /// The typed text.
    var field = LineEditor() { didSet { if field.string != oldValue.string { rank() } } }
    /// The index of the selected row among ``matches``.
    var selected = 0
    /// The indices of ``matches`` in ``rows``, cached because every frame reads some of them.
    private var matchIndices: [Int] = []

    init(purpose: Purpose, title: String, rows: [Row], of column: ColumnID? = nil) {
        (self.purpose, self.title, self.rows, self.column) = (purpose, title, rows, column)
        rank()
    }

    /// The rows that match the typed text, best first.
    var matches: LazyMapCollection<[Int], Row> { matchIndices.lazy.map { rows[$0] } }

    /// Updates the matches. O(rows · length), and O(matches · log matches) to sort them.
    private mutating func rank() {
        rankByText()
        // Only lists that run typed text have aliases; others may have a million rows.
        guard purpose.accept != nil, let exact = rows.firstIndex(where: { $0.aliases.contains(field.string) }) else { return }
        matchIndices.removeAll { $0 == exact }
        matchIndices.insert(exact, at: 0)
    }

    private mutating func rankByText() {
        matchIndices = FuzzyMatch.rank(field.string, in: rows.lazy.map(\.text))
        let words = field.string.lowercased().split(separator: " ")
        // In a list of commands, a typed number is a row number.
        guard let first = words.first?.first, first.isLetter || first.isNumber && purpose.accept == nil,
            rows.contains(where: { !$0.keywords.isEmpty })
        else { return }
        let found = Set(matchIndices)
        // Many rows have the same keywords, such as the types of columns.
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

    /// Moves the selection, wrapping around at the ends.
    mutating func move(by count: Int) {
        let all = matches.count
        guard all > 0 else { return }
        selected = ((selected + count) % all + all) % all
    }

    // MARK: Overlay

    var contexts: [KeyContext] { (purpose.context.map { [$0] } ?? []) + [.list, .prompt] }

    func frame(in state: AppState) -> PanelFrame? { listFrame(in: state) }

    /// A menu is below the name of its column, if there is room; other lists are in the middle of the screen.
    @MainActor func listFrame(in state: AppState) -> PanelFrame {
        let layout = state.grid.layout
        if let column, let index = state.grid.columns.index(of: column), let span = layout.columns.first(where: { $0.index == index }) {
            let width = rows.map { DisplayWidth.of($0.text) + DisplayWidth.of($0.detail) + 8 }.max() ?? 0
            let y = AppLayout(state).gridY + layout.headerHeight
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

    /// Selects the current row, if the list is not empty.
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
