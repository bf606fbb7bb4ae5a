import DataGrid

/// The collapsed groups of a view. They are identified by their keys, so that the same groups are collapsed after the rows are grouped
/// again.
public struct CollapsedGroups: Equatable, Sendable {
    /// True if all groups except ``exceptions`` are collapsed; false if only ``exceptions`` are collapsed.
    private let isCollapsedByDefault: Bool
    /// The groups whose state differs from all other groups. Each is identified by the keys of the groups around it, outermost first, and
    /// then its own key.
    private let exceptions: Set<[String]>

    /// The maximum number of groups whose states are stored one by one. If there are more groups, the state of the majority is stored for
    /// all groups.
    private static let countLimit = 10_000

    private init(isCollapsedByDefault: Bool, exceptions: Set<[String]>) {
        (self.isCollapsedByDefault, self.exceptions) = (isCollapsedByDefault, exceptions)
    }

    static let allCollapsed = CollapsedGroups(isCollapsedByDefault: true, exceptions: [])

    static let allExpanded = CollapsedGroups(isCollapsedByDefault: false, exceptions: [])

    /// The collapsed groups of a saved view.
    init(_ view: SavedView) {
        self.init(isCollapsedByDefault: view.expanded != nil, exceptions: Set(view.expanded ?? view.collapsed))
    }

    /// Saves the collapsed groups in a view.
    func store(in view: inout SavedView) {
        let sorted = exceptions.sorted { $0.lexicographicallyPrecedes($1) }
        (view.collapsed, view.expanded) = isCollapsedByDefault ? ([], sorted) : (sorted, nil)
    }

    /// The collapsed groups in the outline of a grid; `nil` if all groups are expanded. O(groups).
    init?(_ outline: Outline) {
        guard let tree = outline.tree else { return nil }
        let collapsed = outline.collapsed
        let count = collapsed.count { $0 }
        guard count > 0 else { return nil }
        isCollapsedByDefault = count * 2 > collapsed.count
        guard collapsed.count <= Self.countLimit || count == collapsed.count else {
            guard isCollapsedByDefault else { return nil }
            exceptions = []
            return
        }
        var exceptions: Set<[String]> = []
        for section in collapsed.indices where collapsed[section] != isCollapsedByDefault { exceptions.insert(tree.keyPath(of: section)) }
        self.exceptions = exceptions
    }

    /// True if all groups are collapsed.
    var areAllCollapsed: Bool { isCollapsedByDefault && exceptions.isEmpty }

    /// The number of stored groups, which measures the memory that they need.
    var size: Int { exceptions.count }

    /// The indices of the sections in `tree` that are collapsed. O(groups).
    func sections(of tree: SectionTree) -> Set<Int> {
        Set((0..<tree.count).filter { exceptions.contains(tree.keyPath(of: $0)) != isCollapsedByDefault })
    }
}
