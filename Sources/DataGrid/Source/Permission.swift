/// The answer of a delegate that is asked before an edit or a move. Instead of a case, a delegate can return the literal `true`, or
/// `false` for a refusal without a reason.
public enum Permission: Hashable, Sendable, ExpressibleByBooleanLiteral {
    /// The change may happen.
    case allowed
    /// The change does not happen. The reason is a short sentence that is shown to the user; `nil` shows no reason.
    case refused(String? = nil)

    /// Creates an answer that depends on a condition.
    /// - Parameters:
    ///   - isAllowed: true if the change may happen.
    ///   - reason: the reason for a refusal.
    public init(_ isAllowed: Bool, reason: String? = nil) { self = isAllowed ? .allowed : .refused(reason) }

    /// Creates an answer without a reason.
    public init(booleanLiteral isAllowed: Bool) { self.init(isAllowed) }

    /// True if the change may happen.
    public var isAllowed: Bool { self == .allowed }
}
