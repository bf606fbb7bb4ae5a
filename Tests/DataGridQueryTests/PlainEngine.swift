import DataGridQuery
import FieldValues
import GridTestSupport
import Tables

/// A query engine on plain arrays that uses the public interface only, as an engine outside the package does.
///
/// It supports the formulas and aggregates of ``QueryEngineTests``, and values that are not empty.
struct PlainEngine: QueryEngine {
    struct Unsupported: Error {}

    func rows(
        of table: any Table, schema: Schema, matching query: Query, earlierFilterResult: FilterResult?, control: JobControl,
        report: (@Sendable (RowNumbers) -> Void)?
    ) throws -> QueryResult {
        guard query.derived.isEmpty else { throw Unsupported() }
        let records = try Self.records(of: table)
        let filters = try query.filters.map { try Filter($0, in: schema) }
        var rows = try records.indices.filter { row in
            try query.filters.allSatisfy { try Self.value($0, records[row], schema) == .flag(true) }
        }
        var result = QueryResult()
        if !filters.isEmpty {
            let numbers = RowNumbers(rows, ofRows: records.count)
            result.filterResult = FilterResult(filters: filters, rows: numbers, testedRowCount: records.count)
        }
        for key in query.sort.reversed() {
            let values = records.map { Self.SortValue($0[key.field.rawValue] ?? "", key.comparison) }
            rows = rows.enumerated().sorted { a, b in
                let (first, second) = (values[a.element], values[b.element])
                if first != second { return key.isDescending ? second < first : first < second }
                return a.offset < b.offset
            }.map(\.element)
        }
        if !query.groups.isEmpty {
            var grouping = Grouping(records: records, query: query)
            try grouping.add(rows, level: 0)
            rows = grouping.order
            result.groups = GroupResult(
                order: RowNumbers(rows, ofRows: records.count), groups: try GroupList(grouping.groups), values: grouping.values)
        }
        if !query.needsRows, !query.groups.isEmpty { return result }
        if !(filters.isEmpty && query.keepsOrder) { result.rows = RowNumbers(rows, ofRows: records.count) }
        return result
    }

    func firstMatch(
        of search: TextSearch, in table: any Table, order: RowSequence, from start: Int, direction: SearchDirection, control: JobControl
    ) throws -> SearchMatch? {
        let (records, rows) = (try Self.records(of: table), Self.rows(order, of: table))
        let first = direction == .forward ? min(max(0, start), rows.count) : min(max(-1, start), rows.count - 1)
        let positions =
            direction == .forward
            ? Array(first..<rows.count) + Array(0..<first)
            : Array((0..<first + 1).reversed()) + Array((first + 1..<rows.count).reversed())
        for position in positions {
            let columns = search.columns ?? table.allColumns
            guard let column = columns.first(where: { !search.matchIndices(in: [records[rows[position]][$0] ?? ""]).isEmpty }) else {
                continue
            }
            return SearchMatch(position: position, record: rows[position], column: column)
        }
        return nil
    }

    func positions(
        matching search: TextSearch, in table: any Table, order: RowSequence, control: JobControl, report: @Sendable (Int) -> Void
    ) throws -> RowNumbers {
        let (records, rows) = (try Self.records(of: table), Self.rows(order, of: table))
        let columns = search.columns ?? table.allColumns
        let positions = rows.indices.filter { position in
            !search.matchIndices(in: columns.map { records[rows[position]][$0] ?? "" }).isEmpty
        }
        return RowNumbers(positions, ofRows: rows.count)
    }

    func firstDifference(
        in field: FieldID, of table: any Table, order: RowSequence, from start: Int, direction: SearchDirection, control: JobControl
    ) throws -> Int? {
        let (records, rows) = (try Self.records(of: table), Self.rows(order, of: table))
        guard rows.indices.contains(start) else { return nil }
        let others = direction == .forward ? Array(start + 1..<rows.count) : Array((0..<start).reversed())
        return others.first { records[rows[$0]][field.rawValue] != records[rows[start]][field.rawValue] }
    }

    func statistics(
        of fields: [Field], in table: any Table, rows: RowNumbers?, exactLimit: Int, topCount: Int, details: ColumnStatistics.Details,
        control: JobControl
    ) throws -> [ColumnStatistics] {
        try fields.map { field in
            let all = try Self.texts(of: field.id, in: table, rows: rows)
            let counts = Self.counts(all)
            var statistics = ColumnStatistics(column: field.id.rawValue, kind: field.kind)
            statistics.recordCount = all.count
            statistics.missingCount = all.count { $0 == nil }
            statistics.emptyCount = all.count { $0?.isEmpty == true }
            statistics.valueCount = all.count - statistics.missingCount - statistics.emptyCount
            statistics.distinct = ColumnStatistics.DistinctCount(count: counts.count, isExact: true)
            return statistics
        }
    }

    func frequencies(of field: Field, in table: any Table, rows: RowNumbers?, control: JobControl) throws -> FrequencyTable {
        let all = try Self.texts(of: field.id, in: table, rows: rows)
        let entries = Self.counts(all).sorted { $0.key < $1.key }.map { ColumnStatistics.Frequency(value: $0.key, count: $0.value) }
        return FrequencyTable(entries, recordCount: all.count, emptyCount: all.count { $0?.isEmpty ?? true })
    }

    // MARK: Rows

    private static func records(of table: any Table) throws -> [[String?]] {
        try table.strings(of: 0..<table.recordCount, columns: table.allColumns)
    }

    private static func rows(_ order: RowSequence, of table: any Table) -> [Int] {
        switch order {
        case .runs(let runs): runs.flatMap { Array($0.clamped(to: 0..<table.recordCount)) }
        case .list: Array(order.rows ?? RowNumbers([]))
        }
    }

    private static func texts(of field: FieldID, in table: any Table, rows: RowNumbers?) throws -> [String?] {
        let records = try records(of: table)
        return (rows.map { Array($0) } ?? Array(records.indices)).map { records[$0][field.rawValue] }
    }

    private static func counts(_ texts: [String?]) -> [String: Int] {
        texts.compactMap { $0 }.filter { !$0.isEmpty }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    // MARK: Values

    private enum SortValue: Comparable {
        case number(Int), text(String)

        init(_ text: String, _ comparison: Query.Comparison) {
            if case .kind(.integer, _) = comparison { self = .number(Int(text) ?? 0) } else { self = .text(text) }
        }
    }

    private enum Value: Equatable { case number(Int), text(String), flag(Bool) }

    private static func value(_ formula: Formula, _ record: [String?], _ schema: Schema) throws -> Value {
        switch formula {
        case .field(let id):
            let text = record[id.rawValue] ?? ""
            return schema[id]?.kind == .integer ? .number(Int(text) ?? 0) : .text(text)
        case .constant(.number(let number)) where number.digits == 0: return .number(Int(number.mantissa))
        case .constant(.text(let text)): return .text(text)
        case .call(let function, let arguments):
            let values = try arguments.map { try value($0, record, schema) }
            switch (function, values[0], values.count > 1 ? values[1] : values[0]) {
            case (.equal, let a, let b): return .flag(a == b)
            case (.notEqual, let a, let b): return .flag(a != b)
            case (.less, .number(let a), .number(let b)): return .flag(a < b)
            case (.greater, .number(let a), .number(let b)): return .flag(a > b)
            case (.add, .number(let a), .number(let b)): return .number(a + b)
            case (.contains, .text(let a), .text(let b)): return .flag(a.contains(b))
            case (.isIn, let a, _): return .flag(values.dropFirst().contains(a))
            case (.not, .flag(let a), _): return .flag(!a)
            case (.or, _, _): return .flag(values.contains(.flag(true)))
            case (.and, _, _): return .flag(!values.contains(.flag(false)))
            default: throw Unsupported()
            }
        default: throw Unsupported()
        }
    }

    // MARK: Groups

    private struct Grouping {
        let records: [[String?]]
        let query: Query
        var order: [Int] = []
        var groups: [GroupResult.Group] = []
        var values: [AggregateValue] = []

        init(records: [[String?]], query: Query) { (self.records, self.query) = (records, query) }

        /// Adds the groups of rows, each followed by its inner groups.
        mutating func add(_ rows: [Int], level: Int) throws {
            guard level < query.groups.count else { return order += rows }
            let key = query.groups[level]
            let members = Dictionary(grouping: rows) { records[$0][key.field.rawValue] ?? "" }
            let ranks = try members.mapValues { rows -> Int in
                switch key.order {
                case .value: 0
                case .rowCount: rows.count
                case .aggregate(let index): try number(query.aggregates[index], rows)
                }
            }
            let texts = members.keys.sorted { a, b in
                let (first, second) = (ranks[a, default: 0], ranks[b, default: 0])
                if first != second { return key.isDescending ? first > second : first < second }
                return key.order == .value && key.isDescending ? a > b : a < b
            }
            for text in texts {
                let rows = members[text, default: []]
                groups.append(GroupResult.Group(level: level, key: text, rows: order.count..<order.count + rows.count))
                for aggregate in query.aggregates { values.append(.integer(Int64(try number(aggregate, rows)))) }
                try add(rows, level: level + 1)
            }
        }

        private func number(_ aggregate: Query.Aggregate, _ rows: [Int]) throws -> Int {
            let texts = rows.compactMap { records[$0][aggregate.field.rawValue] }
            switch aggregate.function {
            case .count: return texts.count
            case .distinct: return Set(texts).count
            case .sum: return texts.reduce(0) { $0 + (Int($1) ?? 0) }
            default: throw Unsupported()
            }
        }
    }
}
