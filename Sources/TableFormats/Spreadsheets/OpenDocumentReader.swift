/// Reads the sheets of an OpenDocument spreadsheet (ISO/IEC 26300-1, section 9).
final class OpenDocumentReader: SheetReader, @unchecked Sendable {
    /// The maximum number of rows of a sheet.
    static let maximumRows = 1 << 24
    /// The nesting depth of a table's element in the document.
    private static let tableDepth = 4

    /// True to read the document to its end after the sheet, so that the checksum of the document is checked.
    var readsRemainingSheets = false
    /// Called with the name of each sheet after the current one, if ``readsRemainingSheets`` is true.
    var onOtherSheet: (@Sendable (_ name: String) -> Void)?
    /// The number of bytes of the document read so far.
    var byteCount: Int { scanner.byteCount }

    private let scanner: XMLScanner
    /// The names of the styles of hidden tables.
    private var hiddenStyles: Set<String> = []
    private var tableStyle: String?
    @exclusivity(unchecked) private var isInTable = false
    @exclusivity(unchecked) private var nextRow = 0
    /// The text of the current cell.
    @exclusivity(unchecked) private var text: [UInt8] = []

    init(_ scanner: XMLScanner) { self.scanner = scanner }

    /// Advances to the next sheet. Returns its name and whether it is hidden; `nil` after the last one.
    func nextSheet() throws(ContentError) -> (name: String, isHidden: Bool)? {
        while true {
            switch try scanner.next() {
            case .start:
                if scanner.depth == Self.tableDepth, scanner.isNamed("table") {
                    (isInTable, nextRow) = (true, 0)
                    let style = scanner.attribute("style-name") ?? ""
                    return (scanner.attribute("name") ?? "", hiddenStyles.contains(style))
                }
                readStyle()
            case .end, .text: continue
            case .finish: return nil
            }
        }
    }

    private func readStyle() {
        if scanner.isNamed("style") {
            tableStyle = scanner.attribute("family") == "table" ? scanner.attribute("name") : nil
        } else if scanner.isNamed("table-properties"), let tableStyle, scanner.attribute("display") == "false", hiddenStyles.count < 10_000
        {
            hiddenStyles.insert(tableStyle)
        }
    }

    func readRow(into writer: SheetRowWriter) throws(ContentError) -> Bool {
        while isInTable {
            switch try scanner.next() {
            case .start:
                if scanner.isNamed("table-row") {
                    try readCells(into: writer)
                    return true
                }
                // Groups of rows are elements around the rows.
                let isGroup =
                    scanner.isNamed("table-row-group") || scanner.isNamed("table-rows") || scanner.isNamed("table-header-rows")
                if !isGroup { try scanner.skipElement() }
            case .end:
                guard scanner.depth < Self.tableDepth else { continue }
                isInTable = false
                if readsRemainingSheets { try readRemainingSheets() }
            case .text: continue
            case .finish: return false
            }
        }
        return false
    }

    private func readRemainingSheets() throws(ContentError) {
        while let other = try nextSheet() {
            onOtherSheet?(other.name)
            isInTable = false
        }
    }

    private func repetition(_ name: StaticString) -> Int {
        var attributes = scanner.attributes
        while attributes.next() {
            if attributes.name.equals(name) { return max(1, attributes.value.number ?? (attributes.value.count > 18 ? .max : 1)) }
        }
        return 1
    }

    private func readCells(into writer: SheetRowWriter) throws(ContentError) {
        let count = repetition("number-rows-repeated")
        writer.beginRow(nextRow)
        nextRow = nextRow.addingReportingOverflow(count).overflow ? .max : nextRow + count
        let depth = scanner.depth
        var column = 0
        while true {
            switch try scanner.next() {
            case .start:
                if scanner.isNamed("table-cell") {
                    try readCell(into: writer, &column)
                } else if scanner.isNamed("covered-table-cell") {
                    // The first of several merged cells contains the value. The remaining merged cells are skipped.
                    column = Self.sum(column, repetition("number-columns-repeated"))
                    try scanner.skipElement()
                } else {
                    try scanner.skipElement()
                }
            case .end: if scanner.depth < depth { return try writer.endRow(repeated: count) }
            case .text: continue
            case .finish: return
            }
        }
    }

    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, overflows) = a.addingReportingOverflow(b)
        return overflows ? .max : sum
    }

    private enum CellType { case text, number, percentage, date, time, flag }

    private func readCell(into writer: SheetRowWriter, _ column: inout Int) throws(ContentError) {
        var count = 1
        var type: CellType?
        text.removeAll(keepingCapacity: true)
        var hasValue = false
        var hasFormula = false
        var attributes = scanner.attributes
        while attributes.next() {
            if attributes.isExtension { continue }
            let (name, value) = (attributes.name, attributes.value)
            if name.equals("number-columns-repeated") {
                count = max(1, value.number ?? (value.count > 18 ? .max : 1))
            } else if name.equals("value-type") {
                type = Self.type(value)
            } else if name.equals("formula") {
                hasFormula = true
            } else if name.equals("value") || name.equals("date-value") || name.equals("time-value") || name.equals("boolean-value")
                || name.equals("string-value")
            {
                XMLScanner.appendReplaced(value, to: &text)
                // LibreOffice writes an empty string as the value of an error, and the name of the error as the text of the cell.
                hasValue = !text.isEmpty
            }
        }
        let isText = type == nil || type == .text
        try readText(isUsed: isText && !hasValue)
        defer { column = Self.sum(column, count) }
        guard !text.isEmpty else {
            // A formula with the type text can have an empty text as its value, so its cell is not counted.
            if hasFormula, type != .text { writer.countFormulasWithoutValue(count) }
            return
        }
        guard count <= SheetRowWriter.maximumColumns else {
            throw ContentError("it has a cell beyond column \(SheetRowWriter.maximumColumns)")
        }
        for index in 0..<count { try add(type ?? .text, column: Self.sum(column, index), to: writer) }
    }

    private func add(_ type: CellType, column: Int, to writer: SheetRowWriter) throws(ContentError) {
        try text.withUnsafeBufferPointer { text throws(ContentError) in
            switch type {
            case .text:
                try writer.add(column: column, looksLikeNumber(text) ? .numberText : .other) { (output) throws(ContentError) in
                    output.appendField(text)
                }
            case .number, .percentage:
                try writer.add(column: column, .number) { (output) throws(ContentError) in
                    NumberCell.append(text, type == .number ? .number : .percentage, SerialDates(startsIn1904: false), to: &output)
                }
            case .date:
                try writer.add(column: column, .other) { (output) throws(ContentError) in
                    let start = output.count
                    output.appendField(text)
                    for offset in start..<output.count where output[offset] == UInt8(ascii: "T") { output[offset] = UInt8(ascii: " ") }
                }
            case .time:
                try writer.add(column: column, .other) { (output) throws(ContentError) in Self.appendTime(text, to: &output) }
            case .flag:
                try writer.add(column: column, .other) { (output) throws(ContentError) in
                    output.append(contentsOf: (text.equals("true") ? "true" : "false").utf8)
                }
            }
        }
    }

    private static func type(_ value: UnsafeBufferPointer<UInt8>) -> CellType {
        if value.equals("float") || value.equals("currency") { return .number }
        if value.equals("percentage") { return .percentage }
        if value.equals("date") { return .date }
        if value.equals("time") { return .time }
        return value.equals("boolean") ? .flag : .text
    }

    /// Appends a time such as `PT12H30M00S` as `12:30:00`. Other forms are appended unchanged.
    private static func appendTime(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        let characters = Array(text)
        var offset = 0
        let isNegative = characters.first == UInt8(ascii: "-")
        if isNegative { offset = 1 }
        guard characters[offset...].starts(with: "PT".utf8) else { return output.appendField(text) }
        offset += 2
        var parts: [UInt8: [UInt8]] = [:]
        var digits: [UInt8] = []
        for byte in characters[offset...] {
            if byte &- 0x30 < 10 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") {
                digits.append(byte == UInt8(ascii: ",") ? UInt8(ascii: ".") : byte)
            } else {
                guard "HMS".utf8.contains(byte), !digits.isEmpty, parts[byte] == nil else { return output.appendField(text) }
                parts[byte] = digits
                digits = []
            }
        }
        guard digits.isEmpty, !parts.isEmpty else { return output.appendField(text) }
        if isNegative { output.append(UInt8(ascii: "-")) }
        for (index, unit) in "HMS".utf8.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ":")) }
            var number = parts[unit] ?? []
            // LibreOffice writes fractions of nine digits.
            if number.contains(UInt8(ascii: ".")) {
                while number.last == UInt8(ascii: "0") { number.removeLast() }
                if number.last == UInt8(ascii: ".") { number.removeLast() }
            }
            let integerDigits = number.prefix { $0 != UInt8(ascii: ".") }.count
            output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, 2 - integerDigits)))
            output.append(contentsOf: number)
        }
    }

    /// Reads the content of a cell: paragraphs become lines.
    private func readText(isUsed: Bool) throws(ContentError) {
        let depth = scanner.depth
        var paragraphDepth = 0
        var paragraphs = 0
        while true {
            switch try scanner.next() {
            case .start:
                if scanner.isNamed("p") || scanner.isNamed("h"), paragraphDepth == 0 {
                    paragraphDepth = scanner.depth
                    if paragraphs > 0, isUsed { text.append(10) }
                    paragraphs += 1
                } else if scanner.isNamed("s") {
                    if isUsed, paragraphDepth > 0 { append(UInt8(ascii: " "), count: repetition("c")) }
                } else if scanner.isNamed("tab") {
                    if isUsed, paragraphDepth > 0 { text.append(9) }
                } else if scanner.isNamed("line-break") {
                    if isUsed, paragraphDepth > 0 { text.append(10) }
                } else if paragraphDepth == 0 || scanner.isNamed("annotation") || scanner.isNamed("note") || scanner.isNamed("ruby-text") {
                    // Elements for comments, pictures and tables in a cell are skipped, because they are not part of its text.
                    try scanner.skipElement()
                }
            case .end:
                if scanner.depth < depth { return }
                if scanner.depth < paragraphDepth { paragraphDepth = 0 }
            case .text:
                guard isUsed, paragraphDepth > 0 else { continue }
                scanner.appendText(to: &text)
                guard text.count <= SheetRowWriter.maximumCellBytes else {
                    throw ContentError("a cell is larger than \(SheetRowWriter.maximumCellBytes >> 20) MiB")
                }
            case .finish: return
            }
        }
    }

    private func append(_ byte: UInt8, count: Int) {
        text.append(contentsOf: repeatElement(byte, count: min(count, 32_768)))
    }
}
