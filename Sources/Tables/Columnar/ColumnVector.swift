public import FieldValues

/// The values of one column for consecutive records. The pointers are valid only during the call that passes the batch.
public struct ColumnVector {
    /// The values by type. Each pointer has one value for each record of the batch. The value at a missing field is undefined.
    public enum Values {
        /// Numbers `value / 10^scale`, with `scale` in `0 ... 18`. Whole numbers have the scale 0.
        case integers(UnsafePointer<Int64>, scale: Int)
        /// 64-bit floating-point numbers.
        case doubles(UnsafePointer<Double>)
        /// 32-bit floating-point numbers.
        case floats(UnsafePointer<Float>)
        /// Flags: 0 is false, any other value is true.
        case flags(UnsafePointer<UInt8>)
        /// Days since 1970-01-01.
        case dates(UnsafePointer<Int64>)
        /// Times since 1970-01-01 00:00, in units of `10^-digits` seconds, with `digits` in `0 ... 9`. UTC times have the suffix `Z`.
        case dateTimes(UnsafePointer<Int64>, digits: Int, isUTC: Bool)
        /// Times of day since midnight, in units of `10^-digits` seconds, with `digits` in `0 ... 9`.
        case times(UnsafePointer<Int64>, digits: Int)
        /// Strings. A missing field is `FieldBytes.missing`.
        case texts(UnsafePointer<FieldBytes>)
        /// Indices of strings in a dictionary, which has fewer than 2^32 strings.
        case codes(UnsafePointer<UInt32>, dictionary: UnsafeBufferPointer<FieldBytes>)
    }

    /// The values, one for each record.
    public let values: Values
    /// For each record, 0 if the field is missing (null) and another value if it is present. `nil` if all fields are present.
    public let presence: UnsafePointer<UInt8>?

    /// Creates a vector.
    public init(_ values: Values, presence: UnsafePointer<UInt8>? = nil) { (self.values, self.presence) = (values, presence) }
}

/// The values of the requested columns for consecutive records. The pointers are valid only during the call that passes the batch.
public struct ColumnBatch {
    /// The number of the first record, from 0.
    public let firstRecord: Int
    /// The number of records.
    public let count: Int
    /// One vector for each requested column, in the order of the request.
    public let columns: [ColumnVector]

    /// Creates a batch of `count` records, the first of which has the number `firstRecord`.
    public init(firstRecord: Int, count: Int, columns: [ColumnVector]) {
        (self.firstRecord, self.count, self.columns) = (firstRecord, count, columns)
    }
}
