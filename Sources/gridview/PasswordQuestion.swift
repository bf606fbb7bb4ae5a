import Tables
import TerminalSurface

/// Asks for passwords on the controlling terminal, for output without a screen.
enum PasswordQuestion {
    /// Opens an input, and asks for the password that it needs.
    /// - Throws: the errors of `open`, and `PasswordNeeded` if there is no terminal or no answer, or if all answers are refused.
    static func asking<Input>(_ open: () throws -> Input) throws -> Input {
        var attempts = 0
        while true {
            do {
                return try open()
            } catch let request as PasswordNeeded {
                let question = "Password for \(DisplayWidth.printable(request.account)): "
                let text = request.isRefused ? "The password was refused.\n" + question : question
                guard attempts < PasswordNeeded.attemptLimit, let password = Platform.secret(answering: text) else {
                    request.supply(nil)
                    throw request
                }
                attempts += 1
                request.supply(password)
            }
        }
    }
}
