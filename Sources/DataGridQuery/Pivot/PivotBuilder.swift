import FieldValues
import Tables

/// Creates a pivot table from the groups of queries.
struct PivotBuilder {
    private let job: PivotJob
    private let table: any Table
    private let fields: [Field?]
    private var pivot: Pivot { job.pivot }

    private var rowOfKeys: [[PivotKey]: Int] = [:]
    private var keys: [[String?]] = []
    private var cells: [[PivotTable.Cell]] = []
    /// The values of the column field, in the order of the columns.
    private var columnKeys: [PivotKey] = []
    /// The numbers of all rows and of all values of the column field, including those that are left out.
    private var (rowCount, valueCount) = (0, 0)
    /// The groups that the engine has left out: of the rows, and of the cells.
    private var (omittedRows, omittedCells): (GroupOmission?, GroupOmission?) = (nil, nil)
    private var replacedCount = 0
    /// For each aggregate, true if its results are times in UTC, because the aggregated times have a zone.
    private let aggregatesUTC: [Bool]
    /// For each row field with an interval, true if its intervals are in UTC, because the grouped times have a zone.
    private let rowsAreUTC: [Bool]

    init(_ job: PivotJob, _ table: any Table, _ control: JobControl) throws {
        (self.job, self.table) = (job, table)
        fields = ([job.pivot.column] + job.pivot.rows).map { job.schema[$0.field] }
        aggregatesUTC = try job.pivot.aggregates.map { try table.hasTimeZone($0.field, $0.kind, $0.dateNotation, control) }
        rowsAreUTC = try job.pivot.rows.map { key in
            guard key.interval != nil, let field = job.schema[key.field] else { return false }
            return try table.hasTimeZone(field.id, field.kind, field.dateNotation, control)
        }
    }

    /// Adds the rows in their order.
    mutating func addRows(of result: GroupResult, _ levels: SplitLevels, _ control: JobControl) throws {
        omittedRows = result.omission
        try levels.forEachInnermost(result, control) { _, keys in _ = try addRow(keys) }
    }

    /// Adds a row.
    /// - Returns: its number; `nil` if it is left out.
    private mutating func addRow(_ path: [PivotKey]) throws -> Int? {
        rowCount += 1
        guard keys.count < job.maximumRowCount else { return nil }
        try keys.makeRoom()
        rowOfKeys[path] = keys.count
        keys.append(
            path.indices.map { level in
                let key = path[level]
                return key.isNull ? nil : pivot.rows[level].interval?.data(ofKey: key.text, isUTC: rowsAreUTC[level]) ?? key.text
            })
        cells.append([])
        replacedCount += path.count(where: \.isInvalid)
        return keys.count - 1
    }

    /// Adds the cells. The groups of the column field are outermost, so the cells of each row are added in the order of the columns.
    mutating func addCells(of result: GroupResult, _ levels: SplitLevels, _ control: JobControl) throws {
        try Memory.check(byteCount: result.groups.count * pivot.values.count * MemoryLayout<PivotTable.Cell>.stride)
        omittedCells = result.omission
        var last: PivotKey?
        try levels.forEachInnermost(result, control) { group, path in
            if last != path[0] {
                valueCount += 1
                last = path[0]
                if valueCount <= job.maximumValueCount { columnKeys.append(path[0]) }
            }
            guard valueCount <= job.maximumValueCount else { return }
            let key = Array(path.dropFirst())
            // A row is not known yet if there are no row fields, if a server left it out, or if it was added after the rows were grouped.
            guard let row = try rowOfKeys[key] ?? (rowCount > keys.count ? nil : addRow(key)) else { return }
            for (index, value) in pivot.values.enumerated() {
                guard let text = try text(of: value, in: result, group) else { continue }
                try cells[row].makeRoom()
                cells[row].append(PivotTable.Cell(column: Int32((valueCount - 1) * pivot.values.count + index), text: text))
            }
        }
        replacedCount += columnKeys.count(where: \.isInvalid)
    }

    private mutating func text(of value: Pivot.Value, in result: GroupResult, _ group: Int) throws -> String? {
        guard case .aggregate(let index) = value else { return String(result.groups.rows(group).count) }
        let (aggregate, aggregates) = (pivot.aggregates[index], result.aggregates(ofGroup: group))
        let found = aggregates[aggregates.startIndex + index]
        guard case .record(let record) = found else {
            return found.text(of: aggregate.function, kind: aggregate.kind, isUTC: aggregatesUTC[index])
        }
        var text: String?
        var isInvalid = false
        try table.scan(record..<record + 1, columns: [aggregate.field.rawValue]) { _, fields in
            if !fields[0].isMissing { (text, isInvalid) = (String(decoding: fields[0].bytes, as: UTF8.self), !fields[0].isUTF8) }
            return true
        }
        if isInvalid { replacedCount += 1 }
        return text
    }

    // MARK: The source

    /// - Parameter leftOut: a phrase about the values that aggregates leave out; `nil` without such values.
    func source(named name: String, leftOut: String?) throws -> PivotSource {
        var (columns, storage) = ([Field](), [NumberStorage?]())
        for (field, key) in zip(fields.dropFirst(), pivot.rows) {
            let kind = field?.kind ?? .text
            guard let interval = key.interval else {
                columns.append(field ?? Field(key.field, name: "", kind: .text))
                storage.append(table.numberStorage(ofColumn: key.field.rawValue))
                continue
            }
            columns.append(Field(key.field, name: "\(field?.name ?? ""):\(interval.text)", kind: interval.kindOfKeys(of: kind)))
            storage.append(nil)
        }
        for key in columnKeys {
            for value in pivot.values {
                let title = title(of: key)
                let field = resultField(of: value)
                columns.append(field.field)
                columns[columns.count - 1].name = pivot.values.count == 1 ? title : "\(title) \(field.field.name)"
                storage.append(field.storage)
            }
        }
        let emptyCellTexts = columnKeys.flatMap { _ in pivot.values.map { isCount($0) ? "0" : nil } }
        let result = PivotTable(keys: keys, cells: cells, emptyCellTexts: emptyCellTexts, storage: storage, columnCount: columns.count)
        let text = try PivotText(pivot, in: job.schema).text
        return PivotSource(
            name: name, result, fields: columns, description: text, omissions: omissions + [leftOut].compactMap(\.self),
            byteCount: job.inputByteCount, inputProblems: job.inputProblems, replacedCount: replacedCount)
    }

    private func isCount(_ value: Pivot.Value) -> Bool {
        switch value {
        case .rowCount: true
        case .aggregate(let index): pivot.aggregates[index].function == .count
        }
    }

    /// The name of the columns of a value of the column field.
    private func title(of key: PivotKey) -> String {
        if key.isNull { return "(null)" }
        if key.bytes.isEmpty { return "(empty)" }
        return pivot.column.interval?.title(ofKey: key.text) ?? key.text
    }

    /// The name, the kind and the storage of the results of a value.
    private func resultField(of value: Pivot.Value) -> (field: Field, storage: NumberStorage?) {
        guard case .aggregate(let index) = value else { return (Field(pivot.column.field, name: "count", kind: .integer), nil) }
        let aggregate = pivot.aggregates[index]
        let function = aggregate.function
        let name = "\(function.rawValue)(\(job.schema[aggregate.field]?.name ?? ""))"
        var field = Field(aggregate.field, name: name, kind: function.kindOfResults(for: aggregate.kind))
        if function.returnsCell { (field.notation, field.dateNotation) = (aggregate.notation, aggregate.dateNotation) }
        let storage = table.numberStorage(ofColumn: aggregate.field.rawValue)
        switch function {
        case .count, .distinct: return (field, nil)
        case .mean, .median, .p5, .p10, .p25, .p75, .p90, .p95, .p99, .standardDeviation, .share: return (field, .computed)
        // The sum of 32-bit floats can be greater than any 32-bit float.
        case .sum: return (field, storage == .float || storage == .double ? .computedDouble : storage)
        case .min, .max, .first, .last: return (field, storage)
        }
    }

    /// Phrases about values, rows and cells that are left out.
    private var omissions: [String] {
        var omissions: [String] = []
        let (columnName, valueLimit, rowLimit) = (fields[0]?.name ?? "", job.maximumValueCount, job.maximumRowCount)
        if let count = omittedCells?.largestCount {
            omissions.append("only the \(NumberText.count(min(count, valueLimit))) largest values of “\(columnName)” have columns")
        } else if valueCount > valueLimit {
            let counts = "\(NumberText.count(valueLimit)) of \(NumberText.count(valueCount))"
            omissions.append("only the first \(counts) values of “\(columnName)” have columns")
        }
        if let count = omittedCells?.firstCount {
            omissions.append("cells after the first \(NumberText.count(count)) groups are empty or 0, because the server limits groups")
        }
        if rowCount > rowLimit {
            // A server that has left out rows has not counted them.
            let total = omittedRows == nil ? " of \(NumberText.count(rowCount))" : ""
            omissions.append("only the first \(NumberText.count(rowLimit))\(total) rows of the pivot table are shown")
        } else if omittedRows != nil, omittedCells != nil {
            omissions.append("some rows may be missing, because the server limits groups")
        }
        if omittedRows != nil { omissions.append("the rows are not in order, because the server limits groups") }
        return omissions
    }
}
