import DataGrid
import DataGridQuery
import FieldValues

/// Finds search matches in the displayed text of a cell, to highlight them.
struct MatchFinder {
    private let search: TextHighlighter

    init(_ search: TextSearch) { self.search = TextHighlighter(search) }

    func ranges(in text: String, shownIn column: Column? = nil) -> [Range<String.Index>] {
        if let column, column.kind.isNumber, column.format.groupsThousands {
            // The text of the file, without group separators and padding.
            let separator = Character(Unicode.Scalar(column.notation.groupSeparator))
            let places = text.indices.filter { text[$0] != separator && text[$0] != " " }
            let plain = String(places.map { text[$0] })
            let found = search.ranges(in: plain)
            if !found.isEmpty {
                return found.map { range in
                    let first = plain.distance(from: plain.startIndex, to: range.lowerBound)
                    let count = plain.distance(from: range.lowerBound, to: range.upperBound)
                    return places[first]..<text.index(after: places[first + count - 1])
                }
            }
        }
        return search.ranges(in: text)
    }
}

/// The positions of all matches of a search, for a rank such as “3/12”.
struct MatchIndex {
    let search: Search
    let rows: RowOrder
    /// The matching positions, ascending.
    let positions: RowNumbers

    /// The rank of the match at `position`, from 1; `nil` if there is no match.
    func rank(of position: Int) -> Int? {
        let place = positions.lowerBound(of: position)
        return place < positions.count && positions[place] == position ? place + 1 : nil
    }
}
