import Foundation
import GridTestSupport
import Testing

/// A Python interpreter with DuckDB. `.make/setup build test` installs it from PyPI.
enum DuckDB {
    private static let python = ProgramUnderTest.file(".build/python/bin/python3")

    /// In CI, a missing DuckDB is a failure.
    static let isAvailable =
        FileManager.default.isExecutableFile(atPath: python) || ProcessInfo.processInfo.environment["GV_TEST_ORACLE"] == "required"

    /// The output of a script that compares the program with DuckDB on the same table: one line for each difference.
    static func differences(foundBy script: String, _ seed: Int) throws -> String {
        let folder = try TemporaryFolder()
        let outcome = try ProcessRunner(executable: python)
            .run(["-c", script, ProgramUnderTest.path, folder.path(of: "table.csv"), "\(seed)"])
        #expect(outcome.status == .code(0), "\(outcome.errorText)")
        return outcome.outputText
    }
}
