/// Why a terminal cannot be used, and what to do about it.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure; open, so that more can come.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
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

    public var code: Code
    /// A sentence for the user.
    public var message: String

    public var description: String { message }
}
