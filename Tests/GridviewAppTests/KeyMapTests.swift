import GridviewApp
import TerminalSurface
import Testing

/// The command table against the list of keys that is promised.
@MainActor
@Suite struct KeyMapTests {
    /// What each promised key does.
    nonisolated static let promised: [(String, CommandID)] = [
        ("I", .statistics), ("F", .frequencies), ("zI", .summary),
        ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("k", .up), ("j", .down), ("h", .left), ("l", .right),
        ("PageDown", .pageDown), ("PageUp", .pageUp), ("C-f", .pageDown), ("C-b", .pageUp), ("Space", .pageDown),
        ("C-d", .halfPageDown), ("C-u", .halfPageUp), ("d", .halfPageDown), ("u", .halfPageUp),
        ("Home", .firstColumn), ("End", .lastColumn), ("0", .firstColumn), ("^", .firstColumn), ("$", .lastColumn),
        ("C-Left", .edgeLeft), ("C-Right", .edgeRight),
        ("C-Home", .top), ("C-End", .bottom), ("g", .top), ("G", .bottom),
        ("Tab", .nextColumn), ("S-Tab", .previousColumn), ("w", .nextColumn), ("b", .previousColumn),
        ("c", .goToColumn), ("}", .nextDifferent), ("{", .previousDifferent), ("/", .search), ("n", .searchNext), ("N", .searchPrevious),
        ("&", .filter), ("@", .filterLike), ("~", .filterUnlike), ("\\", .removeFilter), ("|", .removeFilters),
        ("s", .sort), ("[", .sortAscending), ("]", .sortDescending), ("S", .sortFurther),
        ("f", .freezeColumns), ("zf", .freezeRows), ("zF", .freezeBoth), ("!", .pinLeft), ("z!", .pinRight),
        ("<", .narrower), (">", .wider), ("_", .fitColumn), ("=", .fitAll), ("-", .hideColumn), ("+", .showColumns),
        ("H", .moveColumnLeft), ("L", .moveColumnRight), ("M-Left", .moveColumnLeft), ("M-Right", .moveColumnRight),
        ("zg", .group), ("zG", .groupFurther), ("zu", .ungroup), ("za", .toggleSection), ("zM", .collapseAll), ("zR", .expandAll),
        ("zj", .nextSection), ("zk", .previousSection), ("Enter", .record),
        ("v", .selectCells), ("V", .selectRows), ("C-Space", .selectColumns), ("C-a", .selectAll), ("z+", .addRange),
        ("z~", .invertSelection), ("o", .otherEnd), ("zv", .selectionMode),
        ("S-Up", .extendUp), ("S-Down", .extendDown), ("S-Left", .extendLeft), ("S-Right", .extendRight),
        ("m", .mark), ("M", .clearMarks), ("y", .copy), ("Y", .copyWithHeader), ("zy", .copyAs), ("t", .columnType), ("W", .wrap),
        ("zl", .gridLines), ("zt", .transpose), ("zc", .cards),
        ("T", .theme), ("R", .reload), ("r", .reset), (":", .palette), ("?", .help), ("F1", .help), ("z?", .hints), ("M-m", .mouse),
        ("K", .moveRowUp), ("M-Up", .moveRowUp), ("J", .moveRowDown), ("M-Down", .moveRowDown),
        ("C-PageDown", .nextSheet), ("C-PageUp", .previousSheet), ("zw", .sheets), ("zq", .closeSheet),
        ("Escape", .escape), ("q", .close), ("C-q", .quit), ("C-c", .cancel), ("C-z", .suspend),
    ]

    /// Keys that are promised and belong to work that has not been done: other views, editing, saving, formats, following.
    nonisolated static let notYet = [
        "e", "F2", "Delete", "zD", "U", "C-r", "C-s", "zs",
        "zT", "M-f",
    ]

    @Test(arguments: promised)
    func aKeyRunsItsCommand(key: String, command: CommandID) {
        #expect(KeyMap.standard.resolve(KeyNotation.sequence(key)) == .command(command))
    }

    @Test(arguments: notYet)
    func aKeyOfLaterWorkIsFree(key: String) {
        #expect(KeyMap.standard.resolve(KeyNotation.sequence(key)) == .none, "\(key) is there now: move it to what is promised")
    }

    @Test func noKeyIsBoundTwiceOrHidesAnother() {
        var seen: [[KeyPress]: CommandID] = [:]
        for command in Command.table {
            for key in command.keys {
                let keys = KeyNotation.sequence(key)
                #expect(seen[keys] == nil, "\(key) is \(command.id) and \(String(describing: seen[keys]))")
                seen[keys] = command.id
            }
        }
        for (keys, id) in seen {
            for length in 1..<max(1, keys.count) {
                #expect(seen[Array(keys.prefix(length))] == nil, "the beginning of the keys of \(id) is a command of its own")
            }
        }
    }

    @Test func everyCommandHasWordsAndAPlace() {
        #expect(Set(Command.table.map(\.id)) == Set(CommandID.allCases))
        #expect(Command.table.count == CommandID.allCases.count)
        for command in Command.table {
            #expect(!command.title.isEmpty && !command.summary.isEmpty && command.summary.hasSuffix("."), "\(command.id)")
            #expect(command.title.count <= 24, "\(command.title) is too long for hints")
            #expect(Command.named(command.id).id == command.id)
        }
        #expect(Set(Command.table.map(\.title)).count == Command.table.count, "two commands of one title")
    }

    @Test func keysAreWrittenForPeople() {
        let labels = ["C-d", "M-Left", "S-Tab", "zg", "F1", "Space", "Escape", "PageDown", "C-Home", "z~", "-"].map {
            KeyNotation.label(KeyNotation.sequence($0))
        }
        #expect(labels == ["Ctrl-d", "Alt-←", "Shift-Tab", "zg", "F1", "Space", "Esc", "PgDn", "Ctrl-Home", "z~", "-"])
    }

    // MARK: Pending keys

    static let lines = "n,word\n" + (1...200).map { "\($0),w\($0)" }.joined(separator: "\n") + "\n"

    /// A case: keys, and the cell under the cursor afterwards.
    @Test(
        "D4: counts repeat",
        arguments: [
            ("5 j", "n 6"), ("5 j 2 k", "n 4"), ("1 2 0 G", "n 120"), ("1 2 0 g", "n 120"), ("9 l", "word 1"), ("l 0", "n 1"),
            ("1 0 j", "n 11"),
            ("3 Down", "n 4"), ("5 Escape j", "n 2"), ("z Escape j", "n 2"), ("9 9 9 9 G", "n 200"),
            ("9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 j", "n 200"),
            ("9 9 9 9 PageDown", "n 200"), ("2 Tab", "n 2"), ("G g", "n 1"),
        ])
    func countsRepeat(keys: String, place: String) throws {
        let pilot = try Pilot(Self.lines)
        pilot.press(keys)
        #expect(pilot.at == place)
        #expect(pilot.state.pending.isEmpty)
    }

    @Test func aNumberMakesTheColumnThatWide() throws {
        let pilot = try Pilot("a,b\n1,2\n", size: (40, 10))
        pilot.press("1 2 _")
        #expect(pilot.line(1) == "    │            a    b")
        pilot.press("_")
        #expect(pilot.line(1) == "    │   a    b")
    }

    @Test func aPrefixShowsWhatMayFollow() throws {
        let pilot = try Pilot(Self.lines, size: (80, 18))
        let before = pilot.backend.lines
        pilot.press("z")
        for command in Command.table {
            for key in command.keys where key.hasPrefix("z") && key.count == 2 {
                #expect(pilot.screen.contains("\(key.dropFirst()) \(command.title)"), "\(key)")
            }
        }
        #expect(pilot.backend.lines[..<9] == before[..<9], "what is above does not move")
        pilot.press("Escape")
        #expect(pilot.backend.lines == before)
        pilot.press("1 2")
        #expect(pilot.line(17) == " 12  G to that row · _ that wide · arrows that far · Esc gives up")
        pilot.press("z")
        #expect(pilot.screen.contains("\n 12z  "))
    }

    @Test func unknownKeysSaySo() throws {
        let pilot = try Pilot(Self.lines)
        pilot.press("F9")
        #expect(pilot.message == "F9 does nothing here. ? shows all keys.")
        pilot.press("z x")
        #expect(pilot.message == "zx does nothing here. ? shows all keys.")
        pilot.press("j")
        #expect(pilot.message == "" && pilot.at == "n 2")
    }

    // MARK: Layers

    /// Esc takes one thing away at a time: the selection, then the highlight, then nothing.
    @Test func escapePeelsOneLayerAtATime() throws {
        let pilot = try Pilot(Self.lines, size: (80, 12))
        pilot.press("/ w 7 Enter v j ?")
        #expect(pilot.state.layer == .page(.help, scroll: 0))
        pilot.press("Escape")
        #expect(pilot.state.layer == nil && !pilot.state.grid.selection.isEmpty)
        pilot.press("5 Escape")
        #expect(pilot.state.pending.isEmpty && !pilot.state.grid.selection.isEmpty)
        pilot.press("Escape")
        #expect(pilot.state.grid.selection.isEmpty && pilot.state.search != nil)
        pilot.press("Escape")
        #expect(pilot.state.search == nil)
        pilot.press("Escape Escape")
        #expect(pilot.state.exitStatus == nil)
    }

    @Test func qClosesTheTopLayerThenLeaves() throws {
        let pilot = try Pilot(Self.lines)
        for open in ["?", "Enter", "C-g"] {
            pilot.press(open)
            #expect(pilot.state.layer != nil)
            pilot.press("q")
            #expect(pilot.state.layer == nil && pilot.state.exitStatus == nil)
        }
        pilot.press("/ q Escape")
        #expect(pilot.state.exitStatus == nil, "a letter in a prompt is a letter")
        pilot.press("q")
        #expect(pilot.state.exitStatus == 0)
    }

    @Test func controlQLeavesAtOnceAndControlCNever() throws {
        let pilot = try Pilot(Self.lines)
        pilot.press("C-c")
        #expect(pilot.state.exitStatus == nil && pilot.message == "Nothing runs. q leaves the program.")
        pilot.press("? C-c")
        #expect(pilot.state.layer == nil && pilot.state.exitStatus == nil)
        pilot.press("C-q")
        #expect(pilot.state.exitStatus == 0)
    }

    @Test func controlZSuspends() throws {
        let pilot = try Pilot(Self.lines)
        let before = pilot.screen
        pilot.press("C-z")
        pilot.session.turn()
        #expect(pilot.backend.suspensions == 1 && pilot.screen == before && pilot.lastBytes > 200, "drawn anew as a whole")
    }

    @Test func scripts() throws {
        func labels(_ text: String) throws -> [String] { try KeyScript.keys(text).map { KeyNotation.label($0) } }
        #expect(
            try labels("Down C-d Ctrl-d M-Left S-Tab F1 PgDn Esc z") == [
                "↓", "Ctrl-d", "Ctrl-d", "Alt-←", "Shift-Tab", "F1", "PgDn", "Esc", "z",
            ])
        #expect(try labels(" zg 12G 5 12_ z+ c  p r ") == ["z", "g", "1", "2", "G", "5", "1", "2", "_", "z", "+", "c", "p", "r"])
        #expect(try labels("/ \"a \"\"b\"\"\" Enter \" x") == ["/", "a", "Space", "\"", "b", "\"", "Enter", "\"", "x"])
        #expect(try labels("").isEmpty)
        for (word, hint) in [
            ("Dwn", "Did you mean Down?"), ("M-Lft", "Did you mean M-Left?"), ("F99", ""), ("zgg", ""), ("hello", ""), ("C-", ""),
        ] {
            let error = #expect(throws: RequestError.self) { try KeyScript.keys(word) }
            #expect(error?.isUsage == true && error?.message.contains("“\(word)” is no key. \(hint)") == true)
        }
    }
}
