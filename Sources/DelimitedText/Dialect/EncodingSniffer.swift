import CByteScan

/// Detects the encoding of a file from its bytes.
package enum EncodingSniffer {
    /// The byte order if the encoding is UTF-16, as requested or detected; `nil` for other encodings. A byte order mark has precedence over
    /// the request.
    static func utf16(_ bytes: [UInt8], requested: TextEncoding?) -> TextEncoding? {
        guard let requested else { return utf16(bytes) }
        guard requested.isUTF16 else { return nil }
        return bytes.starts(with: [0xff, 0xfe]) ? .utf16LittleEndian : bytes.starts(with: [0xfe, 0xff]) ? .utf16BigEndian : requested
    }

    /// Detects UTF-16 by a byte order mark, or by text in which every second byte is NUL. `nil` for other encodings.
    static func utf16(_ bytes: [UInt8]) -> TextEncoding? {
        if bytes.count >= 2 {
            if isUTF32(bytes) { return nil }
            if bytes[0] == 0xff && bytes[1] == 0xfe { return .utf16LittleEndian }
            if bytes[0] == 0xfe && bytes[1] == 0xff { return .utf16BigEndian }
        }
        let pairs = min(bytes.count, 4096) / 2
        guard pairs >= 4 else { return nil }
        var even = 0
        var odd = 0
        for pair in 0..<pairs {
            if bytes[2 * pair] == 0 { even += 1 }
            if bytes[2 * pair + 1] == 0 { odd += 1 }
        }
        if odd * 10 >= pairs * 7 && even * 20 <= pairs { return .utf16LittleEndian }
        if even * 10 >= pairs * 7 && odd * 20 <= pairs { return .utf16BigEndian }
        return nil
    }

    /// Detects UTF-32, which is not supported, by a byte order mark, or by the zero bytes in each of the first characters.
    package static func isUTF32(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return true }
        let quads = min(bytes.count, 256) / 4
        guard quads >= 4 else { return false }
        func isText(_ low: UInt8, _ high: UInt8) -> Bool { high != 0 || low >= 0x20 || low == 9 || low == 10 || low == 13 }
        let isLittleEndian = (0..<quads).allSatisfy { quad in
            let at = quad * 4
            return bytes[at + 3] == 0 && bytes[at + 2] <= 0x10 && (bytes[at + 2] != 0 || isText(bytes[at], bytes[at + 1]))
        }
        let isBigEndian = (0..<quads).allSatisfy { quad in
            let at = quad * 4
            return bytes[at] == 0 && bytes[at + 1] <= 0x10 && (bytes[at + 1] != 0 || isText(bytes[at + 3], bytes[at + 2]))
        }
        guard isLittleEndian || isBigEndian else { return false }
        // At least half of the characters must have three zero bytes, like ASCII characters in UTF-32.
        let ascii = (0..<quads).count { quad in bytes[quad * 4..<quad * 4 + 4].count { $0 == 0 } == 3 }
        return ascii * 2 >= quads
    }

    /// Chooses between UTF-8 and Windows-1252, from samples of one file. A sample may start and end within a character.
    ///
    /// Well-formed sequences of several bytes rarely occur by chance. A few of them indicate UTF-8, even if other bytes are ill-formed.
    /// They are attributed to chance only if ill-formed sequences are more than 20 times as frequent. For example, ß before ” in
    /// Windows-1252 is a well-formed sequence by chance.
    static func guess(_ samples: [[UInt8]]) -> TextEncoding {
        // Text in a single-byte encoding has no NUL. The file is probably binary.
        if samples.first?.contains(0) == true { return .utf8 }
        let samples = samples.enumerated().map { number, sample in number == 0 ? sample : Array(sample.drop { $0 & 0xc0 == 0x80 }) }
        let illFormed = samples.reduce(0) { sum, bytes in
            var (skip, first) = (0, 0)
            let count = gv_utf8_cut_length(bytes, bytes.count)
            return sum + gv_utf8_invalid_count(gv_scan_implementations() - 1, bytes, count, count, &skip, &first)
        }
        if illFormed == 0 { return .utf8 }
        let wellFormed = samples.reduce(0) { sum, bytes in
            var first = 0
            let count = gv_utf8_cut_length(bytes, bytes.count)
            return sum + gv_utf8_multibyte_count(bytes, count, count, &first)
        }
        return isCoincidence(wellFormed: wellFormed, illFormed: illFormed) ? .windows1252 : .utf8
    }

    /// True if well-formed UTF-8 sequences are so rare, compared with ill-formed ones, that they probably occur by chance.
    static func isCoincidence(wellFormed: Int, illFormed: Int) -> Bool { illFormed > 20 * wellFormed }
}
