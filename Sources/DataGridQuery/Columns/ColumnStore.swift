public import Tables
import FieldValues
import Locks

/// A cache of columns, orders and groups of tables, shared by successive jobs. Sorting a cached column in the other direction reads
/// nothing. A cached order of all records also gives the order of a filtered part of them.
///
/// The items of all tables share one budget. The store evicts the least recently used items when it exceeds the budget. A sort that needs
/// more memory than the budget uses a temporary file. Items are stored by `Table.contentID`, so tables with different content must have
/// different identifiers. Safe to use from any thread.
public final class ColumnStore: Sendable {
    enum Item: Hashable, Sendable {
        case column(Key)
        /// All records, sorted by keys.
        case order([ResolvedSortKey])
        /// All records in groups. The sort keys order the records within groups.
        case groups([ResolvedGroupKey], [ResolvedSortKey], [AggregateRequest])
    }

    struct Key: Hashable, Sendable {
        enum Form: Hashable {
            case values(SortOrdering)
            /// The numbers of the distinct fields, if there are few.
            case lowCardinality
            /// The numbers of the fields, regardless of the number of distinct fields.
            case numbers
        }
        let column: Int
        let form: Form

        var lowCardinalityKey: Key { Key(column: column, form: .lowCardinality) }
    }

    /// An item, with the content identifier of its table.
    private struct EntryKey: Hashable {
        let contentID: Int
        let item: Item
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

    /// The maximum number of cached bytes, and the memory limit of a sort.
    public let budget: Int
    /// Creates temporary files for larger sorts; if `nil`, sorts use memory only.
    let scratch: (@Sendable () throws -> any ScratchFile)?
    private let state = Mutex(State())

    /// Creates an empty store.
    /// - Parameters:
    ///   - budget: the maximum number of cached bytes, and of bytes that a sort uses in addition to its result.
    ///   - scratch: creates a temporary file for a larger sort; if `nil`, such a sort exceeds the budget.
    public init(budget: Int, scratch: (@Sendable () throws -> any ScratchFile)? = nil) { (self.budget, self.scratch) = (budget, scratch) }

    /// The number of cached bytes.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// Removes all items.
    public func removeAll() { state.withLock { $0.entries.removeAll() } }

    /// The cached item for this snapshot of the table, if there is one.
    func content(_ item: Item, of table: any Table) -> (any StoredItem)? {
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
    func keep(_ content: any StoredItem, _ item: Item, of table: any Table) {
        guard let contentID = table.contentID, content.byteCount <= budget else { return }
        state.withLock { state in
            state.uses += 1
            state.entries[EntryKey(contentID: contentID, item: item)] = Entry(content: content, lastUse: state.uses)
            state.dropOldest(downTo: budget)
        }
    }

    /// Evicts the least recently used items until `byteCount` bytes are free. Keeps `items` of the table, which are about to be used.
    ///
    /// Items of other tables can keep at most half of the budget, so that sorts of this table are not forced to the disk.
    func makeRoom(for byteCount: Int, keeping items: Set<Item>, of table: any Table) {
        let contentID = table.contentID
        state.withLock { state in
            state.dropOldest(downTo: budget / 2) { $0.contentID != contentID }
            state.dropOldest(downTo: max(0, budget - byteCount)) { $0.contentID != contentID || !items.contains($0.item) }
        }
    }
}

/// An item of a ``ColumnStore``.
protocol StoredItem: Sendable {
    /// The size in memory.
    var byteCount: Int { get }
}

/// All records in a sorted order.
struct StoredOrder: StoredItem {
    let records: RowNumbers
    var byteCount: Int { records.byteCount }
}

extension ValueVector: StoredItem {}
extension NumberedColumn: StoredItem {}
extension GroupResult: StoredItem {}
