extension AppState {
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
    static let copyAs = Self("copyAs") { _, _, row in [.copyAs(AppState.clipboardFormats[row.tag].format)] }
}
