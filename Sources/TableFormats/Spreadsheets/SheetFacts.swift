import Locks

/// Facts and problems of a sheet that comma-separated text cannot represent. The converter adds them while it writes the text.
final class SheetFacts: Sendable {
    /// The number of cells of a column, by kind.
    struct Column: Sendable {
        var numbers = 0
        /// The number of strings that look like numbers.
        var numberTexts = 0

        /// True if the column is text although its fields look like numbers: most of them are strings in the sheet.
        var isText: Bool { numberTexts > numbers }
    }

    private struct State {
        var columns: [Column] = []
        var firstColumn = 0
        var problems: [String] = []
    }

    private let state = Mutex(State())

    /// Replaces the facts of the columns.
    /// - Parameter firstColumn: the column of the sheet that is the first one of the table.
    func publish(_ columns: [Column], from firstColumn: Int) {
        state.withLock { ($0.columns, $0.firstColumn) = (columns, firstColumn) }
    }

    /// Problems of the sheet found so far, one phrase each.
    var problems: [String] { state.withLock { $0.problems } }

    /// Adds a problem; keeps only the first ten.
    func add(problem: String) {
        state.withLock { if $0.problems.count < 10 { $0.problems.append(problem) } }
    }

    /// True if a column of the table is text although its fields look like numbers.
    func isText(column: Int) -> Bool {
        state.withLock { state in
            let (index, overflows) = column.addingReportingOverflow(state.firstColumn)
            return !overflows && state.columns.indices.contains(index) && state.columns[index].isText
        }
    }
}
