import CByteScan

enum EncodingSniffer {
    /// The encoding of UTF-16 as requested or detected; `nil` for other encodings. A byte order mark overrides a requested byte order.
    static func utf16(_ bytes: [UInt8], requested: TextEncoding?) -> TextEncoding? {
        guard let requested else { return utf16(bytes) }
        guard requested.isUTF16 else { return nil }
        return bytes.starts(with: [0xff, 0xfe]) ? .utf16LittleEndian : bytes.starts(with: [0xfe, 0xff]) ? .utf16BigEndian : requested
    }

    /// Detects UTF-16: there is a byte order mark, or every other byte of apparent text is NUL.
    static func utf16(_ bytes: [UInt8]) -> TextEncoding? {
        if bytes.count >= 2 {
            // FF FE 00 00 would be UTF-32, which is not used for tables. Read as UTF-16, it is readable except for the NULs.
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

    /// Chooses UTF-8 or Windows-1252 for all of `pieces`, each of which may start and end within a character.
    ///
    /// Well-formed multi-byte sequences rarely occur by chance, so a few of them indicate UTF-8 even if other bytes are ill-formed. They
    /// are considered coincidental only if ill-formed sequences are more than 20 times as frequent. Example: ß before ” in Windows-1252.
    static func guess(_ pieces: [[UInt8]]) -> TextEncoding {
        // NUL occurs in binary files, not in single-byte text.
        if pieces.first?.contains(0) == true { return .utf8 }
        let pieces = pieces.enumerated().map { number, piece in number == 0 ? piece : Array(piece.drop { $0 & 0xc0 == 0x80 }) }
        let illFormed = pieces.reduce(0) { sum, bytes in
            var (skip, place) = (0, 0)
            let count = gv_utf8_cut(bytes, bytes.count)
            return sum + gv_utf8_invalid(gv_scan_implementations() - 1, bytes, count, count, &skip, &place)
        }
        if illFormed == 0 { return .utf8 }
        let wellFormed = pieces.reduce(0) { sum, bytes in
            var place = 0
            let count = gv_utf8_cut(bytes, bytes.count)
            return sum + gv_utf8_multibyte(bytes, count, count, &place)
        }
        return isCoincidence(wellFormed: wellFormed, illFormed: illFormed) ? .windows1252 : .utf8
    }

    /// True if well-formed sequences are so rare that they are probably coincidental.
    static func isCoincidence(wellFormed: Int, illFormed: Int) -> Bool { illFormed > 20 * wellFormed }
}
