import DataGrid
import TerminalSurface

/// A line of the row view. It identifies the same line whatever the length of the cells around it.
public struct RecordPlace: Equatable, Sendable {
    /// The index of the visible column.
    public var column = 0
    /// The index of the piece of the cell; most cells have one.
    public var piece = 0
    /// The start of the line in the piece, in bytes of its text.
    public var byteOffset = 0

    /// The top of the row view.
    public static let top = RecordPlace()
}

/// The row view. The ``Session`` reads its row and moves it by lines.
struct RowView: Overlay {
    /// The line at the top.
    var top = RecordPlace.top
    /// True if the view goes to the end of the row once the row is read.
    var awaitsEnd = false

    var contexts: [KeyContext] { [.record, .panel] }

    func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        switch id {
        case .nextRow, .previousRow: return show(isNext: id == .nextRow, in: &state)
        case .nextColumn: return [.selectField(by: 1)]
        case .previousColumn: return [.selectField(by: -1)]
        case .top: return [.scrollRecord(.top)]
        case .bottom: return [.scrollRecord(.bottom)]
        case .copy: return [.copyFromRecord]
        case .close:
            state.overlay = nil
            return [.cancel(.record)]
        default: return id.scrolledLines(ofPage: PanelFrame(pageIn: state.size).pageHeight).map { [.scrollRecord(.lines($0))] } ?? []
        }
    }

    /// Shows the next or previous row, skipping section headers and entering collapsed sections.
    @MainActor private func show(isNext: Bool, in state: inout AppState) -> [AppEffect] {
        state.overlay = RowView()
        guard let row = state.grid.cursor.row else { return [] }
        return state.change(.move(.row(row + (isNext ? 1 : -1)))) + [.readRecord]
    }

    func scroll(notches: Int, in state: inout AppState) -> [AppEffect] { [.scrollRecord(.lines(3 * notches))] }

    func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        painter.paintRowView(from: top, on: &buffer)
        return nil
    }

    func hints(with painter: AppPainter) -> [AppPainter.Hint] {
        [
            painter.hint(.nextRow), painter.hint(.close), painter.hint(.previousRow), painter.hint(.up, .down, as: "scroll"),
            painter.hint(.nextColumn), painter.hint(.copy), painter.hint(.bottom, as: "last field"),
        ]
    }
}
