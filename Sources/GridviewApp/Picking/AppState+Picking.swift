import DataGrid
import FieldValues

/// Picked rows, as positions in an order.
public struct PickedRows: Equatable, Sendable {
    let order: RowOrder
    /// Ascending ranges of positions in ``order``; at least one, and none of them empty.
    let positions: [Range<Int>]
}

extension AppState {
    /// The key contexts of the table, innermost first.
    var gridContexts: [KeyContext] { pick.map { $0.allowsMany ? [.pickMany, .pick, .grid] : [.pick, .grid] } ?? [.grid] }

    /// Picks rows and ends the program. On a group, collapses or expands it, unless rows are marked or selected.
    mutating func pickRows() -> [AppEffect] {
        if let rows = chosenRows { return [.pick(rows)] }
        if case .header(let section) = grid.cursor.item { return change(.toggleSection(section)) }
        guard grid.currentRow != nil, let row = grid.cursor.row else { return show(.nothingToPick) }
        return [.pick(PickedRows(order: grid.rows, positions: [row..<row + 1]))]
    }

    /// The marked rows or, without any, the selected rows; `nil` if only the current row can be picked.
    ///
    /// Marked rows are in the order of the view, followed by marked rows that a filter hides.
    private var chosenRows: PickedRows? {
        guard pick?.allowsMany == true else { return nil }
        // A reloaded file may have fewer rows than before. A server numbers the rows of each query separately.
        let marks = grid.marks.filter { $0.rawValue < document.recordCount || $0.order > 0 }.sorted()
        if !marks.isEmpty {
            let shown = grid.rows.positions(of: marks).map(\.index)
            let hidden = Set(marks.indices).subtracting(shown).sorted()
            let records = RowNumbers((shown + hidden).map { marks[$0].rawValue }, ofRows: marks[marks.count - 1].rawValue + 1)
            return PickedRows(order: .permuted(RowPermutation(records)), positions: [0..<marks.count])
        }
        let selected = grid.selection.rows(rowCount: grid.rows.count, columns: grid.columns.visible.map(\.id)).filter { !$0.isEmpty }
        return selected.isEmpty ? nil : PickedRows(order: grid.rows, positions: selected)
    }

    mutating func markAndGoToNext() -> [AppEffect] {
        let effects = toggleMark()
        return effects + change(.move(.down(1)))
    }

    mutating func cancelPicking() -> [AppEffect] {
        exitStatus = 130
        return []
    }
}
