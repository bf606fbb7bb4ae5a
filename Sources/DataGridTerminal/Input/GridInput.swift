public import DataGrid
public import TerminalSurface

/// Converts keys and mouse events to grid actions. It has no state, so the caller passes the state of the grid.
public enum GridInput {
    /// The number of lines that one wheel notch scrolls.
    public static let linesPerNotch = 3

    /// The actions of a mouse event, with the bindings of spreadsheets. The primary button places the cursor, selects, sorts, moves and
    /// resizes; the middle button pans; the wheel scrolls, sideways with a modifier.
    /// - Parameters:
    ///   - clicks: the number of presses in quick succession (``ClickCounter``).
    ///   - origin: the origin of the grid's frame on the screen.
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
