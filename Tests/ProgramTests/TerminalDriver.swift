import Foundation

/// Drives a program in a real terminal, as a user would.
///
/// The terminal is tmux, in a separate server that ends with the driver. Columns and rows are counted in terminal cells from 0.
/// Functions that wait have a deadline, and a failure includes the text of the screen.
final class TerminalDriver {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The deadline of every wait. It is long for slow machines; passing tests never wait that long.
    var timeLimit = Duration.seconds(90)

    private let folder: URL
    private let tmuxRunner: ProcessRunner
    private var isRunning = true

    /// Starts a program, by name or path, in a terminal of this size.
    ///
    /// For redirections and pipes, run `["sh", "-c", "cat data | gridview"]`. The environment is `ProcessRunner.plainEnvironment` with
    /// these changes. TERM is tmux-256color.
    init(_ command: [String], columns: Int = 120, rows: Int = 40, environment: [String: String] = [:]) throws {
        // The path of a socket is limited to about 100 bytes, and the path of a temporary folder can be longer.
        folder = URL(fileURLWithPath: "/tmp/gridview-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Self.settings.write(to: folder.appendingPathComponent("tmux.conf"), atomically: false, encoding: .utf8)
        try Self.session.write(to: folder.appendingPathComponent("session"), atomically: false, encoding: .utf8)

        var runner = ProcessRunner(executable: "tmux", directory: folder.path)
        runner.environment["TERM"] = "xterm-256color"
        tmuxRunner = runner

        // Without a folder for its state, the program has no message about its first use.
        let changes = ["HOME=\(folder.path)", "XDG_STATE_HOME=/dev/null"] + environment.map { "\($0)=\($1)" }
        try tmux(
            ["-u", "-f", "tmux.conf", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "--"]
                + ["env"] + changes + ["bash", folder.appendingPathComponent("session").path] + command)
        // Cleans up if the tests are killed. The script ignores the signals with which the server ends its programs. The server needs its
        // socket to receive the command, so the folder is deleted last.
        try tmux([
            "run-shell", "-b",
            """
            trap '' HUP TERM
            while kill -0 \(getpid()) 2>/dev/null && [ -e '\(folder.path)' ]; do sleep 1; done
            tmux -S '\(folder.path)/socket' kill-server 2>/dev/null
            rm -rf '\(folder.path)'
            """,
        ])
    }

    deinit { close() }

    /// Ends the terminal and the programs in it.
    func close() {
        guard isRunning else { return }
        isRunning = false
        _ = try? tmux(["kill-server"])
        try? FileManager.default.removeItem(at: folder)
    }

    private static let settings = """
        set -s default-terminal tmux-256color
        set -s escape-time 0
        set -s exit-empty off
        set -s set-clipboard on
        set -as terminal-features ",*:RGB"
        set -g status off
        set -g remain-on-exit on
        """

    /// The script around the program, which replaces a shell with job control. It records the exit status and the terminal state before
    /// the start, and resumes a suspended program on request.
    private static let session = """
        cd "$(dirname "$0")"
        folder=$PWD
        stty -a >line-settings
        set -m
        cd /
        sh -c 'echo $$ >"$0/pid"; exec "$@"' "$folder" "$@"
        status=$?
        # No loop: bash leaves all loops when a job is stopped.
        while_suspended() {
            jobs | grep -q Stopped || return
            touch "$folder/suspended"
            until [ -e "$folder/resume" ]; do sleep 0.01; done
            rm "$folder/suspended" "$folder/resume"
            fg >/dev/null
            status=$?
            while_suspended
        }
        while_suspended
        echo $status >"$folder/status.new"
        mv "$folder/status.new" "$folder/status"
        exec sleep 100000
        """

    /// Runs a tmux command in the server of this driver and returns its output.
    @discardableResult
    func tmux(_ arguments: [String]) throws -> String {
        // A semicolon at the end of an argument would start another command.
        let quoted = arguments.map { $0.hasSuffix(";") ? $0.dropLast() + "\\;" : $0 }
        let outcome = try tmuxRunner.run(["-S", folder.appendingPathComponent("socket").path] + quoted)
        guard outcome.status == .code(0) else {
            throw Failure(description: "tmux \(arguments.first ?? ""): \(outcome.status), \(outcome.errorText)")
        }
        return outcome.outputText
    }

    /// The text that the script of the session has written to a file, such as `status`; `nil` if it has not written the file.
    func sessionText(_ name: String) -> String? {
        try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

// MARK: - The program

extension TerminalDriver {
    /// The exit status as in a shell, 128 + n after signal n; nil while the program runs.
    var exitStatus: Int? { sessionText("status").flatMap { Int($0) } }

    var isSuspended: Bool { sessionText("suspended") != nil }

    /// Waits for the program to end, and returns its exit status.
    func waitForExit() async throws -> Int {
        try await wait(for: "the program to end") { self.exitStatus }
    }

    /// Waits until the program is suspended, by Ctrl-Z for example.
    func waitUntilSuspended() async throws {
        try await wait(for: "the program to be suspended") { self.isSuspended ? true : nil }
    }

    /// Brings the suspended program to the foreground, as `fg` does.
    func resume() throws {
        try Data().write(to: folder.appendingPathComponent("resume"))
    }

    /// The process ID of the program.
    func processID() async throws -> pid_t {
        try await wait(for: "the program to start") { self.sessionText("pid").flatMap { pid_t($0) } }
    }

    /// Sends a signal to the program.
    func signal(_ signal: Int32) async throws {
        let pid = try await processID()
        guard kill(pid, signal) == 0 else { throw Failure(description: "kill \(pid): \(String(cString: strerror(errno)))") }
    }

    /// Repeats the attempt until it returns a result or the deadline passes.
    @discardableResult
    func wait<Result>(for what: String, _ attempt: () throws -> Result?) async throws -> Result {
        let deadline = ContinuousClock.now + timeLimit
        while true {
            if let result = try attempt() { return result }
            guard ContinuousClock.now < deadline else { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw Failure(
            description:
                "Waited \(timeLimit) for \(what). exit status: \(exitStatus.map(String.init) ?? "running"), screen:\n\(try screen().text)")
    }
}
