import Foundation

/// The program that these tests run.
enum ProgramUnderTest {
    /// `gridview` as the tests were built with it: it lies beside the test bundle. `GRIDVIEW=path` names another, a release build say.
    static let path: String = {
        if let chosen = ProcessInfo.processInfo.environment["GRIDVIEW"] {
            return URL(fileURLWithPath: chosen).path
        }
        // On Linux the bundle is the running executable, on macOS it is loaded into one of Xcode's.
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let beside = (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
        return beside.appendingPathComponent("gridview").path
    }()

    /// A file of the project, by its path from the top.
    static func file(_ path: String) -> String {
        URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent(path).path
    }

    /// Runs the program without a terminal.
    static func run(_ arguments: String..., input: String = "") throws -> ProcessRunner.Outcome {
        try run(arguments, input: input)
    }

    static func run(_ arguments: [String], input: String = "") throws -> ProcessRunner.Outcome {
        try ProcessRunner(executable: path).run(arguments, input: Array(input.utf8))
    }
}
