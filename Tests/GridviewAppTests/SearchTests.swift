import DataGrid
@testable import GridviewApp
import TerminalSurface
import Testing

/// Search, as the user sees it.
@MainActor
@Suite struct SearchTests {
    static let table = "name,town\nanna,Berlin\nbob,Annaberg\ncarl,Rome\nhanna,Paris\n"

    @Test func `D7: search finds the next match while typing`() throws {
        let pilot = try Pilot(Self.table, size: (80, 10))
        pilot.press("/ a")
        #expect(pilot.cursorCell == "name 1")
        pilot.press("n n a b")
        #expect(pilot.cursorCell == "town 2")
        #expect(pilot.line(9) == " /annab          1/1 · Tab this column · Ctrl-r regex · Enter done · Esc cancel")
        pilot.press("x")
        #expect(pilot.cursorCell == "name 1", "back to the start if there is no match")
        #expect(pilot.line(9).contains("not found · Tab this column"))
        pilot.press("Backspace Backspace")
        #expect(pilot.cursorCell == "name 1" && pilot.line(9).contains("1/3 · Tab this column"))
        pilot.press("Enter")
        #expect(pilot.line(9).hasSuffix("“anna” 1/3"))
    }

    @Test func `D7: the value line shows the match in a cell that is too long for it`() throws {
        let text = String(repeating: "some long text ", count: 9)
        let pilot = try Pilot("id,note\n" + (1...9).map { "\($0),\(text)needle\($0) tail\n" }.joined(), size: (80, 10))
        pilot.press("/ \"needle7\" Enter")
        #expect(pilot.cursorCell == "note 7" && pilot.line(8).hasPrefix(" note  …") && pilot.line(8).contains("text needle7 tail"))
        pilot.press("Escape")
        #expect(pilot.line(8).hasPrefix(" note  some long text"))
        pilot.press("/ \"long\" Enter")
        #expect(pilot.line(8).hasPrefix(" note  some long text"), "the first match fits")
    }

    @Test func `D7: on cards, the value line shows a match in a column that cards do not show`() throws {
        let pilot = try Pilot("a,b,c,d,e,f,g\na1,b1,c1,d1,e1,f1,g1\na2,b2,c2,d2,e2,f2 needle,g2\n", size: (80, 12))
        pilot.press("zc / \"needle\" Enter")
        #expect(pilot.cursorCell == "e 2" && pilot.line(10).hasPrefix(" match in f  f2 needle"))
        pilot.press("Tab")
        #expect(pilot.line(10).hasPrefix(" c  c2"))
        pilot.press("n")
        #expect(pilot.line(10).hasPrefix(" match in f  f2 needle"))
        pilot.press("Enter")
        #expect(pilot.state.overlay is RowView && pilot.state.currentFieldColumn?.title == "f")
        pilot.press("Escape zc")
        #expect(pilot.line(10).hasPrefix(" e  e2"))
    }

    @Test func `D7: the value line of a match is drawn on screens of any width`() throws {
        let pilot = try Pilot("note,n\nab,1\nab,2\n", size: (60, 10))
        pilot.press("/ \"b\" Enter")
        for width in (1...20).reversed() {
            pilot.resize(width, 10)
            #expect(pilot.state.size.columns == width && pilot.cursorCell == "note 1")
        }
    }

    @Test func `D7: the search prompt shows how to cancel at every width, also next to an error`() throws {
        for width in [24, 30, 40, 60, 80, 120] {
            let pilot = try Pilot(Self.table, size: (width, 10))
            pilot.press("/ a n n")
            #expect(pilot.line(9).hasSuffix("Esc cancel"), "\(width): \(pilot.line(9))")
            #expect(pilot.line(9).contains("in all columns") == (width == 120))
            pilot.press("C-u C-r (")
            #expect(pilot.line(9).hasSuffix(width == 30 ? "  invalid regex" : "Esc cancel"))
            #expect(width < 120 || pilot.line(9).contains("Invalid regular expression: "))
        }
    }

    @Test func `D7: Escape cancels the search`() throws {
        let pilot = try Pilot(Self.table, size: (80, 10))
        pilot.press("j l")
        let before = pilot.screen
        pilot.press("/ p a r")
        #expect(pilot.cursorCell == "town 4")
        pilot.press("Escape")
        #expect(pilot.cursorCell == "town 2" && pilot.state.search == nil && pilot.screen == before)
        // The search is also cancelled when the whole text is deleted.
        pilot.press("/ p a r C-u")
        #expect(pilot.cursorCell == "town 2" && pilot.state.search == nil)
        pilot.press("Enter")
        #expect(pilot.state.overlay == nil)
    }

    @Test func `D7: in the search prompt, Tab switches between one column and all columns`() throws {
        let pilot = try Pilot(Self.table, size: (90, 10))
        pilot.press("l / a n n Tab")
        #expect(pilot.line(9).contains("in “town”"))
        #expect(pilot.cursorCell == "town 2")
        pilot.press("Tab")
        #expect(pilot.line(9).contains("in all columns") && pilot.cursorCell == "name 1")
        pilot.press("Tab Enter n")
        #expect(pilot.state.search?.count == 1 && pilot.cursorCell == "town 2")
    }

    @Test func `D7: n and N wrap around at the ends of the table`() throws {
        let pilot = try Pilot(Self.table, size: (80, 10))
        pilot.press("/ a n n a Enter")
        var places: [String] = []
        for _ in 0..<3 {
            pilot.press("n")
            places.append("\(pilot.cursorCell) \(pilot.state.search?.currentRank ?? 0)/\(pilot.state.search?.count ?? 0)")
        }
        #expect(places == ["town 2 2/3", "name 4 3/3", "name 1 1/3"])
        #expect(pilot.state.message == .searchWrapped)
        pilot.press("N")
        #expect(pilot.cursorCell == "name 4" && pilot.state.message == .searchWrapped)
        pilot.press("N")
        #expect(pilot.cursorCell == "town 2" && pilot.message == "")
        pilot.press("Escape")
        #expect(pilot.state.search?.isShown == false && !pilot.line(9).contains("anna"))
        pilot.press("n")
        #expect(pilot.cursorCell == "name 4" && pilot.line(9).hasSuffix("“anna” 3/3"), "the pattern is kept")
    }

    @Test(
        arguments: [("n n", "name 4"), ("n n n", "name 1"), ("n n N", "town 2"), ("n N N", "name 4"), ("n n Left", "town 2")])
    func `D7: each press of n and N counts while a search is running`(keys: String, cell: String) throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot(Self.table, size: (80, 10), runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("/ a n n a Enter")
        stepped.runAll(pilot)
        #expect(pilot.cursorCell == "name 1")
        pilot.press(keys)
        #expect(pilot.cursorCell == "name 1", "no match is found yet")
        stepped.runAll(pilot)
        #expect(pilot.cursorCell == cell)
        pilot.press("N")
        stepped.runAll(pilot)
        #expect(pilot.cursorCell != cell, "no press is left over")
    }

    @Test func `D7: Escape, or a search without a match, discards the presses of n that are still pending`() throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot(Self.table, size: (80, 10), runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("/ a n n a Enter")
        stepped.runAll(pilot)
        pilot.press("n n n Escape")
        stepped.runAll(pilot)
        #expect(pilot.cursorCell == "name 1")
        pilot.press("n")
        stepped.runAll(pilot)
        #expect(pilot.cursorCell == "town 2")
        pilot.session.send(.search("absent"))
        pilot.press("n n")
        pilot.session.turn()
        var count = 0
        while stepped.count > 0 {
            stepped.step()
            pilot.session.turn()
            count += 1
        }
        #expect(count <= 2 && pilot.state.message?.id == .notFound && pilot.cursorCell == "town 2")
    }

    @Test func `D7: the prompt recalls earlier searches, including regular expressions`() throws {
        let pilot = try Pilot(Self.table, size: (120, 10))
        func prompt() throws -> SearchPrompt { try #require(pilot.state.overlay as? SearchPrompt) }
        pilot.press("/ a n n Enter / C-r r . Enter /")
        pilot.type("draft")
        #expect(pilot.line(9).contains(" history · "))
        pilot.press("Up")
        #expect(try prompt().field.string == "r." && prompt().isPattern)
        pilot.press("Up Up")
        #expect(try prompt().field.string == "ann" && !prompt().isPattern)
        pilot.press("Down Down Down")
        #expect(try prompt().field.string == "draft" && !prompt().isPattern)
        pilot.press("Up Up Enter")
        #expect(pilot.state.overlay == nil && pilot.state.search?.text == "ann" && pilot.state.search?.count == 3)
    }

    @Test func `D7: matches are highlighted`() throws {
        let pilot = try Pilot(Self.table, size: (40, 10))
        let plain = pilot.backend.screen
        pilot.press("/ a n n a Enter")
        let found = Theme.dark.match
        let screen = pilot.backend.screen
        let highlights = screen.styleLines { $0.background == plain[0, 0].style.background ? "." : "#" }
        // The matches are “Anna” in Annaberg in row 2, and the end of “hanna” in row 4.
        let annaberg = pilot.place(of: "Annaberg")!
        let hanna = pilot.place(of: "hanna")!
        func styles(_ x: Int, _ y: Int, _ count: Int) -> Set<TextStyle> { Set((x..<x + count).map { screen[$0, y].style }) }
        #expect(styles(annaberg.x, annaberg.y, 4).count == 1)
        #expect(screen[annaberg.x, annaberg.y].style != screen[annaberg.x + 4, annaberg.y].style)
        #expect(screen[hanna.x, hanna.y].style != screen[hanna.x + 1, hanna.y].style)
        #expect(screen[hanna.x + 1, hanna.y].style == screen[annaberg.x, annaberg.y].style)
        #expect(found != CellStyle() && highlights.count == 10)
        pilot.press("Escape j")
        #expect(pilot.backend.screen[hanna.x, hanna.y].style == pilot.backend.screen[hanna.x + 1, hanna.y].style)
    }

    @Test func `D7: search follows the order of the rows on the screen`() throws {
        let pilot = try Pilot(Self.table, size: (80, 10))
        pilot.press("] / a n n a Enter")
        #expect(pilot.cursorCell == "name 4" && pilot.state.search?.currentRank == 1)
        pilot.press("n")
        #expect(pilot.cursorCell == "town 2" && pilot.state.search?.currentRank == 2)
        // Sorting counts the matches again.
        pilot.press("0 [")
        #expect(pilot.state.search?.count == 3)
        pilot.press("g n")
        #expect(pilot.cursorCell == "town 2" && pilot.state.search?.currentRank == 2)
        // A match in a collapsed group expands it.
        pilot.press("zg zM n")
        #expect(pilot.cursorCell == "name 1" && pilot.state.grid.outline.collapsed.contains(false))
    }

    @Test func `D7: pasted text goes into the prompt`() throws {
        let pilot = try Pilot(Self.table, size: (80, 10))
        pilot.send(.paste("x"))
        #expect(pilot.state.message == .pasteUnsupported(searchKey: "/"))
        pilot.press("/")
        pilot.send(.paste("ro\nme\u{1b}"))
        #expect(pilot.cursorCell == "town 3" && pilot.state.search?.text == "rome")
        let cursor = pilot.backend.frames.last?.cursor
        #expect(cursor?.x == 6 && cursor?.y == 9)
    }

    @Test func `D7: a long search text shows its end`() throws {
        let pilot = try Pilot(Self.table, size: (20, 10))
        pilot.press("/")
        pilot.type("abcdefghijklmnopqrstuvwxyz")
        #expect(pilot.line(9).hasSuffix("wxyz"))
        #expect(pilot.backend.frames.last!.cursor!.x < 20)
    }

    @Test func `D7: search accepts regular expressions`() throws {
        let pilot = try Pilot(Self.table, size: (90, 10))
        pilot.press("/")
        pilot.type("^a.*n")
        #expect(pilot.line(9).contains("not found") && pilot.line(9).contains("Ctrl-r regex"))
        pilot.press("C-r")
        #expect(pilot.line(9).hasPrefix(" regex /^a.*n") && pilot.line(9).contains("Ctrl-r plain text"))
        #expect(pilot.cursorCell == "name 1" && pilot.state.search?.count == 2)
        pilot.press("Enter n")
        #expect(pilot.cursorCell == "town 2" && pilot.line(9).hasSuffix("/^a.*n/ 2/2"))
        // Only the match is highlighted.
        let place = try #require(pilot.place(of: "Annaberg"))
        let screen = pilot.backend.screen
        #expect(screen[place.x + 2, place.y].style != screen[place.x + 3, place.y].style)
        #expect(screen[place.x, place.y].style == screen[place.x + 2, place.y].style)
        pilot.press("/ x")
        #expect(pilot.line(9).hasPrefix(" /x"), "each search begins with plain text")
    }

    @Test func `D7: an error in a regular expression is shown while typing`() throws {
        let pilot = try Pilot(Self.table, size: (64, 10))
        pilot.press("j / C-r")
        pilot.type("(ann")
        let error = "  Invalid regex: missing ): (ann. · Esc cancel"
        #expect(pilot.line(9).hasSuffix(error))
        #expect(pilot.cursorCell == "name 2" && pilot.state.search == nil)
        pilot.press("Enter")
        #expect(pilot.line(9).hasSuffix(error), "nothing to confirm")
        pilot.resize(120, 10)
        #expect(pilot.line(9).hasSuffix("  Invalid regular expression: missing ): (ann. · Esc cancel"))
        pilot.resize(40, 10)
        #expect(pilot.line(9) == " regex /(ann              invalid regex")
        pilot.resize(64, 10)
        pilot.type("a)")
        #expect(pilot.line(9).contains("/3") && pilot.state.search?.count == 3)
        pilot.type("[\u{7f}")
        #expect(!pilot.backend.lastBytes.contains(0x7f))
    }

    @Test func `D7: the “not found” message stays until the next action`() throws {
        let pilot = try Pilot(Self.table, size: (80, 10))
        pilot.press("/")
        pilot.type("zzzqq")
        pilot.press("Enter")
        #expect(pilot.line(9).hasSuffix("“zzzqq” not found"))
        pilot.press("l")
        #expect(!pilot.line(9).contains("zzzqq"))
        pilot.press("n j")
        #expect(!pilot.line(9).contains("zzzqq"))
        pilot.press("n")
        #expect(pilot.state.message == .notFound(Search(text: "zzzqq")), "the search can be repeated")
        pilot.press("n Escape")
        #expect(pilot.state.search?.isCleared == true)
        pilot.press("/ a n n a Enter j")
        #expect(pilot.line(9).contains("“anna”"), "the match stays")
    }

    @Test func `D7: if a search in one column finds nothing, the message names the column`() throws {
        let pilot = try Pilot(Self.table, size: (80, 10))
        pilot.press("/")
        pilot.type("rome")
        pilot.press("Tab Enter j")
        #expect(pilot.state.search?.isShown == false)
        pilot.press("n")
        #expect(pilot.state.message == .notFound(Search(text: "rome"), in: "name") && pilot.line(9) == " “rome” not found in “name”.")
        pilot.press("/")
        pilot.type("rom")
        pilot.press("Tab Enter")
        #expect(pilot.line(9).hasSuffix("“rom” not found in “name”"), "\(pilot.line(9))")
    }

    @Test func `D7: a long search text next to the key hints is truncated, but its match count is not`() throws {
        let pilot = try Pilot(Self.table, size: (36, 10))
        pilot.press("/")
        pilot.type("annaberg")
        pilot.press("Enter")
        #expect(pilot.line(9).hasSuffix("“anna…” 1/1"), "\(pilot.line(9))")
    }

    @Test func `D7: search includes column titles`() throws {
        let pilot = try Pilot("name,town,unnamed\nanna,Berlin,1\nname,x,2\n", size: (90, 10))
        pilot.press("l j")
        pilot.press("/ n a m e")
        #expect(pilot.cursorCell == "name 2" && pilot.line(9).contains("1/1"))
        pilot.press("Enter n")
        // The search wraps at the end: titles from the left, then the rows.
        #expect(pilot.cursorCell == "name 1" && pilot.state.message == .searchWrapped)
        pilot.press("n")
        #expect(pilot.cursorCell == "unnamed 1" && pilot.message == "" && pilot.line(9).hasSuffix("“name” in header, 1 row"))
        pilot.press("n")
        #expect(pilot.cursorCell == "name 2")
        pilot.press("N N")
        #expect(pilot.cursorCell == "name 1" && pilot.message == "")
        pilot.press("N")
        #expect(pilot.cursorCell == "name 2" && pilot.state.message == .searchWrapped)
        // The match is highlighted in the header, even in a truncated title.
        let header = try #require(pilot.place(of: "unnamed"))
        let screen = pilot.backend.screen
        #expect(screen[header.x + 1, header.y].style != screen[header.x + 2, header.y].style)
        #expect(screen[header.x + 2, header.y].style == screen[header.x + 5, header.y].style)
        // While typing, cells come before titles. In column scope, only the title of that column is searched.
        pilot.press("Escape g 0 / n a m e")
        #expect(pilot.cursorCell == "name 2")
        pilot.press("Escape g 0 / u n n")
        #expect(pilot.cursorCell == "unnamed 1" && pilot.line(9).contains("in header · Tab this column"))
        pilot.press("Tab")
        #expect(pilot.cursorCell == "name 1" && pilot.line(9).contains("not found"))
        pilot.press("Tab Enter n")
        #expect(pilot.cursorCell == "unnamed 1" && pilot.state.message == .searchWrapped)
    }

    @Test func `D7: Escape in the search prompt restores the visible part of the table`() throws {
        let rows = (1...200).map { "\($0),\($0 == 150 ? "needle" : "hay"),\(String(repeating: "x", count: 40)),last" }
        let pilot = try Pilot("n,a,b,c\n" + rows.joined(separator: "\n") + "\n", size: (50, 12))
        pilot.press("5 0 G")
        let before = pilot.screen
        pilot.press("/ n e e d l e")
        #expect(pilot.cursorCell == "a 150")
        pilot.press("Escape")
        #expect(pilot.screen == before)
        // The next letter searches from where the search began.
        pilot.press("/ l a s t")
        #expect(pilot.cursorCell == "c 50")
        pilot.press("q")
        #expect(pilot.screen.contains("not found") && pilot.cursorCell == "n 50")
    }

    @Test func `D7: Escape in the search prompt collapses groups that were expanded for a match`() throws {
        let pilot = try Pilot(Self.table, size: (80, 14))
        pilot.press("z g z M")
        let before = pilot.screen
        pilot.press("/ p a r i s")
        #expect(pilot.screen.contains("▾ hanna") && pilot.screen.contains("Paris"))
        pilot.press("Escape")
        #expect(pilot.screen == before)
    }

    @Test func `D7: the search prompt shows when the search is case-sensitive`() throws {
        let pilot = try Pilot(Self.table, size: (120, 10))
        pilot.press("/ a n n")
        #expect(!pilot.line(9).contains("case matters"))
        pilot.press("C-u A n n")
        #expect(pilot.line(9).contains("case matters") && pilot.cursorCell == "town 2")
    }

    @Test func `D7: one key searches for the value of the current cell`() throws {
        let pilot = try Pilot("a,b\nx,1\ny,2\nx,3\n,4\n", size: (60, 10))
        pilot.press("*")
        #expect(pilot.cursorCell == "a 3" && pilot.line(9).hasSuffix("“x” 2/2"))
        pilot.press("j *")
        #expect(pilot.state.message?.id == .nothingToSearchFor)
    }

    @Test func `D7: the rank in the match count follows the cursor`() throws {
        let pilot = try Pilot(Self.table, size: (80, 10))
        pilot.press("/ a n n a Enter")
        #expect(pilot.line(9).hasSuffix("“anna” 1/3"))
        pilot.press("j")
        #expect(pilot.line(9).hasSuffix("“anna” 2/3"))
        pilot.press("j")
        #expect(pilot.line(9).hasSuffix("“anna” –/3"))
        pilot.press("G")
        #expect(pilot.line(9).hasSuffix("“anna” 3/3"))
    }

    @Test func `D7: the match count of the table is not shown while a panel covers the table`() throws {
        let pilot = try Pilot(Self.table, size: (80, 10))
        pilot.press("/ a n n a Enter F")
        #expect(!pilot.line(9).contains("anna") && pilot.line(9).contains("Enter filter"), "\(pilot.line(9))")
        pilot.press("Escape")
        #expect(pilot.line(9).hasSuffix("“anna” 1/3"))
    }

    @Test func `D7: search finds numbers in their displayed form`() throws {
        let table = "id,amount\n1,1200\n2,5500\n3,1234567\n4,70\n5,15500\n"
        let pilot = try Pilot(table, size: (80, 12))
        func highlighted(_ text: String) -> String {
            guard let place = pilot.place(of: text) else { return "not on the screen" }
            let screen = pilot.backend.screen
            let match = Theme.dark.match.background.map { TerminalColor(red: $0.red, green: $0.green, blue: $0.blue) }
            return String(
                text.enumerated().map { screen[place.x + $0.offset, place.y].style.background == match ? $0.element : "·" })
        }
        pilot.press("/")
        pilot.type("5,500")
        #expect(pilot.cursorCell == "amount 2" && pilot.state.search?.count == 2)
        pilot.press("Enter Left")
        #expect(highlighted("15,500") == "·5,500")
        pilot.press("Escape g /")
        pilot.type("2345")
        #expect(pilot.cursorCell == "amount 3")
        pilot.press("Enter Left")
        #expect(highlighted("1,234,567") == "··234,5··")
    }

    @Test func `D7: --find accepts a regular expression`() throws {
        var options = LaunchOptions()
        options.searchText = "/^.anna$/"
        let pilot = try Pilot(Self.table, size: (80, 10), options: options)
        #expect(pilot.cursorCell == "name 4" && pilot.state.search?.count == 1)
        options.searchText = "/"
        #expect(try Pilot("a,b\n1,x/y\n", size: (80, 10), options: options).cursorCell == "b 1")
        options.searchText = "/(/"
        #expect(throws: RequestError("--find: “(” is not a valid regular expression: missing ): (.", isUsageError: true)) {
            try Pilot(Self.table, options: options)
        }
        // If no row matches, a title may.
        options.searchText = "town"
        #expect(try Pilot(Self.table, size: (80, 10), options: options).cursorCell == "town 1")
    }
}
