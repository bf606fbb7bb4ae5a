import DataGrid
import DataGridQuery
import Tables
import TerminalSurface

/// A prompt in which the user types a filter, a formula or a pivot table. It checks the text after each key.
struct FormulaPrompt: Overlay {
    /// The use of the prompt.
    enum Purpose: Equatable, Sendable {
        /// The Enter key filters the rows.
        case filter
        /// The Enter key adds a column.
        case derivation
        /// The Enter key opens a pivot table.
        case pivot
    }

    /// The use of the prompt.
    let purpose: Purpose
    /// The text field with the typed text.
    var field = LineEditor()
    /// The error in the typed text; `nil` if the text is valid or empty.
    var error: FilterError?
    /// Advice about a valid text that is probably a mistake; `nil` for none.
    var hint: FormulaHint?
    /// True if Enter was pressed while the text had an error.
    var isRejected = false
    /// The texts that a filter of words without operators searches for in all cells; empty for any other filter.
    var bareTexts: [String] = []
    /// The filter that Enter replaces by the typed one; `nil` to add a filter.
    var editedFilter: Filter?
    /// The row view to return to when the prompt is closed; `nil` to return to the grid.
    var rowView: RowView?
    /// The number of rows that match the typed filter; `nil` until a job has counted them.
    var matches: Matches?
    /// The columns or values that can complete the word at the cursor; `nil` for none.
    var candidates: FilterCandidates?
    /// The values of one column, which the prompt suggests; `nil` until a job has found them.
    var values: FilterValues?
    private var history = PromptHistory<LineEditor>()

    /// True if the error is at the end of the text and Enter was not pressed: the user may still be typing.
    var isUnfinished: Bool {
        guard let error, !isRejected else { return false }
        // The range of the error counts Unicode scalars.
        return error.range.upperBound >= field.string.unicodeScalars.reversed().drop { $0 == " " }.count
    }

    /// The number of rows that match a filter, counted by a job.
    struct Matches: Equatable, Sendable {
        var count: Int
        /// True if all rows were tested; false while the job tests more rows.
        var isComplete: Bool
    }

    init(purpose: Purpose = .filter) { self.purpose = purpose }

    /// Creates a prompt to edit a filter, with the text of the filter.
    init(editing filter: Filter) {
        (purpose, editedFilter, field) = (.filter, filter, LineEditor(filter.text))
        bareTexts = filter.bareTexts
    }

    var contexts: [KeyContext] { purpose == .filter ? [.filter, .prompt] : [.prompt] }

    func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        var prompt = self
        switch id {
        case .close:
            state.overlay = rowView
            return jobCancellations + (rowView == nil ? [] : [.showField, .readRecord])
        case .accept:
            guard error == nil else {
                prompt.isRejected = true
                state.overlay = prompt
                return []
            }
            state.overlay = nil
            let text = field.string
            if let editedFilter { return state.replaceFilter(editedFilter, with: text) + jobCancellations }
            if text.allSatisfy({ $0 == " " }) { return jobCancellations }
            switch purpose {
            case .filter: return state.addFilter(text) + jobCancellations
            case .derivation: return state.derive(text)
            case .pivot: return state.pivot(text)
            }
        case .previousFilter, .nextFilter:
            let filters = state.filterHistory.map { LineEditor($0) }
            if let field = prompt.history.move(by: id == .previousFilter ? -1 : 1, in: filters, from: field) { prompt.field = field }
            prompt.candidates = nil
        case .nextCompletion, .previousCompletion:
            var effects: [AppEffect] = []
            if candidates == nil { effects = prompt.findCandidates(in: state.schema, isRequested: true) }
            guard let completed = prompt.candidates?.insertCandidate(step: id == .nextCompletion ? 1 : -1) else {
                state.overlay = prompt
                return effects
            }
            prompt.field = completed
        default: return []
        }
        return prompt.show(in: &state)
    }

    func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect] {
        var prompt = self
        change(&prompt.field)
        let effects = purpose == .filter ? prompt.findCandidates(in: state.schema) : []
        return prompt.show(in: &state) + effects
    }

    /// Shows the prompt after its text has changed, and starts to count the matching rows.
    @MainActor private func show(in state: inout AppState) -> [AppEffect] {
        var prompt = self
        let isChanged = prompt.field.string != (state.overlay as? FormulaPrompt)?.field.string
        prompt.check(in: state)
        guard purpose == .filter, isChanged else {
            state.overlay = prompt
            return []
        }
        prompt.matches = nil
        state.overlay = prompt
        let text = prompt.field.string
        return prompt.error != nil || text.allSatisfy({ $0 == " " })
            ? [.cancel(.preview)] : [.countRows(filter: text, replacing: editedFilter)]
    }

    /// The effects that cancel the jobs of this prompt, which count matching rows and find values.
    private var jobCancellations: [AppEffect] {
        guard purpose == .filter, matches != nil || values != nil || !field.text.isEmpty else { return [] }
        return [.cancel(.preview), .cancel(.values)]
    }

    /// Finds the columns or values that can complete the word before the cursor. For values of a column, returns the effect that starts a
    /// job to find them.
    /// - Parameter isRequested: true if the user pressed the completion key, so that all columns are offered even if nothing is typed.
    private mutating func findCandidates(in schema: Schema, isRequested: Bool = false) -> [AppEffect] {
        candidates = nil
        guard let completion = FilterCompletion(String(field.text[..<field.cursor]), in: schema) else { return [] }
        if case .values(let id) = completion.subject, values?.field != id {
            values = FilterValues(field: id)
            return [.findValues(id)]
        }
        candidates = FilterCandidates(field, completion, schema, values, isRequested: isRequested)
        return []
    }

    /// Offers the values that a job has found as completions. If the user has already inserted a completion, keeps the list that is shown.
    mutating func show(_ foundValues: FilterValues, in schema: Schema) {
        guard values?.field == foundValues.field else { return }
        values = foundValues
        if candidates?.selected == nil { _ = findCandidates(in: schema) }
    }

    /// Parses the typed text, and stores its error or a hint about it.
    @MainActor private mutating func check(in state: AppState) {
        (error, hint, bareTexts, isRejected) = (nil, nil, [], false)
        let (text, schema) = (field.string, state.schema)
        guard !text.allSatisfy({ $0 == " " }) else { return }
        do throws(FilterError) {
            switch purpose {
            case .filter:
                bareTexts = try Filter(text, in: schema).bareTexts
                hint = FormulaHint.hints(aboutFilter: text, in: schema).first
            case .derivation:
                _ = try state.derivedField(text)
                hint = FormulaHint.hints(aboutDefinition: text, in: schema).first
            case .pivot:
                do {
                    _ = try state.pivotTable(PivotText(text: text))
                } catch {
                    // The error has no position, so mark the whole text.
                    throw FilterError(error.message, at: 0..<text.unicodeScalars.count)
                }
            }
        } catch {
            self.error = error
        }
    }

    func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        painter.layout.hintY.map { y in
            let (cursor, top) = painter.paintFormulaPrompt(self, y, on: &buffer)
            painter.paintCandidates(self, above: top, cursor: cursor.x, on: &buffer)
            return cursor
        }
    }
}

extension AppState {
    /// Changes the open prompt if it is for a filter. Does nothing for any other overlay.
    mutating func updatePrompt(_ change: (inout FormulaPrompt) -> Void) {
        guard var prompt = overlay as? FormulaPrompt, prompt.purpose == .filter else { return }
        change(&prompt)
        overlay = prompt
    }
}
