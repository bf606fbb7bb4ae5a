import CursesTerminal
import DataGridTerminal

/// The end of a log that grows, and any other part of it; `LogTail 20` has it grow twenty times a second.
@main
struct LogTail {
    static func main() throws {
        let tail = Tail(log: Log(count: 20_000))
        let application = GridApplication(on: try CursesBackend())
        let rate = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 2
        tail.show(on: application, every: .milliseconds(1000 / max(1, rate)))
        _ = try application.run()
    }
}
