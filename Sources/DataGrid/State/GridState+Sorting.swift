extension GridState {
    /// The sort keys after a column's header is activated, according to its ``Column/sortMode``. O(keys).
    ///
    /// As the only key, the column sorts ascending, then descending, then (three-state) in source order.
    /// As an additional key, it is added ascending, then reversed, then (three-state) removed; other keys stay.
    public func sort(afterActivating id: ColumnID, isAdding: Bool = false) -> [ColumnSort] {
        Self.sort(sort, afterActivating: id, mode: columns[id]?.sortMode ?? .none, isAdding: isAdding)
    }

    /// The sort keys after activating the header of a column with sort mode `mode`, starting from `sort`.
    public static func sort(
        _ sort: [ColumnSort], afterActivating id: ColumnID, mode: SortMode, isAdding: Bool = false
    ) -> [ColumnSort] {
        guard mode != .none else { return sort }
        let index = sort.firstIndex { $0.column == id }
        guard isAdding else {
            guard let index else { return [ColumnSort(id)] }
            if !sort[index].isDescending { return [ColumnSort(id, isDescending: true)] }
            return mode == .twoState ? [ColumnSort(id)] : []
        }
        var keys = sort
        guard let index else { return keys + [ColumnSort(id)] }
        if !keys[index].isDescending || mode == .twoState {
            keys[index].isDescending.toggle()
        } else {
            keys.remove(at: index)
        }
        return keys
    }
}

extension [ColumnSort] {
    /// True if a key sorts the column in descending order. Sections grouped by that column have this direction too.
    package func isDescending(_ column: ColumnID) -> Bool { contains { $0.column == column && $0.isDescending } }
}
