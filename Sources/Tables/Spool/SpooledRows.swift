package import FieldValues
import Locks

/// A temporary file with the rows of a query that can be read only in one pass, such as a database view without a key.
///
/// A read can stop before the last row. The next read runs the query again, and skips the known rows.
package final class SpooledRows: Sendable {
    private let serial = TableSerial.next()
    private let state: Mutex<State>

    private struct State {
        var spool: RecordSpool
        var isComplete = false
    }

    /// - Parameters:
    ///   - jsonColumns: the columns whose values are JSON, see ``Table/hasNestedValues``.
    ///   - file: an empty file, which nothing else writes to.
    package init(columnCount: Int, jsonColumns: Set<Int> = [], in file: any ScratchFile) {
        state = Mutex(State(spool: RecordSpool(columnCount: columnCount, jsonColumns: jsonColumns, in: file)))
    }

    /// True if all rows are known.
    package var isComplete: Bool { state.withLock { $0.isComplete } }
    /// The number of known rows.
    package var count: Int { state.withLock { $0.spool.recordCount } }
    /// The number of bytes of the known rows.
    package var byteCount: Int { state.withLock { $0.spool.byteCount } }

    /// The known rows. O(1).
    package func snapshot() -> SpoolTable {
        state.withLock { state in
            SpoolTable(spool: state.spool, isComplete: state.isComplete, contentID: state.isComplete ? serial << 32 : nil)
        }
    }

    /// The last known rows. The end is unknown until all rows are read.
    package func tail(atLeast count: Int) throws -> TailRecords {
        let table = snapshot()
        let first = max(0, table.recordCount - max(0, count))
        return TailRecords(
            records: try table.records(first..<table.recordCount, maximumFieldBytes: 1 << 20), firstByteOffset: 0,
            isSettled: table.isComplete)
    }

    /// Runs the query, and adds the rows that are not known yet. Only one thread may read at a time.
    /// - Parameters:
    ///   - shouldContinue: receives the number of known rows; returns `false` to stop.
    ///   - run: passes all rows of the query, from the first one, to the reading. The rows before an error stay known.
    package func read(while shouldContinue: @escaping (_ rows: Int) -> Bool, _ run: (Reading) throws -> Void) throws {
        let reading = Reading(self, state.withLock { $0.spool }, shouldContinue)
        do {
            try run(reading)
        } catch {
            try? reading.spool.closeBlock()
            publish(reading.spool)
            throw error
        }
        try reading.spool.closeBlock()
        state.withLock { $0 = State(spool: reading.spool, isComplete: !reading.isStopped) }
    }

    private func publish(_ spool: RecordSpool) { state.withLock { $0.spool = spool } }

    /// One run of the query. Used by one thread.
    package final class Reading {
        fileprivate var spool: RecordSpool
        /// True if `shouldContinue` has returned `false`.
        package private(set) var isStopped = false
        private let rows: SpooledRows
        private let shouldContinue: (Int) -> Bool
        private let known: Int
        private var row = 0
        private var lastCheck = ContinuousClock.now
        private var lastPublication: ContinuousClock.Instant?

        fileprivate init(_ rows: SpooledRows, _ spool: RecordSpool, _ shouldContinue: @escaping (Int) -> Bool) {
            (self.rows, self.spool, self.shouldContinue) = (rows, spool, shouldContinue)
            known = spool.appendedCount
        }

        /// True if the next row is known from an earlier read.
        package var isNextRowKnown: Bool { row < known }

        /// Skips a known row.
        /// - Returns: `false` to end the query.
        package func skipRow() -> Bool {
            row += 1
            // Reading the clock takes as long as reading a short row.
            return row % 64 != 0 || !checkForStop()
        }

        /// Adds a row.
        /// - Returns: `false` to end the query.
        package func append(_ fields: UnsafeBufferPointer<FieldBytes>) throws -> Bool {
            let before = spool.recordCount
            try spool.append(fields)
            if spool.recordCount > before { try publishIfDue() }
            return skipRow()
        }

        /// Makes all added rows known, at most every 50 ms. Publishing is costly, because the next block then copies the list of all
        /// blocks.
        package func publishIfDue() throws {
            let now = ContinuousClock.now
            guard lastPublication.map({ now - $0 > .milliseconds(50) }) ?? true else { return }
            lastPublication = now
            try spool.closeBlock()
            rows.publish(spool)
        }

        /// True if the query should end. Call it while the query runs without passing rows. It calls `shouldContinue` at most every 5 ms.
        package func checkForStop() -> Bool {
            let now = ContinuousClock.now
            guard !isStopped, now - lastCheck > .milliseconds(5) else { return isStopped }
            lastCheck = now
            isStopped = !shouldContinue(rows.count)
            return isStopped
        }
    }
}
