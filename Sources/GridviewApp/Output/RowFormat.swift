import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables
import TerminalSurface

/// Formats rows as text in an output format.
struct RowFormat {
    let format: OutputFormat
    /// The columns to write. Their types determine how values are written.
    let columns: [Column]
    /// The columns whose display formats are used; `nil` to write the text of the file.
    private let shownColumns: [Column]?
    /// Holds the displayed values of a row.
    private var shownFields = FieldBuffer()
    /// The widths of the columns in terminal cells, for aligned text; empty in other formats.
    private var widths: [Int]
    /// True if CSV, TSV and SQL show control characters as visible marks, for a terminal.
    private let marksControls: Bool
    /// Neutralizes formulas in CSV and TSV; `nil` to write formulas unchanged.
    private let formulaGuard: FormulaGuard?
    /// True if column names are requested. JSON always has names, see ``writesNames``.
    var hasHeader = true
    /// True if CSV and TSV put fields in quotes where this is necessary.
    var quotesFields = true
    /// Formats the objects of JSON; `nil` in other formats.
    var objectFormat: JSONObjectFormat?
    /// Finds the columns in which SQL writes numbers as strings; `nil` in other formats.
    private var stringNumberFinder: StringNumberFinder?
    /// For SQL, the index of each column's second field. A second field has the JSON text of a value, and is missing if the value is a
    /// string. A column without a second field has `nil`: its strings are written by the type of the column. The array is empty if no
    /// column has a second field.
    private var secondFields: [Int?] = []
    /// True until a row is written, so that JSON has no comma before the first row.
    var isFirstRow = true
    /// The quoted column names of SQL statements, separated by commas; empty in other formats.
    private let sqlColumnNames: String
    /// How the values of each column are written in SQL; empty in other formats.
    private let literalForms: [LiteralForm]
    /// The quoted name of the table, for SQL.
    private let tableName: String
    /// True if values are written as displayed, false if as in the file.
    var writesDisplayedText: Bool { shownColumns != nil }
    /// True if column names are written, which some formats require.
    var writesNames: Bool { hasHeader || !format.hasOptionalHeader }
    /// True if the format can have section headers between rows.
    var showsSections: Bool { format.showsSections }
    /// The column names in the output; `nil` if the format keeps their titles as they are.
    var columnNames: [String]? { objectFormat?.names ?? FileFormat.text(format).columnNames(for: columns.map(\.title)) }

    /// The delimiter of CSV or TSV if fields are written unchanged, so that lines of the input may be copied as they are; otherwise `nil`.
    var lineDelimiter: UInt8? {
        marksControls || formulaGuard != nil || shownColumns != nil || !quotesFields || !isDelimited ? nil : delimiter
    }
    private var isDelimited: Bool { format == .csv || format == .tsv }
    private var delimiter: UInt8 { UInt8(ascii: format == .csv ? "," : "\t") }

    /// Creates a format for rows with these columns.
    /// - Parameters:
    ///   - table: the name of the table for SQL, such as a file name. Its extension is left out.
    ///   - asShown: true to write values as displayed, as strings.
    init(
        _ format: OutputFormat, columns: [Column], table: String = "data", marksControls: Bool = false, formulaGuard: FormulaGuard? = nil,
        asShown: Bool = false
    ) {
        self.format = format
        (self.marksControls, self.formulaGuard) = (marksControls, formulaGuard)
        shownColumns = asShown ? columns : nil
        self.columns = asShown ? columns.map(Self.asText) : columns
        tableName = Self.quotedIdentifier(Self.tableName(table))
        widths = format == .text ? columns.map { DisplayWidth.of($0.title) } : []
        objectFormat = format == .json || format == .jsonl ? JSONObjectFormat(self.columns) : nil
        let isSQL = format == .sql
        let names = isSQL ? DistinctNames.numbered(columns.map(\.title)) { $0 } : []
        self.sqlColumnNames =
            isSQL ? names.map { Self.quotedIdentifier(marksControls ? Self.printable($0) : $0) }.joined(separator: ", ") : ""
        literalForms = isSQL ? self.columns.map(LiteralForm.init) : []
    }

    /// Makes JSON and SQL write numbers and strings as in the JSON of the input. JSON output also has the nested objects of the input. For
    /// this, each row needs second fields after the fields of all columns, see ``Table/hasNestedValues``.
    /// - Parameter columnsWithChosenType: the columns in which SQL writes strings by the type that the user has chosen.
    /// - Returns: The indices of the columns that need a second field.
    mutating func useTypes(of table: any Table, except columnsWithChosenType: Set<ColumnID>) -> [Int] {
        guard !writesDisplayedText else { return [] }
        guard table.hasNestedValues else { return useValueTypes(of: table, except: columnsWithChosenType) }
        let keepsStrings = columns.map { table.hasTypedStrings(inColumn: $0.field.rawValue) }
        switch format {
        case .json, .jsonl:
            if table.isJSON {
                objectFormat = JSONObjectFormat(columns, paths: columns.map { Self.keyPath(of: $0, in: table) })
                objectFormat?.keepsJSON = true
            }
            objectFormat?.keepsStrings = keepsStrings
            return Array(columns.indices)
        case .sql:
            // Other columns need no second field: they have no strings from JSON, get quotes anyway, or have a type that the user has
            // chosen.
            let typed = columns.indices.filter {
                keepsStrings[$0] && !literalForms[$0].isText && !columnsWithChosenType.contains(columns[$0].id)
            }
            secondFields = Array(repeating: nil, count: typed.isEmpty ? 0 : columns.count)
            for (offset, index) in typed.enumerated() { secondFields[index] = columns.count + offset }
            return typed
        case .csv, .tsv, .markdown, .text, .html: return []
        }
    }

    /// Makes JSON write the numbers of columns that are text because of other values, if the input knows the type of each value.
    private mutating func useValueTypes(of table: any Table, except columnsWithChosenType: Set<ColumnID>) -> [Int] {
        guard objectFormat != nil else { return [] }
        let typed = columns.indices.filter { index in
            let column = columns[index]
            return LiteralForm(column).isText && !columnsWithChosenType.contains(column.id) && !column.field.isDerived
                && table.hasTypedValues(inColumn: column.field.rawValue)
        }
        guard !typed.isEmpty else { return [] }
        var places = Array(repeating: -1, count: columns.count)
        for (place, index) in typed.enumerated() { places[index] = place }
        objectFormat?.secondPlaces = places
        return typed
    }

    /// Lets JSON and SQL report the numbers that they write as strings. Call it after ``useTypes(of:except:)``.
    mutating func reportStringNumbers(to finder: StringNumberFinder) {
        objectFormat?.stringNumberFinder = finder
        stringNumberFinder = finder
    }

    /// The keys that lead to the values of a column in the JSON of the input; `nil` for a column without such keys, or if the column was
    /// renamed.
    private static func keyPath(of column: Column, in table: any Table) -> [String]? {
        guard let path = table.keyPath(ofColumn: column.field.rawValue) else { return nil }
        return JSONPath.text(path.map { Array($0.utf8) }) == column.title ? path : nil
    }

    /// A text column with the same title and alignment, for values that are already formatted.
    static func asText(_ column: Column) -> Column {
        var text = column
        (text.kind, text.alignment) = (.text, column.effectiveAlignment)
        return text
    }

    /// Widens the columns of aligned text so that these cells fit.
    mutating func fit(_ cells: [String]) {
        for (index, cell) in cells.enumerated() { widths[index] = max(widths[index], DisplayWidth.of(cell, limit: 200)) }
    }

    /// The number of rows whose cells determine the column widths of aligned text. Longer cells in later rows are not aligned.
    static let fittedRowCount = 5_000

    /// The positions of the rows that determine the column widths: the first ``fittedRowCount`` positions in `ranges`.
    static func fittedRows(of ranges: [Range<Int>]) -> [Range<Int>] {
        var left = fittedRowCount
        return ranges.map { range in
            defer { left -= min(left, range.count) }
            return range.prefix(left)
        }
    }

    /// Widens the columns of aligned text so that the rows at these positions fit.
    /// - Parameters:
    ///   - isOpenEnded: true if the table may have fewer rows than `ranges`.
    ///   - memory: the approximate memory in bytes for rows that are not in file order.
    /// - Throws: `JobCancelled`, `OutOfMemory`, and errors of the file.
    mutating func fit(
        to ranges: [Range<Int>], of rows: RowOrder, isOpenEnded: Bool = false, in table: any Table, threads: Int, memory: Int,
        _ control: JobControl
    ) throws {
        var fitter = ColumnFitter(format: self)
        let output = RowOutput<ColumnFitter>(
            table: table, rows: rows, columns: columns.map(\.field.rawValue), threads: threads, isOpenEnded: isOpenEnded)
        try output.visit(ranges, with: &fitter, memory: memory, control)
        self = fitter.format
    }

    /// Widens columns to fit the rows that it gets, instead of writing them.
    private struct ColumnFitter: RowWriter {
        var format: RowFormat

        var lineDelimiter: UInt8? { nil }

        mutating func write(_ fields: UnsafeBufferPointer<FieldBytes>, record: Int, position: Int, to sink: inout OutputSink) {
            format.fit(zip(fields, format.columns).map { RowFormat.displayText($0, in: $1) })
        }

        mutating func merge(_ other: ColumnFitter) { format.widths = zip(format.widths, other.format.widths).map { max($0, $1) } }
    }

    // MARK: Header and footer

    mutating func begin(_ sink: inout OutputSink) {
        // Write no header if there are no columns: the empty line would look like a row.
        guard !columns.isEmpty || format == .json else { return }
        let titles = columns.map(\.title)
        switch format {
        case .json: sink.write("[")
        case .html:
            sink.write("<meta charset=\"utf-8\">\n<table>\n")
            if hasHeader { sink.write("<thead>\n\(htmlRow("th", titles))</thead>\n") }
            sink.write("<tbody>\n")
        case .jsonl, .sql: break
        case _ where !hasHeader: break
        case .csv, .tsv: FieldBytes.withFields(of: titles) { writeDelimited($0, &sink) }
        case .markdown:
            sink.write("| " + titles.map(Self.escapedMarkdown).joined(separator: " | ") + " |\n")
            sink.write(
                "|"
                    + columns.map { $0.effectiveAlignment == .trailing ? "---:" : $0.effectiveAlignment == .center ? ":---:" : "---" }
                    .joined(separator: "|") + "|\n")
        case .text:
            sink.write(line(titles) + "\n")
            sink.write(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ") + "\n")
        }
    }

    /// Starts the output with the column names of the file. CSV and TSV keep the bytes of these names. If a name is missing, the title of
    /// the column is written.
    mutating func begin(header: UnsafeBufferPointer<FieldBytes>, _ sink: inout OutputSink) {
        guard isDelimited, hasHeader, !columns.isEmpty else { return begin(&sink) }
        FieldBytes.withFields(of: columns.map(\.title)) { titles in
            zip(header, titles).map { $0.isMissing ? $1 : $0 }.withUnsafeBufferPointer { writeDelimited($0, &sink) }
        }
    }

    mutating func end(_ sink: inout OutputSink) {
        if case .json = format { sink.write(isFirstRow ? "]\n" : "\n]\n") }
        if case .html = format, !columns.isEmpty { sink.write("</tbody>\n</table>\n") }
    }

    /// Writes a section header. Only text and Markdown have section headers; for other formats, nothing is written.
    /// - Parameter column: the title of the column by which the section is grouped.
    func writeSection(_ section: Section, column: String, _ details: [String], _ sink: inout OutputSink) {
        let name =
            (column.isEmpty ? "" : Self.printable(column) + ": ") + (section.title.isEmpty ? "(empty)" : Self.printable(section.title))
        switch format {
        case .text:
            let indent = String(repeating: "  ", count: section.level)
            sink.write("\(indent)▾ \(name)  \(details.map(Self.printable).joined(separator: "  "))\n")
        case .markdown:
            let notes = Self.escapedMarkdown(details.map(Self.printable).joined(separator: ", "))
            sink.write("| **\(Self.escapedMarkdown(name))** \(notes) |" + String(repeating: " |", count: max(0, columns.count - 1)) + "\n")
        case .csv, .tsv, .json, .jsonl, .html, .sql: break
        }
    }

    // MARK: A row

    mutating func writeRow(_ fields: UnsafeBufferPointer<FieldBytes>, _ sink: inout OutputSink) {
        if let shownColumns {
            // Take the buffer out of the format, because the format is read while the buffer is used.
            var buffer = FieldBuffer()
            swap(&buffer, &shownFields)
            for (column, field) in zip(shownColumns, fields) { buffer.append(Self.shownValue(field, in: column)) }
            buffer.withFields { writeValues($0, &sink) }
            swap(&buffer, &shownFields)
        } else {
            writeValues(fields, &sink)
        }
        isFirstRow = false
    }

    private func writeValues(_ fields: UnsafeBufferPointer<FieldBytes>, _ sink: inout OutputSink) {
        switch format {
        case .csv, .tsv: writeDelimited(fields, &sink)
        case .json: objectFormat?.write(fields, after: isFirstRow ? "\n  " : ",\n  ", to: &sink)
        case .jsonl: objectFormat?.write(fields, endsLine: true, to: &sink)
        case .markdown:
            sink.write("| " + fields.map { Self.escapedMarkdown(Self.text($0)) }.joined(separator: " | ") + " |\n")
        case .text:
            sink.write(line(zip(columns, fields).map { Self.displayText($1, in: $0) }) + "\n")
        case .html: sink.write(htmlRow("td", fields.map(Self.text)))
        case .sql: writeStatement(fields, &sink)
        }
    }

    private func writeDelimited(_ fields: UnsafeBufferPointer<FieldBytes>, _ sink: inout OutputSink) {
        guard let formulaGuard else { return writeDisplayedText(fields, &sink) }
        formulaGuard.withSafeFields(fields, of: columns) { writeDisplayedText($0, &sink) }
    }

    private func writeDisplayedText(_ fields: UnsafeBufferPointer<FieldBytes>, _ sink: inout OutputSink) {
        if marksControls, fields.contains(where: Self.mayContainControls) {
            let texts = fields.map { $0.isMissing ? nil : Self.printable(Self.text($0)) }
            return FieldBytes.withFields(of: texts) { writeLine($0, &sink) }
        }
        writeLine(fields, &sink)
    }

    private func writeLine(_ fields: UnsafeBufferPointer<FieldBytes>, _ sink: inout OutputSink) {
        guard !quotesFields else { return FieldBytes.withRecord(of: fields, delimiter: delimiter) { sink.write(utf8: $0) } }
        for (index, field) in fields.enumerated() {
            if index > 0 { sink.write(byte: delimiter) }
            sink.write(utf8: field.bytes)
        }
        sink.write(byte: UInt8(ascii: "\n"))
    }

    /// One row of an HTML table.
    /// - Parameter tag: the element name of the cells, `td` or `th`.
    private func htmlRow(_ tag: String, _ texts: [String]) -> String {
        var row = "<tr>"
        for (text, column) in zip(texts, columns) {
            let isLeading = column.effectiveAlignment == .leading
            let style = isLeading ? "" : " style=\"text-align: \(column.effectiveAlignment == .trailing ? "right" : "center")\""
            row += "<\(tag)\(style)>\(Self.escapedHTML(text))</\(tag)>"
        }
        return row + "</tr>\n"
    }

    /// Writes one row as a complete `INSERT` statement, which can be run alone.
    private func writeStatement(_ fields: UnsafeBufferPointer<FieldBytes>, _ sink: inout OutputSink) {
        sink.write("INSERT INTO \(tableName) ")
        if hasHeader { sink.write("(\(sqlColumnNames)) ") }
        sink.write("VALUES (")
        for (index, (form, field)) in zip(literalForms, fields).enumerated() {
            if index > 0 { sink.write(", ") }
            let second = secondFields.isEmpty ? nil : secondFields[index]
            let isString = second.map { fields[$0].isMissing } ?? false
            form.withLiteral(of: field) { literal in
                switch literal {
                case .null: sink.write("NULL")
                case .plain(let value) where !isString: sink.write(utf8: value.bytes)
                case .plain, .text:
                    stringNumberFinder?.check(field, index)
                    sink.write((marksControls ? Self.printable(Self.text(field)) : Self.text(field)).quoted(by: "'"))
                }
            }
        }
        sink.write(");\n")
    }

    // MARK: Values

    static func text(_ field: FieldBytes) -> String { String(decoding: field.bytes, as: UTF8.self) }

    /// The displayed value in one line, without control characters.
    static func displayText(_ field: FieldBytes, in column: Column) -> String {
        field.isMissing ? "·" : printable(ValueText.display(CellContent(text(field)), in: column))
    }

    /// The displayed value without the spaces that align decimal points in a column; `nil` if the field is missing.
    static func shownValue(_ field: FieldBytes, in column: Column) -> String? {
        guard !field.isMissing else { return nil }
        let text = displayText(field, in: column)
        return column.kind.isNumber ? withoutAlignmentSpaces(text) : text
    }

    /// A displayed number without the spaces that align decimal points in a column.
    static func withoutAlignmentSpaces(_ number: String) -> String {
        var number = number
        while number.last == " " { number.removeLast() }
        return number
    }

    /// True if the field has an ASCII control character or any non-ASCII byte. A non-ASCII byte may belong to another control character or
    /// be invalid.
    private static func mayContainControls(_ field: FieldBytes) -> Bool { field.bytes.contains { $0 < 32 || $0 >= 127 } }

    /// True if a terminal would interpret this character as a control character, or reorder the text around it.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 32 || (0x7F..<0xA0).contains(scalar.value) || (scalar.value >= 0x600 && scalar.properties.isBidiControl)
    }

    private static func visibleMark(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 10, 13: "⏎"
        case 0..<32: Unicode.Scalar(0x2400 + scalar.value)!
        case 127: "␡"
        default: "\u{FFFD}"
        }
    }

    /// The text with visible marks instead of control characters.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            result.append(isControl(scalar) ? visibleMark(of: scalar) : scalar)
        }
        return String(result)
    }

    private func line(_ cells: [String]) -> String {
        var line = ""
        for (index, (cell, column)) in zip(cells, columns).enumerated() {
            let text = Self.printable(cell)
            let free = max(0, (index < widths.count ? widths[index] : 0) - DisplayWidth.of(text))
            let before = column.effectiveAlignment == .trailing ? free : column.effectiveAlignment == .center ? free / 2 : 0
            line += (index > 0 ? "  " : "") + String(repeating: " ", count: before) + text + String(repeating: " ", count: free - before)
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Text for a cell of a Markdown table, with its markup characters escaped and visible marks for control characters.
    static func escapedMarkdown(_ text: String) -> String {
        escaped(text) { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "|": "\\|"
            case "&": "&amp;"
            case "<": "&lt;"
            default: nil
            }
        }
    }

    /// Text for an HTML element, with its markup characters escaped and visible marks for control characters.
    static func escapedHTML(_ text: String) -> String {
        escaped(text) { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: nil
            }
        }
    }

    /// Text with characters escaped by `escape`, `<br>` for line ends, and visible marks for other control characters.
    private static func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
        var result = ""
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            if let escaped = escape(scalar) {
                result += escaped
            } else if scalar == "\n" || scalar == "\r" {
                result += "<br>"
            } else {
                result.unicodeScalars.append(isControl(scalar) ? visibleMark(of: scalar) : scalar)
            }
        }
        return result
    }

    /// A name as a quoted identifier of standard SQL.
    private static func quotedIdentifier(_ name: String) -> String { name.quoted(by: "\"") }

    /// True if a name is that of a pattern, such as `logs/*.csv`.
    static func isPattern(_ name: some StringProtocol) -> Bool { name.contains { "*?[{".contains($0) } }

    /// The SQL table name for a file name: its part before the first dot, with underscores for all characters except letters and digits.
    /// Without a letter or digit in that part, the name is `data`. The folder of a pattern such as `logs/*.csv` does not count. Names of
    /// tables in a database may contain `/`.
    static func tableName(_ file: String) -> String {
        let base = (isPattern(file) ? file.split(separator: "/").last : nil) ?? file[...]
        let name = String(base.prefix { $0 != "." }.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        return name.allSatisfy { $0 == "_" } ? "data" : name
    }
}
