import DataGrid
import TerminalSurface

/// The lines below the grids: hints, the description of the current cell, and messages.
extension GridApplication {
    /// The number of lines below the grids; 0 on a screen without room for them.
    private func footerHeight(of size: TerminalSize) -> Int {
        let height = (showsHints ? 1 : 0) + (describesCurrentCell ? 1 : 0)
        return size.rows > height + 2 ? height : 0
    }

    /// The part of the screen for grids.
    func gridArea(of size: TerminalSize) -> TerminalSize {
        TerminalSize(columns: size.columns, rows: size.rows - footerHeight(of: size))
    }

    /// Draws the lines below the grids. A message covers the last line of the screen, even if a grid uses that line.
    func drawFooter(on buffer: inout CellBuffer) {
        let theme = focused?.state.theme ?? .dark
        let last = buffer.size.rows - 1
        let width = buffer.size.columns
        func draw(_ text: String, y: Int, _ style: CellStyle) {
            buffer.fill(TerminalRect(x: 0, y: y, width: width, height: 1), style: style.textStyle)
            buffer.write(text, x: 0, y: y, width: width, style: style.textStyle, ellipsis: true)
        }
        if footerHeight(of: buffer.size) > 0 {
            if showsHints {
                let y = describesCurrentCell ? last - 1 : last
                draw("", y: y, theme.row)
                buffer.write(hints, x: 0, y: y, theme: theme, over: theme.row)
            }
            if describesCurrentCell { draw(focused?.cursorDescription ?? "", y: last, theme.row) }
        }
        if let text = messageText(width: width) { draw(text, y: last, theme.row.applying(theme.message)) }
    }

    /// The message and, after a first press of the key that copies or quits, a hint to press the key again. Without room for both, only the
    /// hint is shown.
    private func messageText(width: Int) -> String? {
        guard isQuitPending, let key = label(of: .copyOrQuit) else { return message }
        let quitting = "Press \(key) again to quit"
        guard let message else { return quitting }
        let both = message + (message.last == "." ? " " : ". ") + quitting
        return DisplayWidth.of(both, limit: width + 1) <= width ? both : quitting
    }

    /// The keys that apply now: first the key that quits, then the keys of the grid.
    private var hints: [KeyHint] {
        var hints: [KeyHint] = []
        func add(_ id: GridCommand.ID, _ context: GridCommand.Context, _ keyMap: KeyMap<GridCommand>, label: String?) {
            guard let label, let command = keyMap.command(id, in: [context]) else { return }
            hints.append(KeyHint(label, command.title))
        }
        add(.quit, .application, keyMap, label: label(of: .quit) ?? label(of: .copyOrQuit).map { "\($0) \($0)" })
        if let focused, focused.state.editing != nil {
            for id in [GridCommand.ID.commitDown, .cancelEditing] {
                add(id, .editor, focused.keyMap, label: focused.keyMap.label(of: id, in: [.editor]))
            }
            return hints
        }
        if let focused {
            let (keys, state) = (focused.keyMap, focused.state)
            if case .header = state.cursor.item {
                add(.toggleSection, .section, keys, label: keys.label(of: .toggleSection, in: [.section]))
            } else if state.currentRow != nil, state.currentColumn?.isEditable == true {
                let opens = state.interaction.enter.contains(.edit) ? keys.label(of: .enter, in: [.grid]) : nil
                add(.edit, .grid, keys, label: opens ?? keys.label(of: .edit, in: [.grid]))
            }
            if state.outline.tree != nil { add(.collapseAll, .grid, keys, label: commandLabel(of: .collapseAll, in: focused)) }
        }
        add(.copy, .application, keyMap, label: label(of: .copy) ?? label(of: .copyOrQuit))
        if grids.count > 1 { add(.nextGrid, .application, keyMap, label: label(of: .nextGrid)) }
        return hints
    }

    /// The label of the first key of a command in a grid. It includes Alt if the key without Alt types text.
    private func commandLabel(of id: GridCommand.ID, in grid: GridController) -> String? {
        let all = grid.keyMap.bindings(of: id, in: .grid).map(\.keys)
        guard var keys = all.first(where: { !isText($0[0]) }) ?? all.first else { return nil }
        if isText(keys[0]) { keys[0].modifiers.insert(.alt) }
        return KeyNotation.label(keys)
    }

    /// The label of the first key that runs an application command. Skips keys that the focused grid uses as text.
    private func label(of id: GridCommand.ID) -> String? {
        keyMap.bindings(of: id, in: .application).first { !isText($0.keys[0]) }?.label
    }

    private func isText(_ press: KeyPress) -> Bool {
        guard let focused else { return false }
        if focused.state.editing != nil { return GridInput.editorKey(for: press, keys: focused.keyMap) != nil }
        return GridInput.typedText(press, focused.state) != nil
    }
}
