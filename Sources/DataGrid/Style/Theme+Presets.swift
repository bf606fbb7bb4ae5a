/// The colors of a preset, by their purpose. The initializer of a preset assigns these colors to the parts of the theme.
private struct Palette {
    var background: UInt32
    var text: UInt32
    var quiet: UInt32
    var line: UInt32
    var accent: UInt32
    var accentText: UInt32
    var bar: UInt32
    var selection: UInt32
    var section: UInt32
    var match: UInt32
    var currentMatch: UInt32
    var currentMatchText: UInt32
    var number: UInt32
    var time: UInt32
    var flag: UInt32
    var rise: UInt32
    var fall: UInt32
    var riseBackground: UInt32
    var fallBackground: UInt32
    var updateBackground: UInt32
}

extension Theme {
    /// The preset for terminals with a dark background. It keeps the background of the terminal.
    public static let dark = Theme(
        name: "dark",
        Palette(
            background: 0x1c1c1c, text: 0xe4e4e4, quiet: 0x9e9e9e, line: 0x585858, accent: 0x5fafff, accentText: 0x080808, bar: 0x303030,
            selection: 0x00415f, section: 0xd7af5f, match: 0x5f5f00, currentMatch: 0xffd75f, currentMatchText: 0x080808, number: 0x87afd7,
            time: 0xd7af87, flag: 0x87af87, rise: 0x87d787, fall: 0xff8787, riseBackground: 0x124a22, fallBackground: 0x5f1a1a,
            updateBackground: 0x6e5a00))

    /// The preset for terminals with a light background. It keeps the background of the terminal.
    public static let light = Theme(
        name: "light",
        Palette(
            background: 0xffffff, text: 0x121212, quiet: 0x5f5f5f, line: 0xb2b2b2, accent: 0x005faf, accentText: 0xffffff, bar: 0xeeeeee,
            selection: 0xb8dcff, section: 0x875f00, match: 0xffffaf, currentMatch: 0xffaf00, currentMatchText: 0x080808, number: 0x005f87,
            time: 0x875f00, flag: 0x005f00, rise: 0x005f00, fall: 0xaf0000, riseBackground: 0xc8f0c8, fallBackground: 0xffdada,
            updateBackground: 0xffd700))

    /// The preset with maximum contrast: black, white and one color for each highlighted part.
    public static let contrast: Theme = {
        var theme = Theme(
            name: "contrast",
            Palette(
                background: 0x000000, text: 0xffffff, quiet: 0xd0d0d0, line: 0xd0d0d0, accent: 0xffff00, accentText: 0x000000,
                bar: 0x000000, selection: 0x0000af, section: 0x00ffff, match: 0x005f00, currentMatch: 0x00ff00,
                currentMatchText: 0x000000, number: 0xffffff, time: 0xffffff, flag: 0xffffff, rise: 0x00ff00, fall: 0xff8787,
                riseBackground: 0x003f00, fallBackground: 0x3f0000, updateBackground: 0x5a4e00))
        theme.row = CellStyle(foreground: Color(0xffffff), background: Color(0x000000))
        theme.accessory = CellStyle(foreground: Color(0xffffff))
        return theme
    }()

    /// The preset for terminals without colors (`NO_COLOR`): bold, underlined and reversed text replace colors.
    public static let plain: Theme = {
        var theme = Theme(name: "plain", ground: .none)
        func set(_ traits: TextTraits, _ parts: [ThemePart]) { for part in parts { theme[part] = CellStyle(traits: traits) } }
        // Bold text is enough for both rise and fall, because a mark (▲ or ▼) tells them apart.
        set(
            .bold,
            [
                .currentRowHeader, .rise, .fall, .update, .header, .sectionHeader, .totals, .armedStrip, .insertionMark, .title, .hintKey,
                .message,
            ])
        set(
            .dim,
            [
                .rowHeader, .gridLine, .mark, .accessory, .headerLine, .textType, .numberType, .timeType, .flagType, .bottomEdge, .strip,
                .dragTint, .titleDetail, .scrollBar, .hint,
            ])
        set(.reverse, [.cursor, .panelSelection])
        set(.underline, [.selection, .chip])
        set([.underline, .bold], [.match, .stuckSectionHeader, .updatedRow])
        set([.underline, .dim], [.unreadable])
        set([.reverse, .bold], [.currentMatch, .currentHeader, .error])
        return theme
    }()

    /// The presets, in the order in which the command that changes the theme shows them.
    public static let presets: [Theme] = [.dark, .light, .contrast, .plain]

    private init(name: String, _ palette: Palette) {
        self.init(name: name, ground: CellStyle(foreground: Color(palette.text), background: Color(palette.background)))
        func text(_ hex: UInt32, _ traits: TextTraits = []) -> CellStyle { CellStyle(foreground: Color(hex), traits: traits) }
        func colors(_ text: UInt32, _ background: UInt32, _ traits: TextTraits = []) -> CellStyle {
            CellStyle(foreground: Color(text), background: Color(background), traits: traits)
        }
        // Parts that change with every cursor motion should be drawn with few bytes. Therefore these parts use an attribute instead of a
        // color, or share a color.
        let dim = CellStyle(traits: .dim)
        card = CellStyle(background: Color(palette.bar))
        currentRowHeader = text(palette.accent)
        gridLine = text(palette.line)
        frozenEdge = text(palette.quiet)
        selection = colors(palette.text, palette.selection)
        cursor = text(palette.accent, .reverse)
        match = colors(palette.text, palette.match)
        currentMatch = colors(palette.currentMatchText, palette.currentMatch)
        mark = dim
        unreadable = CellStyle(traits: .underline)
        rise = colors(palette.rise, palette.riseBackground)
        fall = colors(palette.fall, palette.fallBackground)
        update = CellStyle(background: Color(palette.updateBackground))
        updatedRow = update
        dataBar = text(palette.number)
        negativeDataBar = text(palette.fall)
        sparkline = text(palette.accent)
        accessory = text(palette.quiet)
        header = colors(palette.text, palette.bar, .bold)
        currentHeader = colors(palette.accent, palette.bar, .bold)
        headerLine = colors(palette.line, palette.bar)
        sortBadge = colors(palette.accent, palette.bar, .bold)
        textType = colors(palette.quiet, palette.bar)
        numberType = colors(palette.number, palette.bar)
        timeType = colors(palette.time, palette.bar)
        flagType = colors(palette.flag, palette.bar)
        sectionHeader = text(palette.section, .bold)
        stuckSectionHeader = colors(palette.section, palette.bar, .bold)
        sectionDetail = text(palette.quiet)
        totals = colors(palette.text, palette.bar, .bold)
        bottomEdge = text(palette.quiet)
        strip = text(palette.quiet)
        armedStrip = text(palette.accent, .bold)
        dragTint = colors(palette.text, palette.selection)
        insertionMark = text(palette.accent, .bold)
        title = text(palette.text, .bold)
        titleDetail = text(palette.quiet)
        chip = colors(palette.text, palette.bar)
        self.progress = text(palette.accent)
        scrollBar = .none
        hint = text(palette.quiet)
        hintKey = text(palette.text, .bold)
        message = text(palette.accent)
        error = text(palette.fall, .bold)
        panel = colors(palette.text, palette.bar)
        panelSelection = colors(palette.accentText, palette.accent)
    }
}
