import Foundation
import Testing

struct ProcessRunnerTests {
    private func shell(_ script: String, input: [UInt8] = [], closingOutputAfter limit: Int = .max) throws -> ProcessRunner.Outcome {
        try ProcessRunner(executable: "sh").run(["-c", script], input: input, closingOutputAfter: limit)
    }

    @Test func `standard output, standard error and exit status are captured separately`() throws {
        let outcome = try shell("echo out; echo err >&2; exit 3")
        #expect(outcome.outputText == "out\n")
        #expect(outcome.errorText == "err\n")
        #expect(outcome.status == .code(3))
    }

    @Test func `a program that is ended by a signal has no exit status`() throws {
        #expect(try shell("kill -TERM $$").status == .signal(SIGTERM))
    }

    @Test func `any bytes pass through a program unchanged`() throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try ProcessRunner(executable: "cat").run(input: bytes).output == bytes)
    }

    @Test func `input that a program does not read is not an error`() throws {
        #expect(try shell("exit 0", input: Array(repeating: 65, count: 1_000_000)).status == .code(0))
    }

    @Test func `the output of a program can be closed early`() throws {
        let outcome = try shell("trap '' PIPE; while echo y 2>/dev/null; do :; done; exit 7", closingOutputAfter: 10)
        #expect(outcome.status == .code(7))
        #expect(outcome.output.count >= 10)
        #expect(try shell("exec yes", closingOutputAfter: 10).status == .signal(SIGPIPE))
    }

    @Test func `a program that exceeds the time limit is killed`() {
        let runner = ProcessRunner(executable: "sleep", timeLimit: .milliseconds(50))
        #expect(throws: ProcessRunner.Failure.self) { try runner.run(["60"]) }
    }

    @Test func `a missing program is an error`() {
        #expect(throws: ProcessRunner.Failure.self) { try ProcessRunner(executable: "/nonexistent").run() }
    }

    @Test func `a program gets its environment and working directory`() throws {
        var runner = ProcessRunner(executable: "sh")
        runner.environment["GREETING"] = "hello"
        runner.directory = "/usr"
        #expect(try runner.run(["-c", "echo $GREETING $HOME; pwd"]).outputText == "hello /nonexistent\n/usr\n")
    }

    @Test func `the program under test and the package are found`() throws {
        #expect(try ProgramUnderTest.run("--version").status == .code(0))
        #expect(FileManager.default.fileExists(atPath: ProgramUnderTest.file("Package.swift")))
    }
}
