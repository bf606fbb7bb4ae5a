/// Characters that fill two cells of a terminal: those of Chinese, Japanese and Korean, and emoji.
enum WideCharacters {
    /// The least byte with which a wide character begins in UTF-8.
    static let firstLead: UInt8 = 0xE1

    /// True if a wide character begins at an offset of a line in UTF-8.
    static func isWide(at index: Int, in line: UnsafeBufferPointer<UInt8>) -> Bool {
        let lead = line[index]
        guard lead >= firstLead else { return false }
        let count = lead < 0xF0 ? 3 : 4
        guard index + count <= line.count else { return false }
        var value = UInt32(lead & (count == 3 ? 0x0F : 0x07))
        for offset in 1..<count {
            guard line[index + offset] & 0xC0 == 0x80 else { return false }
            value = value << 6 | UInt32(line[index + offset] & 0x3F)
        }
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return true
        case 0x231A...0x2BFF, 0x1F000...0x1FAFF: return Unicode.Scalar(value)?.properties.isEmojiPresentation == true
        default: return false
        }
    }

    /// The line with a byte after each wide character, so that the number of bytes without continuation bytes is the width in cells.
    static func padded(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var padded: [UInt8] = []
        line.withUnsafeBufferPointer { line in
            var isWide = false
            for (index, byte) in line.enumerated() {
                if isWide, byte & 0xC0 != 0x80 {
                    padded.append(0xFF)
                    isWide = false
                }
                padded.append(byte)
                if self.isWide(at: index, in: line) { isWide = true }
            }
            if isWide { padded.append(0xFF) }
        }
        return padded[...]
    }
}
