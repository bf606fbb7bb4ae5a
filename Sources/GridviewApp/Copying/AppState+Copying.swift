import DataGrid

/// The options of the list “copy as”, kept until the program ends.
struct CopySettings: Equatable, Sendable {
    var includesHeader = true
    /// True to copy values as displayed; false to copy the text in the file.
    var copiesDisplayedText = false
}

extension AppState {
    /// Copies the selection or the current cell as tab-separated text. If groups are collapsed, copies their keys and aggregates instead of
    /// rows.
    /// - Parameter count: the number of cells to copy from the cursor to the right, as typed before the key; ignored if there is a
    ///   selection.
    mutating func copy(withHeader: Bool, count: Int? = nil) -> [AppEffect] {
        if let count, grid.selection.isEmpty, grid.currentRow != nil, let row = grid.cursor.row, grid.currentColumn != nil {
            return [.copy(.cells(CopiedCells(targetColumns(count), rows: [row..<row + 1]), withHeader: withHeader))]
        }
        if let sections = sectionsToCopy { return [.copy(.sections(sections, withHeader: withHeader))] }
        let effects = changeGrid(.requestCopy(withHeader: withHeader))
        return effects.isEmpty ? show(nothingToCopy) : effects
    }

    /// The message if there is nothing to copy. On the header of an expanded group, it says how to copy the group.
    private var nothingToCopy: Message {
        if case .header = grid.cursor.item { .nothingToCopy(collapseKey: key(.toggleSection)) } else { .nothingToCopy }
    }

    /// The collapsed groups to copy, as indices of innermost sections. `nil` to copy rows or cells, as when the cursor is not on the header
    /// of a collapsed section.
    ///
    /// Without a selection, these are the innermost sections inside the section at the cursor. With a selection, they are the selected
    /// innermost sections; `nil` if rows are visible, because then rows are copied.
    private var sectionsToCopy: [Int]? {
        guard let tree = grid.outline.tree, case .header(let section) = grid.cursor.item, grid.outline.collapsed[section] else {
            return nil
        }
        let innermost = (0..<tree.count).filter { tree.level(of: $0) == tree.depth - 1 }
        guard !grid.selection.isEmpty else { return innermost.filter { tree.rows(of: section).contains(tree.rows(of: $0).lowerBound) } }
        guard !grid.outline.showsRows else { return nil }
        let rows = grid.selection.rows(rowCount: grid.rows.count, columns: grid.columns.visible.map(\.id))
        return innermost.filter { section in rows.contains { $0.overlaps(tree.rows(of: section)) } }
    }

    /// Opens the list “copy as”: first the formats, then the options.
    /// - Parameter selected: the index of the list row to select.
    mutating func openCopyList(selecting selected: Int = 0) -> [AppEffect] {
        let formats = OutputFormat.clipboardFormats.map { ($0.title, $0.detail) }
        let settings = [
            ("Header: \(copySettings.includesHeader ? "yes" : "no")", "column names"),
            ("Values: \(copySettings.copiesDisplayedText ? "as shown" : "as in the file")", "for numbers and dates"),
        ]
        let rows = (formats + settings).enumerated().map { ListPanel.Row(text: $1.0, detail: $1.1, tag: $0) }
        var panel = ListPanel(purpose: .copyAs, title: "Copy as", rows: rows)
        panel.selected = selected
        return open(panel)
    }

    /// Applies the choice at this index of the list “copy as”: copies in a format, or changes an option and shows the list again.
    fileprivate mutating func applyCopyChoice(_ index: Int) -> [AppEffect] {
        let formats = OutputFormat.clipboardFormats
        guard formats.indices.contains(index) else {
            if index == formats.count { copySettings.includesHeader.toggle() } else { copySettings.copiesDisplayedText.toggle() }
            return openCopyList(selecting: index)
        }
        let (format, withHeader, asShown) = (formats[index], copySettings.includesHeader, copySettings.copiesDisplayedText)
        if let sections = sectionsToCopy { return [.copy(.sections(sections, as: format, withHeader: withHeader, asShown: asShown))] }
        guard let cells = grid.cellsToCopy() else { return show(nothingToCopy) }
        return [.copy(.cells(cells, as: format, withHeader: withHeader, asShown: asShown))]
    }
}

extension ListPanel.Purpose {
    /// The list of formats in which the selection can be copied.
    static let copyAs = Self("copyAs") { state, _, row in state.applyCopyChoice(row.tag) }
}

extension OutputFormat {
    /// The clipboard formats, in the order of the “copy as” list.
    static let clipboardFormats: [OutputFormat] = [.tsv, .csv, .json, .jsonl, .markdown, .html, .sql]

    /// The name of the format in lists and messages.
    var title: String {
        switch self {
        case .text: "text"
        case .csv: "CSV"
        case .tsv: "TSV"
        case .json: "JSON"
        case .jsonl: "JSON Lines"
        case .markdown: "Markdown"
        case .html: "HTML"
        case .sql: "SQL"
        }
    }

    /// A short description of where the format is useful, for the list.
    var detail: String {
        switch self {
        case .text: "aligned columns"
        case .csv: "comma-separated"
        case .tsv: "for spreadsheets"
        case .json: "an array of objects"
        case .jsonl: "one object per line"
        case .markdown: "for documents"
        case .html: "a table for web pages"
        case .sql: "INSERT statements"
        }
    }

    /// True if the format can be written with or without the column names. JSON always contains them as keys.
    var hasOptionalHeader: Bool { self != .json && self != .jsonl }
}
