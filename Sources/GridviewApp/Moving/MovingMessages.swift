import DataGridTerminal

extension Message {
    static let noDifferentValue = Message(.noDifferentValue, "No different value in this direction.", short: "No other value.")

    /// The end was asked for, but the rows were moved and the file is still being read.
    static let lastRowSoFar = Message(
        .lastRowSoFar, "Last row read so far. Rows were moved: the end is known when the whole file is read.", short: "Last read so far.")

    static func rowNotRead(_ number: Int, known: Int) -> Message {
        Message(
            .rowNotRead, "Row \(ValueText.count(number)) is not read yet: \(ValueText.count(known)) rows so far.", short: "Not read yet.")
    }

    static func rowFilteredOut(_ number: Int) -> Message {
        Message(.rowFilteredOut, "Row \(ValueText.count(number)) is hidden by a filter.", short: "Filtered out.")
    }

    static func noSuchRow(_ number: Int) -> Message {
        Message(.noSuchRow, "There is no row \(ValueText.count(number)).", short: "No such row.")
    }

    static let noJump = Message(.noJump, "Nothing to go back to.", short: "No jump so far.")

    static func marksCleared(_ count: Int) -> Message {
        Message(.marksCleared, "\(ValueText.count(count)) \(count == 1 ? "mark" : "marks") cleared.", short: "Marks cleared.")
    }

    static func noMarks(mark: String) -> Message {
        Message(.noMarks, "No rows are marked. \(mark) marks one.", short: "No marks: \(mark).")
    }
}
