import CByteScan

extension FieldBytes {
    /// True if the text is one JSON value. Blanks around it are allowed. `NaN` and `Infinity` are accepted, as in JSON files.
    package var isJSON: Bool {
        guard let start else { return false }
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        let first = bytes.firstIndex { !isBlank($0) } ?? count
        var isCut: Int32 = 0
        let length = gv_json_value_end(start + first, count - first, &isCut)
        return length > 0 && bytes[(first + length)...].allSatisfy(isBlank)
    }

    /// True if the text is a number according to RFC 8259, without blanks.
    package var isJSONNumber: Bool { start.map { gv_json_is_number($0, count) != 0 } ?? false }

    /// Calls `body` with the number in the field, written as a JSON number (RFC 8259) with all of its digits: `(1,234.50)` becomes
    /// `-1234.50`. The number is `nil` if ``decimal(_:)`` cannot read the field. It is also `nil` for numbers that JSON does not allow:
    /// those with leading zeros, a percent sign or the unit of a size, infinity and NaN. The same applies to a number with a plus sign, see
    /// ``hasPlusSign(_:)``, and to a number such as `1,234` in a notation with a decimal point, because its comma can be a decimal comma.
    /// O(`count`).
    package func withJSONNumber<Result>(_ notation: DecimalStyle, _ body: (_ number: FieldBytes?) -> Result) -> Result {
        let text = trimmed
        if readDecimal(text, notation) != nil {
            return hasPlusSign(notation) ? body(nil) : Self.withJSONNumber(text, isNegative: false, notation, body)
        }
        guard notation.unit.acceptsAmounts, let amount = readAmount(notation, { $0 }), amount.power == 0,
            readDecimal(amount.text, notation) != nil
        else { return body(nil) }
        return Self.withJSONNumber(amount.text, isNegative: amount.isNegative, notation, body)
    }

    private static func withJSONNumber<Result>(
        _ text: UnsafeBufferPointer<UInt8>, isNegative: Bool, _ notation: DecimalStyle, _ body: (_ number: FieldBytes?) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count + 2) { memory in
            var count = 0
            var (hasDigit, hasPoint, separators) = (false, false, 0)
            func put(_ byte: UInt8) {
                memory.initializeElement(at: count, to: byte)
                count += 1
            }
            if isNegative { put(UInt8(ascii: "-")) }
            var index = 0
            while index < text.count {
                let byte = text[index]
                index += 1
                if byte == UInt8(ascii: "+"), index == 1 { continue }
                if !isDigit(byte), let start = text.baseAddress,
                    let group = GroupSeparator(start + (index - 1), start + text.count, notation.groupSeparator)
                {
                    if byte == notation.groupSeparator { separators += 1 }
                    index += group.length - 1
                    continue
                }
                let isPoint = byte == notation.decimalSeparator
                if isPoint { hasPoint = true }
                // JSON requires a digit before the point.
                if isPoint, !hasDigit { put(UInt8(ascii: "0")) }
                if isDigit(byte) { hasDigit = true }
                put(isPoint ? UInt8(ascii: ".") : byte)
            }
            if separators == 1, !hasPoint, !notation.isComma { return body(nil) }
            // JSON also requires a digit after the point.
            if count > 0, memory[count - 1] == UInt8(ascii: ".") { count -= 1 }
            let number = FieldBytes(start: memory.baseAddress, count: count)
            return body(number.isJSONNumber ? number : nil)
        }
    }
}

/// The form of a text that is to be written as a part of JSON.
///
/// In all forms, control characters (also characters that change the direction of text) are replaced, and ill-formed UTF-8 becomes U+FFFD.
package enum JSONForm {
    /// Plain text that becomes a JSON string. Quotes, backslashes and control characters are escaped.
    case unescaped
    /// The content of a JSON string, with its escapes. The escapes are kept, and control characters are escaped.
    case escapedString
    /// JSON outside of strings. Each control character becomes a space.
    case outsideStrings

    /// The minimum size of a buffer for ``write(_:to:)``, in bytes. Writing stops when fewer bytes than this are left.
    package static let minimumRoom = Int(GV_JSON_ESCAPE_ROOM)

    /// Writes text in this form to `room` until the text ends or less than ``minimumRoom`` is left. O(bytes).
    /// - Parameters:
    ///   - text: text in this form.
    ///   - room: a buffer of at least ``minimumRoom`` bytes.
    /// - Returns: the number of bytes of `text` that were read, always whole characters, and the number of bytes that were written to
    ///   `room`.
    package func write(
        _ text: UnsafeBufferPointer<UInt8>, to room: UnsafeMutableBufferPointer<UInt8>
    ) -> (readCount: Int, writtenCount: Int) {
        guard let start = text.baseAddress, let target = room.baseAddress else { return (0, 0) }
        precondition(room.count >= Self.minimumRoom)
        var written = 0
        let read = gv_json_escape(start, text.count, code, target, room.count, &written)
        return (read, written)
    }

    private var code: Int32 {
        switch self {
        case .unescaped: Int32(GV_JSON_UNESCAPED)
        case .escapedString: Int32(GV_JSON_ESCAPED_STRING)
        case .outsideStrings: Int32(GV_JSON_OUTSIDE_STRINGS)
        }
    }
}
