import DataGrid

/// Which glyphs a terminal shows in cells.
public enum GlyphSet: Hashable, Sendable {
    /// All of Unicode that has a width.
    case unicode
    /// ASCII alone: icons have their fallbacks, bars and charts stand in letters.
    case ascii

    /// Blocks that fill a cell from the left, from none of it to all, in eighths.
    var blocks: [String] {
        switch self {
        case .unicode: [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
        case .ascii: [" ", " ", " ", " ", "#", "#", "#", "#", "#"]
        }
    }

    /// Whether a block in reverse stands for the rest of the cell.
    var hasEighths: Bool { self == .unicode }

    var levels: [Character] {
        switch self {
        case .unicode: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        case .ascii: ["_", ".", ":", "-", "=", "+", "*", "#"]
        }
    }

    /// A line of the bright part of the scroll bar.
    var scrollThumb: String { self == .unicode ? "▐" : "#" }

    func glyph(of accessory: Accessory) -> String? {
        switch accessory {
        case .none: nil
        case .disclosure: self == .unicode ? "›" : ">"
        case .checkmark: self == .unicode ? "✓" : "x"
        case .detail: self == .unicode ? "ⓘ" : "i"
        }
    }

    /// The mark beside a value that has changed; `nil` for a change without a direction.
    func mark(of change: Highlights.Change) -> String? {
        switch change {
        case .update: nil
        case .rise: self == .unicode ? "▲" : "^"
        case .fall: self == .unicode ? "▼" : "v"
        }
    }
}
