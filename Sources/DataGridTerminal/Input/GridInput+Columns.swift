import DataGrid
import TerminalSurface

/// Keys that do to the column under the cursor what clicks and drags do to its header, and so also where no header is seen.
extension GridInput {
    /// Whether letters are typed into the cell under the cursor.
    static func isTyped(in state: GridState) -> Bool {
        state.interaction.editsByTyping && state.currentRow != nil && state.currentColumn?.isEditable == true
    }

    /// What a letter or a sign does, by itself or with Alt. To be asked without Alt for those alone that are not typed.
    static func letterAction(_ press: KeyPress, _ state: GridState) -> GridAction? {
        guard press.modifiers.isSubset(of: [.shift, .alt]), case .character(let letter) = press.key else { return nil }
        if letter == "V" { return state.currentRow == nil ? nil : .beginSelection(.rows) }
        guard let column = state.currentColumn else { return nil }
        switch letter {
        case "s": return .activateHeader(column.id)
        case "S": return .activateHeader(column.id, isAdding: true)
        case "-": return .setHidden(column.id, true)
        case "+": return hiddenColumn(nearCursorOf: state).map { .setHidden($0, false) }
        default:
            return state.shownPresentation == .table ? widthAction(letter, column.id) ?? freezing(letter, state) : freezing(letter, state)
        }
    }

    /// Widths are those of a table.
    private static func widthAction(_ letter: Unicode.Scalar, _ column: ColumnID) -> GridAction? {
        switch letter {
        case "<": .widen(column, by: -1)
        case ">": .widen(column, by: 1)
        case "_": .requestFit(column)
        default: nil
        }
    }

    /// On cards no column is seen to be frozen.
    private static func freezing(_ letter: Unicode.Scalar, _ state: GridState) -> GridAction? {
        guard letter == "f", state.shownPresentation != .cards else { return nil }
        return .freeze(state.frozenPanes(togglingColumns: true, rows: false))
    }

    /// The hidden column that stands nearest to the cursor's among all; of two the one behind it.
    private static func hiddenColumn(nearCursorOf state: GridState) -> ColumnID? {
        let all = state.columns.all
        guard let place = all.firstIndex(where: { $0.id == state.currentColumn?.id }) else { return nil }
        return all.indices.filter { all[$0].isHidden }.min { (abs($0 - place), -$0) < (abs($1 - place), -$1) }.map { all[$0].id }
    }
}
