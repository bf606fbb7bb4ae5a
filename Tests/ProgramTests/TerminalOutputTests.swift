import Foundation
import GridTestSupport
import Testing

/// Output on a terminal. No control sequence in a file reaches it.
struct TerminalOutputTests {
    private let content = "na\u{7}me,b\n\u{1b}[31mred\u{9b}2J,\"x\u{202E}\u{7f}\"\n"

    /// The complete output of a program to its terminal, which is a separate pseudo-terminal.
    private func written(_ arguments: [String]) throws -> String {
        let runner = ProcessRunner(executable: "python3")
        let outcome = try runner.run(["-c", "import pty, sys; pty.spawn(sys.argv[1:])", ProgramUnderTest.path] + arguments)
        #expect(outcome.status == .code(0))
        return outcome.outputText.replacing("\r\n", with: "\n")
    }

    private func isSafe(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 32 && !(127..<160).contains($0.value) && !$0.properties.isBidiControl) }
    }

    @Test(
        arguments: ["csv", "tsv", "json", "jsonl", "markdown", "text"])
    func `E: no format writes control characters of a file to a terminal`(_ format: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("odd.csv", content)
        for options in [[], ["--stats"], ["--group", "#1"], ["--group", "#1", "--collapsed"]] {
            let text = try written([path, "-o", format] + options).replacing("\t", with: " ")
            #expect(isSafe(text) && text.contains("31mred"), "\(options): \(text.debugDescription)")
        }
    }

    @Test(arguments: ["csv", "tsv"]) func `E: --raw, pipes and files receive every byte`(_ format: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("odd.csv", content)
        let piped = try ProgramUnderTest.run([path, "-o", format])
        #expect(piped.outputText == content.replacing("\"", with: "").replacing(",", with: format == "csv" ? "," : "\t"))
        #expect(try written([path, "-o", format, "--raw"]) == piped.outputText)
        #expect(try written([path, "-o", format, "--raw", "--stats"]).contains("\u{1b}[31mred"))
    }

    @Test func `E: file names in messages are safe for a terminal`() throws {
        let outcome = try ProgramUnderTest.run("/none/\u{1b}[31m\u{9b}\u{202E}.csv", "-o", "csv")
        #expect(outcome.status == .code(1) && isSafe(outcome.errorText) && outcome.errorText.contains("[31m"))
    }

    @Test func `D8: --aggregate accepts avg for the mean, and count without a column for the number of rows`() throws {
        let sales = "region,amount\nNorth,1\nNorth,2\nSouth,4\n"
        let grouped = ["--group", "region:avg(amount):desc", "--aggregate", "avg(amount),count", "--collapsed"]
        #expect(
            try ProgramUnderTest.run(grouped + ["-o", "csv"], input: sales).outputText
                == "region,count,mean(amount)\nSouth,1,4\nNorth,2,1.5\n")
        #expect(
            try ProgramUnderTest.run(["--group", "region", "--aggregate", "count", "--collapsed"], input: sales).outputText == """
                region   rows
                ───────  ────
                ▸ North     2
                ▸ South     1

                """)
    }
}
