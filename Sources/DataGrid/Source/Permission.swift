/// The answer of a delegate that is asked before an edit or a move. A delegate can also return `true` or `false`, without a reason.
public enum Permission: Hashable, Sendable, ExpressibleByBooleanLiteral {
    /// The change may happen.
    case allowed
    /// The change does not happen. The reason, a short sentence, is shown to the user; `nil` for none.
    case refused(String? = nil)

    /// Creates an answer from a condition.
    /// - Parameters:
    ///   - isAllowed: true if the change may happen.
    ///   - reason: the reason for a refusal.
    public init(_ isAllowed: Bool, reason: String? = nil) { self = isAllowed ? .allowed : .refused(reason) }

    /// Creates an answer without a reason.
    public init(booleanLiteral isAllowed: Bool) { self.init(isAllowed) }

    /// True if the change may happen.
    public var isAllowed: Bool { self == .allowed }
}
