@testable import TerminalSurface

/// A terminal that understands exactly the sequences the encoder may send, and records all others as violations.
struct TerminalModel {
    struct ModelCell: Equatable {
        var scalars: [UInt32] = [0x20]
        var isRightHalf = false
        var style = ScreenStyle(bits: 0)
    }

    private(set) var size: TerminalSize
    private(set) var cells: [ModelCell]
    private(set) var x = 0
    private(set) var y = 0
    /// The cursor is beyond the last column, where terminals differ, so only absolute moves may follow.
    private(set) var isBeyondEnd = false
    private(set) var isCursorVisible = true
    private(set) var violations: [String] = []
    /// The cells printed or erased by ECH since the last reset. Cells erased to the end of a row or of the screen are not included.
    var written: Set<Int> = []
    var erasesWithBackground = true
    /// True if characters of disputed width move the cursor differently than the encoder assumes.
    var disputesWidths = false
    private var style = ScreenStyle(bits: 0)
    private var top = 0
    private var bottom: Int
    private var lastPrinted: UInt32 = 0
    /// The cell that receives a combining character.
    private var lastBase: Int?

    init(size: TerminalSize) {
        self.size = size
        bottom = size.rows
        cells = Array(repeating: ModelCell(), count: size.columns * size.rows)
    }

    /// A resized terminal may show anything.
    mutating func resize(to new: TerminalSize) {
        size = new
        (top, bottom) = (0, new.rows)
        cells = Array(repeating: ModelCell(scalars: [0x23]), count: new.columns * new.rows)
        (x, y) = (0, 0)
    }

    mutating func feed(_ bytes: [UInt8]) {
        var scalars = ArraySlice(Array(String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)))
        while let scalar = scalars.popFirst() {
            switch scalar {
            case 0x1B: escape(&scalars)
            case 0x0D: (x, isBeyondEnd) = (0, false)
            case 0x0A: lineFeed()
            case 0x08: moveBack()
            case 0x20..<0x7F, 0xA0...: print(scalar)
            default: violations.append("control \(scalar)")
            }
        }
    }

    private mutating func escape(_ scalars: inout ArraySlice<UInt32>) {
        guard let kind = scalars.popFirst() else { return violations.append("incomplete escape") }
        if kind == 0x4D { return reverseIndex() }
        guard kind == 0x5B else { return violations.append("escape \(kind)") }
        var parameters = ""
        while let scalar = scalars.popFirst() {
            let character = Character(Unicode.Scalar(scalar)!)
            if "0123456789;?".contains(character) {
                parameters.append(character)
            } else {
                return control(parameters, character)
            }
        }
        violations.append("incomplete sequence")
    }

    private mutating func control(_ parameters: String, _ final: Character) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
        let first = (numbers.first ?? nil) ?? 1
        switch (parameters, final) {
        case ("?25", "h"): isCursorVisible = true
        case ("?25", "l"): isCursorVisible = false
        case ("?2026", "h"), ("?2026", "l"): break
        case (_, "m"): select(parameters.isEmpty ? [0] : numbers.map { $0 ?? 0 })
        case (_, "H"): jump(x: (numbers.count > 1 ? numbers[1] ?? 1 : 1) - 1, y: first - 1)
        case (_, "G"): jump(x: first - 1, y: y)
        case (_, "A"): relative(x, y - first)
        case (_, "B"): relative(x, y + first)
        case (_, "C"): relative(x + first, y)
        case ("2", "J"): erase(0..<cells.count)
        case ("", "K"): eraseInRow(size.columns - x)
        case (_, "X"):
            written.formUnion(y * size.columns + x..<y * size.columns + x + first)
            eraseInRow(first)
        case (_, "b"): for _ in 0..<first { print(lastPrinted) }
        case (_, "S"): scroll(by: first)
        case (_, "T"): scroll(by: -first)
        case (_, "r"):
            top = parameters.isEmpty ? 0 : first - 1
            bottom = parameters.isEmpty ? size.rows : numbers[1]!
            if top + 2 > bottom, !parameters.isEmpty { violations.append("region of one row") }
            jump(x: 0, y: 0)
        default: violations.append("CSI \(parameters) \(final)")
        }
    }

    private mutating func jump(x column: Int, y row: Int) {
        if !(0..<size.columns ~= column && 0..<size.rows ~= row) { violations.append("jump to \(column), \(row)") }
        (x, y, isBeyondEnd) = (min(max(0, column), size.columns - 1), min(max(0, row), size.rows - 1), false)
    }

    private mutating func relative(_ column: Int, _ row: Int) {
        if isBeyondEnd { violations.append("relative move from beyond the end") }
        jump(x: column, y: row)
    }

    private mutating func moveBack() {
        if isBeyondEnd || x == 0 { violations.append("backspace") }
        x = max(0, x - 1)
    }

    private mutating func lineFeed() {
        if isBeyondEnd { violations.append("line feed from beyond the end") }
        if y == bottom - 1 { scroll(by: 1) } else { y = min(y + 1, size.rows - 1) }
    }

    private mutating func reverseIndex() {
        if y == top { scroll(by: -1) } else { y = max(0, y - 1) }
    }

    private mutating func scroll(by count: Int) {
        let old = cells
        let blank = ModelCell(style: erasesWithBackground ? style.reducedForBlank : ScreenStyle(bits: 0))
        if style.showsOnBlank { violations.append("scroll with lines on") }
        for row in top..<bottom {
            for column in 0..<size.columns {
                let source = row + count
                cells[row * size.columns + column] = (top..<bottom).contains(source) ? old[source * size.columns + column] : blank
            }
        }
    }

    private mutating func eraseInRow(_ count: Int) {
        if isBeyondEnd { violations.append("erase from beyond the end") }
        if count > size.columns - x { violations.append("erase too far") }
        erase(y * size.columns + x..<y * size.columns + min(size.columns, x + count))
    }

    private mutating func erase(_ range: Range<Int>) {
        if style.showsOnBlank { violations.append("erase with lines on") }
        for index in range {
            split(index)
            cells[index] = ModelCell(style: erasesWithBackground ? style.reducedForBlank : ScreenStyle(bits: 0))
        }
    }

    /// Overwriting one half of a wide character clears the other.
    private mutating func split(_ index: Int) {
        if cells[index].isRightHalf, index > 0 { cells[index - 1].scalars = [0x20] }
        if index + 1 < cells.count, cells[index + 1].isRightHalf, !cells[index].isRightHalf {
            cells[index + 1] = ModelCell(style: cells[index + 1].style)
        }
    }

    private mutating func print(_ scalar: UInt32) {
        let width = DisplayWidth.of(scalarValue: scalar)
        if width < 0 { return violations.append("unknown width \(scalar)") }
        if width == 0 {
            guard let lastBase else { return violations.append("combining at the start") }
            cells[lastBase].scalars.append(scalar)
            if disputesWidths, x > 0, !isBeyondEnd { x -= 1 }
            return
        }
        if isBeyondEnd || x + width > size.columns { return violations.append("print beyond the end") }
        let index = y * size.columns + x
        split(index)
        if width == 2 { split(index + 1) }
        written.formUnion(index..<index + width)
        cells[index] = ModelCell(scalars: [scalar], style: style)
        if width == 2 { cells[index + 1] = ModelCell(scalars: [], isRightHalf: true, style: style) }
        lastPrinted = scalar
        lastBase = index
        if x + width < size.columns { x += width } else { (x, isBeyondEnd) = (size.columns - 1, true) }
        if disputesWidths, scalar >= 0x1F000, x > 0, !isBeyondEnd { x -= 1 }
    }

    private mutating func select(_ parameters: [Int]) {
        var rest = ArraySlice(parameters)
        var (foreground, background, attributes) = (style.foreground, style.background, style.attributes)
        func color() -> ScreenColor {
            if rest.popFirst() == 5 { return ScreenColor(palette: rest.popFirst() ?? 0) }
            let (red, green, blue) = (rest.popFirst() ?? 0, rest.popFirst() ?? 0, rest.popFirst() ?? 0)
            return ScreenColor(TerminalColor(red: UInt8(red), green: UInt8(green), blue: UInt8(blue)))
        }
        while let parameter = rest.popFirst() {
            switch parameter {
            case 0: (foreground, background, attributes) = (.terminalDefault, .terminalDefault, [])
            case 1: attributes.insert(.bold)
            case 2: attributes.insert(.dim)
            case 3: attributes.insert(.italic)
            case 4: attributes.insert(.underline)
            case 7: attributes.insert(.reverse)
            case 9: attributes.insert(.strikethrough)
            case 22: attributes.subtract([.bold, .dim])
            case 23: attributes.remove(.italic)
            case 24: attributes.remove(.underline)
            case 27: attributes.remove(.reverse)
            case 29: attributes.remove(.strikethrough)
            case 30...37: foreground = ScreenColor(palette: parameter - 30)
            case 38: foreground = color()
            case 39: foreground = .terminalDefault
            case 40...47: background = ScreenColor(palette: parameter - 40)
            case 48: background = color()
            case 49: background = .terminalDefault
            case 90...97: foreground = ScreenColor(palette: parameter - 82)
            case 100...107: background = ScreenColor(palette: parameter - 92)
            default: violations.append("SGR \(parameter)")
            }
        }
        style = ScreenStyle(foreground: foreground, background: background, attributes: attributes)
    }

    /// Describes the first difference between the screen and `frame`; `nil` if they are equal.
    func firstDifference(from frame: CellBuffer, depth: ColorDepth) -> String? {
        let picture = ScreenSnapshot(frame, depth: depth)
        for index in cells.indices {
            let expected = picture.cells[index]
            let cell = cells[index]
            var scalars: [UInt32] = []
            if expected.width > 0 {
                scalars = [Cell.printable(expected.scalar).value]
                CombiningMarks.forEach(expected.combiningMarks) { scalars.append($0) }
            }
            let style = cell.scalars == [0x20] && !cell.isRightHalf ? cell.style.reducedForBlank : cell.style
            if cell.scalars != scalars || style != expected.style || cell.isRightHalf != (expected.width == 0) {
                return "(\(index % size.columns), \(index / size.columns)): \(cell), expected \(scalars) \(expected.style)"
            }
        }
        return nil
    }
}
