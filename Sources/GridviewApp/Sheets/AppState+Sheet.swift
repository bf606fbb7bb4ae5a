public import DataGrid
public import DataGridTerminal

extension AppState {
    /// The current sheet: the visible one or, while a message for another sheet is handled, that other sheet.
    public internal(set) var sheet: SheetState {
        get { sheets[currentSheetIndex] }
        _modify { yield &sheets[currentSheetIndex] }
    }

    /// The state of the grid.
    public var grid: GridState {
        // Yield the state instead of returning it, because returning would copy it and retain about thirty references at each access.
        _read { yield controller.state }
    }

    /// The controller of the grid. Only ``apply(_:)`` may change it. All other code may only read it and set its data source.
    public var controller: GridController { sheet.controller }

    /// Information about the open file.
    public internal(set) var document: DocumentInfo {
        get { sheet.document }
        _modify { yield &sheet.document }
    }

    /// The panel or prompt over the grid; `nil` if keys go to the grid.
    var overlay: (any Overlay)? {
        get { sheet.overlay }
        _modify { yield &sheet.overlay }
    }

    /// The message that replaces the hints until the next key.
    public internal(set) var message: Message? {
        get { sheet.message }
        _modify { yield &sheet.message }
    }

    /// The running jobs.
    public internal(set) var jobs: [JobStatus] {
        get { sheet.jobs }
        _modify { yield &sheet.jobs }
    }

    /// The last search.
    public internal(set) var search: Search? {
        get { sheet.search }
        _modify { yield &sheet.search }
    }

    /// The state of the query.
    public internal(set) var query: QueryState {
        get { sheet.query }
        _modify { yield &sheet.query }
    }
}
