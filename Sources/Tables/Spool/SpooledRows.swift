package import FieldValues
import Locks

/// A temporary file with the rows of a query that can be read only in one pass, such as a database view without a key.
///
/// A read can stop before the last row. The next read runs the query again, and skips the rows that are already in the file.
package final class SpooledRows: Sendable {
    /// A number that identifies these rows in this process.
    private let serial = TableSerial.next()
    private let state: Mutex<State>

    private struct State {
        var spool: RecordSpool
        var isComplete = false
    }

    /// Creates a collection without rows.
    /// - Parameters:
    ///   - jsonColumns: the columns whose values are JSON, see ``Table/hasNestedValues``.
    ///   - file: an empty file, to which nothing else writes.
    package init(columnCount: Int, jsonColumns: Set<Int> = [], in file: any ScratchFile) {
        state = Mutex(State(spool: RecordSpool(columnCount: columnCount, jsonColumns: jsonColumns, in: file)))
    }

    /// True if the file contains all rows of the query.
    package var isComplete: Bool { state.withLock { $0.isComplete } }
    /// The number of rows read.
    package var count: Int { state.withLock { $0.spool.recordCount } }
    /// The number of bytes of the rows read.
    package var byteCount: Int { state.withLock { $0.spool.byteCount } }

    /// The rows read so far, as a table. O(1).
    package func snapshot() -> SpoolTable {
        state.withLock { state in
            SpoolTable(spool: state.spool, isComplete: state.isComplete, contentID: state.isComplete ? serial << 32 : nil)
        }
    }

    /// The last rows read. They are the last rows of the query only after all rows are read.
    package func tail(atLeast count: Int) throws -> TailRecords {
        let table = snapshot()
        let first = max(0, table.recordCount - max(0, count))
        return TailRecords(
            records: try table.records(first..<table.recordCount, maximumFieldBytes: 1 << 20), firstByteOffset: 0,
            isSettled: table.isComplete)
    }

    /// Runs the query, and adds the rows that are not in the file yet. Only one thread may read at a time.
    /// - Parameters:
    ///   - shouldContinue: receives the number of rows in the file; returns `false` to stop.
    ///   - run: runs the query, and passes all of its rows to the ``RowAppender``. If it throws an error, the rows before the error are
    ///     kept.
    package func read(while shouldContinue: @escaping (_ rows: Int) -> Bool, _ run: (RowAppender) throws -> Void) throws {
        let appender = RowAppender(self, state.withLock { $0.spool }, shouldContinue)
        do {
            try run(appender)
        } catch {
            try? appender.spool.closeBlock()
            publish(appender.spool)
            throw error
        }
        try appender.spool.closeBlock()
        state.withLock { $0 = State(spool: appender.spool, isComplete: !appender.isStopped) }
    }

    private func publish(_ spool: RecordSpool) { state.withLock { $0.spool = spool } }

    /// One run of the query. Only one thread uses it.
    package final class RowAppender {
        fileprivate var spool: RecordSpool
        /// True if `shouldContinue` has returned `false`. The run then ends.
        package private(set) var isStopped = false
        private let rows: SpooledRows
        private let shouldContinue: (Int) -> Bool
        private let storedRowCount: Int
        private var row = 0
        private var lastCheck = ContinuousClock.now
        private var lastPublication: ContinuousClock.Instant?

        fileprivate init(_ rows: SpooledRows, _ spool: RecordSpool, _ shouldContinue: @escaping (Int) -> Bool) {
            (self.rows, self.spool, self.shouldContinue) = (rows, spool, shouldContinue)
            storedRowCount = spool.appendedCount
        }

        /// True if the next row is already in the file. The caller then calls ``skipRow()`` instead of ``append(_:)``.
        package var isNextRowKnown: Bool { row < storedRowCount }

        /// Skips a row that is already in the file.
        /// - Returns: `false` to end the query.
        package func skipRow() -> Bool {
            row += 1
            // The clock is read only every 64 rows, because reading it takes as long as reading a short row.
            return row % 64 != 0 || !checkForStop()
        }

        /// The number of the next row, from 0.
        package var nextRow: Int { row }

        /// Adds a row.
        /// - Parameter cuts: the fields of the row that were cut.
        /// - Returns: `false` to end the query.
        package func append(_ fields: UnsafeBufferPointer<FieldBytes>, cuts: [CutFields.Cut] = []) throws -> Bool {
            let before = spool.recordCount
            try spool.append(fields, cuts: cuts)
            if spool.recordCount > before { try publishIfDue() }
            return skipRow()
        }

        /// Makes all added rows visible to readers, at most every 50 ms. Publishing is costly, because the next block then copies the list
        /// of all blocks.
        package func publishIfDue() throws {
            let now = ContinuousClock.now
            guard lastPublication.map({ now - $0 > .milliseconds(50) }) ?? true else { return }
            lastPublication = now
            try spool.closeBlock()
            rows.publish(spool)
        }

        /// True if the query must end. The caller polls this while the query runs without returning rows. `shouldContinue` is called at
        /// most every 5 ms.
        package func checkForStop() -> Bool {
            let now = ContinuousClock.now
            guard !isStopped, now - lastCheck > .milliseconds(5) else { return isStopped }
            lastCheck = now
            isStopped = !shouldContinue(rows.count)
            return isStopped
        }
    }
}
