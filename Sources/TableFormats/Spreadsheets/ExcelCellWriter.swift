import FieldValues
import Tables

/// Writes the cells of a sheet as XML. The XML is collected in a block of memory, and a full block is written to the archive.
final class ExcelCellWriter {
    /// The maximum number of UTF-16 units of a string in a cell.
    static let maximumUTF16Units = 32_767

    private let columns: [WrittenColumn]
    private let zip: ZipWriter
    private var bytes: UnsafeMutablePointer<UInt8>
    private var count = 0
    private var capacity = 2 * ExcelCellWriter.fullBytes
    /// For each column, 16 bytes with `<c r="` and the letters of the column.
    private let starts: UnsafeMutablePointer<UInt8>
    private let startCounts: [Int]
    /// For each column, true if it has a string that looks like a number.
    private(set) var hasNumberTexts: [Bool]
    /// The digits of the current row number, as ASCII.
    private let rowDigits: UnsafeMutablePointer<UInt8>
    private var rowDigitCount = 0

    /// The number of bytes after which a block is full.
    private static let fullBytes = 128 << 10
    private static let startBytes = 16

    init(_ columns: [WrittenColumn], to zip: ZipWriter) {
        (self.columns, self.zip) = (columns, zip)
        bytes = .allocate(capacity: capacity)
        starts = .allocate(capacity: columns.count * Self.startBytes)
        starts.initialize(repeating: 0, count: columns.count * Self.startBytes)
        rowDigits = .allocate(capacity: 24)
        rowDigits.initialize(repeating: 0, count: 24)
        hasNumberTexts = [Bool](repeating: false, count: columns.count)
        var counts: [Int] = []
        for column in columns.indices {
            let start = Array("<c r=\"\(ColumnLetters.text(column))".utf8)
            (starts + column * Self.startBytes).update(from: start, count: start.count)
            counts.append(start.count)
        }
        startCounts = counts
    }

    deinit {
        bytes.deallocate()
        starts.deallocate()
        rowDigits.deallocate()
    }

    // MARK: Bytes

    /// Makes room for `size` bytes.
    @inline(__always)
    private func reserve(_ size: Int) throws {
        if count &+ size <= capacity { return }
        try grow(size)
    }

    private func grow(_ size: Int) throws {
        try flush()
        if size <= capacity { return }
        bytes.deallocate()
        capacity = size
        bytes = .allocate(capacity: size)
    }

    /// Writes the block to the archive.
    func flush() throws {
        guard count > 0 else { return }
        try zip.write(bytes, count: count)
        count = 0
    }

    @inline(__always)
    private func put(_ byte: UInt8) {
        bytes[count] = byte
        count &+= 1
    }

    /// Appends ASCII text. The caller has reserved room for it.
    @inline(__always)
    private func put(_ text: StaticString) {
        UnsafeMutableRawPointer(bytes + count).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        count &+= text.utf8CodeUnitCount
    }

    /// Appends text that needs no escapes.
    func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { text in
            guard let start = text.baseAddress else { return }
            try reserve(text.count)
            (bytes + count).update(from: start, count: text.count)
            count += text.count
        }
    }

    // MARK: Rows

    /// Writes the row of names.
    func writeHeader(_ names: [String]) throws {
        try begin(row: 1)
        for (column, name) in names.enumerated() {
            try FieldBytes.withBytes(of: name) { field in
                guard try putText(field, column, style: ExcelStyle.header) else { throw invalidTextError(row: 1, column: column) }
            }
        }
        try write("</row>")
    }

    /// Writes a row of a batch.
    func write(_ row: Int, of batch: ColumnBatch, number: Int) throws {
        try begin(row: number)
        for column in 0..<columns.count {
            let vector = batch.columns[column]
            if let presence = vector.presence, presence[row] == 0 { continue }
            try put(vector.values, row, column, number: number)
            if count >= Self.fullBytes { try flush() }
        }
        try reserve(8)
        put("</row>")
    }

    private func begin(row: Int) throws {
        var text = ValueTextWriter(rowDigits)
        text.put(UInt64(row))
        rowDigitCount = text.field.count
        try reserve(64)
        put("<row r=\"")
        (bytes + count).update(from: rowDigits, count: rowDigitCount)
        count += rowDigitCount
        put("\">")
    }

    /// Appends the start of a cell with its reference, such as `C5`, and its style.
    @inline(__always)
    private func beginCell(_ column: Int, style: Int) {
        // A fixed number of bytes is copied, because that is faster. The bytes after the letters are overwritten later.
        UnsafeMutableRawPointer(bytes + count).copyMemory(from: starts + column &* Self.startBytes, byteCount: Self.startBytes)
        count &+= startCounts[column]
        UnsafeMutableRawPointer(bytes + count).copyMemory(from: rowDigits, byteCount: 8)
        count &+= rowDigitCount
        if style == ExcelStyle.general { return put(UInt8(ascii: "\"")) }
        put("\" s=\"")
        if style >= 10 { put(UInt8(truncatingIfNeeded: 0x30 &+ style / 10)) }
        put(UInt8(truncatingIfNeeded: 0x30 &+ style % 10))
        put(UInt8(ascii: "\""))
    }

    /// Appends a cell with a number.
    @inline(__always)
    private func putNumber(_ column: Int, style: Int, _ print: (inout ValueTextWriter) -> Void) throws {
        try reserve(128)
        beginCell(column, style: style)
        put("><v>")
        var text = ValueTextWriter(bytes + count)
        print(&text)
        count &+= text.field.count
        put("</v></c>")
    }

    /// Appends a cell with a string of ASCII characters without escapes.
    private func putPlainText(_ column: Int, style: Int = ExcelStyle.general, _ print: (inout ValueTextWriter) -> Void) throws {
        try reserve(192)
        beginCell(column, style: style)
        put(" t=\"inlineStr\"><is><t>")
        var text = ValueTextWriter(bytes + count)
        print(&text)
        count &+= text.field.count
        put("</t></is></c>")
    }

    @inline(__always)
    private func put(_ values: ColumnVector.Values, _ row: Int, _ column: Int, number: Int) throws {
        switch values {
        case .integers(let values, let scale): try putExact(values[row], scale: scale, column)
        case .doubles(let values): try putDouble(values[row], column)
        case .floats(let values): try putDouble(Double(values[row]), column)
        case .flags(let values):
            try reserve(128)
            beginCell(column, style: ExcelStyle.general)
            put(" t=\"b\"><v>")
            put(values[row] == 0 ? 0x30 : 0x31)
            put("</v></c>")
        case .dates(let values): try putDate(values[row], column)
        case .dateTimes(let values, let digits, let isUTC): try putDateTime(values[row], digits: digits, isUTC: isUTC, column)
        case .times(let values, let digits): try putTime(values[row], digits: digits, column)
        case .texts(let texts): try putField(texts[row], column, number: number)
        case .codes(let codes, let dictionary):
            let code = Int(codes[row])
            if code < dictionary.count { try putField(dictionary[code], column, number: number) }
        }
    }

    // MARK: Numbers

    private func putExact(_ value: Int64, scale: Int, _ column: Int) throws {
        if value.magnitude <= 999_999_999_999_999 {
            return try putNumber(column, style: ExcelStyle.decimal(scale: scale)) { $0.put(value, scale: scale) }
        }
        hasNumberTexts[column] = true
        try putPlainText(column, style: ExcelStyle.numberText) { $0.put(value, scale: scale) }
    }

    private func putDouble(_ value: Double, _ column: Int) throws {
        // Excel has no infinite numbers, no NaN and no subnormal numbers, so these are written as strings.
        guard value.isNormal || value == 0 else {
            return try putPlainText(column, style: ExcelStyle.numberText) { $0.put(value.isNaN ? "NaN" : value.description) }
        }
        try putNumber(column, style: ExcelStyle.general) { $0.putShortest(value) }
    }

    // MARK: Dates and times

    /// 1900-03-01, because Excel counts 1900-02-29, which did not exist. Earlier dates are strings.
    private static let firstDay: Int64 = 61
    /// 9999-12-31.
    private static let lastDay: Int64 = 2_958_465
    /// 1970-01-01.
    private static let unixDay: Int64 = 25_569

    private static func serial(_ day: Int64) -> Int64? {
        let (serial, overflows) = day.addingReportingOverflow(unixDay)
        return !overflows && serial >= firstDay && serial <= lastDay ? serial : nil
    }

    private func putDate(_ day: Int64, _ column: Int) throws {
        guard let serial = Self.serial(day) else { return try putPlainText(column) { $0.putDate(day) } }
        try putNumber(column, style: ExcelStyle.date) { $0.put(serial, scale: 0) }
    }

    /// Converts a time in units of `10^-digits` seconds to milliseconds. Returns `nil` if it has a fraction of a millisecond.
    private static func milliseconds(_ time: Int64, digits: Int) -> Int64? {
        if digits <= 3 { return time * ValueTextWriter.power(3 - digits) }
        let (milliseconds, rest) = time.quotientAndRemainder(dividingBy: ValueTextWriter.power(digits - 3))
        return rest == 0 ? milliseconds : nil
    }

    private func putDateTime(_ time: Int64, digits: Int, isUTC: Bool, _ column: Int) throws {
        let (day, rest) = ValueTextWriter.floorDivide(time, 86_400 * ValueTextWriter.power(digits))
        guard let serial = Self.serial(day), let milliseconds = Self.milliseconds(rest, digits: digits) else {
            return try putPlainText(column) { $0.putDateTime(time, digits: digits, isUTC: isUTC) }
        }
        let isWhole = milliseconds % 1_000 == 0
        let style =
            isUTC
            ? isWhole ? ExcelStyle.dateTimeUTC : ExcelStyle.dateTimeUTCMilliseconds
            : isWhole ? ExcelStyle.dateTime : ExcelStyle.dateTimeMilliseconds
        try putNumber(column, style: style) { text in
            guard milliseconds != 0 else { return text.put(serial, scale: 0) }
            text.putShortest(Double(serial) + Double(milliseconds) / 86_400_000)
        }
    }

    private func putTime(_ time: Int64, digits: Int, _ column: Int) throws {
        guard time >= 0, time < 86_400 * ValueTextWriter.power(digits), let milliseconds = Self.milliseconds(time, digits: digits) else {
            return try putPlainText(column) { $0.putTime(time, digits: digits) }
        }
        try putNumber(column, style: milliseconds % 1_000 == 0 ? ExcelStyle.time : ExcelStyle.timeMilliseconds) {
            $0.putShortest(Double(milliseconds) / 86_400_000)
        }
    }

    // MARK: Strings

    private func invalidTextError(row: Int, column: Int) -> FormatError {
        FormatError(
            "Cannot write row \(NumberText.count(row - 1)): the text in \(columns[column].name.quotedForMessage) is not UTF-8. "
                + "Write another format, such as CSV.")
    }

    private func tooLongError(row: Int, column: Int) -> FormatError {
        FormatError(
            "Cannot write row \(NumberText.count(row - 1)): the text in \(columns[column].name.quotedForMessage) has more than 32,767 "
                + "characters, the limit of an Excel cell. Leave out this column, or write another format, such as CSV.")
    }

    private func putField(_ field: FieldBytes, _ column: Int, number: Int) throws {
        guard !field.isMissing else { return }
        switch columns[column].type {
        case .wideDecimal(let scale): try putDigits(field, scale: scale, column, number: number)
        case .binary:
            if ExcelText.utf16Length(of: field.bytes) == nil {
                guard field.count <= (Self.maximumUTF16Units - 2) / 2 else { throw tooLongError(row: number, column: column) }
                try putHexadecimal(field, column)
            } else {
                try putChecked(field, column, number: number)
            }
        default: try putChecked(field, column, number: number)
        }
    }

    private func putChecked(_ field: FieldBytes, _ column: Int, number: Int) throws {
        if field.count > Self.maximumUTF16Units {
            guard field.count <= 3 * Self.maximumUTF16Units, let units = ExcelText.utf16Length(of: field.bytes),
                units <= Self.maximumUTF16Units
            else {
                throw tooLongError(row: number, column: column)
            }
        }
        if !hasNumberTexts[column], looksLikeNumber(field.bytes) { hasNumberTexts[column] = true }
        guard try putText(field, column, style: ExcelStyle.general) else { throw invalidTextError(row: number, column: column) }
    }

    /// Appends a number with up to 38 digits.
    private func putDigits(_ field: FieldBytes, scale: Int, _ column: Int, number: Int) throws {
        var digits = 0
        for byte in field.bytes where byte &- 0x30 < 10 && (digits > 0 || byte != 0x30) { digits &+= 1 }
        let isPlain = field.bytes.allSatisfy { $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
        guard isPlain, !field.bytes.isEmpty, field.count < 64 else { return try putChecked(field, column, number: number) }
        if digits <= 15 { return try putNumber(column, style: ExcelStyle.decimal(scale: scale)) { $0.put(field.bytes) } }
        hasNumberTexts[column] = true
        try putPlainText(column, style: ExcelStyle.numberText) { $0.put(field.bytes) }
    }

    private func putHexadecimal(_ field: FieldBytes, _ column: Int) throws {
        try reserve(192 + 2 * field.count)
        beginCell(column, style: ExcelStyle.general)
        put(" t=\"inlineStr\"><is><t>0x")
        for byte in field.bytes {
            put(ExcelText.digit(byte >> 4) | 0x20)
            put(ExcelText.digit(byte & 15) | 0x20)
        }
        put("</t></is></c>")
    }

    /// Appends a cell with a string. Returns `false` if it is not UTF-8; the content of the block is then undefined.
    private func putText(_ field: FieldBytes, _ column: Int, style: Int) throws -> Bool {
        // An escape has at most seven bytes.
        try reserve(192 + 7 * field.count)
        beginCell(column, style: style)
        let text = field.bytes
        let keepsSpace = text.first.map { $0 <= 32 } ?? false || text.last.map { $0 <= 32 } ?? false
        if keepsSpace { put(" t=\"inlineStr\"><is><t xml:space=\"preserve\">") } else { put(" t=\"inlineStr\"><is><t>") }
        guard let end = ExcelText.escape(text, to: bytes + count) else { return false }
        count = end - bytes
        put("</t></is></c>")
        return true
    }
}

extension ValueTextWriter {
    /// Writes ASCII bytes.
    fileprivate mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) { for byte in bytes { put(byte) } }

    /// Writes a finite number with the fewest digits that give the same number.
    fileprivate mutating func putShortest(_ value: Double) {
        // A number of at most 15 digits with few digits after the decimal point is already the shortest text, so no search is needed.
        if value.magnitude < 1e9 {
            for scale in stride(from: 0, through: 6, by: 2) {
                let power = Double(Self.power(scale))
                let scaled = (value * power).rounded()
                if scaled / power == value, let exact = Int64(exactly: scaled), exact != 0 || value.sign == .plus {
                    return putTrimmed(exact, scale: scale)
                }
            }
        }
        put(value.description)
    }

    /// Writes `value / 10^scale`, without the last fraction digit if it is 0.
    private mutating func putTrimmed(_ value: Int64, scale: Int) {
        if scale > 0, value % 10 == 0 { put(value / 10, scale: scale - 1) } else { put(value, scale: scale) }
    }
}

/// Text in the XML of a workbook.
enum ExcelText {
    /// For each byte value, 0 if the byte is written unchanged, otherwise 1.
    private static let classes: [UInt8] = {
        var classes = [UInt8](repeating: 0, count: 256)
        for byte in 0..<32 where byte != 9 && byte != 10 { classes[byte] = 1 }
        for byte in 128..<256 { classes[byte] = 1 }
        for byte in "&<>_".utf8 { classes[Int(byte)] = 1 }
        return classes
    }()

    static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

    /// The number of bytes of the non-ASCII character at an offset; `nil` if it is not UTF-8 (Unicode, table 3-7).
    @inline(__always)
    private static func length(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Int? {
        let first = text[offset]
        let length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
        guard length > 0, offset + length <= text.count else { return nil }
        let second = text[offset + 1]
        let low: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
        let high: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
        guard second >= low, second <= high else { return nil }
        for index in 2..<max(2, length) where text[offset + index] & 0xC0 != 0x80 { return nil }
        return length
    }

    /// The number of UTF-16 units of a string; `nil` if it is not UTF-8.
    static func utf16Length(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        var (units, offset) = (0, 0)
        while offset < text.count {
            if text[offset] < 128 {
                offset += 1
            } else {
                guard let length = length(text, offset) else { return nil }
                offset += length
                if length == 4 { units += 1 }
            }
            units += 1
        }
        return units
    }

    /// Writes a string with escapes for markup and for characters that XML does not allow (`_x0001_`, ECMA-376 part 1, section 22.9.2.19).
    /// - Parameters:
    ///   - text: the text.
    ///   - target: has room for seven bytes for each byte of the text.
    /// - Returns: the end of the output; `nil` if the text is not UTF-8.
    static func escape(_ text: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>? {
        var end = target
        var offset = 0
        return classes.withUnsafeBufferPointer { classes -> UnsafeMutablePointer<UInt8>? in
            while offset < text.count {
                let byte = text[offset]
                if classes[Int(byte)] == 0 {
                    end.initialize(to: byte)
                    end += 1
                    offset &+= 1
                    continue
                }
                switch byte {
                case UInt8(ascii: "&"): put("&amp;", &end)
                case UInt8(ascii: "<"): put("&lt;", &end)
                case UInt8(ascii: ">"): put("&gt;", &end)
                case UInt8(ascii: "_"): if looksLikeEscape(text, offset) { putEscape(0x5F, &end) } else { put("_", &end) }
                case 128...:
                    guard let length = length(text, offset) else { return nil }
                    if length == 3, byte == 0xEF, text[offset + 1] == 0xBF, text[offset + 2] >= 0xBE {
                        putEscape(text[offset + 2] == 0xBE ? 0xFFFE : 0xFFFF, &end)
                    } else {
                        for index in 0..<length { end[index] = text[offset + index] }
                        end += length
                    }
                    offset &+= length - 1
                default: putEscape(UInt16(byte), &end)
                }
                offset &+= 1
            }
            return end
        }
    }

    /// True if the text that starts with the underscore at an offset could be read as an escape, such as `_x0041_`.
    private static func looksLikeEscape(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Bool {
        guard offset + 6 < text.count, text[offset + 1] | 0x20 == UInt8(ascii: "x") else { return false }
        for index in 2..<6 {
            let byte = text[offset + index]
            guard byte &- 0x30 < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6 else { return false }
        }
        // The next byte completes an escape if it is an underscore, or if it is itself written as an escape, which starts with an
        // underscore.
        let next = text[offset + 6]
        return next == UInt8(ascii: "_") || next < 32 || next == 0xEF
    }

    private static func putEscape(_ code: UInt16, _ end: inout UnsafeMutablePointer<UInt8>) {
        put("_x", &end)
        for shift in [12, 8, 4, 0] as [UInt16] {
            end.initialize(to: digit(UInt8(truncatingIfNeeded: code >> shift & 15)))
            end += 1
        }
        put("_", &end)
    }

    @inline(__always)
    private static func put(_ text: StaticString, _ end: inout UnsafeMutablePointer<UInt8>) {
        end.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        end += text.utf8CodeUnitCount
    }
}
