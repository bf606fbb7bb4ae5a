import Foundation
import GridTestSupport
import Testing

/// A Python interpreter with the libraries that tests compare with. `.make/setup build test` installs them from PyPI.
enum Python {
    /// The symbolic link is not resolved, because the interpreter finds the libraries of its environment only if it is started by this
    /// path.
    static let path =
        ProcessInfo.processInfo.environment["GV_PYTHON"]
        ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../.build/python/bin/python3")
        .standardized.path

    /// In CI, a missing interpreter is a failure.
    static let isAvailable =
        FileManager.default.isExecutableFile(atPath: path) || ProcessInfo.processInfo.environment["GV_TEST_ORACLE"] == "required"

    /// Runs a script with arguments and returns its standard output.
    @discardableResult
    static func run(_ script: String, _ arguments: String...) throws -> String { try run(script, arguments) }

    /// Runs a script with arguments and returns its standard output.
    @discardableResult
    static func run(_ script: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-c", script] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(process.terminationStatus == 0, "\(text)")
        return text
    }
}
