/// The heights of cards and of the section headers above them, in lines.
///
/// Without a delegate, all cards have the lines of their slots. A line of cards is as tall as its tallest card.
struct CardHeights {
    private let outline: Outline
    private let rows: RowOrder
    /// The height of a card without a delegated height.
    let common: Int
    private let headerHeight: Int
    private let delegated: DelegatedHeights?

    init(_ state: GridState) {
        (outline, rows) = (state.outline, state.rows)
        common = CardBinding(state.columns).lineCount + 2 * state.metrics.cards.edgeLines
        headerHeight = state.metrics.sectionHeaderHeight.clamped(to: 1...GridState.maximumHeight)
        delegated = DelegatedHeights(state)
    }

    /// True if all cards have the same height.
    var isUniform: Bool { delegated == nil }

    /// The height of a card or section header. O(1). A card has at least the lines of its slots.
    func height(of index: Int) -> Int {
        switch outline.item(at: index) {
        case .header(let section): delegated?.height(ofSection: section) ?? headerHeight
        case .row(let position): max(common, delegated?.height(ofCard: rows[position]) ?? common)
        }
    }

    /// The height of a line of cards, or of a section header, without the gap below it. O(cards in the line).
    func height(of line: Range<Int>) -> Int {
        isUniform ? height(of: line.lowerBound) : line.reduce(1) { max($0, height(of: $1)) }
    }
}
