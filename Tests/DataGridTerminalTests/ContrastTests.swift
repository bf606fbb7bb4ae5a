import DataGrid
import DataGridTerminal
import Testing

@testable import TerminalSurface

/// The text and background colors of a terminal cell at a color depth, as drawn.
func shownColors(of style: TextStyle, _ depth: ColorDepth, _ theme: Theme) -> (text: Color, ground: Color) {
    var quantize = ColorQuantizer(depth: depth)
    let drawn = quantize(style)
    func color(_ color: ScreenColor, _ own: Color?) -> Color {
        guard color != .terminalDefault else { return own! }
        guard let index = color.paletteIndex else { return Color(color.value) }
        let parts = ColorQuantizer.palette[index]
        return Color(UInt32(parts.x) << 16 | UInt32(parts.y) << 8 | UInt32(parts.z))
    }
    // Terminals with 16 colors have a black or a white background.
    let base = depth == .ansi16 ? Color(theme.isLight ? 0xffffff : 0x000000) : theme.ground.background
    let text = color(drawn.foreground, theme.ground.foreground)
    let ground = color(drawn.background, base)
    return style.attributes.contains(.reverse) ? (ground, text) : (text, ground)
}

/// The contrast of text over its background, for all combinations of styles that occur together.
@Suite struct ContrastTests {
    /// Styles that occur together in a cell.
    private struct Combination {
        var name: String
        var style: CellStyle
    }

    /// The layers of cells, with the text styles that are drawn over them.
    private func cells(of theme: Theme) -> [Combination] {
        var all: [Combination] = []
        let rows = [("row", CellStyle.none), ("alternate row", theme.alternateRow), ("card", theme.card)]
        let highlights = [("rise", theme.rise), ("fall", theme.fall), ("update", theme.update), ("updated row", theme.updatedRow)]
        let fading = highlights.flatMap { name, style in (1...4).map { ("\(name) \($0)/4", style.faded(to: $0, of: 4)) } }
        let texts = [
            ("text", CellStyle.none), ("match", theme.match), ("current match", theme.currentMatch), ("unreadable", theme.unreadable),
            ("mark", theme.mark), ("accessory", theme.accessory), ("sparkline", theme.sparkline),
            ("footnote", CellStyle(foreground: theme.sectionDetail.foreground)),
        ]
        let decorations: Set = ["accessory", "sparkline"]
        for (rowName, row) in rows {
            for (highlightName, highlight) in [("", CellStyle.none)] + fading {
                for isSelected in [false, true] {
                    for isUnderCursor in [false, true] {
                        for (textName, text) in texts {
                            var layers = StyleLayers()
                            (layers.row, layers.alternateRow, layers.highlight) = (theme.row, row, highlight)
                            if isSelected { layers.selection = theme.selection }
                            if isUnderCursor { layers.cursor = theme.cursor }
                            var style = layers.resolved(blending: true, base: theme.ground)
                            // Matches and decorations have other styles under the cursor.
                            if isUnderCursor, text.foreground != nil { continue }
                            if textName == "footnote", rowName != "card" || isSelected || !highlightName.isEmpty { continue }
                            style =
                                decorations.contains(textName)
                                ? style.decorated(with: text, blending: true, base: theme.ground)
                                : style.applying(text, blending: true, base: theme.ground)
                            let names = [rowName, highlightName, isSelected ? "selected" : "", isUnderCursor ? "cursor" : "", textName]
                            all.append(Combination(name: names.filter { !$0.isEmpty }.joined(separator: ", "), style: style))
                        }
                    }
                }
            }
        }
        return all
    }

    /// The parts around the cells, over the styles below them.
    private func parts(of theme: Theme) -> [Combination] {
        let grounds = [("", theme.row), ("panel", theme.panel), ("selected line", theme.panel.applying(theme.panelSelection))]
        let everywhere: [(String, CellStyle)] = [
            ("text", .none), ("hint", theme.hint), ("hint key", theme.hintKey), ("title", theme.title), ("message", theme.message),
            ("error", theme.error), ("section header", theme.sectionHeader), ("section detail", theme.sectionDetail),
            ("match", theme.match), ("current match", theme.currentMatch), ("mark", theme.mark), ("unreadable", theme.unreadable),
        ]
        var all = grounds.flatMap { name, ground in
            everywhere.filter { name != "selected line" || $0.1.foreground == nil || $0.1.background != nil }.map {
                Combination(name: "\(name) \($0.0)", style: ground.applying($0.1))
            }
        }
        let own: [(String, CellStyle)] = [
            ("header", theme.header), ("current header", theme.currentHeader), ("sort badge", theme.sortBadge),
            ("text type", theme.textType), ("number type", theme.numberType), ("time type", theme.timeType), ("flag type", theme.flagType),
            ("row number", theme.rowHeader), ("current row number", theme.currentRowHeader), ("totals", theme.totals),
            ("stuck section", theme.stuckSectionHeader), ("stuck detail", theme.stuckSectionHeader.applying(theme.sectionDetail)),
            ("strip", theme.strip), ("armed strip", theme.armedStrip), ("dragged", theme.dragTint), ("title detail", theme.titleDetail),
            ("chip", theme.chip), ("progress", theme.progress), ("insertion mark", theme.insertionMark),
        ]
        all += own.map { Combination(name: $0.0, style: theme.row.applying($0.1)) }
        return all
    }

    @Test(
        arguments: ["dark", "light", "contrast"], [ColorDepth.trueColor, .indexed256, .ansi16])
    func `A5: text is legible in every combination of styles, in full color and in 256 and 16 colors`(name: String, depth: ColorDepth)
        throws
    {
        let preset = try #require(Theme.presets.first { $0.name == name })
        let theme = preset.fitted(to: TerminalColors(depth: .init(depth), isLight: preset.isLight))
        let minimum = name == "contrast" ? 7 : 4.5
        let weak = (cells(of: theme) + parts(of: theme)).filter {
            let (text, ground) = shownColors(of: $0.style.textStyle, depth, theme)
            return text.contrast(with: ground) < minimum
        }
        #expect(weak.isEmpty, "\(weak.map(\.name).joined(separator: "\n"))")
    }

    @Test func `A5: mapping to a palette keeps faint lines faint, and does not change colors that are already legible`() {
        for depth in [ColorDepth.indexed256, .ansi16] {
            var quantize = ColorQuantizer(depth: depth)
            func color(_ hex: UInt32) -> TerminalColor { TerminalColor(rawValue: 1 << 24 | hex) }
            let white = quantize(TextStyle(foreground: color(0xffffff), background: color(0x000000)))
            #expect(white.foreground.paletteIndex == (depth == .ansi16 ? 15 : 231))
            let line = quantize(TextStyle(foreground: color(0x585858), background: color(0x303030)))
            #expect(line.foreground != line.background)
            let first = quantize(TextStyle(foreground: color(0x0000ee), background: color(0x000000)))
            #expect(quantize(TextStyle(foreground: color(0x0000ee), background: color(0x000000))).foreground == first.foreground)
        }
    }
}
