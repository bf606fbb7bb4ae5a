import DataGrid
import DataGridQuery
import FieldValues

/// Finds what is searched for in the text of a cell, to highlight it.
struct MatchFinder {
    private let search: TextHighlighter

    init(_ search: TextSearch) { self.search = TextHighlighter(search) }

    func ranges(in text: String, shownIn column: Column? = nil) -> [Range<String.Index>] {
        if let column, column.kind.isNumber, column.format.groupsThousands {
            // The file has it without what was added for the eye.
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

/// All matches of a search, for "3/12".
struct MatchIndex {
    let search: Search
    let rows: RowOrder
    /// The positions that match, ascending.
    let positions: RowNumbers

    /// Which match is at `position`, from 1; `nil` when none is.
    func rank(of position: Int) -> Int? {
        let place = positions.partition(from: position)
        return place < positions.count && positions[place] == position ? place + 1 : nil
    }
}
