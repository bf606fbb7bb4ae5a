import DataGrid

/// The collapsed groups of a view. They are identified by their keys, so that the same groups are collapsed after the rows are grouped
/// again.
public struct CollapsedGroups: Equatable, Sendable {
    /// True if all groups are collapsed except those in ``exceptions``; false if only those in ``exceptions`` are collapsed.
    private let areCollapsed: Bool
    /// The groups whose state differs from all other groups. Each is identified by the keys of the groups around it, outermost first, and
    /// then its own key.
    private let exceptions: Set<[String]>

    /// The maximum number of groups whose states are stored one by one. If there are more groups, the state of the majority is stored for
    /// all groups.
    private static let countLimit = 10_000

    private init(areCollapsed: Bool, exceptions: Set<[String]>) { (self.areCollapsed, self.exceptions) = (areCollapsed, exceptions) }

    /// The state in which all groups are collapsed.
    static let all = CollapsedGroups(areCollapsed: true, exceptions: [])

    /// The state in which all groups are expanded.
    static let nothing = CollapsedGroups(areCollapsed: false, exceptions: [])

    /// The collapsed groups of a saved view.
    init(_ view: SavedView) {
        self.init(areCollapsed: view.expanded != nil, exceptions: Set(view.expanded ?? view.collapsed))
    }

    /// Saves the collapsed groups in a view.
    func store(in view: inout SavedView) {
        let sorted = exceptions.sorted { $0.lexicographicallyPrecedes($1) }
        (view.collapsed, view.expanded) = areCollapsed ? ([], sorted) : (sorted, nil)
    }

    /// The collapsed groups in the outline of a grid; `nil` if all groups are expanded. O(groups).
    init?(_ outline: Outline) {
        guard let tree = outline.tree else { return nil }
        let collapsed = outline.collapsed
        let count = collapsed.count { $0 }
        guard count > 0 else { return nil }
        areCollapsed = count * 2 > collapsed.count
        guard collapsed.count <= Self.countLimit || count == collapsed.count else {
            guard areCollapsed else { return nil }
            exceptions = []
            return
        }
        var exceptions: Set<[String]> = []
        for section in collapsed.indices where collapsed[section] != areCollapsed { exceptions.insert(tree.keyPath(of: section)) }
        self.exceptions = exceptions
    }

    /// True if all groups are collapsed.
    var areAllCollapsed: Bool { areCollapsed && exceptions.isEmpty }

    /// The number of stored groups, which measures the memory that they need.
    var size: Int { exceptions.count }

    /// The indices of the sections in `tree` that are collapsed. O(groups).
    func sections(of tree: SectionTree) -> Set<Int> {
        Set((0..<tree.count).filter { exceptions.contains(tree.keyPath(of: $0)) != areCollapsed })
    }
}
