import FieldValues

/// The columns of a grid in display order, including hidden ones.
///
/// A *place* counts all columns; an *index* counts only visible columns, as on the screen. Columns frozen at the left come first, and
/// columns frozen at the right come last. A column whose ``Column/frozenSide`` changes moves next to the border between frozen and
/// scrolling columns.
public struct ColumnList: Hashable, Sendable {
    /// All columns in display order, including hidden columns.
    public private(set) var all: [Column]
    /// The places of the visible columns: their indices in ``all``, ascending.
    public private(set) var visiblePlaces: [Int]
    /// The number of visible columns that are frozen at the left. At least one visible column is not frozen.
    private(set) var leadingCount = 0
    /// The number of visible columns that are frozen at the right.
    private(set) var trailingCount = 0

    /// Creates a list of columns, whose ids must be distinct. O(columns).
    public init(_ columns: [Column] = []) {
        all = columns
        visiblePlaces = []
        updateOrderAndCounts()
    }

    private mutating func updateOrderAndCounts() {
        if all.indices.dropFirst().contains(where: { Self.rank(all[$0 - 1].frozenSide) > Self.rank(all[$0].frozenSide) }) {
            all = (0...2).flatMap { rank in all.filter { Self.rank($0.frozenSide) == rank } }
        }
        visiblePlaces = all.indices.filter { !all[$0].isHidden }
        (leadingCount, trailingCount) = Self.frozenCounts(visiblePlaces.lazy.map { [all] in all[$0].frozenSide })
    }

    private static func rank(_ side: ColumnSide?) -> Int {
        switch side {
        case .leading: 0
        case nil: 1
        case .trailing: 2
        }
    }

    /// The numbers of columns frozen at the left and at the right, reduced if necessary so that at least one visible column scrolls.
    /// - Parameter sides: the ``Column/frozenSide`` of each visible column.
    static func frozenCounts(_ sides: some Sequence<ColumnSide?>) -> (leading: Int, trailing: Int) {
        var (count, leading, trailing) = (0, 0, 0)
        for side in sides {
            count += 1
            switch side {
            case .leading: leading += 1
            case .trailing: trailing += 1
            case nil: break
            }
        }
        leading = min(leading, max(0, count - 1))
        return (leading, min(trailing, max(0, count - 1 - leading)))
    }

    /// The number of visible columns.
    public var count: Int { visiblePlaces.count }

    /// The visible column at `index`, which counts visible columns from 0.
    public subscript(index: Int) -> Column { all[visiblePlaces[index]] }

    /// The visible columns, in order.
    public var visible: [Column] { visiblePlaces.count == all.count ? all : visiblePlaces.map { all[$0] } }

    /// The column with this id; `nil` if there is no such column. The cost is that of ``place(of:)``.
    public subscript(id: ColumnID) -> Column? { place(of: id).map { all[$0] } }

    /// The index of a column among the visible columns; `nil` if it is hidden or missing.
    ///
    /// The cost is O(log columns) plus that of ``place(of:)``.
    public func index(of id: ColumnID) -> Int? {
        guard let place = place(of: id), !all[place].isHidden else { return nil }
        return visiblePlaces.indices.partitioningIndex { visiblePlaces[$0] >= place }
    }

    /// The place of a column: its index in ``all``; `nil` if there is no such column.
    ///
    /// O(1) if the place equals the number of the id, as it does before columns are moved; otherwise O(columns).
    public func place(of id: ColumnID) -> Int? {
        if all.indices.contains(id.rawValue), all[id.rawValue].id == id { return id.rawValue }
        return all.firstIndex { $0.id == id }
    }

    // MARK: Changes

    /// Changes the column with this id; no effect if it is missing.
    public mutating func update(_ id: ColumnID, _ change: (inout Column) -> Void) {
        guard let place = place(of: id) else { return }
        change(&all[place])
        updateOrderAndCounts()
    }

    /// Changes every column.
    public mutating func updateAll(_ change: (inout Column) -> Void) {
        for place in all.indices { change(&all[place]) }
        updateOrderAndCounts()
    }

    /// Appends a column. Its id must be new. O(columns).
    public mutating func append(_ column: Column) { insert(column, at: all.count) }

    /// Appends columns. Their ids must be new. O(columns).
    public mutating func append(contentsOf columns: [Column]) { insert(contentsOf: columns, at: all.count) }

    /// Inserts a column before the column at `place`, an index in ``all``. The id of the inserted column must be new. O(columns).
    public mutating func insert(_ column: Column, at place: Int) {
        precondition(self.place(of: column.id) == nil, "two columns with the id \(column.id.rawValue)")
        insert(contentsOf: [column], at: place)
    }

    /// Inserts columns before the column at `place`, an index in ``all``. The ids of the inserted columns must be new. Columns inserted
    /// between frozen columns are frozen. O(columns).
    public mutating func insert(contentsOf columns: [Column], at place: Int) {
        let place = place.clamped(to: 0...all.count)
        let side: ColumnSide? =
            place < all.count && all[place].frozenSide == .leading
            ? .leading : place > 0 && all[place - 1].frozenSide == .trailing ? .trailing : nil
        let new = columns.map { column in
            var column = column
            column.frozenSide = column.frozenSide ?? side
            return column
        }
        all.insert(contentsOf: new, at: place)
        updateOrderAndCounts()
    }

    /// Removes a column; no effect if it is missing. O(columns).
    @discardableResult
    public mutating func remove(_ id: ColumnID) -> Column? {
        guard let place = place(of: id) else { return nil }
        defer { updateOrderAndCounts() }
        return all.remove(at: place)
    }

    /// Moves a visible column to `index` among the visible columns. The moved column gets the frozen side of the column that was at
    /// `index`.
    ///
    /// O(columns).
    public mutating func move(_ id: ColumnID, toIndex index: Int) {
        guard let from = self.index(of: id), let place = place(of: id) else { return }
        let target = index.clampedIndex(count: count)
        guard target != from else { return }
        let neighbor = all[visiblePlaces[target]]
        var column = all.remove(at: place)
        column.frozenSide = neighbor.frozenSide
        let neighborPlace = all.firstIndex { $0.id == neighbor.id }!
        all.insert(column, at: target > from ? neighborPlace + 1 : neighborPlace)
        updateOrderAndCounts()
    }
}
