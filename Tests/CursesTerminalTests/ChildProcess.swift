import CTerminalSignals
import Foundation

/// Runs `TerminalProbe` as a session leader on a pseudo-terminal.
final class ChildProcess {
    let terminal: PseudoTerminal
    let id: pid_t
    private var status: Int32?

    /// - Parameters:
    ///   - redirections: shell redirections for files other than the terminal, such as `< file`.
    ///   - shell: a shell script that runs `$PROBE`; by default the shell replaces itself with the probe.
    init(
        _ action: String, on terminal: PseudoTerminal, redirections: String = "", shell: String = "exec $PROBE",
        environment: [String: String] = [:]
    ) {
        self.terminal = terminal
        var environment = ["TERM": "xterm-256color", "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }
        if let path = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] { environment["LD_LIBRARY_PATH"] = path }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        posix_spawn_file_actions_addopen(&files, 0, terminal.path, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&files, 0, 1)
        posix_spawn_file_actions_adddup2(&files, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, which a feature macro hides
        posix_spawnattr_setflags(&attributes, newSession)
        let command = shell.replacingOccurrences(of: "$PROBE", with: "'\(Self.probe)' \(action) \(redirections)")
        let arguments = Self.copies(["/bin/sh", "-c", command])
        let variables = Self.copies(environment.map { "\($0.key)=\($0.value)" })
        var id: pid_t = 0
        let result = posix_spawn(&id, "/bin/sh", &files, &attributes, arguments, variables)
        // `kill` treats 0 and −1 as "my group" and "every process", so never continue with such an ID.
        guard result == 0, id > 1 else { fatalError("no child process: \(result)") }
        self.id = id
        for pointer in arguments + variables { free(pointer) }
        posix_spawn_file_actions_destroy(&files)
        posix_spawnattr_destroy(&attributes)
    }

    /// C strings with a terminating null; the caller frees them.
    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        var copies: [UnsafeMutablePointer<CChar>?] = texts.map { text in strdup(text) }
        copies.append(nil)
        return copies
    }

    /// The path of `TerminalProbe`, which is in the folder of the test binary.
    private static var probe: String {
        var place = URL(fileURLWithPath: CommandLine.arguments[0])
        for candidate in [Bundle.main.bundleURL, Bundle(for: ChildProcess.self).bundleURL] where candidate.path.contains(".build") {
            place = candidate
        }
        while place.path.count > 1 {
            let probe = place.appendingPathComponent("TerminalProbe")
            if FileManager.default.isExecutableFile(atPath: probe.path) { return probe.path }
            place.deleteLastPathComponent()
        }
        fatalError("TerminalProbe was not found")
    }

    /// Sends a signal to this process only.
    func send(_ signal: Int32) {
        precondition(id > 1)
        kill(id, signal)
    }

    /// Waits up to a minute for the exit code, or 128 + the signal. After a timeout, kills the process and returns `nil`.
    /// - Parameter reading: true to read the terminal while waiting.
    func wait(reading: Bool = true) -> Int32? {
        for _ in 0..<6000 {
            if reading { terminal.drain(milliseconds: 10) } else { usleep(10_000) }
            var status: Int32 = 0
            if waitpid(id, &status, WNOHANG) == id {
                terminal.drain(milliseconds: 20)
                return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
            }
        }
        send(SIGKILL)
        waitpid(id, nil, 0)
        return nil
    }

    /// Waits up to a minute until the process is stopped, as by Ctrl-z.
    func waitsForStop() -> Bool {
        for _ in 0..<6000 {
            terminal.drain(milliseconds: 10)
            var status: Int32 = 0
            if waitpid(id, &status, WNOHANG | WUNTRACED) == id { return status & 0xFF == 0x7F }
        }
        return false
    }
}
