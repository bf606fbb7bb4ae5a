import DataGrid
import Testing

private let red = CellStyle(background: Color(0xff0000))

@Suite struct StyleTests {
    private static let layers: [WritableKeyPath<StyleLayers, CellStyle?> & Sendable] = [
        \.row, \.alternateRow, \.column, \.delegateColumn, \.section, \.delegateRow, \.rowClass, \.cellClass, \.delegateCell,
        \.rowHighlight, \.highlight, \.selection, \.selectedRowClass, \.selectedCellClass, \.cursor,
    ]

    @Test func `A4: each layer takes precedence over all layers below it`() {
        for top in Self.layers.indices {
            var layers = StyleLayers()
            for (index, layer) in Self.layers[...top].enumerated() {
                layers[keyPath: layer] = CellStyle(foreground: Color(UInt32(index + 1)), background: Color(UInt32(index + 100)))
            }
            let style = CellStyle(foreground: Color(UInt32(top + 1)), background: Color(UInt32(top + 100)))
            #expect(layers.resolved(blending: true) == style)
            #expect(layers.resolved(blending: false) == style)
        }
    }

    @Test func `A4: unset properties show the layer below; traits are combined`() {
        var layers = StyleLayers()
        layers.row = CellStyle(foreground: Color(0x111111), background: Color(0x222222), traits: .bold)
        layers.column = CellStyle(foreground: Color(0x333333), traits: .underline)
        layers.cursor = CellStyle(traits: .reverse)
        let style = CellStyle(foreground: Color(0x333333), background: Color(0x222222), traits: [.bold, .underline, .reverse])
        #expect(layers.resolved(blending: true) == style)
        #expect(StyleLayers().resolved(blending: true) == .none)
    }

    @Test func `A4: unreadable text under the cursor gets the theme's background color, or else black or white`() {
        func text(on cursor: UInt32, _ text: UInt32, _ ground: UInt32, isReversed: Bool = false) -> Color? {
            let color = Color(cursor)
            var layers = StyleLayers()
            layers.delegateCell = isReversed ? nil : CellStyle(foreground: color)
            layers.cursor = isReversed ? CellStyle(foreground: color, traits: .reverse) : CellStyle(background: color)
            let style = layers.resolved(blending: true, base: CellStyle(foreground: Color(text), background: Color(ground)))
            return isReversed ? style.background : style.foreground
        }
        #expect(text(on: 0xffff00, 0xdddddd, 0x111111) == Color(0x111111))
        #expect(text(on: 0x000080, 0xdddddd, 0x111111) == Color(0xdddddd))
        #expect(text(on: 0x222222, 0xdddddd, 0x111111, isReversed: true) == Color(0xdddddd))
        #expect(text(on: 0x808080, 0x888888, 0x777777) == Color(0x000000))
        #expect(text(on: 0x333333, 0x444444, 0x222222) == Color(0xffffff))
    }

    @Test func `A4: with blending, colors mix with the layer below; without it, the top color wins`() {
        var layers = StyleLayers()
        layers.row = CellStyle(background: Color(0x0000ff))
        layers.selection = CellStyle(background: Color(0xff0000, alpha: 51))
        #expect(layers.resolved(blending: true).background == Color(0x3300cc))
        #expect(layers.resolved(blending: false).background == Color(0xff0000))
        layers.row = nil
        #expect(layers.resolved(blending: true, base: CellStyle(background: Color(0x00ff00))).background == Color(0x33cc00))
        #expect(layers.resolved(blending: true).background == Color(0xff0000))
    }

    @Test func `A4: a style blends with the style below it only if blending is on`() {
        let ground = CellStyle(background: Color(0x0000ff))
        let tint = CellStyle(background: Color(0xff0000, alpha: 51))
        #expect(ground.applying(tint).background == Color(0x3300cc))
        #expect(ground.applying(tint, blending: false).background == Color(0xff0000))
        #expect(CellStyle.none.applying(tint, base: ground).background == Color(0x3300cc))
    }

    @Test(arguments: [(0, 0x102030), (255, 0xf0e0d0), (128, 0x808080)] as [(UInt8, UInt32)])
    func `A4: a color is blended over another one by its alpha value`(alpha: UInt8, hex: UInt32) {
        let mixed = Color(0xf0e0d0, alpha: alpha).blended(over: Color(0x102030))
        for channel in [\Color.red, \.green, \.blue] {
            #expect(abs(Int(mixed[keyPath: channel]) - Int(Color(hex)[keyPath: channel])) <= 1)
        }
        #expect(mixed.alpha == 255)
        #expect(Color(0, alpha: 128).blended(over: Color(0, alpha: 0)).alpha == 128)
    }

    @Test func `A5: contrast is computed according to WCAG`() {
        #expect(abs(Color(0x000000).contrast(with: Color(0xffffff)) - 21) < 0.01)
        #expect(Color(0x777777).contrast(with: Color(0x777777)) == 1)
        #expect(abs(Color(0x767676).contrast(with: Color(0xffffff)) - 4.54) < 0.03)
        #expect(Color(0x0000ff).contrast(with: Color(0xffffff)) == Color(0xffffff).contrast(with: Color(0x0000ff)))
    }

    @Test func `A5: a theme resets styles set by code, and styles set later override the theme`() {
        var state = grid("ab")
        for index in 0..<2 {
            var column = state.columns[index]
            column.style = red
            column.headerStyle = red
            state.play(.updateColumn(column))
        }
        #expect(state.columns.all.allSatisfy { $0.style == red && $0.headerStyle == red })
        state.play(.setTheme(.light))
        #expect(state.theme == .light)
        #expect(state.columns.all.allSatisfy { $0.style == nil && $0.headerStyle == nil })
        var column = state.columns[0]
        column.style = red
        state.play(.updateColumn(column))
        #expect(state.columns[0].style == red)
    }

    @Test func `A5: the presets are a dark, a light, a high-contrast and a colorless theme`() {
        #expect(Theme.presets.map(\.name) == ["dark", "light", "contrast", "plain"])
        #expect(Theme.dark.ground.background!.luminance < 0.1)
        #expect(Theme.light.ground.background!.luminance > 0.9)
        for (name, style) in parts(of: .plain) {
            #expect(style.foreground == nil && style.background == nil, "\(name)")
        }
    }

    /// The parts of a theme that are rules, so they have no text.
    private static let lines: Set = ["gridLine", "headerLine"]

    @Test(arguments: ["dark", "light", "contrast"]) func `A5: all text is legible on its background`(name: String) throws {
        let theme = try #require(Theme.presets.first { $0.name == name })
        let minimum = theme.name == "contrast" ? 7 : 4.5
        for (name, style) in parts(of: theme) where !Self.lines.contains(name) {
            let text = style.foreground ?? theme.ground.foreground!
            let ground = style.background ?? theme.ground.background!
            let contrast = text.contrast(with: ground)
            #expect(contrast >= minimum, "\(theme.name): \(name) has a contrast of \(contrast)")
        }
        // The cursor uses reverse video: its text has the theme's background color, including on a selected cell.
        #expect(theme.cursor.traits.contains(.reverse))
        #expect(theme.cursor.foreground!.contrast(with: theme.ground.background!) >= minimum)
        // Parts with a background also carry text of other parts: header details and marks.
        for ground in [theme.stuckSectionHeader, theme.chip, theme.panel] {
            let contrast = theme.sectionDetail.foreground!.contrast(with: ground.background!)
            #expect(contrast >= minimum, "\(theme.name): details have a contrast of \(contrast)")
        }
    }

    private func parts(of theme: Theme) -> [(String, CellStyle)] {
        Mirror(reflecting: theme).children.compactMap { child in
            guard let label = child.label, let style = child.value as? CellStyle else { return nil }
            return (label, style)
        }
    }
}
