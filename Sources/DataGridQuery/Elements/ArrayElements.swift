import CByteScan
package import FieldValues
import Tables

/// Finds the elements of a JSON array that is the content of a field.
package struct ArrayElements: ~Copyable {
    /// A buffer for the last string with escape sequences. In the buffer, each escape sequence is replaced by its character.
    private var text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)

    deinit { text.deallocate() }

    /// The number of elements of a field; 1 for a field that is not an array and for an empty array. See ``forEach(of:from:_:)``.
    mutating func count(of field: FieldBytes) -> Int {
        guard let cursor = Self.array(in: field) else { return 1 }
        var (elements, count) = (cursor, 0)
        elements.forEachElement { _, _ in
            count += 1
            return true
        }
        return max(1, count)
    }

    /// Calls `body` with each element until it returns `false`. An element is valid only during its call.
    ///
    /// A field that is not an array is passed as the only element. For an empty array, a missing element is passed. Strings are passed
    /// without quotes and with their escapes replaced. `null` is a missing field.
    /// - Parameters:
    ///   - first: the index, from 0, of the first element to pass.
    ///   - body: receives an element, and its JSON text as in ``Table/isJSON``. The JSON text is `nil` for a field that is not an array.
    mutating func forEach(
        of field: FieldBytes, from first: Int, _ body: (_ number: Int, _ element: FieldBytes, _ json: FieldBytes?) -> Bool
    ) {
        guard var elements = Self.array(in: field) else {
            if first == 0 { _ = body(0, field, nil) }
            return
        }
        let start = field.bytes.baseAddress!
        var isEmpty = true
        var cursor = elements
        elements.forEachElement { number, position in
            isEmpty = false
            guard number >= first else { return true }
            cursor.position = position
            guard let value = cursor.value() else { return false }
            let valueStart = start + value.lowerBound
            return body(number, element(valueStart, value.count), Self.json(valueStart, value.count))
        }
        if isEmpty, first == 0 { _ = body(0, .missing, .missing) }
    }

    /// True if the whole content of a field is a JSON array.
    package static func isArray(_ field: FieldBytes) -> Bool { array(in: field) != nil }

    /// A cursor at the start of the array that is the whole content of a field; `nil` for other fields.
    private static func array(in field: FieldBytes) -> JSONCursor? {
        guard !field.isMissing else { return nil }
        var cursor = JSONCursor(field.bytes)
        cursor.skipBlanks()
        guard cursor.byte == UInt8(ascii: "["), let value = cursor.value() else { return nil }
        var rest = cursor
        rest.position = value.upperBound
        rest.skipBlanks()
        return rest.position == field.count ? cursor : nil
    }

    private static func json(_ start: UnsafePointer<UInt8>, _ count: Int) -> FieldBytes {
        switch start.pointee {
        case UInt8(ascii: "n"): NestedNull.field(levels: 0)
        case UInt8(ascii: "\""): .missing
        default: FieldBytes(start: start, count: count)
        }
    }

    private mutating func element(_ start: UnsafePointer<UInt8>, _ count: Int) -> FieldBytes {
        if start.pointee == UInt8(ascii: "n") { return .missing }
        guard start.pointee == UInt8(ascii: "\"") else { return FieldBytes(start: start, count: count) }
        let inner = FieldBytes(start: start + 1, count: count - 2)
        guard inner.bytes.contains(UInt8(ascii: "\\")) else { return inner }
        if text.count < inner.count {
            text.deallocate()
            text = .allocate(capacity: inner.count)
        }
        return FieldBytes(start: UnsafePointer(text.baseAddress!), count: gv_json_unescape(start + 1, inner.count, text.baseAddress!))
    }
}
