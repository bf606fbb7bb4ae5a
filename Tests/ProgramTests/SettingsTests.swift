import Foundation
import GridTestSupport
import Testing

/// The settings file of the program, and the options for it.
@Suite struct SettingsTests {
    private let folder: TemporaryFolder
    private let path: String
    private let trades = ProgramUnderTest.file("Examples/data/trades.csv")

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "gridview/config.toml")
        try FileManager.default.createDirectory(atPath: folder.path(of: "gridview/themes"), withIntermediateDirectories: true)
    }

    private func write(_ text: String) throws { try text.write(toFile: path, atomically: true, encoding: .utf8) }

    private func run(_ arguments: String...) throws -> ProcessRunner.Outcome {
        var runner = ProcessRunner(executable: ProgramUnderTest.path)
        runner.environment["XDG_CONFIG_HOME"] = folder.path
        return try runner.run(arguments + [trades])
    }

    private func screen(_ arguments: String...) throws -> String {
        var runner = ProcessRunner(executable: ProgramUnderTest.path)
        runner.environment["XDG_CONFIG_HOME"] = folder.path
        let outcome = try runner.run(arguments + ["--print-screen=ansi", "--size", "110x12", trades])
        #expect(outcome.status == .code(0) && outcome.errors.isEmpty, "\(outcome.errorText)")
        return outcome.outputText
    }

    @Test func `D14: --write-config prints settings that equal the defaults`() throws {
        let plain = try screen()
        let text = try run("--write-config").outputText
        #expect(text.contains("\ntheme = \"auto\"\n") && text.contains("\n[keys]\n") && text.hasSuffix("]\n"))
        try write(text)
        #expect(try screen() == plain && run("--write-config").outputText == text)
        #expect(try run("-o", "csv").errors.isEmpty)
    }

    @Test func `D14: options of the command line take precedence over settings`() throws {
        let (dark, light) = try (screen("--theme", "dark"), screen("--theme", "light"))
        let bare = try screen("--no-hints", "--theme", "light")
        #expect(dark != light && bare != light)
        try write("theme = \"light\"\n")
        #expect(try screen() == light && screen("--theme", "dark") == dark && screen("--theme", "auto") == screen("--no-config"))
        try write("theme = \"light\"\nhints = false\n")
        #expect(try screen() == bare && screen("--hints") == light)
        try write(##"{"name": "ember", "base": "dark", "header": {"foreground": "#010203", "background": "#040506"}}"##, theme: "ember")
        for name in ["ember", "themes/ember.json", folder.path(of: "gridview/themes/ember.json")] {
            try write("theme = \"\(name)\"\n")
            #expect(try screen().contains("4;5;6"), "\(name)")
        }
    }

    private func write(_ text: String, theme: String) throws {
        try text.write(toFile: folder.path(of: "gridview/themes/\(theme).json"), atomically: true, encoding: .utf8)
    }

    @Test func `D14: errors of the settings file are reported with file, line and key, and the program continues`() throws {
        try write("theme = \"drak\"\nhint = true\nhints = false\n")
        let rows = try run("-o", "csv", "--limit", "1", "--columns", "id")
        #expect(rows.status == .code(0) && rows.outputText.hasPrefix("id\n"))
        let lines = rows.errorText.split(separator: "\n")
        try #require(lines.count == 2)
        #expect(lines[0] == "gridview: \(path), line 2, hint: Unknown setting “hint”. Did you mean “hints”?")
        #expect(lines[1].hasPrefix("gridview: \(path), line 1, theme: Unknown value “drak”. Use auto, dark, light,"))
        #expect(try screen().contains("config.toml, line 2, hint: Unknown setting “hint”. Did you mean “hints”?"))
        try write("theme = dark\n")
        #expect(try screen().contains("config.toml, line 1: “dark” is not a value; put text in quotes."))
    }

    @Test func `D14: default options apply before those of the command line, and invalid ones are reported`() throws {
        try write("options = [\"--columns\", \"id,symbol\", \"--limit=1\"]\n")
        let limited = try run("-o", "csv")
        #expect(limited.errorText == "gridview: \(path), line 1, options: --limit cannot be a default option.\n")
        try write("options = [\"--columns\", \"id,symbol\"]\n")
        func header(_ arguments: String...) throws -> String {
            var runner = ProcessRunner(executable: ProgramUnderTest.path)
            runner.environment["XDG_CONFIG_HOME"] = folder.path
            let outcome = try runner.run(arguments + [trades])
            #expect(outcome.errors.isEmpty)
            return outcome.outputText.split(separator: "\n").first.map(String.init) ?? ""
        }
        #expect(try header("-o", "csv") == "id,symbol" && header("-o", "csv", "--columns", "symbol") == "symbol")
        #expect(try header("-o", "csv", "--no-config") != "id,symbol")
        #expect(try header().split(whereSeparator: \.isWhitespace) == ["id", "symbol"], "a command line without options")
        for (options, reason) in [
            ("[\"--columnz\", \"id\"]", "Unknown option --columnz. Did you mean --columns?"), ("[\"a.csv\"]", "“a.csv” is not an option."),
            ("[\"--sort\", \"id:down:up\", \"--\"]", ""),
        ] {
            try write("options = \(options)\n")
            let outcome = try run("-o", "csv", "--limit", "1")
            #expect(outcome.status == .code(0) && outcome.errorText.hasPrefix("gridview: \(path), line 1, options: \(reason)"))
        }
    }

    @Test(
        arguments: [
            ("--group", "region"), ("--hide", "region"), ("--types", "region:text"), ("--filter", "region > 3"), ("--sort", "region"),
            ("--columns", "id..region"),
        ])
    func `D14: default options for columns that a file does not have cause a note, not an error`(option: String, value: String) throws {
        try write("# Mine.\noptions = [\"\(option)\", \"\(value)\"]\n")
        let plain = try run("-o", "csv", "--limit", "3", "--no-config")
        let outcome = try run("-o", "csv", "--limit", "3")
        #expect(outcome.status == .code(0) && outcome.output == plain.output && plain.status == .code(0))
        #expect(outcome.errorText.hasPrefix("gridview: \(path), line 2, options: \(option): Unknown column “region”."))
        #expect(outcome.errorText.split(separator: "\n").count == 1, "\(outcome.errorText)")
        #expect(try screen().contains("config.toml, line 2, options: \(option): Unknown column “region”."))
        // The options of the command line are still checked.
        #expect(try run("-o", "csv", "--sort", "zzz").status == .code(2))
    }

    @Test func `D14: default options for the screen, and those that contradict others, do not stop batch output`() throws {
        try write("options = [\"--follow\", \"--group\", \"symbol\"]\n")
        #expect(try run("-o", "csv", "--limit", "1").status == .code(0))
        let statistics = try run("--stats")
        #expect(statistics.status == .code(0) && statistics.errorText.contains("line 1, options: --group and --stats cannot be combined"))
        #expect(try run("-o", "csv", "--follow").status == .code(2))
    }

    @Test func `D14: settings and options choose the decimal separator and whether views are saved`() throws {
        let file = try folder.file("n.csv", "a;b\n1,5;2\n")
        func sum(_ arguments: String...) throws -> String {
            var runner = ProcessRunner(executable: ProgramUnderTest.path)
            runner.environment["XDG_CONFIG_HOME"] = folder.path
            return try runner.run(["-d", ";", "--group", "b", "--aggregate", "sum(a)", "--collapsed", "-o", "csv"] + arguments + [file])
                .outputText
        }
        try write("decimal = \"point\"\nrecent-views = false\n")
        let point = try sum()
        #expect(try point == sum("--decimal", "point", "--no-config") && point != sum("--decimal", "comma"))
        #expect(try sum("--recent-views", "--decimal", "auto") == sum("--no-config"))
        let defaults = try run("--write-config").outputText
        #expect(
            defaults.contains("\ndecimal = \"auto\"\n") && defaults.contains("Option: --decimal.")
                && defaults.contains("--no-recent-views."))
    }

    @Test func `D14: --config and --no-config choose the settings file`() throws {
        try write("options = [\"--columns\", \"id\"]\n")
        let other = try folder.file("other.toml", "options = [\"--columns\", \"symbol\"]\n")
        #expect(try run("-o", "csv", "--limit", "1", "--config", other).outputText.hasPrefix("symbol\n"))
        let missing = try run("-o", "csv", "--config", folder.path(of: "none.toml"))
        #expect(
            missing.status == .code(2)
                && missing.errorText.hasPrefix("gridview: --config: Cannot read \(folder.path)/none.toml: no such file or directory."))
        let both = try run("-o", "csv", "--config", other, "--no-config")
        #expect(both.status == .code(2) && both.errorText.hasPrefix("gridview: --config and --no-config cannot be combined."))
    }

    @Test func `D14: --keys chooses a preset, and the user's own keys work with it`() throws {
        let press = ["--print-screen", "--size", "80x12", "--press", "G gg"]
        let refused = try run(press[0], press[1], press[2], press[3], press[4])
        #expect(refused.status == .code(2) && refused.errorText.contains("Unknown key “gg”"))
        #expect(try run("--keys", "vim", press[0], press[1], press[2], press[3], press[4]).status == .code(0))
        let unknown = try run("--keys", "emacs", "-o", "csv")
        #expect(
            unknown.errorText
                == "gridview: --keys: Unknown preset “emacs”. Use default, less, vim, excel or visidata. See gridview --help.\n")
        try write("[keys]\npreset = \"vim\"\nsort = \"x\"\nfilter = \"gg\"\nexport = \"x\"\n")
        let own = try run(press[0], press[1], press[2], press[3], "x")
        #expect(own.status == .code(0) && own.outputText.contains("Sorted by"))
        let conflict = try run("-o", "csv", "--limit", "1")
        #expect(
            conflict.errorText
                == "gridview: \(path), line 5, keys.export: “x” is bound to both “sort” and “export” in the context “grid”.\n")
    }
}
