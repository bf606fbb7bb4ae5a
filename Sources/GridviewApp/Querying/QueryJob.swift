import DataGrid
import DataGridQuery
import FieldValues
import Tables

/// A job that filters, sorts and groups the rows of a sheet. It runs the query of an arrangement, and converts the result for the grid.
struct QueryJob: Sendable {
    let engine: any QueryEngine
    /// The table without derived fields, which the query defines.
    let table: any Table
    let schema: Schema
    let arrangement: Arrangement
    /// The arrangement of the rows that are visible before the job has results.
    let previousArrangement: Arrangement
    var query: Query
    /// The filters of the query, with their column names looked up in the current columns.
    let filters: [Filter]
    /// The result of the filters of an earlier query; `nil` if there is no such result. If the filters are still the same, only newer rows
    /// are tested.
    let previousFilter: FilteredRows?
    let columns: [Column]
    /// The rows whose new positions the grid needs, such as the selected rows. The job finds them, because this can take too long on the
    /// main thread.
    let keptRows: [RowID]

    var title: String {
        func name(_ id: ColumnID) -> String { Message.quoted(columns.first { $0.id == id }?.title ?? "?") }
        func names(_ ids: [ColumnID]) -> String { ids.map(name).joined(separator: ", ") }
        if arrangement.isFilterOnly || arrangement.changesOnlyFilters(of: previousArrangement) {
            let new = arrangement.filters.filter { !previousArrangement.filters.contains($0) }
            let texts = (new.isEmpty ? arrangement.filters : new).map { Message.quoted($0.text) }
            return "filtering by \(texts.joined(separator: ", "))"
        }
        return arrangement.groups.isEmpty
            ? "sorting by \(names(arrangement.sort.map(\.column)))" : "grouping by \(names(arrangement.groups))"
    }

    /// The number of rows that the query must read. It is smaller than the number of rows in the table if an earlier filter result is
    /// reused.
    var rowCount: Int { previousFilter?.result.remainingRecordCount(of: table.recordCount, for: filters) ?? table.recordCount }

    /// Runs the query.
    ///
    /// If a server could not count the rows and `report` is not `nil`, returns the first rows instead of an error, see
    /// ``ArrangedRows/uncounted``.
    /// - Parameter report: called from time to time on any thread, with the matching rows that the filters have found until then, or with
    ///   the first rows of a sort.
    /// - Throws: `JobCancelled`, and errors of the table.
    func run(_ control: JobControl, report: (@Sendable (RowPermutation) -> Void)? = nil) throws -> ArrangedRows {
        var reportRows: (@Sendable (RowNumbers) -> Void)?
        let isAscending = arrangement.isFilterOnly
        if let report { reportRows = { report(isAscending ? RowPermutation(ascending: $0) : RowPermutation($0)) } }
        let result: QueryResult
        do {
            result = try engine.rows(
                of: table, schema: schema, matching: query, earlierFilterResult: previousFilter?.result, control: control,
                report: reportRows)
        } catch let error as UncountedRows where report != nil {
            return ArrangedRows(rows: .permuted(RowPermutation(error.rows)), uncounted: error)
        }
        var filtered: FilteredRows?
        if let result = result.filterResult {
            // Keep the same object if no rows were added, because the grid compares objects to detect changes.
            let isUnchanged =
                previousFilter.map { $0.result.filters == filters && $0.result.testedRowCount == result.testedRowCount } == true
            filtered = isUnchanged ? previousFilter : FilteredRows(result: result, rows: RowPermutation(ascending: result.rows))
        }
        if arrangement.isFilterOnly, let filtered { return ArrangedRows(rows: .permuted(filtered.rows), filtered: filtered) }
        let tree = try result.groups.map { try sections($0, control) }
        guard let rows = result.rows else {
            let count = result.groups.map { Int($0.groups.starts.last ?? 0) } ?? table.recordCount
            return ArrangedRows(rows: .natural(count: count), tree: tree, filtered: filtered)
        }
        return ArrangedRows(rows: .permuted(RowPermutation(rows, finding: keptRows)), tree: tree, filtered: filtered)
    }

    private func sections(_ result: GroupResult, _ control: JobControl) throws -> SectionTree {
        var exact = ExactValues()
        // Check the memory for the aggregate values and for the section tree, which needs up to 21 bytes per section.
        try Memory.check(byteCount: result.values.count * 8 + result.groups.count * 24)
        var values: [Double] = []
        values.reserveCapacity(result.values.count)
        for (index, value) in result.values.enumerated() {
            if index & 0xFFFF == 0 { try control.checkCancellation() }
            var shown = Double.nan
            switch value {
            case .none: break
            case .integer(let number):
                if number.magnitude > 1 << 53 { exact.append(ExactDecimal(Int128(number)), at: index) }
                shown = Double(number)
            case .decimal(let number): shown = number
            case .exact(let number):
                exact.append(number, at: index)
                shown = number.double
            case .record(let record): shown = Double(record)
            }
            values.append(shown)
        }
        return SectionTree(
            starts: RowNumbers(result.groups.starts), levels: result.groups.levels,
            titles: GroupTitles(
                groups: result.groups, intervals: query.groups.map(\.interval),
                columns: arrangement.groups.map { id in columns.first { $0.id == id } }),
            columns: arrangement.groups, aggregates: arrangement.shownAggregates(columns), aggregateValues: values, exactValues: exact,
            omission: result.omission?.text, leftOutValues: Message.leftOutValues(result.leftOutValues, in: columns))
    }
}

/// Provides the titles of sections from the keys of groups.
private struct GroupTitles: SectionTitles {
    let groups: GroupList
    /// The interval by which each level is grouped, outermost level first; `nil` for equal values.
    let intervals: [GroupInterval?]
    /// The column by which each level is grouped; `nil` if it does not exist. Titles of ranges use its number format.
    let columns: [Column?]

    func title(ofSection index: Int) -> String {
        let (key, level) = (groups.key(index), groups.level(index))
        guard let interval = intervals[level] else { return key }
        guard columns.indices.contains(level), let column = columns[level] else { return interval.title(ofKey: key) }
        return interval.title(ofKey: key, in: column.notation, groupsThousands: column.format.groupsThousands)
    }

    func key(ofSection index: Int) -> String { groups.key(index) }
}

/// The result of filters, and the matching rows in the form that the grid needs.
struct FilteredRows: Sendable {
    let result: FilterResult
    let rows: RowPermutation

    /// The result without the last tested row, which may have changed since it was tested; `nil` if computing this result would take long.
    var withoutLastRow: FilteredRows? {
        guard result.testedRowCount > 0, case .short(let numbers) = result.rows.form else { return nil }
        let isMatch = numbers.last.map { Int($0) == result.testedRowCount - 1 } ?? false
        let rows = isMatch ? RowNumbers(Array(numbers.dropLast())) : result.rows
        return FilteredRows(
            result: FilterResult(filters: result.filters, rows: rows, testedRowCount: result.testedRowCount - 1),
            rows: RowPermutation(ascending: rows))
    }
}

/// The rows that a ``QueryJob`` has arranged, for the grid.
struct ArrangedRows: Sendable {
    var rows: RowOrder
    var tree: SectionTree?
    /// The result of the filters, which the next query can reuse.
    var filtered: FilteredRows?
    /// The reason why a server could not count the rows, with the known details. ``rows`` then has only the first rows. `nil` if all rows
    /// are known.
    var uncounted: UncountedRows?
}
