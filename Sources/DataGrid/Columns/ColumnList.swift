import FieldValues

/// The columns of a grid in the order shown, hidden ones included.
///
/// Two numberings: a *place* counts all columns, an *index* only those that are not hidden. What is on the screen is counted by index.
public struct ColumnList: Hashable, Sendable {
    /// All columns, hidden ones included, in order.
    public private(set) var all: [Column]
    /// The places of the columns that are not hidden.
    public private(set) var visiblePlaces: [Int]

    /// Columns in the order given; their ids must differ. O(columns).
    public init(_ columns: [Column] = []) {
        all = columns
        visiblePlaces = []
        refresh()
    }

    private mutating func refresh() {
        visiblePlaces = all.indices.filter { !all[$0].isHidden }
    }

    /// The number of columns that are not hidden.
    public var count: Int { visiblePlaces.count }

    /// The visible column at `index`.
    public subscript(index: Int) -> Column { all[visiblePlaces[index]] }

    /// The visible columns, in order.
    public var visible: [Column] { visiblePlaces.count == all.count ? all : visiblePlaces.map { all[$0] } }

    /// The column with this id. As ``place(of:)``.
    public subscript(id: ColumnID) -> Column? { place(of: id).map { all[$0] } }

    /// Where the column stands among the visible ones; `nil` when it is hidden or not there. As ``place(of:)``, and O(log columns).
    public func index(of id: ColumnID) -> Int? {
        guard let place = place(of: id), !all[place].isHidden else { return nil }
        return visiblePlaces.indices.partitioningIndex { visiblePlaces[$0] >= place }
    }

    /// Where the column stands among all. O(1) for one that stands where its id says, as those of a source do until they are moved;
    /// otherwise O(columns).
    public func place(of id: ColumnID) -> Int? {
        if all.indices.contains(id.rawValue), all[id.rawValue].id == id { return id.rawValue }
        return all.firstIndex { $0.id == id }
    }

    // MARK: Changing

    /// Changes the column with this id; nothing when there is none.
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

    /// Adds a column at the end; its id must differ from all there are. O(columns).
    public mutating func append(_ column: Column) { insert(column, at: all.count) }

    /// Adds columns at the end; their ids must differ from all there are. O(columns).
    public mutating func append(contentsOf columns: [Column]) {
        all += columns
        refresh()
    }

    /// Inserts a column before the one at `place`; its id must differ from all there are. O(columns).
    public mutating func insert(_ column: Column, at place: Int) {
        precondition(self.place(of: column.id) == nil, "two columns with the id \(column.id.rawValue)")
        all.insert(column, at: place.clamped(to: 0...all.count))
        refresh()
    }

    /// Inserts columns before the one at `place`; their ids must differ from all there are. O(columns).
    public mutating func insert(contentsOf columns: [Column], at place: Int) {
        all.insert(contentsOf: columns, at: place.clamped(to: 0...all.count))
        refresh()
    }

    /// Takes a column away; nothing happens when there is none. O(columns).
    @discardableResult
    public mutating func remove(_ id: ColumnID) -> Column? {
        guard let place = place(of: id) else { return nil }
        defer { refresh() }
        return all.remove(at: place)
    }

    /// Takes the column at `place` away; nothing happens when there is none. O(columns).
    @discardableResult
    public mutating func remove(atPlace place: Int) -> Column? {
        guard all.indices.contains(place) else { return nil }
        return remove(all[place].id)
    }

    /// Moves a visible column so that it stands at `index` among the visible ones afterwards. O(columns).
    public mutating func move(_ id: ColumnID, toIndex index: Int) {
        guard let from = self.index(of: id), let place = place(of: id) else { return }
        let target = index.clampedIndex(count)
        guard target != from else { return }
        let neighbour = all[visiblePlaces[target]].id
        let column = all.remove(at: place)
        let there = all.firstIndex { $0.id == neighbour }!
        all.insert(column, at: target > from ? there + 1 : there)
        refresh()
    }
}
