import DataGrid
import DataGridQuery
import TerminalSurface

/// A prompt for a filter or a formula, with its error.
struct FormulaPrompt: Overlay {
    /// The use of the text.
    enum Purpose: Equatable, Sendable {
        /// Enter filters the rows.
        case filter
        /// Enter adds a column.
        case derivation
    }

    /// The use of the text.
    let purpose: Purpose
    /// The typed text.
    var field = LineEditor()
    /// The error in the text; `nil` if it is valid or empty.
    var error: FilterError?
    /// True after Enter on a text with a mistake.
    var isRejected = false
    /// The text to find in any cell, if the filter is a bare text.
    var bareText: String?
    /// The index of the displayed filter in the history; `nil` for a new one.
    var place: Int?
    /// The new text, while a filter of the history is shown.
    var draft = LineEditor()

    /// True if the error is at the end of the text and Enter was not pressed: the user may still be typing it.
    var isUnfinished: Bool {
        guard let error, !isRejected else { return false }
        // `place` counts Unicode scalars.
        return error.place.upperBound >= field.string.unicodeScalars.reversed().drop { $0 == " " }.count
    }

    /// Creates an empty prompt.
    init(purpose: Purpose = .filter) { self.purpose = purpose }

    var contexts: [KeyContext] { purpose == .filter ? [.filter, .prompt] : [.prompt] }

    func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        var prompt = self
        switch id {
        case .close: state.overlay = nil
        case .accept:
            guard error == nil else {
                prompt.isRejected = true
                state.overlay = prompt
                return []
            }
            state.overlay = nil
            let text = field.string
            if text.allSatisfy({ $0 == " " }) { return [] }
            return purpose == .filter ? state.addFilter(text) : state.derive(text)
        case .previousFilter, .nextFilter:
            prompt.recall(id == .previousFilter ? -1 : 1, of: state.filterHistory)
            prompt.check(in: state)
            state.overlay = prompt
        default: break
        }
        return []
    }

    func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect] {
        var prompt = self
        change(&prompt.field)
        prompt.check(in: state)
        state.overlay = prompt
        return []
    }

    private mutating func recall(_ step: Int, of history: [String]) {
        let next = (place ?? history.count) + step
        guard history.indices.contains(next) || next == history.count else { return }
        if place == nil { draft = field }
        place = next < history.count ? next : nil
        field = place.map { LineEditor(history[$0]) } ?? draft
    }

    /// Parses the typed text.
    @MainActor private mutating func check(in state: AppState) {
        (error, bareText, isRejected) = (nil, nil, false)
        let text = field.string
        guard !text.allSatisfy({ $0 == " " }) else { return }
        do {
            switch purpose {
            case .filter: bareText = try Filter(text, in: state.schema).bareText
            case .derivation: _ = try state.derivedField(text)
            }
        } catch {
            self.error = error
        }
    }

    func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        painter.layout.hintY.map { painter.paintFormulaPrompt(self, $0, on: &buffer) }
    }
}
