extension GridState {
    /// The sort order after a column's header is activated: what its ``Column/sortMode`` steps to.
    ///
    /// Alone, the column goes up, then down, then (three-state) back to the order of the source. As a further key it is added upwards, then
    /// turned, then taken away; the keys before it stay. O(keys).
    public func sort(afterActivating id: ColumnID, isAdding: Bool = false) -> [SortDescriptor] {
        Self.sort(sort, afterActivating: id, mode: columns[id]?.sortMode ?? .none, isAdding: isAdding)
    }

    /// The same for any order `sort`, of a column that steps as `mode` says.
    public static func sort(
        _ sort: [SortDescriptor], afterActivating id: ColumnID, mode: SortMode, isAdding: Bool = false
    ) -> [SortDescriptor] {
        guard mode != .none else { return sort }
        let index = sort.firstIndex { $0.column == id }
        guard isAdding else {
            guard let index else { return [SortDescriptor(id)] }
            if !sort[index].isDescending { return [SortDescriptor(id, isDescending: true)] }
            return mode == .twoState ? [SortDescriptor(id)] : []
        }
        var keys = sort
        guard let index else { return keys + [SortDescriptor(id)] }
        if !keys[index].isDescending || mode == .twoState {
            keys[index].isDescending.toggle()
        } else {
            keys.remove(at: index)
        }
        return keys
    }
}
