/// The arrangement of rows in the frame.
public enum GridPresentation: Hashable, Sendable, Codable {
    /// A horizontal line for each row, with columns side by side.
    case table
    /// A horizontal line for each column, with rows side by side.
    case transposed
    /// A card for each row, which shows columns in its slots. Cards are side by side if several fit.
    case cards
    /// A table if the frame is at least this many terminal cells wide, otherwise cards.
    case adaptive(below: Int)

    /// Decodes an arrangement. The width for ``adaptive(below:)`` can be at most 10,000 terminal cells.
    public init(from decoder: any Decoder) throws {
        let decoded = try DecodedCase(from: decoder)
        switch decoded.name {
        case "table": self = .table
        case "transposed": self = .transposed
        case "cards": self = .cards
        case "adaptive": self = .adaptive(below: try decoded.value("below", within: DecodingLimits.cells))
        default: throw decoded.unknownCaseError
        }
    }

    var clampedToLimits: GridPresentation {
        if case .adaptive(let width) = self { return .adaptive(below: width.clamped(to: DecodingLimits.cells)) }
        return self
    }
}
