import Tables
import FieldValues

/// The columns that a job needs, with the values of each record at its slot. Cached columns are reused; all other columns are read in one
/// pass.
struct LoadedColumns {
    typealias Request = ColumnStore.ColumnItemKey

    let selection: RecordSelection
    private let columns: [Request: any StoredItem]

    /// - Parameter records: the records of the job; `nil` for all records in ascending order.
    init(
        _ requests: [Request], records: RowNumbers?, of table: any Table, store: ColumnStore?, threads: Int, control: JobControl
    ) throws {
        let requests = Set(requests)
        var columns: [Request: any StoredItem] = [:]
        for request in requests {
            // A column with few distinct fields is cached as `lowCardinality`, even if `numbers` was requested.
            let lowCardinality = request.form == .numbers ? store?.storedItem(for: .column(request.lowCardinalityKey), of: table) : nil
            columns[request] = lowCardinality ?? store?.storedItem(for: .column(request), of: table)
        }
        // A cached column has the values of all records, so it also serves a job that needs only some records. If all columns are cached,
        // nothing is read.
        let hasAll = !requests.isEmpty && columns.count == requests.count && table.recordCount <= control.shortLimit
        selection =
            hasAll
            ? try RecordSelection(slots: records, recordCount: table.recordCount)
            : try RecordSelection(order: records, recordCount: table.recordCount, shortLimit: control.shortLimit)
        if selection.mapsSlotsToRecords { columns = [:] }
        let missing = requests.filter { columns[$0] == nil }.sorted { $0.column < $1.column }
        let count = selection.slotCount
        let readers = try missing.map { request -> any ColumnReader in
            if case .values(let ordering) = request.form {
                return try ValueReader(request.column, as: ordering, count: count, threads: threads)
            }
            return try FieldNumberReader(
                request.column, count: count, continuesPastLimit: request.form == .numbers, threads: threads, control: control)
        }
        if !missing.isEmpty { try selection.readColumns(with: readers, of: table, threads: threads, control: control) }
        for (request, reader) in zip(missing, readers) {
            let numbered = (reader as? FieldNumberReader)?.result
            guard let column: any StoredItem = (reader as? ValueReader)?.vector ?? numbered else { continue }
            columns[request] = column
            let hasFewFields = numbered.map { $0.fields.count <= NumberedColumn.lowCardinalityLimit } ?? false
            if !selection.mapsSlotsToRecords {
                store?.insert(column, for: .column(hasFewFields ? request.lowCardinalityKey : request), of: table)
            }
        }
        self.columns = columns
    }

    func values(_ request: Request) -> ValueVector? { columns[request] as? ValueVector }

    /// The requested column as field numbers.
    /// - Parameter form: the requested form. With ``ColumnStore/ColumnItemKey/Form/lowCardinality``, the result is `nil` if the column has
    ///   too many distinct fields.
    func numberedColumn(_ column: Int, _ form: Request.Form = .numbers) -> NumberedColumn? {
        columns[Request(column: column, form: form)] as? NumberedColumn
    }
}
