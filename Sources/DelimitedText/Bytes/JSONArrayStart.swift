import CByteScan

/// Recognizes text that starts with a JSON array of objects. Such an array may be a single line. Therefore its elements are shown before
/// the line ends.
enum JSONArrayStart {
    /// The number of bytes at the start of an input in which the end of the first element is searched for.
    static let maximumBytes = 16 << 20

    /// True if the bytes begin with an array whose first element is a complete object.
    static func hasElement(_ bytes: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        let text = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).drop { $0 <= 32 }
        guard text.first == UInt8(ascii: "[") else { return false }
        let element = text.dropFirst().drop { $0 <= 32 }
        guard element.first == UInt8(ascii: "{") else { return false }
        return element.withUnsafeBufferPointer { element in
            guard let start = element.baseAddress else { return false }
            var isCut: Int32 = 0
            return gv_json_value_end(start, element.count, &isCut) > 0
        }
    }
}
