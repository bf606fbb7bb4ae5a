/// The heights of cards and of section headers between cards, in lines.
///
/// Without a delegate, each card is as tall as its slots need. A line of cards is as tall as its tallest card.
struct CardHeights {
    private let outline: Outline
    private let rows: RowOrder
    /// The height of a card for which no delegate returns a height.
    let defaultHeight: Int
    private let headerHeight: Int
    private let delegated: DelegatedHeights?

    init(_ state: GridState) {
        (outline, rows) = (state.outline, state.rows)
        defaultHeight = CardBinding(state.columns).lineCount + 2 * state.metrics.cards.edgeLines
        headerHeight = state.metrics.sectionHeaderHeight.clamped(to: 1...GridState.maximumHeight)
        delegated = DelegatedHeights(state)
    }

    /// True if all cards have the same height.
    var isUniform: Bool { delegated == nil }

    /// The height in lines of a card, or of a section header, by the index of its item. A card is at least as tall as its slots need.
    /// O(1).
    func height(of index: Int) -> Int {
        switch outline.item(at: index) {
        case .header(let section): delegated?.height(ofSection: section) ?? headerHeight
        case .row(let position): max(defaultHeight, delegated?.height(ofCard: rows[position]) ?? defaultHeight)
        }
    }

    /// The height in screen lines of a line of cards, or of a section header, without the gap below it. O(cards in the line).
    func height(of line: Range<Int>) -> Int {
        isUniform ? height(of: line.lowerBound) : line.reduce(1) { max($0, height(of: $1)) }
    }
}
