import DataGrid
import TerminalSurface

/// Painting of graphical items: icons, bars and charts, one line each.
extension CellPainter {
    func paintItem(_ item: CellItem, in box: CellBox, _ appearance: CellAppearance, on buffer: inout CellBuffer) {
        guard box.isLegible, box.height > 0 else { return }
        switch item {
        case .icon(let icon):
            let style = style(icon.style, appearance)
            let glyph = glyphs == .unicode ? icon.glyph : icon.fallback
            write(glyph, in: box, y: box.y, alignment: appearance.alignment, style: style, mark: appearance.mark, on: &buffer)
        case .bar(let bar):
            paintBar(bar, in: box, appearance, on: &buffer)
        case .sparkline(let line):
            let marks = line.levels(width: box.fullWidth, count: glyphs.levels.count)
            let text = String(marks.map { $0.map { glyphs.levels[$0] } ?? " " })
            let defaultStyle = appearance.isCursor ? appearance.style : decorated(theme.sparkline, over: appearance.style)
            let style = line.style.map { self.style($0, appearance) } ?? defaultStyle
            write(text, in: box, y: box.y, alignment: appearance.alignment, style: style, on: &buffer)
        case .text, .styled, .number, .integer, .dateTime, .flag:
            break
        }
    }

    /// The style of an item over the style of its cell. Under the cursor, only the cell's style is used, so that the item is readable.
    func style(_ itemStyle: CellStyle?, _ appearance: CellAppearance) -> CellStyle {
        guard let itemStyle, !appearance.isCursor else { return appearance.style }
        return layered(itemStyle, over: appearance.style)
    }

    // MARK: Bars

    private func paintBar(_ bar: DataBar, in box: CellBox, _ appearance: CellAppearance, on buffer: inout CellBuffer) {
        let text = bar.text
        let textWidth = DisplayWidth.of(text, limit: box.fullWidth)
        var room = box.fullWidth
        if bar.textPosition == .beside, textWidth > 0 || bar.textWidth > 0 {
            let textRoom = min(max(textWidth, bar.textWidth), box.fullWidth)
            room = max(0, box.fullWidth - textRoom - 1)
            write(
                text, in: box, y: box.y, alignment: .trailing, style: appearance.style, mark: appearance.mark, isNumber: true, on: &buffer)
        }
        let filled = Self.eighths(of: bar, room: room)
        let style = style(bar.style ?? (bar.fraction < 0 ? theme.negativeDataBar : theme.dataBar), appearance)
        for cell in box.clippedLeading..<box.clippedLeading + box.width where cell < room {
            paintEighths(filled.clamped(to: 8 * cell..<8 * cell + 8), x: box.x + cell - box.clippedLeading, y: box.y, style, on: &buffer)
        }
        if bar.textPosition == .over, textWidth > 0 { paintText(of: bar, textWidth, filled, style, in: box, appearance, on: &buffer) }
    }

    /// The range of a bar in eighths of terminal cells, within `room` cells. A fraction other than 0 fills at least one eighth.
    static func eighths(of bar: DataBar, room: Int) -> Range<Int> {
        guard !bar.fraction.isNaN, bar.fraction != 0, room > 0 else { return 0..<0 }
        // Put zero at a boundary between terminal cells, because one cell cannot show parts of a bar on both sides of zero.
        let zero = bar.isSigned ? room / 2 * 8 : 0
        let maximum = bar.fraction < 0 ? zero : room * 8 - zero
        let length = min(maximum, max(1, Int((min(1, bar.fraction.magnitude) * Double(maximum)).rounded())))
        return bar.fraction < 0 ? zero - length..<zero : zero..<zero + length
    }

    /// Paints the part of a bar in one terminal cell. The part is given in eighths and touches the left or right side of the cell.
    private func paintEighths(_ part: Range<Int>, x: Int, y: Int, _ style: CellStyle, on buffer: inout CellBuffer) {
        guard !part.isEmpty else { return }
        if part.lowerBound % 8 == 0 || !glyphs.hasEighths {
            write(glyphs.blocks[part.count], x: x, y: y, width: 1, style: style, on: &buffer)
        } else {
            // Block glyphs fill a cell from the left. To fill its right end, paint the empty left part with reversed colors.
            var reversed = style
            reversed.traits.formSymmetricDifference(.reverse)
            write(glyphs.blocks[8 - part.count], x: x, y: y, width: 1, style: reversed, on: &buffer)
        }
    }

    /// Writes the text over a bar. Over the filled part, the color of the bar is the background.
    private func paintText(
        of bar: DataBar, _ textWidth: Int, _ filled: Range<Int>, _ style: CellStyle, in box: CellBox, _ appearance: CellAppearance,
        on buffer: inout CellBuffer
    ) {
        write(
            bar.text, in: box, y: box.y, alignment: appearance.alignment, style: appearance.style, mark: appearance.mark, isNumber: true,
            on: &buffer)
        let indent = Self.indent(appearance.alignment, unusedWidth: max(0, box.fullWidth - textWidth))
        // A terminal cell that is at least half filled is treated as filled, because a character has one background.
        let covered = (filled.lowerBound + 4) / 8..<max((filled.lowerBound + 4) / 8, (filled.upperBound + 4) / 8)
        let both = covered.clamped(to: indent..<indent + textWidth).clamped(to: box.clippedLeading..<box.clippedLeading + box.width)
        guard !both.isEmpty else { return }
        let onBar = styleOfText(on: style).textStyle
        buffer.restyle(rect(x: box.x + both.lowerBound - box.clippedLeading, y: box.y, width: both.count)) { $0 = onBar }
    }

    private func styleOfText(on bar: CellStyle) -> CellStyle {
        guard let color = bar.foreground, !bar.traits.contains(.reverse) else {
            var reversed = bar
            reversed.traits.formSymmetricDifference(.reverse)
            return reversed
        }
        let candidates = [theme.ground.foreground, theme.ground.background].compactMap { $0 }
        let textColor = candidates.max { $0.contrast(with: color) < $1.contrast(with: color) }
        return CellStyle(foreground: textColor, background: color, traits: bar.traits)
    }
}
