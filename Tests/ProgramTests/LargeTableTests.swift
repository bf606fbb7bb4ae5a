import Foundation
import GridTestSupport
import Testing

extension InTerminal {
    /// Sessions with tables of ten million and of a billion rows, which a helper computes by formulas.
    @Suite struct LargeTableTests {
        private let folder: TemporaryFolder
        private let program: String
        static let sizes = [10_000_000, 1_000_000_000]

        init() throws {
            folder = try TemporaryFolder()
            program = try FormulaEngine.install(with: ProgramUnderTest.path, in: folder)
        }

        private func start(_ table: String, rows: Int) throws -> TerminalDriver {
            try TerminalDriver([program, FormulaEngine.url(table, rows: rows)], columns: 80, rows: 24)
        }

        private func grouped(_ number: Int) -> String {
            let digits = Array(String(number))
            return digits.indices.map { ($0 > 0 && (digits.count - $0) % 3 == 0 ? "," : "") + String(digits[$0]) }.joined()
        }

        /// The row number and the id in a line of the screen.
        private func numbers(_ line: String) -> [String] {
            line.split(whereSeparator: { $0 == "│" || $0 == " " }).prefix(2).map(String.init)
        }

        /// Waits until the rows have arrived: in the first line, and in the last line of the rows, the id is the row number.
        private func wait(_ terminal: TerminalDriver, forRow row: Int, at line: Int = 3, position: String) async throws {
            try await terminal.wait {
                numbers($0.lines[line]) == ["\(row)", "\(row)"] && Set(numbers($0.lines[21])).count == 1 && !$0.contains("░")
                    && $0.lines[22].hasSuffix(" " + position)
            }
        }

        /// The program never needs more than 60 MiB, at any number of rows.
        private func checkMemory(_ terminal: TerminalDriver) async throws {
            #if os(Linux)
                let status = try String(contentsOfFile: "/proc/\(try await terminal.processID())/status", encoding: .utf8)
                let peak = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) })
                #expect(peak < 60 << 10, "\(peak) kB")
            #endif
        }

        @Test(arguments: sizes) func `H1: showing a row of a billion rows needs no more memory than showing a row of ten million rows`(
            count: Int
        ) async throws {
            let (terminal, all, half) = (try start("trades", rows: count), grouped(count), count / 2)
            try await wait(terminal, forRow: 1, position: "1 / \(all)")
            #expect(try terminal.screen().lines[0] == " trades  \(all) × 3")
            try terminal.press("Down", "Down")
            try await wait(terminal, forRow: 1, position: "3 / \(all)")
            try terminal.press("PageDown", times: 30)
            try await terminal.wait(forPosition: "573 / \(all)")
            try terminal.press("G")
            try await wait(terminal, forRow: count, at: 21, position: "\(all) / \(all)")
            #expect(try numbers(terminal.screen().lines[3]) == ["\(count - 18)", "\(count - 18)"])
            try terminal.press("PageUp")
            try await wait(terminal, forRow: count - 19, at: 21, position: "\(grouped(count - 19)) / \(all)")
            try terminal.type("\(half)G")
            try await wait(terminal, forRow: half, position: "\(grouped(half)) / \(all)")
            // The scroll bar is in the middle.
            #expect(try terminal.screen().lines[12].hasSuffix("▐"))
            try terminal.press("PageUp")
            try await wait(terminal, forRow: half - 19, position: "\(grouped(half - 19)) / \(all)")
            try terminal.press("Enter")
            try await terminal.wait { $0.contains("Row \(grouped(half - 19)) of \(all)") && $0.contains("symbol-5") }
            try terminal.press("Escape")
            try await terminal.wait(forPosition: "\(grouped(half - 19)) / \(all)")
            try terminal.press("g")
            try await wait(terminal, forRow: 1, position: "1 / \(all)")
            try await checkMemory(terminal)
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
        }

        @Test(arguments: sizes) func `H1: a billion rows are sorted, filtered, grouped and searched`(count: Int) async throws {
            let (terminal, all) = (try start("trades", rows: count), grouped(count))
            try await wait(terminal, forRow: 1, position: "1 / \(all)")
            try terminal.press("Right", "Right", "s")
            try await terminal.wait { $0.lines[1].contains("price ▲") }
            try terminal.press("s")
            try await terminal.wait { $0.lines[1].contains("price ▼") && $0.lines[3].contains(grouped(count - 1)) }
            try terminal.press("G")
            try await terminal.wait { numbers($0.lines[21]) == ["\(count)", "\(count)"] }
            try terminal.press("U", "U")
            try await terminal.wait { $0.lines[0].hasSuffix("× 3") && $0.lines[22].hasSuffix("\(all) / \(all)") }
            // Moving a row by hand creates an order of all rows. Undoing a sort keeps this order.
            try terminal.press("g", "J")
            try await terminal.wait { numbers($0.lines[3]).last == "2" && numbers($0.lines[4]).last == "1" }
            try terminal.press("s")
            try await terminal.wait { $0.lines[1].contains("price ▲") && numbers($0.lines[4]).first == "2" }
            try terminal.press("G", "U")
            try await terminal.wait { $0.lines[0].contains("rows moved") && $0.lines[22].hasSuffix("\(all) / \(all)") }
            try terminal.press("U")
            try await terminal.wait { !$0.lines[0].contains("rows moved") }
            try terminal.press("g", "&")
            try terminal.type("symbol = 'symbol-3'")
            try terminal.press("Enter")
            try await terminal.wait(forPosition: "1 / \(grouped(count / 8))")
            try terminal.press("G")
            try await terminal.wait { numbers($0.lines[21]) == ["\(count / 8)", "\(count - 5)"] }
            try terminal.press("\\")
            try await terminal.wait { $0.lines[22].hasSuffix("/ \(all)") }
            try terminal.press("g", "/")
            try terminal.type("symbol-7")
            try terminal.press("Enter")
            // More than a million matches are counted, but not numbered.
            try await terminal.wait { $0.lines[22].hasSuffix("7 / \(all)") && $0.lines[23].contains("/\(grouped(count / 8))") }
            try terminal.press("N")
            try await terminal.wait { $0.lines[22].hasSuffix("\(grouped(count - 1)) / \(all)") }
            try terminal.press("g", "z", "g")
            try await terminal.wait { $0.lines[3].contains("▾ symbol-0  \(grouped(count / 8)) rows") }
            try terminal.press("z", "M")
            try await terminal.wait { $0.lines[10].contains("▸ symbol-7  \(grouped(count / 8)) rows") }
            try await checkMemory(terminal)
        }

        @Test(arguments: sizes)
        func `H1: the number of rows is estimated until all are counted, and the last rows are shown at once`(count: Int) async throws {
            let (terminal, all) = (try start("uncounted", rows: count), grouped(count))
            try await wait(terminal, forRow: 1, position: "1 / ≈ \(all)")
            #expect(try terminal.screen().lines[0].hasPrefix(" uncounted  ≈ \(all) × 3"))
            try terminal.press("PageDown")
            try await terminal.wait(forPosition: "20 / ≈ \(all)")
            try terminal.press("G")
            // The last rows have no numbers.
            try await terminal.wait { numbers($0.lines[21]).first == "\(count)" && $0.lines[22].hasSuffix("last row") }
            try terminal.type("\(count / 2)G")
            try await wait(terminal, forRow: count / 2, position: "\(grouped(count / 2)) / ≈ \(all)")
            // The scroll bar is in the middle.
            #expect(try terminal.screen().lines[12].hasSuffix("▐"))
            try terminal.press("g")
            try await wait(terminal, forRow: 1, position: "1 / ≈ \(all)")
            // The plan of the server has an estimate of the filtered rows.
            try terminal.press("&")
            try terminal.type("symbol = 'symbol-3'")
            try terminal.press("Enter")
            try await terminal.wait(forPosition: "1 / ≈ \(grouped(count / 8))")
            // Escape stops the count. The filter stays, and rows of later pages are shown.
            try terminal.press("Escape")
            try await terminal.wait { $0.contains("All rows can be shown, but their number is not known.") }
            for page in 1...15 {
                try terminal.press("PageDown")
                try await terminal.wait(forPosition: "\(1 + 19 * page) / ≈ \(grouped(count / 8))")
            }
            try await terminal.wait { $0.lines.contains { numbers($0) == ["286", "2283"] } && !$0.contains("░") }
            try await checkMemory(terminal)
        }

        @Test(arguments: sizes) func `H1: rows of a table without a key are found by their disk blocks`(count: Int) async throws {
            let (terminal, all, half) = (try start("heap", rows: count), grouped(count), count / 2)
            try await wait(terminal, forRow: 1, position: "1 / \(all)")
            try terminal.press("G")
            try await wait(terminal, forRow: count, at: 21, position: "\(all) / \(all)")
            try terminal.type("\(half)G")
            try await wait(terminal, forRow: half, position: "\(grouped(half)) / \(all)")
            try terminal.press("g")
            try await wait(terminal, forRow: 1, position: "1 / \(all)")
            try await checkMemory(terminal)
        }
    }
}
