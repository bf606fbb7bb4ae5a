/// The reason why a terminal cannot be used, with a suggestion.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. It is a structure, so that later versions can add kinds without breaking callers.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the kind.
        public let rawValue: String
        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No terminal is available to read keys from.
        public static let noKeyboard = Code(rawValue: "noKeyboard")
        /// Standard output is not a terminal, and drawing on the controlling terminal was not requested.
        public static let noScreen = Code(rawValue: "noScreen")
        /// TERM is empty, unknown, or names a terminal that cannot move its cursor.
        public static let unusableType = Code(rawValue: "unusableType")
        /// A system call failed.
        public static let system = Code(rawValue: "system")
    }

    /// The kind of failure.
    public var code: Code
    /// A message for the user.
    public var message: String

    /// The same as ``message``.
    public var description: String { message }
}
