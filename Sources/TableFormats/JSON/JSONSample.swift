import CByteScan
import DelimitedText

/// The first bytes of an input that may be JSON.
struct JSONSample {
    let bytes: [UInt8]
    /// True if these are all bytes of the input.
    let isWhole: Bool
    /// The index of the first byte that is not blank.
    let start: Int

    /// The number of lines that are inspected to detect JSON Lines.
    private static let sampledLines = 20

    /// - Throws: `DelimitedTextError` if the input cannot be read.
    init(_ input: DelimitedFile, _ count: Int) throws {
        // `isGrowing` is read before the bytes. Otherwise, the last bytes could arrive between both, and `isWhole` would be wrong.
        let isGrowing = input.isGrowing
        bytes = try input.firstBytes(count)
        isWhole = !isGrowing && bytes.count < count
        start = bytes.firstIndex { $0 > 32 } ?? bytes.count
    }

    /// True if the text begins like an object, or like an array of objects or arrays. For other arrays, true if ``beginsWithValues`` is
    /// true.
    var looksLikeJSON: Bool {
        let head = bytes[start...].prefix(512).filter { $0 > 32 }.prefix(2)
        let (quote, brace, bracket) = (UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["))
        guard head.count == 2, let first = head.first, let second = head.last else { return false }
        return first == brace && (second == quote || second == UInt8(ascii: "}"))
            || first == bracket && (second == brace || second == bracket || beginsWithValues)
    }

    /// True if the text is one value, or if its first two values begin with the same character. The sample may end within a value.
    var beginsWithValues: Bool {
        let (end, isTruncated) = valueEnd(from: start)
        guard let end else { return isTruncated && !isWhole }
        guard let next = nextNonBlank(from: end) else { return true }
        // Values separated by tabs are fields of delimited text.
        guard bytes[next] == bytes[start], !bytes[end..<next].contains(9) else { return false }
        let following = valueEnd(from: next)
        return following.end != nil || following.isTruncated && !isWhole
    }

    /// True if the text has more levels of arrays and objects than ``JSONRewriter/maximumDepth``.
    var isTooDeep: Bool {
        var (depth, index) = (0, start)
        while index < bytes.count, depth <= JSONRewriter.maximumDepth {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
                index += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return depth > JSONRewriter.maximumDepth
    }

    /// The end of the value at an index; `nil` if the value is invalid or incomplete. `isTruncated` is true if it is incomplete.
    func valueEnd(from index: Int) -> (end: Int?, isTruncated: Bool) {
        bytes.withUnsafeBufferPointer { bytes in
            guard index < bytes.count, let base = bytes.baseAddress else { return (nil, true) }
            var isTruncated: Int32 = 0
            let end = gv_json_value_end(base + index, bytes.count - index, &isTruncated)
            return (end > 0 ? index + end : nil, isTruncated != 0)
        }
    }

    /// The index of the next byte that is not blank.
    func nextNonBlank(from index: Int) -> Int? { bytes[index...].firstIndex { $0 > 32 } }

    // MARK: Lines

    /// How the JSON values are divided into lines, judged from the first lines.
    enum Lines {
        /// Most lines are complete objects.
        case objects
        /// Most lines are complete values, but not objects.
        case values
        /// The only line is a complete value.
        case single
        /// The first line does not end in the sample.
        case incomplete
        /// The first value extends over several lines.
        case document
        /// Most lines are not JSON, or are parts of values.
        case other
    }

    /// Lines of comments are not counted. JSON has no comments, but lines of comments can precede values that are one per line.
    var lines: Lines {
        // A text sequence (RFC 7464) has a separator before each value, and its values may extend over several lines.
        if bytes[..<start].contains(0x1E) { return .document }
        var (index, values, objects, count, comments) = (start, 0, 0, 0, 0)
        while count + comments < Self.sampledLines, let begin = nextNonBlank(from: index) {
            let end = lineEnd(from: begin)
            // The last line may be incomplete.
            if end == nil, !isWhole {
                if count == 0 { return .incomplete }
                break
            }
            index = end ?? bytes.count
            let line = JSONSlice(bytes[begin..<index])
            if line.isValue {
                values += 1
                if bytes[begin] == UInt8(ascii: "{") { objects += 1 }
            } else if isComment(at: begin) {
                comments += 1
                continue
            } else if count == 0, line.isTruncated, valueEnd(from: begin).end != nil {
                return .document
            }
            count += 1
        }
        if count == 1, values == 1, comments == 0, nextNonBlank(from: index) == nil { return .single }
        return objects * 2 > count ? .objects : values * 2 > count ? .values : .other
    }

    /// True if a line of the sample is an object. The last line does not count, because it may be incomplete.
    var hasObjectLine: Bool {
        var index = start
        while let begin = nextNonBlank(from: index) {
            let end = lineEnd(from: begin)
            if end == nil, !isWhole { return false }
            index = end ?? bytes.count
            if bytes[begin] == UInt8(ascii: "{"), JSONSlice(bytes[begin..<index]).isValue { return true }
        }
        return false
    }

    private func lineEnd(from index: Int) -> Int? { bytes[index...].firstIndex { $0 == 10 || $0 == 13 } }

    private func isComment(at index: Int) -> Bool { bytes[index] == UInt8(ascii: "#") || bytes[index...].starts(with: "//".utf8) }

    // MARK: Arrays

    /// The keys that lead to the first array of objects within the object at an index; `nil` if there is no such array.
    func firstArray(from index: Int) -> [[UInt8]]? {
        var path: [[UInt8]] = []
        // For each open array or object, outermost first, true for an object.
        var levels: [Bool] = []
        var key: [UInt8] = []
        var index = index
        var expectsKey = false
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                let begin = index
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
                if expectsKey, index < bytes.count {
                    key = bytes[begin..<index].withUnsafeBufferPointer { JSONSchema.unescaped($0) }
                    expectsKey = false
                }
                index += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isObject = byte == UInt8(ascii: "{")
                if levels.count >= JSONRewriter.maximumDepth { return nil }
                if !levels.isEmpty { path.append(key) }
                levels.append(isObject)
                if !isObject, levels.dropLast().allSatisfy({ $0 }), levels.count > 1,
                    let first = nextNonBlank(from: index), bytes[first] == UInt8(ascii: "{")
                {
                    return path
                }
                expectsKey = isObject
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if levels.popLast() == nil || levels.isEmpty { return nil }
                path.removeLast()
                expectsKey = false
            case UInt8(ascii: ","): expectsKey = levels.last == true
            default: break
            }
        }
        return nil
    }
}

/// Tests if bytes are a JSON value.
struct JSONSlice {
    /// True if the bytes are exactly one JSON value, with or without blanks after it.
    let isValue: Bool
    /// True if the bytes are the beginning of a JSON value, or empty.
    let isTruncated: Bool

    init(_ bytes: ArraySlice<UInt8>) {
        (isValue, isTruncated) = bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return (false, true) }
            var isTruncated: Int32 = 0
            let end = gv_json_value_end(base, bytes.count, &isTruncated)
            return (end > 0 && bytes[end...].allSatisfy { $0 <= 32 }, isTruncated != 0)
        }
    }
}
