/// Maps styles to the colors of a terminal. Text that is legible in full color stays legible in 256 and 16 colors.
struct ColorQuantizer {
    let depth: ColorDepth
    private var lastStyle = TextStyle.plain
    private var lastResult = ScreenStyle(bits: 0)
    /// The results for styles that occurred before, by a hash of the style. Frames use few styles, so most results are cached.
    private var cache: [(style: TextStyle, result: ScreenStyle)] = []

    init(depth: ColorDepth) { self.depth = depth }

    /// The style in the colors of the terminal that looks most like `style`.
    @inline(__always)
    mutating func callAsFunction(_ style: TextStyle) -> ScreenStyle {
        if style == lastStyle { return lastResult }
        lastStyle = style
        lastResult = depth == .indexed256 || depth == .ansi16 ? cachedResult(style) : reduce(style)
        return lastResult
    }

    private mutating func cachedResult(_ style: TextStyle) -> ScreenStyle {
        if cache.isEmpty { cache = Array(repeating: (.plain, ScreenStyle(bits: 0)), count: 64) }
        let hash = style.foreground.rawValue &* 0x9E37_79B1 ^ style.background.rawValue &* 0x85EB_CA77 ^ UInt32(style.attributes.rawValue)
        let index = Int(hash >> 7 ^ hash) & 63
        if cache[index].style != style { cache[index] = (style, reduce(style)) }
        return cache[index].result
    }

    private func reduce(_ style: TextStyle) -> ScreenStyle {
        var foreground = reduce(style.foreground)
        var background = reduce(style.background)
        if depth == .ansi16 || depth == .indexed256, !style.foreground.isDefault {
            // If the background is the unknown default of the terminal, assume that the theme suits it: light text means a dark
            // background.
            let text = style.foreground.luminance
            let unknown = text > Self.middleLuminance ? 0.0 : 1
            let original = Self.contrast(text, style.background.isDefault ? unknown : style.background.luminance)
            let behind = background.paletteIndex.map { Self.luminances[$0] } ?? unknown
            let drawn = foreground.paletteIndex.map { Self.luminances[$0] } ?? text
            let needed = original >= 7 ? 7 : original >= 4.5 ? 4.5 : foreground == background && original > 1 ? 3 : 0
            if Self.contrast(drawn, behind) < needed {
                if let index = color(near: style.foreground, over: behind, contrast: needed) {
                    foreground = ScreenColor(palette: index)
                } else if let index = color(near: style.background, over: drawn, contrast: needed) {
                    background = ScreenColor(palette: index)
                }
            }
        }
        return ScreenStyle(foreground: foreground, background: background, attributes: style.attributes)
    }

    /// The palette color most similar to `target` among the colors whose contrast with the luminance `backgroundLuminance` is at least
    /// `minimumContrast`. `nil` if there is no such color.
    private func color(near target: TerminalColor, over backgroundLuminance: Double, contrast minimumContrast: Double) -> Int? {
        // Skip the first sixteen colors of a palette of 256, because users may have changed them.
        let palette = depth == .ansi16 ? 0..<16 : 16..<256
        let parts = Self.rgb(Int32(target.red), Int32(target.green), Int32(target.blue))
        return palette.filter { Self.contrast(Self.luminances[$0], backgroundLuminance) >= minimumContrast }.min {
            Self.distance(parts, Self.palette[$0]) < Self.distance(parts, Self.palette[$1])
        }
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
    /// The intensity of a primary color at `level`, from 0 to 5, in the 6 × 6 × 6 color cube of xterm's palette.
    private static func cubeStep(_ level: Int) -> Int { level == 0 ? 0 : 55 + 40 * level }

    /// The palette index of a color that xterm's palette contains at 16–255; `nil` for other colors. A control sequence with an index is
    /// shorter than one with a color.
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
        let target = rgb(Int32(color.red), Int32(color.green), Int32(color.blue))
        return distance(target, rgb(grayLevel, grayLevel, grayLevel)) < distance(target, cube)
            ? 232 + gray : 16 + 36 * red + 6 * green + blue
    }

    static func nearestOf16(_ color: TerminalColor) -> Int {
        let target = rgb(Int32(color.red), Int32(color.green), Int32(color.blue))
        return (0..<16).min { distance(target, palette16[$0]) < distance(target, palette16[$1]) } ?? 0
    }

    /// The luminance that contrasts equally with black and with white. The background of lighter text is assumed to be dark, and the
    /// background of darker text light.
    private static let middleLuminance = 0.179

    /// The contrast of two luminances, from 1 to 21 (WCAG 2.1).
    static func contrast(_ a: Double, _ b: Double) -> Double { (max(a, b) + 0.05) / (min(a, b) + 0.05) }

    /// The red, green and blue of the 256 colors of xterm's palette.
    static let palette: [SIMD4<Int32>] = {
        var palette = palette16
        for index in 0..<216 {
            palette.append(rgb(Int32(cubeStep(index / 36)), Int32(cubeStep(index / 6 % 6)), Int32(cubeStep(index % 6))))
        }
        for step in 0..<24 as Range<Int32> { palette.append(rgb(8 + 10 * step, 8 + 10 * step, 8 + 10 * step)) }
        return palette
    }()

    /// The luminance of each color of ``palette``.
    private static let luminances = palette.map {
        TerminalColor(red: UInt8($0.x), green: UInt8($0.y), blue: UInt8($0.z)).luminance
    }

    private static func rgb(_ red: Int32, _ green: Int32, _ blue: Int32) -> SIMD4<Int32> { SIMD4(red, green, blue, 0) }

    /// The perceived difference of two colors: Thiadmer Riemersma, "Colour metric" (the weights depend on the mean of the reds).
    private static func distance(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> Int32 {
        let mean = (a.x + b.x) / 2
        let d = a &- b
        return ((512 + mean) * d.x * d.x) >> 8 + 4 * d.y * d.y + ((767 - mean) * d.z * d.z) >> 8
    }

    /// The first sixteen colors of xterm. Users may change these colors, so a choice among them is approximate.
    static let palette16: [SIMD4<Int32>] = [
        rgb(0, 0, 0), rgb(205, 0, 0), rgb(0, 205, 0), rgb(205, 205, 0), rgb(0, 0, 238), rgb(205, 0, 205), rgb(0, 205, 205),
        rgb(229, 229, 229),
        rgb(127, 127, 127), rgb(255, 0, 0), rgb(0, 255, 0), rgb(255, 255, 0), rgb(92, 92, 255), rgb(255, 0, 255), rgb(0, 255, 255),
        rgb(255, 255, 255),
    ]
}
