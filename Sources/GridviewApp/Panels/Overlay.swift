import DataGrid
import DataGridTerminal

import TerminalSurface

/// A panel or prompt over the grid that receives keys. Each feature declares its overlays in its folder.
///
/// Overlays are values. A function changes its overlay by assigning a new value to ``AppState/overlay``, and closes it by assigning `nil`.
/// A type must implement only the key contexts, `run` and `paint`.
protocol Overlay: Equatable, Sendable {
    /// The contexts in which keys are looked up, innermost first: the overlay's own contexts, then `panel` or, if text can be typed,
    /// `prompt`.
    var contexts: [KeyContext] { get }

    /// The area on the screen; `nil` for a prompt, which is drawn in the hint line.
    @MainActor func frame(in state: AppState) -> PanelFrame?

    /// Runs a command of the overlay's contexts.
    @MainActor func run(_ id: CommandID, in state: inout AppState) -> [AppEffect]

    /// Changes the typed text, for overlays in which text can be typed.
    @MainActor func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect]

    /// Handles a left click inside the frame. A click outside the frame closes the overlay, without calling this function.
    @MainActor func click(x: Int, y: Int, in state: inout AppState) -> [AppEffect]

    /// Handles the second click of a double click inside the frame. ``click(x:y:in:)`` has already handled the first one.
    @MainActor func doubleClick(x: Int, y: Int, in state: inout AppState) -> [AppEffect]

    /// Scrolls by the steps of a mouse wheel: down if `notches` is positive, up if it is negative.
    @MainActor func scroll(notches: Int, in state: inout AppState) -> [AppEffect]

    /// Draws the panel or prompt.
    /// - Returns: The position of the text cursor; `nil` if no text can be typed.
    @MainActor func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)?

    /// The hints below a panel, the most important first. Narrow screens show only two, so one of the first two must be for the key that
    /// closes the panel.
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
