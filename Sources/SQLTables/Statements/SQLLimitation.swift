/// A part of a query for which a server would compute other results than gridview, and the reason.
public struct SQLLimitation: Error, Hashable, Sendable, CustomStringConvertible {
    /// A part of a query.
    public enum Part: Hashable, Sendable {
        /// The derived field at this index.
        case derived(Int)
        /// The filter at this index.
        case filter(Int)
        /// The sort key at this index.
        case sort(Int)
        /// The group level at this index.
        case group(Int)
        /// The aggregate at this index.
        case aggregate(Int)
        /// The page or statement that was requested.
        case request
    }

    /// The part of the query that is not supported.
    public var part: Part
    /// One or two sentences: the limitation and, if there is one, the alternative.
    public var reason: String

    /// Creates a limitation.
    public init(_ part: Part, _ reason: String) { (self.part, self.reason) = (part, reason) }

    /// The same as ``reason``.
    public var description: String { reason }
}

/// All limitations that prevent a query from running on a server.
public struct SQLLimitations: Error, Hashable, Sendable {
    /// The limitations, in the order of the query. There is at least one.
    public var reasons: [SQLLimitation]
}

/// The reason for a ``SQLLimitation``. The caller adds which part of the query is not supported.
struct UnsupportedError: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}
