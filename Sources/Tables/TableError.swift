/// An error of a table or its source, with a sentence for people.
public protocol TableError: Error {
    /// A sentence or two: what failed, why, and what to do.
    var message: String { get }
}

/// A request for records that a table does not have.
public struct MissingRecordsError: TableError, Hashable {
    /// The number of records that the table has.
    public let count: Int

    init(count: Int) { self.count = count }

    /// How many records there are.
    public var message: String { "The table has only \(count) rows." }
}
