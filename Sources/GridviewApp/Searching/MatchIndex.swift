import DataGrid
import FieldValues

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
