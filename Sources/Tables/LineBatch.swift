/// Consecutive records with exactly the bytes that they have in the file. The bytes are valid only during the call of the function that
/// receives the batch.
public struct LineBatch {
    /// The number of the first record, from 0.
    public let firstRecord: Int
    /// The number of records.
    public let count: Int
    /// The first byte of the first record.
    private let bytes: UnsafePointer<UInt8>
    /// For each record, the offset of its end from ``bytes``.
    private let ends: UnsafePointer<UInt32>

    /// Creates a batch of `count` consecutive records, the first of which has the number `firstRecord`. `ends` has the offset after each
    /// record, relative to `bytes`.
    public init(firstRecord: Int, count: Int, bytes: UnsafePointer<UInt8>, ends: UnsafePointer<UInt32>) {
        (self.firstRecord, self.count, self.bytes, self.ends) = (firstRecord, count, bytes, ends)
    }

    /// The same records, numbered from `firstRecord`.
    package func renumbered(from firstRecord: Int) -> LineBatch {
        LineBatch(firstRecord: firstRecord, count: count, bytes: bytes, ends: ends)
    }

    /// The bytes of some of the records, including their line ends. `records` counts from the first record of the batch.
    public func bytes(of records: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        let begin = records.lowerBound == 0 ? 0 : Int(ends[records.lowerBound - 1])
        let end = records.upperBound == 0 ? 0 : Int(ends[records.upperBound - 1])
        return UnsafeBufferPointer(start: bytes + begin, count: end - begin)
    }

    /// The number of bytes of all records.
    public var byteCount: Int { count == 0 ? 0 : Int(ends[count - 1]) }
}
