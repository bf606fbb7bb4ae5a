import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables

/// The name of the copied text in messages.
private let commandLineName = "the command line"

/// The words of a shell command.
struct CommandWords: Equatable, Sendable {
    private(set) var words = ["gridview"]

    /// - Parameter reading: the options that read the file. Keys are option names without hyphens.
    init(reading: [String: String]) { for (name, value) in reading.sorted(by: { $0.key < $1.key }) { add("--" + name, value) } }

    /// Adds an option.
    mutating func add(_ name: String, _ value: String) { add(name, quoted: ShellWord.word(value)) }

    /// Adds an option whose value is quoted for a shell.
    mutating func add(_ name: String, quoted value: String) {
        // Join the name and the value by `=`, because after a space, a value that begins with a hyphen would be read as an option.
        words.append(name + (value.hasPrefix("-") || value.hasPrefix("'-") ? "=" : " ") + value)
    }

    /// Adds a word.
    mutating func add(_ word: String) { words.append(word) }
}

/// The first words of the command line that opens a pivot table. The options for its view follow.
struct PivotCommand: Equatable, Sendable {
    /// The options that choose the rows of the input, and the option `--pivot`.
    var words: CommandWords
    /// The path of the input.
    var path: String
    /// The names of settings that no option can express.
    var omitted: [String]
}

extension AppState {
    /// Shows the shell command that opens this view, and copies it to the clipboard.
    mutating func showCommandLine() -> [AppEffect] {
        guard sheet.pivotCommand != nil || canBeOpenedByCommand else { return show(.noCommandLine) }
        return open(Page.commandLine) + [.copy(.text(commandLine.text, name: commandLineName))]
    }

    /// True for a file, a server or the standard input; false for a table that was computed from another sheet.
    private var canBeOpenedByCommand: Bool { document.location != nil || sheet.originID == nil }

    /// The start of the command that opens a pivot table of this sheet; `nil` if no command opens it.
    func pivotCommand(_ pivot: Pivot) -> PivotCommand? {
        let schema = Schema(fileSchema.fields + derivedFields.map(\.field))
        guard sheet.pivotCommand == nil, canBeOpenedByCommand, let text = try? PivotText(pivot, in: schema) else { return nil }
        var words = CommandWords(reading: readingOptions)
        for option in queryOptions where ["--derive", "--filter"].contains(option.name) { words.add(option.name, quoted: option.value) }
        addTypes(to: &words)
        words.add("--pivot", text.text)
        let dependsOnOrder = !query.requested.sort.isEmpty && pivot.aggregates.contains { [.first, .last].contains($0.function) }
        let omitted = dependsOnOrder ? ["the order of rows, which determines first and last values"] : []
        return PivotCommand(words: words, path: document.location ?? "-", omitted: omitted)
    }

    private func addTypes(to words: inout CommandWords) {
        let columns = columnsInFile
        let (names, chosen) = (columnReferences(columns), columnsWithChosenType)
        let typed = columns.filter { !$0.field.isDerived && chosen.contains($0.id) }
        if !typed.isEmpty { words.add("--types", typed.map { "\(names[$0.id] ?? ""):\(Self.typeName(of: $0))" }.joined(separator: ",")) }
    }

    /// All columns in the order of the file, without duplicates of columns.
    private var columnsInFile: [Column] { grid.columns.all.filter { $0.id.copy == 0 }.sorted { $0.id < $1.id } }

    /// The shell command that opens the file with this view, and the names of the settings that no option can express.
    var commandLine: (text: String, omitted: [String]) {
        let pivot = sheet.pivotCommand
        var words = pivot?.words ?? CommandWords(reading: readingOptions)
        // Other query options choose the rows of the input of a pivot table.
        let options = queryOptions.filter { pivot == nil || $0.name == "--sort" }
        for option in options { words.add(option.name, quoted: option.value) }
        let collapsed = collapsedGroups
        if pivot == nil, collapsed?.areAllCollapsed == true { words.add("--collapsed") }
        let shown = grid.columns.all.filter { $0.id.copy == 0 }
        let inFile = columnsInFile
        let names = columnReferences(inFile)
        let visible = shown.filter { !$0.isHidden }
        if visible.map(\.id) != inFile.map(\.id) { words.add("--columns", visible.compactMap { names[$0.id] }.joined(separator: ",")) }
        let opened = Dictionary(sheet.openedView.columns.map { ($0.id, $0) }) { first, _ in first }
        if pivot == nil { addTypes(to: &words) }
        let rounded = inFile.compactMap { column in
            column.format.fractionDigits.flatMap { $0.count == 1 ? "\(names[column.id] ?? ""):\($0.upperBound)" : nil }
        }
        if !rounded.isEmpty { words.add("--format", rounded.joined(separator: ",")) }
        let amounts = inFile.filter { $0.kind.isNumber && !$0.isIdentifier }
        let isUngrouped = !amounts.isEmpty && amounts.allSatisfy { !$0.format.groupsThousands }
        if isUngrouped { words.add("--no-grouping") }
        let frozen = grid.frozen
        for (name, count) in [("columns", frozen.leading), ("rows", frozen.rows), ("right", frozen.trailing)] where count > 0 {
            words.add("--freeze-\(name)", "\(count)")
        }
        words.add(ShellWord.path(pivot?.path ?? document.location ?? "-"))

        let layout = ViewState(self).layout
        let isPlain = layout.presentation == .table && layout.rowHeight == 1 && !layout.hasAutomaticRowHeights
        let omissions: [(String, Bool)] = [
            ("filters, groups and computed columns of the pivot table", options.count < queryOptions.count),
            ("column types of the pivot table", pivot != nil && !columnsWithChosenType.isEmpty),
            ("duplicated columns", shown.count < grid.columns.all.count),
            ("renamed columns", shown.contains { $0.title != $0.valueKey }),
            ("column widths", shown.contains { opened[$0.id].map(\.width) ?? .automatic != $0.width }),
            (
                "thousands separators of some columns",
                !isUngrouped && shown.contains { $0.kind.isNumber && $0.format.groupsThousands == $0.isIdentifier }
            ),
            ("which groups are collapsed", collapsed?.areAllCollapsed == false),
            ("filters that are turned off", !query.requested.disabledFilters.isEmpty),
            ("row height and layout", !isPlain || layout.gridLines != GridMetrics.programDefaults.gridLines),
        ]
        return (words.words.joined(separator: " "), (pivot?.omitted ?? []) + omissions.filter(\.1).map(\.0))
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
    static let commandLine = Page("Command line", copyableText: (commandLineName, { $0.commandLine.text })) { state in
        let (text, omitted) = state.commandLine
        let rest = omitted.map { Line.text("  " + $0) }
        // A saved view does not contain a pivot table.
        let hint = rest.isEmpty || state.sheet.pivotCommand != nil ? [] : [Line.text("“save view” in the command palette saves these too.")]
        return [.text(text), .text("")] + (rest.isEmpty ? [] : [.chapter("Not available as options")] + rest + hint)
    }
}

extension Message {
    static let noCommandLine = Message(
        .noCommandLine, "No command opens this table, because it was computed from another sheet.", short: "No command.", isError: true)
}
