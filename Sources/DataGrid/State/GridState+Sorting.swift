extension GridState {
    /// The sort keys to use after the header of a column was activated, according to the column's ``Column/sortMode``. O(keys).
    ///
    /// With each activation, the only key changes from ascending to descending, then with ``SortMode/threeState`` to no key. With
    /// `isAdding`, the column's key is added ascending, then reversed, then with ``SortMode/threeState`` removed. Other keys stay.
    public func sort(afterActivating id: ColumnID, isAdding: Bool = false) -> [ColumnSort] {
        Self.sort(sort, afterActivating: id, mode: columns[id]?.sortMode ?? .none, isAdding: isAdding)
    }

    /// The sort keys to use after the header of a column with sort mode `mode` was activated, if `sort` are the keys before.
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
