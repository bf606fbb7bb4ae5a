/// The features of a database engine that determine the statements it receives.
public struct EngineCapabilities: OptionSet, Hashable, Sendable {
    /// The bits of the features.
    public let rawValue: UInt32

    /// Creates a set from bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Keyset pagination: pages by key are fast if an index provides the order.
    public static let keysetPages = EngineCapabilities(rawValue: 1 << 0)
    /// `(a, b) > (1, 2)` uses an index.
    public static let rowComparison = EngineCapabilities(rawValue: 1 << 1)
    /// Rows have a physical address, `ctid`, by which ranges of blocks are selected.
    public static let blockPages = EngineCapabilities(rawValue: 1 << 2)
    /// Tables without a key have row numbers, `rowid`.
    public static let rowIDs = EngineCapabilities(rawValue: 1 << 3)
    /// `UNION ALL` returns its parts in order and does not run parts that are not needed.
    public static let orderedUnion = EngineCapabilities(rawValue: 1 << 4)
    /// `NULLS FIRST` and `NULLS LAST`.
    public static let nullOrder = EngineCapabilities(rawValue: 1 << 5)
    /// A transaction sees one snapshot of all tables.
    public static let snapshot = EngineCapabilities(rawValue: 1 << 6)
    /// Temporary tables can store a sorted result.
    public static let temporaryTables = EngineCapabilities(rawValue: 1 << 7)
    /// The catalog and the planner estimate row counts.
    public static let estimate = EngineCapabilities(rawValue: 1 << 8)
    /// The catalog contains statistics of columns.
    public static let columnStatistics = EngineCapabilities(rawValue: 1 << 9)
    /// Regular expressions.
    public static let regex = EngineCapabilities(rawValue: 1 << 11)
    /// Exact decimal arithmetic of any size.
    public static let exactDecimals = EngineCapabilities(rawValue: 1 << 12)
    /// Date and time types.
    public static let temporalTypes = EngineCapabilities(rawValue: 1 << 13)
    /// Quantiles and standard deviations.
    public static let quantiles = EngineCapabilities(rawValue: 1 << 14)
    /// A running statement can be cancelled.
    public static let serverCancel = EngineCapabilities(rawValue: 1 << 15)
    /// `EXPLAIN` as JSON with estimated rows.
    public static let explainJSON = EngineCapabilities(rawValue: 1 << 16)
    /// A statement without a sort can return its rows in another order each time.
    public static let unorderedScans = EngineCapabilities(rawValue: 1 << 17)

    /// PostgreSQL 14 and later; tested with 15.
    public static let postgreSQL: EngineCapabilities = [
        .keysetPages, .rowComparison, .blockPages, .orderedUnion, .nullOrder, .snapshot, .temporaryTables, .estimate, .columnStatistics,
        .regex, .exactDecimals, .temporalTypes, .quantiles, .serverCancel, .explainJSON,
    ]
    /// SQLite 3.30 and later; tested with 3.40. The helper adds regular expressions.
    public static let sqlite: EngineCapabilities = [
        .keysetPages, .rowComparison, .rowIDs, .orderedUnion, .nullOrder, .snapshot, .regex, .serverCancel,
    ]
    /// DuckDB; tested with 2.0 through its Python module.
    public static let duckDB: EngineCapabilities = [
        .rowIDs, .nullOrder, .snapshot, .temporaryTables, .regex, .temporalTypes, .quantiles, .serverCancel,
    ]
    /// Spark and Sail; tested with Sail 0.7.
    public static let spark: EngineCapabilities = [
        .nullOrder, .temporaryTables, .regex, .temporalTypes, .serverCancel, .unorderedScans,
    ]

    // The following sets come from documentation. They are untested, because no server was available.

    /// Citus: tables are distributed, so row addresses are not unique. Documented, not tested.
    public static let citus = EngineCapabilities.postgreSQL.subtracting([.blockPages, .columnStatistics])
    /// CockroachDB: no row addresses, no planner estimates as JSON. Documented, not tested.
    public static let cockroachDB = EngineCapabilities.postgreSQL.subtracting([
        .blockPages, .columnStatistics, .explainJSON, .temporaryTables,
    ])
    /// YugabyteDB: no row addresses; parts of unions may run in parallel. Documented, not tested.
    public static let yugabyteDB = EngineCapabilities.postgreSQL.subtracting([.blockPages])
    /// Redshift: a column store without indexes. Documented, not tested.
    public static let redshift = EngineCapabilities.postgreSQL.subtracting([
        .keysetPages, .rowComparison, .blockPages, .orderedUnion, .columnStatistics, .explainJSON,
    ])
    /// Greenplum: segments number their rows separately, and unions are gathered in any order. Documented, not tested.
    public static let greenplum = EngineCapabilities.postgreSQL.subtracting([.blockPages, .orderedUnion])
}
