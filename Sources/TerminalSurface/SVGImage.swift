/// An SVG image of a screen in a window with rounded corners. It needs no other files.
///
/// A terminal cell is 8 × 16 units, so that block characters of an eighth of a cell have whole numbers. Text is stretched to the width of
/// its cells in any font. Lines and blocks are drawn as shapes, because glyphs of most fonts leave gaps between rows.
struct SVGImage {
    /// The width of a terminal cell in SVG units. It fits the `font-size` 13.29 used below: 0.602 × 13.29 ≈ 8 in most monospaced fonts.
    private static let cellWidth = 8
    private static let cellHeight = 16
    private static let padding = 12
    private static let barHeight = 28

    let buffer: CellBuffer
    let foreground: TerminalColor
    let background: TerminalColor
    let title: String

    func text() -> String {
        let width = buffer.size.columns * Self.cellWidth + 2 * Self.padding
        let height = buffer.size.rows * Self.cellHeight + Self.barHeight + Self.padding
        let edge = background.luminance < 0.2 ? "#ffffff" : "#000000"
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img">
            <title>\(Self.escaped(title))</title>
            <rect x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="9" fill="\(Self.hex(background))" stroke="\(edge)" \
            stroke-opacity="0.2"/>
            <g fill="\(edge)" fill-opacity="0.22">
            <circle cx="18" cy="15" r="5"/><circle cx="35" cy="15" r="5"/><circle cx="52" cy="15" r="5"/>
            </g>
            <text x="\(width / 2)" y="19" text-anchor="middle" font-family="system-ui,sans-serif" font-size="12" fill="\(edge)" \
            fill-opacity="0.55">\(Self.escaped(title))</text>
            <g transform="translate(\(Self.padding) \(Self.barHeight))" \
            font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="13.29" xml:space="preserve">

            """
        for y in 0..<buffer.size.rows { appendBackgrounds(of: y, to: &svg) }
        for y in 0..<buffer.size.rows { appendText(of: y, to: &svg) }
        svg += "</g>\n</svg>\n"
        return svg
    }

    /// The visible colors of a style. The default colors of the terminal become the colors of the window. A reversed style exchanges both
    /// colors.
    private func colors(_ style: TextStyle) -> (text: TerminalColor, background: TerminalColor) {
        let text = style.foreground.isDefault ? foreground : style.foreground
        let cellBackground = style.background.isDefault ? background : style.background
        return style.attributes.contains(.reverse) ? (cellBackground, text) : (text, cellBackground)
    }

    private func appendBackgrounds(of y: Int, to svg: inout String) {
        var x = 0
        while x < buffer.size.columns {
            let start = x
            let cellBackground = colors(buffer[x, y].style).background
            repeat { x += 1 } while x < buffer.size.columns && colors(buffer[x, y].style).background == cellBackground
            if cellBackground != background { svg += rectangle(start * 8, y * 16, (x - start) * 8, 16, Self.hex(cellBackground)) + "\n" }
        }
    }

    private func appendText(of y: Int, to svg: inout String) {
        var x = 0
        while x < buffer.size.columns {
            let cell = buffer[x, y]
            if let shapes = SVGShapes.rectangles(for: cell.scalar), cell.combiningMarks == 0 {
                let fill = Self.hex(colors(cell.style).text)
                let opacity = cell.style.attributes.contains(.dim) ? 0.6 : 1
                for shape in shapes { svg += rectangle(x * 8 + shape.x, y * 16 + shape.y, shape.width, shape.height, fill, opacity) }
                svg += "\n"
                x += 1
                continue
            }
            let start = x
            var text = ""
            // Write a wide or combined character as a separate text element, so that no font can shift its neighbors.
            repeat {
                buffer[x, y].append(to: &text)
                x += 1
            } while x < buffer.size.columns && belongs(buffer[x, y], to: cell)
            let isInvisible = text.utf8.allSatisfy { $0 == 0x20 } && cell.style.attributes.isDisjoint(with: [.underline, .strikethrough])
            if !isInvisible { appendRun(text, start..<x, y, cell.style, to: &svg) }
        }
    }

    private func belongs(_ cell: Cell, to first: Cell) -> Bool {
        if cell.width == 0 { return first.width == 2 }
        let isSimple = cell.width == 1 && cell.combiningMarks == 0 && first.width == 1 && first.combiningMarks == 0
        return isSimple && cell.style == first.style && SVGShapes.rectangles(for: cell.scalar) == nil
    }

    private func appendRun(_ text: String, _ columns: Range<Int>, _ y: Int, _ style: TextStyle, to svg: inout String) {
        let x = columns.lowerBound * Self.cellWidth
        svg += "<text x=\"\(x)\" y=\"\(y * 16 + 12)\" textLength=\"\(columns.count * Self.cellWidth)\" lengthAdjust=\"spacingAndGlyphs\""
        svg += " fill=\"\(Self.hex(colors(style).text))\""
        if style.attributes.contains(.bold) { svg += " font-weight=\"bold\"" }
        if style.attributes.contains(.italic) { svg += " font-style=\"italic\"" }
        if style.attributes.contains(.dim) { svg += " fill-opacity=\"0.6\"" }
        var lines: [String] = []
        if style.attributes.contains(.underline) { lines.append("underline") }
        if style.attributes.contains(.strikethrough) { lines.append("line-through") }
        if !lines.isEmpty { svg += " text-decoration=\"\(lines.joined(separator: " "))\"" }
        svg += ">\(Self.escaped(text))</text>\n"
    }

    private func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ fill: String, _ opacity: Double = 1) -> String {
        let transparency = opacity < 1 ? " fill-opacity=\"\(opacity)\"" : ""
        return "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" fill=\"\(fill)\"\(transparency)/>"
    }

    private static func hex(_ color: TerminalColor) -> String {
        let digits = String(color.rawValue & 0xFF_FFFF, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// Escapes text for XML and omits control characters, which XML forbids. Only titles can have them; cells of a buffer cannot.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default:
                if scalar.value >= 0x20, scalar.value & 0xFFFE != 0xFFFE { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }
}
