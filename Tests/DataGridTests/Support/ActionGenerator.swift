import GridTestSupport
import DataGrid

/// Generates random actions for a small grid, valid and invalid ones.
struct ActionGenerator {
    var random: SplitMix64
    let trees: [SectionTree?]
    /// True if cells are also edited and dragged.
    var editsCells = false
    /// Saved views to restore.
    private var views: [SavedView] = []

    init(random: SplitMix64, trees: [SectionTree?], editsCells: Bool = false) {
        (self.random, self.trees, self.editsCells) = (random, trees, editsCells)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    mutating func flag() -> Bool { Bool.random(using: &random) }
    mutating func column() -> ColumnID { ColumnID(number(0...7)) }
    mutating func point() -> GridPoint { GridPoint(x: number(-2...32), y: number(-2...14)) }

    mutating func motion() -> GridMotion {
        switch number(0...18) {
        case 0, 1: .up(number(1...4))
        case 2, 3: .down(number(1...4))
        case 4: .left(number(1...3))
        case 5: .right(number(1...3))
        case 6: .pageUp
        case 7: .pageDown
        case 8: .halfPageUp
        case 9: .halfPageDown
        case 10: .row(number(-1...45))
        case 11: .column(number(-1...8))
        case 12: .nextColumn
        case 13: .previousColumn
        case 14: .nextSection
        case 15: .previousSection
        case 16: .pageLeft
        case 17: .pageRight
        default: [.top, .bottom, .firstColumn, .lastColumn][number(0...3)]
        }
    }

    mutating func pointer() -> GridAction {
        switch number(0...6) {
        case 0, 1:
            let button: [PointerPress.Button] = [.primary, .primary, .primary, .middle, .secondary]
            var press = PointerPress(
                button[number(0...4)], clicks: number(1...2), isAdding: number(0...3) == 0, isExtending: number(0...3) == 0)
            if editsCells {
                press.isMoving = number(0...3) == 0
                press.permittedDirections = flag() ? nil : DragDirections(rawValue: UInt8(number(0...3)))
            }
            return .pointerDown(point(), press)
        case 2, 3: return .pointerMoved(point())
        case 4: return .pointerUp(point())
        case 5: return .cancelDrag
        default: return .dragTick
        }
    }

    mutating func change(_ state: GridState) -> GridAction {
        switch number(0...39) {
        case 0: return .resize(GridSize(width: number(0...30), height: number(0...14)))
        case 1:
            var metrics = state.metrics
            metrics.rowHeight = number(1...3)
            metrics.sectionHeaderHeight = number(0...3)
            metrics.hasAutomaticRowHeights = flag()
            metrics.maximumRowHeight = number(0...9)
            metrics.gridLines = GridLines.allCases[number(0...3)]
            metrics.columnSpacing = number(0...3)
            metrics.rowHeaderWidth = number(0...6)
            metrics.headerHeight = number(0...5)
            metrics.titleLines = number(0...3)
            metrics.showsScrollBar = flag()
            metrics.hasDelegatedRowHeights = flag()
            metrics.fitsRowsToFrame = number(0...3) == 0
            metrics.defaultColumnWidth = flag() ? number(0...9) : nil
            metrics.minimumFittedWidth = number(-1...12)
            metrics.maximumColumnWidth = flag() ? number(0...20) : nil
            metrics.hasStickyRowHeaders = flag()
            metrics.hasStickyColumnHeaders = flag()
            metrics.hasStickySectionHeaders = flag()
            metrics.showsTotals = flag()
            metrics.showsAccessories = flag()
            metrics.titleWidth = flag() ? number(-1...20) : nil
            metrics.transposedRowWidth = flag() ? number(-1...30) : nil
            metrics.cards.width = flag() ? number(1...20) : nil
            metrics.cards.spacing = GridSize(width: number(0...2), height: number(0...2))
            metrics.cards.padding = GridSize(width: number(0...2), height: number(0...1))
            metrics.isPaged = number(0...2) == 0
            return .setMetrics(metrics)
        case 2: return .scroll(items: number(-6...6), columns: number(-2...2))
        case 3: return .resizeColumn(column(), by: number(-5...9))
        case 4: return .setWidth(column(), [.flexible, .automatic, .standard, .fraction(0.4), .fixed(number(-1...50))][number(0...4)])
        case 5: return .setHidden(column(), flag())
        case 6: return .moveColumn(column(), toIndex: number(-1...8))
        case 7: return .freeze(FrozenPanes(leading: number(-1...3), trailing: number(-1...2), rows: number(-1...4), bottom: number(-1...3)))
        case 8: return flag() ? .pinLeading(column()) : .pinTrailing(column())
        case 9:
            let tree = trees[number(0...trees.count - 1)]
            let count = tree?.sections.last?.rows.upperBound ?? (tree == nil ? number(0...40) : 0)
            if tree == nil, flag() { return .setRows(.spliced(head: count, tail: number(0...9))) }
            return .setRows(flag() ? .natural(count: count) : .permuted(RowPermutation((0..<UInt32(count)).reversed())), tree: tree)
        case 10:
            guard state.outline.tree == nil else { return .clearMarks }
            if case .spliced(_, let head, let tail) = state.rows, flag() {
                return .growRows(.spliced(head: head + number(0...9), tail: tail))
            }
            return .growRows(.natural(count: max(0, state.rows.count + number(-3...9))))
        case 11, 12: return .toggleSection(number(-1...9))
        case 13: return .setAllCollapsed(flag())
        case 14:
            let item: GridItem = flag() ? .row(number(-1...45)) : .header(number(-1...9))
            return .moveCursor(GridCursor(item: item, column: number(-1...8)), extending: flag())
        case 15: return .setRowHeight(RowID(number(-3...45)), flag() ? number(-1...16) : nil)
        case 16: return .scrollLines(number(-20...20))
        case 17: return .moveCurrentRows(by: number(-4...4))
        case 18:
            let low = number(-2...40)
            return .moveRows(low..<low + number(0...6), to: number(-3...45))
        case 19: return .setLoader(flag() ? GridLoader() : nil)
        case 20: return .tickLoader
        case 21: return .setPull(flag() ? GridPull(lines: number(-1...4)) : nil)
        case 22, 23: return .pull(by: number(-3...4))
        case 24: return .releasePull
        case 25:
            let widths = [column(): number(-1...30)]
            return [.setMeasuredWidths(widths), .setDelegatedWidths(widths), .fitColumns(widths)][number(0...2)]
        case 26: return .insertRows(RowInsertion(at: number(-2...45), count: number(-1...5), section: flag() ? number(-1...9) : nil))
        case 27:
            let low = number(-2...40)
            return .removeRows(low..<low + number(0...6), renumbering: flag())
        case 28:
            if flag() { return .removeSection(number(-1...9), renumbering: flag()) }
            return .insertSection(
                number(-1...9), level: number(-1...3), title: "n\(number(0...99_999))", rows: RowInsertion(at: 0, count: number(0...4)))
        case 29:
            guard state.outline.tree == nil, state.canMoveRows else { return .clearMarks }
            let rows = (0..<state.rows.count).map { UInt32(state.rows[$0].rawValue) }
            return .setRows(.permuted(RowPermutation(rows.reversed())), keeping: PreservedState(rawValue: UInt8(number(0...7))))
        case 30:
            return flag() ? .removeColumns([column()]) : .insertColumns([Column(id: column(), title: "n")], atPlace: number(-1...9))
        case 31: return .setSort((0..<number(0...2)).map { _ in ColumnSort(column(), isDescending: flag()) })
        case 32:
            return .setPresentation([.table, .transposed, .cards, .adaptive(below: number(0...31))][number(0...3)])
        case 33: return .setPresentation(.table)
        case 34, 35:
            let blocks = (0..<number(0...3)).map { _ in
                let low = number(0...max(0, state.rows.count - 1))
                let rows = low..<min(state.rows.count, low + number(1...6))
                let columns = state.columns.all.map(\.id).filter { _ in flag() }
                return SelectionBlock(rows: rows.isEmpty || number(0...4) == 0 ? nil : rows, columns: flag() ? nil : Set(columns))
            }
            return .setSelection(Selection(blocks: blocks, isInverted: number(0...3) == 0))
        case 36: return .toggleMark(RowID(number(-3...45)))
        case 37: return .toggleMark(state.rows.count > 0 ? state.rows[number(0...state.rows.count - 1)] : 0)
        case 38:
            views = views.suffix(3) + [state.savedView]
            return .restore(views[number(0...views.count - 1)])
        default: return .setSelectionMode(SelectionMode.allCases[number(0...4)])
        }
    }

    mutating func cells(_ state: GridState) -> GridAction {
        switch number(0...9) {
        case 0, 1: return .performTrigger([.enter, .space, .singleClick, .doubleClick][number(0...3)])
        case 2: return .toggleSelection
        case 3: return .requestEdit(typed: flag() ? nil : "x")
        case 4, 5:
            guard let row = state.currentRow, flag() else {
                return .beginEditing(CellEditing(row: RowID(number(-3...45)), column: column(), original: "a b"))
            }
            return .beginEditing(CellEditing(row: row, column: column(), original: "", typed: "x"))
        case 6: return .edit([.insert("é"), .deleteBackward, .left, .deleteWord, .start, .deleteForward][number(0...5)])
        case 7: return .paste("p\u{1B}[31m\tq\n")
        case 8: return flag() ? .rejectEdit("no") : .activateAccessory
        default: return .endEditing(committed: flag() ? "x" : nil)
        }
    }

    mutating func interaction() -> GridInteraction {
        var interaction = GridInteraction()
        interaction.singleClick = CellEffects(rawValue: UInt8(number(0...7)))
        interaction.doubleClick = CellEffects(rawValue: UInt8(number(0...7)))
        interaction.enter = CellEffects(rawValue: UInt8(number(0...7)))
        interaction.space = CellEffects(rawValue: UInt8(number(0...7)))
        interaction.allowsRowReordering = flag()
        interaction.directionalLock = DirectionalLock.allCases[number(0...2)]
        return interaction
    }

    mutating func selecting() -> GridAction {
        switch number(0...5) {
        case 0: .beginSelection([.cells, .rows, .columns][number(0...2)])
        case 1: .keepRanges
        case 2: .swapSelectionEnds
        case 3: .selectAll
        case 4: .invertSelection
        default: .clearSelection
        }
    }
}
