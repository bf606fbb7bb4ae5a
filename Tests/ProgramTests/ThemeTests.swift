import Foundation
import GridTestSupport
import Testing

/// Theme files: by path, and by name from the themes folder.
@Suite struct ThemeTests {
    private let folder: TemporaryFolder
    private let trades = ProgramUnderTest.file("Examples/data/trades.csv")

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: themes, withIntermediateDirectories: true)
    }

    private var themes: String { folder.path + "/gridview/themes" }

    private func write(_ text: String, to name: String) throws -> String {
        let path = themes + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func run(_ theme: String, in environment: [String: String]? = nil, at directory: String? = nil) throws -> ProcessRunner.Outcome
    {
        var runner = ProcessRunner(executable: ProgramUnderTest.path)
        runner.directory = directory
        runner.environment.merge(environment ?? ["XDG_CONFIG_HOME": folder.path]) { $1 }
        return try runner.run(["--theme", theme, "--print-screen=ansi", "--size", "60x8", trades], input: [])
    }

    private func usageErrorMessage(_ theme: String) throws -> String {
        let outcome = try run(theme)
        #expect(outcome.status == .code(2) && outcome.output.isEmpty)
        let (head, tail) = ("gridview: --theme: ", " See gridview --help.\n")
        #expect(outcome.errorText.hasPrefix(head) && outcome.errorText.hasSuffix(tail))
        return String(outcome.errorText.dropFirst(head.count).dropLast(tail.count)).replacing(themes, with: "~")
    }

    private static let ember = ##"{"name": "ember", "base": "dark", "header": {"foreground": "#010203", "background": "#040506"}}"##

    @Test func `A5: a theme is loaded from a file, or by name from the user's themes folder`() throws {
        let path = try write(Self.ember, to: "ember.json")
        let plain = try run("dark").output
        let themed = try run(path)
        #expect(themed.status == .code(0) && themed.errors.isEmpty && themed.outputText.contains("4;5;6"))
        #expect(themed.output != plain)
        #expect(try run("ember").output == themed.output)
        #expect(try run("ember", in: ["HOME": folder.path]).status == .code(2))
        let home = folder.path + "/home"
        try FileManager.default.createDirectory(atPath: home + "/.config/gridview", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: themes, toPath: home + "/.config/gridview/themes")
        #expect(try run("ember", in: ["HOME": home]).output == themed.output)
        #expect(try run("ember", in: ["HOME": home, "XDG_CONFIG_HOME": "relative"]).output == themed.output)
        #expect(try run("ember", in: ["HOME": "home"], at: folder.path).status == .code(2), "a relative home folder is ignored")
        // A preset name always selects the preset, even if the folder has a theme of that name.
        _ = try write(Self.ember, to: "dark.json")
        #expect(try run("dark").output == plain)
    }

    @Test func `A5, E: an error in a theme file is reported with file, line and key`() throws {
        for name in ["ember.json", "zinc.json", "ash.json", ".hidden.json", "notes.txt"] { _ = try write(Self.ember, to: name) }
        #expect(
            try usageErrorMessage("embr")
                == "Unknown value “embr”. Use auto, dark, light, contrast, plain, ash, ember or zinc. Did you mean “ember”?"
        )
        #expect(try usageErrorMessage(".hidden").hasPrefix("Unknown value “.hidden”. Use auto, dark,"))
        #expect(try usageErrorMessage(themes + "/none.json") == "Cannot read ~/none.json: no such file or directory.")
        let cases = [
            (
                "{\"name\": \"x\",\n \"cursor\": {\"traits\": [\"bold\"],\n  \"foreground\": \"red\"}}",
                ", line 3, cursor.foreground: “red” is not a color; use #rrggbb or #rrggbbaa."
            ),
            ("{\"name\": \"x\",\n\"cursr\": {}}", ", line 2, cursr: unknown name “cursr” (did you mean “cursor”?)."),
            (
                "{\"name\": \"cursor\",\n\n\"classes\": {\"cursor\": {}},\n\"cursor\": 7}",
                ", line 4, cursor: the value has the wrong type."
            ),
            ("{}", ": “name” is missing."),
            ("{\"name\": \"x\",\n\n nonsense}", ", line 3: not valid JSON."),
            ("{\"name\": \"x\"\n\"cursor\": {}}", ", line 2: not valid JSON."), ("{\n\"name\": \"x,\n}", ", line 2: not valid JSON."),
            ("{\"row\": {\n\"traits\": [\"bold\", 1, true}\n}}", ", line 2: not valid JSON."),
            ("{\"row\": {},\n}\n]", ", line 3: not valid JSON."), ("{\n\n", ", line 3: not valid JSON."),
            ("", ", line 1: not valid JSON."),
        ]
        for (text, message) in cases { #expect(try usageErrorMessage(write(text, to: "bad.json")) == "~/bad.json" + message) }
    }

    @Test func `E: a theme file that is huge, deeply nested, not a file, or has control characters is harmless`() throws {
        let huge = try write(#"{"name": "x", "# + String(repeating: " ", count: 1 << 20) + "}", to: "huge.json")
        #expect(try usageErrorMessage(huge) == "~/huge.json is not a theme: it is larger than 1 MiB.")
        let deep = try write(String(repeating: "[", count: 500_000), to: "deep.json")
        #expect(try usageErrorMessage(deep).hasPrefix("~/deep.json"))
        #expect(try usageErrorMessage(themes + "/") == "Cannot read ~/: not a regular file.")
        #expect(try usageErrorMessage("/dev/zero") == "Cannot read /dev/zero: not a regular file.")
        #expect(mkfifo(themes + "/pipe.json", 0o600) == 0)
        #expect(try usageErrorMessage("pipe") == "Cannot read ~/pipe.json: not a regular file.")
        let message = try usageErrorMessage(write("{\"name\": \"x\", \"\\u001b[31m\": {}}", to: "control.json"))
        #expect(!message.contains("\u{1B}") && message.contains("unknown name"))
    }

    @Test func `A5: completions of --theme are the presets and the user's themes`() throws {
        _ = try write(Self.ember, to: "ember.json")
        var runner = ProcessRunner(executable: ProgramUnderTest.path)
        runner.environment["XDG_CONFIG_HOME"] = folder.path
        for shell in ["bash", "zsh", "fish"] {
            #expect(try runner.run(["--completions", shell], input: []).outputText.contains("---completion"))
        }
        runner.environment["SAP_SHELL"] = "bash"
        let outcome = try runner.run(["---completion", "--", "--theme", "0", "0"], input: [])
        #expect(outcome.outputText.split(separator: "\n").contains("ember"), "\(outcome.outputText)\(outcome.errorText)")
    }
}
