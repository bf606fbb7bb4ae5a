import DataGrid
import DataGridTerminal

import TerminalSurface

/// A panel or prompt over the grid that receives keys. Each feature declares its overlays in its folder.
///
/// Overlays are values. A function changes its overlay by assigning a new value to ``AppState/overlay``, and closes it by assigning `nil`.
/// Only the key contexts, `run` and `paint` are required.
protocol Overlay: Equatable, Sendable {
    /// The contexts of the overlay's keys, innermost first: its own contexts, then `panel` or, for typing text, `prompt`.
    var contexts: [KeyContext] { get }

    /// The frame over the grid; `nil` for a prompt, which replaces the hint line.
    @MainActor func frame(in state: AppState) -> PanelFrame?

    /// Runs a command of its contexts.
    @MainActor func run(_ id: CommandID, in state: inout AppState) -> [AppEffect]

    /// Changes the typed text.
    @MainActor func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect]

    /// Handles a left click inside the frame. A click outside of it closes the panel.
    @MainActor func click(x: Int, y: Int, in state: inout AppState) -> [AppEffect]

    /// Handles the second press of a double click inside the frame, after ``click(x:y:in:)``.
    @MainActor func doubleClick(x: Int, y: Int, in state: inout AppState) -> [AppEffect]

    /// Scrolls by notches of the mouse wheel, positive for down.
    @MainActor func scroll(notches: Int, in state: inout AppState) -> [AppEffect]

    /// Draws the panel or prompt.
    /// - Returns: The position of the text cursor, if text can be typed.
    @MainActor func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)?

    /// The hints below a panel, most important first. The first two are shown even on narrow screens, so one of them must be for the key
    /// that closes the panel.
    @MainActor func hints(with painter: AppPainter) -> [KeyHint]
}

extension Overlay {
    /// True if text can be typed.
    var takesText: Bool { contexts.contains(.prompt) }

    func frame(in state: AppState) -> PanelFrame? { takesText ? nil : PanelFrame(pageIn: state.size) }

    func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect] { [] }

    func click(x: Int, y: Int, in state: inout AppState) -> [AppEffect] { [] }

    @MainActor func doubleClick(x: Int, y: Int, in state: inout AppState) -> [AppEffect] { click(x: x, y: y, in: &state) }

    func scroll(notches: Int, in state: inout AppState) -> [AppEffect] { [] }

    func hints(with painter: AppPainter) -> [KeyHint] { [] }
}
