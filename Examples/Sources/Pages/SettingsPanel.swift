import DataGrid
import DataGridTerminal
import TerminalSurface

/// The grid of the settings, in which values are changed in place.
@MainActor
final class SettingsPanel: GridDataSource, GridDelegate {
    /// The width of the columns and the space between them.
    static let width = 22
    let grid: GridController
    private let gallery: Gallery

    init(of gallery: Gallery) {
        self.gallery = gallery
        var metrics = GridMetrics()
        metrics.headerHeight = 0
        grid = GridController(
            columns: [
                Column(id: 0, title: "Setting", width: .fixed(14)), Column(id: 1, title: "Value", width: .fixed(6), alignment: .trailing),
            ], metrics: metrics)
        grid.dataSource = self
        grid.delegate = self
        grid.selectionMode = .none
        // A click changes the value.
        grid.interaction.singleClick = .edit
        grid.interaction.doubleClick = []
        grid.reload()
        grid.perform(.move(.lastColumn))
    }

    /// The setting under the cursor.
    var current: Setting { Setting.all[grid.state.cursor.row ?? 0] }

    // MARK: Data source

    func numberOfRows(inSection section: Int) -> Int { Setting.all.count }

    func content(row: RowID, column: ColumnID) -> CellContent {
        let setting = Setting.all[row.rawValue]
        guard column == 1 else { return CellContent(setting.name) }
        return switch setting.value {
        case .flag(let path): CellContent(.flag(gallery.settings[keyPath: path]))
        case .choice(let path, let off, let on): CellContent(gallery.settings[keyPath: path] ? on : off)
        case .number(let path, _): CellContent(.integer(Int64(gallery.settings[keyPath: path])))
        }
    }

    func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome {
        guard let (path, range) = Setting.all[row.rawValue].number else { return .accepted }
        guard let number = Int(text), range ~= number else { return .rejected("\(range.lowerBound) to \(range.upperBound)") }
        gallery.settings[keyPath: path] = number
        return .accepted
    }

    /// Dims settings without an effect.
    func style(ofRow row: RowID) -> CellStyle? {
        let hint = grid.state.theme.hint
        return Setting.all[row.rawValue].hasEffect(gallery.settings) ? nil : CellStyle(foreground: hint.foreground, traits: hint.traits)
    }

    // MARK: Changes

    /// Moves the cursor back to the values, because names cannot be changed.
    func didMoveCursor(to cursor: GridCursor) { if cursor.column == 0 { grid.perform(.move(.lastColumn)) } }

    /// Changes a setting after Enter or a click on its line. A number is typed.
    func didActivate(row: RowID, column: ColumnID) {
        if current.number != nil { editNumber() } else { change(by: 1) }
    }

    /// Opens the editor of a number.
    private func editNumber(typed: String? = nil) {
        grid.beginEditing(row: RowID(grid.state.cursor.row ?? 0), column: 1, typed: typed)
    }

    func change(by step: Int) {
        current.change(&gallery.settings, by: step)
        grid.reloadRows()
    }

    func didEndEditing(row: RowID, column: ColumnID, committed: String?) { grid.reloadRows() }

    /// Handles the keys of the panel, and leaves all other keys to the grid.
    func handle(_ key: Key) -> Bool {
        switch key {
        case .left: change(by: -1)
        case .right, .character(" "): change(by: 1)
        case .character(let digit) where "0"..."9" ~= digit && current.number != nil: editNumber(typed: String(digit))
        default: return false
        }
        return true
    }
}
