import FieldValues

/// Reads a sheet of an Excel workbook (ECMA-376 part 1, section 18.3).
final class ExcelSheetReader: SheetReader, @unchecked Sendable {
    /// The maximum number of rows of a sheet.
    static let maximumRows = 1 << 20

    private let scanner: XMLScanner
    private let strings: SharedStrings
    private let formats: [CellFormat]
    private let dates: SerialDates
    @exclusivity(unchecked) private var isInData = false
    @exclusivity(unchecked) private var nextRow = 0
    /// The size that the sheet declares before its rows; `nil` if it declares none, or if no row has been read.
    @exclusivity(unchecked) private(set) var declaredSize: DeclaredSize?
    /// The text of the current cell.
    @exclusivity(unchecked) private var text: [UInt8] = []

    /// - Parameters:
    ///   - scanner: the content of the sheet.
    ///   - strings: the shared strings.
    ///   - formats: the cell formats, indexed by the number of the cell style.
    ///   - dates: the calendar of the workbook.
    init(_ scanner: XMLScanner, strings: SharedStrings, formats: [CellFormat], dates: SerialDates) {
        (self.scanner, self.strings, self.formats, self.dates) = (scanner, strings, formats, dates)
    }

    func readRow(into writer: SheetRowWriter) throws(ContentError) -> Bool {
        while true {
            switch try scanner.next() {
            case .start:
                if isInData, scanner.isNamed("row") {
                    try readCells(into: writer)
                    return true
                }
                if scanner.isNamed("sheetData") {
                    isInData = true
                } else if scanner.isNamed("dimension") {
                    readDimension(writer)
                }
            case .end: if isInData, scanner.isNamed("sheetData") { isInData = false }
            case .text: continue
            case .finish: return false
            }
        }
    }

    private func readDimension(_ writer: SheetRowWriter) {
        var attributes = scanner.attributes
        while attributes.next() {
            guard attributes.name.equals("ref") else { continue }
            writer.declaredFirstColumn = CellReference(attributes.value)?.column
            declaredSize = DeclaredSize(attributes.value)
        }
    }

    private func readCells(into writer: SheetRowWriter) throws(ContentError) {
        var attributes = scanner.attributes
        var number = nextRow
        while attributes.next() {
            // A row number is ignored if it is not greater than the previous one, because it is then wrong.
            if attributes.name.equals("r"), let rowNumber = attributes.value.number, rowNumber > nextRow { number = rowNumber - 1 }
        }
        guard number < Self.maximumRows else { throw ContentError("it has more than \(Self.maximumRows) rows") }
        nextRow = number + 1
        writer.beginRow(number)
        let depth = scanner.depth
        var nextColumn = 0
        while true {
            switch try scanner.next() {
            case .start:
                if scanner.isNamed("c") { try readCell(into: writer, &nextColumn) } else { try scanner.skipElement() }
            case .end: if scanner.depth < depth { return try writer.endRow() }
            case .text: continue
            case .finish: return
            }
        }
    }

    private enum CellType { case number, shared, text, flag, date }

    @inline(__always)
    private func readCell(into writer: SheetRowWriter, _ nextColumn: inout Int) throws(ContentError) {
        var type = CellType.number
        var style = 0
        var column = nextColumn
        var attributes = scanner.attributes
        while attributes.next() {
            guard attributes.name.count == 1 else { continue }
            switch attributes.name[0] {
            case UInt8(ascii: "r"): if let reference = CellReference(attributes.value) { column = reference.column }
            case UInt8(ascii: "s"): style = attributes.value.number ?? 0
            case UInt8(ascii: "t"): type = Self.type(attributes.value)
            default: break
            }
        }
        nextColumn = column + 1
        text.removeAll(keepingCapacity: true)
        let depth = scanner.depth
        var isInValue = false
        var hasInlineText = false
        var hasFormula = false
        scan: while true {
            switch try scanner.next() {
            case .start:
                if scanner.isNamed("v") {
                    isInValue = true
                } else if scanner.isNamed("is") {
                    try SharedStrings.readText(scanner, into: &text)
                    hasInlineText = true
                } else {
                    if scanner.isNamed("f") { hasFormula = true }
                    try scanner.skipElement()
                }
            case .end:
                if scanner.depth < depth { break scan }
                isInValue = false
            case .text:
                guard isInValue else { continue }
                scanner.appendText(to: &text)
                guard text.count <= SheetRowWriter.maximumCellBytes else {
                    throw ContentError("a cell is larger than \(SheetRowWriter.maximumCellBytes >> 20) MiB")
                }
            case .finish: return
            }
        }
        guard !text.isEmpty else {
            // A formula of another type can have an empty text as its value, so its cell is not counted.
            if hasFormula, type == .number { writer.countFormulasWithoutValue() }
            return
        }
        switch type {
        case .number:
            let format = style < formats.count && style >= 0 ? formats[style] : .number
            try writer.add(column: column, .number) { (output) throws(ContentError) in
                text.withUnsafeBufferPointer { NumberCell.append($0, format, dates, to: &output) }
            }
        case .shared:
            guard let number = text.withUnsafeBufferPointer({ $0.number }) else {
                throw ContentError("a cell has an invalid shared string reference")
            }
            try writer.add(column: column) { (output) throws(ContentError) in try strings.append(number, to: &output) }
        case .text:
            // The escapes of an inline text have already been replaced.
            if !hasInlineText { EscapedCharacters.replace(in: &text, from: 0) }
            let kind = text.withUnsafeBufferPointer(looksLikeNumber) ? CellKind.numberText : .other
            try writer.add(column: column, kind) { (output) throws(ContentError) in
                text.withUnsafeBufferPointer { output.appendField($0) }
            }
        case .flag:
            let isTrue = text == [UInt8(ascii: "1")] || text.elementsEqual("true".utf8)
            try writer.add(column: column, .other) { (output) throws(ContentError) in
                output.append(contentsOf: (isTrue ? "true" : "false").utf8)
            }
        case .date:
            // 2024-01-31T12:30:00 becomes 2024-01-31 12:30:00.
            if let index = text.firstIndex(of: UInt8(ascii: "T")) { text[index] = UInt8(ascii: " ") }
            try writer.add(column: column, .other) { (output) throws(ContentError) in
                text.withUnsafeBufferPointer { output.appendField($0) }
            }
        }
    }

    private static func type(_ value: UnsafeBufferPointer<UInt8>) -> CellType {
        switch value.count {
        case 1:
            switch value[0] {
            case UInt8(ascii: "s"): .shared
            case UInt8(ascii: "b"): .flag
            case UInt8(ascii: "e"): .text
            case UInt8(ascii: "d"): .date
            default: .number
            }
        case 3 where value.equals("str"), 9 where value.equals("inlineStr"): .text
        default: .number
        }
    }
}

/// The column of a cell reference such as `C5`. Columns are numbered from 0.
struct CellReference {
    var column: Int

    /// Reads the letters of a reference. Returns `nil` if there are no letters or too many.
    @inline(__always)
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        var column = 0
        var count = 0
        for byte in text {
            if byte == UInt8(ascii: "$") { continue }
            let letter = (byte & 0xDF) &- UInt8(ascii: "A")
            guard letter < 26 else { break }
            column = column &* 26 &+ Int(letter) &+ 1
            count &+= 1
            guard count <= 7 else { return nil }
        }
        guard count > 0 else { return nil }
        self.column = column - 1
    }
}

/// The size of a sheet, as declared by the program that wrote the file. It may be wrong.
struct DeclaredSize: Equatable {
    var rows: Int
    var columns: Int

    /// Reads a range, such as `A1:J100`. `nil` for a single cell, which programs declare if they do not know the size.
    init?(_ range: UnsafeBufferPointer<UInt8>) {
        let corners = range.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard corners.count == 2, let first = Self.position(corners[0]), let last = Self.position(corners[1]), first.row <= last.row,
            first.column <= last.column, last.row <= ExcelSheetReader.maximumRows, last.column < 16_384
        else { return nil }
        (rows, columns) = (last.row - first.row + 1, last.column - first.column + 1)
    }

    private static func position(_ corner: Slice<UnsafeBufferPointer<UInt8>>) -> (row: Int, column: Int)? {
        let bytes = UnsafeBufferPointer(rebasing: corner)
        let digits = UnsafeBufferPointer(rebasing: corner.drop { $0 &- UInt8(ascii: "0") >= 10 })
        guard let column = CellReference(bytes)?.column, let row = digits.number, row > 0 else { return nil }
        return (row, column)
    }
}

/// The text of numbers.
enum NumberCell {
    /// Appends a number in its format: as a date or a time, or as a percentage if the format has a percent sign. Most other numbers are
    /// appended as written. However, a number with an exponent, with a fraction and more than 15 digits, or with more than 20 digits
    /// becomes the shortest text that reads as the same double.
    static func append(_ text: UnsafeBufferPointer<UInt8>, _ format: CellFormat, _ dates: SerialDates, to output: inout [UInt8]) {
        if format == .percentage { return appendPercentage(text, dates, to: &output) }
        if format != .number, let serial = FieldBytes(start: text.baseAddress, count: text.count).decimal(),
            dates.append(serial, format, to: &output)
        {
            return
        }
        var digits = 0
        var points = 0
        for (index, byte) in text.enumerated() {
            if byte &- 0x30 < 10 {
                digits &+= 1
            } else if byte == UInt8(ascii: "."), index > 0, text[index - 1] &- 0x30 < 10 {
                points &+= 1
            } else if byte != UInt8(ascii: "-") || index > 0 {
                return appendShortest(text, to: &output)
            }
        }
        if points > 1 || digits > 15 && points > 0 || digits > 20 || digits == 0 { return appendShortest(text, to: &output) }
        output.append(contentsOf: text)
    }

    /// Appends a number as a percentage of the same value: `0.125` as `12.5%`, and `1e-10` as `1e-8%`.
    private static func appendPercentage(_ text: UnsafeBufferPointer<UInt8>, _ dates: SerialDates, to output: inout [UInt8]) {
        let start = output.count
        append(text, .number, dates, to: &output)
        let (zero, point) = (UInt8(ascii: "0"), UInt8(ascii: "."))
        let first = output.count > start && output[start] == UInt8(ascii: "-") ? start + 1 : start
        if let sign = output[first...].lastIndex(of: UInt8(ascii: "e")),
            let exponent = Int(String(decoding: output[(sign + 1)...], as: UTF8.self)), abs(exponent) < 1_000
        {
            output.removeSubrange((sign + 1)...)
            output.append(contentsOf: "\(exponent + 2)%".utf8)
            return
        }
        let oldPoint = output[first...].firstIndex(of: point)
        guard first < output.count, oldPoint != first,
            (first..<output.count).allSatisfy({ $0 == oldPoint || output[$0] &- zero < 10 })
        else { return }
        let newPoint = (oldPoint ?? output.count) + 2
        if let oldPoint { output.remove(at: oldPoint) }
        while output.count < newPoint { output.append(zero) }
        if output.count > newPoint { output.insert(point, at: newPoint) }
        let zeros = output[first..<newPoint - 1].prefix { $0 == zero }.count
        output.removeSubrange(first..<first + zeros)
        output.append(UInt8(ascii: "%"))
    }

    private static func appendShortest(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        guard text.count <= 400, let number = FieldBytes(start: text.baseAddress, count: text.count).decimal(), number.isFinite else {
            return output.appendField(text)
        }
        if number == number.rounded(), number.magnitude < 0x1p53 {
            output.append(contentsOf: Int(number).description.utf8)
        } else {
            output.append(contentsOf: number.description.utf8)
        }
    }
}
