public import FieldValues

/// The item shown in a cell or header: a value that the grid formats, or a small picture.
public indirect enum CellItem: Hashable, Sendable {
    /// The text of the cell's ``CellContent``, parsed and formatted according to the type of its column.
    case text
    /// Text of several pieces with their own styles. It wraps like text.
    case styled([TextRun])
    /// A number, shown in the column's format.
    case number(Double)
    /// A 64-bit integer.
    case integer(Int64)
    /// A date, a time or both, depending on the kind: microseconds since 1970-01-01 00:00, or since midnight for a time.
    case dateTime(microseconds: Int64, ValueKind)
    /// ✓ or ✗.
    case flag(Bool)
    /// A glyph.
    case icon(Icon)
    /// A bar whose length is a fraction of the cell.
    case bar(DataBar)
    /// A one-line chart of several numbers.
    case sparkline(Sparkline)

    /// The text to copy and search; empty for a sparkline.
    ///
    /// Numbers are not formatted, and dates and times have the form `2024-01-01 10:22:04`. The text of an icon is its name, and the text of
    /// a bar is the bar's own text.
    public var plainText: String {
        switch self {
        case .text, .sparkline: ""
        case .styled(let runs): runs.map(\.text).joined()
        case .number(let value): Int64(exactly: value).map(String.init) ?? value.description
        case .integer(let value): String(value)
        case .dateTime(let microseconds, let kind): DateText.text(ofMicroseconds: microseconds, kind: kind)
        case .flag(let isSet): isSet ? "true" : "false"
        case .icon(let icon): icon.name
        case .bar(let bar): bar.text
        }
    }
}

/// A piece of text with a style.
public struct TextRun: Hashable, Sendable {
    /// The text of the piece.
    public var text: String
    /// The style layer over the style of the cell; `nil` means no layer. Under the cursor, the text has the style of the cursor.
    public var style: CellStyle?

    /// Creates a piece of text.
    public init(_ text: String, style: CellStyle? = nil) {
        self.text = text
        self.style = style
    }
}

/// A glyph with a meaning.
public struct Icon: Hashable, Sendable {
    /// The glyph: one or a few characters.
    public var glyph: String
    /// The replacement on ASCII terminals.
    public var fallback: String
    /// The meaning in words, which is copied and searched instead of the glyph.
    public var name: String
    /// The style layer over the style of the cell; `nil` means the style of text.
    public var style: CellStyle?

    /// Creates an icon with this glyph.
    public init(_ glyph: String, fallback: String, name: String = "", style: CellStyle? = nil) {
        self.glyph = glyph
        self.fallback = fallback
        self.name = name
        self.style = style
    }
}

/// A number shown as the length of a bar.
public struct DataBar: Hashable, Sendable {
    /// The position of a bar's text.
    public enum TextPlace: Hashable, Sendable {
        /// Over the bar, aligned like the column. The full cell is the scale of the bar.
        case over
        /// At the right of the bar. The rest of the cell is the scale of the bar.
        case beside
    }

    /// The length, in `0 ... 1`, or in `-1 ... 1` for a signed bar. Values outside are clamped; NaN shows no bar.
    public var fraction: Double
    /// True if 0 is in the middle and negative numbers have bars to the left.
    public var isSigned: Bool
    /// The text of the bar.
    public var text: String
    /// The position of the text.
    public var textPlace: TextPlace
    /// The number of terminal cells reserved for text next to the bar, so that all bars of a column have the same scale. A longer text
    /// takes more cells.
    public var textWidth: Int
    /// The style, with the bar's color as foreground; `nil` means the theme's style.
    public var style: CellStyle?

    /// Creates a bar of this length.
    public init(
        _ fraction: Double, isSigned: Bool = false, text: String = "", textPlace: TextPlace = .over, textWidth: Int = 0,
        style: CellStyle? = nil
    ) {
        self.fraction = fraction
        self.isSigned = isSigned
        self.text = text
        self.textPlace = textPlace
        self.textWidth = textWidth
        self.style = style
    }
}

/// Numbers as a one-line chart. Each terminal cell shows one number, or the mean of several numbers if the cell of the grid is too narrow.
public struct Sparkline: Hashable, Sendable {
    /// The numbers, from left to right; values that are not finite are gaps.
    public var values: [Double]
    /// The values at the bottom and at the top of the chart; `nil` means the minimum and maximum of the numbers.
    public var range: ClosedRange<Double>?
    /// The style; `nil` means the theme's style.
    public var style: CellStyle?

    /// Creates a chart of these numbers.
    public init(_ values: [Double], range: ClosedRange<Double>? = nil, style: CellStyle? = nil) {
        self.values = values
        self.range = range
        self.style = style
    }

    /// The level of the mark in each of `width` cells, in `0 ..< count`; `nil` for a gap. If all numbers are equal, the marks have the
    /// middle level. O(values).
    public func levels(width: Int, count: Int) -> [Int?] {
        let means = means(width: width)
        let finite = means.compactMap { $0 }
        guard count > 0, let minimum = range?.lowerBound ?? finite.min(), let maximum = range?.upperBound ?? finite.max() else {
            return means.map { _ in nil }
        }
        // Halve the values first, because the difference of two finite numbers can overflow.
        let extent = maximum / 2 - minimum / 2
        return means.map { mean in
            guard let mean else { return nil }
            guard extent > 0 else { return (count - 1) / 2 }
            let fraction = (mean / 2 - minimum / 2) / extent
            return Int((fraction.clamped(to: 0...1) * Double(count - 1)).rounded())
        }
    }

    private func means(width: Int) -> [Double?] {
        guard width > 0 else { return [] }
        guard values.count > width else { return values.map { $0.isFinite ? $0 : nil } }
        return (0..<width).map { place in
            let finite = values[place * values.count / width..<(place + 1) * values.count / width].filter(\.isFinite)
            return finite.isEmpty ? nil : finite.reduce(0) { $0 + $1 / Double(finite.count) }
        }
    }
}
