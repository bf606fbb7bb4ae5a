import DataGrid
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables
import TerminalSurface

extension AppState {
    mutating func openColumnList(_ purpose: ListPanel.Purpose) -> [AppEffect] {
        let title = purpose == .showColumns ? "Show or hide columns" : "Go to column"
        let rows = columnListRows(purpose)
        var panel = ListPanel(purpose: purpose, title: title, rows: rows)
        if let current = grid.currentColumn, let index = rows.firstIndex(where: { $0.tag == current.id.rawValue }) {
            panel.selected = index
        }
        return open(panel) + [.readColumnValues(rows.map { ColumnID($0.tag) })]
    }

    /// Adds the values of one row to the open list of columns, so that typing a value finds its column.
    /// - Parameter row: the row number, from 1.
    mutating func showColumnValues(_ values: [ColumnID: String], _ row: Int) {
        guard var panel = overlay as? ListPanel, [.showColumns, .goToColumn].contains(panel.purpose) else { return }
        panel.values = ListPanel.Values(row: row, texts: values)
        panel.rows = columnListRows(panel.purpose, panel.values)
        overlay = panel
    }

    /// Updates the open list of columns after columns were shown or hidden. Keeps the typed text and the selected row of the list.
    mutating func updateColumnList() {
        guard var panel = overlay as? ListPanel, panel.purpose == .showColumns else { return }
        panel.rows = columnListRows(.showColumns, panel.values)
        panel.selected = min(panel.selected, max(0, panel.matches.count - 1))
        overlay = panel
    }

    /// The rows of the list, one for each column. Typing finds a column by its name, its type, its state (“hidden” or “frozen”) or its
    /// value in `values`.
    private func columnListRows(_ purpose: ListPanel.Purpose, _ values: ListPanel.Values? = nil) -> [ListPanel.Row] {
        var rows = columnListRows(purpose)
        guard let values else { return rows }
        for index in rows.indices {
            guard let text = values.texts[ColumnID(rows[index].tag)], !text.isEmpty else { continue }
            rows[index].note = "Row \(ValueText.count(values.row)): \(text)"
            rows[index].keywords += " \(text.lowercased())"
        }
        return rows
    }

    private func columnListRows(_ purpose: ListPanel.Purpose) -> [ListPanel.Row] {
        let types = Dictionary(uniqueKeysWithValues: ValueKind.allCases.map { ($0, NamedStatistics.name(of: $0)) })
        // Search words for the type of a column: its long name, as in this list, and its short name, as in the header of the grid.
        func keywords(_ column: Column) -> String {
            "\(types[column.kind]!) \(ValueText.typeName(column))" + (column.kind.isNumber ? " number" : "")
        }
        let repeated = repeatedTitles
        guard purpose == .showColumns else {
            return grid.columns.visible.map { column in
                ListPanel.Row(
                    text: Self.listTitle(of: column, repeated: repeated), detail: types[column.kind]!, tag: column.id.rawValue,
                    keywords: keywords(column))
            }
        }
        let hasTypes = size.columns >= 60
        func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
        return grid.columns.all.map { column in
            let state = column.isHidden ? "hidden" : column.frozenSide != nil ? "frozen" : "shown"
            let type = types[column.kind]!
            return ListPanel.Row(
                text: Self.listTitle(of: column, repeated: repeated), detail: (hasTypes ? padded(type, 10) : "") + padded(state, 6),
                tag: column.id.rawValue,
                keywords: keywords(column) + (state == "shown" ? "" : " \(state)"))
        }
    }

    /// The titles that two or more columns share. Hidden columns count, too. O(columns).
    var repeatedTitles: Set<String> {
        var (titles, repeated): (Set<String>, Set<String>) = ([], [])
        for column in grid.columns.all where !titles.insert(column.title).inserted { repeated.insert(column.title) }
        return repeated
    }

    /// The title of a column in a list of columns. A repeated title ends with the number of the column, as in formulas: `amount #3`.
    static func listTitle(of column: Column, repeated: Set<String>) -> String {
        guard repeated.contains(column.title), !column.field.isDerived else { return column.title }
        return "\(column.title) #\(column.field.rawValue + 1)"
    }

    /// Runs a command on all columns that match the text typed in the list.
    fileprivate mutating func run(_ id: CommandID, in panel: ListPanel) -> [AppEffect] {
        let ids = Array(panel.matches.map { ColumnID($0.tag) })
        var effects: [AppEffect] = []
        switch id {
        case .showAllColumns: effects = showColumns(Set(ids))
        case .hideListedColumns:
            let kept = panel.selected < panel.matches.count ? ColumnID(panel.matches[panel.selected].tag) : nil
            let count = setHidden(Set(ids), true, keeping: kept)
            effects = show(count == 0 ? .noOtherColumns : .columnsHidden(count, showKey: nil))
        case .hideEmptyColumns: effects = hideEmptyColumns(of: ids)
        default: break
        }
        updateColumnList()
        return effects
    }
}

extension ListPanel.Purpose {
    static let goToColumn = Self("goToColumn") { state, _, row in
        guard let index = state.grid.columns.index(of: ColumnID(row.tag)) else { return [] }
        state.remember(state.grid.cursor)
        return state.changeGrid(.move(.column(index)))
    }

    /// Shows or hides the selected column. Other commands of this list show or hide all listed columns. The list stays open.
    static let showColumns = Self(
        "showColumns", hint: "toggle", context: .columnList, run: { state, panel, id in state.run(id, in: panel) }
    ) { state, panel, row in
        let id = ColumnID(row.tag)
        let isHidden = state.grid.columns[id]?.isHidden == true
        if state.setHidden([id], !isHidden) == 0 { state.show(.lastColumn) }
        state.overlay = panel
        state.updateColumnList()
        return []
    }
}

extension Command {
    static let columnList: [Command] = [
        Command(.showAllColumns, in: .columnList, ["C-s"], "show all", "Show all columns of this list in the table."),
        Command(
            .hideListedColumns, in: .columnList, ["C-x"], "hide all", "Hide all columns in this list; at least one column stays visible."),
        Command(.hideEmptyColumns, in: .columnList, ["C-o"], "hide empty", "Hide the columns in this list that have no value in any row."),
    ]
}

extension CommandID {
    static let hideListedColumns = CommandID("hideListedColumns")
}

extension KeyContext {
    static let columnList = Self("column-list", title: "List of columns")
}
