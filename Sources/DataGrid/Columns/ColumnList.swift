import FieldValues

/// The columns of a grid in display order, including hidden ones.
///
/// A *place* counts all columns; an *index* counts only visible ones, as on the screen.
public struct ColumnList: Hashable, Sendable {
    /// All columns in order, including hidden ones.
    public private(set) var all: [Column]
    /// The places of the visible columns.
    public private(set) var visiblePlaces: [Int]

    /// Creates a list of columns with distinct ids. O(columns).
    public init(_ columns: [Column] = []) {
        all = columns
        visiblePlaces = []
        refresh()
    }

    private mutating func refresh() {
        visiblePlaces = all.indices.filter { !all[$0].isHidden }
    }

    /// The number of visible columns.
    public var count: Int { visiblePlaces.count }

    /// The visible column at `index`.
    public subscript(index: Int) -> Column { all[visiblePlaces[index]] }

    /// The visible columns, in order.
    public var visible: [Column] { visiblePlaces.count == all.count ? all : visiblePlaces.map { all[$0] } }

    /// The column with this id, or `nil`. Same complexity as ``place(of:)``.
    public subscript(id: ColumnID) -> Column? { place(of: id).map { all[$0] } }

    /// The index of a column among the visible columns; `nil` if it is hidden or missing.
    ///
    /// Costs O(log columns) in addition to ``place(of:)``.
    public func index(of id: ColumnID) -> Int? {
        guard let place = place(of: id), !all[place].isHidden else { return nil }
        return visiblePlaces.indices.partitioningIndex { visiblePlaces[$0] >= place }
    }

    /// The place of a column among all columns. O(1) if the place equals the id, as it does before columns are moved; otherwise O(columns).
    public func place(of id: ColumnID) -> Int? {
        if all.indices.contains(id.rawValue), all[id.rawValue].id == id { return id.rawValue }
        return all.firstIndex { $0.id == id }
    }

    // MARK: Changes

    /// Changes the column with this id; no effect if it is missing.
    public mutating func update(_ id: ColumnID, _ change: (inout Column) -> Void) {
        guard let place = place(of: id) else { return }
        change(&all[place])
        refresh()
    }

    /// Changes every column.
    public mutating func updateAll(_ change: (inout Column) -> Void) {
        for place in all.indices { change(&all[place]) }
        refresh()
    }

    /// Appends a column with a new id. O(columns).
    public mutating func append(_ column: Column) { insert(column, at: all.count) }

    /// Appends columns with new ids. O(columns).
    public mutating func append(contentsOf columns: [Column]) {
        all += columns
        refresh()
    }

    /// Inserts a column with a new id before the column at `place`. O(columns).
    public mutating func insert(_ column: Column, at place: Int) {
        precondition(self.place(of: column.id) == nil, "two columns with the id \(column.id.rawValue)")
        all.insert(column, at: place.clamped(to: 0...all.count))
        refresh()
    }

    /// Inserts columns with new ids before the column at `place`. O(columns).
    public mutating func insert(contentsOf columns: [Column], at place: Int) {
        all.insert(contentsOf: columns, at: place.clamped(to: 0...all.count))
        refresh()
    }

    /// Removes a column; no effect if it is missing. O(columns).
    @discardableResult
    public mutating func remove(_ id: ColumnID) -> Column? {
        guard let place = place(of: id) else { return nil }
        defer { refresh() }
        return all.remove(at: place)
    }

    /// Moves a visible column to `index` among the visible ones. O(columns).
    public mutating func move(_ id: ColumnID, toIndex index: Int) {
        guard let from = self.index(of: id), let place = place(of: id) else { return }
        let target = index.clampedIndex(count)
        guard target != from else { return }
        let neighbor = all[visiblePlaces[target]].id
        let column = all.remove(at: place)
        let there = all.firstIndex { $0.id == neighbor }!
        all.insert(column, at: target > from ? there + 1 : there)
        refresh()
    }
}
