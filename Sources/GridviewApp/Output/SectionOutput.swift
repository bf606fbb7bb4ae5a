import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables

/// Writes section headers between rows, a table of all headers, or one record for each innermost section.
struct SectionOutput {
    private let tree: SectionTree
    private let columns: [ColumnID: Column]
    private let records: any Table
    private let intervals: [ColumnID: GroupInterval]

    /// - Parameters:
    ///   - columns: the columns of the file.
    ///   - records: the table that has the rows of the sections.
    ///   - intervals: the intervals of grouped columns, such as months; a column without an entry is grouped by equal values.
    init(_ tree: SectionTree, columns: [Column], records: any Table, intervals: [ColumnID: GroupInterval]) {
        (self.tree, self.records, self.intervals) = (tree, records, intervals)
        self.columns = Dictionary(uniqueKeysWithValues: columns.map { ($0.id, $0) })
    }

    // MARK: Headers

    /// The title of the column by which the rows of a section are grouped.
    func title(of section: Int) -> String {
        let level = tree.level(of: section)
        return level < tree.columns.count ? columns[tree.columns[level]]?.title ?? "" : ""
    }

    /// The texts for the header of a section: the row count, then the aggregates with their column titles. Aggregates without a value are
    /// left out.
    func details(of section: Int) throws -> [String] {
        let count = tree.rows(of: section).count
        let subtotals = try tree.aggregates(of: section).compactMap { subtotal in
            try text(subtotal, isData: false).map { text in
                let value = RowFormat.withoutAlignmentSpaces(text)
                return "\(heading(subtotal.aggregate)) \(value.isEmpty ? "(empty)" : value)"
            }
        }
        return ["\(ValueText.count(count)) \(count == 1 ? "row" : "rows")"] + subtotals
    }

    private func heading(_ aggregate: Aggregate) -> String {
        "\(columns[aggregate.column]?.title ?? "?") \(aggregate.function.rawValue)"
    }

    /// Writes a table with a line for each of these sections, as text or Markdown.
    func writeTable(_ sections: [Int], as output: OutputFormat, _ sink: inout OutputSink) throws {
        func column(_ title: String, isTrailing: Bool) -> Column {
            var column = Column(id: 0, title: title)
            column.alignment = isTrailing ? .trailing : .leading
            return column
        }
        let subtotals = tree.aggregates.map { aggregate in
            let isNumber = !aggregate.function.returnsCell
            return column(heading(aggregate), isTrailing: isNumber || columns[aggregate.column]?.effectiveAlignment == .trailing)
        }
        let names = tree.columns.map { columns[$0]?.title ?? "?" }.joined(separator: " › ")
        var format = RowFormat(output, columns: [column(names, isTrailing: false), column("rows", isTrailing: true)] + subtotals)
        let (indent, sign) = output == .markdown ? ("› ", "") : ("  ", "▸ ")
        func cells(of section: Int) throws -> [String] {
            let title = tree.title(of: section)
            let name = String(repeating: indent, count: tree.level(of: section)) + sign + (title.isEmpty ? "(empty)" : title)
            let subtotals = try tree.aggregates(of: section).map { try text($0, isData: false) ?? "" }
            return [name, ValueText.count(tree.rows(of: section).count)] + subtotals
        }
        // Fit the column widths to the first sections only, as the text output of rows fits them to its first rows.
        if output == .text { for section in sections.prefix(RowFormat.fittedRowCount) { format.fit(try cells(of: section)) } }
        format.begin(&sink)
        var buffer = FieldBuffer()
        for section in sections where sink.isOpen { buffer.withFields(of: try cells(of: section)) { format.writeRow($0, &sink) } }
    }

    // MARK: Data

    /// The columns of ``writeData(_:as:keysFrom:asShown:_:_:_:)``: one column for each level, `count`, and one column for each aggregate,
    /// such as `sum(quantity)`.
    var dataColumns: [Column] {
        let subtotals = tree.aggregates.map { aggregate in
            let column = columns[aggregate.column]
            let name = "\(aggregate.function.rawValue)(\(column?.title ?? "?"))"
            var field = Column(id: aggregate.column, title: name, kind: aggregate.function.kindOfResults(for: column?.kind ?? .text))
            if aggregate.function.returnsCell, let column { (field.notation, field.dateNotation) = (column.notation, column.dateNotation) }
            return field
        }
        let keys = tree.columns.compactMap { columns[$0] }.map { column in
            guard let interval = intervals[column.id] else { return column }
            return Column(id: column.id, title: "\(column.title):\(interval.text)", kind: interval.kindOfKeys(of: column.kind))
        }
        return keys + [Column(id: 0, title: "count", kind: .integer)] + subtotals
    }

    /// The columns of the file from which ``dataColumns`` are made. A column may occur twice.
    var sourceColumns: [Column] { (tree.columns + tree.aggregates.map(\.column)).compactMap { columns[$0] } }

    /// The declared types of ``dataColumns``. Means, quantiles, deviations and shares are computed numbers. Sums and extremes of integers
    /// are integers. Other sums and extremes, and copied values have the type of their column.
    /// - Parameter declared: the declared types of ``sourceColumns``.
    func declaredTypes(_ declared: [FieldID: DeclaredType]) -> [DeclaredType?] {
        let keys = tree.columns.filter { columns[$0] != nil }.map { intervals[$0] == nil ? declared[$0.field] : nil }
        let subtotals = tree.aggregates.map { aggregate -> DeclaredType? in
            let type = declared[aggregate.column.field]
            let function = aggregate.function
            switch function {
            case .count, .distinct: return nil
            case .mean, .median, .p5, .p10, .p25, .p75, .p90, .p95, .p99, .standardDeviation, .share: return .computed
            case .sum, .min, .max:
                if columns[aggregate.column]?.kind == .integer { return .computedInteger }
                // A sum can be greater than any 32-bit number.
                return function == .sum && (type == .float || type == .double) ? .computedDouble : type
            case .first, .last: return type
            }
        }
        return keys + [nil] + subtotals
    }

    /// The indices of the sections without inner sections. Only these sections have a record in the output, so that the counts of all
    /// records add up to the number of rows.
    var innermostSections: [Int] { (0..<tree.count).filter { tree.level(of: $0) == tree.depth - 1 } }

    /// The columns for values as displayed: text columns with the names and alignments of ``dataColumns``.
    var shownColumns: [Column] { dataColumns.map(RowFormat.asText) }

    /// Writes a record for each of these sections: its keys, row count and aggregates.
    /// - Parameters:
    ///   - format: a format for ``dataColumns`` or ``shownColumns``.
    ///   - rows: the row order, if the keys of each section are to be read from its first row. If `nil`, the keys of the tree are used or,
    ///     if `asShown` is true, the titles of the tree. The keys of intervals are always from the tree.
    ///   - asShown: true to write values as displayed, for ``shownColumns``.
    ///
    /// The key of a group of empty and missing values is missing if the file has null values, and otherwise empty.
    /// - Throws: `JobCancelled`, and errors of the file.
    func writeData(
        _ sections: ArraySlice<Int>, as format: RowFormat, keysFrom rows: RowOrder?, asShown: Bool = false,
        _ notes: inout OutputNotes, _ sink: inout OutputSink, _ control: JobControl
    ) throws {
        var format = format
        format.begin(&sink)
        if format.writesNames { try checkTitles(&notes) }
        try forEachRecord(sections, keysFrom: rows, asShown: asShown, &notes, control) {
            format.writeRow($0, &sink)
            return sink.isOpen
        }
        if sink.isOpen { format.end(&sink) }
    }

    /// Checks the names of the grouped and the aggregated columns for invalid UTF-8.
    /// - Throws: the errors of the table.
    func checkTitles(_ notes: inout OutputNotes) throws {
        try notes.checkTitles(of: (tree.columns + tree.aggregates.map(\.column)).compactMap { columns[$0] }, in: records)
    }

    /// Reads the key of each section from the first row of the section, and checks it for invalid UTF-8.
    /// - Parameter rows: the row order.
    /// - Throws: the errors of the table, or `JobCancelled`.
    func checkKeys(of sections: [Int], in rows: RowOrder, _ notes: inout OutputNotes, _ control: JobControl) throws {
        for section in sections {
            try control.checkCancellation()
            let (position, level) = (tree.rows(of: section).lowerBound, tree.level(of: section))
            guard level < tree.columns.count, intervals[tree.columns[level]] == nil else { continue }
            let record = rows[position].rawValue
            try records.read(record, columns: [tree.columns[level].field.rawValue]) {
                notes.check($0, record: record, position: position)
            }
        }
    }

    /// Calls `body` with a record for each of `sections`, until `body` returns `false`. The parameters are those of
    /// ``writeData(_:as:keysFrom:asShown:_:_:_:)``.
    func forEachRecord(
        _ sections: ArraySlice<Int>, keysFrom rows: RowOrder?, asShown: Bool = false, _ notes: inout OutputNotes,
        _ control: JobControl, _ body: (UnsafeBufferPointer<FieldBytes>) throws -> Bool
    ) throws {
        let isRead = tree.columns.map { rows != nil && intervals[$0] == nil }
        let utcColumns = try asShown ? [] : columnsInUTC(control)
        var (titleBuffer, valueBuffer) = (FieldBuffer(), FieldBuffer())
        for section in sections {
            try control.checkCancellation()
            control.advance(by: 1)
            let count = tree.rows(of: section).count
            // A group of empty and missing values has both kinds of fields, so the field of its first row is not always the key.
            let keyPath = zip(tree.columns, tree.keyPath(of: section)).map { id, key -> String? in
                if key.isEmpty { return columns[id]?.hasNulls == true ? nil : key }
                return intervals[id]?.data(ofKey: key, isUTC: utcColumns.contains(id)) ?? key
            }
            let values =
                (asShown ? tree.path(of: section) : keyPath) + [asShown ? ValueText.count(count) : String(count)]
                + (try tree.aggregates(of: section).map { try asShown ? displayText($0) : text($0, isData: true, utcColumns) })
            guard let rows else {
                guard try valueBuffer.withFields(of: values, body) else { return }
                continue
            }
            let first = tree.rows(of: section).lowerBound
            let record = rows[first].rawValue
            var outcome = Result<Bool, any Error>.success(true)
            try records.read(record, columns: tree.columns.map(\.field.rawValue)) { keys in
                notes.check(keys, record: record, position: first)
                let titles = zip(tree.columns, keys).map { id, key in columns[id].flatMap { RowFormat.shownValue(key, in: $0) } }
                outcome = Result {
                    try titleBuffer.withFields(of: asShown ? titles : []) { shown in
                        let keys = asShown ? shown : keys
                        return try valueBuffer.withFields(of: values) { fields in
                            try fields.indices.map { index in
                                let isKey = isRead.indices.contains(index) && isRead[index] && (asShown || keyPath[index] != nil)
                                return isKey ? keys[index] : fields[index]
                            }.withUnsafeBufferPointer(body)
                        }
                    }
                }
            }
            guard try outcome.get() else { return }
        }
    }

    // MARK: Aggregates

    /// An aggregate as displayed, without the spaces that align it; `nil` if it has no value.
    private func displayText(_ subtotal: SectionAggregate) throws -> String? {
        guard subtotal.aggregate.function.returnsCell else {
            return try text(subtotal, isData: false).map(RowFormat.withoutAlignmentSpaces)
        }
        guard let column = columns[subtotal.aggregate.column], let text = try text(subtotal, isData: true) else { return nil }
        return FieldBytes.withBytes(of: text) { RowFormat.shownValue($0, in: column) }
    }

    /// The columns whose times have a zone, so that their intervals and aggregates are in UTC.
    private func columnsInUTC(_ control: JobControl) throws -> Set<ColumnID> {
        let computed = tree.aggregates.filter(\.function.resultHasColumnKind).map(\.column)
        return try Set(tree.columns.filter { intervals[$0] != nil } + computed).filter { id in
            try columns[id].map { try records.hasTimeZone($0.field, $0.kind, $0.dateNotation, control) } ?? false
        }
    }

    /// The text of an aggregate; `nil` if it has no value.
    /// - Parameters:
    ///   - isData: true for plain digits, or the text in the file; false for the display format of the column.
    ///   - utcColumns: the columns whose times are written with a `Z`, because they are in UTC.
    private func text(_ subtotal: SectionAggregate, isData: Bool, _ utcColumns: Set<ColumnID> = []) throws -> String? {
        let (value, function) = (subtotal.value, subtotal.aggregate.function)
        guard !value.isNaN, let column = columns[subtotal.aggregate.column] else { return nil }
        if function.returnsCell {
            var text: String?
            try records.read(Int(value), columns: [column.field.rawValue]) { fields in
                text = !isData ? RowFormat.displayText(fields[0], in: column) : fields[0].isMissing ? nil : RowFormat.text(fields[0])
            }
            return text
        }
        guard isData else { return GridPainter.number(of: subtotal, in: column) }
        let found = subtotal.exact.map { AggregateValue.exact($0) } ?? .decimal(value)
        return found.text(of: function, kind: column.kind, isUTC: utcColumns.contains(column.id))
    }
}

extension Table {
    func read(_ record: Int, columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        try scan(record..<record + 1, columns: columns) { _, fields in
            body(fields)
            return true
        }
    }
}
