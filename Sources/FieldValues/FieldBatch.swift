/// Fields of consecutive records, borrowed: valid only inside the call that hands them out.
public struct FieldBatch {
    /// The number of the first record, from 0.
    public let first: Int
    /// How many records there are.
    public let count: Int
    /// How many fields there are of each record.
    public let width: Int
    /// The fields, record by record: `count` × `width` of them.
    public let fields: UnsafePointer<FieldBytes>

    /// The fields of `count` records from number `first` on.
    @inlinable
    public init(first: Int, count: Int, width: Int, fields: UnsafePointer<FieldBytes>) {
        (self.first, self.count, self.width, self.fields) = (first, count, width, fields)
    }

    /// A field of a record, both counted within the batch.
    @inlinable
    public subscript(record: Int, column: Int) -> FieldBytes { fields[record * width + column] }

    /// The fields of a record, counted within the batch.
    @inlinable
    public func fields(of record: Int) -> UnsafeBufferPointer<FieldBytes> {
        UnsafeBufferPointer(start: fields + record * width, count: width)
    }
}
