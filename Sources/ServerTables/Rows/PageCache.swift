import Dispatch
import EngineProtocol
import FieldValues
import Locks
import SQLTables
import Tables

/// Pages of rows for the screen: fetched by one background task, and kept within a budget of memory.
///
/// Only the newest request counts. Otherwise, a key that the user holds down would build up a queue of requests. A page that is no longer
/// needed is not fetched, and its running statement is cancelled.
final class PageCache: Sendable {
    /// The identity of a page: an order and a page number.
    struct PageID: Hashable {
        var order: Int
        var number: Int
    }

    private struct Page {
        var records: [Record]
        /// The number of requested rows, at most ``pageRows``. If there are fewer records, the other rows do not exist.
        var requestedCount: Int
        /// The identities of the rows: the values of the table's shortest key. Empty if the row keys do not contain them.
        var identities: [RowKey]
        /// The time when the page was requested, in seconds since 1970.
        var time: Int
        var bytes: Int
        var lastUse: Int
    }

    private struct State {
        var pages: [PageID: Page] = [:]
        var bytes = 0
        /// A counter that each request and each added page increases. The page with the lowest ``Page/lastUse`` is removed first.
        var clock = 0
        /// The pages of the newest request that have not arrived. The first one is fetched next.
        var requestedPages: [PageID] = []
        var isFetching = false
        /// The pages of running statements, for the screen and for jobs.
        var runningPages: Set<PageID> = []
        /// The newest error of each failed page. The page can be requested again after a second.
        var failures: [PageID: (error: any Error, time: ContinuousClock.Instant)] = [:]
        /// Called after rows have arrived or a page has failed.
        var notify: @Sendable () -> Void = {}
        /// The order of the requested pages, keyed by the order's number.
        var orders: [Int: ServerOrder] = [:]
        var lastRequest: LastRequest?
        /// The failure to report to the user; see ``PageCache/consumeFailure()``.
        var unreportedFailure: ServerError?
        /// The numbers of the orders whose change was reported.
        var reportedOrders: Set<Int> = []

        mutating func remove(_ id: PageID) { bytes -= pages.removeValue(forKey: id)?.bytes ?? 0 }
    }

    /// The rows of the last request. Comparing them with the next request gives the direction of scrolling.
    private struct LastRequest {
        var order: Int
        var rows: Range<Int>
        /// The direction of scrolling; `nil` after a jump.
        var isDown: Bool?
    }

    private let state = Mutex(State())
    /// The number of rows of a page.
    let pageRows: Int
    /// The maximum size of all pages in bytes. The cache keeps at least four pages, even if they are larger.
    private let budget: Int
    /// The current time in seconds since 1970.
    private let now: @Sendable () -> Int
    private let queue = DispatchQueue(label: "pages", qos: .userInteractive)
    private let idleQueue = DispatchQueue(label: "row numbers", qos: .utility)

    /// The number of pages that one statement fetches if the server must sort or filter all rows for it. A statement for the next page
    /// would take as long again.
    private let sortedPageCount: Int

    /// - Parameters:
    ///   - pageRows: the number of rows of a page.
    ///   - rowBytes: the approximate size of a row in memory, in bytes.
    ///   - budget: the maximum size of all pages in bytes.
    ///   - now: the current time in seconds since 1970.
    init(
        pageRows: Int, rowBytes: Int = 1, budget: Int = 16 << 20, now: @escaping @Sendable () -> Int = { EnginePlatform.secondsSince1970() }
    ) {
        (self.pageRows, self.budget, self.now) = (pageRows, budget, now)
        sortedPageCount = max(1, min(8, (2 << 20) / max(1, pageRows * rowBytes)))
    }

    /// The number of rows that one statement fetches, a multiple of ``pageRows``.
    func statementRows(of order: ServerOrder) -> Int {
        guard order.query.sortsRows || order.filtersFirst, !order.segments.isGrouped else { return pageRows }
        return max(1, min(sortedPageCount, order.statementRowLimit / pageRows)) * pageRows
    }

    /// Sets the function that is called after rows have arrived or a page has failed.
    func setRecordsArrivedHandler(_ notify: @escaping @Sendable () -> Void) { state.withLock { $0.notify = notify } }

    /// The records of a range; `nil` for records that are not in the cache. Requests their pages, then
    /// ``neighbors(of:inOrder:pageCount:)``. The records end before a row that no longer exists on the server.
    /// - Throws: the error of a page that failed within the last second, if no other page of the range is missing. ``ServerError`` if the
    ///   first row of the range no longer exists.
    func records(_ range: Range<Int>, of order: ServerOrder) throws -> [Record?] {
        let first = range.lowerBound / pageRows
        let last = max(first, (range.upperBound - 1) / pageRows)
        let (count, isComplete) = order.knownRowCount
        let (records, end, missing, failure) = state.withLock { state -> ([Record?], Int, [PageID], (any Error)?) in
            state.clock += 1
            var records: [Record?] = []
            records.reserveCapacity(range.count)
            // The number of records before the first row that no longer exists.
            var end = range.count
            var missing: [PageID] = []
            var failure: (any Error)?
            for number in first...last {
                let id = PageID(order: order.number, number: number)
                let start = number * pageRows
                let part = range.clamped(to: start..<start + pageRows)
                if state.pages[id] != nil {
                    state.pages[id]!.lastUse = state.clock
                    let page = state.pages[id]!.records
                    if part.upperBound - start > page.count {
                        if page.count == state.pages[id]!.requestedCount, start + page.count < count {
                            // A query has fetched only its first rows. Fetch the whole page.
                            state.remove(id)
                            missing.append(id)
                        } else {
                            end = min(end, max(part.lowerBound, start + page.count) - range.lowerBound)
                        }
                    }
                    for position in part { records.append(position - start < page.count ? page[position - start] : nil) }
                } else {
                    records += [Record?](repeating: nil, count: part.count)
                    if let cached = state.failures[id], cached.time.duration(to: .now) < .seconds(1) {
                        failure = cached.error
                    } else {
                        missing.append(id)
                    }
                }
            }
            return (records, end, missing, failure)
        }
        if end == 0 { throw ServerError.fewerRows }
        if let failure, missing.isEmpty { throw failure }
        // If the last known page is incomplete, request no page after it, so that its rest is fetched first.
        let pageCount = isComplete || count % pageRows > 0 ? (count + pageRows - 1) / pageRows : .max
        let neighbors = neighbors(of: range, inOrder: order.number, pageCount: pageCount)
        request(missing + neighbors.map { PageID(order: order.number, number: $0) }, of: order)
        return Array(records.prefix(end))
    }

    /// The numbers of the pages that scrolling needs next, at most three: two in the direction of scrolling and one in the other direction.
    /// After a jump, the pages on both sides come first, then the second page below.
    func neighbors(of range: Range<Int>, inOrder order: Int, pageCount: Int) -> [Int] {
        let first = range.lowerBound / pageRows
        let last = max(first, (range.upperBound - 1) / pageRows)
        let reach = 2 * max(pageRows, range.count)
        let isDown = state.withLock { state -> Bool? in
            guard let last = state.lastRequest, last.order == order, abs(range.lowerBound - last.rows.lowerBound) <= reach else {
                state.lastRequest = LastRequest(order: order, rows: range)
                return nil
            }
            let (start, end) = (range.lowerBound - last.rows.lowerBound, range.upperBound - last.rows.upperBound)
            if start > 0 && end > 0 || start < 0 && end < 0 {
                state.lastRequest = LastRequest(order: order, rows: range, isDown: start > 0)
            } else if start <= 0 && end >= 0 {
                // A request for all rows of the screen often follows a request for one of them, such as the row of the cursor. The second
                // request does not change the direction of scrolling.
                state.lastRequest!.rows = range
            }
            return state.lastRequest!.isDown
        }
        let nearest: [Int]
        switch isDown {
        case true?: nearest = [last + 1, last + 2, first - 1]
        case false?: nearest = [first - 1, first - 2, last + 1]
        case nil: nearest = [last + 1, first - 1, last + 2]
        }
        return nearest.filter { $0 >= 0 && $0 < pageCount }
    }

    /// The numbers of the pages of an order in the cache.
    func pageNumbers(ofOrder order: Int) -> Set<Int> { state.withLock { Set($0.pages.keys.filter { $0.order == order }.map(\.number)) } }

    /// True if the cache contains all pages of a range of positions. The range must not be empty.
    func contains(_ range: Range<Int>, of order: ServerOrder) -> Bool {
        let numbers = range.lowerBound / pageRows...(range.upperBound - 1) / pageRows
        return state.withLock { state in numbers.allSatisfy { state.pages[PageID(order: order.number, number: $0)] != nil } }
    }

    /// The time when the page of a row was requested, in seconds since 1970; `nil` if the page is not in the cache.
    func requestTime(ofRow position: Int, inOrder order: Int) -> Int? {
        state.withLock { $0.pages[PageID(order: order, number: position / pageRows)]?.time }
    }

    /// The identity of a row; `nil` if its page is not in the cache.
    func identity(ofRow position: Int, inOrder order: Int) -> RowKey? {
        state.withLock { state in
            let identities = state.pages[PageID(order: order, number: position / pageRows)]?.identities ?? []
            return position % pageRows < identities.count ? identities[position % pageRows] : nil
        }
    }

    /// The size of all pages in bytes.
    var byteCount: Int { state.withLock { $0.bytes } }

    /// Adds rows as pages.
    /// - Parameters:
    ///   - range: the requested rows. The first of them starts a page. A page whose rows no longer exist is added empty, so that it is not
    ///     fetched again and again.
    ///   - time: the time of the request in seconds since 1970; `nil` for now.
    func add(_ rows: [PageRow], of order: ServerOrder, for range: Range<Int>, requestedAt time: Int? = nil) {
        let time = time ?? now()
        for first in stride(from: 0, to: range.count, by: pageRows) {
            let page = rows.dropFirst(first).prefix(pageRows)
            let requestedCount = min(pageRows, range.count - first)
            addPage(Array(page), of: order, page: (range.lowerBound + first) / pageRows, requestedCount, time)
        }
    }

    private func addPage(_ rows: [PageRow], of order: ServerOrder, page number: Int, _ requestedCount: Int, _ time: Int) {
        let records = rows.map { Record($0) }
        let identities = rows.compactMap { order.query.identity(of: $0.key) }
        let bytes =
            records.reduce(0) { $0 + 64 + $1.fields.reduce(0) { $0 + 32 + $1.text.utf8.count } }
            + identities.reduce(0) { $0 + 40 + 32 * $1.values.count }
        state.withLock { state in
            let id = PageID(order: order.number, number: number)
            state.clock += 1
            state.bytes += bytes - (state.pages[id]?.bytes ?? 0)
            state.pages[id] = Page(
                records: records, requestedCount: requestedCount, identities: identities, time: time, bytes: bytes, lastUse: state.clock)
            while state.bytes > budget, state.pages.count > 4, let oldest = state.pages.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                state.remove(oldest.key)
            }
        }
    }

    /// Runs a job that fetches and adds pages. First waits until no other statement is fetching the first page. While the job runs, no
    /// other statement fetches its pages.
    /// - Parameters:
    ///   - range: the rows of the first page, which the job needs, and of the following pages, which the same statement can fetch.
    ///   - job: fetches and adds the rows of the range that it gets. This range ends before the first following page that is in the cache
    ///     or is being fetched.
    /// - Throws: the errors of the job, or `ServerDatabase.Interrupted`.
    func withPages<T>(
        _ range: Range<Int>, of order: ServerOrder, isCancelled: () -> Bool, _ job: (Range<Int>) throws -> T
    ) throws -> T {
        let all = pages(range).map { PageID(order: order.number, number: $0) }
        var ids = all.prefix(1)
        while true {
            let isFree = state.withLock { state in
                guard state.runningPages.isDisjoint(with: ids) else { return false }
                ids += all.dropFirst().prefix { !state.runningPages.contains($0) && state.pages[$0] == nil }
                state.runningPages.formUnion(ids)
                return true
            }
            if isFree { break }
            if isCancelled() { throw ServerDatabase.Interrupted() }
            _ = EnginePlatform.wait(-1, 0, milliseconds: 10)
        }
        defer {
            // Notify the screen, which then requests the pages that the job has not added.
            let notify = state.withLock { state in
                state.runningPages.subtract(ids)
                return state.notify
            }
            notify()
        }
        return try job(range.prefix(ids.count * pageRows))
    }

    private func pages(_ range: Range<Int>) -> Range<Int> { range.lowerBound / pageRows..<(range.upperBound + pageRows - 1) / pageRows }

    /// Fetches the last known page of an order again if it is incomplete, because the job that was fetching its rows was cancelled.
    func completeLastPage(of order: ServerOrder) {
        let known = order.knownRowCount
        guard !known.isComplete, known.count % pageRows > 0 else { return }
        let id = PageID(order: order.number, number: known.count / pageRows)
        state.withLock { $0.remove(id) }
        request([id], of: order)
    }

    private func request(_ pages: [PageID], of order: ServerOrder) {
        let starts = state.withLock { state in
            state.requestedPages = pages.filter { state.pages[$0] == nil }
            guard !state.requestedPages.isEmpty else { return false }
            state.orders = [order.number: order]
            defer { state.isFetching = true }
            return !state.isFetching
        }
        if starts { queue.async { self.fetchRequested() } }
    }

    /// Returns the last change of a table, or the last error of an optional request, and clears it; `nil` if nothing is to be reported.
    func consumeFailure() -> ServerError? {
        state.withLock { state in
            defer { state.unreportedFailure = nil }
            return state.unreportedFailure
        }
    }

    /// Reports once for each order that its number of rows has changed.
    private func reportChange(_ change: ServerError, of order: ServerOrder) {
        if state.withLock({ $0.reportedOrders.insert(order.number).inserted }) { report(change) }
    }

    private func report(_ failure: ServerError) {
        let notify = state.withLock { state in
            state.unreportedFailure = failure
            return state.notify
        }
        notify()
    }

    /// Counts the rows of an order again, and reports a changed number.
    func checkCount(of order: ServerOrder) {
        runOptional(for: order) {
            if let change = try order.countChange() { reportChange(change, of: order) }
        }
    }

    /// Runs a request that the rows on the screen do not need. Reports its error only if the reload key now reloads the table, as after a
    /// lost connection.
    private func runOptional(for order: ServerOrder, _ request: () throws -> Void) {
        do {
            try ServerError.advisingReload(request)
        } catch {
            if order.database.needsReload { report(ServerError((error as? any TableError)?.message ?? "\(error)")) }
        }
    }

    private func fetchRequested() {
        while true {
            let next = state.withLock { state -> (PageID, ServerOrder)? in
                while let id = state.requestedPages.first {
                    if state.pages[id] == nil, !state.runningPages.contains(id), let order = state.orders[id.order] {
                        state.runningPages.insert(id)
                        return (id, order)
                    }
                    state.requestedPages.removeFirst()
                }
                state.isFetching = false
                return nil
            }
            guard let (id, order) = next else { return }
            let count = statementRows(of: order)
            let start = id.number * pageRows / count * count
            let range = order.possibleRows(start..<start + count)
            // Prevent jobs from fetching the other pages of the statement. Leave out pages that a job is already fetching.
            let others = state.withLock { state in
                let others = Set(pages(range).map { PageID(order: id.order, number: $0) }).subtracting(state.runningPages)
                state.runningPages.formUnion(others)
                return others
            }
            fetch(id, range, of: order)
            state.withLock { state in
                state.runningPages.remove(id)
                state.runningPages.subtract(others)
            }
        }
    }

    /// Fetches rows.
    /// - Parameters:
    ///   - id: the requested page.
    ///   - range: the rows of a statement that contains the page.
    private func fetch(_ id: PageID, _ range: Range<Int>, of order: ServerOrder) {
        let needsSpacedKeys = order.needsSpacedKeys(for: range.lowerBound)
        // Keys are fetched and counts are checked after the page, because this occupies the server and its disk.
        defer {
            if needsSpacedKeys { idleQueue.async { self.runOptional(for: order) { try order.fetchSpacedKeys { false } } } }
            if order.needsCountCheck() {
                idleQueue.async { self.checkCount(of: order) }
            }
        }
        let time = now()
        // The rows can be counted between the choice of the range and this test. A range that ends after the last row is then no change.
        let known = order.knownRowCount
        let hasAllRows = known.isComplete && range.upperBound <= known.count
        let pages = pages(range)
        let isRequested = {
            self.state.withLock { $0.requestedPages.contains { $0.order == id.order && pages.contains($0.number) } }
        }
        do {
            let rows = try ServerError.advisingReload { try order.rows(range) { !isRequested() } }
            order.addKnownRows(rows.count, of: range)
            add(rows, of: order, for: range, requestedAt: time)
            let notify = state.withLock { state in
                state.requestedPages.removeAll { $0 == id }
                state.failures[id] = nil
                return state.notify
            }
            notify()
            if order.consumeLongerSection() { reportChange(.movedRows, of: order) }
            if hasAllRows, rows.count < range.count { reportChange(.fewerRows, of: order) }
        } catch is ServerDatabase.Interrupted {
            return
        } catch {
            let notify = state.withLock { state in
                state.requestedPages = []
                state.failures = state.failures.filter { $0.value.time.duration(to: .now) < .seconds(1) }
                state.failures[id] = (error, .now)
                return state.notify
            }
            notify()
            if error as? ServerError == .fewerRows { reportChange(.fewerRows, of: order) }
        }
    }
}

extension Record {
    /// Creates a record from the cells of a row. NULL becomes a missing field.
    init(_ row: PageRow) {
        let fields = row.cells.enumerated().map { place, cell -> RecordField in
            let isTruncated = row.isTruncated[place]
            return switch cell {
            case .null: .missing
            case .text(let text): RecordField(text: text, isTruncated: isTruncated)
            case .invalidText(let bytes):
                RecordField(text: String(decoding: bytes, as: UTF8.self), isTruncated: isTruncated, isInvalid: true)
            case .integer(let number): RecordField(text: String(number))
            case .double(let number): RecordField(text: "\(number)")
            case .bytes(let bytes):
                RecordField(text: bytes.withUnsafeBytes(BlobText.text), isTruncated: isTruncated || bytes.count > 1_024)
            }
        }
        self.init(fields: fields, byteRange: 0..<0, fieldCount: fields.count)
    }
}
