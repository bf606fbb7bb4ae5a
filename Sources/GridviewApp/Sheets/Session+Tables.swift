import Tables

extension Session {
    /// Shows a table in its own sheet. The current sheet lists tables, and `record` is the record in the list that describes the table.
    func openTable(_ record: Int) {
        guard let path = document.input.path(ofTableInRecord: record), let opener = options.opener else { return }
        func sheetID() -> Int? { sheets.values.first { $0.path == path }?.id }
        if sheetID() == nil {
            let name = String(path.split(separator: "/").last ?? "")
            do {
                let input = SheetInput(
                    name: name, path: path, activity: opener.activity(opening: path),
                    opening: {
                        try opener.open(path: path, isCancelled: $0)
                    })
                try add([input], from: sheet.id)
            } catch {
                return send(.show(.openingFailed(JobFailure.sentence(about: error, "opening"))))
            }
        }
        if let id = sheetID() { send(.sheetRequested(id)) }
    }

    /// The path or URL that opens the input of the current sheet again; `nil` for a pipe.
    var sheetPath: String? { document.input.location.map { sheet.path ?? $0 } }
}
