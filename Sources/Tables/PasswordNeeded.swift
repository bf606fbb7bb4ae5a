/// The error for an input that cannot be opened without a password. A program that can ask the user for the password calls ``supply(_:)``
/// and opens the input again. Other programs treat it as any other error.
public struct PasswordNeeded: TableError {
    /// The cause of the error, and what to do if the program cannot ask for a password.
    public let message: String
    /// The user and the server, such as `alice@db.example.com`. It has no control characters.
    public let account: String
    /// True if a password was refused; false if none was given.
    public let wasPasswordRefused: Bool
    private let remember: @Sendable (String?) -> Void

    /// The maximum number of times that a program asks for a password.
    public static let attemptLimit = 3

    /// Creates an error.
    /// - Parameters:
    ///   - message: the cause of the error, and what to do if the program cannot ask for a password.
    ///   - account: the user and the server.
    ///   - wasPasswordRefused: true if a password was refused.
    ///   - remember: keeps a password in memory for the next attempts to open the input, or forgets it.
    public init(_ message: String, account: String, wasPasswordRefused: Bool, remember: @escaping @Sendable (_ password: String?) -> Void) {
        (self.message, self.account, self.wasPasswordRefused, self.remember) = (message, account, wasPasswordRefused, remember)
    }

    /// Sets the password for the next attempts to open the input. It stays in memory until the program ends. `nil` removes it.
    public func supply(_ password: String?) { remember(password) }
}
