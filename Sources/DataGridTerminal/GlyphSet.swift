import DataGrid

/// The glyphs that a terminal can show in cells.
public enum GlyphSet: Hashable, Sendable {
    /// All Unicode characters except zero-width characters.
    case unicode
    /// ASCII only: icons use their fallbacks, bars and charts use letters and punctuation.
    case ascii

    /// Block glyphs that fill a cell from the left, ordered from empty to full. Unicode has one glyph for each eighth of a cell.
    var blocks: [String] {
        switch self {
        case .unicode: [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
        case .ascii: [" ", " ", " ", " ", "#", "#", "#", "#", "#"]
        }
    }

    /// True if ``blocks`` has a glyph for each eighth of a cell. With reversed colors, such a glyph fills a cell from the right.
    var hasEighths: Bool { self == .unicode }

    var levels: [Character] {
        switch self {
        case .unicode: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        case .ascii: ["_", ".", ":", "-", "=", "+", "*", "#"]
        }
    }

    /// The glyph of the scroll bar thumb.
    var scrollThumb: String { self == .unicode ? "▐" : "#" }

    /// The placeholder of a value that is not loaded yet. It resembles neither data nor the mark of a missing value.
    var pending: String { self == .unicode ? "░" : "~" }

    func glyph(of accessory: Accessory) -> String? {
        switch accessory {
        case .none: nil
        case .disclosure: self == .unicode ? "›" : ">"
        case .checkmark: self == .unicode ? "✓" : "x"
        case .detail: self == .unicode ? "ⓘ" : "i"
        }
    }

    /// The mark next to a changed value; `nil` for a change without a direction.
    func mark(of change: Highlights.Change) -> String? {
        switch change {
        case .update: nil
        case .rise: self == .unicode ? "▲" : "^"
        case .fall: self == .unicode ? "▼" : "v"
        }
    }
}
