import DataGrid
import DataGridTerminal
import FieldValues
import TerminalSurface

/// The grid of a sheet: cell contents, input validation and keys.
@MainActor
final class SheetView: GridDataSource, GridDelegate {
    let sheet: Sheet
    let grid: GridController

    init(_ sheet: Sheet) {
        self.sheet = sheet
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        metrics.rowHeaderWidth = 4
        metrics.gridLines = .columns
        // With these widths, terminals of 60 and 80 columns end between two columns of the sheet.
        let widths = [14, 11, 9, 12, 18]
        let columns = sheet.ids[.column]!.indices.map { index in
            Self.column(
                index, kind: [0: .text, 2: .integer, 4: .text][index] ?? .decimal, width: index < widths.count ? widths[index] : 10)
        }
        grid = GridController(columns: columns, metrics: metrics)
        grid.dataSource = self
        grid.delegate = self
        grid.perform(.setClass("title", ThemeClass(normal: CellStyle(traits: .bold))))
        grid.perform(.setClass("error", ThemeClass(normal: CellStyle(foreground: grid.state.theme.fall.foreground, traits: .bold))))
        grid.reload()
        grid.perform(.freeze(FrozenPanes(leading: 1, rows: 1)))
        grid.perform(.setRowHeight(2, 2))
    }

    private static func column(_ id: Int, kind: ValueKind = .decimal, width: Int = 10) -> Column {
        var column = Column(
            id: ColumnID(id), title: Sheet.letters(id), kind: kind, width: .fixed(width),
            alignment: kind == .text ? .leading : .trailing,
            format: ValueFormat(fractionDigits: kind == .decimal ? 2...2 : 0...0), sortMode: .none, isEditable: true)
        column.isReorderable = false
        return column
    }

    // MARK: Data source

    func numberOfRows(inSection section: Int) -> Int { sheet.ids[.row]!.count }

    /// The ID of a cell of the grid, which numbers rows by position, and columns by their identities.
    private func cellID(_ row: RowID, _ column: ColumnID) -> CellID {
        CellID(row: sheet.ids[.row]![row.rawValue], column: column.rawValue)
    }

    func content(row: RowID, column: ColumnID) -> CellContent {
        switch sheet.value(of: cellID(row, column)) {
        case .empty: CellContent("")
        case .number(let number): CellContent(.number(number))
        case .text(let text): CellContent(text)
        case .error(let failure): CellContent(failure.rawValue, styleClass: "error")
        }
    }

    func text(row: RowID, column: ColumnID) -> String? { sheet.text(of: cellID(row, column)) }
    func styleClass(ofRow row: RowID) -> String? { sheet.ids[.row]![row.rawValue] == 0 ? "title" : nil }
    var corner: CellContent? { CellContent("◢") }

    func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome {
        if grid.state.columns[column]?.kind == .integer, !text.isEmpty, !text.hasPrefix("="), Int(text) == nil {
            return .rejected("Enter a whole number.")
        }
        do {
            reloadAndHighlight(try sheet.set(text, of: cellID(row, column)))
            return .accepted
        } catch {
            return .rejected(error.reason)
        }
    }

    /// Reloads and highlights only these cells.
    private func reloadAndHighlight(_ ids: Set<CellID>) {
        let rows = Dictionary(uniqueKeysWithValues: sheet.ids[.row]!.enumerated().map { ($1, RowID($0)) })
        grid.reportChanges(
            ids.compactMap { id in rows[id.row].map { CellChange(.changed, row: $0, column: ColumnID(id.column)) } })
    }

    /// Formulas refer to cells, so rows cannot be reordered.
    func shouldMove(rows: Range<Int>, to: Int) -> Permission { .refused("Formulas refer to rows, so rows cannot be moved.") }

    // MARK: Keys

    /// Handles this program's keys, except while a cell is edited, and leaves all other keys to the grid.
    func handle(_ press: KeyPress) -> Bool {
        guard grid.state.editing == nil, let row = grid.state.currentRow else { return false }
        switch (press.key, press.modifiers) {
        case (.function(3), []): insert { insertRow(at: row.rawValue) }
        case (.function(4), []): removeRow(at: row.rawValue)
        case (.function(5), []): insert { insertColumn(at: grid.state.cursor.column) }
        case (.function(7), []): removeColumn(at: grid.state.cursor.column)
        case (.up, .alt), (.down, .alt):
            let height = (grid.state.lines(aboveRow: row.rawValue + 1) ?? 0) - (grid.state.lines(aboveRow: row.rawValue) ?? 0)
            grid.perform(.setRowHeight(row, max(1, height + (press.key == .up ? -1 : 1))))
        case (.delete, []): clearCells()
        default: return false
        }
        return true
    }

    /// Inserts a row or a column at the cursor. The cursor stays in place, on the new row or column. The key for removal therefore undoes
    /// the insertion.
    private func insert(_ body: () -> Void) {
        let cursor = grid.state.cursor
        body()
        grid.perform(.moveCursor(cursor))
    }

    private func insertRow(at position: Int) {
        _ = sheet.insert(.row, at: position)
        grid.insertRows(at: position..<position + 1)
    }

    private func removeRow(at position: Int) {
        guard sheet.ids[.row]!.count > 1 else { return }
        let changed = sheet.remove(.row, at: position)
        grid.removeRows(at: position..<position + 1)
        reloadAndHighlight(changed)
    }

    private func insertColumn(at index: Int) {
        grid.insertColumns([Self.column(sheet.insert(.column, at: index))], atPlace: index)
        writeLetters()
    }

    private func removeColumn(at index: Int) {
        guard sheet.ids[.column]!.count > 1 else { return }
        let id = sheet.ids[.column]![index]
        let changed = sheet.remove(.column, at: index)
        grid.removeColumn(ColumnID(id))
        writeLetters()
        reloadAndHighlight(changed)
    }

    /// Writes column letters by position, because a change of columns moves the letters of the columns after it.
    private func writeLetters() {
        for (index, column) in grid.columns.enumerated() where column.title != Sheet.letters(index) {
            var column = column
            column.title = Sheet.letters(index)
            grid.perform(.updateColumn(column))
        }
    }

    /// Clears the selected cells, or the cell under the cursor if nothing is selected.
    private func clearCells() {
        for id in selected {
            guard let dependents = try? sheet.set("", of: id) else { continue }
            reloadAndHighlight(dependents.union([id]))
        }
    }

    private var selected: [CellID] {
        if let cells = grid.state.selectedCells(limit: 10_000), !cells.isEmpty { return cells.map { cellID($0.row, $0.column) } }
        guard let row = grid.state.currentRow, let column = grid.state.currentColumn else { return [] }
        return [cellID(row, column.id)]
    }

    // MARK: Drawing

    /// Shows the sheet in an application: the input of the current cell above, the sum of the selection and the keys below.
    func show(on application: GridApplication) {
        application.add(grid) { TerminalRect(x: 0, y: 1, width: $0.columns, height: $0.rows - 3) }
        application.drawBackground = { [weak self] in self?.drawFrame(on: &$0) }
        application.onEvent = { [weak self] event in
            if case .key(let press) = event { return self?.handle(press) ?? false }
            return false
        }
    }

    private func drawFrame(on buffer: inout CellBuffer) {
        let theme = grid.state.theme
        let (columns, rows) = (buffer.size.columns, buffer.size.rows)
        if let row = grid.state.currentRow, let column = grid.state.currentColumn {
            let id = cellID(row, column.id)
            buffer.write(sheet.address(of: id), x: 1, y: 0, style: theme.title.textStyle)
            buffer.write(sheet.text(of: id), x: 7, y: 0, width: columns - 8, style: theme.titleDetail.textStyle, ellipsis: true)
        }
        buffer.write(summary, x: 1, y: rows - 2, width: columns - 2, style: theme.message.textStyle, ellipsis: true)
        let hints =
            grid.state.editing == nil
            ? [
                KeyHint("Ctrl-q", "quit"), KeyHint("F2", "edit"), KeyHint("F3 F4", "row ±"), KeyHint("F5 F7", "column ±"),
                KeyHint("Alt-< Alt-> Alt-↑↓", "size"), KeyHint("Alt-zF", "freeze"), KeyHint("Del", "clear"),
            ] : [KeyHint("Enter", "accept"), KeyHint("Esc", "cancel"), KeyHint("", "=SUM(A1:A5)*2")]
        buffer.write(hints, y: rows - 1, theme: theme)
    }

    /// The sum of the selected numbers.
    private var summary: String {
        let numbers = selected.compactMap { id in if case .number(let number) = sheet.value(of: id) { number } else { nil } }
        func text(_ number: Double) -> String { ValueText.display(CellContent(.number(number)), in: Self.column(0)) }
        guard let first = numbers.first else { return "" }
        let sum = numbers.reduce(0, +)
        return numbers.count == 1 ? text(first) : "Σ \(text(sum))   mean \(text(sum / Double(numbers.count)))   \(numbers.count) numbers"
    }

    /// The costs of a workshop.
    static let sample = """
        Item|Price|Count|Amount|Note
        Room|450|2|=B2*C2|with coffee
        Speakers|600|2|=B3*C3|both come by train and stay over
        Projector|35|2|=B4*C4
        Lunch|12.5|60|=B5*C5|30 people, 2 days
        Printing|0.08|900|=B6*C6
        Badges|1.2|30|=B7*C7
        Sum|||=SUM(D2:D7)
        VAT|0.19||=D8*B9
        To pay|||=D8+D9

        Budget|||3500
        Left|||=D12-D10
        A head|||=D10/C7
        """
}
