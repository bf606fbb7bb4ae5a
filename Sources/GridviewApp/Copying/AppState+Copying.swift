import DataGrid

extension AppState {
    /// Copies the selection or the current cell as tab-separated text.
    mutating func copy(withHeader: Bool) -> [AppEffect] {
        let effects = change(.requestCopy(withHeader: withHeader))
        return effects.isEmpty ? say(.nothingToCopy) : effects
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
        guard let cells = state.grid.cellsToCopy() else { return state.say(.nothingToCopy) }
        return [.copy(cells, as: AppState.clipboardFormats[row.tag].format, withHeader: true)]
    }
}
