public import FieldValues

/// The item shown in a cell or header: a value that the grid formats, or a small picture.
public indirect enum CellItem: Hashable, Sendable {
    /// The text of the cell's ``CellContent``, parsed and formatted according to the column's type.
    case text
    /// Several texts after one another, each with its own style. They wrap like plain text.
    case styled([TextRun])
    /// A number, drawn in the format of its column.
    case number(Double)
    /// A 64-bit integer, drawn in the format of its column.
    case integer(Int64)
    /// A date, a time or both, according to the kind. The value is in microseconds, since 1970-01-01 00:00 or, for a time, since
    /// midnight.
    case dateTime(microseconds: Int64, ValueKind)
    /// A Boolean, drawn as ✓ or ✗.
    case flag(Bool)
    /// A glyph with a meaning.
    case icon(Icon)
    /// A bar whose length shows a number.
    case bar(DataBar)
    /// A one-line chart of several numbers.
    case sparkline(Sparkline)

    /// The text to copy and search; empty for a sparkline.
    ///
    /// Numbers are not formatted. Dates and times have the form `2024-01-01 10:22:04`. The text of an icon is its name, and the text of a
    /// bar is the bar's own text.
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

/// A text with a style, as a part of the text of a cell.
public struct TextRun: Hashable, Sendable {
    /// The text, without its style.
    public var text: String
    /// The style that is drawn over the style of the cell; `nil` keeps the style of the cell. Under the cursor, the text has the style of
    /// the cursor.
    public var style: CellStyle?

    /// Creates a text with a style.
    public init(_ text: String, style: CellStyle? = nil) {
        self.text = text
        self.style = style
    }
}

/// A symbol in a cell or header, with its meaning in words.
public struct Icon: Hashable, Sendable {
    /// The symbol: one or a few characters.
    public var glyph: String
    /// The characters that replace ``glyph`` on terminals that show only ASCII.
    public var fallback: String
    /// The meaning of the symbol in words, which is copied and searched instead of the symbol.
    public var name: String
    /// The style that is drawn over the style of the cell; `nil` keeps the style of the cell.
    public var style: CellStyle?

    /// Creates an icon that shows `glyph`.
    public init(_ glyph: String, fallback: String, name: String = "", style: CellStyle? = nil) {
        self.glyph = glyph
        self.fallback = fallback
        self.name = name
        self.style = style
    }
}

/// A bar in a cell, whose length shows a number.
public struct DataBar: Hashable, Sendable {
    /// The position of a bar's text.
    public enum TextPosition: Hashable, Sendable {
        /// Over the bar, aligned like the text of the column. The bar can fill the whole cell.
        case over
        /// At the right of the bar. The bar can fill the rest of the cell.
        case beside
    }

    /// The length of the bar as a fraction of the available cells: `0 ... 1`, or `-1 ... 1` if ``isSigned``. Other values are clamped.
    /// NaN shows no bar.
    public var fraction: Double
    /// True if the bar starts in the middle of the cell: to the right for positive numbers, to the left for negative ones.
    public var isSigned: Bool
    /// The text of the bar.
    public var text: String
    /// The position of ``text`` relative to the bar.
    public var textPosition: TextPosition
    /// The number of terminal cells reserved for text at the right of the bar. If this width is the same in all cells, the bars of a column
    /// have the same scale. Longer text takes more terminal cells.
    public var textWidth: Int
    /// The style, whose foreground is the color of the bar; `nil` means the style in the theme.
    public var style: CellStyle?

    /// Creates a bar whose length is the fraction `fraction` of the available cells.
    public init(
        _ fraction: Double, isSigned: Bool = false, text: String = "", textPosition: TextPosition = .over, textWidth: Int = 0,
        style: CellStyle? = nil
    ) {
        self.fraction = fraction
        self.isSigned = isSigned
        self.text = text
        self.textPosition = textPosition
        self.textWidth = textWidth
        self.style = style
    }
}

/// A one-line chart of numbers in a cell. Each terminal cell shows one number or, if the cell is too narrow, the mean of several numbers.
public struct Sparkline: Hashable, Sendable {
    /// The numbers, from left to right. Infinities and NaN leave a gap.
    public var values: [Double]
    /// The numbers at the bottom and at the top of the chart; `nil` means the minimum and maximum of ``values``.
    public var range: ClosedRange<Double>?
    /// The style of the chart; `nil` means the style in the theme.
    public var style: CellStyle?

    /// Creates a chart of these numbers.
    public init(_ values: [Double], range: ClosedRange<Double>? = nil, style: CellStyle? = nil) {
        self.values = values
        self.range = range
        self.style = style
    }

    /// The height of the mark in each of `width` terminal cells, as a level in `0 ..< count`; `nil` for a gap. If all numbers are equal,
    /// each mark has the middle level. O(values).
    public func levels(width: Int, count: Int) -> [Int?] {
        let means = means(width: width)
        let finite = means.compactMap { $0 }
        guard count > 0, let minimum = range?.lowerBound ?? finite.min(), let maximum = range?.upperBound ?? finite.max() else {
            return means.map { _ in nil }
        }
        // Halve both numbers before subtracting. The difference of two finite numbers can be infinite.
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
        return (0..<width).map { cell in
            let finite = values[cell * values.count / width..<(cell + 1) * values.count / width].filter(\.isFinite)
            return finite.isEmpty ? nil : finite.reduce(0) { $0 + $1 / Double(finite.count) }
        }
    }
}
