import FieldValues

/// An error of a table or its source, with a message for users.
public protocol TableError: Error {
    /// One or two sentences: what failed, why, and what to do.
    var message: String { get }
    /// How complete the records are, if the error ended the input early; `nil` for other errors.
    var inputEnd: InputEnd? { get }
}

extension TableError {
    /// Always `nil`: the error does not end an input early.
    public var inputEnd: InputEnd? { nil }
}

/// An early end of an input that is damaged or exceeds a limit.
///
/// The records before the error stay readable. Records after it cannot be read.
public enum InputEnd: Sendable, Hashable {
    /// All records before the error are complete.
    case betweenRecords
    /// The last record may be incomplete.
    case withinRecord
    /// The bytes of the records are damaged, so any record before the error may be wrong.
    case damaged
}

/// The error if the last records are requested before they can be read: the end of the input is known only after all records are counted.
public struct UnknownEndError: TableError, Hashable {
    package init() {}

    /// A sentence with the reason.
    public var message: String { "The table has no key, so the last rows cannot be shown until all are counted." }
}

/// The error for a request of records that the table does not have.
public struct MissingRecordsError: TableError, Hashable {
    /// The number of records that the table has.
    public let count: Int

    package init(count: Int) { self.count = count }

    /// A sentence with the number of records.
    public var message: String { "The table has only \(NumberText.count(count)) rows." }
}
