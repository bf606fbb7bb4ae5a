/// The last records of a table whose other records are not counted yet.
public struct TailRecords: Sendable, Hashable {
    /// Ascending; the last is the table's last.
    public var records: [Record]
    /// Where the first of them begins, in bytes from the start of the file; the end of the file when there are no records.
    public var firstByteOffset: Int
    /// Whether the evidence is so good that these can be shown as the truth. Otherwise reading the rest may correct them.
    ///
    /// A quote that is never closed makes one field of all that looks like records, and leaves no evidence near the end.
    public var isSettled: Bool

    /// These records, in the order of the table.
    public init(records: [Record], firstByteOffset: Int, isSettled: Bool) {
        self.records = records
        self.firstByteOffset = firstByteOffset
        self.isSettled = isSettled
    }
}
