/// The widths of characters in text that is aligned by terminal cells: most characters fill one cell, wide characters two, and combining
/// marks none.
enum CellWidths {
    /// The least byte with which a character in UTF-8 begins that may not fill one cell.
    static let firstLead: UInt8 = 0xCC

    /// The width in cells of the character at an offset of a line in UTF-8.
    static func width(at index: Int, in line: UnsafeBufferPointer<UInt8>) -> Int {
        line[index] < firstLead ? 1 : BoxGlyphs.width(BoxGlyphs.scalar(line, at: index).value)
    }

    /// The line without combining marks, and with a byte after each wide character, so that the number of bytes without continuation bytes
    /// is the width in cells.
    static func padded(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var padded: [UInt8] = []
        padded.reserveCapacity(line.count)
        line.withUnsafeBufferPointer { line in
            var index = 0
            while index < line.count {
                let end = line[(index + 1)...].firstIndex { $0 & 0xC0 != 0x80 } ?? line.count
                let width = width(at: index, in: line)
                if width > 0 { padded += line[index..<end] }
                if width > 1 { padded.append(0xFF) }
                index = end
            }
        }
        return padded[...]
    }
}
