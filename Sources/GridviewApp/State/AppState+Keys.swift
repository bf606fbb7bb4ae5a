import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppState {
    /// True if a key moves the cursor over rows: repeated presses are combined into one motion.
    func isMotion(_ press: KeyPress) -> Bool {
        guard layer == nil, grid.drag == nil, pending.isEmpty,
            case .command(let id) = keyMap.resolve([press], in: [.grid])
        else { return false }
        return [.up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown].contains(id)
    }

    /// Handles a key: text for a prompt, or a command of the top layer or the grid.
    /// - Parameter times: the number of presses of a motion key.
    mutating func handleKey(_ press: KeyPress, times: Int = 1) -> [AppEffect] {
        message = nil
        if grid.drag != nil, keyMap.resolve([press], in: [.drag]) == .command(.escape) { return change(.cancelDrag) }
        if let layer { return handleKey(press, in: layer) }

        if !pending.isEmpty, keyMap.resolve([press], in: [.grid]) == .command(.escape) {
            pending = PendingKeys()
            return []
        }
        if pending.keys.isEmpty, press.modifiers.isEmpty, case .character(let scalar) = press.key, let digit = digit(scalar) {
            // 0 extends a number but does not start one.
            if digit > 0 || pending.count != nil {
                pending.count = min((pending.count ?? 0) * 10 + digit, 999_999_999_999)
                return []
            }
        }
        pending.keys.append(press)
        switch keyMap.resolve(pending.keys, in: [.grid]) {
        case .prefix: return []
        case .command(let id):
            let count = times > 1 ? times : pending.count
            pending = PendingKeys()
            // Escape needs the result of the search to clear it.
            if id != .escape { search?.hasMovedOn = ![.searchNext, .searchPrevious].contains(id) }
            return run(id, count: count)
        case .none:
            let label = KeyNotation.label(pending.keys)
            pending = PendingKeys()
            return say(.noCommand(on: label, help: key(.help)))
        }
    }

    private func digit(_ scalar: Unicode.Scalar) -> Int? {
        ("0"..."9").contains(scalar) ? Int(scalar.value) - 48 : nil
    }

    /// The label of the first key of a grid command; without keys, its palette entry.
    func key(_ id: CommandID) -> String {
        keyMap.label(of: id, in: [.grid]) ?? "\(keyMap.label(of: .palette, in: [.grid]) ?? "") \(Command.named(id)?.title ?? id.rawValue)"
    }

    // MARK: Panels and prompts

    /// Handles a key for a layer: the second key of a binding, text, or a key by itself.
    private mutating func handleKey(_ press: KeyPress, in layer: Layer) -> [AppEffect] {
        let begun = pending.keys
        pending.keys = []
        if !begun.isEmpty, case .command(let id) = keyMap.resolve(begun + [press], in: layer.contexts) { return run(id, in: layer) }
        if layer.takesText, let typed = LineEditor.Edit(typing: press) { return edit { $0.apply(typed) } }
        switch keyMap.resolve([press], in: layer.contexts) {
        case .command(let id): return run(id, in: layer)
        case .prefix: pending.keys = [press]
        case .none: if !layer.takesText { explainGridKey(press, in: layer) }
        }
        return []
    }

    mutating func run(_ id: CommandID, in layer: Layer) -> [AppEffect] {
        if let change = id.edit { return edit { $0.apply(change) } }
        switch layer {
        case .page(let page, let scroll):
            runInPage(id, page, scroll)
            return []
        case .record: return runInRecord(id)
        case .statistics(let panel): return runInStatistics(id, panel)
        case .list(let panel): return runInList(id, panel)
        case .search(let prompt): return runInSearch(id, prompt)
        case .formula(let prompt): return runInFormulaPrompt(id, prompt)
        case .rename(let field, let column):
            guard id == .accept || id == .close else { return [] }
            self.layer = nil
            return id == .accept ? rename(column, to: field.string) : []
        }
    }

    var takesText: Bool { layer?.takesText ?? false }

    /// Inserts pasted text into a prompt; otherwise shows a message.
    mutating func paste(_ text: String) -> [AppEffect] {
        if !takesText { say(.pasteUnsupported(search: key(.search))) }
        return insert(text)
    }

    mutating func insert(_ text: String) -> [AppEffect] { edit { $0.insert(text) } }

    private mutating func edit(_ change: (inout LineEditor) -> Void) -> [AppEffect] {
        switch layer {
        case .search(var prompt):
            change(&prompt.field)
            return restartSearch(prompt)
        case .list(var panel):
            change(&panel.field)
            panel.selected = 0
            layer = .list(panel)
        case .rename(var field, let id):
            change(&field)
            layer = .rename(field, id)
        case .formula(var prompt):
            change(&prompt.field)
            check(&prompt)
        case .page, .record, .statistics, nil: break
        }
        return []
    }
}
