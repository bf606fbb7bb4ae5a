import DataGrid
import DataGridTerminal
import FieldValues
import TerminalSurface

/// Formats rows in an output format.
struct RowFormat {
    let format: OutputFormat
    let columns: [Column]
    private var widths: [Int]
    /// True if CSV and TSV show control characters as visible marks, for a terminal. Other formats never write them literally.
    private let marksControls: Bool
    /// True until a row is written.
    var isFirst = true
    /// Unique column names for JSON, because readers keep only one of equal names.
    private let names: [String]
    /// True if the format can show section headers.
    var showsSections: Bool { format == .text || format == .markdown }

    /// The delimiter, if rows are delimited text with unchanged field bytes; otherwise `nil`.
    var lineDelimiter: UInt8? { marksControls || !isDelimited ? nil : delimiter }
    private var isDelimited: Bool { format == .csv || format == .tsv }
    private var delimiter: UInt8 { UInt8(ascii: format == .csv ? "," : "\t") }

    init(_ format: OutputFormat, columns: [Column], marksControls: Bool = false) {
        self.format = format
        self.marksControls = marksControls
        self.columns = columns
        widths = format == .text ? columns.map { DisplayWidth.of($0.title) } : []
        var used = Set(columns.map(\.title))
        var seen: Set<String> = []
        names = columns.map { column in
            var name = column.title
            var number = 2
            while seen.contains(name) || (name != column.title && used.contains(name)) {
                name = "\(column.title)_\(number)"
                number += 1
            }
            seen.insert(name)
            used.insert(name)
            return Self.json(name)
        }
    }

    /// Widens the columns of text output to fit the cells of a row.
    mutating func fit(_ cells: [String]) {
        for (index, cell) in cells.enumerated() { widths[index] = max(widths[index], DisplayWidth.of(cell, limit: 200)) }
    }

    // MARK: Header and footer

    mutating func begin(_ sink: inout OutputSink) {
        // An empty file has no titles; an empty line would be a row.
        guard !columns.isEmpty || format == .json else { return }
        let titles = columns.map(\.title)
        switch format {
        case .csv, .tsv: FieldBytes.withFields(of: titles) { writeDelimited($0, &sink) }
        case .markdown:
            sink.write("| " + titles.map(Self.markdown).joined(separator: " | ") + " |\n")
            sink.write(
                "|"
                    + columns.map { $0.effectiveAlignment == .trailing ? "---:" : $0.effectiveAlignment == .center ? ":---:" : "---" }
                    .joined(separator: "|") + "|\n")
        case .text:
            sink.write(line(titles) + "\n")
            sink.write(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ") + "\n")
        case .json: sink.write("[")
        case .jsonl: break
        }
    }

    /// Starts the output with the column names of the file, byte for byte if the format allows it.
    mutating func begin(header: UnsafeBufferPointer<FieldBytes>, _ sink: inout OutputSink) {
        guard isDelimited, !columns.isEmpty else { return begin(&sink) }
        FieldBytes.withFields(of: columns.map(\.title)) { titles in
            zip(header, titles).map { $0.isMissing ? $1 : $0 }.withUnsafeBufferPointer { writeDelimited($0, &sink) }
        }
    }

    mutating func end(_ sink: inout OutputSink) {
        if case .json = format { sink.write(isFirst ? "]\n" : "\n]\n") }
    }

    /// Writes a section header, in text and Markdown only.
    /// - Parameter column: the title of the column whose value the rows share.
    func writeSection(_ section: Section, column: String, _ details: [String], _ sink: inout OutputSink) {
        let name =
            (column.isEmpty ? "" : Self.printable(column) + ": ") + (section.title.isEmpty ? "(empty)" : Self.printable(section.title))
        switch format {
        case .text:
            let indent = String(repeating: "  ", count: section.level)
            sink.write("\(indent)▾ \(name)  \(details.map(Self.printable).joined(separator: "  "))\n")
        case .markdown:
            sink.write("| **\(Self.markdown(name))** \(details[0]) |" + String(repeating: " |", count: max(0, columns.count - 1)) + "\n")
        case .csv, .tsv, .json, .jsonl: break
        }
    }

    // MARK: A row

    mutating func writeRow(_ fields: UnsafeBufferPointer<FieldBytes>, _ sink: inout OutputSink) {
        switch format {
        case .csv, .tsv: writeDelimited(fields, &sink)
        case .json:
            sink.write(isFirst ? "\n  " : ",\n  ")
            writeObject(fields, &sink)
        case .jsonl:
            writeObject(fields, &sink)
            sink.write(byte: 10)
        case .markdown:
            sink.write("| " + fields.map { Self.markdown(Self.text($0)) }.joined(separator: " | ") + " |\n")
        case .text:
            sink.write(line(zip(columns, fields).map { Self.shown($1, in: $0) }) + "\n")
        }
        isFirst = false
    }

    private func writeDelimited(_ fields: UnsafeBufferPointer<FieldBytes>, _ sink: inout OutputSink) {
        if marksControls, fields.contains(where: Self.mayHoldControls) {
            return FieldBytes.withFields(of: fields.map { $0.isMissing ? nil : Self.printable(Self.text($0)) }) { texts in
                FieldBytes.withRecord(of: texts, delimiter: delimiter) { sink.write(utf8: $0) }
            }
        }
        FieldBytes.withRecord(of: fields, delimiter: delimiter) { sink.write(utf8: $0) }
    }

    private func writeObject(_ fields: UnsafeBufferPointer<FieldBytes>, _ sink: inout OutputSink) {
        sink.write("{")
        for (index, (column, field)) in zip(columns, fields).enumerated() {
            if index > 0 { sink.write(", ") }
            sink.write(names[index] + ": " + Self.json(field, of: column))
        }
        sink.write("}")
    }

    // MARK: Values

    static func text(_ field: FieldBytes) -> String { String(decoding: field.bytes, as: UTF8.self) }

    /// The displayed value in one line, without control characters.
    static func shown(_ field: FieldBytes, in column: Column) -> String {
        field.isMissing ? "·" : printable(ValueText.display(CellContent(text(field)), in: column))
    }

    /// True if the field has an ASCII control character or any non-ASCII byte, which may be a C1 control, a bidirectional control or
    /// invalid.
    private static func mayHoldControls(_ field: FieldBytes) -> Bool { field.bytes.contains { $0 < 32 || $0 >= 127 } }

    /// True if a terminal would interpret a scalar, or reorder the text around it.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 32 || (0x7F..<0xA0).contains(scalar.value) || (scalar.value >= 0x600 && scalar.properties.isBidiControl)
    }

    private static func mark(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 10, 13: "⏎"
        case 0..<32: Unicode.Scalar(0x2400 + scalar.value)!
        case 127: "␡"
        default: "\u{FFFD}"
        }
    }

    /// Text with control characters replaced by visible marks.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars { result.append(isControl(scalar) ? mark(of: scalar) : scalar) }
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

    /// Text for a cell of a Markdown table: markup is escaped, and control characters are visible marks.
    static func markdown(_ text: String) -> String {
        var result = ""
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "|": result += "\\|"
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case "\n", "\r": result += "<br>"
            default: result.unicodeScalars.append(isControl(scalar) ? mark(of: scalar) : scalar)
            }
        }
        return result
    }

    static func json(_ text: String) -> String {
        // Fast path: most texts do not need escapes.
        if text.utf8.allSatisfy({ $0 >= 32 && $0 < 127 && $0 != 34 && $0 != 92 }) { return "\"" + text + "\"" }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if isControl(scalar) {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }

    /// A JSON value. Numbers and flags are literals if their text is valid JSON, apart from a decimal comma; otherwise they are strings.
    /// Empty numbers and flags are null.
    private static func json(_ field: FieldBytes, of column: Column) -> String {
        if field.isMissing { return "null" }
        let text = text(field)
        switch column.kind {
        case .integer, .decimal:
            // JSON has no plus sign before a number and no decimal comma.
            let written = column.notation == .comma && field.reads(as: .decimal, .comma) ? withPoint(text) : text
            let number = written.first == "+" ? String(written.dropFirst()) : written
            return text.isEmpty ? "null" : isJSONNumber(number) ? number : json(text)
        case .flag: return text.isEmpty ? "null" : text == "true" || text == "false" ? text : json(text)
        // Dates that are numbers stay numbers.
        case .date, .dateTime: return column.dateNotation.isNumber && isJSONNumber(text) ? text : json(text)
        case .text, .time: return json(text)
        }
    }

    /// Converts a number with a decimal comma to a decimal point, without group separators.
    private static func withPoint(_ number: String) -> String { number.replacing(".", with: "").replacing(",", with: ".") }

    /// True if the text is a number according to RFC 8259.
    static func isJSONNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        func skipDigits(_ rest: inout Substring.UTF8View) -> Int {
            var count = 0
            while let byte = rest.first, (48...57).contains(byte) {
                rest = rest.dropFirst()
                count += 1
            }
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = skipDigits(&rest)
        guard whole > 0, !(startsWithZero && whole > 1) else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard skipDigits(&rest) > 0 else { return false }
        }
        if let byte = rest.first, byte | 32 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard skipDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }
}
