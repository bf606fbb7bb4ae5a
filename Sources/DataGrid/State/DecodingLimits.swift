/// The limits of decoded values. They protect the grid from invalid values in the file of a saved view.
///
/// Sums and products of values within the limits do not overflow: the lines of all rows together are below 2⁵⁴.
enum DecodingLimits {
    /// The range of widths, heights and spacings, in terminal cells or lines.
    static let cells = 0...10_000
    /// The range of positions, numbers and counts of rows.
    static let rows = 0...1 << 40
    /// The range of row numbers in a source. Negative numbers count from the end.
    static let rowNumbers = -(1 << 40)...1 << 40
    /// The range of numbers and counts of columns.
    static let columns = 0...1 << 31
    /// The range of column ids. If several columns show one field, the upper bits of their ids tell these columns apart.
    static let columnIDs = 0...1 << 60
    /// The range of the total width of all columns, in terminal cells.
    static let width = 0...1 << 45
    static let digits = 0...100
    /// The range of version numbers of saved views.
    static let versions = 1...1_000_000
    static let elements = 1 << 24
    /// The maximum number of row ranges that describe moved rows. It is limited because reporting the moves to a source takes quadratic
    /// time.
    static let runs = 1 << 12
    static let blocks = 1 << 16
}

extension Double {
    /// The value or, if it is outside `0 ... 1`, the nearest bound. 0 for NaN.
    var limitedFraction: Double { isNaN ? 0 : clamped(to: 0...1) }
}

/// A coding key with any name or index, for keys that are not known when the program is compiled.
struct AnyCodingKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(stringLiteral name: String) { self.init(stringValue: name) }
    init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}

extension DecodingError {
    /// An error for a rejected value. Its message begins with the path of the value, as in `columns[3].width: …`.
    static func refused(at path: [any CodingKey], _ reason: String) -> DecodingError {
        .dataCorrupted(Context(codingPath: path, debugDescription: "\(text(of: path)): \(reason)"))
    }

    /// This error, with a message that begins with the path of the value.
    var withPathInMessage: DecodingError {
        func named(_ context: Context, _ path: [any CodingKey]) -> Context {
            let location = Self.text(of: path)
            let text = context.debugDescription
            return Context(
                codingPath: path, debugDescription: location.isEmpty || text.hasPrefix(location) ? text : "\(location): \(text)",
                underlyingError: context.underlyingError)
        }
        return switch self {
        case .dataCorrupted(let context): .dataCorrupted(named(context, context.codingPath))
        case .keyNotFound(let key, let context): .keyNotFound(key, named(context, context.codingPath + [key]))
        case .typeMismatch(let type, let context): .typeMismatch(type, named(context, context.codingPath))
        case .valueNotFound(let type, let context): .valueNotFound(type, named(context, context.codingPath))
        @unknown default: self
        }
    }

    /// The path of a value as text, such as `columns[3].width`. Names that the compiler gives to unlabeled values, such as `_0`, are
    /// omitted.
    private static func text(of path: [any CodingKey]) -> String {
        path.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else if !(key.stringValue.first == "_" && key.stringValue.dropFirst().allSatisfy(\.isNumber)) {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a number and checks that it is within `limits`.
    /// - Throws: `DecodingError` with the path of the key if the number is NaN or outside `limits`.
    func decode<Value: Decodable & Comparable>(_ key: Key, within limits: ClosedRange<Value>) throws -> Value {
        let value = try decodeLocated(Value.self, codingPath + [key], within: limits) { try decode(Value.self, forKey: key) }
        guard limits.contains(value) else {
            throw DecodingError.refused(
                at: codingPath + [key], "\(value) is out of range \(limits.lowerBound)...\(limits.upperBound)")
        }
        return value
    }

    func decodeIfPresent<Value: Decodable & Comparable>(_ key: Key, within limits: ClosedRange<Value>) throws -> Value? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try decode(key, within: limits)
    }

    /// Decodes an array of at most `limit` elements. A missing or null value becomes an empty array.
    /// - Throws: `DecodingError` with the path of the key as soon as there are more than `limit` elements.
    func decodeElements<Element: Decodable>(_ key: Key, upTo limit: Int = DecodingLimits.elements) throws -> [Element] {
        guard contains(key), try !decodeNil(forKey: key) else { return [] }
        var values = try nestedUnkeyedContainer(forKey: key)
        var elements: [Element] = []
        while !values.isAtEnd {
            guard elements.count < limit, values.count ?? 0 <= limit else {
                throw DecodingError.refused(at: codingPath + [key], "there are more than \(limit) elements")
            }
            elements.append(try values.decode(Element.self))
        }
        return elements
    }
}

/// Decodes a number. If its type cannot represent the number (1e300 as `Int`), the decoder throws an error without a path. This method
/// adds the path.
private func decodeLocated<Value>(
    _ type: Value.Type, _ path: [any CodingKey], within limits: ClosedRange<Value>, _ decode: () throws -> Value
) throws -> Value {
    do {
        return try decode()
    } catch  where !(error is DecodingError) {
        throw DecodingError.refused(at: path, "expected a number in \(limits.lowerBound)...\(limits.upperBound)")
    }
}

/// An enumeration case in the encoded form that the compiler generates, such as `{"fixed": {"_0": 8}}`.
struct DecodedCase {
    let name: String
    private let values: KeyedDecodingContainer<AnyCodingKey>

    /// - Throws: `DecodingError` unless the value has exactly one case name.
    init(from decoder: any Decoder) throws {
        let cases = try decoder.container(keyedBy: AnyCodingKey.self)
        guard let key = cases.allKeys.first, cases.allKeys.count == 1 else {
            throw DecodingError.refused(at: decoder.codingPath, "expected one case, not \(cases.allKeys.count)")
        }
        name = key.stringValue
        values = try cases.nestedContainer(keyedBy: AnyCodingKey.self, forKey: key)
    }

    func value<Value: Decodable & Comparable>(_ label: String = "_0", within limits: ClosedRange<Value>) throws -> Value {
        try values.decode(AnyCodingKey(stringValue: label), within: limits)
    }

    var unknownCaseError: DecodingError { .refused(at: values.codingPath, "unknown case") }
}

/// A range of rows in the encoded form of `Range`. Decoding checks the bounds.
struct DecodedRows: Decodable {
    let range: Range<Int>

    /// - Throws: `DecodingError` if a bound is outside ``DecodingLimits/rows``, or if the bounds are not ascending.
    init(from decoder: any Decoder) throws {
        var bounds = try decoder.unkeyedContainer()
        let limits = DecodingLimits.rows
        func bound() throws -> Int {
            try decodeLocated(Int.self, decoder.codingPath, within: limits) { try bounds.decode(Int.self) }
        }
        let (lower, upper) = (try bound(), try bound())
        guard limits.contains(lower), limits.contains(upper), lower <= upper, bounds.isAtEnd else {
            throw DecodingError.refused(
                at: decoder.codingPath,
                "\(lower)..<\(upper) is not a range within \(limits.lowerBound)...\(limits.upperBound)")
        }
        range = lower..<upper
    }
}
