extension GridState {
    /// The sort keys after a column's header is activated, according to its ``Column/sortMode``. O(keys).
    ///
    /// As the only key, the column sorts ascending, then descending, then (three-state) in source order.
    /// As an additional key, it is added ascending, then reversed, then removed; other keys stay.
    public func sort(afterActivating id: ColumnID, isAdding: Bool = false) -> [SortDescriptor] {
        Self.sort(sort, afterActivating: id, mode: columns[id]?.sortMode ?? .none, isAdding: isAdding)
    }

    /// The sort keys after activating the header of a column with sort mode `mode`, starting from `sort`.
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
