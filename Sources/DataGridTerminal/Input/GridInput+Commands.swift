public import DataGrid

extension GridInput {
    /// The action of a command; `nil` if a policy disables it or there is nothing to act on.
    /// - Parameter times: the number of steps for commands that go, move or resize in one of two directions; other commands ignore it.
    public static func action(of id: GridCommand.ID, times: Int = 1, in state: GridState) -> GridAction? {
        if let motion = motion(of: id, times) { return .move(motion, extending: extending.contains(id)) }
        return selectingAction(id, state) ?? cellAction(id, state) ?? columnAction(id, times, state) ?? sectionAction(id, state)
    }

    private static func motion(of id: GridCommand.ID, _ times: Int) -> GridMotion? {
        switch id {
        case .up, .extendUp: .up(times)
        case .down, .extendDown: .down(times)
        case .left, .extendLeft: .left(times)
        case .right, .extendRight: .right(times)
        case .pageUp, .extendPageUp: .pageUp
        case .pageDown, .extendPageDown: .pageDown
        case .firstColumn, .extendToFirstColumn: .firstColumn
        case .lastColumn, .extendToLastColumn: .lastColumn
        case .top, .extendToTop: .top
        case .bottom, .extendToBottom: .bottom
        case .nextCell: .nextColumn
        case .previousCell: .previousColumn
        default: nil
        }
    }

    private static let extending: Set<GridCommand.ID> = [
        .extendUp, .extendDown, .extendLeft, .extendRight, .extendPageUp, .extendPageDown, .extendToFirstColumn, .extendToLastColumn,
        .extendToTop, .extendToBottom,
    ]

    private static func selectingAction(_ id: GridCommand.ID, _ state: GridState) -> GridAction? {
        switch id {
        case .selectColumn: return .beginSelection(.columns)
        case .selectRow: return state.currentRow == nil ? nil : .beginSelection(.rows)
        case .selectAll: return .selectAll
        case .invertSelection: return .invertSelection
        case .copy: return .requestCopy()
        case .escape:
            if state.drag != nil { return .cancelDrag }
            if let pull = state.pull, pull.uncovered > 0 { return .pull(by: -pull.lines) }
            return state.selection.isEmpty ? nil : .clearSelection
        default: return nil
        }
    }

    /// The action of a command on the cell under the cursor, if `GridInteraction` permits it.
    private static func cellAction(_ id: GridCommand.ID, _ state: GridState) -> GridAction? {
        guard state.currentRow != nil else { return nil }
        if id == .activateAccessory { return .activateAccessory }
        guard let column = state.currentColumn else { return nil }
        switch id {
        case .edit: return column.isEditable ? .requestEdit() : nil
        case .enter: return state.interaction.enter.isEmpty ? nil : .performTrigger(.enter)
        case .space: return state.interaction.space.isEmpty ? nil : .performTrigger(.space)
        default: return nil
        }
    }

    /// The action of a command on the column under the cursor. The header of the column need not be visible.
    private static func columnAction(_ id: GridCommand.ID, _ times: Int, _ state: GridState) -> GridAction? {
        let presentation = state.effectivePresentation
        switch id {
        case .freezeRows: return .freeze(state.frozenPanes(togglingColumns: false, rows: true))
        // Cards have no visible frozen columns.
        case .freezeBoth: return presentation == .cards ? nil : .freeze(state.frozenPanes(togglingColumns: true, rows: true))
        case .moveUp: return presentation == .transposed ? moveColumnAction(by: -times, state) : moveRowAction(by: -times, state)
        case .moveDown: return presentation == .transposed ? moveColumnAction(by: times, state) : moveRowAction(by: times, state)
        case .moveLeft: return presentation == .transposed ? moveRowAction(by: -times, state) : moveColumnAction(by: -times, state)
        case .moveRight: return presentation == .transposed ? moveRowAction(by: times, state) : moveColumnAction(by: times, state)
        default: break
        }
        guard let column = state.currentColumn?.id else { return nil }
        switch id {
        case .sort: return .activateHeader(column)
        case .addSortKey: return .activateHeader(column, isAdding: true)
        case .hideColumn: return .setHidden(column, true)
        case .showColumn: return hiddenColumn(nearCursorOf: state).map { .setHidden($0, false) }
        case .freezeColumns: return presentation == .cards ? nil : .freeze(state.frozenPanes(togglingColumns: true, rows: false))
        // Column widths apply to tables only.
        case .narrower: return presentation == .table ? .resizeColumn(column, by: -times) : nil
        case .wider: return presentation == .table ? .resizeColumn(column, by: times) : nil
        case .fitColumn: return presentation == .table ? .requestFit(column) : nil
        default: return nil
        }
    }

    private static func moveColumnAction(by count: Int, _ state: GridState) -> GridAction? {
        state.currentColumn.map { .moveColumn($0.id, toIndex: state.cursor.column + count) }
    }

    private static func moveRowAction(by count: Int, _ state: GridState) -> GridAction? {
        state.interaction.allowsRowReordering ? .moveCurrentRows(by: count) : nil
    }

    /// The hidden column nearest to the cursor; of two equally near columns, the column after the cursor.
    private static func hiddenColumn(nearCursorOf state: GridState) -> ColumnID? {
        let all = state.columns.all
        guard let place = all.firstIndex(where: { $0.id == state.currentColumn?.id }) else { return nil }
        return all.indices.filter { all[$0].isHidden }.min { (abs($0 - place), -$0) < (abs($1 - place), -$1) }.map { all[$0].id }
    }

    private static func sectionAction(_ id: GridCommand.ID, _ state: GridState) -> GridAction? {
        guard state.outline.tree != nil else { return nil }
        if id == .collapseAll || id == .expandAll { return .setAllCollapsed(id == .collapseAll) }
        guard case .header(let section) = state.cursor.item else { return nil }
        let isCollapsed = state.isCollapsed(section: section)
        switch id {
        case .toggleSection: return .toggleSection(section)
        case .expandSection: return isCollapsed ? .setCollapsed(section: section, false) : nil
        case .collapseSection where !isCollapsed: return .setCollapsed(section: section, true)
        case .collapseSection:
            // The section is already collapsed, so move the cursor to the enclosing section.
            return state.outline.tree?.parent(of: section).map { .moveCursor(GridCursor(item: .header($0), column: state.cursor.column)) }
        default: return nil
        }
    }
}

extension GridCommand.ID {
    /// The edit that this command makes in a line of text; `nil` if it makes none.
    public var edit: LineEditor.Edit? {
        switch self {
        case .deleteBackward: .deleteBackward
        case .deleteForward: .deleteForward
        case .textLeft: .left
        case .textRight: .right
        case .textStart: .start
        case .textEnd: .end
        case .deleteToStart: .deleteToStart
        case .deleteToEnd: .deleteToEnd
        case .deleteWord: .deleteWord
        default: nil
        }
    }
}
