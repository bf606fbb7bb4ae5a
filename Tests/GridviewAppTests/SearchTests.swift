import DataGrid
import GridviewApp
import TerminalSurface
import Testing

/// Searching, as a person sees it.
@MainActor
@Suite struct SearchTests {
    static let table = "name,town\nanna,Berlin\nbob,Annaberg\ncarl,Rome\nhanna,Paris\n"

    @Test func D7_findsWhileTyping() throws {
        let pilot = try Pilot(Self.table, size: (80, 10))
        pilot.press("/ a")
        #expect(pilot.at == "name 1")
        pilot.press("n n a b")
        #expect(pilot.at == "town 2")
        #expect(pilot.line(9) == " /annab         1/1 · in all columns · Tab changes · Enter keeps · Esc gives up")
        pilot.press("x")
        #expect(pilot.at == "name 1", "back to where it began when nothing is found")
        #expect(pilot.line(9).contains("nothing found · in all columns"))
        pilot.press("Backspace Backspace")
        #expect(pilot.at == "name 1" && pilot.line(9).contains("1/3 · in all columns"))
        pilot.press("Enter")
        #expect(pilot.line(9).hasSuffix("“anna” 1/3"))
    }

    @Test func D7_escapeGivesUp() throws {
        let pilot = try Pilot(Self.table, size: (80, 10))
        pilot.press("j l")
        let before = pilot.screen
        pilot.press("/ p a r")
        #expect(pilot.at == "town 4")
        pilot.press("Escape")
        #expect(pilot.at == "town 2" && pilot.state.search == nil && pilot.screen == before)
        // So it does when all is taken back.
        pilot.press("/ p a r C-u")
        #expect(pilot.at == "town 2" && pilot.state.search == nil)
        pilot.press("Enter")
        #expect(pilot.state.layer == nil)
    }

    @Test func D7_tabChangesTheScope() throws {
        let pilot = try Pilot(Self.table, size: (90, 10))
        pilot.press("l / a n n Tab")
        #expect(pilot.line(9).contains("in town"))
        #expect(pilot.at == "town 2")
        pilot.press("Tab")
        #expect(pilot.line(9).contains("in all columns") && pilot.at == "name 1")
        pilot.press("Tab Enter n")
        #expect(pilot.state.search?.count == 1 && pilot.at == "town 2")
    }

    @Test func D7_nextAndPreviousGoRoundTheEnds() throws {
        let pilot = try Pilot(Self.table, size: (80, 10))
        pilot.press("/ a n n a Enter")
        var places: [String] = []
        for _ in 0..<3 {
            pilot.press("n")
            places.append("\(pilot.at) \(pilot.state.search?.current ?? 0)/\(pilot.state.search?.count ?? 0)")
        }
        #expect(places == ["town 2 2/3", "name 4 3/3", "name 1 1/3"])
        #expect(pilot.message == "The search went round the end.")
        pilot.press("N")
        #expect(pilot.at == "name 4" && pilot.message == "The search went round the end.")
        pilot.press("N")
        #expect(pilot.at == "town 2" && pilot.message == "")
        pilot.press("Escape n")
        #expect(pilot.message == "Nothing to search for yet. / begins a search.")
    }

    @Test func D7_matchesAreHighlighted() throws {
        let pilot = try Pilot(Self.table, size: (40, 10))
        let plain = pilot.backend.screen
        pilot.press("/ a n n a Enter")
        let found = Theme.dark.match
        let screen = pilot.backend.screen
        let lit = screen.styleLines { $0.background == plain[0, 0].style.background ? "." : "#" }
        // Row 2: "Anna" of Annaberg; row 4: the end of "hanna".
        let annaberg = pilot.place(of: "Annaberg")!
        let hanna = pilot.place(of: "hanna")!
        func styles(_ x: Int, _ y: Int, _ count: Int) -> Set<TextStyle> { Set((x..<x + count).map { screen[$0, y].style }) }
        #expect(styles(annaberg.x, annaberg.y, 4).count == 1)
        #expect(screen[annaberg.x, annaberg.y].style != screen[annaberg.x + 4, annaberg.y].style)
        #expect(screen[hanna.x, hanna.y].style != screen[hanna.x + 1, hanna.y].style)
        #expect(screen[hanna.x + 1, hanna.y].style == screen[annaberg.x, annaberg.y].style)
        #expect(found != CellStyle() && lit.count == 10)
        pilot.press("Escape j")
        #expect(pilot.backend.screen[hanna.x, hanna.y].style == pilot.backend.screen[hanna.x + 1, hanna.y].style)
    }

    @Test func D7_searchFollowsTheOrderOnTheScreen() throws {
        let pilot = try Pilot(Self.table, size: (80, 10))
        pilot.press("] / a n n a Enter")
        #expect(pilot.at == "name 4" && pilot.state.search?.current == 1)
        pilot.press("n")
        #expect(pilot.at == "town 2" && pilot.state.search?.current == 2)
        // Sorting counts anew.
        pilot.press("0 [")
        #expect(pilot.state.search?.count == 3)
        pilot.press("g n")
        #expect(pilot.at == "town 2" && pilot.state.search?.current == 2)
        // What is found in a closed section opens it.
        pilot.press("zg zM n")
        #expect(pilot.at == "name 1" || pilot.at == "town 2" || pilot.at == "name 4")
        #expect(pilot.state.grid.cursor.row != nil)
    }

    @Test func D7_pasteGoesIntoThePrompt() throws {
        let pilot = try Pilot(Self.table, size: (80, 10))
        pilot.send(.paste("x"))
        #expect(pilot.message == "Nothing takes pasted text here. / searches for it.")
        pilot.press("/")
        pilot.send(.paste("ro\nme\u{1b}"))
        #expect(pilot.at == "town 3" && pilot.state.search?.text == "rome")
        let cursor = pilot.backend.frames.last?.cursor
        #expect(cursor?.x == 6 && cursor?.y == 9)
    }

    @Test func D7_aLongTextShowsItsEnd() throws {
        let pilot = try Pilot(Self.table, size: (20, 10))
        pilot.press("/")
        pilot.type("abcdefghijklmnopqrstuvwxyz")
        #expect(pilot.line(9).hasSuffix("wxyz"))
        #expect(pilot.backend.frames.last!.cursor!.x < 20)
    }
}
