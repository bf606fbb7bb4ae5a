import GridTestSupport
import TerminalSurface

/// Random frames with typical and hostile content, each derived from the previous one.
struct RandomFrames {
    var random: SplitMix64
    var frame: CellBuffer

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        frame = CellBuffer(size: TerminalSize(columns: 30, rows: 10))
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func style() -> TextStyle {
        var colors: [TerminalColor] = [
            .terminalDefault, .terminalDefault, .init(red: 95, green: 0, blue: 255), .init(red: 8, green: 8, blue: 8),
        ]
        colors.append(TerminalColor(red: .random(in: 0...255, using: &random), green: 7, blue: .random(in: 0...255, using: &random)))
        let attributes = number(0...2) == 0 ? UInt8.random(in: 0..<64, using: &random) : 0
        return TextStyle(
            foreground: colors[number(0...4)], background: colors[number(0...4)], attributes: TextAttributes(rawValue: attributes))
    }

    mutating func text() -> String {
        let pieces = [
            "a", "bc ", "    ", "12,345.67", "日本", "表", "é", "e\u{301}", "o\u{308}\u{323}", "👍🏽", "👩‍👩‍👧", "🇬🇧", "❤️", "\t", "\r\n",
            "\u{1B}[2J", "│", "━━━━━━━━",
            "\u{202E}abc", "\u{9B}1m", "\u{301}", "क्ष", "각", "\u{7F}", "\u{E0041}", "🫨", "☰", "\u{FEFF}x", "…", "──────", "\u{0}",
        ]
        return (0..<number(0...8)).map { _ in pieces[number(0...pieces.count - 1)] }.joined()
    }

    /// Advances to the next frame.
    mutating func step() {
        switch number(0...11) {
        case 0:
            frame = CellBuffer(size: TerminalSize(columns: number(1...40), rows: number(1...14)), style: style())
        case 1, 2:
            scroll()
        case 3:
            frame.fill(rectangle(), style: style())
        case 4:
            let (from, to) = (style(), style())
            frame.restyle(rectangle()) {
                $0.attributes = from.attributes; $0.background = to.background
            }
        case 5:
            for _ in 0..<30 { write() }
        case 6:
            let x = number(0...frame.size.columns - 1)
            frame[x, number(0...frame.size.rows - 1)] = Cell(scalar: [0x41, 0x65E5, 0x20][number(0...2)], width: UInt8(number(0...2)))
        case 7:
            break
        default:
            for _ in 0..<number(1...4) { write() }
        }
    }

    private mutating func write() {
        frame.write(
            text(), x: number(-5...frame.size.columns), y: number(-1...frame.size.rows), width: number(0...40), style: style(),
            replacementStyle: number(0...1) == 0 ? nil : style(), ellipsis: number(0...1) == 0)
    }

    private mutating func rectangle() -> TerminalRect {
        TerminalRect(x: number(-3...30), y: number(-3...12), width: number(-1...40), height: number(0...12))
    }

    private mutating func scroll() {
        let old = frame
        let (top, bottom) = (number(0...old.size.rows), number(0...old.size.rows))
        let by = number(-4...4)
        for y in min(top, bottom)..<max(top, bottom) where 0..<old.size.rows ~= y + by {
            for x in 0..<old.size.columns { frame[x, y] = old[x, y + by] }
        }
        if number(0...1) == 0 { write() }
    }
}
