/// How text is set apart beside its colours.
public struct TextTraits: OptionSet, Hashable, Sendable {
    /// A bit for each trait.
    public let rawValue: UInt8
    /// The traits whose bits are set.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Heavier strokes; on some terminals a brighter colour.
    public static let bold = TextTraits(rawValue: 1)
    /// Fainter than normal text.
    public static let dim = TextTraits(rawValue: 2)
    /// Slanted, where the terminal's font is.
    public static let italic = TextTraits(rawValue: 4)
    /// A line below the text.
    public static let underline = TextTraits(rawValue: 8)
    /// Foreground and background exchanged.
    public static let reverse = TextTraits(rawValue: 16)
    /// A line through the text.
    public static let strikethrough = TextTraits(rawValue: 32)
}

/// One layer of style: what it leaves `nil` shows through from the layer beneath.
public struct CellStyle: Hashable, Sendable {
    /// The colour of the text; `nil`: that of the layer beneath, in the end the terminal's own.
    public var foreground: Color?
    /// The colour behind the text; `nil`: that of the layer beneath, in the end the terminal's own.
    public var background: Color?
    /// Traits to add; a layer cannot take away those of the layers beneath.
    public var traits: TextTraits

    /// A layer that sets what is given.
    public init(foreground: Color? = nil, background: Color? = nil, traits: TextTraits = []) {
        self.foreground = foreground
        self.background = background
        self.traits = traits
    }

    /// A layer that changes nothing.
    public static let none = CellStyle()

    /// Lays `top` over this style.
    ///
    /// With `blending`, colours whose alpha is below 255 mix with what lies beneath, `base` where nothing does; without, the top colour
    /// wins. Traits add up.
    public mutating func lay(_ top: CellStyle, blending: Bool, base: CellStyle = .none) {
        foreground = Self.mix(top.foreground, foreground, blending, base.foreground)
        background = Self.mix(top.background, background, blending, base.background)
        traits.formUnion(top.traits)
    }

    /// This style with another one laid over it; see ``lay(_:blending:base:)``.
    public func with(_ top: CellStyle, blending: Bool = true, base: CellStyle = .none) -> CellStyle {
        var style = self
        style.lay(top, blending: blending, base: base)
        return style
    }

    /// This style as a layer that covers less: its colours with `part` / `whole` of their alpha. Traits are all or nothing, and stay.
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
        guard let ground = beneath ?? base else { return Color(red: top.red, green: top.green, blue: top.blue) }
        return top.blended(over: ground)
    }
}
