import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppState {
    /// True if a key moves the cursor over rows. Repeated presses of such a key are combined into one motion.
    func isMotion(_ press: KeyPress) -> Bool {
        guard overlay == nil, grid.drag == nil, pending.isEmpty,
            case .command(let id) = keyMap.resolve([press], in: gridContexts)
        else { return false }
        return [.up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown].contains(id)
    }

    /// Handles a key: text for a prompt, or a command of the overlay or the grid.
    /// - Parameter times: the number of presses of a motion key.
    mutating func handleKey(_ press: KeyPress, times: Int = 1) -> [AppEffect] {
        let shown = message
        message = nil
        if let effects = answerSuggestion(press, shown) { return effects }
        if grid.drag != nil, keyMap.resolve([press], in: [.drag]) == .command(.escape) { return change(.cancelDrag) }
        if let overlay { return handleKey(press, in: overlay) }

        if !pending.isEmpty, keyMap.resolve([press], in: gridContexts) == .command(.escape) {
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
        let pressed = pending.keys + [press]
        let resolution = pending.sequence.append(press) { [keyMap, gridContexts] in keyMap.resolve($0, in: gridContexts) }
        if resolution == .prefix { return [] }
        let count = times > 1 ? times : pending.count
        pending = PendingKeys()
        switch resolution {
        case .command(let id):
            // A second press of the key answers the question in the message.
            if id == .close, overlay == nil, shown?.id == .exportStopsOnQuit { return quit() }
            // Escape does not count as a command that follows the search. Otherwise, a search without matches would be hidden before Escape
            // can clear it.
            if id != .escape {
                let searches = [CommandID.searchNext, .searchPrevious].contains(id)
                search?.isFollowedByCommand = !searches
                if !searches { sheet.furtherMatches = 0 }
            }
            return run(id, count: count)
        case .prefix, .none: return show(explanation(of: pressed))
        }
    }

    /// The message for keys without a command.
    private func explanation(of keys: [KeyPress]) -> Message {
        if FamiliarKeys.isOption(keys) { return .noOptionsPrompt(wrap: key(.wrap), commands: key(.palette)) }
        guard let task = FamiliarKeys.task(of: keys) else { return .noCommand(on: KeyNotation.label(keys), help: key(.help)) }
        guard let command = task.command else { return .filesUnchanged(copy: key(.copy), export: key(.export)) }
        return .doneElsewhere(task.title, key: key(command))
    }

    private func digit(_ scalar: Unicode.Scalar) -> Int? {
        ("0"..."9").contains(scalar) ? Int(scalar.value) - 48 : nil
    }

    /// The label of the first key of a grid command; without a key, its palette entry, such as `: save settings`.
    func key(_ id: CommandID) -> String {
        label(of: id) ?? "\(label(of: .palette) ?? "") \(Command.named(id)?.title ?? id.rawValue)"
    }

    /// The label of the first key that runs a grid command; `nil` without one.
    func label(of id: CommandID) -> String? {
        // A picker uses some keys of the grid for its own commands.
        pick == nil
            ? keyMap.label(of: id, in: [.grid])
            : keyMap.bindings(of: id, in: .grid).first { keyMap.resolve($0.keys, in: gridContexts) == .command(id) }?.label
    }

    // MARK: Panels and prompts

    /// Handles a key for an overlay: a key of a binding, or typed text.
    private mutating func handleKey(_ press: KeyPress, in overlay: any Overlay) -> [AppEffect] {
        let typed = overlay.takesText ? LineEditor.Edit(typing: press) : nil
        let resolution = pending.sequence.append(press, restarts: true) { [keyMap] in
            // A key that types text cannot start a binding.
            typed != nil && $0.count == 1 ? .none : keyMap.resolve($0, in: overlay.contexts)
        }
        switch resolution {
        case .command(let id): return run(id, in: overlay)
        case .prefix: break
        case .none:
            if let typed { return edit { $0.apply(typed) } }
            if !overlay.takesText { explainGridKey(press, in: overlay) }
        }
        return []
    }

    private mutating func run(_ id: CommandID, in overlay: any Overlay) -> [AppEffect] {
        if let change = id.edit { return edit { $0.apply(change) } }
        return overlay.run(id, in: &self)
    }

    /// Explains that the panel must be closed before the key of a grid command works. Does nothing for motions.
    private mutating func explainGridKey(_ press: KeyPress, in overlay: any Overlay) {
        guard case .command(let id) = keyMap.resolve([press], in: [.grid]), Command.named(id)?.chapter != .moving else { return }
        show(.notInRowView(back: keyMap.label(of: .close, in: overlay.contexts) ?? key(.close), key: KeyNotation.label(press)))
    }

    /// True if text can be typed.
    var takesText: Bool { overlay?.takesText ?? false }

    /// Inserts pasted text into a prompt; otherwise shows a message.
    mutating func paste(_ text: String) -> [AppEffect] {
        if !takesText { show(.pasteUnsupported(search: key(.search))) }
        return insert(text)
    }

    mutating func insert(_ text: String) -> [AppEffect] { edit { $0.insert(text) } }

    private mutating func edit(_ change: (inout LineEditor) -> Void) -> [AppEffect] {
        guard let overlay else { return [] }
        return overlay.edit(change, in: &self)
    }
}
