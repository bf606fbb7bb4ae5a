import GridTestSupport
import Foundation
import Testing

extension InTerminal {
    /// The program on the screen: first screen, motions, terminal sizes.
    @Suite struct ScreenTests {
        // MARK: The first screen

        @Test func `D16: the first screen appears, and quitting restores the terminal`() async throws {
            let terminal = try await TerminalDriver.trades(columns: 80, rows: 24)
            let screen = try await terminal.wait(forPosition: "1 / 5,000")
            #expect(screen.lines[0] == " trades.csv  5,000 × 13")
            #expect(screen.lines[1].contains("│     id │timestamp           │symbol"))
            #expect(screen.gutter(3) == "1" && screen.lines[3].contains("│ 100001  2026-03-02 08:00:00  VSTA"))
            #expect(screen.gutter(21) == "19" && screen.lines[21].contains("│ 100031"))
            #expect(screen.lines[22].hasPrefix(" id  100001"))
            #expect(screen.lines[23].contains("/ search"))
            #expect(try terminal.modes() == TerminalDriver.fullScreenModes)
            #expect(try await terminal.lineSettingsAtStart() != terminal.lineSettings())

            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
            #expect(try await terminal.unrestoredState() == "")
            #expect(try terminal.screen().contains("trades.csv") == false)
        }

        @Test func `D2: the end of a million rows is shown at once`() async throws {
            let folder = try TemporaryFolder()
            let table = folder.path(of: "million.csv")
            let make = "BEGIN { print \"n,name,value\"; for (n = 1; n <= 1000000; n++) print n \",name \" n \",\" n * 7919 % 10007 }"
            try #require(ProcessRunner(executable: "sh").run(["-c", "awk '\(make)' >\"$0\"", table]).status == .code(0))
            let terminal = try TerminalDriver([ProgramUnderTest.path, table], columns: 80, rows: 24)
            // The key is pressed before the program has started.
            try terminal.press("G")
            try await terminal.wait(forPosition: "1,000,000 / 1,000,000")
            #expect(try terminal.screen().lines[22].hasPrefix(" n  1000000 "))
            try terminal.type("500000g")
            try await terminal.wait(forPosition: "500,000 / 1,000,000")
            #expect(try terminal.screen().lines[22].hasPrefix(" n  500000 "))
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
        }

        @Test func `D23: --pivot shows a pivot table, and a wrong option ends the program with its error`() async throws {
            let trades = ProgramUnderTest.file("Examples/data/trades.csv")
            let options = ["--sort", "SELL:desc", "--derive", "none = symbol * 2"]
            let terminal = try await TerminalDriver.gridview(
                ["--pivot", "sector by side"] + options + [trades], columns: 80, rows: 24, environment: [:], shows: "Technology")
            let screen = try await terminal.wait(forPosition: "1 / 9")
            #expect(screen.lines[0].hasPrefix(" trades.csv: sector by side  9 × 3"), "\(screen.lines[0])")
            #expect(screen.lines[3].contains("│ Technology") && screen.lines[3].contains("345"), "\(screen.lines[3])")
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
            #expect(try await terminal.unrestoredState() == "")
            #expect(try terminal.screen().contains("--derive: “none” has no value in the first rows."))
            let wrong = try TerminalDriver([ProgramUnderTest.path, "--pivot", "sektor by side", trades], columns: 80, rows: 24)
            #expect(try await wrong.waitForExit() == 2)
            #expect(try await wrong.unrestoredState() == "" && wrong.screen().contains("--pivot: Unknown column “sektor”."))
        }

        // MARK: Moving

        @Test func `D4: keys move the cursor by rows, columns, pages and row numbers`() async throws {
            let terminal = try await TerminalDriver.trades(columns: 80, rows: 24)
            try await terminal.wait(forPosition: "1 / 5,000")
            for (keys, place) in [
                (["Down", "j"], "3 / 5,000"), (["Up"], "2 / 5,000"), (["k"], "1 / 5,000"), (["1", "0", "j"], "11 / 5,000"),
                (["G"], "5,000 / 5,000"), (["Up", "Up"], "4,998 / 5,000"), (["g"], "1 / 5,000"), (["C-End"], "5,000 / 5,000"),
                (["C-Home"], "1 / 5,000"), (["1", "2", "0", "G"], "120 / 5,000"), (["C-o"], "1 / 5,000"),
            ] {
                for key in keys { try terminal.press(key) }
                try await terminal.wait(forPosition: place)
            }
            for (keys, title) in [
                (["Right", "l"], "symbol"), (["Left"], "timestamp"), (["End"], "note"), (["Home"], "id"), (["$", "0"], "id"),
            ] {
                for key in keys { try terminal.press(key) }
                try await terminal.wait { $0.lines[22].hasPrefix(" \(title)  ") }
            }
        }

        @Test func `D4: paging does not skip rows`() async throws {
            let terminal = try await TerminalDriver.trades(columns: 80, rows: 24)
            func rowNumbers() throws -> [Int] {
                try terminal.screen().lines.compactMap { line in
                    line.firstIndex(of: "│").flatMap { Int(line[..<$0].replacing(",", with: "").trimmingCharacters(in: .whitespaces)) }
                }
            }
            #expect(try rowNumbers() == Array(1...19))
            var last = 19
            for key in ["PageDown", "Space", "C-f"] {
                try terminal.press(key)
                let numbers = try await terminal.wait(for: "the next page") { try rowNumbers().last == last ? nil : rowNumbers() }
                // A page may repeat one row of the page before. It must not skip a row.
                #expect(numbers.first! <= last + 1 && numbers.last! > last, "\(key)")
                #expect(numbers == Array(numbers.first!...numbers.last!), "\(key)")
                last = numbers.last!
            }
            for key in ["PageUp", "C-b", "PageUp"] { try terminal.press(key) }
            try await terminal.wait { $0.gutter(3) == "1" }
        }

        // MARK: Sizes

        @Test func `B8: a resize keeps the cursor's row in place`() async throws {
            let terminal = try await TerminalDriver.trades(columns: 120, rows: 40)
            try terminal.type("1000G")
            try await terminal.wait(forPosition: "1,000 / 5,000")
            try terminal.press("Up", times: 5)
            let before = try await terminal.wait(forPosition: "995 / 5,000")
            let row = try #require(before.row(of: " 995│"))
            for (columns, rows) in [(80, 40), (200, 40), (200, 60), (60, 40)] {
                try terminal.resize(columns: columns, rows: rows)
                let screen = try await terminal.wait { $0.lines.count == rows && $0.contains(" 995│") && $0.contains("995 / 5,000") }
                #expect(screen.row(of: " 995│") == row, "\(columns)x\(rows)")
            }
            // On a screen of this size, the frame around the grid is thinner.
            try terminal.resize(columns: 20, rows: 5)
            try await terminal.wait { $0.lines.count == 5 && $0.contains(" 995│") }
            try terminal.resize(columns: 1, rows: 1)
            try await terminal.wait { $0.lines.count == 1 }
            try terminal.press("Down")
            try terminal.resize(columns: 120, rows: 40)
            try await terminal.wait { $0.lines.count == 40 && $0.contains("996 / 5,000") && $0.contains(" 996│") }
            #expect(terminal.exitStatus == nil)
        }

        @Test func `D16: a terminal of 20×5 shows a grid`() async throws {
            let terminal = try await TerminalDriver.trades(columns: 20, rows: 5)
            let screen = try await terminal.wait(untilShown: " 1│ 100001")
            #expect(screen.contains(" 3│ 100004"))
            try terminal.press("Down", times: 7)
            try await terminal.wait(untilShown: " 8│ 100013")
        }

        @Test func `D16: the program starts in a single cell, and uses the space when the terminal grows`() async throws {
            let terminal = try TerminalDriver(
                [ProgramUnderTest.path, ProgramUnderTest.file("Examples/data/trades.csv")], columns: 1, rows: 1)
            try await terminal.wait(for: "the screen to be taken") { try terminal.modes().alternateScreen ? true : nil }
            for key in ["Down", "?", "Escape", "/", "Escape", "Enter", "Escape", ":", "Escape"] { try terminal.press(key) }
            try terminal.resize(columns: 80, rows: 24)
            try await terminal.wait(forPosition: "2 / 5,000")
        }

        @Test func `D16: the screen is correct after many resizes`() async throws {
            let terminal = try await TerminalDriver.trades()
            for step in 0..<60 { try terminal.resize(columns: 1 + step * 37 % 200, rows: 1 + step * 23 % 70) }
            try terminal.resize(columns: 100, rows: 30)
            // Until the program draws, the terminal shows rows that it truncated or moved itself.
            let screen = try await terminal.wait {
                $0.lines.count == 30 && $0.contains("1 / 5,000") && $0.lines[0] == " trades.csv  5,000 × 13"
            }
            #expect(screen.gutter(3) == "1" && screen.lines[3].contains("│ 100001"))
        }

        @Test(arguments: ["100000", "0", "-1", "x", "2147483647"])
        func `D16: LINES and COLUMNS do not set the screen size`(_ size: String) async throws {
            let terminal = try await TerminalDriver.trades(columns: 90, rows: 20, environment: ["COLUMNS": size, "LINES": size])
            try terminal.press("G")
            try await terminal.wait(forPosition: "5,000 / 5,000")
            #if os(Linux)
                // The peak memory of the program is in its status file.
                let status = try String(contentsOfFile: "/proc/\(try await terminal.processID())/status", encoding: .utf8)
                let peak = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) })
                #expect(peak < 200_000, "\(peak) kB")
            #endif
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
        }

        #if os(Linux)
            @Test(arguments: ["\"$0\" \"$1\"", "cat \"$1\" | \"$0\""])
            func `D16: child processes do not inherit the open files of the program`(_ script: String) async throws {
                let file = ProgramUnderTest.file("Examples/data/trades.csv")
                let terminal = try TerminalDriver(["sh", "-c", script, ProgramUnderTest.path, file], columns: 90, rows: 20)
                try await terminal.wait(forPosition: "1 / 5,000")
                let shell = try await terminal.processID()
                let children = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
                let programs = ([shell] + children.split(separator: " ").compactMap { pid_t($0) }).filter {
                    (try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8))?.hasPrefix("gridview") == true
                }
                let program = try #require(programs.first)
                let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program)/fd").compactMap { Int($0) }
                var inherited: [String] = []
                for descriptor in open where descriptor > 2 {
                    let info = try String(contentsOfFile: "/proc/\(program)/fdinfo/\(descriptor)", encoding: .utf8)
                    let flags = try #require(info.firstMatch(of: /flags:\s+([0-7]+)/).flatMap { Int($0.1, radix: 8) })
                    if flags & 0o2_000_000 != 0 { continue }
                    inherited.append(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(program)/fd/\(descriptor)"))
                }
                #expect(open.contains { $0 > 2 } && inherited.isEmpty, "\(inherited)")
                try terminal.press("q")
            }
        #endif
    }
}
