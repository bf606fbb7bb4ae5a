import FieldValues

/// An error of a table or its source, with a message for users.
public protocol TableError: Error {
    /// One or two sentences: what failed, why, and what to do.
    var message: String { get }
    /// How the input ended, if the error ended it early; `nil` for other errors.
    var inputEnd: InputEnd? { get }
}

extension TableError {
    /// Always `nil`.
    public var inputEnd: InputEnd? { nil }
}

/// A premature end of an input that is damaged or exceeds a limit.
///
/// The records before the error are known and stay readable. No records follow.
public enum InputEnd: Sendable, Hashable {
    /// All records before the error are complete.
    case betweenRecords
    /// The last record may be incomplete.
    case withinRecord
    /// The bytes of the records are damaged, so any record before the error may be wrong.
    case damaged
}

/// The error for a request of records that the table does not have.
public struct MissingRecordsError: TableError, Hashable {
    /// The number of records of the table.
    public let count: Int

    package init(count: Int) { self.count = count }

    /// A sentence with the number of records.
    public var message: String { "The table has only \(NumberText.count(count)) rows." }
}
