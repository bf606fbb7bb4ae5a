/// The error for an input that cannot be opened without a password. A program that can ask the user for it calls ``supply(_:)`` and opens
/// the input again. Other programs treat it as any other error.
public struct PasswordNeeded: TableError {
    /// The failure, and what to do if no password can be typed.
    public let message: String
    /// The user and the place of the password, such as `alice@db.example.com`. It has no control characters.
    public let account: String
    /// True if a password was refused; false if none was given.
    public let isRefused: Bool
    private let remember: @Sendable (String?) -> Void

    /// The number of times that a program asks for a password before it stops.
    public static let attemptLimit = 3

    /// Creates an error.
    /// - Parameters:
    ///   - message: the failure, and what to do if no password can be typed.
    ///   - account: the user and the place of the password.
    ///   - isRefused: true if a password was refused.
    ///   - remember: keeps a password in memory for the next attempts to open the input, or forgets it.
    public init(_ message: String, account: String, isRefused: Bool, remember: @escaping @Sendable (_ password: String?) -> Void) {
        (self.message, self.account, self.isRefused, self.remember) = (message, account, isRefused, remember)
    }

    /// Sets the password for the next attempts to open the input, until the program ends. `nil` forgets it.
    public func supply(_ password: String?) { remember(password) }
}
