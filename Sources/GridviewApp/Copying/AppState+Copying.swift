import DataGrid

extension AppState {
    /// Copies the selection or the current cell as tab-separated text; for collapsed groups, their keys and aggregates.
    mutating func copy(withHeader: Bool) -> [AppEffect] {
        if let sections = sectionsToCopy { return [.copySections(sections, withHeader: withHeader)] }
        let effects = change(.requestCopy(withHeader: withHeader))
        return effects.isEmpty ? say(.nothingToCopy) : effects
    }

    /// The innermost sections in the collapsed section at the cursor. If no rows are visible, those of the selection; `nil` otherwise.
    fileprivate var sectionsToCopy: [Int]? {
        guard let tree = grid.outline.tree, case .header(let section) = grid.cursor.item, grid.outline.collapsed[section] else {
            return nil
        }
        let innermost = (0..<tree.count).filter { tree.level(of: $0) == tree.depth - 1 }
        guard !grid.selection.isEmpty else { return innermost.filter { tree.rows(of: section).contains(tree.rows(of: $0).lowerBound) } }
        guard !grid.outline.showsRows else { return nil }
        let rows = grid.selection.rows(rowCount: grid.rows.count, columns: grid.columns.visible.map(\.id))
        return innermost.filter { section in rows.contains { $0.overlaps(tree.rows(of: section)) } }
    }

    /// Lists the formats in which the selection can be copied.
    mutating func openCopyList() -> [AppEffect] {
        let rows = Self.clipboardFormats.enumerated().map { place, format in
            ListPanel.Row(text: format.title, detail: format.detail, tag: place)
        }
        return open(ListPanel(purpose: .copyAs, title: "Copy as", rows: rows))
    }

    /// The rows of the list, in its order.
    fileprivate static let clipboardFormats: [(format: OutputFormat, title: String, detail: String)] = [
        (.tsv, "TSV", "for spreadsheets"), (.csv, "CSV", "comma-separated"), (.json, "JSON", "one object per row"),
        (.markdown, "Markdown", "for documents"),
    ]
}

extension ListPanel.Purpose {
    /// Copies in the selected format.
    static let copyAs = Self("copyAs") { state, _, row in
        if let sections = state.sectionsToCopy {
            return [.copySections(sections, as: AppState.clipboardFormats[row.tag].format, withHeader: true)]
        }
        guard let cells = state.grid.cellsToCopy() else { return state.say(.nothingToCopy) }
        return [.copy(cells, as: AppState.clipboardFormats[row.tag].format, withHeader: true)]
    }
}
