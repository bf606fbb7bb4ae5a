/// The text on a terminal, from the bytes that the library writes.
struct Screen {
    private var cells: [[Character]]
    private var (x, y) = (0, 0)
    /// The scroll region.
    private var region: Range<Int>
    /// An incomplete sequence, including its escape character.
    private var sequence = ""

    init(columns: Int, rows: Int) {
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        region = 0..<rows
    }

    var text: String { cells.map { String($0) }.joined(separator: "\n") }

    mutating func feed(_ text: String) {
        for scalar in text.unicodeScalars {
            if !sequence.isEmpty || scalar == "\u{1B}" {
                sequence.unicodeScalars.append(scalar)
                if isWhole(scalar) {
                    control(sequence)
                    sequence = ""
                }
                continue
            }
            switch scalar {
            case "\r": x = 0
            case "\n": if y == region.upperBound - 1 { scroll(by: 1) } else { y = min(y + 1, cells.count - 1) }
            case "\u{8}": x = max(0, x - 1)
            default:
                if x < cells[y].count { cells[y][x] = Character(scalar) }
                x += 1
            }
        }
    }

    /// True if this scalar ends the sequence: the letter of a control sequence, the terminator of a string, or the scalar after the escape.
    private func isWhole(_ scalar: Unicode.Scalar) -> Bool {
        let second = sequence.dropFirst().first
        switch second {
        case nil: return false
        case "[": return sequence.count > 2 && (0x40...0x7E).contains(scalar.value)
        case "]": return scalar == "\u{7}" || sequence.hasSuffix("\u{1B}\\")
        default: return true
        }
    }

    private mutating func control(_ sequence: String) {
        guard sequence.hasPrefix("\u{1B}["), let kind = sequence.last, !sequence.contains("?") else {
            if sequence == "\u{1B}M" { if y == region.lowerBound { scroll(by: -1) } else { y = max(0, y - 1) } }
            return
        }
        let numbers = sequence.dropFirst(2).dropLast().split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
        func number(_ index: Int) -> Int { (index < numbers.count ? numbers[index] : nil) ?? 1 }
        switch kind {
        case "H": (x, y) = (number(1) - 1, min(number(0), cells.count) - 1)
        case "G": x = number(0) - 1
        case "A": y = max(0, y - number(0))
        case "B": y = min(cells.count - 1, y + number(0))
        case "C": x += number(0)
        case "K": blank(x..<cells[y].count)
        case "X": blank(x..<min(x + number(0), cells[y].count))
        case "J": self = Screen(columns: cells[0].count, rows: cells.count)
        case "S": scroll(by: number(0))
        case "T": scroll(by: -number(0))
        case "r":
            region = number(0) - 1..<(numbers.count > 1 ? number(1) : cells.count)
            (x, y) = (0, 0)
        default: break
        }
    }

    private mutating func blank(_ columns: Range<Int>) {
        for column in columns { cells[y][column] = " " }
    }

    private mutating func scroll(by count: Int) {
        let old = cells
        let blank = Array(repeating: " " as Character, count: cells[0].count)
        for row in region { cells[row] = region.contains(row + count) ? old[row + count] : blank }
    }
}
