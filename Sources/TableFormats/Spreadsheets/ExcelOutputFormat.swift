import FieldValues
import Tables

/// Excel workbooks with one sheet.
struct ExcelOutputFormat: WritableFormat {
    var name: String { "xlsx" }
    var title: String { "Excel" }
    var keepsInvalidText: Bool { false }
    var keepsTimeZones: Bool { false }
    var suffixes: [String] { ["xlsx"] }

    /// The maximum number of rows below the header.
    static let maximumRows = (1 << 20) - 1
    static let maximumColumns = 16_384

    func makeWriter(
        _ columns: [WrittenColumn], rowCount: Int, table: String, to output: @escaping FileOutput
    ) throws -> any TableWriter {
        try ExcelWriter(columns, rowCount: rowCount, table: table, to: ZipWriter(to: output))
    }

    /// The error for a table with too many rows.
    /// - Parameter count: the number of rows; `nil` if it is unknown.
    static func tooManyRowsError(_ count: Int?) -> FormatError {
        let found = count.map { "there are \(NumberText.count($0)), but " } ?? ""
        return FormatError(
            "Too many rows for Excel: \(found)a sheet has at most \(NumberText.count(maximumRows)). "
                + "Filter the rows, or write another format, such as CSV.")
    }
}

/// Writes a workbook with one sheet, row by row.
///
/// Excel computes with 15 digits, so exact numbers with more digits are strings. Dates before 1900-03-01 and after 9999-12-31, times with
/// parts of a millisecond or outside a day, NaN, and infinite and subnormal numbers are strings too. Doubles are written with all digits,
/// because Excel reads and shows such numbers.
///
/// A sheet has no type for bytes: values of binary columns are strings if they are UTF-8, otherwise `0x` with hexadecimal digits. Missing
/// values have no cell; empty strings have one.
///
/// Memory: a block of text, and 40 bytes for each column.
final class ExcelWriter: TableWriter {
    private let zip: ZipWriter
    private let columns: [WrittenColumn]
    private let rowCount: Int
    private let cells: ExcelCellWriter
    private var writtenRows = 0
    private var isInSheet = false

    init(_ columns: [WrittenColumn], rowCount: Int, table: String, to zip: ZipWriter) throws {
        guard !columns.isEmpty else { throw FormatError("A sheet needs a column. Show at least one column.") }
        guard columns.count <= ExcelOutputFormat.maximumColumns else {
            throw FormatError(
                "An Excel sheet has at most \(NumberText.count(ExcelOutputFormat.maximumColumns)) columns, and this table has "
                    + "\(NumberText.count(columns.count)). Show fewer columns, or write another format, such as CSV.")
        }
        guard rowCount <= ExcelOutputFormat.maximumRows else { throw ExcelOutputFormat.tooManyRowsError(rowCount) }
        for column in columns where column.name.utf8.count > ExcelCellWriter.maximumUTF16Units {
            throw FormatError(
                "Cannot write the name of column \(column.name.quotedForMessage): an Excel cell has at most 32,767 characters. "
                    + "Rename the column.")
        }
        (self.columns, self.rowCount, self.zip) = (columns, rowCount, zip)
        cells = ExcelCellWriter(columns, to: zip)
        try zip.add("[Content_Types].xml", ExcelParts.contentTypes)
        try zip.add("_rels/.rels", ExcelParts.relationships)
        try zip.add("xl/workbook.xml", ExcelParts.workbook(sheet: ExcelParts.sheetName(table)))
        try zip.add("xl/_rels/workbook.xml.rels", ExcelParts.workbookRelationships)
        try zip.add("xl/styles.xml", ExcelParts.styles)
        try zip.begin("xl/worksheets/sheet1.xml")
    }

    func write(_ batch: ColumnBatch) throws {
        guard batch.columns.count == columns.count else { throw FormatError.wrongBatchError }
        for (index, vector) in batch.columns.enumerated() where !columns[index].type.accepts(vector.values) {
            throw FormatError.wrongBatchError
        }
        guard writtenRows + batch.count <= ExcelOutputFormat.maximumRows else { throw ExcelOutputFormat.tooManyRowsError(nil) }
        if !isInSheet { try beginSheet(batch) }
        for row in 0..<batch.count {
            try cells.write(row, of: batch, number: writtenRows + 2)
            writtenRows += 1
        }
    }

    func finish() throws {
        if !isInSheet { try beginSheet(nil) }
        try cells.write("</sheetData>")
        if writtenRows > 0 { try cells.write(ignoredErrors) }
        try cells.write("</worksheet>")
        try cells.flush()
        try zip.end()
        try zip.finish()
    }

    var columnsWithTextNumbers: [Int] {
        columns.indices.filter { index in
            switch columns[index].type {
            case .integer, .decimal, .wideDecimal: cells.hasNumberTexts[index]
            default: false
            }
        }
    }

    // MARK: The sheet

    private func beginSheet(_ batch: ColumnBatch?) throws {
        isInSheet = true
        let last = "\(ColumnLetters.text(columns.count - 1))\(rowCount + 1)"
        try cells.write(ExcelParts.sheetStart(last: last))
        for (index, column) in columns.enumerated() {
            let width = ExcelWidths.width(of: column, batch?.columns[index], rows: batch?.count ?? 0)
            try cells.write("<col min=\"\(index + 1)\" max=\"\(index + 1)\" width=\"\(width).7109375\" customWidth=\"1\"/>")
        }
        try cells.write("</cols><sheetData>")
        try cells.writeHeader(columns.map(\.name))
    }

    /// Hides the warnings that Excel shows for strings that look like numbers.
    private var ignoredErrors: String {
        let affected = columns.indices.filter { cells.hasNumberTexts[$0] }
        guard !affected.isEmpty else { return "" }
        var ranges: [ClosedRange<Int>] = []
        for column in affected {
            if let last = ranges.last, last.upperBound + 1 == column {
                ranges[ranges.count - 1] = last.lowerBound...column
            } else {
                ranges.append(column...column)
            }
        }
        let list = ranges.map { range in
            let cells = "\(ColumnLetters.text(range.lowerBound))2:\(ColumnLetters.text(range.upperBound))\(writtenRows + 1)"
            return "<ignoredError sqref=\"\(cells)\" numberStoredAsText=\"1\"/>"
        }
        return "<ignoredErrors>\(list.joined())</ignoredErrors>"
    }
}

/// Column widths, determined from the first rows.
private enum ExcelWidths {
    private static let sampledRows = 200
    private static let widthRange = 6...60

    /// The width in characters.
    static func width(of column: WrittenColumn, _ vector: ColumnVector?, rows: Int) -> Int {
        // The title is bold, and bold letters are wider.
        let title = FieldBytes.withBytes(of: column.name) { width($0) }
        var widest = max(widthRange.lowerBound, title + title / 8 + 1)
        if let vector {
            for row in 0..<min(rows, sampledRows) where vector.presence.map({ $0[row] != 0 }) ?? true {
                widest = max(widest, width(vector.values, row))
                if widest >= widthRange.upperBound { break }
            }
        }
        return min(widthRange.upperBound, widest)
    }

    private static func width(_ values: ColumnVector.Values, _ row: Int) -> Int {
        switch values {
        case .integers(let values, let scale):
            let digits = String(values[row].magnitude).utf8.count
            return (values[row] < 0 ? 1 : 0) + (scale == 0 ? digits : max(digits, scale + 1) + 1)
        case .doubles(let values): return values[row].description.utf8.count
        case .floats(let values): return values[row].description.utf8.count
        case .flags: return 5
        case .dates: return 10
        case .dateTimes(_, _, let isUTC): return isUTC ? 20 : 19
        case .times: return 8
        case .texts(let texts): return width(texts[row])
        case .codes(let codes, let dictionary):
            let code = Int(codes[row])
            return code < dictionary.count ? width(dictionary[code]) : 0
        }
    }

    /// The width of the first line in characters. East Asian characters and emoji count twice.
    private static func width(_ text: FieldBytes) -> Int {
        var width = 0
        for byte in text.bytes {
            if byte == 10 || width >= widthRange.upperBound { break }
            if byte & 0xC0 != 0x80 { width += (0xE3...0xED).contains(byte) || byte >= 0xF0 ? 2 : 1 }
        }
        return width
    }
}

/// The numbers of the cell styles in the part `styles.xml`.
enum ExcelStyle {
    static let general = 0
    static let header = 1
    static let date = 2
    static let dateTime = 3
    static let dateTimeMilliseconds = 4
    static let dateTimeUTC = 5
    static let dateTimeUTCMilliseconds = 6
    static let time = 7
    static let timeMilliseconds = 8
    /// Numbers that Excel cannot represent, as strings: numbers with more than 15 digits, NaN, infinite and subnormal numbers.
    static let numberText = 9
    /// A number with `scale` digits after the decimal point, of which Excel shows at most 30.
    static func decimal(scale: Int) -> Int { scale <= maximumScale ? 10 + max(0, scale) : general }

    static let maximumScale = 30
}

/// The text of the parts of a workbook (ECMA-376 part 1).
enum ExcelParts {
    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    private static let mainNamespace = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\""
    private static let officeNamespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    private static let packageNamespace = "http://schemas.openxmlformats.org/package/2006"
    private static let mediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml"

    static var contentTypes: String {
        declaration + "<Types xmlns=\"\(packageNamespace)/content-types\">"
            + "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
            + "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
            + "<Override PartName=\"/xl/workbook.xml\" ContentType=\"\(mediaType).sheet.main+xml\"/>"
            + "<Override PartName=\"/xl/worksheets/sheet1.xml\" ContentType=\"\(mediaType).worksheet+xml\"/>"
            + "<Override PartName=\"/xl/styles.xml\" ContentType=\"\(mediaType).styles+xml\"/></Types>"
    }

    static var relationships: String { relationships([("officeDocument", "xl/workbook.xml")]) }
    static var workbookRelationships: String { relationships([("worksheet", "worksheets/sheet1.xml"), ("styles", "styles.xml")]) }

    private static func relationships(_ parts: [(kind: String, target: String)]) -> String {
        let list = parts.enumerated().map {
            "<Relationship Id=\"rId\($0 + 1)\" Type=\"\(officeNamespace)/\($1.kind)\" Target=\"\($1.target)\"/>"
        }
        return declaration + "<Relationships xmlns=\"\(packageNamespace)/relationships\">\(list.joined())</Relationships>"
    }

    static func workbook(sheet: String) -> String {
        var name = ""
        for scalar in sheet.unicodeScalars {
            switch scalar {
            case "&": name += "&amp;"
            case "<": name += "&lt;"
            case ">": name += "&gt;"
            case "\"": name += "&quot;"
            default: name.unicodeScalars.append(scalar)
            }
        }
        return declaration + "<workbook \(mainNamespace) xmlns:r=\"\(officeNamespace)\"><bookViews><workbookView/></bookViews>"
            + "<sheets><sheet name=\"\(name)\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
    }

    /// The name of the sheet: at most 31 UTF-16 units, without characters and names that Excel refuses.
    static func sheetName(_ table: String) -> String {
        var name = ""
        var units = 0
        for scalar in table.unicodeScalars {
            let isRefused = "[]:*?/\\".unicodeScalars.contains(scalar) || scalar.value < 32 || scalar.value & 0xFFFE == 0xFFFE
            let isQuoteAtEnd = scalar == "'" && (units == 0 || units == 30)
            units += UTF16.width(scalar)
            if units > 31 { break }
            name.unicodeScalars.append(isRefused || isQuoteAtEnd ? "_" : scalar)
        }
        if name.hasSuffix("'") { name = name.dropLast() + "_" }
        if name.isEmpty { return "Sheet1" }
        return name.lowercased() == "history" ? name + "_" : name
    }

    /// The start of the sheet up to its columns, with a frozen header.
    static func sheetStart(last: String) -> String {
        declaration
            + "<worksheet \(mainNamespace)><dimension ref=\"A1:\(last)\"/><sheetViews><sheetView tabSelected=\"1\" workbookViewId=\"0\">"
            + "<pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/>"
            + "<selection pane=\"bottomLeft\" activeCell=\"A2\" sqref=\"A2\"/></sheetView></sheetViews>"
            + "<sheetFormatPr defaultRowHeight=\"15\"/><cols>"
    }

    /// The part `styles.xml`. The numbers in ``ExcelStyle`` are indices in `formats`, which contains the number format of each cell style.
    static var styles: String {
        let dateTime = "yyyy\\-mm\\-dd hh:mm:ss"
        var codes: [(number: Int, code: String)] = [
            (164, "yyyy\\-mm\\-dd"), (165, dateTime), (166, dateTime + ".000"), (167, dateTime + "&quot;Z&quot;"),
            (168, dateTime + ".000&quot;Z&quot;"), (169, "hh:mm:ss"), (170, "hh:mm:ss.000"),
        ]
        var formats = [0, 0, 164, 165, 166, 167, 168, 169, 170, 49]
        // Excel has built-in formats for 0 and 0.00. Other formats must be defined.
        for scale in 0...ExcelStyle.maximumScale {
            let builtIn = scale == 0 ? 1 : scale == 2 ? 2 : nil
            formats.append(builtIn ?? 170 + scale)
            if builtIn == nil { codes.append((170 + scale, "0." + String(repeating: "0", count: scale))) }
        }
        let numbers = codes.map { "<numFmt numFmtId=\"\($0.number)\" formatCode=\"\($0.code)\"/>" }
        let cells = formats.enumerated().map { style, format in
            let start = "<xf numFmtId=\"\(format)\" fontId=\"\(style == ExcelStyle.header ? 1 : 0)\" fillId=\"0\" borderId=\"0\" xfId=\"0\""
            if style == ExcelStyle.header { return start + " applyFont=\"1\"/>" }
            if style == ExcelStyle.numberText {
                return start + " applyNumberFormat=\"1\" applyAlignment=\"1\"><alignment horizontal=\"right\"/></xf>"
            }
            return start + (format == 0 ? "/>" : " applyNumberFormat=\"1\"/>")
        }
        let font = "<sz val=\"11\"/><name val=\"Calibri\"/><family val=\"2\"/>"
        return declaration + "<styleSheet \(mainNamespace)><numFmts count=\"\(numbers.count)\">\(numbers.joined())</numFmts>"
            + "<fonts count=\"2\"><font>\(font)</font><font><b/>\(font)</font></fonts>"
            + "<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>"
            + "<fill><patternFill patternType=\"gray125\"/></fill></fills>"
            + "<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>"
            + "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>"
            + "<cellXfs count=\"\(cells.count)\">\(cells.joined())</cellXfs>"
            + "<cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles></styleSheet>"
    }
}
