/// The type of a column in a written file. Each case says which vectors of `ColumnVector.Values` a writer receives.
public enum WrittenType: Hashable, Sendable {
    /// 64-bit integers. The writer receives `integers` with the scale 0.
    case integer
    /// Exact numbers of at most 18 digits, `scale` of them after the decimal point. The writer receives `integers` with this scale.
    case decimal(scale: Int)
    /// Exact numbers of at most 38 digits, `scale` of them after the decimal point. The writer receives `texts` such as `-12.50`, with
    /// exactly `scale` digits after the point and no exponent.
    case wideDecimal(scale: Int)
    /// 64-bit floating-point numbers. The writer receives `doubles`.
    case double
    /// 32-bit floating-point numbers. The writer receives `doubles`. The shortest text of each double, such as `0.1`, is also the shortest
    /// text of its float.
    case float
    /// True or false. The writer receives `flags`.
    case flag
    /// Days since 1970-01-01. The writer receives `dates`.
    case date
    /// Times since 1970 with 6 or 9 digits after the seconds. The writer receives `dateTimes`.
    case dateTime(digits: Int, isUTC: Bool)
    /// Times of day with 6 or 9 digits after the seconds. The writer receives `times`.
    case time(digits: Int)
    /// UTF-8 text. The writer receives `texts`.
    case text
    /// Sequences of any bytes. The writer receives `texts`.
    case binary
    /// Structures, lists or maps. The writer receives `texts` in the binary form that `NestedMarker` describes. A writer gets only types
    /// for which ``WritableFormat/canWrite(_:)`` returns `true`.
    case nested(NestedType)
}

/// A column of a written file.
public struct WrittenColumn: Hashable, Sendable {
    /// The name of the column. Names need not be unique. Formats that require unique names add numbers to repeated names.
    public var name: String
    /// The type of all values.
    public var type: WrittenType
    /// True if some values of the column are missing.
    public var hasNulls: Bool
    /// True if the type is `text` and each value is valid JSON text.
    public var isJSON: Bool

    /// Creates a column.
    public init(name: String, type: WrittenType, hasNulls: Bool, isJSON: Bool = false) {
        (self.name, self.type, self.hasNulls, self.isJSON) = (name, type, hasNulls, isJSON)
    }
}

/// A function that receives the bytes of a written file in order.
public typealias FileOutput = (_ bytes: UnsafeRawBufferPointer) throws -> Void

/// Writes the rows of one file. Memory is bounded, because a writer keeps only some of the rows in memory.
public protocol TableWriter {
    /// Writes the rows of a batch after the rows already written. A batch has at most 65,536 rows.
    ///
    /// The batch has one vector for each column, with the values that its ``WrittenType`` requires. It is valid only during the call.
    /// - Throws: an error of the output, or a `TableError` that names the cause and the remedy.
    mutating func write(_ batch: ColumnBatch) throws

    /// Writes the end of the file. The caller calls it once, after all rows. A writer that is released before this call deletes its
    /// temporary files.
    mutating func finish() throws

    /// The indices of the columns of numbers in which some or all numbers are text, because the format cannot store them exactly. They are
    /// complete after ``finish()``.
    var columnsWithTextNumbers: [Int] { get }
}

extension TableWriter {
    /// Always empty: all numbers are stored as numbers.
    public var columnsWithTextNumbers: [Int] { [] }
}

/// A format of typed files that can be written, such as Parquet.
public protocol WritableFormat: Sendable {
    /// The name used with `--output`.
    var name: String { get }
    /// The name of the format in lists and messages.
    var title: String { get }
    /// The suffixes of file names, in lower case and without a dot. The first suffix is the preferred one.
    var suffixes: [String] { get }
    /// True if the format stores text that is not valid UTF-8 with its bytes unchanged. Otherwise, it has hexadecimal digits instead.
    var keepsInvalidText: Bool { get }
    /// True if the format distinguishes times in UTC from times without a time zone.
    var keepsTimeZones: Bool { get }
    /// True if the format has no type for dates and times. Seconds since 1970 and other dates that are numbers then stay numbers.
    var storesTimesAsText: Bool { get }
    /// True if the format has an exact type for decimal numbers of up to 38 digits. Otherwise, a column of numbers of more than 15 digits
    /// is written as doubles if they keep all digits, and as text if they do not.
    var hasExactDecimals: Bool { get }
    /// The column names in a file, for columns whose names in the table are `names`. They differ from `names` if the format requires
    /// distinct names.
    func columnNames(for names: [String]) -> [String]
    /// True if the format can store nested values of this type without a loss. Otherwise, the columns in which the table shows the parts of
    /// these values are written instead.
    func canWrite(_ type: NestedType) -> Bool

    /// Starts a file.
    /// - Parameters:
    ///   - columns: the columns, at least one.
    ///   - rowCount: the number of rows that will be written.
    ///   - table: the name of the table, for formats that store one.
    ///   - output: receives the bytes of the file, during this call and the calls of the writer.
    /// - Throws: a `TableError` if the format cannot represent these columns or rows, or needs a library that is missing.
    func makeWriter(_ columns: [WrittenColumn], rowCount: Int, table: String, to output: @escaping FileOutput) throws -> any TableWriter
}

extension WritableFormat {
    /// Same as ``name``.
    public var title: String { name }
    /// Always `true`.
    public var keepsInvalidText: Bool { true }
    /// Always `true`.
    public var keepsTimeZones: Bool { true }
    /// Always `false`.
    public var storesTimesAsText: Bool { false }
    /// Always `true`.
    public var hasExactDecimals: Bool { true }
    /// Returns the same names.
    public func columnNames(for names: [String]) -> [String] { names }
    /// Returns `false`, so that the columns in which the table shows the parts of nested values are written.
    public func canWrite(_ type: NestedType) -> Bool { false }
}
