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
}

/// The form of a text that is to be written as a part of JSON.
///
/// In all forms, control characters (also characters that change the direction of text) are replaced, and ill-formed UTF-8 becomes U+FFFD.
package enum JSONForm {
    /// Plain text that becomes a JSON string. Quotes, backslashes and control characters are escaped.
    case unescaped
    /// The content of a JSON string, whose escapes are kept. Control characters are escaped.
    case escapedString
    /// JSON outside of strings. Each control character becomes a space.
    case outsideStrings

    /// The minimum size of a buffer for ``write(_:to:)``, in bytes. Fewer bytes than this remain unused.
    package static let minimumRoom = Int(GV_JSON_ESCAPE_ROOM)

    /// Writes text in this form to `room` until the text ends or less than ``minimumRoom`` is left. O(bytes).
    /// - Parameters:
    ///   - text: text in this form.
    ///   - room: a buffer of at least ``minimumRoom`` bytes.
    /// - Returns: the number of bytes of `text` that were written, which end at a character, and the number of bytes in `room`.
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
