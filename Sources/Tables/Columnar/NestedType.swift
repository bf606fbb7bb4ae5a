public import FieldValues

/// The type of a nested value, such as a list of structures, including the types of its elements and fields.
public indirect enum NestedType: Hashable, Sendable {
    /// A single value, such as a number or a string.
    case value(StoredType)
    /// A structure: values with names, in the order of the file.
    case structure([NestedField])
    /// A list of elements of one type. If `size` is not `nil`, every list has exactly `size` elements.
    case list(NestedField, size: Int?)
    /// A map: pairs of keys and values, in the order of the file. Several pairs can have the same key.
    case map(key: NestedField, value: NestedField)

    /// The approximate minimum size of a value in a file, in bytes, at most ``maximumNullBytes``. Even a null can take this size, because
    /// Arrow stores bytes for the fields of a null structure, and for the elements of a null list of fixed size.
    package var minimumBytes: Int {
        let bytes =
            switch self {
            case .value(.fixedBinary(let width, _)): width
            case .value: 8
            case .structure(let fields): fields.reduce(1) { min($0 + $1.type.minimumBytes, Self.maximumNullBytes) }
            case .list(let element, let size): 4 + min(size ?? 0, Self.maximumNullBytes) * element.type.minimumBytes
            case .map: 4
            }
        return min(max(0, bytes), Self.maximumNullBytes)
    }

    /// The largest ``minimumBytes`` of this type and of all types inside it.
    package var largestNullBytes: Int {
        switch self {
        case .value: minimumBytes
        case .structure(let fields): fields.reduce(minimumBytes) { max($0, $1.type.largestNullBytes) }
        case .list(let element, _): max(minimumBytes, element.type.largestNullBytes)
        case .map(let key, let value): max(minimumBytes, key.type.largestNullBytes, value.type.largestNullBytes)
        }
    }

    /// The maximum of ``minimumBytes``: 1 GiB. The schema of a damaged file can declare much larger sizes.
    private static let maximumNullBytes = 1 << 30
}

/// A field of a structure, the element of a list, or the key or value of a map.
public struct NestedField: Hashable, Sendable {
    /// The name of the field in the file. Elements of lists, and keys and values of maps, have names too.
    public var name: String
    /// The type of the values.
    public var type: NestedType
    /// True if a value can be null.
    public var isOptional: Bool

    /// Creates a field.
    public init(_ name: String, _ type: NestedType, isOptional: Bool) { (self.name, self.type, self.isOptional) = (name, type, isOptional) }
}

/// The type of a single value inside a nested value, as files store it.
public enum StoredType: Hashable, Sendable {
    /// Whole numbers. `bits` is 8, 16, 32 or 64.
    case integer(bits: Int, isSigned: Bool)
    /// Exact numbers of at most `precision` digits, `scale` of them after the decimal point. `precision` is at most 38.
    case decimal(precision: Int, scale: Int)
    /// Floating-point numbers of 16, 32 and 64 bits.
    case half, float, double
    /// True or false.
    case flag
    /// Days since 1970-01-01.
    case date
    /// Times of day. `digits` is the number of digits after the seconds: 0, 3, 6 or 9.
    case time(digits: Int)
    /// Times since 1970. `digits` is the number of digits after the seconds: 0, 3, 6 or 9.
    case dateTime(digits: Int, isUTC: Bool)
    /// UTF-8 text. `isJSON` is true if the file declares the text as JSON.
    case text(isJSON: Bool)
    /// Sequences of any bytes.
    case binary
    /// Sequences of `width` bytes. A UUID has 16 bytes.
    case fixedBinary(width: Int, isUUID: Bool)
}

/// A structure, list or map in a file. A table shows it as one or several columns.
public struct NestedColumn: Sendable {
    /// The numbers of the columns that show the value: one for each field of a structure, or one column of JSON text.
    public var columns: Range<Int>
    /// The kind of each column in ``columns``; `nil` if a sample of the values decides it.
    public var kinds: [ValueKind?]
    /// The name and type of the values.
    public var field: NestedField

    /// Creates a column.
    public init(columns: Range<Int>, kinds: [ValueKind?], field: NestedField) {
        (self.columns, self.kinds, self.field) = (columns, kinds, field)
    }
}
