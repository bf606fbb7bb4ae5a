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

    /// UTF-8 unless the bytes say otherwise: ill-formed sequences, and fewer well-formed ones than these, are taken for Windows-1252.
    ///
    /// - Parameter elsewhere: other pieces of the file; looked at when the first is pure ASCII. Each may begin within a character.
    static func guess(_ first: [UInt8], elsewhere: [[UInt8]]) -> TextEncoding {
        var wellFormed = 0
        var illFormed = 0
        for (number, piece) in ([first] + elsewhere).enumerated() {
            // A piece may end within a character too.
            let bytes = number == 0 ? piece : Array(piece.drop { $0 & 0xc0 == 0x80 })
            let cut = gv_utf8_cut(bytes, bytes.count)
            var skip = 0
            var place = 0
            let invalid = gv_utf8_invalid(gv_scan_implementations() - 1, bytes, cut, cut, &skip, &place)
            illFormed += invalid
            // Each lead byte begins a character, or is ill-formed itself.
            let leads = bytes.prefix(cut).reduce(0) { $0 + ($1 >= 0xc2 ? 1 : 0) }
            wellFormed += max(leads - invalid, 0)
            // NUL is in binary files, not in one-byte text.
            if number == 0 && bytes.contains(0) { return .utf8 }
            if wellFormed + illFormed > 0 { break }
        }
        return illFormed > wellFormed ? .windows1252 : .utf8
    }
}
