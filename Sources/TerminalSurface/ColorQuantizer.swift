struct ColorQuantizer {
    let depth: ColorDepth
    private var lastStyle = TextStyle.plain
    private var lastResult = ScreenStyle(bits: 0)

    init(depth: ColorDepth) { self.depth = depth }

    /// The equivalent of `style` in the colors of the terminal. The last result is cached, because adjacent cells often share a style.
    @inline(__always)
    mutating func callAsFunction(_ style: TextStyle) -> ScreenStyle {
        if style == lastStyle { return lastResult }
        lastStyle = style
        lastResult = reduce(style)
        return lastResult
    }

    private func reduce(_ style: TextStyle) -> ScreenStyle {
        var foreground = reduce(style.foreground)
        let background = reduce(style.background)
        if depth == .ansi16, foreground == background, foreground != .terminalDefault, style.foreground != style.background {
            // Sixteen colors cannot show a subtle contrast; a strong one keeps the text readable.
            foreground = ScreenColor(palette: Self.luminance(style.background) > 127 ? 0 : 15)
        }
        return ScreenStyle(foreground: foreground, background: background, attributes: style.attributes)
    }

    private func reduce(_ color: TerminalColor) -> ScreenColor {
        guard !color.isDefault else { return .terminalDefault }
        switch depth {
        case .none: return .terminalDefault
        case .ansi16: return ScreenColor(palette: Self.nearestOf16(color))
        case .indexed256: return ScreenColor(palette: Self.nearestOf256(color))
        case .trueColor: return Self.exactIndex(color).map { ScreenColor(palette: $0) } ?? ScreenColor(color)
        }
    }
}

extension ColorQuantizer {
    /// The level of each primary in the 6 × 6 × 6 cube of xterm's palette.
    private static func cubeStep(_ level: Int) -> Int { level == 0 ? 0 : 55 + 40 * level }

    /// The index of a color that is exactly in the fixed part of xterm's palette (16–255), because its sequence is shorter.
    static func exactIndex(_ color: TerminalColor) -> Int? {
        func level(_ value: UInt8) -> Int? {
            if value == 0 { return 0 }
            let (level, rest) = (Int(value) - 55).quotientAndRemainder(dividingBy: 40)
            return rest == 0 && level > 0 ? level : nil
        }
        if let red = level(color.red), let green = level(color.green), let blue = level(color.blue) {
            return 16 + 36 * red + 6 * green + blue
        }
        guard color.red == color.green, color.green == color.blue, color.red >= 8, color.red <= 238, (color.red - 8) % 10 == 0 else {
            return nil
        }
        return 232 + (Int(color.red) - 8) / 10
    }

    static func nearestOf256(_ color: TerminalColor) -> Int {
        func level(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
        let (red, green, blue) = (level(color.red), level(color.green), level(color.blue))
        let cube = rgb(Int32(cubeStep(red)), Int32(cubeStep(green)), Int32(cubeStep(blue)))
        let average = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
        let gray = min(23, max(0, (average - 3) / 10))
        let grayLevel = Int32(8 + 10 * gray)
        let own = rgb(Int32(color.red), Int32(color.green), Int32(color.blue))
        return distance(own, rgb(grayLevel, grayLevel, grayLevel)) < distance(own, cube) ? 232 + gray : 16 + 36 * red + 6 * green + blue
    }

    static func nearestOf16(_ color: TerminalColor) -> Int {
        let own = rgb(Int32(color.red), Int32(color.green), Int32(color.blue))
        return (0..<16).min { distance(own, palette16[$0]) < distance(own, palette16[$1]) } ?? 0
    }

    static func luminance(_ color: TerminalColor) -> Int {
        (299 * Int(color.red) + 587 * Int(color.green) + 114 * Int(color.blue)) / 1000
    }

    private static func rgb(_ red: Int32, _ green: Int32, _ blue: Int32) -> SIMD4<Int32> { SIMD4(red, green, blue, 0) }

    /// The perceived difference of two colors: Thiadmer Riemersma, "Colour metric" (the weights depend on the mean of the reds).
    private static func distance(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> Int32 {
        let mean = (a.x + b.x) / 2
        let d = a &- b
        return ((512 + mean) * d.x * d.x) >> 8 + 4 * d.y * d.y + ((767 - mean) * d.z * d.z) >> 8
    }

    /// The first sixteen colors of xterm. Users change them, so the result is approximate.
    static let palette16: [SIMD4<Int32>] = [
        rgb(0, 0, 0), rgb(205, 0, 0), rgb(0, 205, 0), rgb(205, 205, 0), rgb(0, 0, 238), rgb(205, 0, 205), rgb(0, 205, 205),
        rgb(229, 229, 229),
        rgb(127, 127, 127), rgb(255, 0, 0), rgb(0, 255, 0), rgb(255, 255, 0), rgb(92, 92, 255), rgb(255, 0, 255), rgb(0, 255, 255),
        rgb(255, 255, 255),
    ]
}
