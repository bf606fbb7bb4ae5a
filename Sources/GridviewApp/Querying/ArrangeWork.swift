import DataGrid
import DataGridSources
import DataGridQuery
import FieldValues
import Tables

/// Filtering, sorting and grouping the rows, as one piece of work: first the rows that are left, these sorted, and then grouped so that
/// the order within groups stays.
struct ArrangeWork: Sendable {
    let table: any Table
    let arrangement: Arrangement
    /// The filters of the arrangement, bound to the columns as they are now.
    let filters: [Filter]
    /// What was found by filters before, as far as it is of use.
    let known: FilterResult?
    let columns: [Column]
    /// How columns are to be compared, where that is not as their types say.
    let orderings: [ColumnID: SortOrdering]
    /// The letters by which texts are put in order.
    let alphabet: NaturalOrder.Alphabet
    let store: ColumnStore
    let threads: Int

    /// What it does, in a few words.
    var title: String {
        func names(_ ids: [ColumnID]) -> String { ids.map { id in columns.first { $0.id == id }?.title ?? "?" }.joined(separator: ", ") }
        if arrangement.isFilterOnly { return "filtering" }
        return arrangement.groups.isEmpty
            ? "sorting by \(names(arrangement.sort.map(\.column)))" : "grouping by \(names(arrangement.groups))"
    }

    /// How many rows it goes through: all, unless filters have left some of them before.
    var rowCount: Int {
        guard let known, filters.starts(with: known.filters) else { return table.recordCount }
        return known.rows.records.count + max(0, table.recordCount - known.scanned)
    }

    /// How much work its steps are, each beside the others.
    private var units: (filter: Int, sort: Int, group: Int) {
        (filters.isEmpty ? 0 : 1_000, arrangement.sort.isEmpty ? 0 : 2_000, arrangement.groups.isEmpty ? 0 : 2_000)
    }

    /// - Parameter report: told of the rows that filters alone have left so far, on any thread, now and then; or of those that the order
    ///   begins with, before all of it is known.
    /// - Throws: ``JobCancelled``, or what reading the table threw.
    func run(_ control: JobControl, report: (@Sendable (RowPermutation) -> Void)? = nil) throws -> Arranged {
        if arrangement.isNatural { return Arranged(rows: .natural(count: table.recordCount)) }
        control.begin(total: units.filter + units.sort + units.group)
        let filtered = try filters.isEmpty ? nil : control.part(of: units.filter) { try self.filtered($0, report) }
        if let filtered, arrangement.isFilterOnly { return Arranged(rows: .permuted(filtered.rows), filtered: filtered) }
        var order = filtered?.rows.records
        // A column that is grouped by is in order within its groups anyway.
        let keys = arrangement.sort.filter { !arrangement.groups.contains($0.column) }
            .map { SortKey(column: $0.column.field.rawValue, ordering: ordering(of: $0.column), isDescending: $0.isDescending) }
        if !keys.isEmpty {
            let reportFirst =
                arrangement.groups.isEmpty ? report.map { report in { (first: RowNumbers) in report(RowPermutation(first)) } } : nil
            order = try control.part(of: units.sort) {
                try sortedRecords(
                    of: table, by: keys, within: order, store: store, threads: threads, control: $0, reportFirst: reportFirst)
            }
        }
        guard !arrangement.groups.isEmpty else {
            return Arranged(rows: .permuted(RowPermutation(order ?? RowNumbers([]))), filtered: filtered)
        }
        let (rows, tree) = try control.part(of: units.group) { try self.grouped(order, sortedBy: filtered == nil ? keys : nil, $0) }
        return Arranged(rows: rows, tree: tree, filtered: filtered)
    }

    /// - Parameter sort: the keys that have put all records in `order`; `nil` when it is not of all.
    private func grouped(
        _ order: RowNumbers?, sortedBy sort: [SortKey]?, _ control: JobControl
    ) throws -> (RowOrder, SectionTree?) {
        let aggregates = arrangement.shownAggregates(columns)
        let keys = arrangement.groups.map { id in
            let order = arrangement.order(ofLevel: id)
            let criterion: GroupKey.Criterion =
                switch order.criterion {
                case .title: .field
                case .rowCount: .recordCount
                case .aggregate(let aggregate): .aggregate(aggregates.firstIndex(of: aggregate)!)
                }
            return GroupKey(column: id.field.rawValue, ordering: ordering(of: id), isDescending: order.isDescending, by: criterion)
        }
        let requests = aggregates.map { aggregate in
            AggregateRequest(
                AggregateRequest.Function(rawValue: aggregate.function.rawValue)!, column: aggregate.column.field.rawValue,
                kind: kind(of: aggregate.column), notation: notation(of: aggregate.column), alphabet: alphabet)
        }
        let result = try groupedRecords(
            of: table, by: keys, order: order, sortedBy: sort, aggregates: requests, store: store, threads: threads, control: control)
        var exact = ExactValues()
        // The values, and the section tree, which has up to 21 bytes a section.
        try Memory.check(byteCount: result.values.count * 8 + result.groups.count * 24)
        let values = try [Double](unsafeUninitializedCapacity: result.values.count) { values, count in
            for (place, value) in result.values.enumerated() {
                if place & 0xFFFF == 0 { try control.checkCancellation() }
                var shown = Double.nan
                switch value {
                case .none: break
                case .integer(let number):
                    if number.magnitude > 1 << 53 { exact.append(ExactDecimal(Int128(number)), at: place) }
                    shown = Double(number)
                case .decimal(let number): shown = number
                case .exact(let number):
                    exact.append(number, at: place)
                    shown = number.double
                case .record(let record): shown = Double(record)
                }
                values.initializeElement(at: place, to: shown)
            }
            count = result.values.count
        }
        let tree = SectionTree(
            starts: result.groups.starts, levels: result.groups.levels, titles: GroupTitles(groups: result.groups),
            columns: arrangement.groups, aggregates: aggregates, aggregateValues: values, exactValues: exact)
        return (.permuted(RowPermutation(result.order)), tree)
    }

    private func kind(of id: ColumnID) -> ValueKind { columns.first { $0.id == id }?.kind ?? .text }

    private func notation(of id: ColumnID) -> NumberNotation { columns.first { $0.id == id }?.notation ?? .point }

    private func ordering(of id: ColumnID) -> SortOrdering {
        // Numbers are written as in the rest of the column.
        if let asked = orderings[id], asked != .number { return asked }
        let kind = orderings[id] == nil ? kind(of: id) : .decimal
        return SortOrdering(kind: kind, notation: notation(of: id), alphabet: alphabet)
    }
}

/// The keys of groups as titles of sections.
private struct GroupTitles: SectionTitles {
    let groups: GroupList

    func title(ofSection index: Int) -> String { groups.key(index) }
}

/// The rows arranged.
struct Arranged: Sendable {
    var rows: RowOrder
    var tree: SectionTree?
    /// What filters have left, for the next arrangement.
    var filtered: FilterResult?
}
