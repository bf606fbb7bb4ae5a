public import FieldValues

/// The type of nested values, with the types of all their parts.
public indirect enum NestedType: Hashable, Sendable {
    /// A value without parts.
    case value(StoredType)
    /// Values with names, in the order of the file.
    case structure([NestedField])
    /// Elements of one type. In a list of fixed size, each list has `size` elements.
    case list(NestedField, size: Int?)
    /// Pairs of keys and values, in the order of the file. Keys can be equal.
    case map(key: NestedField, value: NestedField)

    /// The approximate minimum size of a value in a file, in bytes, at most ``maximumNullBytes``. Arrow also stores the parts of null
    /// structures and of null lists of fixed size.
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

    /// The largest ``minimumBytes`` of this type and its parts.
    package var largestNullBytes: Int {
        switch self {
        case .value: minimumBytes
        case .structure(let fields): fields.reduce(minimumBytes) { max($0, $1.type.largestNullBytes) }
        case .list(let element, _): max(minimumBytes, element.type.largestNullBytes)
        case .map(let key, let value): max(minimumBytes, key.type.largestNullBytes, value.type.largestNullBytes)
        }
    }

    /// The limit of ``minimumBytes``: 1 GiB. Sizes in the schema of a damaged file can be much larger.
    private static let maximumNullBytes = 1 << 30
}

/// A part of a nested type.
public struct NestedField: Hashable, Sendable {
    /// The name; for elements of lists, and for keys and values of maps, the name in the file.
    public var name: String
    /// The type of the values.
    public var type: NestedType
    /// True if a value can be null.
    public var isOptional: Bool

    /// Creates a part.
    public init(_ name: String, _ type: NestedType, isOptional: Bool) { (self.name, self.type, self.isOptional) = (name, type, isOptional) }
}

/// The type of a value without parts in a nested column, as files store it.
public enum StoredType: Hashable, Sendable {
    /// Whole numbers of 8, 16, 32 or 64 bits.
    case integer(bits: Int, isSigned: Bool)
    /// Exact numbers of at most 38 digits, `scale` of them after the decimal point.
    case decimal(precision: Int, scale: Int)
    /// Floating-point numbers of 16, 32 and 64 bits.
    case half, float, double
    /// True or false.
    case flag
    /// Days since 1970-01-01.
    case date
    /// Times of day with this number of digits after the seconds: 0, 3, 6 or 9.
    case time(digits: Int)
    /// Times since 1970 with this number of digits after the seconds: 0, 3, 6 or 9.
    case dateTime(digits: Int, isUTC: Bool)
    /// UTF-8, which may be declared as JSON.
    case text(isJSON: Bool)
    /// Any bytes.
    case binary
    /// Byte sequences of equal length. A UUID has 16 bytes.
    case fixedBinary(width: Int, isUUID: Bool)
}

/// A structure, list or map, which a table shows as one or several columns.
public struct NestedColumn: Sendable {
    /// The columns that show the values: the fields of a structure, or one column of JSON text.
    public var columns: Range<Int>
    /// The kinds of these columns; `nil` for a kind that a sample decides.
    public var kinds: [ValueKind?]
    /// The name and type of the values.
    public var field: NestedField

    /// Creates a column.
    public init(columns: Range<Int>, kinds: [ValueKind?], field: NestedField) {
        (self.columns, self.kinds, self.field) = (columns, kinds, field)
    }
}
