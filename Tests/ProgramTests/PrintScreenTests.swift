import Foundation
import Testing

/// `--print-screen` prints the screen after some keys, without a terminal.
struct PrintScreenTests {
    private let trades = ProgramUnderTest.file("Examples/data/trades.csv")

    private func screen(_ options: String...) throws -> [String] {
        let outcome = try ProgramUnderTest.run(options + [trades])
        #expect(outcome.status == .code(0), "\(options)")
        #expect(outcome.errorText == "", "\(options)")
        #expect(outcome.outputText.hasSuffix("\n"))
        return outcome.outputText.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `D15: --print-screen prints text by default`() throws {
        let text = try screen("--print-screen")
        #expect(try screen("--print-screen=text") == text)
        #expect(try screen("--print-screen", "text") == text)
        #expect(text.count == 40)
        #expect(text[0].contains("trades.csv"))
        #expect(text.contains { $0.contains("100001") && $0.contains("VSTA") })
    }

    @Test(arguments: [(80, 24), (200, 60), (20, 5), (3, 2), (1, 1)])
    func `D15: --print-screen fills a screen of any size`(_ columns: Int, _ rows: Int) throws {
        let lines = try screen("--print-screen", "--size", "\(columns)x\(rows)")
        #expect(lines.count == rows)
        // The sample has characters two cells wide, so a line may have fewer characters.
        #expect(lines.allSatisfy { $0.count <= columns })
        if columns >= 20 { #expect(lines.contains { $0.contains("10000") }) }
    }

    @Test func `A5, D15: NO_COLOR leaves colors out of a printed screen, and --color overrides it`() throws {
        func print(_ environment: [String: String], _ options: String...) throws -> String {
            var runner = ProcessRunner(executable: ProgramUnderTest.path)
            runner.environment.merge(environment) { $1 }
            let outcome = try runner.run(
                options + ["--print-screen=ansi", "--size", "80x10", ProgramUnderTest.file("Examples/data/trades.csv")])
            #expect(outcome.status == .code(0))
            return outcome.outputText
        }
        func hasColor(_ text: String) -> Bool { text.contains("38;2;") || text.contains("38;5;") }
        #expect(try hasColor(print([:])) && !hasColor(print(["NO_COLOR": "1"])) && hasColor(print(["NO_COLOR": ""])))
        #expect(try print(["NO_COLOR": "1"]) == print([:], "--color", "never"))
        #expect(try hasColor(print(["NO_COLOR": "1"], "--color", "true")))
    }

    @Test func `D15: --press presses keys before the screen is printed`() throws {
        let pressed = try screen("--print-screen", "--size=120x20", "--press", "Down Down Right")
        #expect(pressed.contains { $0.hasPrefix(" timestamp  2026-03-02 08:00:07") && $0.hasSuffix("3 / 5,000") })
        let grouped = try screen("--print-screen", "--press", "Right Right Right Right zg zM")
        #expect(grouped.contains { $0.hasPrefix("▸ Communication  420 rows") })
        #expect(try screen("--print-screen", "--press=Down q Down").count == 40)
        let found = try screen("--print-screen", "--press", "/ \"partial fill, rest\" Enter PgDn Ctrl-b")
        #expect(found.last?.contains("“partial fill, rest”") == true)
    }

    @Test func `D15: options of the view apply to a printed screen`() throws {
        let sorted = try screen("--print-screen", "--sort", "price:desc", "--columns", "price,id", "--size", "40x10")
        #expect(sorted.contains { $0.contains("434.93  105727") })
        let found = try screen("--print-screen", "--find", "Ironbridge", "--size", "100x24")
        #expect(found.contains { $0.contains("Ironbridge Steel") && $0.contains("11 / 5,000") })
        let frozen = try screen("--print-screen", "--freeze-columns=1", "--press", "End", "--size", "80x24")
        #expect(frozen.contains { $0.contains("100001") && $0.contains("partial fill") })
    }

    @Test func `D15: a printed screen has colors unless they are disabled`() throws {
        let colored = try ProgramUnderTest.run("--print-screen=ansi", trades).outputText
        #expect(colored.contains("\u{1b}[") && colored.contains("38;5;"))
        let few = try ProgramUnderTest.run("--print-screen=ansi", "--color=16", trades).outputText
        #expect(few.contains("\u{1b}[") && !few.contains("38;2;") && !few.contains("38;5;"))
        let none = try ProgramUnderTest.run("--print-screen=ansi", "--color", "never", trades).outputText
        #expect(none.firstMatch(of: /\e\[[\d;]*(?:3|4|9|10)[0-7][;m]/) == nil)
    }

    @Test func `D15: a screen printed as SVG is valid XML`() throws {
        let svg = try ProgramUnderTest.run("--print-screen=svg", "--size=80x24", trades)
        let read = """
            import sys, xml.etree.ElementTree as tree
            root = tree.parse(sys.stdin.buffer).getroot()
            print(root.tag, 'VSTA' in ''.join(root.itertext()), root.find('{*}title').text)
            """
        let outcome = try ProcessRunner(executable: "python3").run(["-c", read], input: svg.output)
        #expect(outcome.outputText == "{http://www.w3.org/2000/svg}svg True trades.csv\n", "\(outcome.errorText)")
    }
}
