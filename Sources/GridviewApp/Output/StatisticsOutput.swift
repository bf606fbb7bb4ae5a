import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

/// Writes the statistics of columns as a table with one line per column of the file.
struct StatisticsOutput {
    let format: FileFormat
    /// True if CSV, TSV and SQL show control characters as visible marks, for a terminal.
    let marksControls: Bool
    /// Neutralizes formulas in CSV and TSV; `nil` to write formulas unchanged.
    var formulaGuard: FormulaGuard?

    /// The titles and types of the columns of the written table.
    private static let titles: [(String, ValueKind)] =
        [("column", .text), ("type", .text)]
        + ["rows", "values", "empty", "missing", "invalid", "nan", "distinct"].map { ($0, .integer) } + [("distinct_is_estimate", .flag)]
        + ["min", "p5", "p25", "median", "p75", "p95", "max", "mean", "stddev", "sum", "shortest", "longest"].map { ($0, .decimal) }
        + [("most_frequent", .text), ("most_frequent_count", .integer)]

    /// The titles of the columns with means, quantiles and deviations, which are doubles in typed files.
    private static let computedNames: Set<String> = ["p5", "p25", "median", "p75", "p95", "mean", "stddev"]

    /// Writes the statistics of columns.
    /// - Parameters:
    ///   - table: the table, whose header has the bytes of the column names.
    ///   - notes: receives notes about fields that the format cannot represent.
    /// - Throws: `TableError`.
    func write(
        _ all: [ColumnStatistics], of columns: [Column], in table: any Table, _ notes: inout OutputNotes, to sink: inout OutputSink
    ) throws {
        let titles = Self.titles.enumerated().map { index, title in
            var column = Column(id: ColumnID(index), title: title.0, kind: title.1)
            column.format.groupsThousands = false
            return column
        }
        let names = Dictionary(columns.map { ($0.field.rawValue, $0.title) }) { first, _ in first }
        let utcColumns = Set(
            try columns.filter { try table.hasTimeZone($0.field, $0.kind, $0.dateNotation, JobControl()) }.map(\.field.rawValue))
        func row(_ statistics: ColumnStatistics) -> [String?] {
            Self.fields(statistics, names[statistics.column] ?? "", isUTC: utcColumns.contains(statistics.column))
        }
        var invalidNames: [Int: [UInt8]] = [:]
        try table.scanHeader(columns: columns.map(\.field.rawValue)) {
            for (column, name) in zip(columns, $0) { invalidNames[column.field.rawValue] = name.invalidText }
        }
        func forEachRow(_ notes: inout OutputNotes, _ body: (UnsafeBufferPointer<FieldBytes>) throws -> Bool) throws {
            var buffer = FieldBuffer()
            for statistics in all {
                let bytes = Self.invalidTexts(statistics, invalidNames[statistics.column])
                let continues = try buffer.withFields(of: row(statistics), keeping: bytes) { fields in
                    notes.check(fields)
                    return try body(fields)
                }
                guard continues else { return }
            }
        }
        let text: OutputFormat
        switch format.content {
        case .text(let chosen): text = chosen
        case .typed(let typed):
            let found = notes
            // Ignore the result, a list of number columns that were written as text. Columns such as `min` also have dates and words, so a
            // note about them is not needed.
            let declared = titles.map { Self.computedNames.contains($0.title) ? DeclaredType.computed : nil }
            let output = TypedOutput(typed, columns: titles, table: "statistics")
            _ = try output.write(declared: declared, rowCount: all.count, to: &sink) { body in
                // The file is written in two passes. Discard the notes of the first pass, so that no field is counted twice.
                notes = found
                try forEachRow(&notes, body)
            }
            return
        }
        var format = RowFormat(text, columns: titles, table: "statistics", marksControls: marksControls, formulaGuard: formulaGuard)
        if case .text = text {
            // Format the lines twice instead of storing them: a table can have a million columns.
            for statistics in all { format.fit(row(statistics).map { $0 ?? "" }) }
        }
        format.begin(&sink)
        try forEachRow(&notes) {
            format.writeRow($0, &sink)
            return true
        }
        format.end(&sink)
    }

    /// The bytes of the written fields that are not valid UTF-8, by the index of the field in the line.
    /// - Parameter name: the bytes of the column name if they are not valid UTF-8; otherwise `nil`.
    private static func invalidTexts(_ statistics: ColumnStatistics, _ name: [UInt8]?) -> [Int: [UInt8]] {
        let texts = [
            "column": name, "min": statistics.textRange?.invalidFirst, "max": statistics.textRange?.invalidLast,
            "most_frequent": statistics.mostFrequent.first?.invalidText,
        ]
        return Dictionary(uniqueKeysWithValues: titles.enumerated().compactMap { index, title in texts[title.0]?.map { (index, $0) } })
    }

    /// - Parameter isUTC: true if the times of the column have a zone, so that the results are times in UTC.
    private static func fields(_ statistics: ColumnStatistics, _ title: String, isUTC: Bool) -> [String?] {
        func text(_ value: AggregateValue) -> String? {
            switch value {
            case .none, .record: nil
            case .integer(let number):
                statistics.kind == .flag && (number == 0 || number == 1)
                    ? (number == 1 ? "true" : "false")
                    : statistics.kind.isTemporal
                        ? DateText.text(ofMicroseconds: number, kind: statistics.kind) + (isUTC ? "Z" : "") : String(number)
            // Leave out the sign of NaN, because it has no meaning.
            case .decimal(let number): number.isNaN ? "nan" : "\(number)"
            case .exact(let number): number.text
            }
        }
        var fields: [String?] = [title, NamedStatistics.name(of: statistics.kind)]
        fields += [
            statistics.recordCount, statistics.valueCount, statistics.emptyCount, statistics.missingCount, statistics.unreadableCount,
            statistics.nanCount, statistics.distinct.count,
        ].map { String($0) }
        fields.append(statistics.distinct.isExact ? "false" : "true")
        let quantiles = statistics.quantiles.map(text) + Array(repeating: nil, count: 5 - statistics.quantiles.count)
        fields +=
            [statistics.textRange?.first ?? text(statistics.minimum)] + quantiles + [statistics.textRange?.last ?? text(statistics.maximum)]
        fields += [text(statistics.mean), statistics.standardDeviation.map { "\($0)" }]
        if case .integer(let sum) = statistics.sum { fields.append(String(sum)) } else { fields.append(text(statistics.sum)) }
        fields += [statistics.textRange.map { String($0.lengths.lowerBound) }, statistics.textRange.map { String($0.lengths.upperBound) }]
        return fields + [statistics.mostFrequent.first?.value, statistics.mostFrequent.first.map { String($0.count) }]
    }
}

extension BatchRun {
    /// Writes the statistics of every visible column instead of rows. Only rows that match the filters are counted.
    /// - Returns: The differences between the output and the file.
    /// - Throws: The errors of ``write(to:)``.
    @discardableResult
    public func writeStatistics(to descriptor: Int32) throws -> OutputNotes {
        try findRareTypesOfQuery()
        let session = try makeSession()
        // A server can run the query before its rows are counted.
        let isQueried = document.input.canBeQueriedWhileIncomplete
        let earlyEndReason = try isQueried ? nil : readAll()
        document.findRareTypes()
        try checkWidth()
        let requested = session.state.query.requested.withoutOrder
        var records: RowNumbers?
        if !requested.filters.isEmpty {
            let rows = try session.arrangeSynchronously(requested, count: isQueried ? 0 : .max).0
            records = (isQueried ? rows.openEnded : rows).records
        }
        let columns = document.visibleColumns
        let job = ColumnStatisticsJob(
            engine: session.engine, table: session.table, records: records, columns: columns)
        var sink = try makeSink(descriptor)
        let summary = try JobFailure.reportingFailure("computing statistics") { try job.summary(.quantiles, topCount: 1, JobControl()) }
        let output = StatisticsOutput(format: format, marksControls: marksControls, formulaGuard: formulaGuard)
        var notes = OutputNotes(format)
        try output.write(summary, of: columns, in: session.table, &notes, to: &sink)
        try sink.finish()
        notes.add(valuelessFields: document.valuelessFields)
        if summary.allSatisfy({ $0.recordCount == 0 }) { notes.add(hintsAbout: requested.filters, in: session.state.schema) }
        notes.add(suggestionFor: document.input, skippedLines: options.opener?.settings.skippedLines ?? 0)
        let filtered = session.state.query(for: requested).filters.flatMap(\.fields)
        let fields = QueriedFields(
            combinedFields: columns.map(\.field), filterFields: filtered, textFields: session.state.fieldsChosenAsText)
        notes.add(mixedValuesIn: fields, of: document.input, in: session.table)
        notes.finish(document.input, output.formulaGuard)
        if let earlyEndReason { notes.addLoss(earlyEndReason) }
        return notes
    }
}
