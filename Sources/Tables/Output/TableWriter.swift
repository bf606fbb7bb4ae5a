/// The type of a column in a written file.
public enum WrittenType: Hashable, Sendable {
    /// 64-bit integers. Batches have `ColumnVector.Values.integers` with the scale 0.
    case integer
    /// Exact numbers of at most 18 digits, `scale` of them after the decimal point. Batches have `integers` with this scale.
    case decimal(scale: Int)
    /// Exact numbers of at most 38 digits, `scale` of them after the decimal point. Batches have `texts` such as `-12.50`, with all digits
    /// of the scale and no exponent.
    case wideDecimal(scale: Int)
    /// 64-bit numbers. Batches have `doubles`.
    case double
    /// 32-bit numbers. Batches have `doubles` with the same shortest text, such as `0.1`.
    case float
    /// Batches have `flags`.
    case flag
    /// Batches have `dates`.
    case date
    /// Batches have `dateTimes` with this number of digits, 6 or 9.
    case dateTime(digits: Int, isUTC: Bool)
    /// Batches have `times` with this number of digits, 6 or 9.
    case time(digits: Int)
    /// UTF-8. Batches have `texts`.
    case text
    /// Any bytes. Batches have `texts`.
    case binary
    /// Structures, lists or maps. Batches have `texts` in the binary form of nested columns. Only a format that can write the type gets it.
    case nested(NestedType)
}

/// A column of a written file.
public struct WrittenColumn: Hashable, Sendable {
    /// The name. Names need not be unique. A format that requires unique names numbers repeated ones.
    public var name: String
    /// The type of all values.
    public var type: WrittenType
    /// True if a value is missing.
    public var hasNulls: Bool
    /// True if all values are JSON text, and the type is `text`.
    public var isJSON: Bool

    /// Creates a column.
    public init(name: String, type: WrittenType, hasNulls: Bool, isJSON: Bool = false) {
        (self.name, self.type, self.hasNulls, self.isJSON) = (name, type, hasNulls, isJSON)
    }
}

/// A function that receives the bytes of a written file in order.
public typealias FileOutput = (_ bytes: UnsafeRawBufferPointer) throws -> Void

/// Writes the rows of one file. Memory is bounded: a writer keeps at most a part of the rows.
public protocol TableWriter {
    /// Writes the rows of a batch, at most 65,536, below the earlier ones.
    ///
    /// The batch has one vector for each column, with the values that its ``WrittenType`` requires. It is valid only during the call.
    /// - Throws: an error of the output, or a `TableError` that names the cause and the remedy.
    mutating func write(_ batch: ColumnBatch) throws

    /// Writes the rest of the file, after all rows. It is called once. A writer that is not finished deletes its temporary files.
    mutating func finish() throws
}

/// A format of typed files that can be written, such as Parquet.
public protocol WritableFormat: Sendable {
    /// The name used with `--output`.
    var name: String { get }
    /// The name in lists and messages.
    var title: String { get }
    /// The suffixes of file names, in lower case and without a dot; the first is the usual one.
    var suffixes: [String] { get }
    /// True if bytes that are not UTF-8 are stored as they are.
    var keepsInvalidText: Bool { get }
    /// True if times in UTC differ from times without a zone.
    var keepsZones: Bool { get }
    /// True if the format can store nested values of this type without a loss.
    func canWrite(_ type: NestedType) -> Bool

    /// Starts a file.
    /// - Parameters:
    ///   - columns: the columns, at least one.
    ///   - rowCount: the number of rows that will be written.
    ///   - table: the name of the table, for formats that store one.
    ///   - output: receives the bytes, also after this call.
    /// - Throws: a `TableError` if the format cannot represent these columns or rows, or needs a library that is missing.
    func makeWriter(_ columns: [WrittenColumn], rowCount: Int, table: String, to output: @escaping FileOutput) throws -> any TableWriter
}

extension WritableFormat {
    /// Same as ``name``.
    public var title: String { name }
    /// Always `true`.
    public var keepsInvalidText: Bool { true }
    /// Always `true`.
    public var keepsZones: Bool { true }
    /// Returns `false`: nested values are written as JSON text.
    public func canWrite(_ type: NestedType) -> Bool { false }
}
