internal import TerminalSurface

extension CursesBackend {
    /// The whole of a program on the terminal: opens it, runs `body` on it, and exits with the status that `body` returns.
    ///
    /// ```swift
    /// CursesBackend.runProgram { try GridApplication.run(grid, on: $0) }
    /// ```
    ///
    /// Where there is no terminal, or `body` throws, the screen is given back, the error is said on standard error, and the status is 1.
    /// - Parameters:
    ///   - options: what the caller decides about the terminal.
    ///   - body: returns the status to exit with: 0, or 128 and the number of the signal that ended the program.
    public static func runProgram(_ options: Options = Options(), _ body: (CursesBackend) throws -> Int32) -> Never {
        let ended = Result {
            let backend = try CursesBackend(options)
            defer { backend.stop() }
            return try body(backend)
        }
        switch ended {
        case .success(let status): Platform.end(status)
        case .failure(let error):
            let program = CommandLine.arguments.first?.split(separator: "/").last ?? "error"
            Platform.complain("\(program): \(error)\n")
            Platform.end(1)
        }
    }
}
