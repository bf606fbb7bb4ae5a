import CDrivers
import EngineProtocol

/// The type of an Arrow column, parsed from a driver's schema and validated.
///
/// Format strings: Arrow documentation, "The Arrow C data interface".
final class ADBCType {
    let name: String
    let kind: Kind
    let children: [ADBCType]
    /// The type of the dictionary's values if the column contains indexes into a dictionary; otherwise `nil`.
    let dictionary: ADBCType?
    /// True for text that the driver declares as JSON.
    private let isJSON: Bool

    indirect enum Kind: Equatable {
        case null
        case boolean
        case signed(bytes: Int)
        case unsigned(bytes: Int)
        /// A floating-point number of 2, 4 or 8 bytes.
        case floating(bytes: Int)
        case text(isWide: Bool)
        case binary(isWide: Bool)
        /// Text or binary values as Arrow views. Values of up to 12 bytes are stored in the view, longer values in one of several
        /// buffers.
        case view(isText: Bool)
        case fixedBinary(bytes: Int)
        case decimal(bytes: Int, precision: Int, scale: Int)
        case days
        case dayMilliseconds
        /// A time of day.
        case time(bytes: Int, ticksPerSecond: Int64)
        case timestamp(ticksPerSecond: Int64, zone: String)
        case duration(ticksPerSecond: Int64)
        case months
        case daysAndMilliseconds
        case monthsDaysNanoseconds
        case list(isWide: Bool)
        case fixedList(count: Int)
        case structure
        case map
    }

    private static let maximumDepth = 12
    private static let maximumChildren = EngineLimits.maximumColumns

    /// Parses a schema.
    /// - Throws: ``DriverFailure`` for a schema that is not valid, and for types that cannot be shown.
    init(_ schema: UnsafePointer<gv_arrow_schema>?, depth: Int = 0) throws(DriverFailure) {
        guard let schema = schema?.pointee, schema.release != nil, let format = schema.format, depth <= Self.maximumDepth else {
            throw Self.malformedDataFailure("a schema")
        }
        let name = String(cString: schema.name ?? format).prefixBytes(1 << 16)
        self.name = schema.name == nil ? "" : name
        let text = String(cString: format).prefixBytes(1_024)
        guard let kind = Self.kind(text) else {
            throw DriverFailure(
                .unsupported, "The column “\(self.name)” has the Arrow type “\(text)”, which is not supported",
                hint: "Cast it to text in the query")
        }
        self.kind = kind
        isJSON = Self.isJSON(schema.metadata)
        guard schema.child_count <= Self.maximumChildren else {
            let count = schema.child_count
            let columns = depth == 0 ? "The result has \(count) columns" : "The column “\(name)” has \(count) fields"
            let hint = depth == 0 ? "Select fewer columns" : "Select single fields of this column"
            throw DriverFailure(.tooLarge, "\(columns), and the maximum is \(Self.maximumChildren)", hint: hint)
        }
        guard schema.child_count >= 0, schema.child_count == 0 || schema.children != nil else {
            throw Self.malformedDataFailure("the columns of a schema")
        }
        var children: [ADBCType] = []
        for index in 0..<Int(schema.child_count) { children.append(try ADBCType(schema.children[index], depth: depth + 1)) }
        let expected: Int? =
            switch kind {
            case .list, .fixedList, .map: 1
            case .structure: nil
            default: 0
            }
        guard expected == nil || expected == children.count,
            kind != .map || children[0].kind == .structure && children[0].children.count == 2
        else {
            throw Self.malformedDataFailure("the type of the column “\(self.name)”")
        }
        self.children = children
        if schema.dictionary != nil {
            guard case .signed = kind else {
                guard case .unsigned = kind else { throw Self.malformedDataFailure("a dictionary") }
                dictionary = try ADBCType(schema.dictionary, depth: depth + 1)
                return
            }
            dictionary = try ADBCType(schema.dictionary, depth: depth + 1)
        } else {
            dictionary = nil
        }
    }

    /// True if the metadata of a column name the extension type `arrow.json`.
    ///
    /// Metadata consist of the number of pairs, followed by the length and the bytes of each key and value. Arrow does not report the size
    /// of metadata, so the driver must be trusted.
    private static func isJSON(_ metadata: UnsafePointer<CChar>?) -> Bool {
        guard let start = metadata.map({ UnsafeRawPointer($0) }) else { return false }
        var position = 4
        for _ in 0..<max(0, min(1_000, start.loadUnaligned(as: Int32.self))) {
            var texts: [UnsafeRawBufferPointer] = []
            for _ in 0..<2 {
                let length = Int(start.loadUnaligned(fromByteOffset: position, as: Int32.self))
                guard (0...EngineLimits.maximumTextBytes).contains(length) else { return false }
                texts.append(UnsafeRawBufferPointer(start: start + position + 4, count: length))
                position += 4 + length
            }
            if texts[0].elementsEqual("ARROW:extension:name".utf8) { return texts[1].elementsEqual("arrow.json".utf8) }
        }
        return false
    }

    static func malformedDataFailure(_ part: String) -> DriverFailure {
        DriverFailure(.other, "The driver returned \(part) that does not follow the Arrow format", hint: "Update the driver")
    }

    private static func kind(_ format: String) -> Kind? {
        switch format {
        case "n": return .null
        case "b": return .boolean
        case "c": return .signed(bytes: 1)
        case "s": return .signed(bytes: 2)
        case "i": return .signed(bytes: 4)
        case "l": return .signed(bytes: 8)
        case "C": return .unsigned(bytes: 1)
        case "S": return .unsigned(bytes: 2)
        case "I": return .unsigned(bytes: 4)
        case "L": return .unsigned(bytes: 8)
        case "e": return .floating(bytes: 2)
        case "f": return .floating(bytes: 4)
        case "g": return .floating(bytes: 8)
        case "u": return .text(isWide: false)
        case "U": return .text(isWide: true)
        case "z": return .binary(isWide: false)
        case "Z": return .binary(isWide: true)
        case "vu": return .view(isText: true)
        case "vz": return .view(isText: false)
        case "tdD": return .days
        case "tdm": return .dayMilliseconds
        case "tts": return .time(bytes: 4, ticksPerSecond: 1)
        case "ttm": return .time(bytes: 4, ticksPerSecond: 1_000)
        case "ttu": return .time(bytes: 8, ticksPerSecond: 1_000_000)
        case "ttn": return .time(bytes: 8, ticksPerSecond: 1_000_000_000)
        case "tDs": return .duration(ticksPerSecond: 1)
        case "tDm": return .duration(ticksPerSecond: 1_000)
        case "tDu": return .duration(ticksPerSecond: 1_000_000)
        case "tDn": return .duration(ticksPerSecond: 1_000_000_000)
        case "tiM": return .months
        case "tiD": return .daysAndMilliseconds
        case "tin": return .monthsDaysNanoseconds
        case "+l": return .list(isWide: false)
        case "+L": return .list(isWide: true)
        case "+s": return .structure
        case "+m": return .map
        default: break
        }
        guard let colon = format.firstIndex(of: ":") else { return nil }
        let rest = format[format.index(after: colon)...]
        let numbers = rest.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        switch format[..<colon] {
        case "w":
            guard let bytes = numbers[0], numbers.count == 1, bytes > 0, bytes <= EngineLimits.maximumCellValueBytes else { return nil }
            return .fixedBinary(bytes: bytes)
        case "+w":
            guard let count = numbers[0], numbers.count == 1, count >= 0, count <= 1 << 20 else { return nil }
            return .fixedList(count: count)
        case "d":
            guard (2...3).contains(numbers.count), let precision = numbers[0], let scale = numbers[1] else { return nil }
            let bits = numbers.count == 3 ? numbers[2] ?? 0 : 128
            guard [32, 64, 128, 256].contains(bits), (1...76).contains(precision), (-100...100).contains(scale) else { return nil }
            return .decimal(bytes: bits / 8, precision: precision, scale: scale)
        case "tss": return .timestamp(ticksPerSecond: 1, zone: String(rest))
        case "tsm": return .timestamp(ticksPerSecond: 1_000, zone: String(rest))
        case "tsu": return .timestamp(ticksPerSecond: 1_000_000, zone: String(rest))
        case "tsn": return .timestamp(ticksPerSecond: 1_000_000_000, zone: String(rest))
        default: return nil
        }
    }

    /// The name of the type, as in Arrow's documentation.
    var typeName: String {
        if let dictionary { return dictionary.typeName }
        switch kind {
        case .null: return "null"
        case .boolean: return "bool"
        case .signed(let bytes): return "int\(bytes * 8)"
        case .unsigned(let bytes): return "uint\(bytes * 8)"
        case .floating(let bytes): return bytes == 2 ? "float16" : bytes == 4 ? "float32" : "float64"
        case .text, .view(isText: true): return isJSON ? "json" : "utf8"
        case .binary, .view(isText: false): return "binary"
        case .fixedBinary(let bytes): return "binary(\(bytes))"
        case .decimal(_, let precision, let scale): return "decimal(\(precision), \(scale))"
        case .days, .dayMilliseconds: return "date"
        case .time: return "time"
        case .timestamp(1_000_000_000, ""): return "timestamp_ns"
        case .timestamp(_, let zone): return zone.isEmpty ? "timestamp" : "timestamp(\(zone))"
        case .duration: return "duration"
        case .months, .daysAndMilliseconds, .monthsDaysNanoseconds: return "interval"
        case .list, .fixedList: return "list<\(children[0].typeName)>"
        case .structure: return "struct<" + children.map { "\($0.name): \($0.typeName)" }.joined(separator: ", ") + ">"
        case .map: return "map"
        }
    }
}

extension String {
    /// The start of the string, at most `limit` bytes.
    fileprivate func prefixBytes(_ limit: Int) -> String {
        utf8.count <= limit ? self : String(decoding: utf8.prefix(limit), as: UTF8.self)
    }
}
