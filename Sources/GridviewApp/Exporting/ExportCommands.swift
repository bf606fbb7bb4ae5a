extension Command {
    static let exporting: [Command] = [
        Command(
            .export, .selecting, ["zs"], "export", "Write the selection, the view or the collapsed groups to a file.",
            also: "save as write file csv tsv json markdown html sql parquet arrow sqlite excel gzip"
        ) { state, _ in
            state.openExport()
        }
    ]

    static let exportPrompt: [Command] = [
        Command(
            .toggleFormulaEscaping, in: .export, ["Tab"], "safe for spreadsheets",
            "Put an apostrophe before cells of CSV and TSV that begin like formulas; press again to write them unchanged.")
    ]
}

extension CommandID {
    static let export = CommandID("export")
    static let toggleFormulaEscaping = CommandID("exportSafely")
}

extension KeyContext {
    static let export = Self("export", title: "Export prompt")
}
