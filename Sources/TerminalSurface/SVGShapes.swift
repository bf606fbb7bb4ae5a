/// The shapes of line and block characters, drawn so that they join without gaps.
enum SVGShapes {
    /// The rectangles of a line or block character in a cell of 8 × 16 units; `nil` for other characters.
    static func rectangles(for scalar: UInt32) -> [TerminalRect]? {
        switch scalar {
        case 0x2500...0x257F: lines[scalar].map(arms)
        case 0x2581...0x2588: [rect(0, 16 - 2 * Int(scalar - 0x2580), 8, 2 * Int(scalar - 0x2580))]
        case 0x2589...0x258F: [rect(0, 0, 8 - Int(scalar - 0x2588), 16)]
        case 0x2580: [rect(0, 0, 8, 8)]
        case 0x2590: [rect(4, 0, 4, 16)]
        case 0x2594: [rect(0, 0, 8, 2)]
        case 0x2595: [rect(7, 0, 1, 16)]
        default: nil
        }
    }

    /// The thickness of the four arms of line characters, from the center of the cell: 0 for no arm, 1 light, 2 heavy.
    private static let lines: [UInt32: (left: Int, right: Int, up: Int, down: Int)] = [
        0x2500: (1, 1, 0, 0), 0x2501: (2, 2, 0, 0), 0x2502: (0, 0, 1, 1), 0x2503: (0, 0, 2, 2),  // ─ ━ │ ┃
        0x250C: (0, 1, 0, 1), 0x2510: (1, 0, 0, 1), 0x2514: (0, 1, 1, 0), 0x2518: (1, 0, 1, 0),  // ┌ ┐ └ ┘
        0x256D: (0, 1, 0, 1), 0x256E: (1, 0, 0, 1), 0x2570: (0, 1, 1, 0), 0x256F: (1, 0, 1, 0),  // ╭ ╮ ╰ ╯
        0x251C: (0, 1, 1, 1), 0x2524: (1, 0, 1, 1), 0x252C: (1, 1, 0, 1), 0x2534: (1, 1, 1, 0), 0x253C: (1, 1, 1, 1),  // ├ ┤ ┬ ┴ ┼
        0x251D: (0, 2, 1, 1), 0x2525: (2, 0, 1, 1), 0x252F: (2, 2, 0, 1), 0x2537: (2, 2, 1, 0), 0x253F: (2, 2, 1, 1),  // ┝ ┥ ┯ ┷ ┿
        0x2520: (0, 1, 2, 2), 0x2528: (1, 0, 2, 2), 0x2530: (1, 1, 0, 2), 0x2538: (1, 1, 2, 0), 0x2542: (1, 1, 2, 2),  // ┠ ┨ ┰ ┸ ╂
        0x2523: (0, 2, 2, 2), 0x252B: (2, 0, 2, 2), 0x2533: (2, 2, 0, 2), 0x253B: (2, 2, 2, 0), 0x254B: (2, 2, 2, 2),  // ┣ ┫ ┳ ┻ ╋
        0x250F: (0, 2, 0, 2), 0x2513: (2, 0, 0, 2), 0x2517: (0, 2, 2, 0), 0x251B: (2, 0, 2, 0),  // ┏ ┓ ┗ ┛
        0x2574: (1, 0, 0, 0), 0x2575: (0, 0, 1, 0), 0x2576: (0, 1, 0, 0), 0x2577: (0, 0, 0, 1),  // ╴ ╵ ╶ ╷
        0x2578: (2, 0, 0, 0), 0x2579: (0, 0, 2, 0), 0x257A: (0, 2, 0, 0), 0x257B: (0, 0, 0, 2),  // ╸ ╹ ╺ ╻
        0x257C: (1, 2, 0, 0), 0x257E: (2, 1, 0, 0),  // ╼ ╾
    ]

    private static func arms(_ line: (left: Int, right: Int, up: Int, down: Int)) -> [TerminalRect] {
        var rectangles: [TerminalRect] = []
        if line.left > 0, line.left == line.right {
            rectangles.append(rect(0, 8 - line.left / 2, 8, line.left))
        } else {
            if line.left > 0 { rectangles.append(rect(0, 8 - line.left / 2, 4 + line.left / 2, line.left)) }
            if line.right > 0 { rectangles.append(rect(4 - line.right / 2, 8 - line.right / 2, 4 + line.right / 2, line.right)) }
        }
        if line.up > 0, line.up == line.down {
            rectangles.append(rect(4 - line.up / 2, 0, line.up, 16))
        } else {
            if line.up > 0 { rectangles.append(rect(4 - line.up / 2, 0, line.up, 8 + line.up / 2)) }
            if line.down > 0 { rectangles.append(rect(4 - line.down / 2, 8 - line.down / 2, line.down, 8 + line.down / 2)) }
        }
        return rectangles
    }

    private static func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> TerminalRect {
        TerminalRect(x: x, y: y, width: width, height: height)
    }
}
