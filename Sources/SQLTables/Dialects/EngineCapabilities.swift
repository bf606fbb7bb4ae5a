/// The features of a database engine that determine the statements it receives.
public struct EngineCapabilities: OptionSet, Hashable, Sendable {
    /// The bits of the features.
    public let rawValue: UInt32

    /// Creates a set from bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Comparisons of rows, such as `(a, b) > (1, 2)`, use an index.
    public static let rowComparison = EngineCapabilities(rawValue: 1 << 0)
    /// Rows have a physical address, `ctid`, by which ranges of blocks are selected.
    public static let blockPages = EngineCapabilities(rawValue: 1 << 1)
    /// Tables without a key have row numbers, `rowid`.
    public static let rowIDs = EngineCapabilities(rawValue: 1 << 2)
    /// `UNION ALL` returns the rows of its operands in order, and runs an operand only if its rows are needed.
    public static let orderedUnion = EngineCapabilities(rawValue: 1 << 3)
    /// Sort keys can have `NULLS FIRST` and `NULLS LAST`.
    public static let nullOrder = EngineCapabilities(rawValue: 1 << 4)
    /// The catalog and the planner estimate row counts.
    public static let estimate = EngineCapabilities(rawValue: 1 << 5)
    /// The catalog contains statistics of columns.
    public static let columnStatistics = EngineCapabilities(rawValue: 1 << 6)
    /// Regular expressions.
    public static let regex = EngineCapabilities(rawValue: 1 << 7)
    /// Exact decimal arithmetic of any size.
    public static let exactDecimals = EngineCapabilities(rawValue: 1 << 8)
    /// Date and time types.
    public static let temporalTypes = EngineCapabilities(rawValue: 1 << 9)
    /// Quantiles and standard deviations.
    public static let quantiles = EngineCapabilities(rawValue: 1 << 10)
    /// `EXPLAIN` as JSON with estimated rows.
    public static let explainJSON = EngineCapabilities(rawValue: 1 << 11)
    /// A statement without a sort can return its rows in a different order each time.
    public static let unorderedScans = EngineCapabilities(rawValue: 1 << 12)
    /// A subquery that ends with `OFFSET 0` is planned on its own: the sort around it does not choose its index.
    public static let filterFence = EngineCapabilities(rawValue: 1 << 13)
    /// Row numbers ascend from 0, and a range of them is counted without reading its rows.
    public static let countedRowIDs = EngineCapabilities(rawValue: 1 << 14)

    /// PostgreSQL 14 and later; tested with 15.
    public static let postgreSQL: EngineCapabilities = [
        .rowComparison, .blockPages, .orderedUnion, .nullOrder, .estimate, .columnStatistics, .regex, .exactDecimals, .temporalTypes,
        .quantiles, .explainJSON, .filterFence,
    ]
    /// SQLite 3.30 and later; tested with 3.40. The helper adds regular expressions.
    public static let sqlite: EngineCapabilities = [.rowComparison, .rowIDs, .orderedUnion, .nullOrder, .regex]
    /// DuckDB; tested with 2.0 through its Python module.
    public static let duckDB: EngineCapabilities = [.rowIDs, .countedRowIDs, .nullOrder, .regex, .temporalTypes, .quantiles]
    /// Spark and Sail; tested with Sail 0.7.
    public static let spark: EngineCapabilities = [.nullOrder, .regex, .temporalTypes, .unorderedScans]

    // The following sets come from documentation. They are untested, because no server was available.

    /// Citus: tables are distributed, so row addresses are not unique. Documented, not tested.
    public static let citus = EngineCapabilities.postgreSQL.subtracting([.blockPages, .columnStatistics, .filterFence])
    /// CockroachDB: no row addresses, no planner estimates as JSON. Documented, not tested.
    public static let cockroachDB = EngineCapabilities.postgreSQL.subtracting([
        .blockPages, .columnStatistics, .explainJSON, .filterFence,
    ])
    /// YugabyteDB: no row addresses; parts of unions may run in parallel. Documented, not tested.
    public static let yugabyteDB = EngineCapabilities.postgreSQL.subtracting([.blockPages, .filterFence])
    /// Redshift: a column store without indexes. Documented, not tested.
    public static let redshift = EngineCapabilities.postgreSQL.subtracting([
        .rowComparison, .blockPages, .orderedUnion, .columnStatistics, .explainJSON, .filterFence,
    ])
    /// Greenplum: segments number their rows separately, and unions are gathered in any order. Documented, not tested.
    public static let greenplum = EngineCapabilities.postgreSQL.subtracting([.blockPages, .orderedUnion, .filterFence])
}
