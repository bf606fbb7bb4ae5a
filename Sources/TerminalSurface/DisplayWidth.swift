/// The width of text in terminal cells.
///
/// As in terminals, a cell has one spacing scalar and the zero-width scalars after it, not a grapheme cluster. If an emoji sequence were
/// measured as one character, the rest of the line would be shifted on most terminals.
public enum DisplayWidth {
    /// The width of `text` when written with ``CellBuffer/write(_:x:y:width:style:replacementStyle:ellipsis:)``. Counting stops at `limit`,
    /// so that long text is measured quickly.
    ///
    /// - Returns: the width, at most `limit`.
    /// - Complexity: O(min(length of `text`, `limit`)).
    public static func of(_ text: String, limit: Int = .max) -> Int {
        var text = text
        return text.withUTF8 { of(utf8: $0, limit: limit) }
    }

    /// The width of possibly invalid UTF-8 when written with ``CellBuffer/write(utf8:x:y:width:style:replacementStyle:ellipsis:)``.
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

    /// The width of a scalar: 1 or 2; 0 if it combines with the previous scalar; −1 for control characters and for scalars whose width
    /// differs among terminals.
    ///
    /// - Complexity: O(1) in the Basic Multilingual Plane, O(log n) in the length of the table beyond it.
    public static func of(scalar: Unicode.Scalar) -> Int { of(scalarValue: scalar.value) }

    /// Returns true if a scalar only fills its terminal cells. Control characters and scalars that change the text direction are unsafe.
    public static func isPrintable(_ scalar: Unicode.Scalar) -> Bool { of(scalar: scalar) >= 0 && !scalar.properties.isBidiControl }

    /// Returns `text` with U+FFFD instead of scalars that are unsafe for a terminal. Line breaks stay.
    package static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isPrintable($0) || $0 == "\n" ? $0 : "\u{FFFD}" }))
    }

    static func of(scalarValue value: UInt32) -> Int {
        if value < 0x7F { return value >= 0x20 ? 1 : -1 }
        if value < 0x1_0000 { return Int(basicPlane[Int(value)]) }
        return value < 0x11_0000 ? width(fromRun: WidthTable.runs[runIndex(of: value)]) : -1
    }

    /// The width of each scalar of the Basic Multilingual Plane. The array is computed when text that is not ASCII is first measured.
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

    /// The index in ``WidthTable/runs`` of the last entry that starts at or before the scalar `value`.
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
