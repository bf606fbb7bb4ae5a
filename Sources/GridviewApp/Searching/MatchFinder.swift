import DataGrid
import DataGridQuery
import FieldValues

/// Finds the matches of a search in the displayed text of a cell, to highlight them.
struct MatchFinder {
    private let highlighter: TextHighlighter

    init(_ search: TextSearch) { self.highlighter = TextHighlighter(search) }

    func ranges(in text: String, shownIn column: Column? = nil) -> [Range<String.Index>] {
        if let column, column.kind.isNumber, column.format.groupsThousands {
            // Displayed numbers have thousands separators and padding that the file does not have. Search the text without them.
            let separator = Character(Unicode.Scalar(column.notation.groupSeparator))
            let plainIndices = text.indices.filter { text[$0] != separator && text[$0] != " " }
            let plain = String(plainIndices.map { text[$0] })
            let found = highlighter.ranges(in: plain)
            if !found.isEmpty {
                return found.map { range in
                    let first = plain.distance(from: plain.startIndex, to: range.lowerBound)
                    let count = plain.distance(from: range.lowerBound, to: range.upperBound)
                    return plainIndices[first]..<text.index(after: plainIndices[first + count - 1])
                }
            }
        }
        return highlighter.ranges(in: text)
    }
}

/// The matching rows of a search, for a rank such as “3/12”.
struct MatchIndex {
    let search: Search
    let rows: RowOrder
    let count: Int
    /// The positions of the matching rows, ascending; `nil` if a server has too many matches to store them.
    let positions: RowNumbers?

    /// Creates an index with the positions of all matches.
    init(search: Search, rows: RowOrder, positions: RowNumbers) {
        (self.search, self.rows, count, self.positions) = (search, rows, positions.count, positions)
    }

    /// Creates an index that only has the number of matches.
    init(search: Search, rows: RowOrder, count: Int) { (self.search, self.rows, self.count, positions) = (search, rows, count, nil) }

    /// The rank of the match at `position`, from 1; `nil` if there is no match at it, or if positions are not stored.
    func rank(of position: Int) -> Int? {
        guard let positions else { return nil }
        let index = positions.lowerBound(of: position)
        return index < positions.count && positions[index] == position ? index + 1 : nil
    }
}
