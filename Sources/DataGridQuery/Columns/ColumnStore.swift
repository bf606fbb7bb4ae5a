public import Tables
import FieldValues
import Locks

/// A cache of columns, orders and groups of tables, which jobs share.
///
/// For example, reversing the direction of a sort reads no column again. A filtered table is sorted by the cached order of all its records.
///
/// The items of all tables share one memory budget. The store evicts the least recently used items when the items exceed the budget. A sort
/// that needs more memory than the budget uses a temporary file.
///
/// Items are stored by `Table.contentID`, so tables with different content must have different identifiers. Safe to use from any thread.
public final class ColumnStore: Sendable {
    /// Identifies an item of a table.
    enum ItemKey: Hashable, Sendable {
        case column(ColumnItemKey)
        /// The order of all records of the table by these keys.
        case order([ResolvedSortKey])
        /// The groups of all records of the table. The sort keys order the records within a group.
        case groups([ResolvedGroupKey], [ResolvedSortKey], [AggregateRequest])
    }

    struct ColumnItemKey: Hashable, Sendable {
        enum Form: Hashable {
            case values(SortOrdering)
            /// The field numbers of a column with few distinct fields.
            case lowCardinality
            /// The field numbers of a column with any number of distinct fields.
            case numbers
        }
        let column: Int
        let form: Form

        var lowCardinalityKey: ColumnItemKey { ColumnItemKey(column: column, form: .lowCardinality) }
    }

    /// The key of an item in the cache.
    private struct EntryKey: Hashable {
        let contentID: Int
        let item: ItemKey
    }

    private struct Entry {
        let content: any StoredItem
        var lastUse: Int
    }

    private struct State {
        var entries: [EntryKey: Entry] = [:]
        var uses = 0
        var byteCount: Int { entries.values.reduce(0) { $0 + $1.content.byteCount } }

        mutating func dropOldest(downTo limit: Int, where isDroppable: (EntryKey) -> Bool = { _ in true }) {
            while byteCount > limit,
                let oldest = entries.filter({ isDroppable($0.key) }).min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                entries[oldest.key] = nil
            }
        }
    }

    /// The maximum number of cached bytes. Also the memory limit of a sort, in bytes.
    public let budget: Int
    /// Creates a temporary file for a sort that exceeds ``budget``; if `nil`, such a sort stays in memory.
    let makeScratchFile: (@Sendable () throws -> any ScratchFile)?
    private let state = Mutex(State())

    /// Creates an empty store.
    /// - Parameters:
    ///   - budget: the maximum number of cached bytes, and of bytes that a sort uses in addition to its result.
    ///   - makeScratchFile: creates a temporary file for a sort that exceeds the budget; if `nil`, such a sort stays in memory.
    public init(budget: Int, makeScratchFile: (@Sendable () throws -> any ScratchFile)? = nil) {
        (self.budget, self.makeScratchFile) = (budget, makeScratchFile)
    }

    /// The number of cached bytes.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// Removes all items.
    public func removeAll() { state.withLock { $0.entries.removeAll() } }

    /// The cached item for this snapshot of the table; `nil` if the item is not cached.
    func storedItem(for item: ItemKey, of table: any Table) -> (any StoredItem)? {
        guard let contentID = table.contentID else { return nil }
        return state.withLock { state in
            let key = EntryKey(contentID: contentID, item: item)
            guard let entry = state.entries[key] else { return nil }
            state.uses += 1
            state.entries[key]?.lastUse = state.uses
            return entry.content
        }
    }

    /// Caches an item computed from the whole table. An item larger than the budget is not cached.
    func insert(_ content: any StoredItem, for item: ItemKey, of table: any Table) {
        guard let contentID = table.contentID, content.byteCount <= budget else { return }
        state.withLock { state in
            state.uses += 1
            state.entries[EntryKey(contentID: contentID, item: item)] = Entry(content: content, lastUse: state.uses)
            state.dropOldest(downTo: budget)
        }
    }

    /// Evicts the least recently used items until a job can allocate `byteCount` bytes within the budget.
    ///
    /// Does not evict `items` of the table, because the job is about to use them. The items of other tables keep at most half of the
    /// budget, so that a sort of this table seldom needs a temporary file.
    func makeRoom(for byteCount: Int, keeping items: Set<ItemKey>, of table: any Table) {
        let contentID = table.contentID
        state.withLock { state in
            state.dropOldest(downTo: budget / 2) { $0.contentID != contentID }
            state.dropOldest(downTo: max(0, budget - byteCount)) { $0.contentID != contentID || !items.contains($0.item) }
        }
    }
}

/// An item of a ``ColumnStore``.
protocol StoredItem: Sendable {
    /// The size in memory, in bytes.
    var byteCount: Int { get }
}

/// The order of all records by some sort keys.
struct StoredOrder: StoredItem {
    let records: RowNumbers
    var byteCount: Int { records.byteCount }
}

extension ValueVector: StoredItem {}
extension NumberedColumn: StoredItem {}
extension GroupResult: StoredItem {}
