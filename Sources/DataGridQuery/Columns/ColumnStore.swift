public import Tables
import FieldValues
import Locks

/// What jobs have pulled out of a table or made of it, kept for the next job: a column that was sorted by need not be read again to be
/// sorted the other way round, and all records in order need not be sorted again to show some of them so, and then all.
///
/// Holds as many bytes as it was told, and drops what was not used for the longest time. A sort that would need more than that goes by way
/// of a file. One store is for one table and what it becomes; what was read of another state of it is never given out. Safe to use from any
/// thread.
public final class ColumnStore: Sendable {
    enum Item: Hashable, Sendable {
        case column(Key)
        /// All records in the order of keys.
        case order([SortKey])
        /// All records in groups; the second keys order them within.
        case groups([GroupKey], [SortKey], [AggregateRequest])
    }

    struct Key: Hashable, Sendable {
        enum Form: Hashable {
            case values(SortOrdering)
            /// Numbers of the distinct fields, if these are few.
            case fewNumbers
            /// Numbers of the fields, however many are distinct.
            case numbers
        }
        let column: Int
        let form: Form

        var onlyFew: Key { Key(column: column, form: .fewNumbers) }
    }

    private struct Entry {
        let content: any Stored
        let contentID: Int
        var lastUse: Int
    }

    private struct State {
        var entries: [Item: Entry] = [:]
        var uses = 0
        var byteCount: Int { entries.values.reduce(0) { $0 + $1.content.byteCount } }

        mutating func dropOldest(downTo limit: Int, keeping items: Set<Item> = []) {
            while byteCount > limit,
                let oldest = entries.filter({ !items.contains($0.key) }).min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                entries[oldest.key] = nil
            }
        }
    }

    /// The most bytes to keep, and for a sort to take.
    public let budget: Int
    /// Makes files for what is more; `nil`: everything is done in memory.
    let scratch: (@Sendable () throws -> any ScratchFile)?
    private let state = Mutex(State())

    /// A store that keeps nothing yet.
    /// - Parameters:
    ///   - budget: the most bytes to keep, and the most that a sort takes beside its result.
    ///   - scratch: makes a file for a sort that needs more; without it such a sort takes what it needs.
    public init(budget: Int, scratch: (@Sendable () throws -> any ScratchFile)? = nil) { (self.budget, self.scratch) = (budget, scratch) }

    /// Bytes that are kept.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// Forgets all columns.
    public func removeAll() { state.withLock { $0.entries.removeAll() } }

    /// The content of an item, if it is kept and was made of this state of the table.
    func content(_ item: Item, of table: any Table) -> (any Stored)? {
        guard let contentID = table.contentID else { return nil }
        return state.withLock { state in
            guard let entry = state.entries[item], entry.contentID == contentID else { return nil }
            state.uses += 1
            state.entries[item]?.lastUse = state.uses
            return entry.content
        }
    }

    /// Keeps what was made of the whole table. What alone is more than the budget is not kept.
    func keep(_ content: any Stored, _ item: Item, of table: any Table) {
        guard let contentID = table.contentID, content.byteCount <= budget else { return }
        state.withLock { state in
            state.uses += 1
            state.entries = state.entries.filter { $0.value.contentID == contentID }
            state.entries[item] = Entry(content: content, contentID: contentID, lastUse: state.uses)
            state.dropOldest(downTo: budget)
        }
    }

    /// Drops what was not used for the longest time until so many bytes are free, except `items`, which are about to be used.
    func makeRoom(for byteCount: Int, keeping items: Set<Item>) {
        state.withLock { $0.dropOldest(downTo: max(0, budget - byteCount), keeping: items) }
    }
}

/// What a ``ColumnStore`` can keep.
protocol Stored: Sendable {
    /// Bytes in memory.
    var byteCount: Int { get }
}

/// Records in an order that was found.
struct StoredOrder: Stored {
    let records: RowNumbers
    var byteCount: Int { records.byteCount }
}

extension ValueVector: Stored {}
extension NumberedColumn: Stored {}
extension GroupResult: Stored {}
