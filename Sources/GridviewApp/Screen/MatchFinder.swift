import DataGridQuery

/// Finds what is searched for in the text of a cell, to highlight it.
struct MatchFinder {
    private let search: TextSearch

    init(_ text: String) { search = .smart(text) }

    func ranges(in text: String) -> [Range<String.Index>] { search.ranges(in: text) }
}
