import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppState {
    mutating func openRecord() -> [AppEffect] {
        if case .header(let section) = grid.cursor.item { return change(.toggleSection(section)) }
        guard grid.currentRow != nil else { return grid.columns.visible.isEmpty ? say(.noColumns) : [] }
        layer = .record(.top)
        return [.readRecord]
    }

    mutating func runInRecord(_ id: CommandID) -> [AppEffect] {
        switch id {
        case .nextRow, .previousRow: return showRecord(isNext: id == .nextRow)
        case .nextColumn: return [.selectField(by: 1)]
        case .previousColumn: return [.selectField(by: -1)]
        case .top: return [.scrollRecord(.top)]
        case .bottom: return [.scrollRecord(.bottom)]
        case .copy: return [.copyFromRecord]
        case .close:
            layer = nil
            return [.cancel(.record)]
        default: return id.scrolledLines(ofPage: PanelFrame(pageIn: size).pageHeight).map { [.scrollRecord(.lines($0))] } ?? []
        }
    }

    /// Shows the next or previous row, skipping section headers and entering collapsed sections.
    private mutating func showRecord(isNext: Bool) -> [AppEffect] {
        layer = .record(.top)
        guard let row = grid.cursor.row else { return [] }
        return change(.move(.row(row + (isNext ? 1 : -1)))) + [.readRecord]
    }

    /// Explains that the key of a grid command works only after the panel for reading is closed. Ignores motions.
    mutating func explainGridKey(_ press: KeyPress, in layer: Layer) {
        guard case .command(let id) = keyMap.resolve([press], in: [.grid]), Command.named(id)?.chapter != .moving else { return }
        say(.notInRowView(back: keyMap.label(of: .close, in: layer.contexts) ?? key(.close), key: KeyNotation.label(press)))
    }
}
