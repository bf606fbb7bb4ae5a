public import DataGrid
public import DataGridTerminal

/// The members of the current sheet.
extension AppState {
    /// The sheet on the screen, or the one of which news is taken.
    public internal(set) var sheet: SheetState {
        get { sheets[current] }
        _modify { yield &sheets[current] }
    }

    /// The grid in the middle of the screen.
    public var grid: GridState {
        // A copy counts thirty references, for each of the many who ask for a number of it.
        _read { yield controller.state }
    }

    /// What changes that grid, and draws it.
    public var controller: GridController { sheet.controller }

    /// What the title line tells of the file.
    public internal(set) var document: DocumentInfo {
        get { sheet.document }
        _modify { yield &sheet.document }
    }

    /// What lies over the grid; `nil`: keys go to the grid.
    public internal(set) var layer: Layer? {
        get { sheet.layer }
        _modify { yield &sheet.layer }
    }

    /// What the last line says in place of hints; the next key takes it away.
    public internal(set) var message: Message? {
        get { sheet.message }
        _modify { yield &sheet.message }
    }

    /// The jobs that run.
    public internal(set) var jobs: [JobStatus] {
        get { sheet.jobs }
        _modify { yield &sheet.jobs }
    }

    /// The last search.
    public internal(set) var search: Search? {
        get { sheet.search }
        _modify { yield &sheet.search }
    }

    /// What rows were asked for, and which are shown until these are there.
    public internal(set) var query: QueryState {
        get { sheet.query }
        _modify { yield &sheet.query }
    }
}
