public import FieldValues

/// The type of a column on a server.
public struct ServerType: Hashable, Codable, Sendable {
    /// The kind of storage, which decides how values are compared.
    public enum Storage: Hashable, Codable, Sendable {
        /// An integer of at most 64 bits.
        case integer
        /// An exact decimal. `scale` is the number of fraction digits; `nil` if each value has its own number.
        case numeric(scale: Int?)
        /// A 32-bit floating-point number.
        case real
        /// A 64-bit floating-point number.
        case double
        /// Text.
        case text
        /// Text padded with spaces, which casts remove.
        case paddedText
        /// True or false.
        case flag
        /// A date.
        case date
        /// A date and time without zone.
        case dateTime
        /// A point in time, shown in the zone of the session.
        case zonedDateTime
        /// A time of day.
        case time
        /// Another type that the server can sort; shown as text. The value is the name of the type.
        case ordered(String)
        /// Values of any type, as in SQLite columns without a declared type.
        case dynamic
        /// A type without a usable order, such as JSON; shown as text.
        case opaque

        /// The number of fraction digits that all values have: 0 for integers; `nil` if it is not fixed.
        package var fractionDigits: Int? {
            switch self {
            case .integer: 0
            case .numeric(let scale): scale
            default: nil
            }
        }
    }

    /// The name as printed by the server.
    public var name: String
    /// The kind of storage, which decides how values are compared.
    public var storage: Storage

    /// Creates a type.
    public init(name: String, storage: Storage) { (self.name, self.storage) = (name, storage) }

    /// The kind of field that shows the values.
    public var kind: ValueKind {
        switch storage {
        case .integer: .integer
        case .numeric, .real, .double: .decimal
        case .text, .paddedText, .ordered, .dynamic, .opaque: .text
        case .flag: .flag
        case .date: .date
        case .dateTime, .zonedDateTime: .dateTime
        case .time: .time
        }
    }

    /// True if the values are JSON documents.
    package var isJSON: Bool { ["json", "jsonb"].contains(Self.parts(name).words) }

    /// True for dates and times with nanoseconds.
    package var hasNanoseconds: Bool { Self.parts(name).words == "timestamp_ns" }

    /// True for lists, structures and maps of DuckDB or Arrow.
    package var isNested: Bool {
        let words = Self.parts(name).words
        return words.hasSuffix("]") || ["struct", "map"].contains(words) || words.hasPrefix("list<") || words.hasPrefix("struct<")
    }

    /// The maximum number of digits before the decimal point of an integer or a decimal; `nil` if the name of the type sets no limit.
    var wholeDigits: Int? {
        let (words, arguments) = Self.parts(name)
        switch (storage, words) {
        case (.integer, "tinyint"), (.integer, "utinyint"), (.integer, "uint8"): return 3
        case (.integer, "smallint"), (.integer, "usmallint"), (.integer, "int16"), (.integer, "uint16"): return 5
        case (.integer, "integer"), (.integer, "uinteger"), (.integer, "int32"), (.integer, "uint32"): return 10
        case (.integer, _): return 19
        case (.numeric, "ubigint"), (.numeric, "uint64"): return 20
        case (.numeric, "hugeint"): return 39
        case (.numeric(let scale?), _): return arguments.first.map { max(0, $0 - scale) }
        default: return nil
        }
    }

    /// Creates a type from its name in the server's catalog, such as `numeric(10,2)`. O(length).
    public init(named name: String, in dialect: SQLDialect) {
        self.name = name
        storage = dialect.family == .sqlite ? Self.affinity(name) : Self.storage(name)
    }

    /// A type name in lower case without its arguments, and the arguments.
    private static func parts(_ name: String) -> (words: String, arguments: [Int]) {
        var words: [UInt8] = []
        var arguments: [Int] = []
        var digits: Int?
        var depth = 0
        for byte in name.utf8.prefix(256) {
            switch byte {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: ","):
                if depth > 0, let number = digits { arguments.append(number) }
                digits = nil
                if byte == UInt8(ascii: ")") { depth = max(0, depth - 1) }
            case _ where depth > 0:
                if (0x30...0x39).contains(byte) { digits = min(100_000, (digits ?? 0) * 10 + Int(byte - 0x30)) }
            default: words.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
            }
        }
        let text = String(decoding: words, as: UTF8.self).split(separator: " ").joined(separator: " ")
        return (text, arguments)
    }

    private static let orderedNames: Set<String> = [
        "uuid", "bytea", "inet", "cidr", "macaddr", "macaddr8", "oid", "interval", "money", "name", "pg_lsn", "time with time zone",
    ]

    private static func storage(_ name: String) -> Storage {
        let (words, arguments) = parts(name)
        switch words {
        case "smallint", "integer", "bigint", "int", "int2", "int4", "int8", "tinyint", "long", "short", "byte": return .integer
        case "utinyint", "usmallint", "uinteger": return .integer
        // The names of Arrow types, which ADBC drivers report for the columns of statements.
        case "int16", "int32", "int64", "uint8", "uint16", "uint32": return .integer
        case "uint64": return .numeric(scale: 0)
        case "float16", "float32": return .real
        case "float64": return .double
        case "utf8": return .text
        // In Arrow, the argument is the time zone; elsewhere, it is the number of digits.
        case "timestamp" where name.contains("(") && (arguments.isEmpty || name.contains(":")): return .zonedDateTime
        case "numeric", "decimal":
            // Without arguments, PostgreSQL stores each value with its own number of fraction digits.
            return .numeric(scale: arguments.count == 2 ? arguments[1] : arguments.count == 1 ? 0 : nil)
        case "hugeint", "ubigint": return .numeric(scale: 0)
        case "real", "float4": return .real
        case "double precision", "float8", "double": return .double
        case "float": return .real
        case "text", "character varying", "varchar", "string": return .text
        case "character", "char", "bpchar": return .paddedText
        case "boolean", "bool": return .flag
        case "date": return .date
        case "timestamp without time zone", "timestamp", "datetime", "timestamp_ntz": return .dateTime
        case "timestamp_s", "timestamp_ms", "timestamp_ns": return .dateTime
        case "timestamp with time zone", "timestamptz": return .zonedDateTime
        case "time without time zone", "time": return .time
        case "timetz": return .ordered("time with time zone")
        case _ where orderedNames.contains(words): return .ordered(words)
        default: return .opaque
        }
    }

    /// True if SQLite converts text that is a number to a number when it is stored in a column of this type. False for columns without a
    /// type.
    var convertsText: Bool {
        let words = Self.parts(name).words
        if storage == .integer || storage == .double { return true }
        return storage == .dynamic && !words.isEmpty && words != "any" && !words.contains("blob")
    }

    /// The affinity rules of SQLite, which has neither dates nor Booleans: Boolean columns count as integers.
    private static func affinity(_ name: String) -> Storage {
        let (words, _) = parts(name)
        if words.contains("int") || words.contains("bool") { return .integer }
        if words.contains("char") || words.contains("clob") || words.contains("text") { return .text }
        if words.contains("real") || words.contains("floa") || words.contains("doub") { return .double }
        if words == "numeric" || words == "decimal" || words == "number" { return .double }
        return .dynamic
    }
}
