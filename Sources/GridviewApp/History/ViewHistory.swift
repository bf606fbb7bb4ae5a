import DataGrid

/// The changes to the view of a sheet that can be undone and redone.
struct ViewHistory: Equatable {
    /// The maximum number of stored changes.
    static let countLimit = 1_000
    /// The maximum total of ``Change/size`` over all changes. That many columns and IDs need about 50 MB.
    static let sizeLimit = 200_000

    /// A change that can be undone and redone.
    struct Change: Equatable {
        /// A description of the change in a few words, such as `hide “price”`.
        let title: String
        fileprivate(set) var undoPatch: ViewPatch
        fileprivate(set) var redoPatch: ViewPatch
        /// The reading settings before and after the change, if the change has read the file again; otherwise `nil`.
        var rereadChange: RereadChange?
        /// The collapsed groups to restore: `collapsedBefore` when the change is undone, `collapsedAfter` when it is redone. `nil` if there
        /// were no collapsed groups, or if the change does not affect the groups.
        var collapsedBefore, collapsedAfter: CollapsedGroups?

        /// True if the change groups the rows differently. Only such a change loses the collapsed groups.
        var isRegrouping: Bool {
            redoPatch.arrangementChange.map { $0.before.groups != $0.after.groups || $0.before.groupIntervals != $0.after.groupIntervals }
                ?? false
        }

        /// The memory that the change needs, as a number of columns and IDs.
        var size: Int {
            undoPatch.size + redoPatch.size + (rereadChange?.size ?? 0) + (collapsedBefore?.size ?? 0) + (collapsedAfter?.size ?? 0)
        }
    }

    /// All changes, the oldest first.
    private(set) var changes: [Change] = []
    /// The number of changes that are in effect. The later ones in ``changes`` were undone, and can be redone.
    private(set) var undoableCount = 0
    /// The title for the change that the current command makes; `nil` to derive it from the changed settings.
    var title: String?
    /// The view before the current drag with the mouse; `nil` without a drag. Undo and redo set it to `nil`, too.
    var dragStart: ViewState?
    private var size = 0

    /// The change to undo next.
    var changeToUndo: Change? { changes[..<undoableCount].last }
    /// The change to redo next.
    var changeToRedo: Change? { changes[undoableCount...].first }

    /// True if a change in effect would be stored in a saved view.
    var hasViewChanges: Bool { changes[..<undoableCount].contains { $0.rereadChange != nil || !$0.redoPatch.isMarksOnly } }

    /// Adds a change. Discards the changes that could be redone and, beyond the limits, the oldest changes.
    mutating func add(_ change: Change) {
        discardUndone()
        changes.append(change)
        size += change.size
        while changes.count > 1, changes.count > Self.countLimit || size > Self.sizeLimit { size -= changes.removeFirst().size }
        undoableCount = changes.count
    }

    /// Stores the current definitions of derived fields in the changes that read the file again.
    ///
    /// This includes fields that were derived after the file was read. Only two of these changes are updated: the last one in effect, and
    /// the first one that can be redone.
    mutating func store(derived definitions: [String]) {
        if let index = changes[..<undoableCount].lastIndex(where: { $0.rereadChange != nil }) {
            changes[index].rereadChange?.after.derived = definitions
        }
        if let index = changes[undoableCount...].firstIndex(where: { $0.rereadChange != nil }) {
            changes[index].rereadChange?.before.derived = definitions
        }
    }

    /// Stores the currently collapsed groups, so that undo and redo can restore them.
    ///
    /// They are stored in the last change in effect that grouped the rows, and in the first such change that can be redone.
    mutating func store(collapsed: CollapsedGroups?) {
        func set(_ property: WritableKeyPath<Change, CollapsedGroups?>, at index: Int) {
            size -= changes[index].size
            changes[index][keyPath: property] = collapsed
            size += changes[index].size
        }
        if let index = changes[..<undoableCount].lastIndex(where: \.isRegrouping) { set(\.collapsedAfter, at: index) }
        if let index = changes[undoableCount...].firstIndex(where: \.isRegrouping) { set(\.collapsedBefore, at: index) }
    }

    /// True if the last change has set this arrangement and was not undone, or if there are no changes.
    func endsWith(_ arrangement: Arrangement) -> Bool {
        guard let newest = changes.last else { return true }
        return undoableCount == changes.count && newest.redoPatch.arrangementChange?.after == arrangement
    }

    /// Extends the last change by the column changes that result from it, such as new widths, so that all are undone together.
    mutating func extendLast(by patches: [ColumnPatch]) {
        guard let index = changes.indices.last else { return }
        size -= changes[index].size
        changes[index].undoPatch.add(patches, isUndoing: true)
        changes[index].redoPatch.add(patches, isUndoing: false)
        size += changes[index].size
    }

    /// All rows whose marks were set or removed by a change.
    var markedRows: Set<RowID> { changes.reduce(into: []) { $0.formUnion($1.redoPatch.changedMarks) } }

    /// Replaces the IDs of marked rows, after rows got new IDs. Rows for which `newID` returns `nil` lose their mark.
    mutating func renumberMarks(_ newID: (RowID) -> RowID?) {
        for index in changes.indices where !changes[index].redoPatch.changedMarks.isEmpty {
            size -= changes[index].size
            changes[index].undoPatch.renumberMarks(newID)
            changes[index].redoPatch.renumberMarks(newID)
            size += changes[index].size
        }
        if let marks = dragStart?.marks { dragStart?.marks = Set(marks.compactMap(newID)) }
    }

    /// Removes the last change without undoing it, because it was cancelled.
    mutating func removeLast() {
        discardUndone()
        if let change = changes.popLast() { size -= change.size }
        undoableCount = changes.count
    }

    /// Removes the changes that could be redone.
    mutating func discardUndone() {
        size -= changes[undoableCount...].reduce(0) { $0 + $1.size }
        changes.removeSubrange(undoableCount...)
    }

    /// Returns the change to undo, which can then be redone; `nil` without one.
    mutating func undo() -> Change? {
        guard let change = changeToUndo else { return nil }
        dragStart = nil
        undoableCount -= 1
        return change
    }

    /// Returns the change to redo, which can then be undone again; `nil` without one.
    mutating func redo() -> Change? {
        guard let change = changeToRedo else { return nil }
        dragStart = nil
        undoableCount += 1
        return change
    }
}
