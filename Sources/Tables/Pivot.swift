import FieldValues

/// A pivot table: a query whose groups are shown in two directions.
///
/// Each combination of values of the row fields is a row, and each value of the column field is a column. A cell has the values of the
/// rows that belong to its row and its column. Ordinary queries compute the groups, so every engine can compute a pivot table.
public struct Pivot: Hashable, Codable, Sendable {
    /// The row fields, outermost first. Without row fields, the pivot table has one row.
    public var rows: [Query.GroupKey]
    /// The field whose values become columns.
    public var column: Query.GroupKey
    /// The aggregates to compute. Values and the order of rows and columns use them by index.
    public var aggregates: [Query.Aggregate]
    /// The values of a cell, in the order of their columns; at least one.
    public var values: [Value]

    /// A value of a cell.
    public enum Value: Hashable, Codable, Sendable {
        /// The number of rows.
        case rowCount
        /// The aggregate at this index of ``Pivot/aggregates``.
        case aggregate(Int)
    }

    /// Creates a pivot table.
    public init(rows: [Query.GroupKey], column: Query.GroupKey, aggregates: [Query.Aggregate] = [], values: [Value] = [.rowCount]) {
        (self.rows, self.column, self.aggregates, self.values) = (rows, column, aggregates, values)
    }

    /// The query that computes the cells. The groups of the column field are outermost, so that there are few outer groups: a server
    /// fetches the groups of each outer group separately.
    /// - Parameter base: the derived fields, the filters, and the sort keys that determine the first and the last row of a group.
    public func query(of base: Query) -> Query {
        // The order of rows is that of `rowQuery(of:)`.
        groups(of: base, by: [column] + rows.map(\.orderedByValue))
    }

    /// The query that finds the rows of the pivot table and their order.
    public func rowQuery(of base: Query) -> Query {
        var query = groups(of: base, by: rows)
        let needsAggregates = rows.contains { if case .aggregate = $0.order { true } else { false } }
        if !needsAggregates { query.aggregates = [] }
        return query
    }

    private func groups(of base: Query, by keys: [Query.GroupKey]) -> Query {
        var query = base
        (query.groups, query.aggregates, query.needsRows, query.rowLimit) = (keys, aggregates, false, nil)
        if !aggregates.contains(where: \.function.returnsCell) { query.sort = [] }
        return query
    }
}

extension Query.GroupKey {
    fileprivate var orderedByValue: Query.GroupKey {
        var key = self
        key.order = .value
        return key
    }
}
