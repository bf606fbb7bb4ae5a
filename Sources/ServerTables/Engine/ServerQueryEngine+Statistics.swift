public import DataGridQuery
public import FieldValues
import SQLTables
public import Tables

extension ServerQueryEngine {
    /// Asks the server for the aggregates of each field, and for its most frequent values.
    ///
    /// Histograms are not computed. Distinct values are counted exactly.
    /// - Throws: ``ServerError``, in addition to the errors of every query engine.
    public func statistics(
        of fields: [Field], in table: any Table, rows: RowNumbers?, exactLimit: Int, topCount: Int, details: ColumnStatistics.Details,
        control: JobControl
    ) throws -> [ColumnStatistics] {
        guard let server = server(table) else {
            return try local.statistics(
                of: fields, in: table, rows: rows, exactLimit: exactLimit, topCount: topCount, details: details, control: control)
        }
        return try Self.interruptible {
            guard let order = try order(of: rows, in: server) else {
                let sample = try self.sample(of: rows ?? RowNumbers([]), table, fields)
                return try local.statistics(
                    of: sample.fields, in: sample.table, rows: nil, exactLimit: exactLimit, topCount: topCount, details: details,
                    control: control
                ).enumerated().map { place, statistics in
                    var statistics = statistics
                    statistics.column = fields[place].id.rawValue
                    return statistics
                }
            }
            return try statistics(of: fields, query(order, fields, table), server, topCount, details, control)
        }
    }

    /// The statistics that the server keeps for a column of a large table, as of its last `ANALYZE`.
    public func estimatedStatistics(of field: Field, in table: any Table, control: JobControl) throws -> ColumnStatistics? {
        guard let server = server(table) else { return try local.estimatedStatistics(of: field, in: table, control: control) }
        let (source, place) = (server.source, field.id.rawValue)
        let known = source.base.knownRowCount
        guard let rows = known.isComplete ? Double(known.count) : source.table.estimatedRows, rows >= Double(minimumRowsForEstimates),
            source.table.columns.indices.contains(place), let statement = source.base.query.estimates(of: field.id)
        else { return nil }
        return try Self.interruptible {
            do {
                let found = try source.database.rows(statement, timeLimit: 2_000) { control.isCancelled }
                // The estimated number of rows does not include child tables.
                if found.first?.last == .text("true"), !known.isComplete { return nil }
                return found.first.flatMap { ColumnStatistics($0, of: field, in: source.table.columns[place], rowCount: min(rows, 1e15)) }
            } catch is ServerError {
                // Estimates are optional. If the error persists, it is reported by the exact statistics, which are computed next.
                return nil
            }
        }
    }

    private typealias FieldRequest = (field: FieldID, functions: [AggregateFunction])

    /// The aggregates that a server has computed for a field.
    private struct FieldAggregates {
        let functions: [AggregateFunction]
        /// The number of rows, then the results of the functions.
        let values: [SQLValue]
        /// The number of values that have the kind of the field; `nil` if all of them have it.
        let readableCount: Int?
        /// The number of missing values; `nil` if all empty values are missing.
        let missingCount: Int?
        /// The number of NaN values; `nil` if no value can be NaN.
        let nanCount: Int?
    }

    /// Counts, extremes and means of all fields come from one scan. Distinct values and quantiles need a statement for each field.
    private func statistics(
        of fields: [Field], _ query: SQLQuery, _ server: ServerSnapshot, _ topCount: Int, _ details: ColumnStatistics.Details,
        _ control: JobControl
    ) throws -> [ColumnStatistics] {
        control.begin(total: 2 + fields.count)
        let hasDeviations = server.source.dialect.capabilities.contains(.quantiles)
        let requests = fields.map { field -> FieldRequest in
            var functions: [AggregateFunction] = [.count]
            if field.kind != .text { functions += [.min, .max, .mean] }
            if field.kind != .text, !field.kind.isTemporal { functions.append(.sum) }
            if field.kind.isNumber, hasDeviations { functions.append(.standardDeviation) }
            return (field.id, functions)
        }
        func values(_ fields: [FieldRequest], countsKinds: Bool = false, avoidsOverflow: Bool = false) throws -> [SQLValue] {
            var query = query
            query.avoidsOverflow = avoidsOverflow
            let statement = try compiling { () throws(SQLLimitations) in
                try query.statistics(of: fields, countsKinds: countsKinds)
            }
            return try server.source.database.rows(statement) { control.isCancelled }.first ?? []
        }
        /// The aggregates of several fields, from one scan.
        func aggregates(_ fields: [FieldRequest], avoidsOverflow: Bool = false) throws -> [FieldAggregates] {
            let all = try values(fields, countsKinds: true, avoidsOverflow: avoidsOverflow)
            let end = 1 + fields.reduce(0) { $0 + $1.functions.count }
            guard end + 3 * fields.count == all.count else { return [] }
            func count(_ index: Int) -> Int? { all[end + index].number.map { Int($0) } }
            var next = 1
            return fields.enumerated().map { index, field in
                defer { next += field.functions.count }
                return FieldAggregates(
                    functions: field.functions, values: [all[0]] + all[next..<next + field.functions.count],
                    readableCount: count(3 * index), missingCount: count(3 * index + 1), nanCount: count(3 * index + 2))
            }
        }
        /// The aggregates of one field. If the server cannot compute them for the type of the field or for its large numbers, only its
        /// count and extremes, or only its count.
        func singleFieldAggregates(_ field: FieldRequest, avoidsOverflow: Bool = false) throws -> [FieldAggregates] {
            do {
                return try aggregates([field], avoidsOverflow: avoidsOverflow)
            } catch let error as ServerError where field.functions.count > 1 {
                // The squares of large floating-point numbers overflow in means and deviations.
                if error.isOutOfRange, !avoidsOverflow { return try singleFieldAggregates(field, avoidsOverflow: true) }
                let extremes: [AggregateFunction] = [.count, .min, .max]
                return try singleFieldAggregates((field.field, field.functions.count > extremes.count ? extremes : [.count]))
            }
        }
        var found: [FieldAggregates]
        do {
            found = try aggregates(requests)
        } catch is ServerError where fields.count > 1 || requests[0].functions.count > 1 {
            found = try requests.flatMap { try singleFieldAggregates($0) }
        }
        let ranges = try textRanges(of: fields.filter { $0.kind == .text }.map(\.id), query, server, control)
        control.advance(by: 2)
        return try zip(fields, found).map { field, found in
            try control.checkCancellation()
            var statistics = ColumnStatistics(column: field.id.rawValue, kind: field.kind)
            Self.add(found.functions, found.values, of: field, in: server.source.table, to: &statistics)
            statistics.textRange = ranges[field.id]
            statistics.missingCount = found.missingCount ?? statistics.emptyCount
            statistics.emptyCount -= statistics.missingCount
            if let count = found.readableCount {
                statistics.unreadableCount = statistics.valueCount - count
                statistics.valueCount = count
            }
            if let count = found.nanCount {
                statistics.nanCount = count
                statistics.valueCount -= count
            }
            let hasOrder = hasDeviations && found.functions.contains(.mean) && field.kind != .flag
            let hasQuantiles = details.contains(.quantiles) && hasOrder
            let quantiles: [AggregateFunction] = hasQuantiles ? [.p5, .p25, .median, .p75, .p95] : []
            if !quantiles.isEmpty {
                Self.add(quantiles, try values([(field.id, quantiles)]), of: field, in: server.source.table, to: &statistics)
            }
            try addFrequencies(of: field, query, server, topCount, control, to: &statistics)
            control.advance(by: 1)
            return statistics
        }
    }

    /// The ranges of the texts of fields, by the bytes of the texts. Empty if the server cannot compute them.
    private func textRanges(
        of fields: [FieldID], _ query: SQLQuery, _ server: ServerSnapshot, _ control: JobControl
    ) throws -> [FieldID: ColumnStatistics.TextRange] {
        guard !fields.isEmpty else { return [:] }
        let values: [SQLValue]
        do {
            let statement = try compiling { () throws(SQLLimitations) in try query.textRanges(of: fields) }
            values = try server.source.database.rows(statement) { control.isCancelled }.first ?? []
        } catch is ServerError {
            // Ranges are not essential. If there are several fields, the server may still be able to compute some of their ranges.
            guard fields.count > 1 else { return [:] }
            var ranges: [FieldID: ColumnStatistics.TextRange] = [:]
            for field in fields { ranges[field] = try textRanges(of: [field], query, server, control)[field] }
            return ranges
        }
        guard values.count == 4 * fields.count else { return [:] }
        var ranges: [FieldID: ColumnStatistics.TextRange] = [:]
        for (index, field) in fields.enumerated() {
            guard let first = values[4 * index].textBytes, let last = values[4 * index + 1].textBytes,
                let shortest = values[4 * index + 2].number, let longest = values[4 * index + 3].number, shortest <= longest
            else { continue }
            ranges[field] = .init(first: first, last: last, lengths: Int(shortest)...Int(longest))
        }
        return ranges
    }

    /// Adds the results of aggregates.
    /// - Parameter values: the number of rows, then the results.
    private static func add(
        _ functions: [AggregateFunction], _ values: [SQLValue], of field: Field, in table: ServerTable,
        to statistics: inout ColumnStatistics
    ) {
        guard values.count == functions.count + 1 else { return }
        statistics.recordCount = values[0].number.map { Int($0) } ?? 0
        var quantiles: [AggregateValue] = []
        for (function, value) in zip(functions, values.dropFirst()) {
            let number = AggregateValue(value, of: Query.Aggregate(function, of: field.id, kind: field.kind), in: table)
            let result = field.kind.isTemporal ? number.microseconds : number
            switch function {
            case .count:
                statistics.valueCount = value.number.map { Int($0) } ?? 0
                statistics.emptyCount = statistics.recordCount - statistics.valueCount
            case .min: statistics.minimum = result
            case .max: statistics.maximum = result
            case .sum: statistics.sum = result
            case .mean: statistics.mean = result
            case .standardDeviation: statistics.standardDeviation = result.double
            default: quantiles.append(result)
            }
        }
        if quantiles.count == ColumnStatistics.percentages.count, quantiles.allSatisfy({ $0 != .none }) { statistics.quantiles = quantiles }
    }

    /// Adds the most frequent values and the number of distinct values, if possible from the same statement.
    private func addFrequencies(
        of field: Field, _ query: SQLQuery, _ server: ServerSnapshot, _ topCount: Int, _ control: JobControl,
        to statistics: inout ColumnStatistics
    ) throws {
        let database = server.source.database
        let top = try compiling { () throws(SQLLimitations) in
            try query.frequencies(of: field.id, limit: topCount + 1, countsGroups: true)
        }
        if top.hasGroupCount || topCount > 0 {
            let rows = try database.rows(top.statement) { control.isCancelled }
            statistics.top = Array(top.groups(rows).groups.compactMap(\.frequency).prefix(topCount))
            if let count = top.groupCount(rows) {
                // The count includes the group of empty and missing values.
                let hasEmptyGroup = statistics.emptyCount + statistics.missingCount > 0
                statistics.distinct = .init(count: count - (hasEmptyGroup ? 1 : 0), isExact: true)
                return
            }
        }
        let statement = try compiling { () throws(SQLLimitations) in try query.statistics(of: field.id, [.distinct]) }
        let count = try database.rows(statement) { control.isCancelled }.first?.last?.number ?? 0
        statistics.distinct = .init(count: Int(count), isExact: true)
    }

    /// Asks the server for the distinct values.
    /// - Throws: ``ServerError``, in addition to the errors of every query engine.
    public func frequencies(of field: Field, in table: any Table, rows: RowNumbers?, control: JobControl) throws -> FrequencyTable {
        guard let server = server(table) else {
            return try local.frequencies(of: field, in: table, rows: rows, control: control)
        }
        return try Self.interruptible {
            guard let order = try order(of: rows, in: server) else {
                let sample = try self.sample(of: rows ?? RowNumbers([]), table, [field])
                return try local.frequencies(of: sample.fields[0], in: sample.table, rows: nil, control: control)
            }
            let (limit, query) = (sectionLimit, try query(order, [field], table))
            let statement = try compiling { () throws(SQLLimitations) in
                try query.frequencies(of: field.id, limit: limit, byValue: true, countsMissing: true)
            }
            let found = statement.groups(try server.source.database.rows(statement.statement) { control.isCancelled })
            guard !found.isTruncated else {
                let distinct = try statistics(of: [field], query, server, 0, [], control)[0].distinct.count
                throw TooManyValues(estimate: max(limit, distinct))
            }
            let total = found.groups.reduce(0) { $0 + Int($1.count) }
            let entries = found.groups.compactMap(\.frequency)
            let emptyCount = total - entries.reduce(0) { $0 + $1.count }
            let missing = found.groups.reduce(0) { $0 + Int($1.aggregates.first?.number ?? 0) }
            let missingCount = statement.aggregateCount > 0 ? min(emptyCount, missing) : emptyCount
            return FrequencyTable(entries, recordCount: total, emptyCount: emptyCount, missingCount: missingCount)
        }
    }

    // MARK: Rows

    /// The query of an order for these fields, with the derived fields of the table that they need.
    private func query(_ order: ServerOrder, _ fields: [Field], _ table: any Table) throws -> SQLQuery {
        let all = fields + ((table as? DerivedTable)?.baseFields ?? [])
        let read = try compiling { () throws(SQLLimitations) in try order.query.withFieldKinds(of: all) }
        let existing = read.query.derived
        var needed = Set(fields.map(\.id).filter(\.isDerived)).subtracting(existing.map(\.field.id))
        guard !needed.isEmpty, let derived = (table as? DerivedTable)?.definitions else { return read }
        for definition in derived.reversed() where needed.contains(definition.field.id) { needed.formUnion(definition.formula.fields) }
        // The query keeps its existing definitions, because they determine its rows.
        needed.subtract(existing.map(\.field.id))
        let used = (existing + derived.filter { needed.contains($0.field.id) }).sorted { $0.field.id.rawValue < $1.field.id.rawValue }
        return try compiling { () throws(SQLLimitations) in try read.computing(used) }
    }

    /// The order that has exactly these rows; `nil` if `rows` are only a part of an order. If an order is not counted, the range of all
    /// possible positions represents all of its rows.
    private func order(of rows: RowNumbers?, in table: ServerSnapshot) throws -> ServerOrder? {
        guard let rows else { return table.source.base }
        // After rows were moved by hand, `rows` lists all rows of an order one by one.
        let bounds =
            rows.consecutive.map { ($0.lowerBound, $0.upperBound - 1) } ?? rows.min().flatMap { low in rows.max().map { (low, $0) } }
        guard let (low, high) = bounds, let order = table.order(ofRow: low), order.hasAllRows else { return nil }
        let first = ServerSnapshot.firstRow(ofOrder: order.number)
        guard low == first, high == first + rows.count - 1 else { return nil }
        return rows.count == order.knownRowCount.count || rows.count == 1 << ServerSnapshot.positionBits ? order : nil
    }

    /// The maximum number of rows that are read to compute statistics of a part of an order.
    private static let sampleLimit = 100_000

    /// A sample of the rows with the given fields, as a table in memory. The ID of each returned field is its column in that table.
    private func sample(of rows: RowNumbers, _ table: any Table, _ fields: [Field]) throws -> (table: MemoryTable, fields: [Field]) {
        var sampled = rows.consecutive.map { Array($0.prefix(Self.sampleLimit)) } ?? Array(rows)
        // Rows that are far apart would each need a statement, so only rows near the first one are used.
        if sampled.count > 1 {
            sampled.sort()
            if sampled.last! - sampled[0] > Self.sampleLimit { sampled = sampled.filter { $0 - sampled[0] < 1_000 } }
        }
        var texts: [[String?]] = []
        if let first = sampled.first, let last = sampled.last {
            let set = Set(sampled)
            try table.scan(first..<last + 1, columns: fields.map(\.id.rawValue)) { record, cells in
                if set.contains(record) { texts.append(cells.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) }) }
                return true
            }
        }
        let numbered = fields.enumerated().map { place, field in
            var field = field
            field.id = FieldID(rawValue: place)
            return field
        }
        return (MemoryTable(texts), numbered)
    }
}

extension FetchedGroup {
    /// The value with its count; `nil` for empty values.
    fileprivate var frequency: ColumnStatistics.Frequency? {
        guard case .value(let text) = value else { return nil }
        var frequency = ColumnStatistics.Frequency(value: text, count: Int(count))
        frequency.invalidText = invalidText
        return frequency
    }
}

extension SQLValue {
    /// The bytes of a text; `nil` for other values.
    fileprivate var textBytes: [UInt8]? {
        switch self {
        case .text(let text): Array(text.utf8)
        case .invalidText(let bytes): bytes
        case .null, .integer, .double, .bytes: nil
        }
    }
}

extension AggregateValue {
    /// A date or time as whole microseconds; no value if it is infinite.
    fileprivate var microseconds: AggregateValue {
        switch self {
        case .exact(let number): Int64(exactly: number.mantissa / ExactDecimal.power(number.digits)).map { .integer($0) } ?? .none
        case .decimal(let number): Int64(exactly: number.rounded(.towardZero)).map { .integer($0) } ?? .none
        case .integer, .none, .record: self
        }
    }

    fileprivate var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .decimal(let number): number
        case .exact(let number): number.double
        case .none, .record: nil
        }
    }
}
