import TerminalSurface

/// The screen of a terminal, from the bytes that the library writes.
struct Screen {
    private(set) var cells: CellBuffer
    /// The style of the next character.
    private var style = TextStyle.plain
    private var (x, y) = (0, 0)
    /// The scroll region.
    private var region: Range<Int>
    /// An incomplete sequence, including its escape character.
    private var sequence = ""

    init(columns: Int, rows: Int) {
        cells = CellBuffer(size: TerminalSize(columns: columns, rows: rows))
        region = 0..<rows
    }

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
            case "\n": if y == region.upperBound - 1 { scroll(by: 1) } else { y = min(y + 1, cells.size.rows - 1) }
            case "\u{8}": x = max(0, x - 1)
            default:
                if x < cells.size.columns { cells[x, y] = Cell(scalar: scalar.value, style: style) }
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
        guard sequence.hasPrefix("\u{1B}["), let kind = sequence.last, !sequence.contains(where: { "?<=>".contains($0) }) else {
            if sequence == "\u{1B}M" { if y == region.lowerBound { scroll(by: -1) } else { y = max(0, y - 1) } }
            return
        }
        let numbers = sequence.dropFirst(2).dropLast().split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
        func number(_ index: Int) -> Int { (index < numbers.count ? numbers[index] : nil) ?? 1 }
        switch kind {
        case "m": select(numbers.map { $0 ?? 0 })
        case "H": (x, y) = (number(1) - 1, min(number(0), cells.size.rows) - 1)
        case "G": x = number(0) - 1
        case "A": y = max(0, y - number(0))
        case "B": y = min(cells.size.rows - 1, y + number(0))
        case "C": x += number(0)
        case "K": blank(x..<cells.size.columns)
        case "X": blank(x..<min(x + number(0), cells.size.columns))
        case "J": cells = CellBuffer(size: cells.size, style: blank.style)
        case "S": scroll(by: number(0))
        case "T": scroll(by: -number(0))
        case "r":
            region = number(0) - 1..<(numbers.count > 1 ? number(1) : cells.size.rows)
            (x, y) = (0, 0)
        default: break
        }
    }

    private mutating func blank(_ columns: Range<Int>) {
        for column in columns { cells[column, y] = blank }
    }

    /// Erased cells have the background of the next character.
    private var blank: Cell { Cell(scalar: 0x20, style: TextStyle(background: style.background)) }

    /// Selects a style. The colors are those of a terminal with true color.
    private mutating func select(_ numbers: [Int]) {
        var rest = numbers[...]
        func color() -> TerminalColor {
            let parts = rest.prefix(4).dropFirst().map { UInt8(truncatingIfNeeded: $0) }
            rest = rest.dropFirst(4)
            return parts.count == 3 ? TerminalColor(red: parts[0], green: parts[1], blue: parts[2]) : .terminalDefault
        }
        let attributes: [Int: TextAttributes] = [
            1: .bold, 2: .dim, 3: .italic, 4: .underline, 7: .reverse, 9: .strikethrough, 22: [.bold, .dim], 23: .italic, 24: .underline,
            27: .reverse, 29: .strikethrough,
        ]
        while let number = rest.popFirst() {
            switch number {
            case 0: style = .plain
            case 38: style.foreground = color()
            case 39: style.foreground = .terminalDefault
            case 48: style.background = color()
            case 49: style.background = .terminalDefault
            case 1...9: style.attributes.formUnion(attributes[number] ?? [])
            case 22...29: style.attributes.subtract(attributes[number] ?? [])
            default: break
            }
        }
    }

    private mutating func scroll(by count: Int) {
        let old = cells
        for row in region {
            for column in 0..<cells.size.columns { cells[column, row] = region.contains(row + count) ? old[column, row + count] : blank }
        }
    }
}
