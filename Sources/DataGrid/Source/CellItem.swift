public import FieldValues

/// What a cell holds, or a header: a value that the grid formats, or a small picture.
public indirect enum CellItem: Hashable, Sendable {
    /// The content's text, read as its column's kind.
    case text
    /// A number, shown as the column's format has it.
    case number(Double)
    /// A whole number, exactly.
    case integer(Int64)
    /// A date, a time or both, by the kind: microseconds since 1970-01-01 00:00, or since midnight for a time.
    case moment(microseconds: Int64, ValueKind)
    /// ✓ or ✗.
    case flag(Bool)
    /// A glyph.
    case icon(Icon)
    /// A bar as long as a part of the cell.
    case bar(DataBar)
    /// Values as a line of bars.
    case sparkline(Sparkline)

    /// What it says as text, to copy and to search: numbers as they are, points in time in the one form, the name of an icon, the text of
    /// a bar; nothing for a sparkline.
    public var plainText: String {
        switch self {
        case .text, .sparkline: ""
        case .number(let value): Int64(exactly: value).map(String.init) ?? value.description
        case .integer(let value): String(value)
        case .moment(let microseconds, let kind): DateText.text(ofMicroseconds: microseconds, kind: kind)
        case .flag(let isSet): isSet ? "true" : "false"
        case .icon(let icon): icon.name
        case .bar(let bar): bar.text
        }
    }
}

/// A glyph that stands for something.
public struct Icon: Hashable, Sendable {
    /// One character or few.
    public var glyph: String
    /// What stands in its place where only ASCII is shown.
    public var fallback: String
    /// What it means, in words: it is copied and searched in place of the glyph.
    public var name: String
    /// Its own style, over that of its cell; `nil`: as text.
    public var style: CellStyle?

    /// An icon of this glyph.
    public init(_ glyph: String, fallback: String, name: String = "", style: CellStyle? = nil) {
        self.glyph = glyph
        self.fallback = fallback
        self.name = name
        self.style = style
    }
}

/// A number as the length of a bar.
public struct DataBar: Hashable, Sendable {
    /// Where the text of a bar stands.
    public enum TextPlace: Hashable, Sendable {
        /// Over the bar, which has the whole cell; aligned as the column is.
        case over
        /// At the right of the bar, which has the rest of the cell.
        case beside
    }

    /// How long it is, in `0 ... 1`; in `-1 ... 1` for a signed one. What is beyond is cut, NaN is no bar.
    public var fraction: Double
    /// Whether 0 is in the middle of the bar's room, so that numbers below it have bars to the left.
    public var isSigned: Bool
    /// What is written.
    public var text: String
    /// Where the text stands.
    public var textPlace: TextPlace
    /// The terminal cells kept for a text beside the bar, so that the bars of a column have one scale; more where the text needs more.
    public var textWidth: Int
    /// Its style, the colour as foreground; `nil`: the theme's.
    public var style: CellStyle?

    /// A bar of this length.
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

/// Numbers as a chart of one line, a terminal cell for each, or for the mean of several where there are more than the cell is wide.
public struct Sparkline: Hashable, Sendable {
    /// The numbers, from left to right; what is not finite is a gap.
    public var values: [Double]
    /// What the lowest and the highest mark stand for; `nil`: the least and the greatest of the values.
    public var range: ClosedRange<Double>?
    /// Its style; `nil`: the theme's.
    public var style: CellStyle?

    /// A chart of these numbers.
    public init(_ values: [Double], range: ClosedRange<Double>? = nil, style: CellStyle? = nil) {
        self.values = values
        self.range = range
        self.style = style
    }

    /// The height of each mark when `width` cells are there, in `0 ..< count`; `nil` for a gap. Where all are the same they are in the
    /// middle. O(values).
    public func levels(width: Int, count: Int) -> [Int?] {
        let means = means(width: width)
        let finite = means.compactMap { $0 }
        guard count > 0, let least = range?.lowerBound ?? finite.min(), let most = range?.upperBound ?? finite.max() else {
            return means.map { _ in nil }
        }
        // Halves: the distance between two numbers need not be one.
        let extent = most / 2 - least / 2
        return means.map { mean in
            guard let mean else { return nil }
            guard extent > 0 else { return (count - 1) / 2 }
            let part = (mean / 2 - least / 2) / extent
            return Int((part.clamped(to: 0...1) * Double(count - 1)).rounded())
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
