import DataGrid
import Synchronization

/// Columns as jobs have pulled them out of a table, kept for the next job: a column that was sorted by need not be read again to be
/// sorted the other way round.
///
/// Holds as many bytes as it was told, and drops what was not used for the longest time. One store is for one table and what it becomes;
/// what was read of another state of it is never given out. Safe to use from any thread.
public final class ColumnStore: Sendable {
    /// What a column was read as.
    struct Key: Hashable, Sendable {
        /// What is made of fields.
        enum Form: Hashable {
            /// Values by their order.
            case values(SortOrdering)
            /// Numbers of the different fields, if these are few.
            case codes
            /// Numbers of the different fields, however many.
            case numbers
        }
        let column: Int
        let form: Form
    }

    private struct Entry {
        let column: any StoredColumn
        let contentID: Int
        var lastUse: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var uses = 0
        var byteCount: Int { entries.values.reduce(0) { $0 + $1.column.byteCount } }
    }

    private let budget: Int
    private let state = Mutex(State())

    /// - Parameter budget: the most bytes to keep.
    public init(budget: Int) { self.budget = budget }

    /// Bytes that are kept.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// Forgets all columns.
    public func removeAll() { state.withLock { $0.entries.removeAll() } }

    /// The column, if it is kept and was read of this state of the table.
    func column(_ key: Key, of table: any RecordTable) -> (any StoredColumn)? {
        guard let contentID = table.contentID else { return nil }
        return state.withLock { state in
            guard let entry = state.entries[key], entry.contentID == contentID else { return nil }
            state.uses += 1
            state.entries[key]?.lastUse = state.uses
            return entry.column
        }
    }

    /// Keeps a column of the whole table. One that alone is more than the budget is not kept.
    func keep(_ column: any StoredColumn, _ key: Key, of table: any RecordTable) {
        guard let contentID = table.contentID, column.byteCount <= budget else { return }
        state.withLock { state in
            state.uses += 1
            state.entries = state.entries.filter { $0.value.contentID == contentID }
            state.entries[key] = Entry(column: column, contentID: contentID, lastUse: state.uses)
            while state.byteCount > budget, let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                state.entries[oldest.key] = nil
            }
        }
    }
}

/// A column that a ``ColumnStore`` can keep.
protocol StoredColumn: AnyObject, Sendable {
    /// Bytes in memory.
    var byteCount: Int { get }
}

extension ValueVector: StoredColumn {}
extension CodeVector: StoredColumn {}
extension DistinctColumn: StoredColumn {}
