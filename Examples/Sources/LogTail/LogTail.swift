import CursesTerminal
import DataGridTerminal
import Foundation

/// The end of a growing log, and any other part of it. `LogTail 20` adds lines twenty times per second.
@main
struct LogTail {
    static func main() {
        let argument = CommandLine.arguments.dropFirst().first ?? "2"
        guard let interval = interval(argument) else {
            let sentence = "“\(argument)” is not a number of lines per second. Use a whole number from 1 to 1000."
            FileHandle.standardError.write(Data("LogTail: \(sentence)\n".utf8))
            exit(2)
        }
        let logScreen = LogScreen(log: Log(count: 20_000))
        CursesBackend.runProgram { backend in
            let application = GridApplication(on: backend)
            logScreen.show(on: application, every: interval)
            return try application.run()
        }
    }

    /// The interval between new lines; `nil` for an invalid number.
    static func interval(_ argument: String) -> Duration? {
        guard let rate = Int(argument), 1...1_000 ~= rate else { return nil }
        return .seconds(1) / rate
    }
}
