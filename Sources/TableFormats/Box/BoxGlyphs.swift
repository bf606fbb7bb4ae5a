/// Recognizes the characters with which programs draw tables.
enum BoxGlyphs {
    /// The code point at a byte index of a line, and its length in bytes. Each byte that is not valid UTF-8 is read as U+FFFD.
    static func scalar(_ line: UnsafeBufferPointer<UInt8>, at index: Int) -> (value: UInt32, length: Int) {
        let first = UInt32(line[index])
        if first < 0x80 { return (first, 1) }
        let length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
        guard length > 0, index + length <= line.count else { return (0xFFFD, 1) }
        var value = first & (0x7F >> UInt32(length))
        for byte in line[index + 1..<index + length] {
            guard byte & 0xC0 == 0x80 else { return (0xFFFD, 1) }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return (value, length)
    }

    /// True for a vertical line between cells. The ASCII character `|` is not included.
    static func isBar(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2502, 0x2503, 0x2506, 0x2507, 0x250A, 0x250B, 0x254E, 0x254F, 0x2551: true
        default: false
        }
    }

    static func isHorizontal(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2D, 0x3D, 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254C, 0x254D, 0x2550: true
        default: false
        }
    }

    /// True for a corner or a crossing of lines. The ASCII character `+` is not included.
    static func isJunction(_ scalar: UInt32) -> Bool {
        (0x250C...0x254B).contains(scalar) || (0x2552...0x2570).contains(scalar)
    }

    /// True for a lower left corner.
    static func isLowerLeft(_ scalar: UInt32) -> Bool {
        (0x2514...0x2517).contains(scalar) || (0x2558...0x255A).contains(scalar) || scalar == 0x2570
    }

    /// True for a crossing without a line below it. A column ends there.
    static func closesColumn(_ scalar: UInt32) -> Bool { (0x2534...0x253B).contains(scalar) || (0x2567...0x2569).contains(scalar) }

    /// The width of a character in columns of the terminal, as counted by the programs that draw tables.
    static func width(_ scalar: UInt32) -> Int {
        if scalar < 0x300 { return 1 }
        switch scalar {
        case 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x610...0x61A, 0x64B...0x65F, 0xE31, 0xE34...0xE3A, 0xE47...0xE4E,
            0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200B...0x200F, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xFEFF:
            return 0
        case 0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x2614...0x2615, 0x26A1, 0x26BD...0x26BE, 0x2705, 0x2728, 0x274C,
            0x2753...0x2755, 0x2795...0x2797, 0x2B1B...0x2B1C, 0x2B50, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
            0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F18E,
            0x1F191...0x1F19A, 0x1F200...0x1F64F, 0x1F680...0x1F6FF, 0x1F7E0...0x1F7EB, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}

/// A horizontal rule of a table, such as `+----+-----+` or `────┼─────`.
struct BoxRule: Equatable {
    /// The columns of the terminal, from 0, that contain corners and crossings.
    private(set) var junctions: [Int] = []
    /// The columns of the terminal that each horizontal line of the rule covers.
    private(set) var runs: [Range<Int>] = []
    /// True if the rule begins and ends with a corner or crossing.
    var isFramed: Bool { junctions.count > 1 && junctions.first! < runs.first!.lowerBound && junctions.last! >= runs.last!.upperBound }
    /// True if spaces separate the horizontal lines of the rule.
    private(set) var hasSpaces = false
    private(set) var isUnicode = false
    /// True if the rule is drawn with `=`.
    private(set) var isDouble = false
    /// True if the rule begins and ends with `|`, as in Org tables.
    private(set) var hasBars = false
    /// True if the rule also has `|` between the columns, as in Markdown.
    private(set) var hasInnerBars = false
    /// True for the bottom rule of a table.
    private(set) var isBottom = false
    /// True if the vertical lines of all columns end at this rule, as above the footer of DuckDB.
    private(set) var closesColumns = false
    /// The column of the terminal after the end of the rule.
    var end: Int { max(runs.last?.upperBound ?? 0, (junctions.last ?? -1) + 1) }

    init?(_ line: UnsafeBufferPointer<UInt8>) {
        var index = line.firstIndex { $0 != 32 } ?? line.count
        let end = (line.lastIndex { $0 != 32 && $0 != 13 } ?? -1) + 1
        guard index < end else { return nil }
        // Most lines with data are rejected here, after a few characters.
        switch line[index] {
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "="), UInt8(ascii: "|"), 0xE2: break
        default: return nil
        }
        var column = index
        var crossings = 0
        var closing = 0
        let start = index
        while index < end {
            let (scalar, length) = BoxGlyphs.scalar(line, at: index)
            if BoxGlyphs.isHorizontal(scalar) {
                if scalar == 0x3D { isDouble = true }
                if scalar > 0x7F { isUnicode = true }
                if runs.last?.upperBound == column {
                    runs[runs.count - 1] = runs[runs.count - 1].lowerBound..<column + 1
                } else {
                    runs.append(column..<column + 1)
                }
            } else if scalar == UInt32(UInt8(ascii: "+")) || BoxGlyphs.isJunction(scalar) {
                if scalar > 0x7F { isUnicode = true }
                if index == start { isBottom = BoxGlyphs.isLowerLeft(scalar) }
                if index > start, index + length < end {
                    crossings += 1
                    if BoxGlyphs.closesColumn(scalar) { closing += 1 }
                }
                junctions.append(column)
            } else if scalar == UInt32(UInt8(ascii: "|")), index == start || index + length == end || hasBars && !hasSpaces {
                if index > start, index + length < end { hasInnerBars = true }
                hasBars = true
                junctions.append(column)
            } else if scalar == 32 {
                hasSpaces = true
            } else {
                return nil
            }
            column += 1
            index += length
        }
        closesColumns = crossings > 0 && crossings == closing
        guard !runs.isEmpty, !(hasSpaces && !junctions.isEmpty) else { return nil }
    }
}
