import DataGrid
import FieldValues

/// The columns that a job needs, by slot: those that are kept from before, and the others read in one pass.
struct ColumnSet {
    /// What a job asks for.
    typealias Request = ColumnStore.Key

    /// What the slots are that the columns are by.
    let selection: RecordSelection
    private let columns: [Request: any Stored]

    /// - Parameters:
    ///   - records: what the job is about; `nil` for all records, ascending.
    ///   - store: where columns of the whole table are kept.
    init(
        _ requests: [Request], records: [UInt32]?, of table: any RecordTable, store: ColumnStore?, threads: Int, control: JobControl
    ) throws {
        let requests = Set(requests)
        var columns: [Request: any Stored] = [:]
        for request in requests { columns[request] = store?.content(.column(request), of: table) }
        // What is there of all records serves for some of them too; only then need nothing be read.
        let hasAll = !requests.isEmpty && columns.count == requests.count
        selection =
            hasAll
            ? RecordSelection(slots: records, recordCount: table.recordCount)
            : RecordSelection(order: records, recordCount: table.recordCount)
        if selection.hasRecords { columns = [:] }
        let missing = requests.filter { columns[$0] == nil }.sorted { $0.column < $1.column }
        let count = selection.slotCount
        let readers = missing.map { request -> any ColumnReader in
            if let ordering = request.ordering { return ValueReader(request.column, as: ordering, count: count, threads: threads) }
            return CodeReader(request.column, count: count, threads: threads, control: control)
        }
        if !missing.isEmpty { try selection.read(readers, of: table, threads: threads, control: control) }
        for (request, reader) in zip(missing, readers) {
            guard let column: any Stored = (reader as? ValueReader)?.vector ?? (reader as? CodeReader)?.vector else { continue }
            columns[request] = column
            if !selection.hasRecords { store?.keep(column, .column(request), of: table) }
        }
        self.columns = columns
    }

    /// The column as values.
    func values(_ column: Int, as ordering: SortOrdering) -> ValueVector? {
        columns[Request(column: column, ordering: ordering)] as? ValueVector
    }

    /// The column as numbers of its different fields; `nil` when they are too many.
    func codes(_ column: Int) -> CodeVector? { columns[Request(column: column, ordering: nil)] as? CodeVector }
}
