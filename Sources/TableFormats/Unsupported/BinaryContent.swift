import DelimitedText

/// Recognizes binary data that has no known signature.
enum BinaryContent {
    /// The number of bytes at the start of a file that are inspected.
    static let sampleBytes = 4_096

    /// True for binary data: nearly all bytes are NUL, or many bytes are control characters of many kinds and some are NUL or not UTF-8.
    ///
    /// Text has few kinds of control characters: colors and overstrikes of terminals, field separators, or NUL as padding. Messages between
    /// devices can have more kinds, but they are ASCII without NUL.
    /// - Parameter delimiter: the delimiter of the dialect, which may be a control character.
    static func isBinary(_ bytes: [UInt8], delimiter: UInt8) -> Bool {
        var counts = InlineArray<256, Int>(repeating: 0)
        for byte in bytes { counts[Int(byte)] += 1 }
        let nuls = counts[0]
        if !bytes.isEmpty, nuls * 10 >= bytes.count * 9 { return true }
        var (controls, kinds) = (0, 0)
        for byte in 0..<128 where isControl(UInt8(byte)) && byte != Int(delimiter) && counts[byte] > 0 {
            controls += counts[byte]
            kinds += 1
        }
        guard controls * 20 >= bytes.count, kinds >= 6 else { return false }
        let illFormed = String(decoding: bytes, as: UTF8.self).unicodeScalars.count { $0 == "\u{FFFD}" }
        // One invalid sequence is allowed, because the sample may end inside a character.
        return illFormed > 1 || nuls * 100 >= bytes.count
    }

    /// True for control characters except tab, line ends, form feed and escape.
    private static func isControl(_ byte: UInt8) -> Bool {
        switch byte {
        case 9, 10, 12, 13, 27: false
        default: byte < 32 || byte == 127
        }
    }

    /// The error message, which says how to view the data as text.
    static func message(name: String, isPipe: Bool) -> String {
        "\(isPipe ? "The input" : name) is binary data, not a table. Use --format \(FileOpener.delimited) to show it as text."
    }
}
