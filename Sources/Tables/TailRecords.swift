/// The last records of a table whose other records are not counted yet.
public struct TailRecords: Sendable, Hashable {
    /// The records in ascending order. The last one is the last of the table.
    public var records: [Record]
    /// The byte offset of the first record in the file; the end of the file if there are no records.
    public var firstByteOffset: Int
    /// True if the records are reliable. Otherwise, reading the rest of the file may show that they start or end elsewhere.
    ///
    /// For example, a quote that is not closed turns the rest of the file into one field, which cannot be seen at the end of the file.
    public var isSettled: Bool

    /// Creates tail records, in table order.
    public init(records: [Record], firstByteOffset: Int, isSettled: Bool) {
        self.records = records
        self.firstByteOffset = firstByteOffset
        self.isSettled = isSettled
    }
}
