import DataGrid
import DataGridTerminal
import TerminalSurface

/// A line of the row view, identified by the column and the position in its cell. It stays valid if other cells become longer
/// or shorter.
public struct RecordPosition: Equatable, Sendable {
    /// The index of the column among the visible columns.
    public var column = 0
    /// The index of the piece that contains the line. Long cells are read in pieces of limited size; most cells have one piece.
    public var piece = 0
    /// The byte offset of the line in the text of the piece.
    public var byteOffset = 0

    /// The first line of the row.
    public static let top = RecordPosition()
}

/// The row view: one row as a list of its fields. The ``Session`` reads the row, scrolls the view, and moves the current field
/// (``AppState/currentField``).
struct RowView: Overlay {
    /// The line at the top of the page.
    var top = RecordPosition.top
    /// The current field, as the index of its visible column, if the cursor cannot enter this column because cards do not show it. `nil` if
    /// the current field is the one in the cursor's column.
    var fieldNotOnCards: Int?
    /// True if the view scrolls to the end of the row as soon as the row is read that far.
    var awaitsEnd = false
    /// The text to find in the names and values of fields, which is highlighted; empty for none.
    var search = LineEditor()
    /// True while ``search`` is being typed.
    var isTyping = false

    private var isSearching: Bool { !search.text.isEmpty }

    var contexts: [KeyContext] { isTyping ? [.prompt] : (isSearching ? [.recordSearch] : []) + [.record, .panel] }

    func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        if isTyping { return endTyping(id, in: &state) }
        switch id {
        case .nextRow, .previousRow: return show(isNext: id == .nextRow, in: &state)
        case .nextColumn: return [.selectField(by: 1)]
        case .previousColumn: return [.selectField(by: -1)]
        case .down: return [.moveField(by: 1)]
        case .up: return [.moveField(by: -1)]
        case .top: return [.scrollRecord(.top)]
        case .bottom: return [.scrollRecord(.bottom)]
        case .copy: return [.copy(.field)]
        case .search, .escape:
            var view = self
            (view.search, view.isTyping) = (LineEditor(), id == .search)
            return state.open(view)
        case .searchNext, .searchPrevious:
            return [.findField(search.string, by: id == .searchNext ? 1 : -1, includingCurrent: false)]
        case .filterByCell, .filterExcludingCell:
            let column = state.currentFieldColumn
            return close(in: &state) + state.filterByCell(in: column, isNegated: id != .filterByCell)
        case .filter: return state.currentFieldColumn.map { [.editFilterByCell($0.id)] } ?? []
        case .hideColumn:
            guard let column = state.currentFieldColumn else { return state.show(.noColumns) }
            return state.hide([column]) + [.showField]
        case .undo, .redo: return moveInHistory(isUndoing: id == .undo, in: &state)
        case .editField: return state.show(.cannotEdit)
        case .close: return close(in: &state)
        default: return id.scrolledLines(ofPage: PanelFrame(pageIn: state.size).pageHeight).map { [.scrollRecord(.lines($0))] } ?? []
        }
    }

    @MainActor private func close(in state: inout AppState) -> [AppEffect] {
        state.overlay = nil
        return [.cancel(.record)]
    }

    /// Undoes or redoes a change. Closes the view if the row might no longer exist.
    @MainActor private func moveInHistory(isUndoing: Bool, in state: inout AppState) -> [AppEffect] {
        let change = isUndoing ? state.sheet.history.changeToUndo : state.sheet.history.changeToRedo
        guard change.map({ $0.rereadChange == nil && $0.redoPatch.keepsRows }) ?? true else {
            return close(in: &state) + state.moveInHistory(1, isUndoing: isUndoing)
        }
        return state.moveInHistory(1, isUndoing: isUndoing) + [.showField]
    }

    /// Ends typing the search text. Enter goes to the first field that contains it, starting at the current field.
    @MainActor private func endTyping(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        guard id == .accept || id == .close else { return [] }
        var view = self
        view.isTyping = false
        if id == .close { view.search = LineEditor() }
        state.overlay = view
        return view.isSearching ? [.findField(search.string, by: 1, includingCurrent: true)] : []
    }

    func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect] {
        var view = self
        change(&view.search)
        return state.open(view)
    }

    /// Shows the next or previous row. The current field stays the same. Skips section headers, and expands collapsed sections.
    @MainActor private func show(isNext: Bool, in state: inout AppState) -> [AppEffect] {
        var view = self
        (view.top, view.awaitsEnd) = (.top, false)
        state.overlay = view
        guard let row = state.grid.cursor.row else { return [] }
        return state.changeGrid(.move(.row(row + (isNext ? 1 : -1)))) + [.showField, .readRecord]
    }

    func scroll(notches: Int, in state: inout AppState) -> [AppEffect] { [.scrollRecord(.lines(3 * notches))] }

    func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        painter.paintRowView(from: top, search: search.string, on: &buffer)
        guard isTyping, let y = painter.layout.hintY else { return nil }
        let hints = [painter.promptHints("find").joined(separator: " · "), painter.shortPromptHints]
        return painter.paintPrompt("/", search, hints: hints, y, on: &buffer)
    }

    func hints(with painter: AppPainter) -> [KeyHint] {
        let closeHint = painter.hint(.close)
        if isSearching {
            return [painter.hint(.searchNext), painter.hint(.escape), painter.hint(.searchPrevious), painter.hint(.up, .down, as: "field")]
        }
        return [
            painter.hint(.nextRow), closeHint, painter.hint(.previousRow), painter.hint(.up, .down, as: "field"),
            painter.hint(.copy, as: "copy"), painter.hint(.filterByCell, as: "filter"), painter.hint(.filterExcludingCell, as: "exclude"),
            painter.hint(.search, as: "find"), painter.hint(.hideColumn, as: "hide"),
        ]
    }
}
