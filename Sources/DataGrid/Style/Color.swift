/// A color of 8-bit red, green, blue, and alpha (255 is opaque).
public struct Color: Hashable, Sendable {
    /// The red component, 0 to 255, in sRGB.
    public var red: UInt8
    /// The green component, 0 to 255, in sRGB.
    public var green: UInt8
    /// The blue component, 0 to 255, in sRGB.
    public var blue: UInt8
    /// Opacity: 0 is transparent, 255 is opaque.
    public var alpha: UInt8

    /// Creates a color from its components, opaque by default.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Creates a color from `0xRRGGBB`.
    public init(_ hex: UInt32, alpha: UInt8 = 255) {
        self.init(
            red: UInt8(truncatingIfNeeded: hex >> 16), green: UInt8(truncatingIfNeeded: hex >> 8), blue: UInt8(truncatingIfNeeded: hex),
            alpha: alpha)
    }

    /// Returns the color that is visible if this color is drawn over the color `beneath`, according to this color's alpha.
    public func blended(over beneath: Color) -> Color {
        let a = Int(alpha)
        func mix(_ top: UInt8, _ bottom: UInt8) -> UInt8 { UInt8((Int(top) * a + Int(bottom) * (255 - a) + 127) / 255) }
        return Color(
            red: mix(red, beneath.red), green: mix(green, beneath.green), blue: mix(blue, beneath.blue),
            alpha: UInt8(a + Int(beneath.alpha) * (255 - a) / 255))
    }

    /// The relative luminance in `0 ... 1` (WCAG 2.1), which is 0 for black and 1 for white.
    public var luminance: Double {
        func linear(_ value: UInt8) -> Double {
            // This polynomial approximates ((c + 0.055) / 1.055) ^ 2.4 with an error below 0.002. `pow` would need Foundation, which the
            // library does not import.
            let c = Double(value) / 255
            return c <= 0.04045 ? c / 12.92 : c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The contrast between two colors, from 1 to 21 (WCAG 2.1); 4.5 is the minimum for readable text.
    public func contrast(with other: Color) -> Double {
        let (a, b) = (luminance, other.luminance)
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }
}
