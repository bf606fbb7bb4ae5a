import EngineClient
import EngineProtocol
import FieldValues
import Locks
import SQLTables
public import Tables

/// A table, a view or a statement on a server as an open input.
///
/// Opening fetches the first page. ``readAll(threads:priority:progress:)`` counts the rows. Other pages are fetched when they are shown.
public final class ServerTableSource: TableSource {
    /// The name of the table.
    public let name: String
    let database: ServerDatabase
    let table: ServerTable
    let dialect: SQLDialect
    /// The rows in the order of the table.
    let base: ServerOrder
    let pages: PageCache
    /// Far rows at approximate positions, for the scroll bar.
    let sampledRows: SampledRows
    let meanRecordBytes: Int
    private let sampleProfiles: [ColumnProfile]
    private let state = Mutex(State())

    private struct State {
        var orders: [Int: ServerOrder] = [:]
        var lastOrder = 0
        var notes: [String] = []
        var identities: [Int: RowKey] = [:]
        var hasNaN = false
        var isCounting = false
        /// An estimate from the server's plan or from the keys of the first and the last rows. It is used if the catalog has no estimate.
        var estimatedRows: Double?
    }

    /// The number of orders that are kept for undo.
    private static let orderLimit = 200

    /// The number of latest orders whose row keys are kept.
    private static let keyedOrderLimit = 4

    /// Opens a table and fetches its first page.
    /// - Throws: ``ServerError``.
    init(
        _ name: String, _ table: ServerTable, in database: ServerDatabase, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        (self.name, self.table, self.database) = (name, table, database)
        dialect = try database.dialect(isCancelled: isCancelled)
        let query = try CompiledQuery(Query(), of: table, in: dialect)
        base = ServerOrder(0, query, columnCount: table.columns.count, count: nil, in: database)
        // The pages of wide tables have fewer rows, but enough for a screen.
        var pageRows = table.columns.count > 64 ? 64 : 256
        let time = EnginePlatform.secondsSince1970()
        let rows = try base.rows(0..<pageRows, isCancelled: isCancelled)
        let bytes = rows.reduce(0) { $0 + Record($1).fields.reduce(0) { $0 + $1.text.utf8.count + 1 } }
        meanRecordBytes = max(16, bytes / max(1, rows.count))
        // Make pages of at most about 2 MiB, unless later rows are much longer than the first rows.
        while pageRows > 32, pageRows * meanRecordBytes > 2 << 20 { pageRows /= 2 }
        // The cache takes at least 32 bytes per cell.
        let rowBytes = meanRecordBytes + 64 + 32 * table.columns.count
        pages = PageCache(pageRows: pageRows, rowBytes: rowBytes)
        sampledRows = SampledRows(in: database, pages, rowBytes: rowBytes)
        if rows.count < pageRows { base.setCount(rows.count) } else { base.addKnownRows(upTo: rows.count) }
        // Columns need room for the longest numbers, which are usually in the last rows. In tables with a key, blocks or counted row
        // numbers, the server finds these rows quickly.
        let findsLastRows = table.shortestKey != nil || base.query.usesBlocks || dialect.family == .sqlite && base.query.hasUniqueOrder
        let last = rows.count == pageRows && findsLastRows ? try base.lastRows(20, isCancelled: isCancelled) : []
        let findsCounted = rows.count == pageRows && !findsLastRows && base.query.countsRowIDs
        let counted = findsCounted ? try base.lastCountedRows(20, isCancelled: isCancelled) : []
        let memory = MemoryTable((rows + last + counted).map { row in Record(row).fields.map { $0.isMissing ? nil : $0.text } })
        let columns = Array(table.columns.indices)
        var profiles =
            rows.isEmpty
            ? columns.map { _ in ColumnProfile() } : memory.profiles(of: columns, notation: .point) { table.columns[$0].name }
        // The types of the server take precedence over guesses.
        for (index, column) in table.columns.enumerated() where index < profiles.count {
            if dialect.family == .sqlite {
                // Use the same kinds as for files of SQLite that gridview reads itself.
                profiles[index] = SQLiteColumnType(column.type.name).declared(profiles[index], title: column.name)
                continue
            }
            let kind = column.type.kind
            if kind != .text || column.hasUniformType && column.type.storage != .dynamic { profiles[index].kind = kind }
        }
        sampleProfiles = profiles
        let isCounted = base.knownRowCount.isComplete
        let fileSize =
            dialect.family == .sqlite && !isCounted
            ? try database.rows(CatalogStatistics.fileSize, isCancelled: isCancelled).first?.first?.number : nil
        let estimate = Self.estimatedRows(first: rows, last: last, fileSize: fileSize)
        state.withLock { $0.estimatedRows = estimate }
        pages.add(rows, of: base, for: 0..<pageRows, requestedAt: time)
    }

    /// The number of rows of the table, estimated from the keys of the first and the last rows. `nil` unless the keys are dense whole
    /// numbers.
    /// - Parameter fileSize: the size of a file of SQLite in bytes.
    private static func estimatedRows(first: [PageRow], last: [PageRow], fileSize: Int64?) -> Double? {
        func keyRun(of rows: [PageRow]) -> KeyRun? {
            let ends = [rows.first, rows.last].compactMap { row -> Double? in
                guard let values = row?.key.values, values.count == 1 else { return nil }
                return values[0].number.map { Double($0) }
            }
            return ends.count == 2 ? KeyRun(count: rows.count, low: ends[0], high: ends[1]) : nil
        }
        guard let first = keyRun(of: first), let last = keyRun(of: last) else { return nil }
        return KeyRun.estimatedRowCount(first: first, last: last, byteCount: fileSize.map { Double($0) })
    }

    // MARK: Orders

    func order(_ number: Int) -> ServerOrder? { number == 0 ? base : state.withLock { $0.orders[number] } }

    /// Creates an order. Removes the oldest orders beyond the limit.
    func addOrder(
        _ query: CompiledQuery, segments: [OrderSegments.Segment] = [], areSectionsSortedByValue: Bool = false,
        sectionsStatement: SQLStatement? = nil,
        count: Int? = nil, hasAllRows: Bool = true, indexScanTimeLimit: UInt32? = nil
    ) -> ServerOrder {
        state.withLock { state in
            state.lastOrder += 1
            let order = ServerOrder(
                state.lastOrder, query, columnCount: table.columns.count, segments: segments,
                areSectionsSortedByValue: areSectionsSortedByValue, sectionsStatement: sectionsStatement,
                count: count, hasAllRows: hasAllRows, indexScanTimeLimit: indexScanTimeLimit, in: database)
            if count == nil, hasAllRows, query.cutCellsQuery.query.filters.isEmpty { order.shareCount(of: base) }
            state.orders[state.lastOrder] = order
            state.orders[state.lastOrder - Self.orderLimit] = nil
            state.orders[state.lastOrder - Self.keyedOrderLimit]?.forgetKeys()
            for note in query.cutCellsQuery.notes where !state.notes.contains(note) { state.notes.append(note) }
            return order
        }
    }

    /// The order of the last query.
    var latestOrder: ServerOrder { state.withLock { $0.orders[$0.lastOrder] } ?? base }

    /// True if an aggregate was NaN. Later aggregates are then computed with a test for NaN of each value.
    var hasNaN: Bool { state.withLock { $0.hasNaN } }

    func setHasNaN() { state.withLock { $0.hasNaN = true } }

    // MARK: Identities

    /// The identities of rows, which can belong to different orders. Identities that are neither kept nor in a cached page come from the
    /// server. Rows that no longer exist are left out. Only for tables with a key.
    /// - Throws: ``ServerError/fewerRows`` if the table has become shorter, and the identities of other rows would be wrong.
    func identities(ofRows rows: [Int], isCancelled: () -> Bool) throws -> [Int: RowKey] {
        let kept = state.withLock { $0.identities }
        var identities: [Int: RowKey] = [:]
        var runs: [Range<Int>] = []
        for row in Set(rows).sorted() {
            let (number, position) = (row >> ServerSnapshot.positionBits, row & (1 << ServerSnapshot.positionBits - 1))
            if let identity = kept[row] ?? pages.identity(ofRow: position, inOrder: number) {
                identities[row] = identity
            } else if runs.last?.upperBound == row {
                runs[runs.count - 1] = runs[runs.count - 1].lowerBound..<row + 1
            } else {
                runs.append(row..<row + 1)
            }
        }
        for run in runs {
            guard let order = order(run.lowerBound >> ServerSnapshot.positionBits) else { continue }
            let first = ServerSnapshot.firstRow(ofOrder: order.number)
            let found = try order.identities(run.lowerBound - first..<run.upperBound - first, isCancelled: isCancelled)
            for (row, identity) in zip(run, found) { identities[row] = identity }
        }
        return identities
    }

    /// Stores the identities of rows, because the positions of rows can change, and pages can be removed. Replaces the identities of the
    /// last call.
    func storeIdentities(_ identities: [Int: RowKey]) { state.withLock { $0.identities = identities } }

    // MARK: TableSource

    /// Always `nil`: a table on a server is not a file.
    public var path: String? { nil }
    /// The connection URL without secrets; `nil` for a statement.
    public var location: String? {
        guard case .table(let names) = table.source else { return nil }
        var target = database.target
        target.table = names
        return target.description
    }
    /// The size of the table on the server, without its indexes. If it is unknown, an estimate.
    public var byteCount: Int { table.blockCount.map { max(1, Int($0) * 8_192) } ?? max(1, base.knownRowCount.count * meanRecordBytes) }
    /// The same as ``byteCount``.
    public var indexedByteCount: Int { byteCount }
    /// Always `false`.
    public var isGrowing: Bool { false }
    /// The number of columns of the table.
    public var columnCount: Int { table.columns.count }
    /// Always `true`.
    public var hasColumnNames: Bool { true }
    /// Always `true`: servers have null values.
    public var hasNulls: Bool { true }
    /// The name of a column.
    public func title(ofColumn column: Int) -> String { table.columns.indices.contains(column) ? table.columns[column].name : "" }
    /// The profiles of the columns in the first page, with the types of the server.
    public func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { sampleProfiles }
    /// The profiles of the columns from the index `first` on.
    public func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] { Array(sampleProfiles.dropFirst(first)) }
    /// The rows that are known now. O(1).
    public func snapshot() -> ServerSnapshot { ServerSnapshot(self) }
    /// Sets the function that is called when pages arrive.
    public func setRecordsArrivedHandler(_ notify: @escaping @Sendable () -> Void) {
        pages.setRecordsArrivedHandler(notify)
        sampledRows.setRecordsArrivedHandler(notify)
    }

    /// Shows rows near a value from the statistics of PostgreSQL, if the row is far and an index of the server sorts the rows.
    public func beginSampling(atRow row: Int) -> Range<Int>? {
        guard row >= 0, let order = order(row >> ServerSnapshot.positionBits) else { return nil }
        let first = ServerSnapshot.firstRow(ofOrder: order.number)
        guard let range = sampledRows.begin(at: row - first, of: order, estimatedCount: estimatedRecordCount) else { return nil }
        return first + range.lowerBound..<first + range.upperBound
    }

    /// Shows the rows at their exact positions.
    public func endSampling() { sampledRows.end() }

    /// The state of counting the rows before the sampled rows.
    public func sampledPositions(showing rows: Range<Int>) -> SampledPositions {
        guard rows.lowerBound >= 0, let order = order(rows.lowerBound >> ServerSnapshot.positionBits) else { return .none }
        let first = ServerSnapshot.firstRow(ofOrder: order.number)
        return sampledRows.correction(of: rows.lowerBound - first..<rows.upperBound - first)
    }

    /// Fetches the last rows of the table in reverse order.
    /// - Throws: `UnknownEndError` if the rows have no definite order, or ``ServerError``.
    public func tail(atLeast count: Int) throws -> TailRecords { try tail(ofQueryStartingAt: 0, atLeast: count) { false } }

    /// An estimate of the number of rows: from the server's statistics, which can be outdated, otherwise from its plan or from the keys of
    /// the first and the last rows.
    public var estimatedRecordCount: Int? {
        let found = [table.estimatedRows, state.withLock { $0.estimatedRows }].compactMap { $0 }
        return found.first { $0 >= 1 }.map { Int(min($0, 1e15)) }
    }

    /// Counts the rows on the server. If no estimate is known, first asks the server for one.
    /// - Throws: ``ServerError``.
    public func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        guard !base.knownRowCount.isComplete else { return }
        let total = byteCount
        var lastReport = ContinuousClock.now - .seconds(1)
        let isCancelled = {
            guard lastReport.duration(to: .now) >= .milliseconds(100) else { return false }
            lastReport = .now
            return !progress(ReadProgress(bytesDone: 0, bytesTotal: total, records: self.base.knownRowCount.count))
        }
        do {
            if estimatedRecordCount == nil {
                let estimate = try database.estimatedRowCount(of: base.query, isCancelled: isCancelled)
                state.withLock { $0.estimatedRows = estimate.map { Double($0) } }
            }
            _ = try countRows(isCancelled: isCancelled)
        } catch is ServerDatabase.Interrupted {
            return
        } catch let error as ServerError {
            throw error.forOpenTable
        }
        _ = progress(ReadProgress(bytesDone: total, bytesTotal: total, records: base.knownRowCount.count))
    }

    /// The exact number of rows. The server counts them only once: other threads wait for the thread that counts. The count ends early if a
    /// query finds the number first.
    func countRows(isCancelled: () -> Bool) throws -> Int {
        while !base.knownRowCount.isComplete {
            let isFirst = state.withLock { state in
                defer { state.isCounting = true }
                return !state.isCounting
            }
            guard isFirst else {
                if isCancelled() { throw ServerDatabase.Interrupted() }
                _ = EnginePlatform.wait(-1, 0, milliseconds: 10)
                continue
            }
            defer { state.withLock { $0.isCounting = false } }
            guard !base.knownRowCount.isComplete else { break }
            let statement = try compiling { () throws(SQLLimitations) in try base.query.count() }
            do {
                base.setCount(try database.fetchNumber(statement) { isCancelled() || base.knownRowCount.isComplete })
            } catch is ServerDatabase.Interrupted where base.knownRowCount.isComplete {
                break
            }
        }
        return base.knownRowCount.count
    }

    /// True if the last request to the database has failed with advice to reload the table.
    public var needsReload: Bool { database.needsReload }

    /// The error if the number of rows has changed since they were counted, or if the connection was lost while they were counted again.
    public func consumeFailure() -> String? { pages.consumeFailure()?.message }

    /// Always `true`.
    public var canSeek: Bool { true }

    /// Always `true`.
    public var canBeQueriedWhileIncomplete: Bool { true }

    /// Fetches the page of a row and the next page. If the row does not exist, counts the rows.
    /// - Throws: ``ServerError``.
    public func seek(toRecord record: Int, isCancelled: () -> Bool) throws {
        try seek(toPosition: record, ofQueryStartingAt: 0, isCancelled: isCancelled)
    }

    /// The server, the table and its key.
    public var details: [(name: String, value: String)] {
        var details: [(String, String)] = [("format", "\(dialect.name) table")]
        if let info = database.info {
            details[0].1 = table.isStatement ? "\(info.product) statement" : "\(info.product) table"
            details.append(("server", [info.product, info.version].filter { !$0.isEmpty }.joined(separator: " ")))
            if let encryption = info.encryptionDetail { details.append(("encryption", encryption)) }
            if let zone = info.properties[ServerInfo.Property.timeZone], !zone.isEmpty { details.append(("time zone", zone)) }
        }
        details.append(("connection", database.target.description))
        if let time = database.snapshotTime { details.append(("snapshot", "\(time); reload the table for a new one")) }
        if let rows = table.estimatedRows { details.append(("estimated rows", NumberText.count(Int(min(rows, 1e18))))) }
        let key = table.keys.first { $0.isPrimary } ?? table.keys.first
        details.append(("key", key.map { $0.columns.map { title(ofColumn: $0) }.joined(separator: ", ") } ?? "none"))
        return details
    }

    /// Warnings about this table: differences from the local engine, the server's warning, and a missing key.
    public var problems: [String] {
        var problems = state.withLock { $0.notes }
        if let warning = database.info?.properties["warning"], !warning.isEmpty { problems.append(warning) }
        if base.query.keyCount == 0 { problems.append("the rows have no key, so their order can change between pages") }
        return problems
    }
}

extension ServerInfo {
    /// The encryption, with advice unless the server's certificate and name are verified; `nil` without encryption.
    var encryptionDetail: String? {
        guard let encryption = properties[Property.encryption], !encryption.isEmpty else { return nil }
        let mode = properties[Property.encryptionMode] ?? "verify-full"
        return mode == "verify-full" ? encryption : "\(encryption); sslmode=verify-full also verifies the server"
    }
}

extension ServerTable {
    /// True for the result of a statement.
    var isStatement: Bool {
        if case .statement = source { return true }
        return false
    }
}
