/// How many terminal cells text takes.
///
/// A terminal cell holds one spacing scalar and the zero-width scalars after it, never a grapheme cluster: that is what terminals do, and
/// measuring anything else (emoji sequences as one, flags as one) shifts the rest of the line on most of them.
public enum DisplayWidth {
    /// The terminal cells of `text` when written by ``CellBuffer/write(_:x:y:width:style:markStyle:ellipsis:)``; counting stops at `limit`.
    ///
    /// - Returns: the width, at most `limit`.
    /// - Complexity: O(min(length of `text`, `limit`)).
    public static func of(_ text: String, limit: Int = .max) -> Int {
        var text = text
        return text.withUTF8 { of(utf8: $0, limit: limit) }
    }

    /// The terminal cells of UTF-8 that may be invalid, when written by ``CellBuffer/write(utf8:x:y:width:style:markStyle:ellipsis:)``.
    ///
    /// - Returns: the width, at most `limit`.
    /// - Complexity: O(min(number of bytes, `limit`)).
    public static func of(utf8 bytes: UnsafeBufferPointer<UInt8>, limit: Int = .max) -> Int {
        var scanner = CellScanner(bytes)
        var width = 0
        while width < limit {
            width += scanner.skipPlainASCII(atMost: limit - width)
            guard width < limit, let item = scanner.next() else { break }
            width += item.width
        }
        return min(width, max(0, limit))
    }

    /// The terminal cells of one scalar: 0 when it combines with the scalar before it, 1 or 2; −1 when terminals do not agree about it or
    /// it is a control.
    ///
    /// - Complexity: O(1) in the Basic Multilingual Plane, O(log n) in the length of the table beyond it.
    public static func of(scalar: Unicode.Scalar) -> Int { of(scalarValue: scalar.value) }

    /// Whether a terminal may get `scalar` as it is: it takes its cells and does nothing else. Controls and what changes the direction of
    /// text do not.
    public static func isPrintable(_ scalar: Unicode.Scalar) -> Bool { of(scalar: scalar) >= 0 && !scalar.properties.isBidiControl }

    /// The lines of a text, with U+FFFD for what no terminal may get.
    package static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isPrintable($0) || $0 == "\n" ? $0 : "\u{FFFD}" }))
    }

    static func of(scalarValue value: UInt32) -> Int {
        if value < 0x7F { return value >= 0x20 ? 1 : -1 }
        if value < 0x1_0000 { return Int(basicPlane[Int(value)]) }
        return value < 0x11_0000 ? width(fromRun: WidthTable.runs[runIndex(of: value)]) : -1
    }

    /// One byte for each scalar of the Basic Multilingual Plane, laid out at the first text that is not ASCII.
    private static let basicPlane: [Int8] = Array(unsafeUninitializedCapacity: 0x1_0000) { buffer, count in
        let runs = WidthTable.runs
        for index in runs.indices {
            let first = Int(runs[index] >> 2)
            guard first < 0x1_0000 else { break }
            let end = index + 1 < runs.count ? min(0x1_0000, Int(runs[index + 1] >> 2)) : 0x1_0000
            buffer[first..<end].initialize(repeating: Int8(width(fromRun: runs[index])))
        }
        count = 0x1_0000
    }

    private static func width(fromRun run: UInt32) -> Int { run & 3 == 3 ? -1 : Int(run & 3) }

    /// The last run that does not begin after `value`.
    private static func runIndex(of value: UInt32) -> Int {
        var low = 0
        var high = WidthTable.runs.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if WidthTable.runs[middle] >> 2 <= value { low = middle } else { high = middle }
        }
        return low
    }
}
