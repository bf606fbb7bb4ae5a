public import DataGrid
public import TerminalSurface

/// What keys and the mouse do to a grid: events in, actions out. Without state.
public enum GridInput {
    /// Lines that a notch of the wheel scrolls.
    public static let linesPerNotch = 3

    /// What the mouse does, by the map that spreadsheets have: press, drag and release of the primary button place the cursor, select, sort,
    /// move and resize; the middle one pans; the wheel scrolls, with a modifier sideways.
    /// - Parameters:
    ///   - clicks: how many presses came in quick succession (``ClickCounter``).
    ///   - origin: the terminal cell at which the grid's frame begins.
    public static func actions(for mouse: MouseEvent, clicks: Int = 1, origin: GridPoint = GridPoint(x: 0, y: 0)) -> [GridAction] {
        let point = GridPoint(x: mouse.x - origin.x, y: mouse.y - origin.y)
        switch mouse.kind {
        case .press(let button): return [.pointerDown(point, press(button, mouse.modifiers, clicks: clicks))]
        case .drag: return [.pointerMoved(point)]
        case .release: return [.pointerUp(point)]
        case .wheel(let x, let y):
            let sideways = mouse.modifiers.isEmpty ? x : x + y
            var actions: [GridAction] = sideways == 0 ? [] : [.scroll(items: 0, columns: sideways)]
            if mouse.modifiers.isEmpty, y != 0 { actions.append(.scrollLines(linesPerNotch * y)) }
            return actions
        }
    }

    private static func press(_ button: MouseEvent.Button, _ modifiers: KeyModifiers, clicks: Int) -> PointerPress {
        PointerPress(
            button == .left ? .primary : button == .middle ? .middle : .secondary, clicks: clicks,
            isAdding: modifiers.contains(.control) || modifiers.contains(.alt), isExtending: modifiers.contains(.shift),
            isMoving: modifiers.contains(.alt))
    }
}
