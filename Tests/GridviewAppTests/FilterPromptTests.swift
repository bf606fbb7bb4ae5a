import DataGridQuery
import Foundation
import TerminalSurface
import Testing

@testable import GridviewApp

/// The prompt for filters: errors, hints, completion and earlier filters.
@MainActor
@Suite struct FilterPromptTests: FilterSuite {
    @Test func `D7: an error lists the columns that share a name, and a filter by cell uses the column number`() throws {
        let pilot = try open("name,id,name\nann,1,x\nbob,2,y\nx,3,x\n")
        pilot.press("&")
        pilot.type("name = 'x'")
        #expect(pilot.line(12).hasPrefix("         ^^^^ Ambiguous column “name”. Write #1 or #3."), "\(pilot.screen)")
        pilot.press("Escape z=")
        pilot.type("n = length(name)")
        #expect(pilot.screen.contains("Ambiguous column “name”. Write #1 or #3."), "\(pilot.screen)")
        pilot.press("Escape")
        pilot.press("~")
        #expect(pilot.order == [2, 3] && pilot.line(0).contains("▽ #1 != 'ann'"), "\(pilot.line(0))")
        filter(pilot, "#3 = 'x'")
        #expect(pilot.order == [3])
        // A reload with another column parses the text of the filters again.
        let changed = Data("name,id,name,z\nann,1,x,0\nbob,2,y,0\nx,3,x,0\n".utf8)
        try changed.write(to: URL(fileURLWithPath: pilot.path), options: .atomic)
        pilot.press("R")
        #expect(pilot.order == [3] && pilot.state.message == .reloaded("test.csv"), "\(pilot.message)")
    }

    @Test func `D7: the prompt reports an error and its position while typing`() throws {
        let pilot = try open()
        pilot.press("&")
        #expect(pilot.line(13).hasPrefix(" Filter:") && pilot.line(12).contains("in any cell"))
        pilot.type("prize > 5")
        #expect(pilot.line(13).hasPrefix(" Filter: prize > 5"))
        #expect(pilot.line(12).hasPrefix("         ^^^^^ Unknown column “prize”. Did you mean “price”?"))
        pilot.press("Enter")
        #expect(pilot.line(13).hasPrefix(" Filter: prize > 5"), "an invalid filter is not accepted")
        for _ in 0..<9 { pilot.press("Backspace") }
        pilot.type("BUY")
        #expect(pilot.line(12).hasPrefix(" Rows that contain “BUY”."))
        pilot.press("Enter")
        #expect(pilot.order == [1, 3, 4] && pilot.line(0).contains("▽ BUY"))
        filter(pilot, "price > 15")
        #expect(pilot.order == [3])
        // On a narrow screen, the message is in the lines above the marks.
        pilot.resize(20, 5)
        pilot.press("&")
        pilot.type("prize > 5")
        #expect(pilot.line(1) == " Unknown column" && pilot.line(2) == " “prize”." && pilot.line(3).contains("^^"))
        pilot.press("Escape &")
        pilot.type("price > foo")
        #expect(pilot.line(2) == " “foo”." && pilot.line(3).contains("^"), "the same for a position at the right")
        pilot.press("Escape")
        // The prompt is visible on a small screen too.
        for size in [(80, 4), (10, 3), (3, 3), (1, 1)] {
            pilot.resize(size.0, size.1)
            pilot.press("&")
            pilot.type("price > ( \u{202e}'日本語' and nonsense")
            pilot.press("Escape")
        }
    }

    @Test(arguments: [60, 70, 80]) func `D7: an error in a filter is shown in full on narrow screens`(width: Int) throws {
        let pilot = try open()
        pilot.resize(width, 14)
        for text in ["price = price) or side = 'BUY' and price < 3", "side = 'BUY' and price in 5", "price > 1 and side = 'a' + price 5"] {
            pilot.press("&")
            pilot.type(text)
            pilot.press("Enter")
            guard let prompt = pilot.state.overlay as? FormulaPrompt, let error = prompt.error else {
                Issue.record("\(text) is accepted")
                continue
            }
            let sentence = error.message.prefix { $0 != "." }
            let lines = (9...12).map { pilot.line($0).filter { $0 != "^" }.split(separator: " ").joined(separator: " ") }
            #expect(lines.joined(separator: " ").contains(sentence), "\(pilot.screen)")
            #expect(pilot.line(12).contains("^"))
            pilot.press("Escape")
        }
    }

    @Test func `D7: advice about an operator of another language fits 80 columns, wherever the operator is`() throws {
        let pilot = try open()
        pilot.resize(80, 14)
        let start = "side = 'BUY' and side = 'SELL' and price > 1 and "
        let samples = [
            ("price % 2 = 0", "Write a - b * floor(a / b)."), ("mod(price, 2) = 0", "Write a - b * floor(a / b)."),
            ("price ^ 2 > 1", "Write a * a for the square of a."), ("price // 2 > 1", "Write floor(a / b)."),
        ]
        let joined = [("side || 'x' = 'ax'", "To join text, write concat(a, b).")]
        for (text, advice) in samples + samples.map({ (start + $0, $1) }) + joined {
            pilot.press("&")
            pilot.type(text)
            pilot.press("Enter")
            let lines = (10...12).map { pilot.line($0) }
            #expect(lines.contains { $0.contains(advice) } && lines[2].contains("^"), "\(pilot.screen)")
            pilot.press("Escape")
        }
    }

    @Test func `D7: an unfinished filter is marked as an error only after Enter`() throws {
        let pilot = try open()
        func style() throws -> TextStyle {
            let mark = try #require(pilot.place(of: "^"))
            return pilot.backend.screen[mark.x, mark.y].style
        }
        pilot.press("&")
        pilot.type("price >")
        #expect(!pilot.line(12).contains("Enter") && pilot.line(13).hasSuffix("Esc cancel"))
        let (unfinished, line) = (try style(), pilot.line(12))
        pilot.press("Enter")
        #expect(pilot.line(12) == line && pilot.state.overlay != nil)
        #expect(try style() != unfinished)
        pilot.type(" ")
        #expect(try style() == unfinished)
        pilot.press("C-u")
        pilot.type("price > 5")
        #expect(pilot.line(12) == " 5 of 6 rows match.")
        pilot.press("C-u")
        pilot.type("price")
        for _ in 0..<4 { pilot.type(" + price") }
        #expect(pilot.line(12).contains("^"), "\(pilot.line(12))")
    }

    @Test func `D7: the prompt recalls earlier filters`() throws {
        let pilot = try open()
        filter(pilot, "price > 15")
        filter(pilot, "side = 'BUY'")
        pilot.press("| &")
        pilot.type("draft")
        pilot.press("Up Up")
        #expect(pilot.line(13).hasPrefix(" Filter: price > 15"))
        pilot.press("Up")
        #expect(pilot.line(13).hasPrefix(" Filter: price > 15"))
        pilot.press("Down Down")
        #expect(pilot.line(13).hasPrefix(" Filter: draft"))
        pilot.press("Up Enter")
        #expect(pilot.state.query.requested.filters.map(\.text) == ["side = 'BUY'"])
        pilot.press("& Escape")
        #expect(pilot.state.query.requested.filters.map(\.text) == ["side = 'BUY'"] && pilot.state.overlay == nil)
    }

    @Test func `17.6: Tab completes column names and values, and the list shows how often each value occurs`() throws {
        let pilot = try open()
        pilot.press("&")
        pilot.type("pr")
        #expect(pilot.line(10).contains("│ price"), "\(pilot.screen)")
        pilot.press("Tab")
        #expect(promptText(pilot) == "price")
        pilot.press("C-u Tab Tab")
        #expect(promptText(pilot) == "price", "without text, all columns are candidates")
        pilot.press("S-Tab")
        #expect(promptText(pilot) == "name")
        pilot.press("C-u")
        pilot.type("side = ")
        #expect(pilot.line(9).contains("'BUY'") && pilot.line(9).contains(" 3"), "\(pilot.screen)")
        #expect(pilot.line(10).contains("'SELL'") && pilot.line(10).contains(" 2"), "\(pilot.screen)")
        pilot.press("Tab")
        #expect(promptText(pilot) == "side = 'BUY'" && pilot.line(12) == " 3 of 6 rows match.")
        pilot.press("Tab")
        #expect(promptText(pilot) == "side = 'SELL'" && pilot.line(12) == " 2 of 6 rows match.")
        pilot.press("Tab")
        #expect(promptText(pilot) == "side = 'BUY'")
        pilot.press("C-u")
        pilot.type("side = 's")
        pilot.press("Tab")
        #expect(promptText(pilot) == "side = 'SELL'")
        pilot.press("C-u")
        pilot.type("side in (BUY, s")
        pilot.press("Tab")
        pilot.type(") and pr")
        pilot.press("Tab")
        pilot.type(" > 40")
        #expect(promptText(pilot) == "side in (BUY, 'SELL') and price > 40")
        pilot.press("Enter")
        #expect(pilot.order == [5] && pilot.state.jobs.isEmpty)
        // Text after the cursor stays.
        pilot.press("&")
        pilot.type("pr > 5")
        pilot.press("Home Right Right Tab")
        #expect(promptText(pilot) == "price > 5")
        pilot.press("Escape")
        #expect(pilot.state.overlay == nil && pilot.order == [5])
    }

    @Test func `17.6: Tab completes a digit to a column name only at the start of a condition`() throws {
        let pilot = try Pilot("qty,q1,1st,a21\n5,6,7,8\n6,7,8,9\n")
        pilot.press("&")
        pilot.type("qty > 1")
        #expect((pilot.state.overlay as? FormulaPrompt)?.candidates == nil)
        pilot.press("Tab")
        #expect(promptText(pilot) == "qty > 1")
        pilot.type(" and 1")
        pilot.press("Tab")
        #expect(promptText(pilot) == "qty > 1 and \"1st\"")
        pilot.press("Tab")
        #expect(promptText(pilot) == "qty > 1 and \"1st\"", "q1 and a21 contain the number but do not begin with it")
    }

    @Test func `D7: the prompt shows a hint about a valid filter that is probably a mistake`() throws {
        let pilot = try open()
        pilot.press("&")
        pilot.type("price = 'ten'")
        #expect(pilot.line(11) == " Column “price” contains numbers. They never equal the text 'ten'.", "\(pilot.screen)")
        #expect(pilot.line(12) == " 0 of 6 rows match.")
        pilot.press("Backspace")
        #expect(!pilot.screen.contains("never equal"), "the text is not complete")
        pilot.press("C-u")
        pilot.type("price = 10")
        #expect(!pilot.screen.contains("never equal") && pilot.line(12) == " 1 of 6 rows matches.")
        pilot.press("Escape")
        filter(pilot, "price = 'ten'")
        pilot.press("M-& Enter")
        #expect(promptText(pilot) == "price = 'ten'" && pilot.line(11).contains("never equal the text 'ten'"), "\(pilot.screen)")
    }

    @Test func `17.6: the prompt accepts conditions in other forms, such as those of SQL`() throws {
        let pilot = try open()
        for (text, rows) in [("price between 20 and 50 && side = BUY", [3]), ("name like '%e%e'", [4, 5]), ("buy 10", [1])] {
            filter(pilot, text)
            #expect(pilot.order == rows && pilot.line(0).contains("▽ \(text)"), "\(text)")
            pilot.press("|")
        }
        pilot.press("&")
        pilot.type("buy ann")
        #expect(pilot.line(12) == " Rows that contain “buy” and “ann”. 1 of 6 rows matches.")
    }
}
