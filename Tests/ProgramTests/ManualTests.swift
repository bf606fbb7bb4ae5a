import GridTestSupport
import Foundation
import Testing

/// The manual page and the completions are checked by the programs that use them, where installed.
struct ManualTests {
    private static func isInstalled(_ program: String) -> Bool {
        (try? ProcessRunner(executable: "sh").run(["-c", "command -v \(program)"]))?.status == .code(0)
    }

    private func checked(_ text: [UInt8], by program: String, _ arguments: [String]) throws -> ProcessRunner.Outcome {
        try ProcessRunner(executable: program).run(arguments, input: text)
    }

    @Test func `the man page has every option and section`() throws {
        let page = try ProgramUnderTest.run("--man")
        #expect(page.status == .code(0))
        #expect(page.outputText.hasPrefix(".TH GRIDVIEW 1 "))
        let help = try ProgramUnderTest.run("--help").outputText
        let options = help.matches(of: /(?m)^ +(?:-\w, )?(--[\w-]+)/).map { String($0.1) }
        #expect(options.count > 30)
        for option in options { #expect(page.outputText.contains(option.replacing("-", with: "\\-")), "\(option)") }
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "ARGUMENTS", "KEYS", "EXIT STATUS", "ENVIRONMENT"] {
            #expect(page.outputText.contains("\n.SH \(section)\n"), "\(section)")
        }
        let status = page.outputText.split(separator: ".SH EXIT STATUS\n").last ?? ""
        #expect(status.prefix { $0 != "." }.contains("the output lacks something of the input"))
        #expect(page.outputText.contains(".TP\n\\fBFILE\\fR\nFiles, folders, patterns"))
        for file in ["first\\-use", "index", "views", "config.toml"] {
            #expect(page.outputText.contains("/gridview/\(file)\\fR"), "\(file)")
        }
    }

    @Test(.enabled(if: isInstalled("mandoc"), "mandoc is not installed")) func `mandoc accepts the man page`() throws {
        let page = try ProgramUnderTest.run("--man").output
        let checked = try checked(page, by: "mandoc", ["-Tlint", "-Wwarning"])
        #expect(checked.outputText + checked.errorText == "")
        #expect(checked.status == .code(0))
    }

    @Test(.enabled(if: isInstalled("groff"), "groff is not installed")) func `groff accepts the man page`() throws {
        let page = try ProgramUnderTest.run("--man").output
        let shown = try checked(page, by: "groff", ["-man", "-Tutf8", "-Kutf8", "-ww"])
        #expect(shown.errorText == "")
        #expect(shown.outputText.contains("GRIDVIEW(1)"))
        #expect(shown.outputText.contains("↑"))
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func `the completions have options of every kind`(_ shell: String) throws {
        let script = try ProgramUnderTest.run("--completions", shell)
        #expect(script.status == .code(0))
        // fish lists names without dashes.
        for name in ["delimiter", "print-screen", "freeze-right", "aggregate", "no-mouse"] {
            #expect(script.outputText.contains(shell == "fish" ? "-l '\(name)'" : "--\(name)"), "\(name)")
        }
        #expect(script.outputText == (try ProgramUnderTest.run("--completions=\(shell)").outputText))
    }

    @Test(arguments: [("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])])
    func `each shell accepts its completions`(_ shell: String, _ onlyCheck: [String]) throws {
        guard Self.isInstalled(shell) else { return }
        let folder = try TemporaryFolder()
        let script = try folder.file("completions", bytes: ProgramUnderTest.run("--completions", shell).output)
        let outcome = try ProcessRunner(executable: shell).run(onlyCheck + [script])
        #expect(outcome.status == .code(0))
        #expect(outcome.errorText == "")
    }

    @Test func `bash completes an option from its beginning`() throws {
        let folder = try TemporaryFolder()
        let script = try folder.file("completions", bytes: ProgramUnderTest.run("--completions", "bash").output)
        let completion = """
            source "$0"; COMP_WORDS=(gridview --fre); COMP_CWORD=1; COMP_LINE='gridview --fre'; COMP_POINT=14
            _gridview gridview --fre gridview; printf '%s\\n' "${COMPREPLY[@]}"
            """
        let outcome = try ProcessRunner(executable: "bash").run(["-c", completion, script])
        let found = Set(outcome.outputText.split(whereSeparator: \.isWhitespace))
        #expect(found == ["--freeze-columns", "--freeze-rows", "--freeze-right"], "\(outcome.errorText)")
    }
}
