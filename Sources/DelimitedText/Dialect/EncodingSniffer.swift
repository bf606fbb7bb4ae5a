import CByteScan

/// Finds out how characters are written.
enum EncodingSniffer {
    /// UTF-16, when there is a byte order mark, or when every other byte of what looks like text is NUL.
    static func utf16(_ bytes: [UInt8]) -> TextEncoding? {
        if bytes.count >= 2 {
            // FF FE 00 00 would be UTF-32, which no table comes in; as UTF-16 it is readable but for the NULs.
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

    /// UTF-8 or Windows-1252, by all of `pieces`; each may begin and end within a character.
    ///
    /// Well-formed sequences of several bytes hardly occur by chance, so a few of them mean UTF-8, whatever else is ill-formed. Only where
    /// ill-formed ones are more than 20 times as many do they count as chance: a closing quote after ß is one in Windows-1252.
    static func guess(_ pieces: [[UInt8]]) -> TextEncoding {
        // NUL is in binary files, not in one-byte text.
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
        return isChance(wellFormed, illFormed: illFormed) ? .windows1252 : .utf8
    }

    /// Whether so few well-formed sequences are not what they seem.
    static func isChance(_ wellFormed: Int, illFormed: Int) -> Bool { illFormed > 20 * wellFormed }
}
