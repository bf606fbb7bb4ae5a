/// An error of a table or its source, with a message for users.
public protocol TableError: Error {
    /// One or two sentences: what failed, why, and what to do.
    var message: String { get }
}

/// An error for a request that exceeds the records of a table.
public struct MissingRecordsError: TableError, Hashable {
    /// The number of records of the table.
    public let count: Int

    package init(count: Int) { self.count = count }

    /// A sentence with the number of records.
    public var message: String { "The table has only \(count) rows." }
}
