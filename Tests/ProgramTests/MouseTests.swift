import Foundation
import Testing

extension InTerminal {
    /// Mouse reports of a terminal, and pasted text.
    @Suite struct MouseTests {
        /// The position of a word in the header.
        private func title(_ name: String, _ screen: TerminalDriver.Screen) throws -> (column: Int, row: Int) {
            let line = screen.lines[1]
            let place = try #require(line.firstRange(of: name))
            return (line.distance(from: line.startIndex, to: place.lowerBound), 1)
        }

        @Test func `A10: a click moves the cursor`() async throws {
            let terminal = try await TerminalDriver.trades()
            try terminal.click(column: 20, row: 5)
            let screen = try await terminal.wait(forPosition: "3 / 5,000")
            #expect(screen.lines[38].hasPrefix(" timestamp  2026-03-02 08:00:07"))
        }

        @Test func `A13: the wheel scrolls by three rows, and with Alt sideways`() async throws {
            let terminal = try await TerminalDriver.trades()
            try terminal.wheel(.wheelDown, column: 30, row: 20)
            try await terminal.wait { $0.gutter(3) == "4" }
            try terminal.wheel(.wheelDown, column: 30, row: 20, times: 2)
            try await terminal.wait { $0.gutter(3) == "10" }
            try terminal.wheel(.wheelUp, column: 30, row: 20, times: 9)
            try await terminal.wait { $0.gutter(3) == "1" }
            try terminal.wheel(.wheelDown, column: 30, row: 20, with: .alt, times: 2)
            try await terminal.wait { !$0.lines[1].contains("timestamp") && $0.gutter(3) == "1" }
        }

        @Test func `A10: a drag selects a block`() async throws {
            let terminal = try await TerminalDriver.trades()
            try await terminal.drag(from: (8, 3), to: (20, 5))
            try terminal.press("y")
            try await terminal.wait(for: "the copy") { try terminal.clipboard() }
            #expect(
                try terminal.clipboard()
                    == "100001\t2026-03-02 08:00:00\n100003\t2026-03-02 08:00:01\n100004\t2026-03-02 08:00:07")
        }

        @Test func `A10: a drag over row numbers selects rows`() async throws {
            let terminal = try await TerminalDriver.trades("--columns", "id,symbol,side")
            try await terminal.drag(from: (2, 4), to: (2, 5))
            try terminal.press("y")
            try await terminal.wait(for: "the copy") { try terminal.clipboard() }
            #expect(try terminal.clipboard() == "100003\tZUGR\tBUY\n100004\tKZRA\tSELL")
        }

        @Test func `D6: a click on a title sorts, and a second click reverses the order`() async throws {
            let terminal = try await TerminalDriver.trades()
            let price = try title("price", terminal.screen())
            try terminal.click(column: price.column, row: price.row)
            try await terminal.wait { $0.lines[0].contains("⇅ price ▲") }
            try terminal.click(column: price.column, row: price.row)
            try await terminal.wait { $0.lines[0].contains("⇅ price ▼") && $0.lines[3].contains("434.93") }
        }

        @Test func `A17: dragging a title moves its column`() async throws {
            let terminal = try await TerminalDriver.trades()
            let before = try terminal.screen()
            let symbol = try title("symbol", before), sector = try title("sector", before)
            try await terminal.drag(from: (symbol.column + 2, symbol.row), to: (sector.column + 6, 1))
            try await terminal.wait {
                $0.lines[1].firstMatch(of: /timestamp[ │]+company[ │]+(?:sector[ │]+symbol|symbol[ │]+sector)/) != nil
            }
        }

        @Test(arguments: [-2, 0])
        func `D5: dragging a column edge resizes the column, from either side of the line`(offset: Int) async throws {
            let terminal = try await TerminalDriver.trades()
            let before = try terminal.screen()
            let symbol = try title("symbol", before), company = try title("company", before)
            try await terminal.drag(from: (company.column + offset, 1), to: (company.column + offset + 10, 1))
            try await terminal.wait { screen in
                guard let moved = try? title("company", screen) else { return false }
                return moved.column == company.column + 10
            }
            #expect(try title("symbol", terminal.screen()) == symbol)
        }

        @Test func `D16: --no-mouse leaves the mouse to the terminal, and a key turns it on`() async throws {
            let terminal = try await TerminalDriver.trades("--no-mouse")
            #expect(try terminal.modes().mouse == false)
            try terminal.press("M-m")
            try await terminal.wait(for: "the mouse") { try terminal.modes().mouseSGR ? true : nil }
            try terminal.press("M-m")
            try await terminal.wait(for: "no mouse") { try terminal.modes().mouse ? nil : true }
        }

        // MARK: Pasting, and a single Escape

        @Test func `D16: text pasted into the search prompt is searched for`() async throws {
            let terminal = try await TerminalDriver.trades()
            try terminal.press("/")
            try terminal.paste("Ironbridge")
            try await terminal.wait(untilShown: "Ironbridge Steel")
            try terminal.press("Enter")
            try await terminal.wait(forPosition: "11 / 5,000")
            try await terminal.wait { $0.lines[39].contains("“Ironbridge” 1/") }
        }

        @Test func `D16: pasted text is not read as keys`() async throws {
            let terminal = try await TerminalDriver.trades()
            try terminal.paste("jjjq\nq\n\u{1b}q")
            try terminal.press("Down")
            try await terminal.wait(forPosition: "2 / 5,000")
            #expect(terminal.exitStatus == nil)
        }

        @Test func `D16: Escape closes a prompt or a panel at once`() async throws {
            let terminal = try await TerminalDriver.trades()
            try await terminal.wait(forPosition: "1 / 5,000")
            var times: [Duration] = []
            for key in ["/", ":", "c", "?", "/", ":", "c", "?"] {
                let before = try terminal.screen()
                try terminal.press(key)
                try await terminal.wait { $0 != before }
                try terminal.press("Escape")
                let pressed = ContinuousClock.now
                try await terminal.wait { $0 == before }
                times.append(ContinuousClock.now - pressed)
            }
            // A key sequence continues within 25 ms. The limit of half a second allows for a busy machine.
            #expect(times.min()! < .milliseconds(500), "\(times)")
        }
    }
}
