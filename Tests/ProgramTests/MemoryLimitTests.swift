import Foundation
import GridTestSupport
import Testing

/// With limited memory (`ulimit -v`), a job ends with its result or with a message. No signal ends the program.
@Suite("E: low memory")
final class MemoryLimitTests {
    private let folder: TemporaryFolder
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.file("rows.csv", bytes: Self.content)
    }

    private static let content: [UInt8] = {
        var text = "id,code,price,note\n"
        for row in 0..<150_000 {
            text +=
                "\(row),c\(row % 7),\(row &* 7_919 % 100_003).\(row % 90 + 10),a note that no other row has \(row &* 48_271 % 499_979)\n"
        }
        return Array(text.utf8)
    }()

    private static func run(_ file: String, _ arguments: [String], kilobytes: Int) throws -> ProcessRunner.Outcome {
        let script = "ulimit -c 0; ulimit -v \(kilobytes) || exit 99; exec \"$@\""
        return try ProcessRunner(executable: "sh").run(["-c", script, "sh", ProgramUnderTest.path, file] + arguments)
    }

    /// The smallest limit at which the program starts and can report that it needs more. It differs between builds.
    private static let minimum: Result<Int, any Error> = Result {
        let folder = try TemporaryFolder()
        let file = try folder.file("rows.csv", bytes: content)
        for kilobytes in stride(from: 30_000, to: 400_000, by: 4_000) {
            switch try run(file, ["-o", "csv", "--limit", "1"], kilobytes: kilobytes).status {
            // Add a margin, because the memory of the system itself varies.
            case .code(0), .code(1): return kilobytes + 4_000
            default: continue
            }
        }
        throw CocoaError(.featureUnsupported)
    }

    @Test func `E: if memory runs out for numbers longer than 64 bits, the program ends with a message`() throws {
        // The lines repeat after 7 · 1,000 · 9 rows. The first 900,000 numbers have few digits.
        let short = (0..<63_000).map { "\($0 % 7),\($0 % 1000).\(10 + $0 % 90)\n" }
        let long = (900_000..<1_000_000).map { "\($0 % 7),1000000000000000000\(1_000_000 + $0)\n" }
        let repeated = String(repeating: short.joined(), count: 14) + short[..<18_000].joined()
        let mixed = try folder.file("mixed.csv", "g,v\n" + repeated + long.joined())
        let minimum = try Self.minimum.get()
        var failed = 0
        for more in stride(from: 0, to: 80_000, by: 4_000) {
            let script = "ulimit -c 0; ulimit -v \(minimum + more) || exit 99; exec \"$@\""
            let outcome = try ProcessRunner(executable: "sh").run(
                ["-c", script, "sh", ProgramUnderTest.path, mixed, "--group", "g", "--aggregate", "sum(v)", "--collapsed", "-o", "csv"])
            if outcome.status == .code(0) { continue }
            failed += 1
            #expect(outcome.status == .code(1), "+ \(more): \(outcome.errorText.prefix(300))")
        }
        #expect(failed > 0)
    }

    @Test(
        arguments: [
            ["--sort", "price", "-o", "csv"], ["--sort", "note", "-o", "csv"], ["--sort", "code,note:text", "-o", "csv"],
            ["--filter", "price > 1", "--sort", "id:text", "-o", "csv"], ["--filter", "note ~ 'row'", "-o", "csv"],
            ["--group", "code", "--aggregate", "distinct(note)", "-o", "text"], ["--group", "note", "-o", "csv"],
            ["--group", "code,price", "--aggregate", "mean(price)", "-o", "csv"], ["--stats"], ["-o", "csv"],
        ])
    func `E: with little memory, every job ends with its rows or with a message`(arguments: [String]) throws {
        let minimum = try Self.minimum.get()
        let ample = try Self.run(file, arguments, kilobytes: 4_000_000)
        #expect(ample.status == .code(0) && !ample.output.isEmpty)
        var failed = 0
        for more in [0, 8_000, 17_000, 24_000, 40_000, 60_000] {
            let outcome = try Self.run(file, arguments, kilobytes: minimum + more)
            if outcome.status == .code(0) {
                #expect(outcome.output == ample.output)
                continue
            }
            failed += 1
            #expect(outcome.status == .code(1), "\(arguments) + \(more): \(outcome.errorText.prefix(500))")
            #expect(outcome.errorText.hasPrefix("gridview: Not enough memory for "), "\(outcome.errorText.prefix(500))")
            #expect(outcome.output.isEmpty)
        }
        #expect((1..<6).contains(failed), "\(failed) limits were too small")
    }
}
