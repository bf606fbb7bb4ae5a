import DataGrid
import DataGridTerminal
@testable import GridviewApp
import TerminalSurface
import Testing

/// Panels over the grid, such as help and the command palette, and the appearance of the program.
@MainActor
@Suite struct PanelTests {
    static let table = "id,text,more\n1,\"line one\nline two\",x\n2,short\n"

    @Test func `D13: help shows the full text of every command`() throws {
        for size in [(80, 24), (40, 10), (120, 40)] {
            let pilot = try Pilot(Self.table, size: size)
            pilot.press("?")
            var seen = ""
            for _ in 0..<100 {
                seen += pilot.screen + "\n"
                let before = pilot.screen
                pilot.press("PageDown")
                if pilot.screen == before { break }
            }
            let words = Set(seen.split { " \n".contains($0) })
            for command in Command.table {
                for word in command.summary.split(separator: " ") { #expect(words.contains(word), "\(size): \(word) of \(command.id)") }
                for key in command.keys {
                    let label = KeyNotation.sequence(key).map { KeyNotation.label($0) } ?? ""
                    #expect(words.contains(Substring(label)), "\(size): \(label)")
                }
            }
            #expect(!seen.contains("…"), "nothing is truncated at \(size)")
            pilot.press("?")
            #expect(pilot.state.overlay == nil)
        }
    }

    @Test func `D13: help has two columns on a wide screen, and shows reassigned keys`() throws {
        var options = LaunchOptions()
        options.keyMap = try KeyMap(Command.table, overrides: [.init(.grid, "F8", .sort), .init(.grid, "s", nil)])
        let narrow = try Pilot(Self.table, size: (109, 30), options: options)
        narrow.press("?")
        let wide = try Pilot(Self.table, size: (110, 30), options: options)
        wide.press("?")
        #expect(PageLayout(.help, in: narrow.state).columnCount == 1 && PageLayout(.help, in: wide.state).columnCount == 2)
        let lines = Page.help.lines(wide.state, width: 55)
        func keys(_ index: Int) -> String {
            if case .entry(let keys, _, _) = lines[index] { keys } else { "" }
        }
        let line = try #require((0..<27).first { !keys($0).isEmpty && !keys($0 + 27).isEmpty })
        #expect(wide.line(2 + line).hasPrefix("  \(keys(line)) ") && wide.line(2 + line).contains("  \(keys(line + 27)) "))
        wide.press("Space")
        #expect((wide.state.overlay as? Page)?.scroll == 54)
        wide.press("End")
        let last = try #require((wide.state.overlay as? Page)?.scroll)
        #expect(last + 54 == lines.count)
        wide.press("g /")
        wide.type("F8")
        #expect(wide.screen.contains("All keys: “F8” 1/1") && wide.screen.contains(" F8 "))
    }

    @Test func `D13: help can be searched while typing, with n and N for other matches and Escape to go back`() throws {
        let pilot = try Pilot(Self.table, size: (80, 24))
        func page() throws -> Page { try #require(pilot.state.overlay as? Page) }
        pilot.press("? n")
        #expect(pilot.state.message == .noSearch(searchKey: "/"))
        pilot.press("j /")
        #expect(pilot.line(23).hasPrefix(" / ") && pilot.line(23).contains("Esc cancel"))
        pilot.type("UNFREEZE")
        let first = try page()
        #expect(first.scroll > 1 && pilot.screen.contains("unfreeze") && pilot.line(1).contains("All keys: “UNFREEZE” 1/3"))
        pilot.press("Backspace")
        pilot.type("x")
        #expect(try page().scroll == 1 && pilot.line(1).contains("“UNFREEZx” not found"))
        pilot.press("Backspace")
        pilot.type("E")
        #expect(try page() == first)
        pilot.press("Enter n")
        #expect(pilot.line(1).contains("2/3") && pilot.line(23).contains("nN next, previous match"))
        pilot.press("n n")
        #expect(pilot.line(1).contains("1/3"), "wraps around")
        pilot.press("N")
        #expect(pilot.line(1).contains("3/3"))
        pilot.press("/")
        pilot.type("sort")
        pilot.press("Escape")
        #expect(try page().search == nil)
        pilot.press("Escape")
        #expect(pilot.state.overlay == nil)
        pilot.press("M-g /")
        pilot.type("encoding")
        #expect(pilot.line(1).contains("1/"))
    }

    @Test func `D13: a prefix key lists the keys that can follow, with short titles or only a count on a small screen`() throws {
        let pilot = try Pilot(Self.table, size: (80, 24))
        pilot.press("z")
        #expect(pilot.screen.contains("transpose") && pilot.line(23).hasSuffix("Esc cancel"))
        #expect((12...23).allSatisfy { !pilot.line($0).contains("…") })
        pilot.resize(40, 12)
        #expect(pilot.line(11).hasPrefix(" z  ") && pilot.line(11).hasSuffix("Esc cancel"))
        let keys = Command.gridCommands.flatMap(\.keys).filter { $0.count == 2 && $0.hasPrefix("z") }.map { String($0.dropFirst()) }
        let words = pilot.screen.split { " \n".contains($0) }.map(String.init)
        for key in keys { #expect(words.contains(key), "\(key)") }
        #expect(!pilot.screen.split(separator: "\n").dropFirst().joined().contains("…"), "no title is cut:\n\(pilot.screen)")
        pilot.resize(20, 5)
        #expect(pilot.line(3).contains("… ") && pilot.line(3).hasSuffix(" more") && pilot.line(4) == " z  Esc cancel")
        pilot.press("Escape 1 2")
        #expect(pilot.line(4) == " 12  Esc cancel")
    }

    @Test func `D13: the short titles of commands fit a narrow column of the key list`() throws {
        for command in Command.table {
            guard let short = command.shortTitle else { continue }
            #expect(short.count <= 8 && short.count < command.title.count, "\(short)")
        }
        #expect(Command.named(.freezeRows)?.shortTitle == "freeze" && Command.named(.freezeBoth)?.shortTitle == "both")
        let pilot = try Pilot(Self.table, size: (40, 12))
        pilot.press("z")
        #expect(pilot.screen.contains("f freeze") && pilot.screen.contains("w files") && !pilot.screen.contains("fix"))
    }

    @Test func `D15: continuation lines of wrapped text keep their indentation`() throws {
        // The first record is too short, so that the page has a note.
        let pilot = try Pilot("a,b,c\n1,2\n1,2,3,4\n1,2,3\n", size: (40, 30))
        pilot.press("M-g")
        let lines = Page.about.lines(pilot.state, width: 40)
        let notes = lines.drop { $0 != .chapter("Problems found") }.dropFirst().compactMap { line -> String? in
            if case .text(let text) = line { text } else { nil }
        }
        #expect(notes.count > 1 && notes[0].hasPrefix("  ") && !notes[0].hasPrefix("   "))
        #expect(notes[1].hasPrefix("    ") && notes.allSatisfy { $0.hasPrefix("  ") && $0.count <= 38 })
    }

    @Test func `18.7: the file details show the size of the whole file, not only of the rows read so far`() throws {
        let content = "[\n  {\"a\":   1},\n  {\"a\":   2}\n]\n"
        let pilot = try Pilot(content, size: (60, 20), name: "t.json")
        pilot.press("M-g")
        #expect(pilot.screen.contains(" \(content.utf8.count) bytes"), "\(pilot.screen)")
    }

    @Test func `D16: a message explains why a table key has no effect in a panel or in a file without columns`() throws {
        let pilot = try Pilot(Self.table, size: (80, 24))
        for (panel, keys) in [("I", ["/", "y", ":"]), ("?", ["s", ":"]), ("M-g", ["s"]), ("Enter", [":", "R"])] {
            pilot.press(panel)
            for key in keys {
                pilot.press(key)
                #expect(pilot.state.message == .notInRowView(backKey: "Esc", key: key), "\(key) in \(panel)")
            }
            pilot.press("Left")
            #expect(pilot.state.message == nil, "motions are not explained")
            pilot.press("Escape")
        }
        // Text that is typed into the summary does not search it.
        for panel in ["M-i", "?", "Enter"] {
            pilot.press(panel)
            pilot.press("z")
            #expect(pilot.state.message == .notInRowView(backKey: "Esc", key: "z"), "\(panel)")
            pilot.press("F9")
            #expect(pilot.state.message == .noCommand(on: "F9", helpKey: "?"), "\(panel)")
            pilot.press("Escape")
        }
        let empty = try Pilot("", size: (80, 24))
        for key in ["s", "I", "F", "Enter", "zI"] {
            empty.press(key)
            #expect(empty.state.message == .noColumns && empty.state.overlay == nil, "\(key)")
        }
    }

    @Test func `D13: the palette runs every command`() throws {
        for command in Command.gridCommands where ![.close, .quit, .suspend, .palette].contains(command.id) {
            let pilot = try Pilot("a,b\n1,2\n3,4\n", size: (60, 20))
            pilot.press(":")
            pilot.type(command.title)
            guard let panel = pilot.state.overlay as? ListPanel else {
                Issue.record("no palette for \(command.title)")
                continue
            }
            #expect(panel.matches.first?.text == command.title, "\(command.title) is the first match for its own title")
            pilot.press("Enter")
            pilot.state.grid.checkInvariants()
        }
    }

    @Test func `D13: the command palette finds commands by some of their letters`() throws {
        let pilot = try Pilot(Self.table, size: (60, 20))
        pilot.press(": f r z c")
        guard let panel = pilot.state.overlay as? ListPanel else { return #expect(Bool(false), "no palette") }
        #expect(panel.matches.map(\.text) == ["freeze columns"])
        pilot.press("Enter")
        #expect(pilot.state.grid.frozen.leading == 1)
        // The selection wraps at both ends.
        pilot.press(": Up Enter")
        guard let last = pilot.state.overlay as? ListPanel else {
            #expect(pilot.state.message == .noJump, "the last command of the list")
            return
        }
        Issue.record("\(last.title) is still open")
    }

    @Test(
        arguments: [
            ("histogram", CommandID.statistics), ("distinct", .frequencies), ("export", .export), ("unhide", .showColumns),
            ("bookmark", .mark), ("undo", .undo), ("formula", .deriveColumn), ("regex", .search), ("frequency", .frequencies),
            ("dedup", .frequencies), ("history", .history), ("export csv", .export), ("save as", .export), ("delete", .hideColumn),
            ("column list", .showColumns), ("jump column", .goToColumn),
        ])
    func `D13: the palette finds commands by synonyms`(text: String, command: CommandID) throws {
        let pilot = try Pilot(CommandEffectTests.table, size: (80, 24))
        pilot.press(":")
        pilot.type(text)
        let panel = try #require(pilot.state.overlay as? ListPanel)
        let found = try #require(panel.matches.first)
        #expect(Command.gridCommands[found.tag].id == command)
        #expect(pilot.screen.contains(found.note.prefix(40)), "the summary is shown: \(pilot.screen)")
    }

    @Test(arguments: ["chart", "sum", "total", "average", "mean"])
    func `D13: the command palette finds the statistics by the names of the values that they show`(text: String) throws {
        let pilot = try Pilot(CommandEffectTests.table, size: (80, 24))
        pilot.press(":")
        pilot.type(text)
        let panel = try #require(pilot.state.overlay as? ListPanel)
        #expect(panel.matches.contains { Command.gridCommands[$0.tag].id == .statistics })
    }

    @Test func `D4, D13: a number typed in the palette goes to that row, and a percentage to that position in the table`() throws {
        let pilot = try Pilot(CommandEffectTests.table, size: (80, 24))
        pilot.press(": 3 0")
        #expect(pilot.screen.contains("Go to row 30."))
        pilot.press("Enter")
        #expect(pilot.cursorCell == "name 30" && pilot.state.overlay == nil)
        pilot.press(": 5 0 %")
        #expect(pilot.screen.contains("Go to 50%."))
        pilot.type("x")
        #expect(pilot.screen.contains("No matches."))
        pilot.press("Backspace Enter")
        #expect(pilot.cursorCell == "name 20")
        pilot.press("1 0 0 %")
        #expect(pilot.cursorCell == "name 40")
    }

    @Test func `D4, D13: a column name typed in the palette goes to the column, but commands of that name come first`() throws {
        let pilot = try Pilot("id,Unit price,sort\n1,2,3\n", size: (80, 24))
        pilot.press(":")
        pilot.type("unit price")
        #expect(pilot.screen.contains("go to column Unit price"))
        pilot.press("Enter")
        #expect(pilot.cursorCell == "Unit price 1" && pilot.state.overlay == nil)
        pilot.press(":")
        pilot.type("sort")
        let panel = try #require(pilot.state.overlay as? ListPanel)
        #expect(panel.matches.first?.text == "sort" && panel.matches.contains { $0.text == "go to column sort" })
        pilot.press("Escape C-o")
        #expect(pilot.cursorCell == "id 1")
    }

    @Test func `D13: the palette lists common commands first and motions last`() throws {
        let pilot = try Pilot(Self.table, size: (60, 20))
        pilot.press(":")
        guard let panel = pilot.state.overlay as? ListPanel else { return #expect(Bool(false), "no palette") }
        let names = Array(panel.matches.map(\.text))
        #expect(names.prefix(3) == ["search", "sort", "sort descending"])
        #expect(names.count == Command.gridCommands.count && Set(names).count == names.count)
        let moves = Set(Command.gridCommands.filter { $0.chapter == .moving && $0.id != .goToColumn }.map(\.title))
        #expect(Set(names.suffix(moves.count)) == moves)
    }

    /// Messages keep their main point on narrow screens.
    @Test(arguments: [(80, 24), (40, 10), (20, 5)]) func `D16: no message is cut off with an ellipsis`(_ size: (Int, Int)) throws {
        for command in Command.gridCommands
        where ![.close, .quit, .suspend, .help, .about, .palette, .search, .record].contains(command.id) {
            let pilot = try Pilot("id,a rather long title,b\n1,2,x\n3,4,y\n", size: size)
            pilot.press("l")
            for _ in 0..<8 {
                pilot.session.send(.run(command.id))
                pilot.session.turn()
                guard pilot.state.overlay == nil, pilot.state.message != nil else { break }
                let line = pilot.line(size.1 - 1)
                #expect(!line.hasSuffix("…") && line.count > 2, "\(command.id): \(line)")
            }
        }
    }

    @Test func `D13: a list panel does not cover the value line, counts the entries below it and shrinks to the matches`() throws {
        let content = (1...8).map { "column\($0)" }.joined(separator: ",") + "\n" + String(repeating: "xxxxxxxxx,xxxxxxxxx\n", count: 40)
        let pilot = try Pilot(content, size: (60, 20))
        let value = pilot.line(18)
        pilot.press(":")
        #expect(pilot.line(18) == value)
        let title = try #require(pilot.place(of: "Commands"))
        // 17 lines: title, text, 14 entries and an empty one.
        #expect(pilot.line(title.y).contains("↓ \(Command.gridCommands.count - 14) more lines"))
        // No text of the grid touches the list.
        for y in title.y..<title.y + 17 {
            let line = Array(pilot.line(y) + String(repeating: " ", count: 60))
            let edges = y == title.y ? "┌┐" : y == title.y + 16 ? "└┘" : "││"
            #expect(String([line[title.x - 2], line[title.x + 55]]) == edges, "\(pilot.line(y))")
        }
        pilot.type("quit now")
        #expect(pilot.line(title.y).contains("Commands"), "the list stays in place")
        #expect(
            pilot.line(title.y + 2).contains("quit now") && pilot.line(title.y + 3).contains("Quit at once.")
                && pilot.line(title.y + 4).contains("xxx"))
    }

    @Test(arguments: ["dark", "contrast", "plain"]) func `D4, D13: a list has a frame`(theme: String) throws {
        var options = LaunchOptions()
        options.theme = Theme.preset(named: theme)
        let pilot = try Pilot(Self.table, size: (60, 20), options: options)
        pilot.press("c")
        let title = try #require(pilot.place(of: "Go to column"))
        #expect(pilot.line(title.y).contains("┌") && pilot.line(title.y).contains("─┐"))
        let bottom = title.y + 2 + pilot.titles.count
        // The value in the current row is part of the last line.
        #expect(pilot.line(bottom).contains("└──Row 1: 1────"), "\(pilot.screen)")
        for y in title.y + 1..<bottom { #expect(Array(pilot.line(y))[title.x - 2] == "│", "\(pilot.screen)") }
    }

    @Test func `D13: the hints of a list name the effect of Enter, such as toggle or select`() throws {
        let pilot = try Pilot(Self.table, size: (60, 20))
        pilot.press("+")
        #expect(pilot.line(19).contains("Enter toggle"))
        pilot.press("Escape :")
        #expect(pilot.line(19).contains("Enter select"))
    }

    @Test func `D16: a narrow screen shows at least the first sentence of a message`() throws {
        let pilot = try Pilot("n\n1\n2\n", size: (80, 10))
        let whole = " Sorted by “n” (smallest first). s reverses the order."
        pilot.press("s")
        #expect(pilot.line(9) == whole)
        pilot.resize(40, 10)
        #expect(pilot.line(9) == " Sorted by “n” (smallest first).")
        pilot.resize(20, 10)
        #expect(pilot.line(9) == " Sorted by “n”.")
        pilot.resize(80, 10)
        #expect(pilot.line(9) == whole, "nothing is lost")
    }

    @Test func `A5: T cycles through the themes`() throws {
        let pilot = try Pilot(Self.table, size: (60, 12))
        let text = pilot.screen
        var names: [String] = []
        var pictures: Set<CellBuffer> = []
        for _ in Theme.presets {
            pilot.press("T")
            names.append(pilot.state.grid.theme.name)
            #expect(pilot.state.message == .theme(names.last!))
            pilot.press("Escape")
            pictures.insert(pilot.backend.screen)
            #expect(pilot.screen == text, "only colors change")
        }
        #expect(Set(names).count == Theme.presets.count && pictures.count == Theme.presets.count)
    }

    @Test func `A5: T also selects the theme of the user, which adapts to the terminal background`() throws {
        var theme = Theme.dark
        (theme.name, theme.cursor) = ("ember \u{1B}[31m and a name that is far too long for a line", CellStyle(background: Color(0xff8700)))
        var options = LaunchOptions()
        options.theme = theme
        let pilot = try Pilot(Self.table, size: (60, 12), options: options)
        #expect(pilot.state.grid.theme.cursor == theme.cursor)
        pilot.send(.background(TerminalColor(red: 250, green: 250, blue: 240)))
        #expect(pilot.state.grid.theme == theme.fitted(to: TerminalColors(isLight: true)))
        var names: [String] = []
        for _ in 0...Theme.presets.count {
            pilot.press("T")
            names.append(pilot.state.grid.theme.name)
        }
        #expect(names == Theme.presets.map(\.name) + [theme.name])
        #expect(pilot.screen.contains("Theme: ember") && !pilot.screen.contains("\u{1B}"))
        // A theme with the name of a preset replaces it.
        theme.name = "light"
        options.theme = theme
        let other = try Pilot(Self.table, size: (60, 12), options: options)
        #expect(other.state.grid.theme.cursor == theme.cursor)
        for _ in Theme.presets { other.press("T") }
        #expect(other.state.grid.theme.cursor == theme.cursor)
    }

    @Test func `A5: the terminal background selects the theme unless the user chose one`() throws {
        let pilot = try Pilot(Self.table)
        pilot.send(.background(TerminalColor(red: 250, green: 250, blue: 240)))
        #expect(pilot.state.grid.theme.name == Theme.light.name)
        pilot.send(.background(TerminalColor(red: 10, green: 10, blue: 10)))
        #expect(pilot.state.grid.theme.name == Theme.dark.name)
        pilot.press("T")
        let chosen = pilot.state.grid.theme.name
        pilot.send(.background(TerminalColor(red: 10, green: 10, blue: 10)))
        #expect(pilot.state.grid.theme.name == chosen)
    }

    @Test func `D3: hints can be turned off`() throws {
        let rows = "a\n" + (1...30).map { "r\($0)" }.joined(separator: "\n") + "\n"
        let pilot = try Pilot(rows, size: (40, 12))
        #expect(pilot.line(9).hasPrefix("   8│ r8"))
        pilot.press("z?")
        #expect(pilot.line(10).hasPrefix("   9│ r9") && pilot.line(11).hasPrefix(" Hints off."))
        // The grid gains a line, which the cursor can use.
        pilot.press("8 j")
        #expect(pilot.line(2).hasPrefix("   1│ r1") && pilot.line(11).hasPrefix(" a  r9") && pilot.state.grid.scroll.top == 0)
        pilot.press("z?")
        #expect(pilot.line(11).hasPrefix(" ←↑↓→ move"))
    }

    @Test func `D3: on screens of at least 18 rows, the header has a line with the column types`() throws {
        let pilot = try Pilot("a,b\n1,x\n", size: (40, 17))
        func header() -> Int { pilot.place(of: "   1│")!.y - 1 }
        #expect(header() == 1)
        // The place of the header depends neither on hints nor on the previous view.
        pilot.press("z? r z?")
        #expect(header() == 1)
        pilot.resize(40, 18)
        #expect(header() == 2 && pilot.line(2).contains("text"))
        pilot.press("z? r z?")
        #expect(header() == 2)
        pilot.resize(40, 17)
        #expect(header() == 1)
    }

    @Test func `A12: keys change the grid lines and the row height`() throws {
        let pilot = try Pilot("a,b\nx,some words that wrap here\ny,z\n", size: (24, 12))
        pilot.press("zl")
        #expect(pilot.line(2).hasPrefix("   1│ x   │"))
        pilot.press("zl Escape")
        #expect(pilot.line(3).hasPrefix("    ├──────"))
        pilot.press("zl Escape")
        #expect(pilot.line(3).hasPrefix("    ├─────┼──"))
        pilot.press("zl")
        #expect(pilot.state.message == .gridLines(.none) && pilot.line(3).hasPrefix("   2│ y"))
        pilot.press("l 8 _ W")
        #expect(pilot.line(2).hasSuffix("some") && pilot.line(3).contains("words") && pilot.line(4).contains("that"))
        pilot.press("W")
        #expect(pilot.state.message == .rowHeight(1) && pilot.line(3).hasPrefix("   2│ y"))
        pilot.press("3 W")
        #expect(pilot.state.message?.id == .rowHeight && pilot.line(2).hasSuffix("some") && pilot.line(6).hasPrefix("   2│ y"))
        pilot.press("W")
        #expect(pilot.state.message == .rowHeight(1))
    }
}
