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

    /// Draws the lines below the grids. A message covers the last line of the screen, even if it belongs to a grid.
    func drawFooter(on buffer: inout CellBuffer) {
        let theme = focused?.state.theme ?? .dark
        let last = buffer.size.rows - 1
        let width = buffer.size.columns
        func draw(_ text: String, y: Int, _ style: CellStyle) {
            buffer.fill(TerminalRect(x: 0, y: y, width: width, height: 1), style: style.textStyle)
            buffer.write(text, x: 0, y: y, width: width, style: style.textStyle, ellipsis: true)
        }
        if footerHeight(of: buffer.size) > 0 {
            if showsHints { draw(hints, y: describesCurrentCell ? last - 1 : last, theme.row.applying(theme.hint)) }
            if describesCurrentCell { draw(focused?.cursorDescription ?? "", y: last, theme.row) }
        }
        let quitting = isQuitPending ? label(of: .copyOrQuit).map { "Press \($0) again to quit" } : nil
        if let text = quitting ?? message { draw(text, y: last, theme.row.applying(theme.message)) }
    }

    /// The keys that apply now, first the one that quits.
    private var hints: String {
        var hints: [(label: String?, title: String)] = []
        func add(_ id: GridCommand.ID, _ context: GridCommand.Context, _ keyMap: KeyMap<GridCommand>, label: String?) {
            if let command = keyMap.command(id, in: [context]) { hints.append((label, command.title)) }
        }
        add(.quit, .application, keyMap, label: label(of: .quit) ?? label(of: .copyOrQuit).map { "\($0) \($0)" })
        if let focused, focused.state.editing != nil {
            for id in [GridCommand.ID.commitDown, .cancelEditing] {
                add(id, .editor, focused.keyMap, label: focused.keyMap.label(of: id, in: [.editor]))
            }
        } else {
            add(.copy, .application, keyMap, label: label(of: .copy) ?? label(of: .copyOrQuit))
            if grids.count > 1 { add(.nextGrid, .application, keyMap, label: label(of: .nextGrid)) }
        }
        return hints.compactMap { hint in hint.label.map { "\($0) \(hint.title)" } }.joined(separator: "  ")
    }

    /// The label of the first key of a command that the focused grid does not use as text.
    private func label(of id: GridCommand.ID) -> String? {
        keyMap.bindings(of: id, in: .application).first { !isText($0.keys[0]) }?.label
    }

    private func isText(_ press: KeyPress) -> Bool {
        guard let focused else { return false }
        if focused.state.editing != nil { return GridInput.editorKey(for: press, keys: focused.keyMap) != nil }
        return GridInput.typedText(press, focused.state) != nil
    }
}
