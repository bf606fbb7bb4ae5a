import Tables
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
        _ requests: [Request], records: RowNumbers?, of table: any Table, store: ColumnStore?, threads: Int, control: JobControl
    ) throws {
        let requests = Set(requests)
        var columns: [Request: any Stored] = [:]
        for request in requests {
            // What is few enough for codes is kept as such, whoever asked for it.
            let codes = ColumnStore.Item.column(Request(column: request.column, form: .codes))
            let few = request.form == .numbers ? store?.content(codes, of: table) : nil
            columns[request] = few ?? store?.content(.column(request), of: table)
        }
        // What is there of all records serves for some of them too; only then need nothing be read.
        let hasAll = !requests.isEmpty && columns.count == requests.count && table.recordCount <= control.shortLimit
        selection =
            hasAll
            ? try RecordSelection(slots: records, recordCount: table.recordCount)
            : try RecordSelection(order: records, recordCount: table.recordCount, shortLimit: control.shortLimit)
        if selection.hasRecords { columns = [:] }
        let missing = requests.filter { columns[$0] == nil }.sorted { $0.column < $1.column }
        let count = selection.slotCount
        let readers = try missing.map { request -> any ColumnReader in
            if case .values(let ordering) = request.form {
                return try ValueReader(request.column, as: ordering, count: count, threads: threads)
            }
            return try CodeReader(request.column, count: count, goesOn: request.form == .numbers, threads: threads, control: control)
        }
        if !missing.isEmpty { try selection.read(readers, of: table, threads: threads, control: control) }
        for (request, reader) in zip(missing, readers) {
            let codes = reader as? CodeReader
            guard let column: any Stored = (reader as? ValueReader)?.vector ?? codes?.vector ?? codes?.wide ?? codes?.plain else {
                continue
            }
            columns[request] = column
            let kept = codes?.vector == nil ? request : Request(column: request.column, form: .codes)
            if !selection.hasRecords { store?.keep(column, .column(kept), of: table) }
        }
        self.columns = columns
    }

    /// The column as values.
    func values(_ column: Int, as ordering: SortOrdering) -> ValueVector? {
        columns[Request(column: column, form: .values(ordering))] as? ValueVector
    }

    /// The column as numbers of its different fields; `nil` when they are too many.
    func codes(_ column: Int) -> CodeVector? { columns[Request(column: column, form: .codes)] as? CodeVector }

    /// The column as numbers of its different fields, as codes where they are few.
    func numbers(_ column: Int) -> NumberedColumn? {
        let found = columns[Request(column: column, form: .numbers)]
        return (found as? CodeVector).map { .codes($0) } ?? (found as? DistinctColumn).map { .numbers($0) }
            ?? (found as? PlainColumn).map { .plain($0) }
    }
}

/// A column as numbers of its fields, in as many bytes as it needs; of a plain one, the same fields have different numbers.
enum NumberedColumn {
    case codes(CodeVector)
    case numbers(DistinctColumn)
    case plain(PlainColumn)

    var fields: any FieldList {
        switch self {
        case .codes(let codes): codes
        case .numbers(let numbers): numbers
        case .plain(let fields): fields
        }
    }

    @inline(__always)
    func number(_ slot: Int) -> Int {
        switch self {
        case .codes(let codes): Int(codes.codes[slot])
        case .numbers(let numbers): Int(numbers.numbers[slot])
        case .plain: slot
        }
    }
}
