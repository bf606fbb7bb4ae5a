import Dispatch
import Locks
import SQLTables
import Tables

/// Rows that are shown at approximate positions while the user drags the scroll bar, until their exact positions are known.
///
/// The statistics of PostgreSQL contain values of the first sort key with approximate positions. The rows starting at such a value are
/// shown at the position of the scroll bar, while the server counts the rows before them. Such rows are kept apart from ``PageCache``,
/// which has exact positions only. Only the screen gets approximate rows; jobs read exact rows.
final class SampledRows: Sendable {
    /// Consecutive rows, starting at a sampled value, and the positions at which they are shown.
    fileprivate struct Region {
        /// The number of the region. It tells a job whether its region was replaced or ended.
        let id: Int
        let order: ServerOrder
        /// The number of all rows, which is an estimate if they are not counted.
        let rowCount: Int
        /// The positions at which rows of the region can be shown. Fetched rows at other positions stay hidden.
        let range: Range<Int>
        /// The position of the scroll bar, at which the first row of the first page is shown.
        let topPosition: Int
        var records: [Record] = []
        /// The position at which the first of ``records`` is shown. It becomes less than ``topPosition`` when rows before the first page
        /// arrive.
        var start: Int
        var firstKey = RowKey([])
        var lastKey = RowKey([])
        var isAtStart = false
        var isAtEnd = false
        /// The number of leading sort keys whose values in the first fetched row are frequent.
        var frequentKeyCount = 0
        /// The positions to fetch: the last requested positions, and half a page on both sides.
        var neededPositions: Range<Int>
        var isFetching = true
        /// The exact position of the row that is shown at ``topPosition``; `nil` until the server has counted the rows before it.
        var exactTopPosition: Int?
        var hasFailed = false

        /// The positions of the fetched rows.
        var shownPositions: Range<Int> { start..<start + records.count }

        /// ``range``, extended by `distance` positions on both sides. The extension shows no rows: beside an exact row, a sampled row could
        /// be missing or repeated.
        func extended(by distance: Int) -> Range<Int> { range.lowerBound - distance..<range.upperBound + distance }
    }

    /// A sort key: the number of its order, and its index among the keys of that order.
    private struct SampledKey: Hashable {
        var order: Int
        var level: Int
    }

    private struct State {
        var region: Region?
        var lastID = 0
        /// The fetched samples of sort keys. An empty list means that the server has no statistics.
        var samples: [SampledKey: [KeySample]] = [:]
        var notify: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())
    private let database: ServerDatabase
    private let pages: PageCache
    /// The maximum distance of a shown row from the position of the scroll bar, in rows.
    private let maximumDistance: Int
    private let queue = DispatchQueue(label: "sampled rows", qos: .userInteractive)
    private let countQueue = DispatchQueue(label: "positions of sampled rows", qos: .utility, attributes: .concurrent)

    /// The maximum distance of a sampled value from the position of the scroll bar, as a fraction of all rows. If more rows than this have
    /// the same value, samples of the next sort key find the position among these rows.
    private static let tolerance = 0.02
    /// The time limit in milliseconds of the statement that fetches samples.
    private static let sampleTimeLimit: UInt32 = 2_000

    /// - Parameter rowBytes: the approximate size of a row in memory, in bytes. It limits the sampled rows to about 4 MiB.
    init(in database: ServerDatabase, _ pages: PageCache, rowBytes: Int) {
        (self.database, self.pages) = (database, pages)
        maximumDistance = max(2 * pages.pageRows, min(5_000, (2 << 20) / max(1, rowBytes)))
    }

    /// Sets the function that is called after rows have arrived, or positions are known.
    func setRecordsArrivedHandler(_ notify: @escaping @Sendable () -> Void) { state.withLock { $0.notify = notify } }

    // MARK: For the main thread

    /// Starts to fetch rows for a far position. If ``ServerOrder/isFarAndSampled(_:of:)`` is false for the position, removes the sampled
    /// rows instead.
    /// - Parameter estimatedCount: the estimated number of rows, used if they are not counted; `nil` without an estimate.
    /// - Returns: the positions at which approximate rows are shown until ``end()``; `nil` if only exact rows are shown.
    func begin(at position: Int, of order: ServerOrder, estimatedCount: Int?) -> Range<Int>? {
        let (count, isComplete) = order.knownRowCount
        let rowCount = isComplete ? count : max(count, estimatedCount ?? 0)
        guard order.isFarAndSampled(position, of: rowCount) else {
            end()
            return nil
        }
        let range = max(0, position - maximumDistance)..<min(rowCount, position + maximumDistance)
        let isNew = state.withLock { state -> Bool in
            if let samples = state.samples[SampledKey(order: order.number, level: 0)], samples.isEmpty {
                state.region = nil
                return false
            }
            state.lastID += 1
            state.region = Region(
                id: state.lastID, order: order, rowCount: rowCount, range: range, topPosition: position, start: position,
                neededPositions: position..<position + pages.pageRows)
            return true
        }
        guard isNew else { return nil }
        queue.async { self.fetch() }
        return range
    }

    /// Removes the sampled rows, so that exact rows are shown again.
    func end() { state.withLock { $0.region = nil } }

    /// The end of the positions at which approximate rows of an order are shown; 0 if only exact rows are shown.
    func approximateEnd(of order: ServerOrder) -> Int {
        state.withLock { state in state.region.map { $0.order.number == order.number ? $0.range.upperBound : 0 } ?? 0 }
    }

    /// The approximate rows of a range; `nil` if the range shows exact rows. An element is `nil` if its row has not arrived. Fetches more
    /// rows near the range.
    func records(_ range: Range<Int>, of order: ServerOrder) -> [Record?]? {
        let (records, fetches) = state.withLock { state -> ([Record?]?, Bool) in
            guard let region = state.region, region.order.number == order.number, range.overlaps(region.extended(by: 2 * pages.pageRows))
            else { return (nil, false) }
            let shown = region.shownPositions.clamped(to: region.range)
            let records = range.map { shown.contains($0) ? region.records[$0 - region.start] : nil }
            let near = pages.pageRows / 2
            state.region!.neededPositions = (range.lowerBound - near..<range.upperBound + near).clamped(to: region.range)
            let fetches = !region.isFetching && Self.hasNextPage(state.region!)
            if fetches { state.region!.isFetching = true }
            return (records, fetches)
        }
        if fetches { queue.async { self.fetch() } }
        return records
    }

    /// The state of the approximate rows. Removes them once their exact positions are known and the exact rows of a range are in the cache.
    /// - Parameter range: the positions of the visible rows.
    func correction(of range: Range<Int>) -> SampledPositions {
        let (answer, fetched) = state.withLock { state -> (SampledPositions, (Region, Range<Int>)?) in
            guard let region = state.region, !region.hasFailed else {
                state.region = nil
                return (.none, nil)
            }
            guard let exactTopPosition = region.exactTopPosition else { return (.approximate, nil) }
            let shift = exactTopPosition - region.topPosition
            let (count, isComplete) = region.order.knownRowCount
            let exact = (range.lowerBound + shift..<range.upperBound + shift).clamped(to: 0..<(isComplete ? count : .max))
            if !exact.isEmpty, !pages.contains(exact, of: region.order) { return (.approximate, (region, exact)) }
            state.region = nil
            return (.exact(shift: shift), nil)
        }
        if let (region, exact) = fetched { queue.async { self.fetchExactPages(exact, region) } }
        return answer
    }

    // MARK: Fetching

    private static func hasNextPage(_ region: Region) -> Bool {
        region.neededPositions.upperBound > region.shownPositions.upperBound && !region.isAtEnd
            || region.neededPositions.lowerBound < region.start && !region.isAtStart
    }

    /// True if a region was replaced or ended.
    private func hasEnded(_ id: Int) -> Bool { state.withLock { $0.region?.id != id } }

    /// Fetches the first page of the region, then pages after and before it while ``Region/neededPositions`` contains more rows.
    private func fetch() {
        while true {
            // An earlier call may have fetched all needed rows.
            let next = state.withLock { state -> Region? in
                guard let region = state.region, !region.hasFailed, region.records.isEmpty || Self.hasNextPage(region) else { return nil }
                return region
            }
            guard let region = next else { return }
            let isFirst = region.records.isEmpty
            do {
                let page = try isFirst ? firstPage(region) : nextPage(region)
                // A short first page is at the end of the table. The error makes the grid show exact rows.
                if isFirst, page.rows.count < pages.pageRows { throw SampleMissing() }
                let isShown = state.withLock { state -> Bool in
                    guard state.region?.id == region.id else { return false }
                    state.region!.frequentKeyCount = page.frequentKeyCount
                    state.region!.add(page.rows, isAfter: page.isAfter, pageRows: pages.pageRows)
                    state.region!.isFetching = Self.hasNextPage(state.region!)
                    return true
                }
                guard isShown else { continue }
                notify()
                if isFirst, let key = page.rows.first?.key {
                    countQueue.async { self.count(rowsBefore: key, page.frequentKeyCount, region) }
                }
            } catch {
                fail(region)
            }
        }
    }

    /// Thrown if the server knows no value near a position.
    private struct SampleMissing: Error {}

    /// Consecutive rows to add to a region.
    private struct FetchedPage {
        var rows: [PageRow]
        /// True if the rows come after the fetched rows of the region, false if they come before them.
        var isAfter = true
        /// The value for ``Region/frequentKeyCount``.
        var frequentKeyCount: Int
    }

    private func firstPage(_ region: Region) throws -> FetchedPage {
        let place = Double(region.topPosition) / Double(max(1, region.rowCount))
        let values = try values(near: place, of: region.order) { hasEnded(region.id) }
        let frequentKeyCount = values.count - 1
        let rows = try rows(.from(firstKeyValues: values, count: pages.pageRows), region, frequentKeyCount: frequentKeyCount)
        return FetchedPage(rows: rows, frequentKeyCount: frequentKeyCount)
    }

    /// The values of the leading sort keys of a row near `place`, a fraction of all rows from 0 to 1. Every value except the last is
    /// frequent.
    ///
    /// Among the rows with a frequent value, samples of the next key give the position. The server samples that key in all rows, so the
    /// position is inexact if the keys depend on each other.
    private func values(near place: Double, of order: ServerOrder, isCancelled: () -> Bool) throws -> [SQLValue] {
        // `part` is the fraction of all rows that have all the values found so far.
        var (values, place, part) = ([SQLValue](), place, 1.0)
        var samples = try samples(of: order, 0, isCancelled: isCancelled)
        while true {
            func distance(_ sample: KeySample) -> Double { max(sample.start - place, place - sample.start - sample.share, 0) }
            guard let nearest = samples.min(by: { distance($0) < distance($1) }), distance(nearest) * part <= Self.tolerance else {
                throw SampleMissing()
            }
            values.append(nearest.value)
            if nearest.share * part > Self.tolerance {
                samples = try self.samples(of: order, values.count, isCancelled: isCancelled)
                if !samples.isEmpty {
                    place = max(0, min(1, (place - nearest.start) / nearest.share))
                    part *= nearest.share
                    continue
                }
            }
            guard abs(nearest.start - place) * part <= Self.tolerance else { throw SampleMissing() }
            return values
        }
    }

    /// The samples of a sort key; empty if the server has no statistics.
    private func samples(of order: ServerOrder, _ level: Int, isCancelled: () -> Bool) throws -> [KeySample] {
        let key = SampledKey(order: order.number, level: level)
        if let samples = state.withLock({ $0.samples[key] }) { return samples }
        guard let statement = order.query.samples(ofKey: level) else { return [] }
        let rows = try database.rows(statement.statement, timeLimit: Self.sampleTimeLimit, isCancelled: isCancelled)
        let samples = statement.samples(rows)
        if level == 0 { order.addFrequentValues(Set(samples.filter { $0.share > Self.tolerance }.map(\.value))) }
        state.withLock { state in
            // Samples are small, but a session can have any number of orders. So a full cache is emptied.
            if state.samples.count >= 16 { state.samples = [:] }
            state.samples[key] = samples
        }
        return samples
    }

    /// Fetches the page after or before the fetched rows of a region.
    private func nextPage(_ region: Region) throws -> FetchedPage {
        let isAfter = region.neededPositions.upperBound > region.shownPositions.upperBound && !region.isAtEnd
        let request: PageRequest = isAfter ? .after(region.lastKey, pages.pageRows) : .before(region.firstKey, pages.pageRows)
        let rows = try rows(request, region, frequentKeyCount: region.frequentKeyCount)
        return FetchedPage(rows: rows, isAfter: isAfter, frequentKeyCount: region.frequentKeyCount)
    }

    private func rows(_ request: PageRequest, _ region: Region, frequentKeyCount: Int) throws -> [PageRow] {
        let timeLimit = frequentKeyCount > 0 ? ServerOrder.frequentValueTimeLimit : 0
        return try region.order.rows(request, frequentKeyCount: frequentKeyCount, timeLimit: timeLimit) { hasEnded(region.id) }
    }

    /// Counts the rows before the first fetched row of a region. The count is the exact position of that row.
    private func count(rowsBefore key: RowKey, _ frequentKeyCount: Int, _ region: Region) {
        let order = region.order
        do {
            let position = try order.rank(of: key) { hasEnded(region.id) }
            // The exact page with this row is later fetched from a known key before it, so the key of the row at `start` is fetched now.
            let start = max(0, (position / pages.pageRows - 1) * pages.pageRows)
            var before: [PageRow] = []
            if start < position {
                do {
                    before = try rows(.before(key, position - start), region, frequentKeyCount: frequentKeyCount)
                } catch let error as ServerError where error == .timedOut {
                    // Ignore the error, because this key only saves time: without it, the exact page is fetched from another known key.
                }
            }
            // Nothing after this call may fail, because the call returns true only once. After an error, the keys would never be fetched.
            let needsSpacedKeys = order.needsSpacedKeys(for: position)
            order.addKnownKey(key, at: position)
            if before.count == position - start, let first = before.first { order.addKnownKey(first.key, at: start) }
            state.withLock { state in if state.region?.id == region.id { state.region!.exactTopPosition = position } }
            notify()
            // Fetch the spaced keys last, because this occupies the server. With these keys, distant rows have exact positions.
            if needsSpacedKeys { try? order.fetchSpacedKeys { false } }
        } catch {
            fail(region)
        }
    }

    /// Fetches the pages that contain a range of exact positions. If the rows of the order are not counted, the fetched rows become known.
    private func fetchExactPages(_ range: Range<Int>, _ region: Region) {
        let (order, size) = (region.order, pages.pageRows)
        do {
            for number in range.lowerBound / size...(range.upperBound - 1) / size {
                let page = order.possibleRows(number * size..<(number + 1) * size)
                if page.isEmpty || pages.contains(page, of: order) { continue }
                let rows = try order.rows(page) { hasEnded(region.id) }
                order.addKnownRows(rows.count, of: page)
                pages.add(rows, of: order, for: page)
            }
            notify()
        } catch {
            fail(region)
        }
    }

    private func fail(_ region: Region) {
        state.withLock { state in if state.region?.id == region.id { state.region!.hasFailed = true } }
        notify()
    }

    private func notify() { state.withLock { $0.notify }() }
}

extension SampledRows.Region {
    fileprivate mutating func add(_ rows: [PageRow], isAfter: Bool, pageRows: Int) {
        let new = rows.map { Record($0) }
        if isAfter {
            records += new
            isAtEnd = rows.count < pageRows
            lastKey = rows.last?.key ?? lastKey
            if records.count == new.count { firstKey = rows.first?.key ?? firstKey }
        } else {
            records = new + records
            start -= new.count
            isAtStart = rows.count < pageRows
            firstKey = rows.first?.key ?? firstKey
        }
    }
}
