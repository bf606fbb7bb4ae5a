import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// The grid's command table, the source of key maps and help.
@MainActor
@Suite struct GridCommandTests {
    @Test func `A3: the command table has every command, and no two commands conflict`() throws {
        #expect(try KeyMap(GridCommand.table) == .standard)
        #expect(Set(GridCommand.table.map(\.id)) == Set(GridCommand.ID.allCases))
        for context in GridCommand.Context.allCases {
            let rows = GridCommand.table.filter { $0.context == context }
            #expect(!rows.isEmpty && Set(rows.map(\.id)).count == rows.count && Set(rows.map(\.title)).count == rows.count, "\(context)")
        }
        for row in GridCommand.table {
            #expect(!row.keys.isEmpty && !row.title.isEmpty && row.summary.hasSuffix("."), "\(row.id)")
        }
    }

    /// Commands of text fields, editors and applications run elsewhere.
    @Test func `A3: every grid command causes an action in at least one state`() {
        var states = [GridState(columns: columns("a:4 b:4 c:4"), rows: .natural(count: 6), metrics: .threeHeaderLines)]
        var column = states[0].columns.all[0]
        column.isEditable = true
        _ = states[0].apply(.updateColumn(column))
        _ = states[0].apply(.setHidden(1, true))
        states[0].interaction.allowsRowReordering = true
        _ = states[0].apply(.selectAll)
        for isCollapsed in [true, false] {
            var state = states[0]
            _ = state.apply(
                .setRows(.natural(count: 6), tree: SectionTree((0..<3).map { Section(title: "s\($0)", rows: $0 * 2..<$0 * 2 + 2) })))
            _ = state.apply(.setAllCollapsed(isCollapsed))
            _ = state.apply(.moveCursor(GridCursor(item: .header(0), column: 0)))
            states.append(state)
        }
        for row in GridCommand.table where row.context == .grid || row.context == .section {
            #expect(states.contains { GridInput.action(of: row.id, in: $0) != nil }, "\(row.id)")
        }
    }

    @Test func `A3: commands that move in a direction accept a number of steps`() {
        let state = GridState(columns: columns("a:4 b:4 c:4"), rows: .natural(count: 6), metrics: .threeHeaderLines)
        #expect(GridInput.action(of: .down, times: 3, in: state) == .move(.down(3)))
        #expect(GridInput.action(of: .extendLeft, times: 2, in: state) == .move(.left(2), extending: true))
        #expect(GridInput.action(of: .narrower, times: 4, in: state) == .resizeColumn(0, by: -4))
        #expect(GridInput.action(of: .moveRight, times: 2, in: state) == .moveColumn(0, toIndex: 2))
        #expect(GridInput.action(of: .selectAll, times: 2, in: state) == .selectAll)
    }

    @Test func `A3: the first key of every editor and text command has an effect`() throws {
        for row in GridCommand.table where row.context == .editor || row.context == .text {
            for key in row.keys {
                let press = try #require(KeyNotation.key(key))
                let isMove = row.context == .text || row.id == .cancelEditing
                guard let editorKey = GridInput.editorKey(for: press) else {
                    Issue.record("\(key) has no effect")
                    continue
                }
                if case .commit = editorKey { #expect(!isMove, "\(key)") } else { #expect(isMove, "\(key)") }
            }
        }
    }

    @Test func `A3: help lists every command with its keys`() throws {
        let text = KeyHelpChapter.text(GridInput.help() + GridApplication.help())
        for row in GridCommand.table {
            let labels = row.keys.compactMap { KeyNotation.sequence($0).map { KeyNotation.label($0) } }.joined(separator: "  ")
            #expect(text.contains("  \(labels) ") && text.contains(" \(row.summary)\n"), "\(row.id)")
        }
        #expect(text.hasPrefix("Table\n  ↑ ") && text.contains("\n\nMouse\n  click ") && text.contains("\n\nProgram\n  y "))
        let keys = try KeyMap(GridCommand.table, overrides: [.init(.grid, "F5", .sort), .init(.grid, "s", nil)])
        #expect(GridInput.help(keys).flatMap(\.entries).contains { $0.keys == "F5" && $0.text.hasPrefix("Sort by") })
    }

    @Test func `A3: an application can assign other keys to commands`() throws {
        let keys = try KeyMap(
            GridCommand.table,
            overrides: [
                .init(.grid, "F5", .sort), .init(.grid, "s", nil), .init(.grid, "g g", .top), .init(.editor, "F3", .cancelEditing),
                .init(.application, "x", .quit),
            ])
        let source = RecordingSource((0..<20).map { "a\($0)|b\($0)" }.joined(separator: "\n"))
        let grid = GridController(columns: columns("a:4 b:4"), dataSource: source, metrics: .threeHeaderLines)
        grid.keyMap = keys
        grid.reload()
        #expect(!grid.handle(.key(KeyPress(.character("s")))) && grid.state.sort.isEmpty)
        #expect(grid.handle(.key(KeyPress(.function(5)))) && grid.state.sort == [ColumnSort(0)])
        grid.perform(.move(.row(5)))
        for _ in 0..<2 { #expect(grid.handle(.key(KeyPress(.character("g"))))) }
        #expect(grid.state.cursor.row == 0)
        #expect(GridInput.editorKey(for: KeyPress(.function(3)), keys: keys) == .cancel)
        let backend = RecordingBackend(size: TerminalSize(columns: 20, rows: 5))
        let application = try backend.open(grid)
        application.keyMap = keys
        backend.type([KeyPress(.character("x"))], into: application)
        #expect(!application.isRunning)
    }
}
