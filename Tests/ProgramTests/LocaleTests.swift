import Testing

@Suite("The locale determines the order of text")
struct LocaleTests {
    @Test(
        arguments: [
            (["LC_ALL": "de_DE.UTF-8", "LANG": "C"], true), (["LC_ALL": "", "LC_COLLATE": "fr_FR", "LANG": "C"], true),
            (["LANG": "pl_PL.UTF-8"], true),
            (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], false), (["LC_ALL": "C.UTF-8"], false),
            (["LC_COLLATE": "POSIX", "LANG": "de_DE"], false),
            ([:], false), (["LC_ALL": "\u{1B}[31m"], true),
        ] as [([String: String], Bool)])
    func `D6: letters of every alphabet are sorted as letters, except in the C locale`(locale: [String: String], isAlphabetical: Bool)
        throws
    {
        var runner = ProcessRunner(executable: ProgramUnderTest.path)
        for name in ["LC_ALL", "LANG"] { runner.environment[name] = nil }
        runner.environment.merge(locale) { $1 }
        let words = Array("name,n\nzebra,1\nÄpfel,2\nfile10,3\nfile2,4\nBirne,5\n".utf8)
        for options in [["--sort", "name"], ["--sort", "name:natural"], ["--group", "name"]] {
            let outcome = try runner.run(options + ["--columns", "n", "-o", "jsonl", "-"], input: words)
            #expect(outcome.status == .code(0) && outcome.errorText.isEmpty)
            let digits = outcome.outputText.split(separator: "\n").compactMap { line in line.last { "12345".contains($0) } }
            #expect(String(digits) == (isAlphabetical ? "25431" : "54312"), "\(options) \(outcome.outputText)")
        }
        let statistics = try runner.run(["--stats", "-o", "csv", "-"], input: words)
        #expect(statistics.outputText.contains("Äpfel") && statistics.outputText.contains("zebra") == isAlphabetical)
    }
}
