/// The visible content of a terminal cell, in 16 bytes that are compared as two integers.
///
/// Frames are converted to this form before they are compared. Colors are reduced to the colors of the terminal, and blanks lose their
/// invisible attributes. Two frames that look the same on this terminal are then equal, and nothing is written.
struct ScreenCell: Equatable {
    /// The spacing scalar in bits 0–20, the width in bits 21–22, the combining marks in bits 32–63.
    var text: UInt64
    var style: ScreenStyle

    static let blank = ScreenCell(text: blankText, style: ScreenStyle(bits: 0))
    static let blankText: UInt64 = 0x20 | 1 << 21

    @inline(__always)
    init(text: UInt64, style: ScreenStyle) {
        self.text = text
        self.style = style
    }

    /// Creates a cell with `style`, the cell's style in the terminal's colors.
    @inline(__always)
    init(_ cell: Cell, style: ScreenStyle) {
        text = UInt64(cell.scalar & 0x1F_FFFF) | UInt64(cell.width & 3) << 21 | UInt64(cell.combiningMarks) << 32
        self.style = text == Self.blankText ? style.reducedForBlank : style
    }

    var scalar: UInt32 { UInt32(truncatingIfNeeded: text) & 0x1F_FFFF }
    var width: Int { Int(text >> 21 & 3) }
    var combiningMarks: UInt32 { UInt32(truncatingIfNeeded: text >> 32) }

    @inline(__always)
    var isBlank: Bool { text == Self.blankText }

    @inline(__always)
    static func == (a: ScreenCell, b: ScreenCell) -> Bool { a.text == b.text && a.style == b.style }
}

/// The attributes and the colors of a cell, as the terminal shows them, in one integer.
struct ScreenStyle: Equatable {
    /// The foreground in bits 0–25, the background in bits 26–51, the attributes in bits 52–57. A color has 24 bits for its value; the 2
    /// bits above them tell default, palette index and RGB apart.
    var bits: UInt64

    @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    init(foreground: ScreenColor, background: ScreenColor, attributes: TextAttributes) {
        bits = UInt64(foreground.bits) | UInt64(background.bits) << 26 | UInt64(attributes.rawValue & 0x3F) << 52
    }

    var foreground: ScreenColor { ScreenColor(bits: UInt32(truncatingIfNeeded: bits) & 0x3FF_FFFF) }
    var background: ScreenColor { ScreenColor(bits: UInt32(truncatingIfNeeded: bits >> 26) & 0x3FF_FFFF) }
    var attributes: TextAttributes { TextAttributes(rawValue: UInt8(truncatingIfNeeded: bits >> 52) & 0x3F) }

    private static let lineAttributes: TextAttributes = [.underline, .reverse, .strikethrough]

    /// True if a blank in this style shows more than its background, such as an underline.
    @inline(__always)
    var showsOnBlank: Bool { bits >> 52 & UInt64(Self.lineAttributes.rawValue) != 0 }

    /// The style with only its background, as it appears on a blank. A style whose attributes are visible on a blank stays unchanged.
    @inline(__always)
    var reducedForBlank: ScreenStyle { showsOnBlank ? self : ScreenStyle(bits: bits & 0x3FF_FFFF << 26) }

    /// True if a blank of style `blank` looks the same when it is written in this style.
    @inline(__always)
    func canWrite(blank: ScreenStyle) -> Bool { self == blank || (!showsOnBlank && !blank.showsOnBlank && reducedForBlank == blank) }
}

/// A color of a terminal: the default, a palette index, or red, green and blue.
struct ScreenColor: Equatable {
    var bits: UInt32

    static let terminalDefault = ScreenColor(bits: 0)

    init(bits: UInt32) { self.bits = bits }
    init(palette index: Int) { bits = 1 << 24 | UInt32(index) }
    init(_ color: TerminalColor) { bits = 2 << 24 | color.rawValue & 0xFF_FFFF }

    var isPalette: Bool { bits >> 24 == 1 }
    /// The index in the palette; `nil` if the color is the default or RGB.
    var paletteIndex: Int? { isPalette ? Int(value) : nil }
    /// The palette index, or `0xRRGGBB` for an RGB color.
    var value: UInt32 { bits & 0xFF_FFFF }
}
