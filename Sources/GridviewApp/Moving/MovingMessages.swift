import DataGridTerminal

extension Message {
    static let percentOfKnownRows = Message(
        .percentOfKnownRows, "This is a percentage of the rows known so far.", short: "% of rows so far.")

    static let noDifferentValue = Message(.noDifferentValue, "No row with a different value in this direction.", short: "No other value.")

    /// The cursor went to the last known row, because later rows are still being read or counted.
    static let lastRowSoFar = Message(
        .lastRowSoFar, "This is the last row so far. Not all rows are known yet.", short: "Last row so far.")

    static func rowNotRead(_ number: Int, knownCount: Int) -> Message {
        Message(
            .rowNotRead, "Row \(ValueText.count(number)) has not been read yet; \(ValueText.count(knownCount)) rows so far.",
            short: "Not read yet.")
    }

    /// The user has clicked a row whose row number is approximate. The click had no effect, because it could select a wrong row.
    static let rowsAwaitCount = Message(
        .rowsAwaitCount, "The rows are still being counted. Click again when all are counted.", short: "Counting rows.")

    /// A command waits until the server has counted the rows and row numbers are exact.
    static func commandAwaitsCount(escapeKey: String) -> Message {
        Message(
            .commandAwaitsCount, "The command runs when the rows are counted. \(escapeKey) cancels it.",
            short: "Counting rows.")
    }

    /// A command has waited for exact row numbers, but the server could not count the rows. So the command does not run.
    static let commandNotRun = Message(
        .commandNotRun, "The rows could not be counted, so the command was not run.", short: "Not run.", isError: true)

    static func rowFilteredOut(_ number: Int) -> Message {
        Message(.rowFilteredOut, "Row \(ValueText.count(number)) is hidden by a filter.", short: "Filtered out.")
    }

    /// - Parameter lastRow: the number of the last row; `nil` if it is unknown, or if there are no rows.
    static func noSuchRow(_ number: Int, lastRow: Int?) -> Message {
        let reason = lastRow.map { ": the table has \(rows($0))" } ?? ""
        return Message(.noSuchRow, "No row \(ValueText.count(number))\(reason).", short: "No such row.")
    }

    static let noJump = Message(.noJump, "Nothing to go back to.", short: "No earlier jump.")

    /// A row was marked or unmarked.
    /// - Parameter count: the number of marked rows.
    static func marked(_ count: Int) -> Message {
        Message(.marked, count == 0 ? "No rows are marked." : "\(Self.rows(count)) marked.", short: "Marked: \(ValueText.count(count)).")
    }

    static func marksCleared(_ count: Int) -> Message {
        Message(.marksCleared, "\(ValueText.count(count)) \(count == 1 ? "mark" : "marks") cleared.", short: "Marks cleared.")
    }

    static func noMarks(markKey: String) -> Message {
        Message(.noMarks, "No rows are marked. \(markKey) marks one.", short: "\(markKey) marks a row.")
    }

    /// - Parameter count: the number of marked rows, of which the view shows none.
    static func marksNotShown(_ count: Int) -> Message {
        Message(
            .noMarks, count == 1 ? "The view does not show the marked row." : "The view shows none of the \(rows(count)) with marks.",
            short: "No marks in view.")
    }
}
