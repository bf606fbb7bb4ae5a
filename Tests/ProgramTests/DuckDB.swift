import Foundation
import GridTestSupport
import Testing

/// The Python that has DuckDB, where `.make/setup build test` could install it.
enum DuckDB {
    private static let python = ProgramUnderTest.file(".build/python/bin/python3")

    /// In CI a DuckDB that is missing is a failure.
    static let isThere =
        FileManager.default.isExecutableFile(atPath: python) || ProcessInfo.processInfo.environment["GV_TEST_ORACLE"] == "required"

    /// The differences that a script finds between the program and DuckDB on the same table.
    static func said(by script: String, _ seed: Int) throws -> String {
        let folder = try TemporaryFolder()
        let outcome = try ProcessRunner(executable: python)
            .run(["-c", script, ProgramUnderTest.path, folder.place("table.csv"), "\(seed)"])
        #expect(outcome.status == .code(0), "\(outcome.errorText)")
        return outcome.outputText
    }
}
