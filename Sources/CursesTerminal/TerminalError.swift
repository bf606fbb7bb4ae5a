/// Why a terminal cannot be used, and what to do about it.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure; open, so that more can come.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// Its name.
        public let rawValue: String
        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no terminal to read keys from.
        public static let noKeyboard = Code(rawValue: "noKeyboard")
        /// Standard output is no terminal, and drawing elsewhere was not asked for.
        public static let noScreen = Code(rawValue: "noScreen")
        /// TERM is empty, unknown, or names a terminal that cannot move its cursor.
        public static let unusableType = Code(rawValue: "unusableType")
        /// The system refused.
        public static let system = Code(rawValue: "system")
    }

    /// What kind of failure.
    public var code: Code
    /// A sentence for the user.
    public var message: String

    /// The message.
    public var description: String { message }
}
