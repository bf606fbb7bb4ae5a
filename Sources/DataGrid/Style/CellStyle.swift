/// How text is set apart beside its colours.
public struct TextTraits: OptionSet, Hashable, Sendable, Codable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bold = TextTraits(rawValue: 1)
    public static let dim = TextTraits(rawValue: 2)
    public static let italic = TextTraits(rawValue: 4)
    public static let underline = TextTraits(rawValue: 8)
    public static let reverse = TextTraits(rawValue: 16)
    public static let strikethrough = TextTraits(rawValue: 32)
}

/// One layer of style: what it leaves `nil` shows through from the layer beneath.
public struct CellStyle: Hashable, Sendable, Codable {
    public var foreground: Color?
    public var background: Color?
    public var traits: TextTraits

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

    private static func mix(_ top: Color?, _ beneath: Color?, _ blending: Bool, _ base: Color?) -> Color? {
        guard let top else { return beneath }
        guard blending, top.alpha < 255 else { return Color(red: top.red, green: top.green, blue: top.blue) }
        guard let ground = beneath ?? base else { return Color(red: top.red, green: top.green, blue: top.blue) }
        return top.blended(over: ground)
    }
}

/// The layers under a grid cell, from the lowest to the highest; what is `nil` is not there.
///
/// The order is fixed: default row, alternate row, column, section, the delegate's row, the delegate's cell, update highlight, selection,
/// cursor. Header cells do not use it: they take the header style alone.
public struct StyleLayers: Hashable, Sendable {
    public var row: CellStyle?
    public var alternateRow: CellStyle?
    public var column: CellStyle?
    public var section: CellStyle?
    public var delegateRow: CellStyle?
    public var delegateCell: CellStyle?
    public var highlight: CellStyle?
    public var selection: CellStyle?
    public var cursor: CellStyle?

    public init() {}

    /// The style that results.
    /// - Parameter base: what lies beneath everything: the terminal's own colours, as far as they are known.
    public func resolved(blending: Bool, base: CellStyle = .none) -> CellStyle {
        var style = CellStyle.none
        for layer in [row, alternateRow, column, section, delegateRow, delegateCell, highlight, selection, cursor] {
            if let layer { style.lay(layer, blending: blending, base: base) }
        }
        return style
    }
}
