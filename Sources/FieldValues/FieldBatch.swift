/// Fields of consecutive records. They are valid only during the call that passes the batch.
public struct FieldBatch {
    /// The number of the first record, from 0.
    public let first: Int
    /// The number of records.
    public let count: Int
    /// The number of fields in each record.
    public let width: Int
    /// The `count` × `width` fields, record by record.
    public let fields: UnsafePointer<FieldBytes>

    /// Creates a batch of the fields of `count` records, starting with number `first`.
    @inlinable
    public init(first: Int, count: Int, width: Int, fields: UnsafePointer<FieldBytes>) {
        (self.first, self.count, self.width, self.fields) = (first, count, width, fields)
    }

    /// The field of a record; both indices are relative to the batch.
    @inlinable
    public subscript(record: Int, column: Int) -> FieldBytes { fields[record * width + column] }

    /// The fields of a record; the index is relative to the batch.
    @inlinable
    public func fields(of record: Int) -> UnsafeBufferPointer<FieldBytes> {
        UnsafeBufferPointer(start: fields + record * width, count: width)
    }

    /// Calls `body` for each record until it returns `false`. Returns true if all records were passed.
    @inlinable
    package func forEachRecord(_ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool) -> Bool {
        for record in 0..<count where !body(first + record, fields(of: record)) { return false }
        return true
    }
}
