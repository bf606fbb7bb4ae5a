import DataGrid
import FieldValues

/// The rows that the user has picked, as positions in a row order.
public struct PickedRows: Equatable, Sendable {
    let order: RowOrder
    /// The positions of the rows, as ascending ranges that are not empty; at least one.
    let positions: [Range<Int>]
}

extension AppState {
    /// The key contexts of the table, innermost first. A picker has additional contexts.
    var gridContexts: [KeyContext] { pick.map { $0.allowsMany ? [.pickMany, .pick, .grid] : [.pick, .grid] } ?? [.grid] }

    /// Ends the program, which then prints the picked rows. On a group header, collapses or expands the group instead, unless rows are
    /// marked or selected.
    mutating func pickRows() -> [AppEffect] {
        if let rows = chosenRows { return [.pick(rows)] }
        if case .header(let section) = grid.cursor.item { return changeGrid(.toggleSection(section)) }
        guard grid.currentRow != nil, let row = grid.cursor.row else { return show(.nothingToPick) }
        return [.pick(PickedRows(order: grid.rows, positions: [row..<row + 1]))]
    }

    /// The marked rows or, without marks, the selected rows. `nil` if there are neither, or if only one row may be picked.
    ///
    /// Marked rows are in the order of the view, followed by marked rows that a filter hides.
    private var chosenRows: PickedRows? {
        guard pick?.allowsMany == true else { return nil }
        // Ignore marks beyond the end of a reloaded file, which may have fewer rows. Row numbers of a server's queries cannot be checked in
        // this way.
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
        return effects + changeGrid(.move(.down(1)))
    }

    mutating func cancelPicking() -> [AppEffect] {
        exitStatus = 130
        return []
    }
}
