import DataGridTerminal
@testable import GridviewApp
import TerminalSurface
import Testing

/// Opens a panel that implements only what ``Overlay`` requires.
@MainActor
@Suite struct OverlayTests {
    private struct MinimalPanel: Overlay {
        var contexts: [KeyContext] { [.page, .panel] }

        func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
            if id == .close { state.overlay = nil }
            return id == .down ? [.suspend] : []
        }

        func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
            painter.write("note", x: 1, y: 1, width: 8, style: painter.theme.panel, on: &buffer)
            return nil
        }
    }

    private func stateWithPanel() throws -> AppState {
        var state = try Pilot("a,b\n1,2\n", size: (40, 20)).state
        #expect(state.open(MinimalPanel()) == [])
        return state
    }

    @Test func `D13: a panel gets only the commands of its key contexts`() throws {
        var state = try stateWithPanel()
        #expect(state.apply(.terminal(.key(KeyPress(.down)))) == [.suspend])
        #expect(state.apply(.terminal(.key(KeyPress(.character("W"))))) == [] && state.message?.id == .notInRowView)
        #expect(state.apply(.terminal(.paste("text"))) == [] && state.message?.id == .pasteUnsupported)
        #expect(state.overlay as? MinimalPanel == MinimalPanel())
        #expect(state.apply(.terminal(.key(KeyPress(.escape)))) == [] && state.overlay == nil)
    }

    @Test func `D13: a click outside of a panel closes it by default`() throws {
        var state = try stateWithPanel()
        func press(_ y: Int) { _ = state.apply(.terminal(.mouse(MouseEvent(.press(.left), x: 5, y: y)))) }
        press(10)
        #expect(state.overlay != nil)
        press(0)
        #expect(state.overlay == nil)
    }

    @Test func `D13: a panel is drawn over the grid, without a text cursor`() throws {
        let state = try stateWithPanel()
        var buffer = CellBuffer(size: state.size)
        #expect(AppPainter(state, source: nil).paint(on: &buffer) == nil)
        #expect(buffer.line(1).hasPrefix(" note"))
    }
}
