import Foundation
import GridTestSupport
import Testing

#if os(Linux)
    extension InTerminal {
        /// Output, exports and copies of tables that are larger than every buffer of the program. A helper computes the rows by formulas.
        @Suite struct ServerOutputTests {
            private let folder: TemporaryFolder
            private let program: String
            private let log: String
            /// The number of rows of the table, which takes 46 MB as CSV.
            private static let rows = 2_000_000
            private static let memoryLimit = 60 << 10

            init() throws {
                folder = try TemporaryFolder()
                program = try FormulaEngine.install(with: ProgramUnderTest.path, in: folder)
                log = try folder.file("statements", "")
            }

            private var url: String { FormulaEngine.url(rows: Self.rows) }

            /// The number of statements so far. Opening a table takes about ten.
            private func statementCount() throws -> Int { try String(contentsOfFile: log, encoding: .utf8).count { $0 == "\n" } }

            /// Runs a program, and prints its exit status, its peak memory in kilobytes, and the number of lines and the last line of its
            /// output.
            private static let measurement = """
                import os, subprocess, sys
                with open(sys.argv[1], 'wb') as file:
                    process = subprocess.Popen(sys.argv[2:], stdout=file)
                _, status, usage = os.wait4(process.pid, 0)
                count, last = 0, b''
                for last in open(sys.argv[1], 'rb'):
                    count += 1
                print(os.waitstatus_to_exitcode(status), usage.ru_maxrss, count, repr(last[:50]))
                """

            /// Writes the table with these options.
            private func write(
                _ options: [String], of url: String? = nil, to path: String
            ) throws -> (memory: Int, lines: Int, last: String) {
                var runner = ProcessRunner(executable: "python3", timeLimit: .seconds(600))
                runner.environment["FORMULA_ENGINE_LOG"] = log
                let outcome = try runner.run(["-c", Self.measurement, path, program, url ?? self.url] + options)
                let parts = outcome.outputText.split(separator: " ", maxSplits: 3).map(String.init)
                try #require(parts.count == 4 && parts[0] == "0", "\(outcome.outputText) \(outcome.errorText)")
                return (try #require(Int(parts[1])), try #require(Int(parts[2])), parts[3])
            }

            private static func price(_ id: Int) -> Int { id * 618_033_993 % rows }

            @Test func `19.2: output runs one statement per pass and uses limited memory`() throws {
                let (count, path) = (Self.rows, folder.path(of: "out"))
                let plain = try write(["-o", "csv"], to: path)
                #expect(plain.lines == count + 1 && plain.last == "b'\(count),symbol-0,\(Self.price(count))\\n'\n", "\(plain)")
                #expect(plain.memory < Self.memoryLimit, "\(plain.memory) kB")
                let before = try statementCount()
                let options = ["--sort", "price:desc", "--derive", "twice = 2 * price", "--limit", "500000", "-o", "text"]
                let sorted = try write(options, to: path)
                let numbers = sorted.last.replacing(",", with: "")
                #expect(sorted.lines == 500_002 && numbers.contains("1500000") && numbers.contains("3000000"), "\(sorted)")
                #expect(sorted.memory < Self.memoryLimit, "\(sorted.memory) kB")
                #expect(try statementCount() - before < 20)
            }

            @Test func `19.2: sorted and filtered output works even if the server never returns the number of rows`() throws {
                let (count, path) = (400_000, folder.path(of: "out"))
                let url = FormulaEngine.url("uncounted", rows: count)
                let sorted = try write(["--sort", "price:desc", "-o", "csv"], of: url, to: path)
                #expect(sorted.lines == count + 1 && sorted.last.hasSuffix(",0\\n'\n"), "\(sorted)")
                let filtered = try write(["--filter", "id > 399990", "-o", "csv"], of: url, to: path)
                #expect(filtered.lines == 11 && filtered.last.hasPrefix("b'400000,"), "\(filtered)")
                #expect(try write(["--filter", "id > 400000", "-o", "csv"], of: url, to: path).lines == 1)
            }

            @Test func `19.2: writing a typed file takes two passes and uses limited memory`() throws {
                let path = folder.path(of: "out.parquet")
                let typed = try write(["-o", "parquet"], to: path)
                #expect(typed.memory < Self.memoryLimit, "\(typed.memory) kB")
                #expect(try statementCount() < 20)
                let last = try ProcessRunner(executable: program).run([path, "--filter", "id > \(Self.rows - 2)", "-o", "csv"])
                let expected = (Self.rows - 1...Self.rows).map { "\($0),symbol-\($0 % 8),\(Self.price($0))\n" }.joined()
                #expect(last.outputText == "id,symbol,price\n" + expected, "\(last.errorText)")
            }

            /// The peak memory of the program in kilobytes.
            private func memory(_ terminal: TerminalDriver) async throws -> Int {
                let status = try String(contentsOfFile: "/proc/\(try await terminal.processID())/status", encoding: .utf8)
                return try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) })
            }

            @Test func `19.2: exporting a view uses limited memory, and an export can be cancelled`() async throws {
                let terminal = try TerminalDriver([program, url], columns: 80, rows: 16)
                terminal.timeLimit = .seconds(300)
                try await terminal.wait(forPosition: "1 / 2,000,000")
                for (name, key, message) in [("a.parquet", "", "Exported 2,000,000 rows"), ("b.csv", "C-c", "Cancelled: ")] {
                    try terminal.press("z", "s")
                    try await terminal.wait { $0.contains("Export to:") }
                    try terminal.press("C-u")
                    try terminal.type(folder.path(of: name))
                    try terminal.press("Enter")
                    try await terminal.wait { $0.contains(" %") }
                    if !key.isEmpty { try terminal.press(key) }
                    try await terminal.wait { $0.contains(message) }
                }
                #expect(FileManager.default.fileExists(atPath: folder.path(of: "a.parquet")))
                #expect(!FileManager.default.fileExists(atPath: folder.path(of: "b.csv")))
                let peak = try await memory(terminal)
                #expect(peak < Self.memoryLimit, "\(peak) kB")
            }

            @Test func `19.2: copying distant rows of a sorted view runs one statement and stops at the clipboard limit`() async throws {
                let terminal = try TerminalDriver(
                    [program, url, "--clipboard", "terminal"], columns: 80, rows: 16, environment: ["FORMULA_ENGINE_LOG": log])
                try await terminal.wait(forPosition: "1 / 2,000,000")
                try terminal.press("Right", "Right", "s")
                try await terminal.wait { $0.contains("price ▲") && !$0.contains("░") }
                try terminal.type("1000000G")
                try await terminal.wait { $0.contains("1,000,000 / 2,000,000") && !$0.contains("░") }
                try terminal.type("V99999j")
                try await terminal.wait { $0.contains("1,099,999 / 2,000,000") && !$0.contains("░") }
                // Pages near the screen are fetched early.
                var before = try statementCount()
                while true {
                    try await Task.sleep(for: .milliseconds(300))
                    let now = try statementCount()
                    if now == before { break }
                    before = now
                }
                try terminal.press("y")
                try await terminal.wait { $0.contains("Copied 100,000 rows × 3 columns") }
                #expect(try statementCount() == before + 1)
                try terminal.type("500000j")
                try await terminal.wait { $0.contains("1,599,999 / 2,000,000") && !$0.contains("░") }
                try terminal.press("y")
                try await terminal.wait { $0.contains("Selection too large") }
                let peak = try await memory(terminal)
                #expect(peak < Self.memoryLimit, "\(peak) kB")
            }
        }
    }
#endif
