import Locks

/// The facts of a sheet that comma-separated text does not have, collected while it is written.
final class SheetFacts: Sendable {
    /// The cells of a column.
    struct Column: Sendable {
        var numbers = 0
        /// The number of texts that look like numbers.
        var numberTexts = 0

        /// True if the column is text although its fields look like numbers.
        var isText: Bool { numberTexts > numbers }
    }

    private struct State {
        var columns: [Column] = []
        var firstColumn = 0
    }

    private let state = Mutex(State())

    /// Replaces the facts of the columns.
    /// - Parameter firstColumn: the column of the sheet that is the first one of the table.
    func publish(_ columns: [Column], from firstColumn: Int) {
        state.withLock { ($0.columns, $0.firstColumn) = (columns, firstColumn) }
    }

    /// True if a column of the table is text although its fields look like numbers.
    func isText(column: Int) -> Bool {
        state.withLock { state in
            let (place, overflows) = column.addingReportingOverflow(state.firstColumn)
            return !overflows && state.columns.indices.contains(place) && state.columns[place].isText
        }
    }
}
