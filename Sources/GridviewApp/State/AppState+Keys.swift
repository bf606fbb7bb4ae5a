import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppState {
    /// True if a key moves the cursor over rows. If the user holds down such a key, its presses are combined into one movement.
    func isMotion(_ press: KeyPress) -> Bool {
        guard overlay == nil, grid.drag == nil, pendingKeys.isEmpty,
            case .command(let id) = keyMap.resolve([press], in: gridContexts)
        else { return false }
        return [.up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown].contains(id)
    }

    /// Handles a key: types text into a prompt, or runs a command of the panel in front or the grid.
    /// - Parameter times: how often the key was pressed, for combined presses of a key that moves the cursor.
    mutating func handleKey(_ press: KeyPress, times: Int = 1) -> [AppEffect] {
        let shown = message
        message = nil
        if let effects = answerSuggestion(press, shown) { return effects }
        if grid.drag != nil, keyMap.resolve([press], in: [.drag]) == .command(.escape) { return changeGrid(.cancelDrag) }
        if let overlay { return handleKey(press, in: overlay) }

        if !pendingKeys.isEmpty, keyMap.resolve([press], in: gridContexts) == .command(.escape) {
            pendingKeys = PendingKeys()
            return []
        }
        if pendingKeys.keys.isEmpty, press.modifiers.isEmpty, case .character(let scalar) = press.key, let digit = digit(scalar) {
            // The digit 0 continues a number but cannot start one, because 0 alone is a command.
            if digit > 0 || pendingKeys.count != nil {
                pendingKeys.count = min((pendingKeys.count ?? 0) * 10 + digit, 999_999_999_999)
                return []
            }
        }
        let pressed = pendingKeys.keys + [press]
        let resolution = pendingKeys.sequence.append(press) { [keyMap, gridContexts] in keyMap.resolve($0, in: gridContexts) }
        if resolution == .prefix { return [] }
        let count = times > 1 ? times : pendingKeys.count
        pendingKeys = PendingKeys()
        switch resolution {
        case .command(let id):
            // The message asked whether to quit while an export is running. Pressing the same key again confirms.
            if id == .close, overlay == nil, shown?.id == .exportStopsOnQuit { return quit() }
            // A command other than “next match” hides a search without matches. Escape must not hide the search first, because Escape could
            // then not clear the search.
            if id != .escape {
                let searches = [CommandID.searchNext, .searchPrevious].contains(id)
                search?.isFollowedByCommand = !searches
                if !searches { sheet.queuedMatchSteps = 0 }
            }
            return run(id, count: count)
        case .prefix, .none: return show(explanation(of: pressed))
        }
    }

    /// The message for keys without a command. It explains keys that have a meaning in other programs.
    private func explanation(of keys: [KeyPress]) -> Message {
        if FamiliarKeys.isOption(keys) { return .noOptionsPrompt(wrapKey: key(.wrap), commandsKey: key(.palette)) }
        guard let task = FamiliarKeys.task(of: keys) else { return .noCommand(on: KeyNotation.label(keys), helpKey: key(.help)) }
        guard let command = task.command else { return .filesUnchanged(copyKey: key(.copy), exportKey: key(.export)) }
        return .familiarKey(task.title, key: key(command))
    }

    private func digit(_ scalar: Unicode.Scalar) -> Int? {
        ("0"..."9").contains(scalar) ? Int(scalar.value) - 48 : nil
    }

    /// The first key of a grid command, for messages. Without a key, the key of the palette and the title of the command, such as
    /// `: save settings`.
    func key(_ id: CommandID) -> String {
        label(of: id) ?? "\(label(of: .palette) ?? "") \(Command.named(id)?.title ?? id.rawValue)"
    }

    /// The first key that runs a grid command; `nil` without a key.
    func label(of id: CommandID) -> String? {
        // A picker uses some keys of grid commands for its own commands. Skip these keys.
        pick == nil
            ? keyMap.label(of: id, in: [.grid])
            : keyMap.bindings(of: id, in: .grid).first { keyMap.resolve($0.keys, in: gridContexts) == .command(id) }?.label
    }

    // MARK: Panels and prompts

    /// Handles a key while a panel or prompt is open: runs the command of the key, or types its character.
    private mutating func handleKey(_ press: KeyPress, in overlay: any Overlay) -> [AppEffect] {
        let typed = overlay.takesText ? LineEditor.Edit(typing: press) : nil
        let resolution = pendingKeys.sequence.append(press, restarts: true) { [keyMap] in
            // While text is typed, a character is text, not the first key of a binding.
            typed != nil && $0.count == 1 ? .none : keyMap.resolve($0, in: overlay.contexts)
        }
        switch resolution {
        case .command(let id): return run(id, in: overlay)
        case .prefix: break
        case .none:
            if let typed { return edit { $0.apply(typed) } }
            if !overlay.takesText { explainKey(press, in: overlay) }
        }
        return []
    }

    private mutating func run(_ id: CommandID, in overlay: any Overlay) -> [AppEffect] {
        if let change = id.edit { return edit { $0.apply(change) } }
        return overlay.run(id, in: &self)
    }

    /// Shows a message about a key without a command in the panel: the key has no command at all, or the panel must be closed first. Keys
    /// that move the cursor give no message.
    private mutating func explainKey(_ press: KeyPress, in overlay: any Overlay) {
        switch keyMap.resolve([press], in: [.grid]) {
        case .command(let id) where Command.named(id)?.chapter == .moving: break
        case .command, .prefix:
            show(.notInRowView(backKey: keyMap.label(of: .close, in: overlay.contexts) ?? key(.close), key: KeyNotation.label(press)))
        case .none: show(.noCommand(on: KeyNotation.label(press), helpKey: key(.help)))
        }
    }

    /// True if text can be typed.
    var takesText: Bool { overlay?.takesText ?? false }

    /// Inserts pasted text into the open prompt. Without a prompt, shows a message that text cannot be pasted.
    mutating func paste(_ text: String) -> [AppEffect] {
        if !takesText { show(.pasteUnsupported(searchKey: key(.search))) }
        return insert(text)
    }

    mutating func insert(_ text: String) -> [AppEffect] { edit { $0.insert(text) } }

    private mutating func edit(_ change: (inout LineEditor) -> Void) -> [AppEffect] {
        guard let overlay else { return [] }
        return overlay.edit(change, in: &self)
    }
}
