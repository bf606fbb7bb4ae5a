/// How text is set apart beside its colours.
public struct TextTraits: OptionSet, Hashable, Sendable, Codable {
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
public struct CellStyle: Hashable, Sendable, Codable {
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
    /// The theme's style of all rows.
    public var row: CellStyle?
    /// The theme's style of every second row, counted anew in each section.
    public var alternateRow: CellStyle?
    /// The column's own style (``Column/style``).
    public var column: CellStyle?
    /// The delegate's style of the section's rows.
    public var section: CellStyle?
    /// The delegate's style of the row.
    public var delegateRow: CellStyle?
    /// The delegate's style of the cell.
    public var delegateCell: CellStyle?
    /// A value that has just changed.
    public var highlight: CellStyle?
    /// The theme's tint of selected cells.
    public var selection: CellStyle?
    /// The cell under the cursor.
    public var cursor: CellStyle?

    /// No layers.
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
