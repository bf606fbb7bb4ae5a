import DataGrid
import DataGridQuery
import DataGridTerminal

/// The prompt for a filter or a derived column.
extension AppState {
    /// Runs a command in the prompt.
    mutating func runInFormulaPrompt(_ id: CommandID, _ old: FormulaPrompt) -> [AppEffect] {
        var prompt = old
        switch id {
        case .close: layer = nil
        case .accept:
            guard prompt.error == nil else {
                prompt.isRejected = true
                layer = .formula(prompt)
                return []
            }
            layer = nil
            let text = prompt.field.string
            if text.allSatisfy({ $0 == " " }) { return [] }
            return prompt.purpose == .filter ? addFilter(text) : derive(text)
        case .previousFilter, .nextFilter:
            recall(id == .previousFilter ? -1 : 1, &prompt)
            check(&prompt)
        default: break
        }
        return []
    }

    private func recall(_ step: Int, _ prompt: inout FormulaPrompt) {
        let place = (prompt.place ?? filterHistory.count) + step
        guard filterHistory.indices.contains(place) || place == filterHistory.count else { return }
        if prompt.place == nil { prompt.draft = prompt.field }
        prompt.place = place < filterHistory.count ? place : nil
        prompt.field = prompt.place.map { LineEditor(filterHistory[$0]) } ?? prompt.draft
    }

    /// Parses the typed text and updates the prompt.
    mutating func check(_ prompt: inout FormulaPrompt) {
        (prompt.error, prompt.bareText, prompt.isRejected) = (nil, nil, false)
        let text = prompt.field.string
        if !text.allSatisfy({ $0 == " " }) {
            do {
                switch prompt.purpose {
                case .filter: prompt.bareText = try Filter(text, in: schema).bareText
                case .derivation: _ = try derivedField(text)
                }
            } catch {
                prompt.error = error
            }
        }
        layer = .formula(prompt)
    }
}
