import FieldValues

/// The groups that a result lacks because there are too many. Only servers limit the number of groups.
public struct GroupOmission: Sendable, Hashable {
    /// The number of outermost groups, if the result has only the largest outermost groups, sorted by size; otherwise `nil`.
    public var largestCount: Int?
    /// The number of groups of all levels, if the result ends early; otherwise `nil`.
    public var firstCount: Int?
    /// True if the outermost groups have inner groups.
    public var isNested: Bool

    /// Creates an omission; `nil` if the result has all groups.
    public init?(largestCount: Int?, firstCount: Int?, isNested: Bool) {
        guard largestCount != nil || firstCount != nil else { return nil }
        (self.largestCount, self.firstCount, self.isNested) = (largestCount, firstCount, isNested)
    }

    /// Sentences for the user.
    public var text: String {
        let largest = largestCount.map {
            "Only the \(NumberText.count($0)) largest \(isNested ? "outer " : "")groups are shown, largest first."
        }
        let first = firstCount.map { "Only the first \(NumberText.count($0)) groups are shown." }
        return [largest, first].compactMap(\.self).joined(separator: " ")
    }
}
