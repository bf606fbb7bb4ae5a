import CursesTerminal
import DataGridTerminal

/// The end of a log that grows, and any other part of it; `LogTail 20` has it grow twenty times a second.
@main
struct LogTail {
    static func main() {
        let tail = Tail(log: Log(count: 20_000))
        CursesBackend.runProgram { backend in
            let application = GridApplication(on: backend)
            let rate = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 2
            tail.show(on: application, every: .milliseconds(1000 / max(1, rate)))
            return try application.run()
        }
    }
}
