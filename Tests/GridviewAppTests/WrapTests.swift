import GridTestSupport
import DataGrid
import DataGridSources
import DataGridTerminal
import DelimitedText
@testable import GridviewApp
import TerminalSurface
import Testing

/// `W`: row heights that fit wrapped text, in the whole program.
@MainActor
@Suite struct WrapTests {
    /// A table with long text, line breaks, wide characters, and numbers that never wrap.
    static let notes: String = {
        var text = "id,note,amount,place\n"
        for n in 1...60 {
            let note = [
                "short", "the quick brown fox jumps over the lazy dog and comes back for more of the same until the evening",
                "\"first line\nsecond line\n\nfourth\"", "日本語の長い文章はどこでも折り返すことができます、空白がなくても大丈夫です。", "",
            ][n % 5]
            text += "\(n),\(note),\(n * 1_000_003),\(n % 7 == 0 ? "a place with a name that is quite long too" : "here")\n"
        }
        return text
    }()

    @Test func `A9, B6: each row is as tall as its longest text needs, and a row of short strings has one line`() throws {
        let pilot = try Pilot(Self.notes, size: (80, 24))
        pilot.press("l 3 0 _ W")
        #expect(
            pilot.screen == """
                 test.csv  60 × 4
                    │  id │note                           │    amount │place                   ›
                    │ int │text                           │       int │text
                   1│   1  the quick brown fox jumps over   1,000,003  here                    ▐
                    │      the lazy dog and comes back
                    │      for more of the same until the
                    │      evening
                   2│   2  first line                       2,000,006  here
                    │      second line
                    │
                    │      fourth
                   3│   3  日本語の長い文章はどこでも折り   3,000,009  here
                    │      返すことができます、空白がなく
                    │      ても大丈夫です。
                   4│   4                                   4,000,012  here
                   5│   5  short                            5,000,015  here
                   6│   6  the quick brown fox jumps over   6,000,018  here
                    │      the lazy dog and comes back
                    │      for more of the same until the
                    │      evening
                   7│   7  first line                       7,000,021  a place with a name tha…
                    │      second line                                 quite long too
                 note  the quick brown fox jumps over the lazy dog and comes back for…   1 / 60
                 Long text wraps, up to 8 lines per row. Press W again for one line.
                """)
        pilot.press("W")
        #expect(pilot.state.message == .rowHeight(1) && pilot.line(4).hasPrefix("   2│   2  first line⏎second line⏎⏎fourth"))
    }

    @Test func `A9: a row has at most half the height of the pane, and truncated text is marked`() throws {
        let pilot = try Pilot("a,b\n1,\(String(repeating: "many words ", count: 200))\n2,x\n", size: (40, 12))
        pilot.press("W")
        #expect(pilot.line(5).hasSuffix("…") && pilot.line(6).hasPrefix("   2│"))
        pilot.resize(40, 40)
        #expect(pilot.line(10).hasSuffix("…") && pilot.line(11).hasPrefix("   2│"))
    }

    @Test func `A11: a click on any line of a wrapped row moves the cursor to the clicked cell`() throws {
        let pilot = try Pilot(Self.notes, size: (80, 24))
        pilot.press("l 3 0 _ W")
        pilot.click(45, 6)
        #expect(pilot.cursorCell == "amount 1")
        pilot.click(12, 10)
        #expect(pilot.cursorCell == "note 2")
        pilot.click(2, 17)
        #expect(pilot.cursorCell.hasSuffix(" 6") && pilot.state.grid.selection.contains(row: 5, column: 0))
        pilot.mouse(.wheel(x: 0, y: 1), 20, 10)
        // A wheel step of three lines ends within the first row, which has more lines, so the grid scrolls by the whole row.
        #expect(pilot.line(3).hasPrefix("   2│"))
    }

    @Test func `A9: motion and page keys work with wrapped rows`() throws {
        let pilot = try Pilot(Self.notes, size: (80, 24))
        pilot.press("l 3 0 _ W")
        pilot.press("6 j")
        // Row 7 was truncated and is now complete.
        #expect(pilot.cursorCell == "note 7" && pilot.line(3).hasPrefix("   2│") && pilot.line(19).contains("fourth"))
        pilot.press("g PageDown")
        #expect(pilot.line(3).hasPrefix("   7│"))
        pilot.press("PageUp")
        #expect(pilot.line(3).hasPrefix("   1│"))
        pilot.press("G")
        #expect(pilot.cursorCell == "note 60" && pilot.place(of: "  60│")!.y > 17 && pilot.line(21).hasSuffix("▐"))
    }

    @Test func `B8: a column resize or terminal resize wraps text again, and the cursor row stays in place`() throws {
        let pilot = try Pilot(Self.notes, size: (80, 24))
        pilot.press("l 3 0 _ W 2 1 G k")
        let row = pilot.state.grid.currentRow!.rawValue + 1
        func line() -> Int { pilot.place(of: " \(row)│")!.y }
        var before = line()
        for keys in ["9 >", "2 0 _", "W", "W", "8 0 _", "1 5 _"] {
            pilot.press(keys)
            #expect(abs(line() - before) <= 3, "\(keys)\n\(pilot.screen)")
            before = line()
        }
        pilot.resize(60, 24)
        #expect(abs(line() - before) <= 3)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `A9: after random keys, row heights equal freshly measured ones`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pilot = try Pilot(Self.notes, size: (80, 24))
        let keys = "W/W/3 W/j/k/5 j/7 k/PageDown/PageUp/C-d/C-u/l/h/g/G/>/</s/t/zg/zM/zR/zu/zl/r/Tab/2 0 _/9 _/zF".split(separator: "/")
        for _ in 0..<150 {
            let key = keys[Int(random.next() % UInt64(keys.count))]
            pilot.press(String(key))
            if random.next() % 9 == 0 { pilot.resize(30 + Int(random.next() % 90), 6 + Int(random.next() % 40)) }
            let document = try Document(DelimitedFile(path: pilot.path), options: LaunchOptions())
            for column in pilot.state.grid.columns.all { document.source.setKind(column.kind, of: column.id) }
            var fresh = pilot.state.grid
            fresh.rowHeightSource = ContentHeights(document.source)
            #expect(fresh.layout.itemSpans == pilot.state.grid.layout.itemSpans, "seed \(seed): \(key)")
        }
    }
}
