import Foundation

enum ProgramUnderTest {
    /// The `gridview` program next to the test bundle. `GRIDVIEW=path` selects another program, such as a release build.
    static let path: String = {
        if let chosen = ProcessInfo.processInfo.environment["GRIDVIEW"] {
            return URL(fileURLWithPath: chosen).path
        }
        // On Linux, the bundle is the running executable. On macOS, an executable of Xcode loads it.
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let siblingFolder = (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
        return siblingFolder.appendingPathComponent("gridview").path
    }()

    /// The path of a project file, given relative to the project folder.
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
