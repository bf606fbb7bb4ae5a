import FieldValues
public import Tables

/// Computes a pivot table. Any query engine can compute it, because it is made from the groups of ordinary queries.
public struct PivotJob: Sendable {
    /// The engine that groups the rows.
    public let engine: any QueryEngine
    /// The table, without derived fields.
    public let table: any Table
    /// The fields that the pivot table and the formulas use, including derived ones.
    public let schema: Schema
    /// The derived fields, the filters, and the sort keys that determine the first and the last row of a group.
    public let base: Query
    /// The pivot table to compute.
    public let pivot: Pivot
    /// The result of the filters of an earlier query; `nil` without one.
    public var earlierFilterResult: FilterResult?
    /// The size of the input in bytes; 0 if it is empty.
    public var inputByteCount = 0
    /// The problems of the input, which the pivot table also has.
    public var inputProblems: [String] = []
    /// Describes the values that aggregates leave out, as a phrase for the user; `nil` without such values.
    public var describeLeftOutValues: @Sendable ([LeftOutValues]) -> String? = { _ in nil }
    /// The maximum number of values of the column field that become columns. Later values are left out.
    var maximumValueCount = 500
    /// The maximum number of rows. Later rows are left out.
    var maximumRowCount = 100_000

    /// Creates a job.
    public init(
        engine: any QueryEngine, table: any Table, schema: Schema, base: Query, pivot: Pivot, earlierFilterResult: FilterResult? = nil
    ) {
        (self.engine, self.table, self.schema, self.base, self.pivot, self.earlierFilterResult) = (
            engine, table, schema, base, pivot, earlierFilterResult
        )
    }

    /// Computes the table.
    ///
    /// An engine puts nulls and empty values in one group. If a field has nulls and such a group, the groups are computed again with
    /// additional levels that separate nulls from empty values.
    /// - Parameter name: the name of the source.
    /// - Throws: the errors of the engine and of the table.
    public func run(name: String, _ control: JobControl) throws -> PivotSource {
        control.begin(total: 2_500)
        let keys = [pivot.column] + pivot.rows
        let isNullable = keys.map { key in !key.field.isDerived && schema[key.field]?.hasNulls == true }
        var levels = SplitLevels(keys, isSplit: keys.map { _ in false })
        var earlierFilterResult = earlierFilterResult
        func groups(_ query: Query, _ levels: SplitLevels, units: Int) throws -> GroupResult {
            let query = levels.query(query, schema)
            let result = try control.withPart(of: units) { part in
                try engine.rows(
                    of: table, schema: schema.adding(query.derived), matching: query, earlierFilterResult: earlierFilterResult,
                    control: part, report: nil)
            }
            earlierFilterResult = result.filterResult ?? earlierFilterResult
            return try result.groups ?? GroupResult(order: RowNumbers([]), groups: GroupList([]), values: [])
        }
        var cells = try groups(pivot.query(of: base), levels, units: 1_000)
        let isSplit = keys.indices.map { level in isNullable[level] && cells.hasEmptyKey(atLevel: level) }
        if isSplit.contains(true) {
            levels = SplitLevels(keys, isSplit: isSplit)
            cells = try groups(pivot.query(of: base), levels, units: 1_000)
        } else {
            control.advance(by: 1_000)
        }
        let rowLevels = SplitLevels(pivot.rows, isSplit: Array(isSplit.dropFirst()))
        let rows = try pivot.rows.isEmpty ? nil : groups(pivot.rowQuery(of: base), rowLevels, units: 500)
        if rows == nil { control.advance(by: 500) }
        let derived = base.derived.isEmpty ? table : DerivedTable(table, CompiledDerivedFields(base.derived, schema: schema))
        var builder = try PivotBuilder(self, derived, control)
        if let rows { try builder.addRows(of: rows, rowLevels, control) }
        try builder.addCells(of: cells, levels, control)
        return try builder.source(named: name, leftOut: describeLeftOutValues(cells.leftOutValues))
    }
}

extension Schema {
    /// A copy that also has `derived`, except the fields that the schema already has.
    fileprivate func adding(_ derived: [DerivedField]) -> Schema { Schema(fields + derived.map(\.field).filter { self[$0.id] == nil }) }
}

extension GroupResult {
    /// True if a group of this level has no key, because its fields are null or empty.
    fileprivate func hasEmptyKey(atLevel level: Int) -> Bool {
        groups.indices.contains { groups.level($0) == level && groups.hasEmptyKey($0) }
    }
}
