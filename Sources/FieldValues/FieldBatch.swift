/// The fields of some consecutive records. They are valid only during the call that passes the batch.
public struct FieldBatch {
    /// The number of the first record, from 0.
    public let firstRecord: Int
    /// The number of records in the batch.
    public let count: Int
    /// The number of fields in each record.
    public let width: Int
    /// The `count` × `width` fields of the batch: first the fields of the first record, then the fields of the second record, and so on.
    public let fields: UnsafePointer<FieldBytes>

    /// Creates a batch of `count` records.
    /// - Parameter firstRecord: the number of the first record.
    @inlinable
    public init(firstRecord: Int, count: Int, width: Int, fields: UnsafePointer<FieldBytes>) {
        (self.firstRecord, self.count, self.width, self.fields) = (firstRecord, count, width, fields)
    }

    /// A field. Both indices count from 0 within the batch.
    @inlinable
    public subscript(record: Int, column: Int) -> FieldBytes { fields[record * width + column] }

    /// The fields of a record. The index counts from 0 within the batch.
    @inlinable
    public func fields(of record: Int) -> UnsafeBufferPointer<FieldBytes> {
        UnsafeBufferPointer(start: fields + record * width, count: width)
    }

    /// Calls `body` with each record of the batch and its fields, until it returns `false`. Returns true if all records were passed.
    @inlinable
    package func forEachRecord(_ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool) -> Bool {
        for record in 0..<count where !body(firstRecord + record, fields(of: record)) { return false }
        return true
    }
}
