public import DataGrid
public import TerminalSurface

/// What keys and the mouse do to a grid: events in, actions out. A value without state; both gridview and ``GridController`` use it.
public enum GridInput {
    /// Lines that a notch of the wheel scrolls.
    public static let linesPerNotch = 3

    /// What the mouse does, by the map that spreadsheets have: press, drag and release of the primary button place the cursor, select, sort,
    /// move and resize; the middle one pans; the wheel scrolls, with a modifier sideways.
    /// - Parameters:
    ///   - mouse: what the terminal reported.
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

    /// What a key does, by the map that spreadsheets have; `nil` for keys that are the host's.
    ///
    /// Arrows, pages and ends move, and extend the selection with Shift; Tab and Shift-Tab go from cell to cell; Ctrl-a selects all,
    /// Ctrl-Space the column, and Shift-Space or, as few terminals tell that from Space, V the row; ← and → on a section's header close and open
    /// it. Enter and Space do what the grid's policies say (`GridInteraction`), F2 edits, and Alt-Enter activates what stands at the row's end.
    /// `s` and `S` do what a click on the column's header does and one with Ctrl, `<`, `>` and `_` make it narrower, wider and fit, `f` freezes
    /// up to it, `-` hides it and `+` shows the nearest that is hidden. Letters and signs do so with Alt, too: where they are typed into cells
    /// at once, only so. Keys of two presses are told apart by ``isPrefix(_:in:)``. While a cell is edited, see ``editorKey(for:)``.
    public static func action(for press: KeyPress, in state: GridState) -> GridAction? {
        let extends = press.modifiers.contains(.shift)
        let isControl = press.modifiers.contains(.control)
        if press.modifiers.contains(.alt) { return arrowMove(press, state) ?? letterAction(press, state) }
        if case .header(let section) = state.cursor.item, press.modifiers.isEmpty, let action = sectionAction(press.key, section, state) {
            return action
        }
        switch press.key {
        case .up: return .move(.up(1), extending: extends)
        case .down: return .move(.down(1), extending: extends)
        case .left: return .move(isControl ? .firstColumn : .left(1), extending: extends)
        case .right: return .move(isControl ? .lastColumn : .right(1), extending: extends)
        case .pageUp: return .move(.pageUp, extending: extends)
        case .pageDown: return .move(.pageDown, extending: extends)
        case .home: return .move(isControl ? .top : .firstColumn, extending: extends)
        case .end: return .move(isControl ? .bottom : .lastColumn, extending: extends)
        case .tab: return .move(extends ? .previousColumn : .nextColumn)
        case .escape where state.drag == nil && state.pull?.uncovered ?? 0 > 0: return .pull(by: -(state.pull?.lines ?? 0))
        case .escape: return state.drag != nil ? .cancelDrag : state.selection.isEmpty ? nil : .clearSelection
        case .character("a") where isControl: return .selectAll
        case .character(" ") where isControl: return .beginSelection(.columns)
        default: return isControl ? nil : cellAction(press, state) ?? letterAction(press, state)
        }
    }

    /// What a key does to the cell under the cursor, as the policies say.
    private static func cellAction(_ press: KeyPress, _ state: GridState) -> GridAction? {
        guard state.currentRow != nil, let column = state.currentColumn else { return nil }
        let interaction = state.interaction
        switch press.key {
        case .character(" ") where press.modifiers == .shift: return .beginSelection(.rows)
        case .function(2) where press.modifiers.isEmpty && column.isEditable: return .requestEdit()
        case .enter where press.modifiers.isEmpty && !interaction.enter.isEmpty: return .trigger(.enter)
        case .character(" ") where press.modifiers.isEmpty && !interaction.space.isEmpty: return .trigger(.space)
        case .character(let scalar) where isTyped(in: state) && scalar.value >= 32: return .requestEdit(typed: String(scalar))
        default: return nil
        }
    }

    /// Whether a key is the first of two (`z` or Alt-z), which does nothing by itself; `z` is not where it is typed into a cell.
    public static func isPrefix(_ press: KeyPress, in state: GridState) -> Bool {
        guard state.editing == nil else { return false }
        return press == KeyPress(.character("z"), .alt) || press == KeyPress(.character("z")) && !isTyped(in: state)
    }

    /// What a key does behind the prefix (``isPrefix(_:in:)``); `nil` for one that then means what it always does.
    ///
    /// `M` collapses all sections, `R` expands them, `~` inverts the selection; `f` freezes the rows up to the cursor, `F` the columns, too,
    /// or neither when they are.
    public static func action(afterPrefix press: KeyPress, in state: GridState) -> GridAction? {
        guard press.modifiers.isSubset(of: [.shift, .alt]) else { return nil }
        switch press.key {
        case .character("M") where state.outline.tree != nil: return .setAllCollapsed(true)
        case .character("R") where state.outline.tree != nil: return .setAllCollapsed(false)
        case .character("~"): return .invertSelection
        case .character("f"): return .freeze(state.frozenPanes(togglingColumns: false, rows: true))
        case .character("F") where state.shownPresentation != .cards:
            return .freeze(state.frozenPanes(togglingColumns: true, rows: true))
        default: return nil
        }
    }

    /// Alt-arrows move the column under the cursor and, where rows may be moved, its row, either the way on which such stand.
    private static func arrowMove(_ press: KeyPress, _ state: GridState) -> GridAction? {
        let isAcross = state.shownPresentation == .transposed
        func column(by count: Int) -> GridAction? {
            state.currentColumn.map { .moveColumn($0.id, toIndex: state.cursor.column + count) }
        }
        func row(by count: Int) -> GridAction? { state.interaction.allowsRowReordering ? .moveCurrentRows(by: count) : nil }
        switch press.key {
        case .up: return isAcross ? column(by: -1) : row(by: -1)
        case .down: return isAcross ? column(by: 1) : row(by: 1)
        case .left: return isAcross ? row(by: -1) : column(by: -1)
        case .right: return isAcross ? row(by: 1) : column(by: 1)
        case .enter where state.currentRow != nil: return .activateAccessory
        default: return nil
        }
    }

    private static func sectionAction(_ key: Key, _ section: Int, _ state: GridState) -> GridAction? {
        let isCollapsed = state.isCollapsed(section: section)
        switch key {
        case .enter, .character(" "): return .toggleSection(section)
        case .right where isCollapsed: return .setCollapsed(section: section, false)
        case .left where !isCollapsed: return .setCollapsed(section: section, true)
        case .left:
            // Closed already: out to the section around it.
            return state.outline.tree?.parent(of: section).map { .place(GridCursor(item: .header($0), column: state.cursor.column)) }
        default: return nil
        }
    }
}
