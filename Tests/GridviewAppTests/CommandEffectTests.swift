import DataGrid
import DataGridTerminal
@testable import GridviewApp
import TerminalSurface
import Tables
import Testing

/// Presses the first key of every command in every context and checks its effect.
@MainActor
@Suite struct CommandEffectTests {
    /// A command in a context, with its setup and its effect.
    struct Case: CustomTestStringConvertible, Sendable {
        var context: KeyContext
        var id: CommandID
        /// Keys pressed before the command.
        var keys: String
        /// The height of the terminal in rows.
        var height: Int
        /// True if the state before the command and the program after the command show the effect.
        var hasEffect: @MainActor @Sendable (StateBefore, Pilot) -> Bool

        init(
            _ id: CommandID, in context: KeyContext = .grid, after keys: String = "", height: Int = 24,
            _ hasEffect: @escaping @MainActor @Sendable (StateBefore, Pilot) -> Bool
        ) {
            (self.context, self.id, self.keys, self.height, self.hasEffect) = (context, id, keys, height, hasEffect)
        }

        /// A command that moves the cursor to a cell.
        init(_ id: CommandID, in context: KeyContext = .grid, after keys: String = "", to place: String) {
            self.init(id, in: context, after: keys) { _, pilot in pilot.cursorCell == place }
        }

        var testDescription: String { "\(id.rawValue) in \(context)" }
    }

    /// The side changes every five rows, and the price falls.
    nonisolated static let table =
        "name,side,price\n" + (1...40).map { "n\($0),\(["A", "B"][($0 - 1) / 5 % 2]),\(100 - $0)" }.joined(separator: "\n") + "\n"

    nonisolated static let cases = [
        moving, finding, columns, rows, selecting, picking, appearance, program, sheets, panels, prompts,
    ].flatMap(\.self)

    @Test(arguments: cases) func `D13: every command has the expected effect`(_ test: Case) throws {
        var options = LaunchOptions()
        if [.pick, .pickMany].contains(test.context) {
            options.pick = PickSettings()
            options.pick?.allowsMany = test.context == .pickMany
        }
        let pilot = try Pilot(Self.table, size: (80, test.height), options: options)
        if Self.sheets.contains(where: { $0.id == test.id }) {
            try pilot.session.add(
                ["two", "three"].map { name in SheetInput(name: name) { MemorySource(name: name, titles: ["a"], rows: []) } })
        }
        pilot.press(test.keys)
        if test.context == .drag { pilot.drag(from: (10, 3), to: (20, 6), holding: true) }
        let before = StateBefore(pilot.state)
        if let keys = KeyMap<Command>.standard.bindings(of: test.id, in: test.context).first?.keys {
            for key in keys { pilot.send(.key(key)) }
        } else {
            pilot.press(":")
            pilot.type(Command.named(test.id)?.title ?? "")
            pilot.press("Enter")
        }
        #expect(test.hasEffect(before, pilot), "at \(pilot.cursorCell), \(String(describing: pilot.state.overlay)), \(pilot.message)")
    }

    @Test func `D13: every command has a case in this test`() {
        #expect(Set(Self.cases.map(\.testDescription)) == Set(Command.table.map { "\($0.id.rawValue) in \($0.context)" }))
    }

    @Test func `D2: Ctrl-C cancels the running job`() throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot(Self.table, size: (80, 24), runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("]")
        #expect(pilot.state.jobs.map(\.kind) == [.arrange])
        pilot.press("C-c")
        #expect(pilot.state.message?.id == .cancelled && pilot.state.jobs.isEmpty && pilot.state.query.isSettled)
        stepped.runAll(pilot)
        #expect(pilot.order == Array(1...40) && pilot.state.grid.sort.isEmpty)
    }

    @Test func `D13, D22: Enter chooses an entry in the list of files and in the menu of a column`() throws {
        let pilot = try Pilot(Self.table, size: (80, 24))
        try pilot.session.add([SheetInput(name: "two") { MemorySource(name: "two", titles: ["a"], rows: []) }])
        pilot.press("zw Down Enter")
        #expect(pilot.state.overlay == nil && pilot.state.document.name == "two")
        let menu = try Pilot(Self.table, size: (80, 24))
        let title = try #require(menu.place(of: "price"))
        menu.mouse(.press(.right), title.x, title.y)
        menu.mouse(.release(.right), title.x, title.y)
        #expect(menu.list?.purpose == .commands && menu.list?.title == "price")
        menu.press("Enter")
        #expect(menu.state.overlay == nil && menu.order == Array((1...40).reversed()), "sorted ascending by price")
    }

    // MARK: The grid

    nonisolated static let moving: [Case] = [
        Case(.up, after: "5 j", to: "name 5"), Case(.down, to: "name 2"), Case(.left, after: "l", to: "name 1"), Case(.right, to: "side 1"),
        Case(.pageDown) { $1.state.grid.cursor.row ?? 0 > 15 }, Case(.pageUp, after: "G") { 1..<25 ~= $1.state.grid.cursor.row ?? 0 },
        Case(.halfPageDown) { 5..<15 ~= $1.state.grid.cursor.row ?? 0 },
        Case(.halfPageUp, after: "G") { 25..<36 ~= $1.state.grid.cursor.row ?? 0 },
        Case(.firstColumn, after: "l l", to: "name 1"), Case(.lastColumn, to: "price 1"), Case(.edgeLeft, after: "l l", to: "name 1"),
        Case(.edgeRight, to: "price 1"), Case(.top, after: "G", to: "name 1"), Case(.bottom, to: "name 40"),
        Case(.goToPercent, after: "5 0", to: "name 20"), Case(.nextColumn, to: "side 1"),
        Case(.previousColumn, after: "l", to: "name 1"), Case(.goToColumn) { $1.list?.purpose == .goToColumn },
        Case(.nextDifferent, after: "l", to: "side 6"), Case(.previousDifferent, after: "l 8 j", to: "side 5"),
        Case(.mark) { $1.state.grid.marks == [0] }, Case(.clearMarks, after: "m") { $0.grid.marks == [0] && $1.state.grid.marks.isEmpty },
        Case(.nextMark, after: "3 j m g", to: "name 4"), Case(.back, after: "G", to: "name 1"),
    ]

    nonisolated static let finding: [Case] = [
        Case(.search) { $1.searchPrompt != nil },
        // The matches are n3 and n30 to n39.
        Case(.searchNext, after: "/ \"n3\" Enter n", to: "name 31"), Case(.searchPrevious, after: "/ \"n3\" Enter n n", to: "name 30"),
        Case(.searchCell, after: "l", to: "side 2"),
        Case(.filter) { $1.filterPrompt?.purpose == .filter },
        Case(.filterByCell, after: "l") { $1.order == Array(1...5) + Array(11...15) + Array(21...25) + Array(31...35) },
        Case(.filterExcludingCell, after: "l") { $1.order == Array(6...10) + Array(16...20) + Array(26...30) + Array(36...40) },
        Case(.removeFilter, after: "l @ h @") { $0.query.requested.filters.count == 2 && $1.order.count == 20 },
        Case(.removeFilters, after: "l @ h @") { $0.query.requested.filters.count == 2 && $1.order.count == 40 },
        Case(.filters, after: "l @") { $1.list?.purpose == .filters && $1.list?.rows.map(\.text) == ["side = 'A'"] },
        Case(.sort, after: "l l") { $1.order == Array((1...40).reversed()) },
        Case(.sortAscending, after: "l l") { $1.order == Array((1...40).reversed()) },
        Case(.sortDescending) { $1.order == Array((1...40).reversed()) },
        Case(.addSortKey, after: "l s l") { $1.order.prefix(6) == [35, 34, 33, 32, 31, 25] },
        Case(.group, after: "l") { $1.state.grid.outline.tree?.count == 2 },
        Case(.groupByInterval, after: "l l") { $1.list?.purpose == .groupIntervals },
        Case(.aggregates, after: "l zg Right") { $1.list?.purpose == .aggregates },
        Case(.sortGroups, after: "l zg") { $1.list?.purpose == .groupOrders },
        Case(.addGroupLevel, after: "l zg Home") { $1.state.query.shown.groups == [1, 0] },
        Case(.pivot, after: "l zg Home") {
            $1.filterPrompt?.purpose == .pivot && $1.promptText == "side by name: count|" && $1.line(23).hasPrefix(" Pivot:")
        },
        Case(.ungroup, after: "l zg") { $0.grid.outline.tree != nil && $1.state.grid.outline.tree == nil },
        Case(.sortGroupsByAggregate, after: "l zg End") {
            $1.state.query.shown.sectionOrders == [1: SectionOrder(.aggregate(Aggregate(.mean, of: 2)), isDescending: true)]
        },
        Case(.sortGroupsByCount, after: "l zg") { $1.state.query.shown.sectionOrders == [1: SectionOrder(.rowCount, isDescending: true)] },
        Case(.sortGroupsByName, after: "l zg") { $1.state.query.shown.sectionOrders == [1: SectionOrder(.title, isDescending: false)] },
        Case(.groupDetails, after: "l zg") { $1.state.overlay as? Page == .group },
        Case(.toggleSection, after: "l zg") { $1.collapsed == [true, false] },
        Case(.collapseAll, after: "l zg") { $1.collapsed == [true, true] },
        Case(.expandAll, after: "l zg zM") { $0.grid.isCollapsed(section: 0) && $1.collapsed == [false, false] },
        Case(.nextSection, after: "l zg") { $1.state.grid.cursor.item == .header(1) },
        Case(.previousSection, after: "l zg zj") { $1.state.grid.cursor.item == .header(0) },
    ]

    nonisolated static let columns: [Case] = [
        Case(.freezeColumns) { $1.state.grid.frozen == FrozenPanes(leading: 1) },
        Case(.freezeRows) { $1.state.grid.frozen == FrozenPanes(rows: 1) },
        Case(.freezeBoth) { $1.state.grid.frozen == FrozenPanes(leading: 1, rows: 1) },
        Case(.pinLeft, after: "l") { $1.titles == ["side", "name", "price"] && $1.state.grid.frozen.leading == 1 },
        Case(.pinRight) { $1.titles == ["side", "price", "name"] && $1.state.grid.frozen.trailing == 1 },
        Case(.narrower) { $1.state.grid.width == $0.grid.width - 1 },
        Case(.wider) { $1.state.grid.width == $0.grid.width + 1 },
        Case(.fitColumn, after: "9 >") { $1.state.grid.width < $0.grid.width },
        Case(.fitAll, after: "9 >") { $1.state.grid.width < $0.grid.width },
        Case(.hideColumn) { $1.titles == ["side", "price"] }, Case(.showColumns) { $1.list?.purpose == .showColumns },
        Case(.showAllColumns, after: "2 -") { $0.grid.columns.count == 1 && $1.titles == ["name", "side", "price"] },
        Case(.hideOtherColumns, after: "l") { $1.titles == ["side"] },
        Case(.hideEmptyColumns) { $1.state.message == .emptyColumnsHidden(0, rows: 40, isComplete: true, showKey: "+") },
        Case(.moveColumnLeft, after: "l") { $1.titles == ["side", "name", "price"] },
        Case(.moveColumnRight) { $1.titles == ["side", "name", "price"] },
        Case(.renameColumn, after: "l") {
            $1.state.overlay as? RenamePrompt == RenamePrompt(column: 1, title: "side") && $0.overlay == nil
        },
        Case(.columnType) { $0.grid.columns[0].kind == .text && $1.state.grid.columns[0].kind == .integer },
        Case(.typeText, after: "2 l") { $0.grid.columns[2].kind == .integer && $1.state.grid.columns[2].kind == .text },
        Case(.typeInteger) { $0.grid.columns[0].kind == .text && $1.state.grid.columns[0].kind == .integer },
        Case(.typeDecimal) { $0.grid.columns[0].kind == .text && $1.state.grid.columns[0].kind == .decimal },
        Case(.typeDate) { $0.grid.columns[0].kind == .text && $1.state.grid.columns[0].kind == .date },
        Case(.swapDayAndMonth) { $1.state.message?.id == .noDayOrder },
        Case(.groupDigits, after: "$") {
            $0.grid.columns[2].format.groupsThousands && !$1.state.grid.columns[2].format.groupsThousands
        },
        Case(.duplicateColumn) { $1.titles == ["name", "name 2", "side", "price"] },
        Case(.expandColumn) { $1.state.message?.id == .nothingToExpand },
        Case(.expandRows) { $1.state.message?.id == .nothingToExpand },
        Case(.collapseColumn) { $1.state.message?.id == .nothingToCollapse },
        Case(.deriveColumn) { $1.filterPrompt?.purpose == .derivation && $1.promptText == "|" && $1.line(23).hasPrefix(" New column:") },
    ]

    nonisolated static let rows: [Case] = [
        Case(.moveRowUp, after: "j") { $1.order.prefix(3) == [2, 1, 3] }, Case(.moveRowDown) { $1.order.prefix(3) == [2, 1, 3] },
        Case(.rowDragging) { !$0.grid.interaction.allowsRowReordering && $1.state.grid.interaction.allowsRowReordering },
    ]

    nonisolated static let selecting: [Case] = [
        Case(.selectCells) { $1.blocks == [SelectionBlock(rows: 0..<1, columns: [0])] },
        Case(.selectRows) { $1.blocks == [SelectionBlock(rows: 0..<1, columns: nil)] },
        Case(.selectColumns) { $1.blocks == [SelectionBlock(rows: nil, columns: [0])] },
        Case(.selectAll) { $1.state.grid.selectedRows().count == 40 },
        Case(.addRange, after: "V") {
            $1.press("3 j V")
            return $1.state.grid.selectedRows() == [0, 3] && $0.grid.selectedRows() == [0]
        },
        Case(.invertSelection, after: "V") { $1.state.grid.selectedRows() == (1..<40).map { RowID($0) } },
        Case(.swapSelectionEnds, after: "v 3 j", to: "name 1"),
        Case(.selectionMode) { $0.grid.selectionMode == .cells && $1.state.grid.selectionMode == .row },
        Case(.extendUp, after: "3 j") { $1.blocks == [SelectionBlock(rows: 2..<4, columns: [0])] },
        Case(.extendDown) { $1.blocks == [SelectionBlock(rows: 0..<2, columns: [0])] },
        Case(.extendLeft, after: "l") { $1.blocks == [SelectionBlock(rows: 0..<1, columns: [0, 1])] },
        Case(.extendRight) { $1.blocks == [SelectionBlock(rows: 0..<1, columns: [0, 1])] },
        Case(.copy) { $1.clipboardText == "n1" }, Case(.copyWithHeader) { $1.clipboardText == "name\nn1" },
        Case(.copyAs) { $1.list?.purpose == .copyAs && $1.list?.rows.map(\.text) == Self.copyRows },
        Case(.export) { ($1.state.overlay as? ExportPrompt)?.field.string == "test-view.csv" },
    ]

    nonisolated static let copyRows = [
        "TSV", "CSV", "JSON", "JSON Lines", "Markdown", "HTML", "SQL", "Header: yes", "Values: as in the file",
    ]

    nonisolated static let picking: [Case] = [
        Case(.pick, in: .pick, after: "j") { $0.exitStatus == nil && $1.state.exitStatus == 0 },
        Case(.cancel, in: .pick) { $1.state.exitStatus == 130 },
        Case(.markAndNext, in: .pickMany, after: "j") { $1.state.grid.marks == [1] && $1.cursorCell == "name 3" },
    ]

    nonisolated static let appearance: [Case] = [
        Case(.statistics, after: "l l") { $1.statistics?.subject == .column(2) && $1.statistics?.result != nil },
        Case(.frequencies, after: "l") { $1.statistics?.subject == .frequencies(1) && $1.statistics?.result != nil },
        Case(.summary) { $1.statistics?.subject == .summary && $1.statistics?.result != nil },
        Case(.record) { $1.screen.contains(" Row 1 of 40\n") },
        Case(.wrap) { $1.state.grid.metrics.hasAutomaticRowHeights }, Case(.transpose) { $1.state.grid.presentation == .transposed },
        Case(.cards) { $1.state.grid.presentation == .cards },
        Case(.gridLines) { $0.grid.metrics.gridLines == .none && $1.state.grid.metrics.gridLines == .columns },
        Case(.panning) { !$0.grid.interaction.pansByDragging && $1.state.grid.interaction.pansByDragging },
        Case(.theme) { $0.grid.theme.name == "dark" && $1.state.grid.theme.name == "light" },
        Case(.undo, after: "-") { $0.grid.columns.count == 2 && $1.titles.count == 3 },
        Case(.redo, after: "- U") { $0.grid.columns.count == 3 && $1.titles == ["side", "price"] },
        Case(.history, after: "-") { $1.list?.purpose == .history && $1.list?.rows.count == 2 },
        Case(.saveView) { ($1.state.overlay as? ExportPrompt)?.savesView == true },
        Case(.restoreView) { $1.state.message?.id == .noRecentViews },
        Case(.commandLine) { ($1.state.overlay as? Page)?.title == "Command line" && $1.clipboardText.hasPrefix("gridview ") },
        Case(.reset, after: "l l s") { $0.query.requested.sort.count == 1 && $1.order == Array(1...40) },
    ]

    nonisolated static let sheets: [Case] = [
        Case(.nextSheet) { $1.state.document.name == "two" }, Case(.previousSheet) { $1.state.document.name == "three" },
        Case(.sheets) { $1.list?.purpose == .sheets },
        Case(.closeSheet) { $0.sheets.count == 3 && $1.state.sheets.map(\.document.name) == ["two", "three"] },
    ]

    nonisolated static let program: [Case] = [
        Case(.reload) { $1.state.message == .fileUnchanged("test.csv") },
        Case(.follow, after: "l") { !$0.sheet.isFollowing && $1.state.sheet.isFollowing && $1.cursorCell == "side 40" },
        Case(.readingOptions) { ($1.state.overlay as? ReadingForm)?.preview?.titles == ["name", "side", "price"] },
        Case(.useAsHeader, after: "j") { $1.titles == ["n2", "A", "98"] },
        Case(.statements) { $1.state.message?.id == .noStatements },
        Case(.palette) { $1.list?.purpose == .commands },
        Case(.help) { $1.state.overlay as? Page == .help }, Case(.about) { $1.state.overlay as? Page == .about },
        Case(.hints) { $0.showsHints && !$1.state.showsHints }, Case(.mouse) { $0.isMouseOn && !$1.state.isMouseOn },
        Case(.saveSettings) { $1.state.message == .settingsOff },
        Case(.escape, after: "v") { !$0.grid.selection.isEmpty && $1.blocks.isEmpty },
        Case(.cancel, after: "v") { $1.clipboardText == "n1" },
        Case(.redraw, after: "j") { $1.lastByteCount > 200 },
        Case(.suspend) { $1.backend.suspendCount == 1 }, Case(.close) { $1.state.exitStatus == 0 },
        Case(.quit) { $1.state.exitStatus == 0 },
        Case(.escape, in: .drag) { $0.grid.drag != nil && $1.state.grid.drag == nil },
    ]

    // MARK: Panels and prompts

    nonisolated static let panels: [Case] = [
        Case(.up, in: .panel, after: "? j j") { $1.scroll == 1 }, Case(.down, in: .panel, after: "?") { $1.scroll == 1 },
        Case(.pageDown, in: .panel, after: "?") { $1.scroll == 21 }, Case(.pageUp, in: .panel, after: "? j Space") { $1.scroll == 1 },
        Case(.top, in: .panel, after: "? Space") { $1.scroll == 0 }, Case(.bottom, in: .panel, after: "?") { $1.scroll ?? 0 > 100 },
        Case(.top, in: .page, after: "? Space") { $1.scroll == 0 }, Case(.bottom, in: .page, after: "?") { $1.scroll ?? 0 > 100 },
        Case(.search, in: .page, after: "?") { ($1.state.overlay as? Page)?.search?.isTyping == true },
        Case(.searchNext, in: .page, after: "? / \"freeze\" Enter") {
            ($0.page?.search?.match ?? .max) < $1.state.page?.search?.match ?? 0
        },
        Case(.searchPrevious, in: .page, after: "? / \"freeze\" Enter n") {
            ($0.page?.search?.match ?? 0) > $1.state.page?.search?.match ?? .max
        },
        Case(.accept, in: .prompt, after: "? / \"freeze\"") { $1.state.page?.search?.isTyping == false },
        Case(.close, in: .prompt, after: "? / \"freeze\"") { $1.state.page?.search == nil && $1.state.page?.scroll == 0 },
        Case(.copy, in: .page, after: "M-g") { $1.state.message?.id == .nothingToCopy },
        Case(.readingOptions, in: .page, after: "M-g") { $1.state.overlay is ReadingForm },
        Case(.close, in: .page, after: "?") { $0.overlay != nil && $1.state.overlay == nil },
        Case(.nextRow, in: .record, after: "Enter") { $1.screen.contains(" Row 2 of 40\n") },
        Case(.previousRow, in: .record, after: "j Enter") { $1.screen.contains(" Row 1 of 40\n") },
        // On these four lines, the row view is taller than its page.
        Case(.nextColumn, in: .record, after: "Enter Tab", height: 4) { $1.cursorCell == "price 1" && $1.record?.column == 1 },
        Case(.previousColumn, in: .record, after: "Enter Tab Tab", height: 4) { $0.grid.cursor.column == 2 && $1.cursorCell == "side 1" },
        Case(.copy, in: .record, after: "Enter") { $1.clipboardText == "n1" },
        Case(.up, in: .record, after: "Enter j", to: "name 1"), Case(.down, in: .record, after: "Enter", to: "side 1"),
        Case(.filterByCell, in: .record, after: "l Enter") { $1.state.overlay == nil && $1.order.count == 20 },
        Case(.filterExcludingCell, in: .record, after: "l Enter") { $1.state.overlay == nil && $1.order.first == 6 },
        Case(.filter, in: .record, after: "l Enter") { $1.promptText == "side = 'A'|" },
        Case(.search, in: .record, after: "Enter") { ($1.state.overlay as? RowView)?.isTyping == true },
        Case(.hideColumn, in: .record, after: "Enter") { $1.state.overlay is RowView && $1.titles == ["side", "price"] },
        Case(.undo, in: .record, after: "l - Enter") { $1.state.overlay is RowView && $1.titles == ["name", "side", "price"] },
        Case(.redo, in: .record, after: "l - U Enter") { $1.state.overlay is RowView && $1.titles == ["name", "price"] },
        Case(.editField, in: .record, after: "Enter") { $1.state.message == .cannotEdit },
        Case(.searchNext, in: .recordSearch, after: "Enter / \"e\" Enter", to: "side 1"),
        Case(.searchPrevious, in: .recordSearch, after: "Enter / \"e\" Enter n", to: "name 1"),
        Case(.escape, in: .recordSearch, after: "Enter / \"e\" Enter") {
            ($0.overlay as? RowView)?.search.string == "e" && ($1.state.overlay as? RowView)?.search.string == ""
        },
        Case(.close, in: .record, after: "Enter") { $0.overlay != nil && $1.state.overlay == nil },
        Case(.accept, in: .statistics, after: "l F Down") { $1.state.overlay == nil && $1.order.count == 20 },
        Case(.sort, in: .statistics, after: "l F") { $1.statistics?.isSortedByValue == true },
        Case(.frequencies, in: .statistics, after: "l I") { $1.statistics?.subject == .frequencies(1) },
        Case(.exactStatistics, in: .statistics, after: "l I") { $1.statistics?.wantsExact == false && $1.statistics?.result != nil },
        Case(.nextColumn, in: .statistics, after: "l l I") { $1.statistics?.item == 0 },
        Case(.previousColumn, in: .statistics, after: "l l I Right Right") { $0.overlay != nil && $1.statistics?.item == 0 },
        Case(.findValues, in: .values, after: "l F") { $1.statistics?.isTyping == true },
        Case(.markAndNext, in: .values, after: "l F") { $1.statistics?.markedNumbers.count == 1 && $1.statistics?.selected == 1 },
        Case(.markAndNext, in: .narrowing, after: "l F /") { $1.statistics?.markedNumbers.count == 1 && $1.statistics?.isTyping == true },
        Case(.filterExcludingCell, in: .values, after: "l F Down") { $1.state.overlay == nil && $1.order.count == 20 },
        Case(.copy, in: .values, after: "l F") { $1.clipboardText == "side\tcount\tshare %\nA\t20\t50\nB\t20\t50" },
        Case(.export, in: .values, after: "l F") { ($1.state.overlay as? ExportPrompt)?.field.string == "test-values.csv" },
        Case(.close, in: .statistics, after: "zI Enter") { $1.statistics?.subject == .summary },
    ]

    nonisolated static let prompts: [Case] = [
        Case(.accept, in: .prompt, after: "/ \"n4\"") { $1.state.overlay == nil && $1.state.search?.text == "n4" },
        Case(.accept, in: .prompt, after: ": r e n a Enter C-u B") { $1.state.overlay == nil && $1.titles == ["B", "side", "price"] },
        Case(.accept, in: .prompt, after: "& \"price > 98\"") { $1.state.overlay == nil && $1.order == [1] },
        Case(.accept, in: .prompt, after: "z= \"twice = price * 2\"") {
            $1.state.overlay == nil && $1.titles == ["name", "twice", "side", "price"]
        },
        Case(.accept, in: .prompt, after: "c p r i") { $1.state.overlay == nil && $1.cursorCell == "price 1" },
        Case(.accept, in: .prompt, after: "+ s i d") { $1.list?.purpose == .showColumns && $1.titles == ["name", "price"] },
        Case(.accept, in: .prompt, after: ": f r z c") { $1.state.overlay == nil && $1.state.grid.frozen.leading == 1 },
        Case(.accept, in: .prompt, after: "zy \"JSON\"") { $1.state.overlay == nil && $1.clipboardText.contains("\"name\": \"n1\"") },
        Case(.close, in: .prompt, after: "/ \"n4\"") { $1.state.overlay == nil && $1.state.search == nil && $1.cursorCell == "name 1" },
        Case(.init(.deleteBackward), in: .prompt, after: "/ \"ab cd\"") { $1.promptText == "ab c|" },
        Case(.init(.deleteForward), in: .prompt, after: "/ \"ab cd\" Home") { $1.promptText == "|b cd" },
        Case(.init(.textLeft), in: .prompt, after: "/ \"ab cd\"") { $1.promptText == "ab c|d" },
        Case(.init(.textRight), in: .prompt, after: "/ \"ab cd\" Home") { $1.promptText == "a|b cd" },
        Case(.init(.textStart), in: .prompt, after: "/ \"ab cd\"") { $1.promptText == "|ab cd" },
        Case(.init(.textEnd), in: .prompt, after: "/ \"ab cd\" Home") { $1.promptText == "ab cd|" },
        Case(.init(.deleteToStart), in: .prompt, after: "/ \"ab cd\" Left") { $1.promptText == "|d" },
        Case(.init(.deleteToEnd), in: .prompt, after: "/ \"ab cd\" Home Right") { $1.promptText == "a|" },
        Case(.init(.deleteWord), in: .prompt, after: "/ \"ab cd\"") { $1.promptText == "ab |" },
        Case(.up, in: .list, after: ":") { $1.list.map { $0.selected == $0.matches.count - 1 } ?? false },
        Case(.down, in: .list, after: ":") { $1.list?.selected == 1 }, Case(.pageDown, in: .list, after: ":") { $1.list?.selected == 10 },
        Case(.pageUp, in: .list, after: ": PageDown Down") { $1.list?.selected == 1 },
        Case(.showAllColumns, in: .columnList, after: "2 - +") { $0.grid.columns.count == 1 && $1.titles.count == 3 },
        Case(.hideListedColumns, in: .columnList, after: "+ p r i") { $1.list != nil && $1.titles == ["name", "side"] },
        Case(.hideEmptyColumns, in: .columnList, after: "+") {
            $1.list != nil && $1.state.message == .emptyColumnsHidden(0, rows: 40, isComplete: true, showKey: nil)
        },
        Case(.up, in: .reading, after: "C-g") { ($1.state.overlay as? ReadingForm)?.selected == .decimal },
        Case(.down, in: .reading, after: "C-g") { ($1.state.overlay as? ReadingForm)?.selected == .quote },
        Case(.nextChoice, in: .reading, after: "C-g") { ($1.state.overlay as? ReadingForm)?.values[.delimiter] == "," },
        Case(.previousChoice, in: .reading, after: "C-g") { ($1.state.overlay as? ReadingForm)?.values[.delimiter] == "none" },
        Case(.previousSearch, in: .search, after: "/ B Enter /") { $1.promptText == "B|" },
        Case(.nextSearch, in: .search, after: "/ B Enter / x Up") { $1.promptText == "x|" },
        Case(.searchScope, in: .search, after: "l / B") { $1.searchPrompt?.column == 1 },
        Case(.searchPattern, in: .search, after: "/ B") { $1.searchPrompt?.isPattern == true },
        Case(.previousFilter, in: .filter, after: "l @ &") { $1.promptText == "side = 'A'|" },
        Case(.nextFilter, in: .filter, after: "l @ & x Up") { $1.promptText == "x|" },
        Case(.nextCompletion, in: .filter, after: "& p r") { $1.promptText == "price|" },
        Case(.previousCompletion, in: .filter, after: "& \"side = \"") { $1.promptText == "side = 'B'|" },
        Case(.toggleFilter, in: .filterList, after: "l @ M-&") {
            $1.list != nil && $1.order.count == 40 && $1.state.query.requested.disabledFilters.count == 1
        },
        Case(.removeFilter, in: .filterList, after: "l @ M-&") { $1.list == nil && $1.order.count == 40 && $1.state.query.isSettled },
        Case(.accept, in: .prompt, after: "zs") { $1.state.overlay == nil && $1.state.message?.id == .exported },
        Case(.toggleFormulaEscaping, in: .export, after: "zs") { ($1.state.overlay as? ExportPrompt)?.escapesFormulas == true },
    ]
}

/// The state before a command, including the grid at that time.
@MainActor
@dynamicMemberLookup
struct StateBefore {
    private let state: AppState
    let grid: GridState

    init(_ state: AppState) { (self.state, grid) = (state, state.grid) }

    subscript<Value>(dynamicMember path: KeyPath<AppState, Value>) -> Value { state[keyPath: path] }
}

extension AppState {
    fileprivate var page: Page? { overlay as? Page }
}

extension GridState {
    /// The width of the first column in terminal cells.
    fileprivate var width: Int { layout.columns.first { $0.index == 0 }?.fullWidth ?? 0 }
}

extension Pilot {
    fileprivate var list: ListPanel? { state.overlay as? ListPanel }
    fileprivate var statistics: StatisticsPanel? { state.overlay as? StatisticsPanel }
    fileprivate var record: RecordPosition? { (state.overlay as? RowView)?.top }
    fileprivate var searchPrompt: SearchPrompt? { state.overlay as? SearchPrompt }
    fileprivate var filterPrompt: FormulaPrompt? { state.overlay as? FormulaPrompt }
    fileprivate var scroll: Int? { (state.overlay as? Page)?.scroll }
    fileprivate var blocks: [SelectionBlock] { state.grid.selection.blocks }
    fileprivate var collapsed: [Bool] { (0..<(state.grid.outline.tree?.count ?? 0)).map { state.grid.isCollapsed(section: $0) } }

    /// The text of the prompt, with a bar at its cursor.
    fileprivate var promptText: String? {
        guard let field = searchPrompt?.field ?? filterPrompt?.field else { return nil }
        return String(field.text[..<field.cursor]) + "|" + String(field.text[field.cursor...])
    }
}
