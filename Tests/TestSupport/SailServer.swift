import Foundation

/// A server of Sail, which runs Spark SQL in several processes, and its driver. Both are in Python packages: `pysail` and
/// `adbc-driver-flightsql`.
///
/// A shell script starts the server. When this object or the whole test process ends, for any reason, the server ends.
public final class SailServer: @unchecked Sendable {
    /// The programs and libraries of a Python with both packages.
    public struct Installation: Sendable {
        /// The path of the driver.
        public let library: String
        /// The path of the server.
        public let program: String
    }

    /// The first installation in the environment `.build/sail` or of the system; `nil` without the packages.
    public static let installed: Installation? = {
        let script = """
            import os, sysconfig, adbc_driver_flightsql as driver
            print(driver._driver_path())
            print(os.path.join(sysconfig.get_path('scripts'), 'sail'))
            """
        let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        for python in [project.appendingPathComponent(".build/sail/bin/python3").path, "python3"] {
            guard let lines = try? programOutput("/usr/bin/env", [python, "-c", script]).split(separator: "\n").map(String.init),
                lines.count == 2, FileManager.default.isExecutableFile(atPath: lines[1])
            else { continue }
            return Installation(library: lines[0], program: lines[1])
        }
        return nil
    }()

    /// True if the tests run. With `GV_TEST_SAIL=required`, they fail without an installation.
    public static let isExpected =
        runsServers && (installed != nil || ProcessInfo.processInfo.environment["GV_TEST_SAIL"] == "required")

    /// The connection URL of the server.
    public let url: String
    private let script = Process()
    private let input = Pipe()
    private let folder: TemporaryFolder

    /// Starts a server on a free port of this computer. Its tables are in a temporary folder.
    public init(_ installation: Installation) throws {
        let port = try freePort()
        url = "adbc:\(installation.library)?uri=grpc://127.0.0.1:\(port)"
        folder = try TemporaryFolder()
        script.executableURL = URL(fileURLWithPath: "/bin/sh")
        // The script kills the server and does not wait for it, because programs that tests start block other signals, such as that of an
        // ended child.
        script.arguments = [
            "-c", "\"$0\" flight server --port \(port) </dev/null & read -r line; kill -9 $!", installation.program,
        ]
        script.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        script.environment = ProcessInfo.processInfo.environment.merging(["SAIL_MODE": "local-cluster"]) { $1 }
        script.standardInput = input
        script.standardOutput = FileHandle.nullDevice
        script.standardError = FileHandle.nullDevice
        // Other programs that the tests start must not keep the pipe open.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        try script.run()
        let wait = """
            import socket, sys, time
            for _ in range(300):
                try:
                    socket.create_connection(('127.0.0.1', \(port)), 1).close()
                    sys.exit()
                except OSError: time.sleep(0.1)
            sys.exit('the server does not start')
            """
        try programOutput("/usr/bin/env", ["python3", "-c", wait])
    }

    deinit { stop() }

    /// Ends the server.
    public func stop() {
        try? input.fileHandleForWriting.close()
        script.waitUntilExit()
    }
}
