import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

/// Writes the rows or sections of a view in an output format. Batch output and exports use it.
struct ViewOutput: Sendable {
    let input: any TableSource
    let table: any Table
    /// The columns to write, in the order of the output.
    let columns: [Column]
    /// All columns of the file. Sections also have titles and aggregates of columns that are not written.
    let allColumns: [Column]
    /// The columns whose title differs from the name in the file.
    var renamedColumns: Set<ColumnID> = []
    /// The columns whose type the user has chosen. Only SQL and typed files use them.
    var columnsWithChosenType: Set<ColumnID> = []
    let rows: RowOrder
    /// True if a server has not counted its rows. Then ``rows`` has the largest possible number of rows, and the output ends at the last
    /// row that the server returns.
    var isOpenEnded = false
    /// The estimated number of rows for the progress of the job, if ``isOpenEnded`` is true; 0 without an estimate.
    var estimatedRowCount = 0
    let tree: SectionTree?
    /// The intervals of grouped columns, such as months. A column without an entry is grouped by equal values.
    var intervals: [ColumnID: GroupInterval] = [:]
    let format: FileFormat
    /// True if CSV, TSV and SQL show control characters as visible marks, for a terminal.
    var marksControls = false
    /// Neutralizes formulas in CSV and TSV; `nil` to write formulas unchanged.
    var formulaGuard: FormulaGuard?
    let threads: Int
    /// The approximate memory for rows that are formatted but not written yet, in bytes.
    let memory: Int
    /// The fields that were cut in the written rows.
    let cuts = CutFields()

    private func rowFormat(_ text: OutputFormat, _ columns: [Column]) -> RowFormat {
        RowFormat(text, columns: columns, table: input.name, marksControls: marksControls, formulaGuard: formulaGuard)
    }

    private func sections(_ tree: SectionTree) -> SectionOutput {
        SectionOutput(tree, columns: allColumns, records: table.recordingCuts(in: cuts), intervals: intervals)
    }

    // MARK: Rows

    /// Writes rows. In text and Markdown, also writes the section headers between the rows. A typed file needs two passes over the rows.
    /// - Parameters:
    ///   - ranges: ascending ranges of positions.
    ///   - cells: the cells to write; `nil` for all. Other cells in the same rows are written as missing.
    /// - Returns: The number of rows.
    /// - Throws: `JobCancelled`, `OutOfMemory`, and errors of the file.
    @discardableResult
    func writeRows(
        at ranges: [Range<Int>], of cells: CopiedCells? = nil, _ notes: inout OutputNotes, _ sink: inout OutputSink, _ control: JobControl
    ) throws -> Int {
        switch format.content {
        case .text(let text): return try writeRows(at: ranges, of: cells, as: text, &notes, &sink, control)
        case .typed(let typed): return try writeRows(at: ranges, of: cells, as: typed, &notes, &sink, control)
        }
    }

    private func writeRows(
        at ranges: [Range<Int>], of cells: CopiedCells?, as text: OutputFormat, _ notes: inout OutputNotes, _ sink: inout OutputSink,
        _ control: JobControl
    ) throws -> Int {
        let ids = columns.map(\.field.rawValue)
        var format = rowFormat(text, columns)
        let fitted = text == .text ? RowFormat.fittedRows(of: ranges) : []
        control.begin(total: rowCount(ranges) + rowCount(fitted))
        if !fitted.isEmpty {
            try format.fit(to: fitted, of: rows, isOpenEnded: isOpenEnded, in: table, threads: threads, memory: memory, control)
        }
        var hasHeader = false
        try table.scanHeader(columns: ids) { fields in
            let names = zip(fields, columns).map { renamedColumns.contains($1.id) ? .missing : $0 }
            names.withUnsafeBufferPointer {
                notes.checkHeader($0)
                format.begin(header: $0, &sink)
            }
            hasHeader = true
        }
        if !hasHeader { format.begin(&sink) }
        let typed = format.useTypes(of: table, except: columnsWithChosenType)
        let declared = declaredTypes(of: columns)
        let strings = StringNumberFinder(
            columns,
            mayStoreNumbers: columns.enumerated().map { index, column in
                // The input knows which values of these columns are numbers, so no other value is stored as a number.
                if typed.contains(index), table.hasTypedValues(inColumn: column.field.rawValue) { return false }
                switch declared[column.field] {
                case .mixedNumbers, .double, .float: return true
                case .computed, .computedDouble, .computedInteger, .binary, .json, .number, nil: return false
                }
            })
        format.reportStringNumbers(to: strings)
        notes.checkNames(of: columns.map { (id: $0.field, title: $0.title) }, as: format.columnNames, from: input)
        let output = RowOutput<ViewRowWriter>(
            table: table, rows: rows, columns: ids + typed.map { FieldID.firstNestedColumn + ids[$0] }, threads: threads,
            isOpenEnded: isOpenEnded, cuts: cuts)
        let first = ranges.first?.lowerBound ?? 0
        let selected = SelectedCells(cells, secondFields: typed)
        var writer = ViewRowWriter(format: format, notes: notes.withoutFindings, firstPosition: first, cells: selected)
        if format.showsSections, let tree {
            let sections = sections(tree)
            var next = 0
            _ = try output.forEachText(at: ranges, with: &writer, memory: memory, control) { position, text in
                while next < tree.count, tree.rows(of: next).lowerBound <= position {
                    if tree.rows(of: next).upperBound > position {
                        format.writeSection(tree.sections[next], column: sections.title(of: next), try sections.details(of: next), &sink)
                    }
                    next += 1
                }
                sink.write(utf8: text)
                return sink.isOpen
            }
        } else {
            try output.write(at: ranges, with: &writer, to: &sink, memory: memory, control)
        }
        if let found = writer.notes { notes.merge(found) }
        notes.add(strings.columns, in: Self.title(of: text), input.name)
        let count = isOpenEnded ? writer.rowCount : rowCount(ranges)
        format.isFirstRow = count == 0
        format.end(&sink)
        return count
    }

    /// The name of a format of text in notes about numbers.
    private static func title(of text: OutputFormat) -> String { text == .sql ? "SQL" : "JSON" }

    /// The number of rows at these positions; an estimate if a server has not counted its rows.
    private func rowCount(_ ranges: [Range<Int>]) -> Int {
        let count = ranges.reduce(0) { $0 + $1.count }
        return isOpenEnded ? min(count, estimatedRowCount) : count
    }

    private func writeRows(
        at ranges: [Range<Int>], of cells: CopiedCells?, as format: any WritableFormat, _ notes: inout OutputNotes,
        _ sink: inout OutputSink, _ control: JobControl
    ) throws -> Int {
        let ids = columns.map(\.field.rawValue)
        control.begin(total: 2 * rowCount(ranges))
        try table.scanHeader(columns: ids) { notes.checkHeader($0) }
        let typed = TypedOutput(format, columns: columns, table: input.name)
        let declared = declaredTypes(of: columns)
        // The type of a column is detected from the text of its fields and the JSON text in its second fields. A column that is declared as
        // JSON needs no second field.
        let undeclared = table.hasNestedValues ? columns.indices.filter { declared[columns[$0].field] != .json } : []
        let nested = undeclared.map { FieldID.firstNestedColumn + ids[$0] }
        // A selection of some cells is never written as nested columns. So the second fields directly follow the fields of the columns.
        let selected = SelectedCells(cells, secondFields: undeclared)
        let runs = cells?.containsAllCells != false ? nestedRuns(for: format) : []
        let cells = SelectedCells(cells)
        let found = WrittenTypes(
            typed.fields, declared: columns.map { declared[$0.field] }, nested: runs.map(\.field), typedStrings: typedStrings,
            hasExactDecimals: format.hasExactDecimals, keepsNumericTimes: format.storesTimesAsText)
        var finder = TypeFinder(found, notes: notes.withoutFindings, cells: selected)
        let types = RowOutput<TypeFinder>(
            table: table, rows: rows, columns: ids + runs.map(\.column) + nested, threads: threads, isOpenEnded: isOpenEnded, cuts: cuts)
        try types.visit(ranges, with: &finder, memory: memory, control)
        // The first pass has found the position of the last row, even if a server had not counted the rows.
        let start = ranges.first?.lowerBound ?? 0
        let ranges = isOpenEnded ? [start..<start + finder.rowCount] : ranges
        let count = ranges.reduce(0) { $0 + $1.count }
        notes.merge(finder.notes)
        var (written, fields, reasons) = (finder.types.columns, typed.fields, finder.types.textReasons)
        // Replace from last to first: each nested column replaces several columns, which changes the indices of the columns after it.
        for (run, column) in zip(runs, finder.types.nestedColumns).reversed() {
            guard let column else { continue }
            written.replaceSubrange(run.indices, with: [column])
            fields.replaceSubrange(run.indices, with: [Field(FieldID(rawValue: run.column), name: column.name, kind: .text)])
            reasons.replaceSubrange(run.indices, with: [nil])
        }
        let names = self.format.columnNames(for: written.map(\.name))
        notes.checkNames(of: zip(fields, written).map { (id: $0.id, title: $1.name) }, as: names, from: input)
        notes.add(conversionsOf: written, declared: fields.map { declared[$0.id] }, to: format, input.name)
        var packer = FieldPacker(cells: cells)
        var row = PackedRow(width: fields.count)
        let textColumns = try typed.write(written, fields: fields, reasons: reasons, rowCount: count, to: &sink) { batcher in
            let output = RowOutput<FieldPacker>(table: table, rows: rows, columns: fields.map(\.id.rawValue), threads: threads)
            _ = try output.forEachText(at: ranges, with: &packer, memory: memory, control) { _, text in
                try row.withFields(of: text) { try batcher.append($0) }
                return true
            }
        }
        notes.add(textColumns, in: format.title, input.name)
        return count
    }

    /// Adjacent columns of the output that together show one nested column of the file, such as a structure.
    private struct NestedRun {
        /// The indices of these columns in the output.
        var indices: Range<Int>
        /// The field number by which the nested values are read in binary form.
        var column: Int
        /// The name and type of the nested column in the written file.
        var field: NestedField
    }

    /// The nested columns that the output shows completely, with unchanged names and types, and that the format can store.
    private func nestedRuns(for format: any WritableFormat) -> [NestedRun] {
        let nested = Dictionary(grouping: table.nestedColumns.enumerated(), by: \.element.columns.lowerBound)
        var runs: [NestedRun] = []
        var index = 0
        while index < columns.count {
            // Nested columns are listed from the outermost, so the first one that fits replaces the most columns.
            let known = nested[columns[index].field.rawValue]?.first {
                isShown($0.element, at: index) && format.canWrite($0.element.field.type)
            }
            guard let known else {
                index += 1
                continue
            }
            var field = known.element.field
            if case .structure = field.type {} else { field.name = columns[index].title }
            let indices = index..<index + known.element.columns.count
            runs.append(NestedRun(indices: indices, column: FieldID.firstStoredColumn + known.offset, field: field))
            index = indices.upperBound
        }
        return runs
    }

    /// True if the columns from `index` on show a whole nested column unchanged: all fields with their types and, in a structure,
    /// with their names.
    private func isShown(_ nested: NestedColumn, at index: Int) -> Bool {
        guard nested.columns.count <= columns.count - index else { return false }
        var isStructure = false
        if case .structure = nested.field.type { isStructure = true }
        return zip(columns[index...], zip(nested.columns, nested.kinds)).allSatisfy { column, shown in
            column.field.rawValue == shown.0 && (shown.1 ?? column.kind) == column.kind
                && !(isStructure && renamedColumns.contains(column.id))
        }
    }

    /// The columns in which strings from JSON are written as text, because the user has not chosen another type.
    private var typedStrings: Set<FieldID> {
        Set(
            columns.lazy.filter { table.hasTypedStrings(inColumn: $0.field.rawValue) && !columnsWithChosenType.contains($0.id) }.map(
                \.field))
    }

    /// The types to write for the number columns whose type the user has chosen.
    var chosenNumericTypes: [FieldID: DeclaredType] {
        let numbers = allColumns.filter { $0.kind.isNumber && columnsWithChosenType.contains($0.id) }
        return Dictionary(numbers.map { ($0.field, .number) }) { first, _ in first }
    }

    /// The types, such as JSON or binary, of those columns whose type cannot be detected from the text of the fields.
    private func declaredTypes(of columns: [Column]) -> [FieldID: DeclaredType] {
        let snapshot: any Table = input.snapshot()
        let columnar = snapshot as? any ColumnarTable
        var types = chosenNumericTypes
        for column in columns where column.field.isDerived || column.field.rawValue < snapshot.columnCount {
            let field = column.field
            switch field.isDerived ? nil : columnar?.textForm(ofColumn: field.rawValue) {
            case .declaredJSON: types[field] = .json
            case .binary: types[field] = .binary
            case .plain, .json, nil: break
            }
            // If the user has chosen a type without numbers, such as text, the number type in the file does not matter.
            if columnsWithChosenType.contains(column.id), !column.kind.isNumber { continue }
            switch table.numberStorage(ofColumn: field.rawValue) {
            case .double: types[field] = .double
            case .float: types[field] = .float
            case .eachValue where types[field] == nil: types[field] = .mixedNumbers
            case .computed: types[field] = .computed
            case .computedDouble: types[field] = .computedDouble
            case .computedInteger: types[field] = .computedInteger
            case .knownInSomeFiles where types[field] == nil && !column.kind.isNumber: types[field] = .mixedNumbers
            case .eachValue, .knownInSomeFiles, nil: break
            }
        }
        return types
    }

    // MARK: Sections

    /// The number of lines or records that the sections need: one for each section in text and Markdown, one for each innermost section in
    /// other formats.
    func recordCount(of tree: SectionTree) -> Int {
        format.text?.showsSections == true ? tree.count : (0..<tree.count).count { tree.level(of: $0) == tree.depth - 1 }
    }

    /// Writes sections instead of rows. Text and Markdown have a table of all levels; other formats have a record for each innermost
    /// section.
    /// - Parameters:
    ///   - positions: positions of rows. The table lists the sections that contain at least one of these rows.
    ///   - records: the innermost sections to write as records, as a range of their indices.
    func writeSections(
        _ tree: SectionTree, at positions: Range<Int>, records: Range<Int>, _ notes: inout OutputNotes, _ sink: inout OutputSink,
        _ control: JobControl
    ) throws {
        let sections = sections(tree)
        if let text = format.text, text.showsSections {
            let shown = (0..<tree.count).filter { tree.rows(of: $0).overlaps(positions) }
            try sections.checkTitles(&notes)
            // The titles of sections have replacement characters already, so the keys are checked in the file.
            if input.mayContainInvalidText { try sections.checkKeys(of: shown, in: rows, &notes, control) }
            return try sections.writeTable(shown, as: text, &sink)
        }
        let all = sections.innermostSections
        let chosen = all[records.clamped(to: 0..<all.count)]
        // Read keys with invalid UTF-8 from the file. In the tree, U+FFFD replaces the invalid bytes, so that two different keys may have
        // the same text.
        let keys = input.mayContainInvalidText ? rows : nil
        let names = format.columnNames(for: sections.dataColumns.map(\.title))
        notes.checkNames(of: sections.dataColumns.map { (id: $0.field, title: $0.title) }, as: names, from: input)
        switch format.content {
        case .text(let text):
            var format = rowFormat(text, sections.dataColumns)
            let strings = StringNumberFinder(format.columns, mayStoreNumbers: format.columns.map { _ in false })
            format.reportStringNumbers(to: strings)
            try sections.writeData(chosen, as: format, keysFrom: keys, &notes, &sink, control)
            notes.add(strings.columns, in: Self.title(of: text), input.name)
        case .typed(let typed):
            try sections.checkTitles(&notes)
            let found = notes
            let output = TypedOutput(typed, columns: sections.dataColumns, table: input.name)
            let declared = sections.declaredTypes(declaredTypes(of: sections.sourceColumns))
            let textColumns = try output.write(declared: declared, rowCount: chosen.count, to: &sink) { body in
                // The file is written in two passes. Discard the notes of the first pass, so that no value is counted twice.
                notes = found
                try sections.forEachRecord(chosen, keysFrom: keys, &notes, control, body)
            }
            notes.add(textColumns, in: typed.title, input.name)
        }
    }
}

extension Session {
    /// The maximum memory for rows that are formatted but not written yet, in bytes.
    var textMemory: Int { min(BatchRun.textMemory, columnStore.budget / 4) }
}

/// Writes rows in an output format, and notes which fields the format cannot represent.
struct ViewRowWriter: RowWriter {
    private var format: RowFormat
    private(set) var notes: OutputNotes?
    private(set) var rowCount = 0
    private let firstPosition: Int
    private let cells: SelectedCells

    /// - Parameters:
    ///   - notes: notes that have counted no invalid fields yet; `nil` to check nothing.
    ///   - firstPosition: the position of the first row to write.
    init(format: RowFormat, notes: OutputNotes? = nil, firstPosition: Int, cells: SelectedCells) {
        (self.format, self.notes, self.firstPosition, self.cells) = (format, notes, firstPosition, cells)
    }

    var lineDelimiter: UInt8? { cells.containsAll ? format.lineDelimiter : nil }

    mutating func write(_ fields: UnsafeBufferPointer<FieldBytes>, record: Int, position: Int, to sink: inout OutputSink) {
        rowCount += 1
        cells.withFields(fields, at: position) { fields in
            notes?.check(UnsafeBufferPointer(rebasing: fields.prefix(format.columns.count)), record: record, position: position)
            format.isFirstRow = position == firstPosition
            format.writeRow(fields, &sink)
        }
    }

    mutating func merge(_ other: ViewRowWriter) {
        if let found = other.notes { notes?.merge(found) }
        rowCount += other.rowCount
    }
}
