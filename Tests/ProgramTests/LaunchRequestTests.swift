import GridTestSupport
import GridviewApp
import Testing

@testable import gridview

/// Command lines without options, which bypass the argument parser.
@Suite struct LaunchRequestTests {
    private func described(_ request: LaunchRequest) -> String {
        var text = ""
        dump(request, to: &text)
        return text
    }

    @Test(
        arguments: [[], ["-"], ["trades.csv"], ["ä b"], ["a", "b"], ["a", "b", "c d"]])
    func `F: a command line without options gives the same result with and without the argument parser`(_ arguments: [String]) throws {
        let request = try #require(LaunchRequest(onlyFiles: arguments))
        let parsed = try #require(try GridviewCommand.parseAsRoot(arguments) as? GridviewCommand)
        #expect(try described(request) == described(LaunchRequest(parsed)))
    }

    @Test func `D14: settings apply with and without the argument parser`() throws {
        let folder = try TemporaryFolder()
        let text =
            "theme = \"light\"\ncolor = \"16\"\nclipboard = \"xclip\"\nhints = false\nx = 1\ndecimal = \"comma\"\n[keys]\nsort = \"x\"\n"
        let file = SettingsFile(path: try folder.file("config.toml", text))
        let request = try #require(LaunchRequest(onlyFiles: ["a"], file))
        let parsed = try #require(try GridviewCommand.parseAsRoot(["a"]) as? GridviewCommand)
        #expect(try described(request) == described(LaunchRequest(parsed, file)))
        #expect(described(request).contains("ansi16") && described(request).contains("xclip"))
        #expect("\(request.opener.dialect)".contains("comma"))
        let chosen = try #require(try GridviewCommand.parseAsRoot(["a", "--decimal", "auto"]) as? GridviewCommand)
        #expect(try !"\(LaunchRequest(chosen, file).opener.dialect)".contains("comma"))
        let options = request.options
        #expect(options.theme != nil && options.themeName == "light" && options.keyMap != nil && !options.showsHints)
        #expect(options.settingsProblems.count == 1 && options.settingsPath == file.path)
    }

    @Test(
        arguments: [["--man"], ["-h"], ["-dx"], ["--"], ["--version=1"], [""], ["a", ""], ["a", "-"], ["a", "-t"], ["--", "a"]])
    func `F: options and unknown names are passed to the argument parser`(_ arguments: [String]) {
        #expect(LaunchRequest(onlyFiles: arguments) == nil)
    }

    @Test func `F: --version prints the same line as the argument parser`() throws {
        let error = #expect(throws: (any Error).self) { try GridviewCommand.parseAsRoot(["--version"]) }
        let text = try GridviewCommand.fullMessage(for: #require(error))
        // Only the program has the commit, because make does not link the tests.
        let plain = try ProgramUnderTest.run("--version").outputText
        #expect(plain.replacing(/\ \(.*\)/, with: "") == text + "\n")
        #expect(try ProgramUnderTest.run("--version", "--man").outputText == plain)
    }
}
