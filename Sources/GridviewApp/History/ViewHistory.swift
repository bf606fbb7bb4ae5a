import DataGrid

/// The changes of a sheet's view that can be undone and redone.
struct ViewHistory: Equatable {
    /// The maximum number of stored changes.
    static let countLimit = 1_000
    /// The maximum number of columns and IDs that all changes together store, in about 50 MB.
    static let sizeLimit = 200_000

    /// A change to the view.
    struct Change: Equatable {
        /// A description of the change in a few words, such as `hide “price”`.
        let title: String
        fileprivate(set) var undoing: ViewPatch
        fileprivate(set) var redoing: ViewPatch
        /// The settings with which the file was read before and after the change; `nil` if the file was not read again.
        var rereading: RereadChange?
        /// The collapsed groups just before the change was made or redone, and just before the change was undone. `nil` without collapsed
        /// groups, or if the change keeps the groups.
        var collapsedBefore, collapsedAfter: CollapsedGroups?

        /// True if the change groups the rows differently. After other changes, collapsed groups stay collapsed.
        var isRegrouping: Bool {
            redoing.arrangements.map { $0.before.groups != $0.after.groups || $0.before.groupIntervals != $0.after.groupIntervals } ?? false
        }

        /// The amount of stored data, in columns and IDs.
        var size: Int {
            undoing.size + redoing.size + (rereading?.size ?? 0) + (collapsedBefore?.size ?? 0) + (collapsedAfter?.size ?? 0)
        }
    }

    /// All changes, the oldest first.
    private(set) var changes: [Change] = []
    /// The number of changes that are in effect. The changes after them are undone, and can be redone.
    private(set) var doneCount = 0
    /// The title of the change that the current command makes; `nil` to derive the title from the differences.
    var title: String?
    /// The view before the current drag; `nil` without a drag. Undo and redo end the recording of the drag.
    var dragStart: ViewState?
    /// The total size of the changes.
    private var size = 0

    /// The change to undo next.
    var last: Change? { changes[..<doneCount].last }
    /// The change to redo next.
    var next: Change? { changes[doneCount...].first }

    /// True if a saved view would store any of the changes that are in effect.
    var hasViewChanges: Bool { changes[..<doneCount].contains { $0.rereading != nil || !$0.redoing.isMarksOnly } }

    /// Adds a change. Discards the changes to redo, and the oldest changes beyond the limits.
    mutating func add(_ change: Change) {
        discardUndone()
        changes.append(change)
        size += change.size
        while changes.count > 1, changes.count > Self.countLimit || size > Self.sizeLimit { size -= changes.removeFirst().size }
        doneCount = changes.count
    }

    /// Stores the definitions of all derived fields, including fields that were derived after the file was read. Two changes get them: the
    /// last change in effect that read the file again, and the first such change that can be redone.
    mutating func store(derived definitions: [String]) {
        if let index = changes[..<doneCount].lastIndex(where: { $0.rereading != nil }) {
            changes[index].rereading?.after.derived = definitions
        }
        if let index = changes[doneCount...].firstIndex(where: { $0.rereading != nil }) {
            changes[index].rereading?.before.derived = definitions
        }
    }

    /// Stores the collapsed groups of the current view in the last change of groups that is in effect, and in the first one that can be
    /// redone.
    mutating func store(collapsed: CollapsedGroups?) {
        func set(_ property: WritableKeyPath<Change, CollapsedGroups?>, at index: Int) {
            size -= changes[index].size
            changes[index][keyPath: property] = collapsed
            size += changes[index].size
        }
        if let index = changes[..<doneCount].lastIndex(where: \.isRegrouping) { set(\.collapsedAfter, at: index) }
        if let index = changes[doneCount...].firstIndex(where: \.isRegrouping) { set(\.collapsedBefore, at: index) }
    }

    /// True if the view has this arrangement because of the last change, or since it was opened.
    func endsWith(_ arrangement: Arrangement) -> Bool {
        guard let newest = changes.last else { return true }
        return doneCount == changes.count && newest.redoing.arrangements?.after == arrangement
    }

    /// Extends the last change by changes to columns that result from it.
    mutating func extendLast(by patches: [ColumnPatch]) {
        guard let index = changes.indices.last else { return }
        size -= changes[index].size
        changes[index].undoing.add(patches, isUndoing: true)
        changes[index].redoing.add(patches, isUndoing: false)
        size += changes[index].size
    }

    /// The rows whose marks a change sets or removes.
    var markedRows: Set<RowID> { changes.reduce(into: []) { $0.formUnion($1.redoing.marks) } }

    /// Renumbers the rows of marks. Removes the marks of rows without a new ID.
    mutating func renumberMarks(_ newID: (RowID) -> RowID?) {
        for place in changes.indices where !changes[place].redoing.marks.isEmpty {
            size -= changes[place].size
            changes[place].undoing.renumberMarks(newID)
            changes[place].redoing.renumberMarks(newID)
            size += changes[place].size
        }
        if let marks = dragStart?.marks { dragStart?.marks = Set(marks.compactMap(newID)) }
    }

    /// Removes the last change, which was cancelled.
    mutating func removeLast() {
        discardUndone()
        if let change = changes.popLast() { size -= change.size }
        doneCount = changes.count
    }

    /// Removes the changes that could be redone.
    mutating func discardUndone() {
        size -= changes[doneCount...].reduce(0) { $0 + $1.size }
        changes.removeSubrange(doneCount...)
    }

    /// Returns the change to undo, which can then be redone.
    mutating func undo() -> Change? {
        guard let last else { return nil }
        dragStart = nil
        doneCount -= 1
        return last
    }

    /// Returns the change to redo, which can then be undone again.
    mutating func redo() -> Change? {
        guard let next else { return nil }
        dragStart = nil
        doneCount += 1
        return next
    }
}
