import TerminalSurface

/// The screen of a terminal, from the bytes that the library writes.
struct Screen {
    private(set) var cells: CellBuffer
    /// The style of the next character.
    private var style = TextStyle.plain
    private var (x, y) = (0, 0)
    /// The last character, which can be repeated.
    private var last: Unicode.Scalar = " "
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
                if endsSequence(scalar) {
                    control(sequence)
                    sequence = ""
                }
                continue
            }
            switch scalar {
            case "\r": x = 0
            case "\n": if y == region.upperBound - 1 { scroll(by: 1) } else { y = min(y + 1, cells.size.rows - 1) }
            case "\u{8}": x = max(0, x - 1)
            default: put(scalar)
            }
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        if x < cells.size.columns { cells[x, y] = Cell(scalar: scalar.value, style: style) }
        x += 1
        last = scalar
    }

    /// True if this scalar ends the sequence: the letter of a control sequence, the terminator of a string, or the scalar after the escape.
    private func endsSequence(_ scalar: Unicode.Scalar) -> Bool {
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
        case "b": for _ in 0..<number(0) { put(last) }
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

    /// Selects a style. Colors are red, green and blue, or in the palette of xterm above the sixteen that users can configure.
    private mutating func select(_ numbers: [Int]) {
        var rest = numbers[...]
        func nextComponent() -> UInt8 { UInt8(truncatingIfNeeded: rest.popFirst() ?? 0) }
        func color() -> TerminalColor {
            if rest.popFirst() == 2 { return TerminalColor(red: nextComponent(), green: nextComponent(), blue: nextComponent()) }
            let index = Int(nextComponent())
            guard index < 232 else { return TerminalColor(red: gray(index), green: gray(index), blue: gray(index)) }
            let levels = [36, 6, 1].map { UInt8([0, 95, 135, 175, 215, 255][max(0, index - 16) / $0 % 6]) }
            return TerminalColor(red: levels[0], green: levels[1], blue: levels[2])
        }
        func gray(_ index: Int) -> UInt8 { UInt8(8 + 10 * (index - 232)) }
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
