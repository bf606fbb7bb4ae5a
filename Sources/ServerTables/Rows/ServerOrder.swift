import EngineProtocol
import FieldValues
import Locks
import SQLTables
import Tables

/// The rows of a query in its order, numbered from 0.
///
/// A row is found from the nearest row whose key is known. Keys of fetched pages are kept. When far rows are requested, a job adds the key
/// of every thousandth row, or of fewer rows in tables of more than 50 million.
final class ServerOrder: Sendable {
    /// Rows of one section, or all rows.
    struct Segment: Sendable {
        var section: [GroupValue]
        var start: Int
    }

    /// The number of the order: 0 for the table itself.
    let number: Int
    /// The query that selects only the beginnings of long cells.
    let query: SQLQuery
    /// The query that selects complete cells.
    let completeQuery: SQLQuery
    /// The number of fields of the table, without derived fields.
    let columnCount: Int
    /// False if the order omits some groups of the query, and therefore their rows.
    let hasAllRows: Bool
    let segments: [Segment]
    /// True if the sections are in the order of their values.
    let areByValue: Bool
    /// The statement for the outermost sections; `nil` without sections.
    private let sections: SQLStatement?
    let database: ServerDatabase
    /// The time limit in milliseconds that was given to the initializer for reading an index until enough rows match.
    let givenWalkTimeLimit: UInt32?
    let walkHistory = Mutex(WalkHistory())
    private let state: Mutex<State>

    fileprivate struct State {
        var count: Int
        var isComplete: Bool
        /// Another order with the same rows, whose count is also the count of this order; `nil` for none.
        var countedOrder: ServerOrder?
        var anchors: [Anchor] = []
        var hasSpacedKeys = false
        var frequentValues: Set<SQLValue> = []
    }

    /// A row whose position and key are known. If `isFirstKey` is true, `key` contains only a first sort key, and `position` is that of the
    /// last row before the first row with that key.
    fileprivate struct Anchor {
        var position: Int
        var key: RowKey
        var isFirstKey = false
    }

    /// Once this many keys are known, the keys of further pages are not kept.
    private static let anchorLimit = 100_000
    /// The approximate maximum number of keys at equal distances. Larger tables have greater distances.
    private static let maximumSpacedKeys = 50_000
    /// The maximum number of rows that a server skips to reach a row. To reach farther rows, the keys of every thousandth row are fetched.
    static let skipLimit = 20_000
    /// The time limit in milliseconds of a statement for rows with a frequent value. The server reads the index of the next key. If the
    /// values of that key depend on the frequent value, it first reads many rows with other values.
    static let frequentValueTimeLimit: UInt32 = 2_000

    /// - Parameters:
    ///   - segments: the innermost sections in the order of their rows; empty for all rows.
    ///   - areByValue: true if the sections are in the order of their values.
    ///   - sections: the statement that fetched the outermost sections, if any.
    ///   - count: the number of rows; `nil` if it is not known yet.
    ///   - hasAllRows: false if there are rows in other groups, which are left out.
    ///   - walkTimeLimit: the time limit in milliseconds of reading an index until enough rows match. `nil` for one second, 0.1 s for
    ///     each million rows, and the delay of the network.
    init(
        _ number: Int, _ query: CompiledQuery, columnCount: Int, segments: [Segment] = [], areByValue: Bool = false,
        sections: SQLStatement? = nil, count: Int?, hasAllRows: Bool = true, walkTimeLimit: UInt32? = nil, in database: ServerDatabase
    ) {
        (self.number, self.query, completeQuery, self.columnCount) = (number, query.shown, query.complete, columnCount)
        self.segments = segments.isEmpty ? [Segment(section: [], start: 0)] : segments
        (self.areByValue, self.sections, self.hasAllRows, self.database) = (areByValue, sections, hasAllRows, database)
        givenWalkTimeLimit = walkTimeLimit
        state = Mutex(State(count: count ?? 0, isComplete: count != nil))
    }

    /// True if the rows are in sections.
    var isGrouped: Bool { !segments[0].section.isEmpty }

    /// True if no section starts inside the range. O(log sections).
    func areInOneSection(_ rows: Range<Int>) -> Bool {
        let next = segments.partitioningIndex { $0.start > rows.lowerBound }
        return next == segments.count || segments[next].start >= rows.upperBound
    }

    // MARK: Counts

    /// The number of known rows. `isComplete` is true if these are all rows.
    var known: (count: Int, isComplete: Bool) {
        let (count, isComplete, counted) = state.withLock { ($0.count, $0.isComplete, $0.countedOrder) }
        guard !isComplete, let all = counted?.known, all.isComplete else { return (count, isComplete) }
        return all
    }

    /// Uses the count of another order with the same rows, even if that order is counted later. A count of this order takes precedence.
    func shareCount(of other: ServerOrder) { state.withLock { $0.countedOrder = other } }

    /// Sets the exact number of rows.
    func setCount(_ count: Int) {
        state.withLock { state in (state.count, state.isComplete) = (count, true) }
    }

    /// Records the result of a request for rows: `count` of the requested rows exist. If this is less than requested, they are the last
    /// rows.
    func addKnownRows(_ count: Int, of requested: Range<Int>) {
        state.withLock { state in
            let end = requested.lowerBound + count
            guard !state.isComplete, count > 0 || end == state.count else { return }
            // Blocks may have been added since the table was opened, and the request did not read them.
            // A page before the last known row is shorter if rows were deleted, and is not the end.
            let isEnd = count < requested.count && end >= state.count && !query.usesBlocks
            (state.count, state.isComplete) = isEnd ? (end, true) : (max(state.count, end), false)
        }
    }

    /// Records that all rows up to a position exist.
    func addKnownRows(upTo end: Int) {
        state.withLock { state in if !state.isComplete { state.count = max(state.count, end) } }
    }

    // MARK: Keys

    private func addAnchors(_ rows: [PageRow], from start: Int) {
        guard query.hasUniqueOrder, let last = rows.indices.last else { return }
        for index in Set([0, last]) { addAnchor(Anchor(position: start + index, key: rows[index].key)) }
    }

    private func addAnchor(_ anchor: Anchor) {
        state.withLock { state in
            if state.anchors.count < Self.anchorLimit { state.insert(anchor) }
        }
    }

    /// Adds the key of a row whose position is known.
    func addKnownKey(_ key: RowKey, at position: Int) { addAnchor(Anchor(position: position, key: key)) }

    /// Removes all known keys, to free their memory. Keys that are needed later are fetched again.
    func forgetKeys() {
        state.withLock { state in (state.anchors, state.hasSpacedKeys) = ([], false) }
    }

    /// Records frequent values of the first sort key. A page that starts after a row with such a value then does not read all rows with
    /// the value.
    func addFrequentValues(_ values: Set<SQLValue>) { state.withLock { $0.frequentValues.formUnion(values) } }

    /// The number of leading sort keys that are frequent in the row of a request. It is 1 if the row has a frequent value of the first sort
    /// key, and no index continues with the second key. Otherwise, it is 0.
    private func frequentKeyCount(of request: PageRequest) -> Int {
        guard let value = request.firstValue, query.isIndexedByFirstKeyOnly else { return 0 }
        return state.withLock { $0.frequentValues.contains(value) } ? 1 : 0
    }

    private func forgetFrequentValue(of request: PageRequest) {
        if let value = request.firstValue { state.withLock { _ = $0.frequentValues.remove(value) } }
    }

    /// The query for rows in which this number of leading sort keys is frequent.
    private func query(frequentKeyCount: Int) -> SQLQuery {
        var query = query
        query.frequentKeyCount = frequentKeyCount
        return query
    }

    /// The number of known keys.
    var knownKeyCount: Int { state.withLock { $0.anchors.count } }

    /// The key of the row at a position; `nil` if it is not known.
    private func knownKey(at position: Int) -> RowKey? {
        state.withLock { state in
            let index = state.index(of: position)
            guard index < state.anchors.count, state.anchors[index].position == position else { return nil }
            return state.anchors[index].isFirstKey ? nil : state.anchors[index].key
        }
    }

    /// True if a far row was requested and the keys of every thousandth row are not known. Returns true only once.
    func needsSpacedKeys(for position: Int) -> Bool {
        guard query.hasUniqueOrder, !query.usesBlocks, segments.count == 1, segments[0].section.isEmpty, !filtersFirst else { return false }
        let (count, isComplete) = known
        return state.withLock { state in
            guard !state.hasSpacedKeys, isComplete, count > 2 * Self.skipLimit else { return false }
            let index = state.index(of: position)
            let before = index > 0 ? position - state.anchors[index - 1].position : position
            let hasAfter = index < state.anchors.count && !state.anchors[index].isFirstKey
            let after = hasAfter ? state.anchors[index].position - position : count - position
            guard min(before, after) > Self.skipLimit else { return false }
            state.hasSpacedKeys = true
            return true
        }
    }

    /// True if many rows must be skipped to reach a row, but the server may know a value near it.
    /// - Parameter rowCount: the number of all rows, which is an estimate if they are not counted.
    func isFarAndSampled(_ position: Int, of rowCount: Int) -> Bool {
        guard (0..<rowCount).contains(position), !isGrouped, query.canBeSampled() else { return false }
        let end = known.isComplete ? rowCount : nil
        return request(for: position..<position + 1, of: segments[0], end: end, forwardOnly: false).skipped > Self.skipLimit
    }

    /// Fetches the keys of rows at equal distances. The server scans the rows once. If many rows have the same first key, it scans them
    /// twice. A scan that reaches the time limit is not repeated.
    /// - Parameter timeLimit: the time limit of each statement in milliseconds; `nil` for ``scanTimeLimit``.
    func fetchSpacedKeys(timeLimit: UInt32? = nil, isCancelled: () -> Bool) throws {
        let step = max(1_000, known.count / Self.maximumSpacedKeys)
        let milliseconds = timeLimit ?? scanTimeLimit
        do {
            if query.isIndexedByFirstKeyOnly {
                let found = try anchors(query.firstKeys(every: step), isFirstKey: true, timeLimit: milliseconds, isCancelled)
                state.withLock { $0.merge(found) }
                // Many rows can have the same first key, so the distances of the keys can be too large.
                let ends = found.map(\.position) + [known.count]
                if zip([0] + ends, ends).allSatisfy({ $1 - $0 <= Self.skipLimit }) { return }
            }
            let found = try anchors(query.keys(every: step), isFirstKey: false, timeLimit: milliseconds, isCancelled)
            state.withLock { $0.merge(found) }
        } catch {
            let isTooSlow = error as? ServerError == ServerError.timedOut
            state.withLock { $0.hasSpacedKeys = isTooSlow }
            throw error
        }
    }

    /// The time limit of a scan of an index, in milliseconds: a minute, and a second for each million rows.
    private var scanTimeLimit: UInt32 {
        let rows = max(Double(known.count), known.isComplete ? 0 : query.table.estimatedRows ?? 0)
        return UInt32(min(4e9, 60_000 + rows / 1_000))
    }

    /// Runs a statement that returns keys, each followed by a number. Normally, this is the position of the row with the key. If
    /// `isFirstKey` is true, the key is only a first sort key, and the number counts the rows before the first row with that key.
    private func anchors(
        _ statement: SQLStatement, isFirstKey: Bool, timeLimit milliseconds: UInt32 = 0, _ isCancelled: () -> Bool
    ) throws -> [Anchor] {
        var found: [Anchor] = []
        try database.stream(statement, timeLimit: milliseconds, isCancelled: isCancelled) { batch in
            for row in database.values(batch) {
                guard let number = row.last?.number.map({ Int($0) }), number > 0 || !isFirstKey else { continue }
                let key = RowKey(Array(row.dropLast()))
                found.append(Anchor(position: isFirstKey ? number - 1 : number, key: key, isFirstKey: isFirstKey))
            }
            return true
        }
        return found
    }

    // MARK: Rows

    /// The rows of a range that are in one segment.
    struct Part {
        var segment: Segment
        var rows: Range<Int>
        /// The end of the segment, if that is known.
        var end: Int?

        /// The number of rows of the segment, if that is known.
        var segmentCount: Int? { end.map { $0 - segment.start } }

        /// True for all rows of the segment.
        var isWhole: Bool { rows.lowerBound == segment.start && rows.upperBound == end }
    }

    /// Divides a range of rows at the ends of its segments. Each part has the end of its segment, if that is known.
    private func parts(_ range: Range<Int>) -> [Part] {
        let (count, isComplete) = known
        var parts: [Part] = []
        var place = segments.partitioningIndex { $0.start > range.lowerBound } - 1
        while place >= 0, place < segments.count, segments[place].start < range.upperBound {
            let end = place + 1 < segments.count ? segments[place + 1].start : isComplete ? count : nil
            let rows = range.clamped(to: segments[place].start..<(end ?? .max))
            if !rows.isEmpty { parts.append(Part(segment: segments[place], rows: rows, end: end)) }
            place += 1
        }
        return parts
    }

    /// The position of the first row of each innermost section, keyed by the values of the section. Without groups, all rows are one
    /// section without values. O(sections).
    var sectionStarts: [[GroupValue]: Int] { Dictionary(segments.map { ($0.section, $0.start) }) { first, _ in first } }

    /// The identities of the rows of a range; fewer of them if the table has become shorter.
    func identities(_ range: Range<Int>, isCancelled: () -> Bool) throws -> [RowKey] {
        try rows(range, selectsIdentities: true, isCancelled: isCancelled).map { RowKey($0.cells) }
    }

    /// The rows of a range, with the beginnings of long cells; fewer rows if the table has become shorter.
    /// - Parameters:
    ///   - selectsIdentities: true for the identities of the rows instead of their cells.
    ///   - replacesSlowWalks: false to throw ``ServerError/timedOut`` if the server walks an index for too long, see ``WalkHistory``.
    ///     ``filtersFirst`` is then true.
    func rows(
        _ range: Range<Int>, selectsIdentities: Bool = false, replacesSlowWalks: Bool = true, isCancelled: () -> Bool
    ) throws -> [PageRow] {
        var rows: [PageRow] = []
        for part in parts(range) {
            let found =
                query.usesBlocks
                ? try blockRows(part.rows, of: part.segment, isCancelled)
                : try self.rows(of: part, selectsIdentities, replacesSlowWalks, isCancelled)
            addAnchors(found, from: part.rows.lowerBound)
            rows += found
            if found.count < part.rows.count { break }
        }
        return rows
    }

    /// True if the server can find the last rows before all rows are counted: from the end of the order, or from the last blocks of the
    /// table. The last blocks may not have a row that matches a filter.
    var hasDefiniteEnd: Bool { query.usesBlocks ? query.query.filters.isEmpty : query.hasUniqueOrder }

    /// The last rows, whose positions may be unknown. Only if ``hasDefiniteEnd`` is true.
    func lastRows(_ count: Int, isCancelled: () -> Bool) throws -> [PageRow] {
        func page(_ query: SQLQuery) throws -> PageStatement {
            try compiling { () throws(SQLLimitations) in try query.page(.last(count), of: fields) }
        }
        return try filteredRows(ofMatches: known.isComplete ? known.count : nil, in: [], isFirst: false, page, isCancelled).suffix(count)
    }

    private var fields: [FieldID] { (0..<columnCount).map { FieldID(rawValue: $0) } }

    /// The rows of a request, whose positions may be unknown.
    /// - Parameters:
    ///   - frequentKeyCount: the number of leading sort keys whose values are frequent in these rows.
    ///   - milliseconds: the time limit of the statement; 0 for no limit.
    func rows(
        _ request: PageRequest, frequentKeyCount: Int = 0, timeLimit milliseconds: UInt32 = 0, isCancelled: () -> Bool
    ) throws -> [PageRow] {
        let query = query(frequentKeyCount: frequentKeyCount)
        let page = try compiling { () throws(SQLLimitations) in try query.page(request, of: fields) }
        return try run(page, timeLimit: milliseconds, isCancelled)
    }

    /// The number of rows before a row. The server has a minute, and a second for each million rows.
    func rank(of key: RowKey, isCancelled: () -> Bool) throws -> Int {
        let statement = try compiling { () throws(SQLLimitations) in try query.rank(of: key) }
        let rows = try database.rows(statement, timeLimit: scanTimeLimit, isCancelled: isCancelled)
        guard let number = rows.first?.first?.number else { throw ServerError("The server did not count the rows.") }
        return Int(number)
    }

    /// Runs the statement of a page and returns its rows.
    func run(_ page: PageStatement, timeLimit milliseconds: UInt32 = 0, _ isCancelled: () -> Bool) throws -> [PageRow] {
        page.rows(
            try database.rows(page.statement, keepsOrder: !query.hasUniqueOrder, timeLimit: milliseconds, isCancelled: isCancelled))
    }

    /// The cheapest request for a range: from the start, after a known row, before a known row, or from the end.
    private func request(for rows: Range<Int>, of segment: Segment, end: Int?, forwardOnly: Bool) -> (PageRequest, skipped: Int) {
        var best = (PageRequest.first(rows.count), skipped: rows.lowerBound - segment.start)
        guard query.hasUniqueOrder else { return best }
        state.withLock { state in
            let before = state.index(of: rows.lowerBound) - 1
            if before >= 0, state.anchors[before].position >= segment.start {
                let anchor = state.anchors[before]
                let skipped = rows.lowerBound - anchor.position - 1
                // If as many rows must be skipped, a page after a key costs less than a page from the start.
                if skipped <= best.skipped {
                    best = (anchor.isFirstKey ? .from([anchor.key.values[0]], rows.count) : .after(anchor.key, rows.count), skipped)
                }
            }
            guard !forwardOnly else { return }
            let after = state.index(of: rows.upperBound)
            if after < state.anchors.count, !state.anchors[after].isFirstKey, state.anchors[after].position < end ?? .max {
                let skipped = state.anchors[after].position - rows.upperBound
                if skipped < best.skipped { best = (.before(state.anchors[after].key, rows.count), skipped) }
            }
            if let end, end - rows.upperBound < best.skipped { best = (.last(rows.count), end - rows.upperBound) }
        }
        return best
    }

    private func rows(
        of part: Part, _ selectsIdentities: Bool, _ replacesSlowWalks: Bool, _ isCancelled: () -> Bool
    ) throws -> [PageRow] {
        let (rows, segment, end) = (part.rows, part.segment, part.end)
        var (request, skipped) = request(for: rows, of: segment, end: end, forwardOnly: false)
        let isFiltered = filtersFirst(part)
        if !isFiltered, skipsFar(skipped), query.isIndexedByFirstKeyOnly {
            let statement = try compiling { () throws(SQLLimitations) in
                try query.firstKey(ofRow: rows.lowerBound)
            }
            let found = try anchors(statement, isFirstKey: true, isCancelled)
            state.withLock { $0.merge(found) }
            (request, skipped) = self.request(for: rows, of: segment, end: end, forwardOnly: false)
        }
        if !isFiltered, skipsFar(skipped) {
            let neighbor = try compiling { () throws(SQLLimitations) in try self.neighbor(request, of: segment, skipped) }
            // If that row does not exist, the table has become shorter.
            guard let key = try run(neighbor, isCancelled).first?.key else { return [] }
            let isFromEnd = request.isFromEnd
            addAnchor(Anchor(position: isFromEnd ? rows.upperBound : rows.lowerBound - 1, key: key))
            request = isFromEnd ? .before(key, rows.count) : .after(key, rows.count)
            skipped = 0
        }
        func page(_ query: SQLQuery) throws -> PageStatement {
            try compiling { () throws(SQLLimitations) in
                selectsIdentities
                    ? try query.identities(request, in: segment.section, skipping: skipped)
                    : try query.page(request, of: fields, in: segment.section, skipping: skipped)
            }
        }
        let frequentKeyCount = frequentKeyCount(of: request)
        if frequentKeyCount > 0, !isFiltered {
            do {
                let page = try page(query(frequentKeyCount: frequentKeyCount))
                return try run(page, timeLimit: Self.frequentValueTimeLimit, isCancelled)
            } catch let error as ServerError where error == .timedOut {
                // Reading all rows with the frequent value takes less time, also for the next pages.
                forgetFrequentValue(of: request)
            }
        }
        // Without a key, the server reads all rows before a far page.
        if !isFiltered, skipped > Self.skipLimit { return try run(page(query), isCancelled) }
        return try filteredRows(
            ofMatches: part.segmentCount, in: segment.section, isReplaced: replacesSlowWalks, page, isCancelled)
    }

    /// True if a separate statement first finds the key next to the page. If an index contains all sort keys, the server then does not read
    /// the skipped rows.
    private func skipsFar(_ skipped: Int) -> Bool { skipped > Self.skipLimit && query.hasUniqueOrder }

    /// The statement for the key of the last skipped row.
    private func neighbor(_ request: PageRequest, of segment: Segment, _ skipped: Int) throws(SQLLimitations) -> PageStatement {
        try query.page(request.limitedToOneRow, of: [], in: segment.section, skipping: skipped - 1)
    }

    // MARK: Statements

    /// The statements for the page that starts at a position, and for its sections. For a far page whose first key is unknown, the
    /// statement that fetches this key replaces the statement for the page.
    func statements(at position: Int, rowCount: Int) throws(SQLLimitations) -> [(title: String, statement: SQLStatement)] {
        var statements: [(String, SQLStatement)] = []
        if let sections { statements.append(("Sections", sections)) }
        if let part = parts(position..<position + rowCount).first {
            let section = part.segment.section
            if query.usesBlocks {
                // Later pages differ in the numbers of their blocks only.
                statements.append(("Rows", try query.page(.after(Self.address(0), rowCount), of: fields, in: section).statement))
            } else {
                let (request, skipped) = request(for: part.rows, of: part.segment, end: part.end, forwardOnly: false)
                let isFiltered = filtersFirst(part)
                if !isFiltered, skipsFar(skipped), query.isIndexedByFirstKeyOnly {
                    statements.append(("First sort value of the page", try query.firstKey(ofRow: part.rows.lowerBound)))
                } else if !isFiltered, skipsFar(skipped) {
                    let title = request.isFromEnd ? "Key of the row after the page" : "Key of the row before the page"
                    statements.append((title, try neighbor(request, of: part.segment, skipped).statement))
                } else {
                    var query = query(frequentKeyCount: isFiltered ? 0 : frequentKeyCount(of: request))
                    query.filtersFirst = isFiltered
                    let page = try query.page(request, of: fields, in: section, skipping: skipped)
                    statements.append((isGrouped ? "Rows of a section" : "Rows", page.statement))
                }
            }
        }
        if !isGrouped { statements.append(("Number of rows", try query.count())) }
        return statements
    }

    // MARK: Rows of blocks

    /// Finds a row from which blocks are read up to a position. Returns its row address and the position of the next row.
    private func blockStart(
        for position: Int, of segment: Segment, _ isCancelled: () -> Bool
    ) throws -> (key: RowKey, position: Int) {
        let nearest = state.withLock { state -> Anchor? in
            let index = state.index(of: position)
            return index > 0 && state.anchors[index - 1].position >= segment.start ? state.anchors[index - 1] : nil
        }
        let start = nearest.map { (key: $0.key, position: $0.position + 1) } ?? (key: Self.address(0), position: segment.start)
        let (count, isComplete) = known
        let rows = isComplete ? Double(count) : query.table.estimatedRows ?? 0
        guard position - start.position > Self.skipLimit, let blocks = query.table.blockCount, blocks > 0, rows >= 1 else {
            return start
        }
        // Estimate the row's block, as if all blocks had the same number of rows. If the block is after the row, try earlier blocks.
        var block = Int64(min(1, Double(position) / rows) * Double(blocks)) - 100
        for _ in 0..<8 {
            guard block > 0 else { break }
            let key = Self.address(block)
            let statement = try compiling { () throws(SQLLimitations) in try query.rank(of: key, in: segment.section) }
            let rank = segment.start + (try database.number(statement, isCancelled: isCancelled))
            if rank <= position {
                return rank > start.position ? (key, rank) : start
            }
            block = min(block * 9 / 10 - 1_000, Int64(Double(block) * Double(position) / Double(rank)) - 100)
        }
        return start
    }

    /// The last block that a table can have.
    private static let lastBlock: Int64 = 4_294_967_294

    /// The address before the first row of a block.
    static func address(_ block: Int64) -> RowKey { RowKey([.text("(\(block),0)")]) }

    private func blockRows(_ positions: Range<Int>, of segment: Segment, _ isCancelled: () -> Bool) throws -> [PageRow] {
        var (key, position) = try blockStart(for: positions.lowerBound, of: segment, isCancelled)
        var rows: [PageRow] = []
        var request = PageRequest.after(key, min(20_000, positions.upperBound - position))
        while position < positions.upperBound {
            let page = try compiling { () throws(SQLLimitations) in try query.page(request, of: fields, in: segment.section) }
            let found = try run(page, isCancelled)
            let skipped = min(found.count, max(0, positions.lowerBound - position))
            rows += found[skipped...].prefix(positions.count - rows.count)
            position += found.count
            if let last = found.last { addAnchors([last], from: position - 1) }
            guard let next = page.blocks?.upperBound, next < query.table.blockCount ?? .max else { break }
            // Pages of blocks may be empty.
            let count = max(1, Int64((page.blocks?.count ?? 1)))
            request = .blocks(next..<next + min(10_000, count * 2))
        }
        return rows
    }

    // MARK: Complete rows

    /// Passes all rows of a range in order, with complete cells of the given fields, in bounded memory. For many sections, there is one
    /// statement. If the sections are not in the order of their values, there is one statement for every ``selectedSections`` of them.
    /// - Parameter body: receives consecutive rows and the position of the first one; returns `false` to end.
    func scan(
        _ range: Range<Int>, fields: [FieldID], isCancelled: () -> Bool, _ body: (_ position: Int, _ batch: ServerBatch) throws -> Bool
    ) throws {
        let parts = parts(range)
        // Only the first and the last section can be incomplete.
        let start = parts.first?.isWhole == true ? 0 : min(1, parts.count)
        let end = parts.last?.isWhole == true ? parts.count : max(start, parts.count - 1)
        let areJoined = isGrouped && end - start > Self.separateSections
        for (index, part) in parts.enumerated() {
            let continues: Bool
            if areJoined, (start..<end).contains(index) {
                continues = try index > start || scanSections(parts[start..<end], fields: fields, isCancelled: isCancelled, body)
            } else {
                continues = try scanSection(part, fields: fields, isCancelled: isCancelled, body)
            }
            guard continues else { return }
        }
    }

    /// Passes rows of one section in one statement, or in one for each range of blocks.
    /// - Returns: `false` if `body` has ended the scan.
    private func scanSection(
        _ part: Part, fields: [FieldID], isCancelled: () -> Bool, _ body: (_ position: Int, _ batch: ServerBatch) throws -> Bool
    ) throws -> Bool {
        var continues = true
        var position = part.rows.lowerBound
        var skipped = 0
        /// - Parameter milliseconds: the maximum time until the first row; `nil` for no limit.
        func pass(_ statement: SQLStatement, firstRowWithin milliseconds: UInt32? = nil) throws {
            let start = ContinuousClock.now
            var hasRows = false
            func isTooSlow() -> Bool { milliseconds.map { !hasRows && start.duration(to: .now) > .milliseconds($0) } ?? false }
            func receive(_ batch: RowBatch) throws -> Bool {
                hasRows = hasRows || batch.rowCount > 0
                let first = min(batch.rowCount, skipped)
                skipped -= first
                let count = min(batch.rowCount - first, part.rows.upperBound - position)
                guard count > 0 else { return position < part.rows.upperBound }
                continues = try body(position, ServerBatch(batch: batch, rows: first..<first + count))
                position += count
                return continues && position < part.rows.upperBound
            }
            do {
                try database.stream(
                    statement, keepsOrder: !query.hasUniqueOrder, isCancelled: { isCancelled() || isTooSlow() }, onRows: receive)
            } catch is ServerDatabase.Interrupted where isTooSlow() && !isCancelled() {
                throw ServerError.timedOut
            }
        }
        do {
            if query.usesBlocks {
                let start = try blockStart(for: position, of: part.segment, isCancelled)
                skipped = position - start.position
                var page = try completeQuery.page(.after(start.key, 50_000), of: fields, in: part.segment.section)
                while continues {
                    try pass(page.statement)
                    guard position < part.rows.upperBound, let next = page.blocks?.upperBound, next < Self.lastBlock else { break }
                    // Rows that are not counted may also be in blocks that were added after the table was opened.
                    let isKnown = next < query.table.blockCount ?? .max
                    guard isKnown || part.end == nil else { break }
                    let blocks = next..<(isKnown ? next + 2_000 : Self.lastBlock)
                    page = try completeQuery.page(.blocks(blocks), of: fields, in: part.segment.section)
                }
            } else {
                let (request, offset) = request(for: part.rows, of: part.segment, end: part.end, forwardOnly: true)
                let section = part.segment.section
                func statement(_ query: SQLQuery) throws(SQLLimitations) -> SQLStatement {
                    try query.page(request, of: fields, in: section, skipping: offset).statement
                }
                guard canFilterFirst(completeQuery, in: section) else {
                    try pass(statement(completeQuery))
                    return continues
                }
                var count = part.segmentCount
                if count == nil {
                    do {
                        try pass(statement(completeQuery), firstRowWithin: walkTimeLimit)
                        return continues
                    } catch let error as ServerError where error == .timedOut {
                        // Sort the rows only if they are few, because the server may write a large sort to its disk.
                        let isShort = part.rows.count + offset <= Self.filterFirstLimitAfterSlowWalk
                        count = isShort ? 0 : try database.number(completeQuery.count(in: section), isCancelled: isCancelled)
                    }
                }
                let isFew =
                    filtersFirst(ofMatches: count)
                    || count.map { part.rows.count >= $0 && $0 <= Self.filterFirstLimitAfterSlowWalk } == true
                var filtering = completeQuery
                filtering.filtersFirst = isFew
                try pass(statement(filtering))
            }
        } catch let error as SQLLimitations {
            throw ServerError(error)
        }
        return continues
    }

    // MARK: Searches

    /// The nearest row that matches a condition, with its position.
    /// - Parameter start: the position where the search starts, inclusive.
    func firstMatch(_ condition: Formula, from start: Int, isBackward: Bool, isCancelled: () -> Bool) throws -> (
        position: Int, row: PageRow
    )? {
        let count = known.count
        let range = isBackward ? 0..<min(count, start + 1) : max(0, start)..<max(start, count)
        let parts = parts(range)
        for part in isBackward ? parts.reversed() : parts {
            let isFirst =
                isBackward ? part.rows.upperBound == part.end || part.rows.upperBound == count : part.rows.lowerBound == part.segment.start
            // The position just before the rows to search, in the direction of the search.
            let neighbor = isBackward ? part.rows.upperBound : part.rows.lowerBound - 1
            do {
                let section = part.segment.section
                var key: RowKey?
                if !isFirst {
                    key = try self.key(of: neighbor, isCancelled)
                } else if query.usesBlocks {
                    key = Self.address(isBackward ? Self.lastBlock : 0)
                }
                func page(_ query: SQLQuery) throws(SQLLimitations) -> PageStatement {
                    if let key { return try query.match(condition, after: key, isBackward: isBackward, of: fields, in: section) }
                    return try query.page(isBackward ? .last(1) : .first(1), of: fields, in: section, matching: condition)
                }
                let found = try filteredRows(ofMatches: part.segmentCount, in: section, matching: condition, page, isCancelled)
                guard let row = found.first else { continue }
                let rank = try database.number(query.rank(of: row.key, in: section), isCancelled: isCancelled)
                return (part.segment.start + rank, row)
            } catch let error as SQLLimitations {
                throw ServerError(error)
            }
        }
        return nil
    }

    /// The key of a row.
    func key(of position: Int, _ isCancelled: () -> Bool) throws -> RowKey {
        if let key = knownKey(at: position) { return key }
        guard let row = try rows(position..<position + 1, isCancelled: isCancelled).first else {
            throw ServerError("The table has become shorter. Reload it.")
        }
        return row.key
    }
}

extension PageRequest {
    /// True if rows are skipped from the end.
    fileprivate var isFromEnd: Bool {
        switch self {
        case .last, .before: true
        case .first, .after, .from, .blocks: false
        }
    }

    /// The value of the first sort key of the row next to the requested rows; `nil` if the request has no such row.
    fileprivate var firstValue: SQLValue? {
        switch self {
        case .after(let key, _), .before(let key, _): key.values.first
        case .first, .last, .from, .blocks: nil
        }
    }

    /// The same request for one row.
    fileprivate var limitedToOneRow: PageRequest {
        switch self {
        case .first: .first(1)
        case .last: .last(1)
        case .after(let key, _): .after(key, 1)
        case .before(let key, _): .before(key, 1)
        case .from(let values, _): .from(values, 1)
        case .blocks: self
        }
    }
}

extension ServerOrder.State {
    /// The index of the first anchor at or after a position.
    fileprivate func index(of position: Int) -> Int { anchors.partitioningIndex { $0.position >= position } }

    fileprivate mutating func insert(_ anchor: ServerOrder.Anchor) {
        let index = index(of: anchor.position)
        if index < anchors.count, anchors[index].position == anchor.position {
            anchors[index] = anchor
        } else {
            anchors.insert(anchor, at: index)
        }
    }

    /// Adds anchors that are sorted by position. Existing anchors at the same positions stay.
    fileprivate mutating func merge(_ found: [ServerOrder.Anchor]) {
        var merged: [ServerOrder.Anchor] = []
        merged.reserveCapacity(found.count + anchors.count)
        var next = 0
        for anchor in anchors {
            while next < found.count, found[next].position < anchor.position {
                merged.append(found[next])
                next += 1
            }
            if next < found.count, found[next].position == anchor.position { next += 1 }
            merged.append(anchor)
        }
        anchors = merged + found[next...]
    }
}

extension Array {
    /// The index of the first element that satisfies a condition. All elements after it must satisfy it, too. O(log n).
    fileprivate func partitioningIndex(_ isSecond: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
