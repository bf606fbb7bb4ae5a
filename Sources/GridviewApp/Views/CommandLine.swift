import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables

/// The name of the copied text in messages.
private let commandLineName = "the command line"

extension AppState {
    /// Shows the shell command that opens this view, and copies it to the clipboard.
    mutating func showCommandLine() -> [AppEffect] { open(Page.commandLine) + [.copy(.text(commandLine.text, name: commandLineName))] }

    /// The shell command that opens the file with this view, and the names of the settings that no option can express.
    var commandLine: (text: String, omitted: [String]) {
        var words = ["gridview"]
        // Join the name and the value by `=`, because after a space, a value that begins with a hyphen would be read as an option.
        func add(_ name: String, quoted value: String) {
            words.append(name + (value.hasPrefix("-") || value.hasPrefix("'-") ? "=" : " ") + value)
        }
        func add(_ name: String, _ value: String) { add(name, quoted: ShellWord.word(value)) }
        for (name, value) in readingOptions.sorted(by: { $0.key < $1.key }) { add("--" + name, value) }
        for option in queryOptions { add(option.name, quoted: option.value) }
        let collapsed = collapsedGroups
        if collapsed?.areAllCollapsed == true { words.append("--collapsed") }
        let shown = grid.columns.all.filter { $0.id.copy == 0 }
        let inFile = shown.sorted { $0.id < $1.id }
        let names = columnReferences(inFile)
        let visible = shown.filter { !$0.isHidden }
        if visible.map(\.id) != inFile.map(\.id) { add("--columns", visible.compactMap { names[$0.id] }.joined(separator: ",")) }
        let opened = Dictionary(sheet.opened.columns.map { ($0.id, $0) }) { first, _ in first }
        let chosen = chosenTypes
        let typed = inFile.filter { !$0.field.isDerived && chosen.contains($0.id) }
        if !typed.isEmpty { add("--types", typed.map { "\(names[$0.id] ?? ""):\(Self.typeName(of: $0))" }.joined(separator: ",")) }
        let rounded = inFile.compactMap { column in
            column.format.fractionDigits.flatMap { $0.count == 1 ? "\(names[column.id] ?? ""):\($0.upperBound)" : nil }
        }
        if !rounded.isEmpty { add("--format", rounded.joined(separator: ",")) }
        let amounts = inFile.filter { $0.kind.isNumber && !$0.isIdentifier }
        let isUngrouped = !amounts.isEmpty && amounts.allSatisfy { !$0.format.groupsThousands }
        if isUngrouped { words.append("--no-grouping") }
        let frozen = grid.frozen
        for (name, count) in [("columns", frozen.leading), ("rows", frozen.rows), ("right", frozen.trailing)] where count > 0 {
            add("--freeze-\(name)", "\(count)")
        }
        let path = document.location ?? "-"
        words.append(ShellWord.path(path))

        let layout = ViewState(self).layout
        let isPlain = layout.presentation == .table && layout.rowHeight == 1 && !layout.hasAutomaticRowHeights
        let omissions: [(String, Bool)] = [
            ("duplicated columns", shown.count < grid.columns.all.count),
            ("renamed columns", shown.contains { $0.title != $0.valueKey }),
            ("column widths", shown.contains { opened[$0.id].map(\.width) ?? .automatic != $0.width }),
            (
                "thousands separators of some columns",
                !isUngrouped && shown.contains { $0.kind.isNumber && $0.format.groupsThousands == $0.isIdentifier }
            ),
            ("which groups are collapsed", collapsed?.areAllCollapsed == false),
            ("filters that are turned off", !query.requested.disabledFilters.isEmpty),
            ("row height and layout", !isPlain || layout.gridLines != GridMetrics.program.gridLines),
        ]
        return (words.joined(separator: " "), omissions.filter(\.1).map(\.0))
    }

    /// How to write each column in options: by its name or, if options cannot express the name, by its number.
    private func columnReferences(_ columns: [Column]) -> [ColumnID: String] {
        var counts: [String: Int] = [:]
        for column in columns { counts[column.valueKey.lowercased(), default: 0] += 1 }
        return Dictionary(
            columns.map { column in
                let name = column.valueKey
                let isPlain =
                    !name.isEmpty && counts[name.lowercased()] == 1 && !name.contains { ",:\"#".contains($0) } && !name.contains("..")
                    && name.first?.isWhitespace == false && name.last?.isWhitespace == false
                return (column.id, isPlain ? name : "#\(column.id.rawValue + 1)")
            }
        ) { first, _ in first }
    }

    /// The type of a column as it is written in the option `--types`.
    private static func typeName(of column: Column) -> String {
        switch column.kind {
        case .text: "text"
        case .integer: "integer"
        case .decimal: column.notation.isComma ? "decimal-comma" : "decimal-point"
        case .date: "date(\(column.dateNotation.rawValue))"
        case .dateTime: "datetime(\(column.dateNotation.rawValue))"
        case .time: "time"
        case .flag: "flag"
        }
    }
}

extension Page {
    /// The page with the shell command that opens this view.
    static let commandLine = Page("Command line", copied: (commandLineName, { $0.commandLine.text })) { state in
        let (text, omitted) = state.commandLine
        let rest = omitted.map { Line.text("  " + $0) }
        let hint = rest.isEmpty ? [] : [Line.text("“save view” in the command palette saves these too.")]
        return [.text(text), .text("")] + (rest.isEmpty ? [] : [.chapter("Not available as options")] + rest + hint)
    }
}
