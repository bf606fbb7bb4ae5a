/// How rows are laid out in the frame.
public enum GridPresentation: Hashable, Sendable, Codable {
    /// A line for each row, columns beside each other.
    case table
    /// The other way round: a line for each column, rows beside each other.
    case transposed
    /// A card for each row, its columns in the card's slots; as many cards side by side as fit, or one a line.
    case cards
    /// A table in frames of at least so many terminal cells, cards in narrower ones.
    case adaptive(below: Int)

    /// Reads a presentation; an adaptive one up to 10,000 terminal cells.
    public init(from decoder: any Decoder) throws {
        let decoded = try DecodedCase(from: decoder)
        switch decoded.name {
        case "table": self = .table
        case "transposed": self = .transposed
        case "cards": self = .cards
        case "adaptive": self = .adaptive(below: try decoded.value("below", within: DecodingLimits.cells))
        default: throw decoded.unknown
        }
    }

    var limited: GridPresentation {
        if case .adaptive(let width) = self { return .adaptive(below: width.clamped(to: DecodingLimits.cells)) }
        return self
    }
}
