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
            "In CSV and TSV, put an apostrophe before cells that begin like formulas; press again to stop.")
    ]
}

extension CommandID {
    static let export = CommandID("export")
    static let toggleFormulaEscaping = CommandID("exportSafely")
}

extension KeyContext {
    static let export = Self("export-prompt", title: "Export prompt")
}
