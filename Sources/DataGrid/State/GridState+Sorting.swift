extension GridState {
    /// The sort keys to use after the header of a column was activated, according to the column's ``Column/sortMode``. O(keys).
    ///
    /// Without `isAdding`, the column becomes the only sort key: ascending at the first activation, and descending at the second. The third
    /// activation makes it ascending again or, with ``SortMode/threeState``, removes all keys. With `isAdding`, only the column's own key
    /// changes in this way.
    public func sort(afterActivating id: ColumnID, isAdding: Bool = false) -> [ColumnSort] {
        Self.sort(sort, afterActivating: id, mode: columns[id]?.sortMode ?? .none, isAdding: isAdding)
    }

    /// The sort keys to use after the header of a column with sort mode `mode` was activated. `sort` contains the previous keys.
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
    /// True if one of these keys sorts the column in descending order. Sections grouped by the column then have descending order, too.
    package func isDescending(_ column: ColumnID) -> Bool { contains { $0.column == column && $0.isDescending } }
}
