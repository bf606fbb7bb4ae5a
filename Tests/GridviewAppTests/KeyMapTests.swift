import Foundation

@testable import DataGridTerminal
@testable import GridviewApp
import TerminalSurface
import Testing

/// Compares the command table with the documented list of keys.
@MainActor
@Suite struct KeyMapTests {
    /// The command of each documented key.
    nonisolated static let documentedKeys: [(String, CommandID)] = [
        ("I", .statistics), ("F", .frequencies), ("zI", .summary),
        ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("k", .up), ("j", .down), ("h", .left), ("l", .right),
        ("PageDown", .pageDown), ("PageUp", .pageUp), ("C-f", .pageDown), ("C-b", .pageUp), ("Space", .pageDown),
        ("C-d", .halfPageDown), ("C-u", .halfPageUp), ("d", .halfPageDown), ("u", .halfPageUp),
        ("Home", .firstColumn), ("End", .lastColumn), ("0", .firstColumn), ("^", .firstColumn), ("$", .lastColumn),
        ("C-Left", .edgeLeft), ("C-Right", .edgeRight),
        ("C-Home", .top), ("C-End", .bottom), ("g", .top), ("G", .bottom),
        ("Tab", .nextColumn), ("S-Tab", .previousColumn), ("w", .nextColumn), ("b", .previousColumn),
        ("c", .goToColumn), ("}", .nextDifferent), ("{", .previousDifferent), ("/", .search), ("n", .searchNext), ("N", .searchPrevious),
        ("&", .filter), ("@", .filterByCell), ("~", .filterExcludingCell), ("\\", .removeFilter), ("|", .removeFilters), ("M-&", .filters),
        ("s", .sort), ("[", .sortAscending), ("]", .sortDescending), ("S", .addSortKey),
        ("f", .freezeColumns), ("zf", .freezeRows), ("zF", .freezeBoth), ("!", .pinLeft), ("z!", .pinRight),
        ("<", .narrower), (">", .wider), ("_", .fitColumn), ("=", .fitAll), ("-", .hideColumn), ("+", .showColumns),
        ("H", .moveColumnLeft), ("L", .moveColumnRight), ("M-Left", .moveColumnLeft), ("M-Right", .moveColumnRight),
        ("zg", .group), ("zG", .addGroupLevel), ("zp", .groupByInterval), ("zA", .aggregates), ("zS", .sortGroups),
        ("zu", .ungroup), ("za", .toggleSection), ("zM", .collapseAll), ("zR", .expandAll),
        ("zj", .nextSection), ("zk", .previousSection), ("i", .groupDetails), ("Enter", .record),
        ("v", .selectCells), ("V", .selectRows), ("C-Space", .selectColumns), ("C-a", .selectAll), ("z+", .addRange),
        ("z~", .invertSelection), ("o", .swapSelectionEnds), ("zv", .selectionMode),
        ("S-Up", .extendUp), ("S-Down", .extendDown), ("S-Left", .extendLeft), ("S-Right", .extendRight),
        ("m", .mark), ("M", .clearMarks), ("y", .copy), ("Y", .copyWithHeader), ("zy", .copyAs), ("t", .columnType), ("z,", .groupDigits),
        ("z/", .swapDayAndMonth), ("zs", .export),
        ("W", .wrap),
        ("zl", .gridLines), ("zt", .transpose), ("zc", .cards),
        ("U", .undo), ("C-r", .redo), ("*", .searchCell), ("%", .goToPercent), (",", .filterByCell), ("Q", .quit),
        ("T", .theme), ("R", .reload), ("r", .reset), (":", .palette), ("?", .help), ("F1", .help), ("z?", .hints), ("M-m", .mouse),
        ("M-f", .follow), ("C-g", .readingOptions), ("M-h", .useAsHeader),
        ("K", .moveRowUp), ("M-Up", .moveRowUp), ("J", .moveRowDown), ("M-Down", .moveRowDown),
        ("C-PageDown", .nextSheet), ("C-PageUp", .previousSheet), ("zw", .sheets), ("zq", .closeSheet),
        ("Escape", .escape), ("q", .close), ("C-q", .quit), ("C-c", .cancel), ("C-z", .suspend), ("C-l", .redraw),
    ]

    /// Keys reserved for future features: other views, editing, saving, formats.
    nonisolated static let reservedKeys = [
        "e", "F2", "Delete", "zD", "C-s",
        "zT",
    ]

    static let map = KeyMap<Command>.standard

    @Test(arguments: documentedKeys) func `D13: each documented key runs its command`(key: String, command: CommandID) throws {
        #expect(Self.map.resolve(try #require(KeyNotation.sequence(key)), in: [.grid]) == .command(command))
    }

    @Test(arguments: reservedKeys) func `D13: each reserved key has no command`(key: String) throws {
        #expect(
            Self.map.resolve(try #require(KeyNotation.sequence(key)), in: [.grid]) == .none,
            "\(key) has a command now: move it to documentedKeys")
    }

    @Test func `D13: the command table has no conflict in any context`() throws {
        #expect(try KeyMap(Command.table) == Self.map)
        for command in Command.table {
            for key in command.keys {
                let keys = try #require(KeyNotation.sequence(key), "\(key)")
                #expect(Self.map.resolve(keys, in: [command.context]) == .command(command.id), "\(key) in \(command.context)")
            }
        }
    }

    @Test func `D13: commands of the grid library keep their keys and titles, and cannot change column widths on cards`() throws {
        for (id, model) in [(.sort, .sort), (.extendUp, .extendUp), (.selectRows, .selectRow)] as [(CommandID, GridCommand.ID)] {
            let (command, row) = (try #require(Command.named(id)), GridCommand.named(model))
            #expect(command.keys == row.keys && command.title == row.title, "\(id)")
        }
        #expect(Command.named(.wider)?.summary == "Make this column wider.")
        let pilot = try Pilot("a,b\n1,2\n", size: (40, 10))
        pilot.press("3 > zc")
        let columns = pilot.state.grid.columns
        pilot.press("3 > <")
        #expect(pilot.state.grid.columns == columns && pilot.state.message == nil)
    }

    @Test func `D13: assigning a key that is already in use is an error that names both commands`() throws {
        let error = #expect(throws: KeyConflict.self) {
            try KeyMap(Command.table, overrides: [.init(.grid, "x", .sort), .init(.grid, "x", .group)])
        }
        #expect(error?.message == "“x” is bound to both “sort” and “group” in the context “grid”.")
        let beginning = #expect(throws: KeyConflict.self) { try KeyMap(Command.table, overrides: [.init(.grid, "z", .sort)]) }
        #expect(beginning?.message == "“z” (“sort”) is a prefix of “zf” (“freeze-rows”) in the context “grid”.")
    }

    @Test func `D13: reassigned keys work and are shown in the grid, panels and prompts`() throws {
        var options = LaunchOptions()
        options.keyMap = try KeyMap(
            Command.table,
            overrides: [
                .init(.grid, "x", .sort), .init(.grid, "s", nil), .init(.grid, "X", .group), .init(.grid, "zg", nil),
                .init(.grid, "B x", .palette), .init(.record, "C-x C-n", .nextRow),
                .init(.search, "F4", .searchPattern), .init(.prompt, "C-g", .close),
            ])
        let pilot = try Pilot("a,b\n2,x\n1,y\n", size: (80, 20), options: options)
        #expect(pilot.line(19).contains("x sort") && !pilot.line(19).contains("s sort"))
        pilot.press("s")
        #expect(pilot.state.message?.id == .noCommand)
        pilot.press("zu")
        #expect(pilot.state.message == .noGroups(groupKey: "X"))
        pilot.press("x")
        #expect(pilot.cursorCell == "a 2" && pilot.state.grid.sort.count == 1)
        pilot.press("B")
        #expect(pilot.line(19).hasPrefix(" B  x commands"))
        pilot.press("x")
        #expect(pilot.screen.contains("Commands") && pilot.line(19).contains("Ctrl-g back"))
        pilot.press("C-g Enter C-x")
        #expect(pilot.line(19).hasPrefix(" Ctrl-x  Ctrl-n next row"))
        pilot.press("C-n")
        #expect(pilot.screen.contains(" Row 1 of 2\n"), "after row 2")
        pilot.press("Escape / F4")
        #expect(
            pilot.line(19).hasPrefix(" regex /") && pilot.line(19).contains("F4 plain text") && pilot.line(19).contains("Ctrl-g cancel"))
        pilot.press("C-g ?")
        for _ in 0..<20 where !pilot.screen.contains("Ctrl-x Ctrl-n  n") { pilot.press("PageDown") }
        #expect(pilot.screen.contains("Ctrl-x Ctrl-n  n"))
    }

    @Test func `D13: a key that replaces Escape also cancels an incomplete key sequence`() throws {
        var options = LaunchOptions()
        options.keyMap = try KeyMap(Command.table, overrides: [.init(.grid, "C-x", .escape), .init(.grid, "Escape", nil)])
        let pilot = try Pilot(Self.lines, size: (80, 18), options: options)
        pilot.press("1 2")
        #expect(pilot.line(17) == " 12  G go to row · _ set width · - hide columns · arrows move · Ctrl-x cancel")
        pilot.press("C-x")
        #expect(pilot.state.pendingKeys.isEmpty && pilot.message == "")
        pilot.press("z C-x j")
        #expect(pilot.cursorCell == "n 2")
    }

    @Test func `D13: a command of a panel can have a sequence of three keys, and another key interrupts the sequence`() throws {
        var options = LaunchOptions()
        options.keyMap = try KeyMap(Command.table, overrides: [.init(.page, "C-x C-x C-n", .close)])
        let pilot = try Pilot("a,b\n2,x\n1,y\n", size: (80, 20), options: options)
        pilot.press("? C-x C-x")
        #expect(pilot.state.overlay != nil && pilot.state.pendingKeys.keys.count == 2)
        pilot.press("C-n")
        #expect(pilot.state.overlay == nil && pilot.state.pendingKeys.isEmpty)
        pilot.press("? C-x q")
        #expect(pilot.state.overlay == nil && pilot.state.pendingKeys.isEmpty)
    }

    @Test func `D13: key scripts use the key bindings of the session`() throws {
        let keyMap = try KeyMap(Command.table, overrides: [.init(.grid, "Bx", .sort), .init(.grid, "zg", nil)])
        #expect(try KeyScript.keys("12Bx", in: keyMap).map { KeyNotation.label($0) } == ["1", "2", "B", "x"])
        #expect(throws: RequestError.self) { try KeyScript.keys("Bx") }
        #expect(throws: RequestError.self) { try KeyScript.keys("zg", in: keyMap) }
    }

    @Test func `D13: command IDs are unique in their context, and their hyphenated names consist of words of letters`() {
        for (context, rows) in Dictionary(grouping: Command.table, by: \.context) {
            #expect(Set(rows.map(\.id)).count == rows.count, "\(context) has two rows of a command")
        }
        for name in Command.table.map(\.id.hyphenated) {
            let words = name.split(separator: "-", omittingEmptySubsequences: false)
            #expect(words.allSatisfy { $0.count >= 2 && $0.allSatisfy { ("a"..."z").contains($0) } }, "\(name)")
        }
        #expect(CommandID.pageUp.hyphenated == "page-up")
    }

    @Test func `D13: key contexts have different names and titles`() {
        let contexts = Set(Command.table.map(\.context))
        #expect(Set(contexts.map(\.description)).count == contexts.count && Set(contexts.map(\.title)).count == contexts.count)
    }

    @Test func `D13: every command has a title, a help sentence and a help chapter`() {
        for (context, rows) in Dictionary(grouping: Command.table, by: \.context) {
            #expect(Set(rows.map(\.title)).count == rows.count, "two commands with the same title in \(context)")
        }
        for command in Command.table {
            #expect(!command.title.isEmpty && !command.summary.isEmpty && command.summary.hasSuffix("."), "\(command.id.rawValue)")
            #expect(command.title.count <= 24, "\(command.title) is too long for hints")
            #expect(
                command.context == .grid || !command.keys.isEmpty, "\(command.id.rawValue) cannot be run in \(command.context)")
        }
        for command in Command.gridCommands { #expect(Command.named(command.id) == command) }
    }

    @Test func `D13: keys are shown by their names`() {
        let labels = ["C-d", "M-Left", "S-Tab", "zg", "F1", "Space", "Escape", "PageDown", "C-Home", "z~", "-"].map {
            KeyNotation.sequence($0).map { KeyNotation.label($0) }
        }
        #expect(labels == ["Ctrl-d", "Alt-←", "Shift-Tab", "zg", "F1", "Space", "Esc", "PgDn", "Ctrl-Home", "z~", "-"])
    }

    @Test(
        arguments: Command.gridCommands.filter { !$0.keys.isEmpty })
    func `D13: docs/keys.md lists each command of the grid that has a key`(command: Command) throws {
        let words = try Self.wordsOfPage.get()
        let labels = command.keys.compactMap(KeyNotation.sequence).map { KeyNotation.label($0) }
        #expect(labels.contains { words.code.contains($0) || $0.count > 1 && words.text.contains($0) }, "\(command.id): \(labels)")
    }

    /// The words of `docs/keys.md`, inside and outside of code. A key of one character must be code, because `a` is also a word.
    private nonisolated static let wordsOfPage = Result { () throws -> (code: Set<String>, text: Set<String>) in
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../docs/keys.md")
        let parts = try String(contentsOf: path, encoding: .utf8).replacing("\\|", with: "|").split(
            separator: "`", omittingEmptySubsequences: false)
        func words(_ isCode: Bool) -> Set<String> {
            let words = parts.enumerated().filter { ($0.offset % 2 == 1) == isCode }.flatMap {
                $0.element.split(whereSeparator: \.isWhitespace)
            }
            return Set(words.map { isCode ? String($0) : $0.trimmingCharacters(in: CharacterSet(charactersIn: ".,;:")) })
        }
        return (words(true), words(false))
    }

    // MARK: Pending keys

    static let lines = "n,word\n" + (1...200).map { "\($0),w\($0)" }.joined(separator: "\n") + "\n"

    /// Each case lists keys and the cell under the cursor afterwards.
    @Test(
        arguments: [
            ("5 j", "n 6"), ("5 j 2 k", "n 4"), ("1 2 0 G", "n 120"), ("1 2 0 g", "n 120"), ("9 l", "word 1"), ("l 0", "n 1"),
            ("1 0 j", "n 11"),
            ("3 Down", "n 4"), ("5 Escape j", "n 2"), ("z Escape j", "n 2"), ("9 9 9 9 G", "n 200"),
            ("9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 j", "n 200"),
            ("9 9 9 9 PageDown", "n 200"), ("2 Tab", "n 2"), ("G g", "n 1"),
        ])
    func `D4: a count before a motion key repeats the motion`(keys: String, place: String) throws {
        let pilot = try Pilot(Self.lines)
        pilot.press(keys)
        #expect(pilot.cursorCell == place)
        #expect(pilot.state.pendingKeys.isEmpty)
    }

    @Test func `D5: a count sets the column width`() throws {
        let pilot = try Pilot("a,b\n1,2\n", size: (40, 10))
        pilot.press("1 2 _")
        #expect(pilot.line(1) == "    │            a │  b │")
        pilot.press("_")
        #expect(pilot.line(1) == "    │   a │  b │")
    }

    @Test func `D13: after a prefix key or a count, the possible next keys are shown`() throws {
        let pilot = try Pilot(Self.lines, size: (80, 18))
        let before = pilot.backend.lines
        pilot.press("z")
        for command in Command.gridCommands {
            for key in command.keys where key.hasPrefix("z") && key.count == 2 {
                #expect(pilot.screen.contains("\(key.dropFirst()) \(command.title)"), "\(key)")
            }
        }
        #expect(pilot.backend.lines[0] == before[0], "lines above do not move")
        pilot.press("Escape")
        #expect(pilot.backend.lines == before)
        pilot.press("1 2")
        #expect(pilot.line(17) == " 12  G go to row · _ set width · - hide columns · arrows move · Esc cancel")
        pilot.press("z")
        #expect(pilot.screen.contains("\n 12z  "))
    }

    @Test func `D13: pressing a key without a command shows a message`() throws {
        let pilot = try Pilot(Self.lines)
        pilot.press("F9")
        #expect(pilot.state.message == .noCommand(on: "F9", helpKey: "?"))
        pilot.press("z x")
        #expect(pilot.state.message == .noCommand(on: "zx", helpKey: "?"))
        pilot.press("j")
        #expect(pilot.message == "" && pilot.cursorCell == "n 2")
    }

    /// Keys of other programs for commands whose main key is different in gridview.
    nonisolated static let familiarKeys: [(String, CommandID)] = [
        ("C-s", .export), ("C-y", .redo), ("F5", .palette), ("F3", .searchNext), ("#", .searchCell), ("M-u", .escape), ("M->", .bottom),
        ("C-n", .down), ("`", .nextMark), ("\"", .filter), ("C", .showColumns), ("C-h", .help), ("Z Q", .quit),
    ]

    @Test(arguments: familiarKeys)
    func `17.7: a message names the gridview key that does the same as a known key of another program`(keys: String, command: CommandID)
        throws
    {
        let pilot = try Pilot(Self.lines)
        pilot.press(keys)
        let key = try #require(pilot.state.label(of: command))
        #expect(pilot.state.message?.id == .familiarKey && pilot.message.hasSuffix(", press \(key)."), "\(pilot.message)")
        #expect(pilot.state.exitStatus == nil && pilot.state.overlay == nil)
    }

    @Test(
        arguments: ["F2", "Delete", "e", "x", "p", "Backspace"])
    func `17.7: for a key that edits text in other programs, a message says that gridview does not change files`(keys: String) throws {
        let pilot = try Pilot(Self.lines)
        pilot.press(keys)
        #expect(pilot.state.message == .filesUnchanged(copyKey: "y", exportKey: "zs"))
    }

    @Test func `17.7: each entry in the list of keys of other programs is a valid key without a command`() throws {
        for text in FamiliarKeys.tasks.flatMap(\.keys) {
            let keys = try #require(KeyNotation.sequence(text), "\(text)")
            #expect(Self.map.resolve(keys, in: [.grid]) == .none, "\(text) has a command: remove it from the list")
        }
        for command in FamiliarKeys.tasks.compactMap(\.command) { #expect(Command.named(command) != nil, "\(command)") }
    }

    @Test func `17.7: keys of less, vim, spreadsheets and VisiData do what their users expect`() throws {
        let pilot = try Pilot(CommandEffectTests.table, size: (80, 24))
        pilot.press("G g g")
        #expect(pilot.cursorCell == "name 1")
        pilot.press("5 0 %")
        #expect(pilot.cursorCell == "name 20")
        pilot.press("C-End")
        #expect(pilot.cursorCell == "name 40")
        pilot.press("C-Up")
        #expect(pilot.cursorCell == "name 1")
        pilot.press("l ,")
        #expect(pilot.order.count == 20)
        pilot.press("\\ S-Space")
        #expect(pilot.state.grid.selectedRowCount == 1)
        pilot.press("Escape g q")
        #expect(pilot.state.exitStatus == 0)
        for keys in ["Q", "Z Z"] {
            let other = try Pilot(Self.lines)
            other.press(keys)
            #expect(other.state.exitStatus == 0, "\(keys)")
        }
    }

    @Test func `D16: Ctrl-l draws the whole screen again`() throws {
        let pilot = try Pilot(CommandEffectTests.table, size: (80, 24))
        let screen = pilot.screen
        pilot.press("Escape")
        #expect(pilot.lastByteCount == 0)
        pilot.press("C-l")
        #expect(pilot.lastByteCount > 200 && pilot.screen == screen)
        pilot.press("Escape")
        #expect(pilot.lastByteCount == 0)
    }

    @Test(arguments: ["q", "q!", "wq", "x", "qa", "exit"])
    func `17.7: the command palette accepts the quit commands of vim`(text: String) throws {
        let pilot = try Pilot(Self.lines)
        pilot.press(":")
        pilot.type(text)
        #expect((pilot.state.overlay as? ListPanel)?.matches.first?.text == Command.named(.quit)?.title)
        pilot.press("Enter")
        #expect(pilot.state.exitStatus == 0)
    }

    @Test func `17.7: the palette accepts the vim commands that export, show help and go to the end`() throws {
        let pilot = try Pilot(CommandEffectTests.table, size: (80, 24))
        pilot.press(": w Enter")
        #expect(pilot.state.overlay is ExportPrompt)
        pilot.press("Escape : $ Enter")
        #expect(pilot.cursorCell == "name 40")
        pilot.press(": h Enter")
        #expect((pilot.state.overlay as? Page)?.title == Page.help.title)
    }

    // MARK: Panels

    @Test func `D13: each Escape cancels one thing: first the selection, then the highlight`() throws {
        let pilot = try Pilot(Self.lines, size: (80, 12))
        pilot.press("/ w 7 Enter v j ?")
        #expect(pilot.state.overlay as? Page == .help)
        pilot.press("Escape")
        #expect(pilot.state.overlay == nil && !pilot.state.grid.selection.isEmpty)
        pilot.press("5 Escape")
        #expect(pilot.state.pendingKeys.isEmpty && !pilot.state.grid.selection.isEmpty)
        pilot.press("Escape")
        #expect(pilot.state.grid.selection.isEmpty && pilot.state.search != nil)
        pilot.press("Escape")
        #expect(pilot.state.search?.isShown == false)
        pilot.press("Escape Escape")
        #expect(pilot.state.exitStatus == nil)
    }

    @Test func `D13: q closes the top panel, and quits if no panel is open`() throws {
        let pilot = try Pilot(Self.lines)
        for open in ["?", "Enter", "M-g"] {
            pilot.press(open)
            #expect(pilot.state.overlay != nil)
            pilot.press("q")
            #expect(pilot.state.overlay == nil && pilot.state.exitStatus == nil)
        }
        pilot.press("/ q Escape")
        #expect(pilot.state.exitStatus == nil, "a letter in a prompt is a letter")
        pilot.press("q")
        #expect(pilot.state.exitStatus == 0)
    }

    @Test func `D13: Ctrl-q quits, and Ctrl-c only cancels`() throws {
        let pilot = try Pilot(Self.lines)
        pilot.press("C-c")
        #expect(pilot.state.exitStatus == nil && pilot.state.message == .nothingToCancel(quitKey: "q"))
        pilot.press("? C-c")
        #expect(pilot.state.overlay == nil && pilot.state.exitStatus == nil)
        pilot.press("C-q")
        #expect(pilot.state.exitStatus == 0)
    }

    @Test func `D16: Ctrl-z suspends the program, and then the whole screen is drawn again`() throws {
        let pilot = try Pilot(Self.lines)
        let before = pilot.screen
        pilot.press("C-z")
        #expect(pilot.backend.suspendCount == 1 && pilot.screen == before && pilot.lastByteCount > 200, "the whole screen is drawn again")
        pilot.session.turn()
        #expect(pilot.screen == before && pilot.lastByteCount == 0)
    }

    @Test func `D15: key scripts are parsed, and errors suggest a key`() throws {
        func labels(_ text: String) throws -> [String] { try KeyScript.keys(text).map { KeyNotation.label($0) } }
        #expect(
            try labels("Down C-d Ctrl-d M-Left S-Tab F1 PgDn Esc z") == [
                "↓", "Ctrl-d", "Ctrl-d", "Alt-←", "Shift-Tab", "F1", "PgDn", "Esc", "z",
            ])
        #expect(try labels(" zg 12G 5 12_ z+ c  p r ") == ["z", "g", "1", "2", "G", "5", "1", "2", "_", "z", "+", "c", "p", "r"])
        #expect(try labels("/ \"a \"\"b\"\"\" Enter \" x") == ["/", "a", "Space", "\"", "b", "\"", "Enter", "\"", "x"])
        #expect(try labels("").isEmpty)
        for (word, hint) in [
            ("Dwn", "Did you mean “Down”?"), ("M-Lft", "Did you mean “M-Left”?"), ("F99", ""), ("zgg", ""), ("hello", ""), ("C-", ""),
        ] {
            let error = #expect(throws: RequestError.self) { try KeyScript.keys(word) }
            #expect(error?.isUsageError == true && error?.message.contains("Unknown key “\(word)”. \(hint)") == true)
        }
    }
}
