import Locks

/// Properties and problems of a sheet that are lost in comma-separated text. The thread that writes the text adds them; other threads read
/// them.
final class SheetNotes: Sendable {
    /// The number of cells in one column, for each kind of cell.
    struct CellCounts: Sendable {
        /// The number of cells that are numbers.
        var numbers = 0
        /// The number of cells that are strings and look like numbers.
        var numberTexts = 0

        /// True if the fields look like numbers, but most of them are strings in the sheet. The column is then text.
        var isText: Bool { numberTexts > numbers }
    }

    private struct State {
        /// The counts for each column of the sheet.
        var columns: [CellCounts] = []
        /// The index, in the sheet, of the first column of the table.
        var firstColumn = 0
        var problems: [String] = []
    }

    private let state = Mutex(State())

    /// Replaces the cell counts of all columns.
    /// - Parameter firstColumn: the index, in the sheet, of the first column of the table.
    func publish(_ columns: [CellCounts], from firstColumn: Int) {
        state.withLock { ($0.columns, $0.firstColumn) = (columns, firstColumn) }
    }

    /// Problems of the sheet found so far, one phrase each.
    var problems: [String] { state.withLock { $0.problems } }

    /// Adds a problem; keeps only the first ten.
    func add(problem: String) {
        state.withLock { if $0.problems.count < 10 { $0.problems.append(problem) } }
    }

    /// True if a column is text although its fields look like numbers. `column` is counted from the first column of the table.
    func isText(column: Int) -> Bool {
        state.withLock { state in
            let (index, overflows) = column.addingReportingOverflow(state.firstColumn)
            return !overflows && state.columns.indices.contains(index) && state.columns[index].isText
        }
    }
}
