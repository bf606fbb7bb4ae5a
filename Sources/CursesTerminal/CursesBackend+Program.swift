internal import TerminalSurface

extension CursesBackend {
    /// Runs a complete program on the terminal: opens it, calls `body`, and exits with the status that `body` returns.
    ///
    /// ```swift
    /// CursesBackend.runProgram { try GridApplication.run(grid, on: $0) }
    /// ```
    ///
    /// If there is no terminal or `body` throws, this function restores the screen, prints the error to standard error and exits with
    /// status 1.
    /// - Parameters:
    ///   - options: the settings of the backend.
    ///   - body: returns the exit status: 0, or 128 + the number of the signal that ended the program.
    public static func runProgram(_ options: Options = Options(), _ body: (CursesBackend) throws -> Int32) -> Never {
        let ended = Result {
            let backend = try CursesBackend(options)
            defer { backend.stop() }
            return try body(backend)
        }
        switch ended {
        case .success(let status): Platform.exitProcess(status)
        case .failure(let error):
            let program = CommandLine.arguments.first?.split(separator: "/").last ?? "error"
            Platform.printError("\(program): \(error)\n")
            Platform.exitProcess(1)
        }
    }
}
