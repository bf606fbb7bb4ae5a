/// The attributes of text, without its colors.
public struct TextTraits: OptionSet, Hashable, Sendable {
    /// The traits as one bit each.
    public let rawValue: UInt8
    /// Creates a set of traits from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Heavier strokes; on some terminals a brighter color.
    public static let bold = TextTraits(rawValue: 1)
    /// Fainter than normal text.
    public static let dim = TextTraits(rawValue: 2)
    /// Slanted, if the terminal's font supports it.
    public static let italic = TextTraits(rawValue: 4)
    /// A line below the text.
    public static let underline = TextTraits(rawValue: 8)
    /// Foreground and background exchanged.
    public static let reverse = TextTraits(rawValue: 16)
    /// A line through the text.
    public static let strikethrough = TextTraits(rawValue: 32)
}

/// A style that is drawn over other styles. Properties that are `nil` keep the value of the style below.
public struct CellStyle: Hashable, Sendable {
    /// The color of the text. `nil` keeps the color of the style below, or the terminal's default if no style sets one.
    public var foreground: Color?
    /// The color behind the text. `nil` keeps the color of the style below, or the terminal's default if no style sets one.
    public var background: Color?
    /// The traits to add to the traits of the styles below. A style cannot remove traits of the styles below.
    public var traits: TextTraits

    /// Creates a style; by default, it changes nothing.
    public init(foreground: Color? = nil, background: Color? = nil, traits: TextTraits = []) {
        self.foreground = foreground
        self.background = background
        self.traits = traits
    }

    /// A style that changes nothing.
    public static let none = CellStyle()

    /// Draws the style `top` over this style.
    ///
    /// With `blending`, colors of `top` whose alpha is below 255 mix with the color below. If no color is set below, these colors mix with
    /// the color of `base`. Without `blending`, the colors of `top` replace the colors below. The traits of both styles apply.
    public mutating func apply(_ top: CellStyle, blending: Bool, base: CellStyle = .none) {
        foreground = Self.mix(top.foreground, foreground, blending, base.foreground)
        background = Self.mix(top.background, background, blending, base.background)
        traits.formUnion(top.traits)
    }

    /// Returns this style with the style `top` drawn over it; see ``apply(_:blending:base:)``.
    public func applying(_ top: CellStyle, blending: Bool = true, base: CellStyle = .none) -> CellStyle {
        var style = self
        style.apply(top, blending: blending, base: base)
        return style
    }

    /// Returns this style with the alpha of its colors multiplied by the fraction `part` / `whole`. Traits do not change.
    public func faded(to part: Int, of whole: Int) -> CellStyle {
        var style = self
        for color in [\CellStyle.foreground, \.background] {
            guard let alpha = style[keyPath: color]?.alpha else { continue }
            style[keyPath: color]?.alpha = UInt8(Int(alpha) * part.clamped(to: 0...max(0, whole)) / max(1, whole))
        }
        return style
    }

    private static func mix(_ top: Color?, _ beneath: Color?, _ blending: Bool, _ base: Color?) -> Color? {
        guard let top else { return beneath }
        guard blending, top.alpha < 255 else { return Color(red: top.red, green: top.green, blue: top.blue) }
        guard let lower = beneath ?? base else { return Color(red: top.red, green: top.green, blue: top.blue) }
        return top.blended(over: lower)
    }
}
