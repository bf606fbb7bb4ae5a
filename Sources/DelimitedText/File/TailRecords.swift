/// The last records of a file, found from its end.
public struct TailRecords: Sendable, Hashable {
    /// Ascending; the last is the file's last.
    public var records: [TextRecord]
    /// Where the first of them begins, in bytes from the start of the file; the end of the file when there are none.
    public var firstByteOffset: Int
    /// Whether the evidence is so good that these can be shown as the truth. Otherwise the index may yet correct them.
    ///
    /// What is far from the end leaves no evidence there: a quote that is never closed makes one field of all that looks like records.
    public var isSettled: Bool

    /// These records, in the order of the file.
    public init(records: [TextRecord], firstByteOffset: Int, isSettled: Bool) {
        self.records = records
        self.firstByteOffset = firstByteOffset
        self.isSettled = isSettled
    }
}
