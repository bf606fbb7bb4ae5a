/// The last records of a table, read before the records above them are counted.
public struct TailRecords: Sendable, Hashable {
    /// The records in ascending order. The last element is the last record of the table.
    public var records: [Record]
    /// The byte offset of the first record in the file; the end of the file if there are no records.
    public var firstByteOffset: Int
    /// True if the boundaries of the records are certain. Otherwise, reading the rest of the file may show that records start or end
    /// elsewhere.
    ///
    /// For example, an unclosed quote turns the rest of the file into one field, but the last records do not show this.
    public var isSettled: Bool

    /// Creates tail records. `records` are in table order.
    public init(records: [Record], firstByteOffset: Int, isSettled: Bool) {
        self.records = records
        self.firstByteOffset = firstByteOffset
        self.isSettled = isSettled
    }
}
