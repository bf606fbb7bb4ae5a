import Tables
import TerminalSurface

/// Asks for passwords on the terminal if the program has no screen, such as when it writes rows.
enum PasswordQuestion {
    /// Opens an input. If it needs a password, asks for it and tries again.
    /// - Throws: The errors of `open`, and `PasswordNeeded` if there is no terminal or no answer, or if all passwords are refused.
    static func asking<Input>(_ open: () throws -> Input) throws -> Input {
        var attempts = 0
        while true {
            do {
                return try open()
            } catch let request as PasswordNeeded {
                let question = "Password for \(DisplayWidth.printable(request.account)): "
                let text = request.wasPasswordRefused ? "The password was refused.\n" + question : question
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
