import Foundation
import GridTestSupport
import Testing

extension InTerminal {
    /// Daily tasks, each with at most as many keys as the best other program needs. Typed text and numbers do not count as keys.
    @Suite struct TaskTests {
        /// The fewest keys of another program for a task.
        private struct KeyLimit {
            var keys: Int

            init(_ keys: Int) { self.keys = keys }

            // Keys that move the cursor count, too, if the task needs them in each of these programs.
            static let wideText = KeyLimit(0)  // csvlens -W
            static let wrap = KeyLimit(1)  // VisiData: v
            static let freezeColumn = KeyLimit(1)  // VisiData: !
            static let freezeRows = KeyLimit(4)  // Excel: Alt w f r
            static let freezeBoth = KeyLimit(4)  // Excel: Alt w f f
            static let sort = KeyLimit(1)  // VisiData: [
            static let sortByTwo = KeyLimit(2)  // tabiew: : SQL Enter
            static let filter = KeyLimit(2)  // tabiew: : SQL Enter
            static let filterByCell = KeyLimit(1)  // csvlens: @
            static let excludeCell = KeyLimit(4)  // VisiData: , gt "
            static let cutCell = KeyLimit(1)  // tabiew: Enter
            static let nextDifferent = KeyLimit(1)  // VisiData: >
            static let hideTen = KeyLimit(2)  // csvlens: * regex Enter
            static let goToColumn = KeyLimit(2)  // VisiData: c regex Enter
            static let goToRow = KeyLimit(1)  // csvlens: 120 G
            static let bookmark = KeyLimit(4)  // less: ma 'a
            static let copyColumns = KeyLimit(4)  // Excel: Ctrl-Space Shift-Right twice Ctrl-c
            static let pickRow = KeyLimit(1)  // csvlens: Enter
            static let pickRows = KeyLimit(4)  // VisiData: s s " Ctrl-q
            static let group = KeyLimit(5)  // VisiData: Right + sum Enter Left F
            static let exportGroups = KeyLimit(7)  // VisiData: the keys of `group`, Ctrl-s Enter
            static let distinct = KeyLimit(1)  // VisiData: F
            static let summary = KeyLimit(1)  // VisiData: I
            static let rename = KeyLimit(2)  // VisiData: ^ text Enter
            static let retype = KeyLimit(1)  // VisiData: ~
            static let derive = KeyLimit(2)  // VisiData: = text Enter
            static let nextFile = KeyLimit(1)  // tabiew: the key of the next tab
            static let follow = KeyLimit(1)  // less: F
            static let followAtStart = KeyLimit(0)  // csvlens --auto-reload
            static let pager = KeyLimit(0)  // pspg
            static let undo = KeyLimit(1)  // VisiData: U
            static let restoreView = KeyLimit(3)  // VisiData: Ctrl-d Enter q
            static let searchHelp = KeyLimit(3)  // less: h / text Enter
        }

        /// The program in a terminal, and the number of keys that the task has taken.
        private final class Session {
            let terminal: TerminalDriver
            private(set) var keys = 0

            init(_ terminal: TerminalDriver) { self.terminal = terminal }

            /// Presses keys that count.
            func press(_ names: String...) throws {
                for name in names { try terminal.press(name) }
                keys += names.count
            }

            /// Types text or a number, which does not count.
            func type(_ text: String) throws { try terminal.type(text) }

            /// Presses keys before or after the task.
            func move(_ names: String...) throws { for name in names { try terminal.press(name) } }

            func check(_ limit: KeyLimit, _ location: SourceLocation = #_sourceLocation) {
                #expect(keys <= limit.keys, sourceLocation: location)
            }
        }

        private let folder: TemporaryFolder
        private static let sales = """
            city,amount,target,year
            Oslo,10,10,2023
            Oslo,20,30,2024
            Bern,5,6,2023
            Bern,7,7,2024
            Rome,9,9,2024

            """

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.file("sales.csv", Self.sales)
        }

        /// Starts a command line in the folder, with the program as `$0`. The first data row is on line 2 of the screen.
        private func start(
            shell script: String, environment: [String: String] = [:], shows text: String = "1 / 5"
        ) async throws -> Session {
            let command = "cd \"$1\" && \(script)"
            let terminal = try TerminalDriver(
                ["sh", "-c", command, ProgramUnderTest.path, folder.path], columns: 100, rows: 16, environment: environment)
            try await terminal.wait(untilShown: text)
            return Session(terminal)
        }

        private func start(
            _ arguments: String = "sales.csv", environment: [String: String] = [:], shows text: String = "1 / 5"
        ) async throws -> Session {
            try await start(shell: "exec \"$0\" \(arguments)", environment: environment, shows: text)
        }

        /// Writes a table of 30 columns and 40 rows, and opens it.
        private func startGrid() async throws -> Session {
            let header = (1...30).map { "c\($0)" }.joined(separator: ",")
            let rows = (1...40).map { row in (1...30).map { "r\(row)c\($0)" }.joined(separator: ",") }
            _ = try folder.file("grid.csv", header + "\n" + rows.joined(separator: "\n") + "\n")
            return try await start("grid.csv", shows: "1 / 40")
        }

        /// The row numbers at the left edge, from the top.
        private func rowNumbers(_ screen: TerminalDriver.Screen) -> [Int] { (2..<14).compactMap { Int(screen.gutter($0)) } }

        // MARK: Seeing

        private func startWide() async throws -> Session {
            let words = Array(repeating: "word", count: 60).joined(separator: " ")
            _ = try folder.file("wide.csv", "id,note,price\n1,\(words) end,3.5\n2,short,4\n")
            return try await start("wide.csv", shows: "1 / 2")
        }

        @Test func `17.1: task 1: a wide text column leaves room for the other columns`() async throws {
            let task = try await startWide()
            try await task.terminal.wait { $0.words(1).hasSuffix("price") && $0.words(2).hasSuffix("… 3.5") && $0.gutter(3) == "2" }
            task.check(.wideText)
            try task.press("W")
            try await task.terminal.wait { $0.gutter(3) == "" && $0.lines[3].contains("word word") && $0.lines[2].hasSuffix("3.5") }
            task.check(.wrap)
        }

        @Test func `17.1: task 2: a column can be frozen`() async throws {
            let task = try await startGrid()
            try task.press("f")
            task.check(.freezeColumn)
            try task.move("G", "End")
            try await task.terminal.wait { $0.words(1).contains("│c1 ┃") && $0.words(1).hasSuffix("c30") && $0.gutter(2) == "29" }
        }

        @Test func `17.1: task 2: rows can be frozen`() async throws {
            let task = try await startGrid()
            try task.press("z", "f")
            task.check(.freezeRows)
            try task.move("G", "End")
            try await task.terminal.wait { $0.words(1).hasSuffix("c30") && self.rowNumbers($0) == [1] + Array(30...40) }
        }

        @Test func `17.1: task 2: a column and a row can be frozen together`() async throws {
            let task = try await startGrid()
            try task.press("z", "F")
            task.check(.freezeBoth)
            try task.move("G", "End")
            try await task.terminal.wait {
                $0.lines[2].contains("│ r1c1 ┃") && $0.words(1).hasSuffix("c30") && self.rowNumbers($0) == [1] + Array(30...40)
            }
        }

        @Test func `17.1: task 2: a column can be pinned on the right`() async throws {
            let task = try await startGrid()
            // No other program pins on the right.
            try task.press("z", "!")
            try await task.terminal.wait { $0.words(1).contains("│c2") && $0.words(1).hasSuffix("┃c1") }
        }

        @Test func `17.1: task 7: the whole text of a cut cell can be shown`() async throws {
            let task = try await startWide()
            try task.move("Right")
            try await task.terminal.wait { $0.lines[14].hasPrefix(" note  word") }
            try task.press("Enter")
            task.check(.cutCell)
            try await task.terminal.wait { $0.contains("Row 1 of 2") && $0.contains("word end") }
        }

        @Test func `17.1: task 8: the cursor can go to the next different value`() async throws {
            let task = try await start()
            try task.press("}")
            task.check(.nextDifferent)
            try await task.terminal.wait { $0.lines[14].hasPrefix(" city  Bern") && $0.lines[14].hasSuffix("3 / 5") }
        }

        @Test func `17.1: task 10: a column among 5,000 is found, and a row is marked`() async throws {
            let header = (1...5000).map { "c\($0)" }.joined(separator: ",")
            let rows = (1...130).map { row in (1...5000).map { "\(row * $0)" }.joined(separator: ",") }
            _ = try folder.file("many.csv", header + "\n" + rows.joined(separator: "\n") + "\n")
            let column = try await start("many.csv", shows: "1 / 130")
            try column.press("c")
            try column.type("c4321")
            try column.press("Enter")
            column.check(.goToColumn)
            try await column.terminal.wait { $0.lines[14].hasPrefix(" c4321  4321 ") }
            let row = Session(column.terminal)
            try row.type("120")
            try row.press("G")
            row.check(.goToRow)
            try await row.terminal.wait { $0.lines[14].hasPrefix(" c4321  518520 ") && $0.lines[14].hasSuffix("120 / 130") }
            let mark = Session(row.terminal)
            try mark.press("m")
            try await mark.terminal.wait { $0.contains("•120│") }
            try mark.move("g")
            try await mark.terminal.wait(forPosition: "1 / 130")
            try mark.press("'")
            mark.check(.bookmark)
            try await mark.terminal.wait(forPosition: "120 / 130")
        }

        // MARK: Sorting and filtering

        private func startDisks() async throws -> Session {
            _ = try folder.file("disks.csv", "when,disk,use\nb,disk100,50%\na,disk2,n/a\nb,disk1,9%\na,disk10,\n")
            return try await start("disks.csv", shows: "1 / 4")
        }

        @Test(arguments: [(1, [3, 2, 4, 1]), (2, [3, 1, 2, 4])])
        func `17.1: task 3: mixed values can be sorted`(column: Int, order: [Int]) async throws {
            let task = try await startDisks()
            for _ in 0..<column { try task.move("Right") }
            try task.press("s")
            task.check(.sort)
            try await task.terminal.wait { self.rowNumbers($0) == order }
        }

        @Test func `17.1: task 4: rows can be sorted by two columns`() async throws {
            let task = try await startDisks()
            try task.type("2")
            try task.press("s")
            task.check(.sortByTwo)
            try await task.terminal.wait { $0.lines[0].contains("⇅ when ▲ disk ▲") && self.rowNumbers($0) == [2, 4, 3, 1] }
        }

        @Test func `17.1: task 5: rows can be filtered on two columns`() async throws {
            let task = try await start()
            try task.press("&")
            try task.type("city = Bern and amount > 5")
            try task.press("Enter")
            task.check(.filter)
            try await task.terminal.wait { self.rowNumbers($0) == [4] && $0.contains("1 of 5 rows matches.") }
        }

        @Test func `17.1: task 6: rows can be filtered by the value of the cell`() async throws {
            let task = try await start()
            try task.press("@")
            task.check(.filterByCell)
            try await task.terminal.wait { self.rowNumbers($0) == [1, 2] }
            try task.move("U")
            try await task.terminal.wait { self.rowNumbers($0) == [1, 2, 3, 4, 5] }
            let other = Session(task.terminal)
            try other.press("~")
            other.check(.excludeCell)
            try await other.terminal.wait { self.rowNumbers($0) == [3, 4, 5] }
        }

        @Test func `17.1: task 16: two columns can be compared`() async throws {
            let task = try await start()
            try task.press("&")
            try task.type("amount != target")
            try task.press("Enter")
            task.check(.filter)
            try await task.terminal.wait { self.rowNumbers($0) == [2, 3] && $0.contains("2 of 5 rows match.") }
        }

        // MARK: Columns

        @Test func `17.1: task 9: ten columns can be hidden`() async throws {
            let task = try await startGrid()
            try task.type("10")
            try task.press("-")
            task.check(.hideTen)
            try await task.terminal.wait { $0.lines[0].contains("10 hidden") && $0.words(1).contains("│c11 c12 ") }
        }

        @Test func `17.1: task 17: a column can be renamed`() async throws {
            let task = try await start()
            try task.press("M-r")
            try task.type("town")
            try task.press("Enter")
            task.check(.rename)
            try await task.terminal.wait { $0.words(1).contains("│town ") && $0.lines[14].hasPrefix(" town  Oslo") }
        }

        @Test func `17.1: task 17: the type of a column can be changed`() async throws {
            let task = try await start()
            try task.move("Right")
            try task.press("t")
            task.check(.retype)
            try await task.terminal.wait(untilShown: "“amount” is now a text column.")
        }

        @Test(arguments: ["", "--keys visidata "]) func `17.1: task 19: a computed column can be added`(preset: String) async throws {
            let task = try await start(preset + "sales.csv")
            try task.press(preset.isEmpty ? "M-=" : "=")
            try task.type("rest = target - amount")
            try task.press("Enter")
            task.check(.derive)
            try await task.terminal.wait { $0.words(1).contains(" rest ") && $0.lines[3].firstMatch(of: /Oslo +10 +20 +30/) != nil }
        }

        // MARK: Groups and statistics

        @Test func `17.1: task 13: the subtotals of groups can be shown`() async throws {
            let task = try await start()
            try task.press("z", "g", "z", "M")
            task.check(.group)
            try await task.terminal.wait {
                $0.words(2) == "▸ Bern 2 rows amount sum 12 target sum 13" && $0.words(3) == "▸ Oslo 2 rows amount sum 30 target sum 40"
                    && $0.words(4) == "▸ Rome 1 row amount sum 9 target sum 9"
            }
        }

        @Test func `17.1: task 14: the subtotals can be exported`() async throws {
            let task = try await start()
            try task.press("z", "g", "z", "M")
            // An export is refused until the groups are complete.
            try await task.terminal.wait { $0.words(2) == "▸ Bern 2 rows amount sum 12 target sum 13" }
            try task.press("z", "s")
            try await task.terminal.wait(untilShown: "Export to: sales-view.csv")
            try task.press("Enter")
            task.check(.exportGroups)
            try await task.terminal.wait(untilShown: "Exported 3 groups to sales-view.csv")
            let written = try String(contentsOfFile: folder.path(of: "sales-view.csv"), encoding: .utf8)
            #expect(written == "city,count,sum(amount),sum(target)\nBern,2,12,13\nOslo,2,30,40\nRome,1,9,9\n")
        }

        @Test func `17.1: task 15: distinct values, top values and a histogram can be shown`() async throws {
            let values = try await start()
            try values.press("F")
            values.check(.distinct)
            try await values.terminal.wait { $0.contains("3 distinct, by count") && $0.contains("40.0 %  ███") }
            let histogram = try await start()
            try histogram.move("Right")
            try histogram.press("I")
            histogram.check(.distinct)
            try await histogram.terminal.wait { $0.contains("distinct  5") && $0.contains("Histogram") && $0.contains("mean      10.20") }
            let all = try await start()
            try all.press("M-i")
            all.check(.summary)
            try await all.terminal.wait { $0.contains("4 columns · all 5 rows") && $0.contains("distinct") }
        }

        // MARK: Output

        @Test func `17.1: task 11: three columns can be copied`() async throws {
            let task = try await start()
            try task.press("C-Space", "Right", "Right", "y")
            task.check(.copyColumns)
            try await task.terminal.wait(untilShown: "Copied 5 rows × 3 columns via tmux.")
            #expect(try task.terminal.clipboard() == "Oslo\t10\t10\nOslo\t20\t30\nBern\t5\t6\nBern\t7\t7\nRome\t9\t9")
        }

        @Test func `17.1: task 11: three columns can be copied as Markdown`() async throws {
            let task = try await start()
            // No other program copies whole columns as Markdown.
            try task.press("C-Space", "Right", "Right", "z", "y")
            try task.type("markdown")
            try task.press("Enter")
            try await task.terminal.wait(untilShown: "Copied 5 rows × 3 columns as Markdown via tmux.")
            #expect(
                try task.terminal.clipboard()
                    == """
                    | city | amount | target |
                    |---|---:|---:|
                    | Oslo | 10 | 10 |
                    | Oslo | 20 | 30 |
                    | Bern | 5 | 6 |
                    | Bern | 7 | 7 |
                    | Rome | 9 | 9 |

                    """)
        }

        @Test func `17.1: task 12: a picked row is printed`() async throws {
            let task = try await start(shell: "exec \"$0\" --pick sales.csv >out")
            try task.press("Enter")
            task.check(.pickRow)
            #expect(try await task.terminal.waitForExit() == 0)
            #expect(try String(contentsOfFile: folder.path(of: "out"), encoding: .utf8) == "Oslo,10,10,2023\n")
        }

        @Test func `17.1: task 12: several picked rows are printed`() async throws {
            let task = try await start(shell: "exec \"$0\" --pick --multi sales.csv >out")
            try task.press("Space", "Space", "Enter")
            task.check(.pickRows)
            #expect(try await task.terminal.waitForExit() == 0)
            #expect(try String(contentsOfFile: folder.path(of: "out"), encoding: .utf8) == "Oslo,10,10,2023\nOslo,20,30,2024\n")
        }

        // MARK: Files and pipes

        @Test func `17.1: task 20: two files can be opened, and a key switches between them`() async throws {
            _ = try folder.file("people.csv", "name,age\nAnn,30\nBob,40\n")
            let task = try await start("sales.csv people.csv")
            try task.press("C-PageDown")
            task.check(.nextFile)
            try await task.terminal.wait {
                $0.contains(" people.csv  2 × 2") && $0.contains("Bob") && $0.contains("sales.csv   people.csv")
            }
        }

        @Test(arguments: [false, true]) func `17.1: task 21: a growing log can be followed`(atStart: Bool) async throws {
            let lines = (1...30).map { "\($0),line \($0)\n" }.joined()
            let log = try folder.file("log.csv", "n,text\n" + lines)
            let task = try await start(atStart ? "--follow log.csv" : "log.csv", shows: atStart ? "30 / 30" : "1 / 30")
            if !atStart { try task.press("M-f") }
            task.check(atStart ? .followAtStart : .follow)
            try await task.terminal.wait { $0.lines[14].hasSuffix(" 30 / 30") && $0.lines[0].contains("follow") }
            let handle = try #require(FileHandle(forWritingAtPath: log))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("31,line 31\n".utf8))
            try handle.close()
            try await task.terminal.wait { $0.lines[14].hasSuffix(" 31 / 31") && $0.contains("line 31") }
        }

        @Test func `17.1: task 23: the output of psql can be paged`() async throws {
            _ = try folder.file("psql.txt", " id | city | pop \n----+------+-----\n  1 | Oslo | 709\n  2 | Bern | 134\n(2 rows)\n\n")
            let task = try await start(shell: "cat psql.txt | \"$0\"", shows: "1 / 2")
            task.check(.pager)
            try await task.terminal.wait {
                $0.words(1).hasSuffix("│id city pop") && $0.lines[2].firstMatch(of: /1│ +1 +Oslo +709/) != nil
                    && self.rowNumbers($0) == [1, 2]
            }
        }

        // MARK: Keeping

        @Test func `17.1: task 24: a change can be undone`() async throws {
            let task = try await start()
            try task.move("@")
            try await task.terminal.wait { self.rowNumbers($0) == [1, 2] }
            try task.press("U")
            task.check(.undo)
            try await task.terminal.wait { self.rowNumbers($0) == [1, 2, 3, 4, 5] && $0.contains("Undone: filter") }
        }

        @Test func `17.1: task 24: the view can be restored after quitting`() async throws {
            let environment = ["XDG_STATE_HOME": folder.path(of: "state")]
            let before = try await start(environment: environment)
            try before.move("@", "-")
            try await before.terminal.wait { $0.lines[0].contains("1 hidden") && self.rowNumbers($0) == [1, 2] }
            try before.press("q")
            #expect(try await before.terminal.waitForExit() == 0)
            let after = try await start(environment: environment)
            try after.press(":")
            try after.type("restore last view")
            try after.press("Enter")
            #expect(before.keys + after.keys <= KeyLimit.restoreView.keys)
            try await after.terminal.wait {
                $0.lines[0].contains("▽ city = 'Oslo'   1 hidden") && $0.words(1).contains("│amount") && self.rowNumbers($0) == [1, 2]
            }
        }

        /// The column names with their colors, up to the last name.
        private func headerStyle(_ session: Session) throws -> String {
            try session.terminal.styledLines()[1].components(separatedBy: "year")[0]
        }

        @Test func `17.1: task 25: a theme can be saved`() async throws {
            let environment = ["XDG_CONFIG_HOME": folder.path(of: "settings")]
            let task = try await start(environment: environment)
            let before = try headerStyle(task)
            // Other programs need an editor for this.
            try task.press("T")
            try await task.terminal.wait(untilShown: "Theme: ")
            try task.press(":")
            try task.type("save settings")
            try task.press("Enter")
            try await task.terminal.wait(untilShown: "Saved in config.toml: theme.")
            let theme = try String(contentsOfFile: folder.path(of: "settings/gridview/config.toml"), encoding: .utf8)
            #expect(theme.contains("\ntheme = \""))
            let next = try await start(environment: environment)
            let header = try headerStyle(task)
            #expect(header != before)
            try await next.terminal.wait(for: "the theme") { try headerStyle(next) == header ? true : nil }
        }

        @Test func `17.1: task 25: the help can be searched`() async throws {
            let task = try await start()
            try task.press("?", "/")
            try task.type("freeze")
            try task.press("Enter")
            task.check(.searchHelp)
            try await task.terminal.wait { $0.contains("All keys: “freeze” 1/3") && $0.contains("Freeze rows up to this one") }
        }
    }
}
