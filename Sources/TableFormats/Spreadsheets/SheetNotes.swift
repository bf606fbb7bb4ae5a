import FieldValues
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
        var formulasWithoutValue = 0
    }

    private let state = Mutex(State())

    /// Replaces the cell counts of all columns, and the number of formulas without a value.
    /// - Parameter firstColumn: the index, in the sheet, of the first column of the table.
    func publish(_ columns: [CellCounts], from firstColumn: Int, formulasWithoutValue: Int) {
        state.withLock { ($0.columns, $0.firstColumn, $0.formulasWithoutValue) = (columns, firstColumn, formulasWithoutValue) }
    }

    /// Problems of the sheet found so far, one phrase each.
    var problems: [String] {
        let problems = state.withLock { $0.problems }
        return problems + (formulasPhrase.map { [$0] } ?? [])
    }

    /// A phrase about the formulas found so far whose value is not saved in the file; `nil` without such formulas.
    ///
    /// Libraries that write workbooks do not compute formulas. A spreadsheet program computes them when it opens the file.
    var formulasPhrase: String? {
        let count = state.withLock { $0.formulasWithoutValue }
        guard count > 0 else { return nil }
        return count == 1 ? "1 formula has no saved value" : "\(NumberText.count(count)) formulas have no saved values"
    }

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
