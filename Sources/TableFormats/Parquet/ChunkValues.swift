import FieldValues
import Tables

/// A sequence of values in a written file: a column, or a field or element inside a nested column, such as the elements of a list.
struct WrittenLeaf {
    /// The form of values in memory: 8 bytes each, one byte each, or sequences of bytes.
    enum Storage { case words, flags, bytes }

    let column: WrittenColumn
    let storage: Storage
    let element: ParquetMetadata.SchemaElement
    /// The names of the nested fields from the column to this leaf.
    let path: [String]
    /// The definition level of a value that is present. Lower levels mean that the value, or something around it, is null.
    let maximumDefinition: Int
    /// The number of nested lists around a value.
    let maximumRepetition: Int

    /// The maximum number of digits of a 64-bit decimal.
    static let longDigits = 18
    /// The maximum number of digits of a 128-bit decimal.
    static let wideDigits = 38
    /// The number of bytes of a 128-bit decimal.
    static let wideBytes = 16

    /// - Parameter name: the name of the column in the file, which no other column has.
    /// - Throws: ``FormatError`` for a scale or precision that the format does not have.
    init(_ column: WrittenColumn, name: String) throws {
        (self.column, path, maximumDefinition, maximumRepetition) = (column, [name], column.hasNulls ? 1 : 0, 0)
        var element = ParquetMetadata.SchemaElement()
        element.name = name
        element.repetition = column.hasNulls ? .optional : .required
        func unit(_ digits: Int) throws -> Int {
            guard digits == 6 || digits == 9 else {
                throw FormatError("Cannot write column “\(column.name)”: use 6 or 9 digits for fractions of seconds, not \(digits).")
            }
            return digits
        }
        func decimal(_ scale: Int, _ precision: Int) throws -> ParquetMetadata.LogicalType {
            guard (0...precision).contains(scale) else {
                throw FormatError("Cannot write column “\(column.name)” with \(scale) digits after the decimal point. Round the numbers.")
            }
            (element.scale, element.precision) = (scale, precision)
            return .decimal(scale: scale, precision: precision)
        }
        (storage, element.type, element.logical) =
            switch column.type {
            case .integer: (.words, .int64, nil)
            case .decimal(let scale): (.words, .int64, try decimal(scale, Self.longDigits))
            case .wideDecimal(let scale): (.bytes, .fixed, try decimal(scale, Self.wideDigits))
            case .double: (.words, .double, nil)
            case .float: (.words, .float, nil)
            case .flag: (.flags, .boolean, nil)
            case .date: (.words, .int32, .date)
            case .dateTime(let digits, let isUTC): (.words, .int64, .timestamp(digits: try unit(digits), isUTC: isUTC))
            case .time(let digits): (.words, .int64, .time(digits: try unit(digits)))
            case .text: (.bytes, .bytes, column.isJSON ? .json : .string)
            case .binary, .nested: (.bytes, .bytes, nil)
            }
        if element.type == .fixed { element.typeLength = Self.wideBytes }
        self.element = element
    }

    /// Creates a leaf of a nested column.
    /// - Parameter leaf: the same leaf in the written schema, which has the levels.
    init(_ column: WrittenColumn, _ element: ParquetMetadata.SchemaElement, path: [String], _ leaf: ParquetLeaf) {
        (self.column, self.element, self.path) = (column, element, path)
        (maximumDefinition, maximumRepetition) = (leaf.maximumDefinition, leaf.maximumRepetition)
        storage =
            switch element.type {
            case .bytes, .fixed: .bytes
            case .boolean: .flags
            default: .words
            }
    }

    /// True for a leaf of a nested column, in which rows and entries are counted separately.
    var isNested: Bool { if case .nested = column.type { true } else { false } }
    /// True for byte sequences of fixed length, which are stored without their lengths.
    var isWide: Bool { element.type == .fixed }
    var isText: Bool { element.type == .bytes }
    /// True if a value has 8 bytes in memory and 4 bytes in the file. 32-bit floating-point numbers are `Double` values in memory.
    var isNarrow: Bool { element.type == .int32 || element.type == .float }
}

/// The values of a leaf in the current row group. Null values take no space.
///
/// Byte sequences have the form of the PLAIN encoding: the length of a sequence precedes its bytes, unless all sequences have the same
/// length.
final class ChunkValues: WrittenChunks {
    let leaf: WrittenLeaf
    private(set) var rowCount = 0
    /// The number of present values.
    private(set) var count = 0
    private let values = GrowingBytes()
    /// For each byte sequence, the offset of its end.
    private let ends = GrowingBytes()
    /// For each entry, which is a value or a null, its definition level. It is 1 or 0 in a column that is not nested. Empty for a leaf
    /// without nulls.
    private let levelBytes = GrowingBytes()
    /// For each entry, its repetition level: the nesting of the list that the entry continues. Empty for a leaf that is not in a list.
    private let repetitionBytes = GrowingBytes()
    /// The number of values and nulls in a nested column.
    private var nestedEntryCount = 0

    /// The maximum number of bytes of a string: the maximum size of a page, minus 1 MiB for its levels.
    private static let maximumTextBytes = PageHeader.maximumBytes - 1 << 20

    init(_ leaf: WrittenLeaf) { self.leaf = leaf }

    var elements: [ParquetMetadata.SchemaElement] { [leaf.element] }
    var leaves: [ChunkValues] { [self] }

    /// The number of bytes of memory, including unused bytes.
    var byteCount: Int { values.capacity + ends.capacity + levelBytes.capacity + repetitionBytes.capacity }
    /// The number of bytes of the values and levels, without unused memory.
    var usedBytes: Int { values.count + ends.count + levelBytes.count + repetitionBytes.count }
    /// The number of values and nulls. In a list, it can be greater than the number of rows.
    var entryCount: Int { leaf.isNested ? nestedEntryCount : rowCount }
    var repetitions: UnsafeMutablePointer<UInt8> { repetitionBytes.start }
    var levels: UnsafeMutablePointer<UInt8> { levelBytes.start }
    var words: UnsafeMutablePointer<UInt64> { UnsafeMutableRawPointer(values.start).assumingMemoryBound(to: UInt64.self) }
    var flags: UnsafeMutablePointer<UInt8> { values.start }

    var minimumRowBytes: Int {
        (leaf.maximumDefinition > 0 ? 1 : 0)
            + (leaf.storage == .words ? 8 : leaf.storage == .flags ? 1 : leaf.isWide ? WrittenLeaf.wideBytes + 4 : 8)
    }

    func removeAll() {
        (rowCount, count, nestedEntryCount) = (0, 0, 0)
        repetitionBytes.trim()
        values.trim()
        ends.trim()
        levelBytes.trim()
    }

    private var endValues: UnsafeMutablePointer<UInt32> { UnsafeMutableRawPointer(ends.start).assumingMemoryBound(to: UInt32.self) }

    /// The offset of a stored value. A string or byte sequence starts with its length.
    private func start(_ index: Int) -> Int { index == 0 ? 0 : Int(endValues[index &- 1]) }

    /// A byte sequence, without its length.
    func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        let start = start(index) &+ (leaf.isText ? 4 : 0)
        return UnsafeBufferPointer(start: values.start + start, count: Int(endValues[index]) &- start)
    }

    // MARK: Appending

    private var mismatchError: FormatError {
        FormatError(
            "Cannot write column “\(leaf.column.name)”: a value no longer has the type of the column. Reload the file to try again.")
    }
    private var missingValueError: FormatError {
        FormatError("Cannot write column “\(leaf.column.name)”: a value is now missing. Reload the file to try again.")
    }

    func addSizes(_ vector: ColumnVector, _ rows: Range<Int>, to sizes: UnsafeMutablePointer<Int>) throws {
        guard leaf.isText else { return }
        let texts = try texts(vector)
        for row in rows {
            let count = texts.count(row)
            guard count <= Self.maximumTextBytes else {
                throw FormatError("Cannot write column “\(leaf.column.name)” as Parquet: a text value is larger than 1 GiB. Shorten it.")
            }
            sizes[row &- rows.lowerBound] &+= count
        }
    }

    /// The strings of a vector, stored directly or as codes.
    private struct Texts {
        var direct: UnsafePointer<FieldBytes>?
        var codes: UnsafePointer<UInt32>?
        var dictionary = UnsafeBufferPointer<FieldBytes>(start: nil, count: 0)
        var presence: UnsafePointer<UInt8>?

        @inline(__always)
        subscript(row: Int) -> FieldBytes {
            if let presence, presence[row] == 0 { return .missing }
            if let direct { return direct[row] }
            guard let codes, Int(codes[row]) < dictionary.count else { return .missing }
            return dictionary[Int(codes[row])]
        }

        @inline(__always)
        func count(_ row: Int) -> Int { self[row].count }
    }

    private func texts(_ vector: ColumnVector) throws -> Texts {
        switch vector.values {
        case .texts(let texts): Texts(direct: texts, presence: vector.presence)
        case .codes(let codes, let dictionary): Texts(codes: codes, dictionary: dictionary, presence: vector.presence)
        default: throw mismatchError
        }
    }

    func append(_ vector: ColumnVector, _ rows: Range<Int>) throws -> Int {
        switch (leaf.column.type, vector.values) {
        case (.integer, .integers(let source, 0)): try append(source, vector.presence, rows)
        case (.decimal(let columnScale), .integers(let source, let scale)) where columnScale == scale:
            try append(source, vector.presence, rows)
        case (.date, .dates(let source)):
            let first = count
            try append(source, vector.presence, rows)
            for index in first..<count where Int32(exactly: Int64(bitPattern: words[index])) == nil {
                throw FormatError(
                    "Cannot write column “\(leaf.column.name)” as Parquet: a date is out of range. Change the type of the column to text.")
            }
        case (.dateTime(let columnDigits, let wantsUTC), .dateTimes(let source, let digits, let isUTC))
        where columnDigits == digits && wantsUTC == isUTC:
            try append(source, vector.presence, rows)
        case (.time(let columnDigits), .times(let source, let digits)) where columnDigits == digits:
            try append(source, vector.presence, rows)
        case (.double, .doubles(let source)), (.float, .doubles(let source)): try append(source, vector.presence, rows)
        case (.flag, .flags(let source)): try append(source, vector.presence, rows)
        case (.text, _), (.binary, _): try append(try texts(vector), rows)
        case (.wideDecimal(let scale), _): try append(try texts(vector), rows, scale: scale)
        default: throw mismatchError
        }
        return 0
    }

    /// Appends values of fixed width.
    private func append<Value>(_ source: UnsafePointer<Value>, _ presence: UnsafePointer<UInt8>?, _ rows: Range<Int>) throws {
        let width = MemoryLayout<Value>.size
        let room = values.reservedPointer(bytes: rows.count * width)
        let target = UnsafeMutableRawPointer(room).assumingMemoryBound(to: Value.self)
        var added = rows.count
        if let presence {
            added = 0
            // All values are copied, because a branch would be slower. An absent value is overwritten by the value after it.
            for row in rows {
                target[added] = source[row]
                added &+= presence[row] == 0 ? 0 : 1
            }
        } else {
            target.update(from: source + rows.lowerBound, count: rows.count)
        }
        if width == 1 { for index in 0..<added where room[index] > 1 { room[index] = 1 } }
        values.advance(added * width)
        try addLevels(rows, valueCount: added, presence: presence)
    }

    /// Counts appended rows, and stores their levels.
    private func addLevels(_ rows: Range<Int>, valueCount added: Int, presence: UnsafePointer<UInt8>?) throws {
        rowCount += rows.count
        count += added
        guard leaf.maximumDefinition > 0 else {
            if added < rows.count { throw missingValueError }
            return
        }
        let target = levelBytes.reservedPointer(bytes: rows.count)
        if let presence {
            for index in 0..<rows.count { target[index] = presence[rows.lowerBound &+ index] == 0 ? 0 : 1 }
        } else {
            target.update(repeating: 1, count: rows.count)
        }
        levelBytes.advance(rows.count)
    }

    /// Appends byte sequences. If `scale` is given, they are decimal numbers as text, and are converted.
    private func append(_ texts: Texts, _ rows: Range<Int>, scale: Int? = nil) throws {
        ends.reserve(rows.count * 4)
        if leaf.maximumDefinition > 0 { levelBytes.reserve(rows.count) }
        let (level, newEnds) = (levelBytes.start + levelBytes.count, endValues + count)
        var added = 0
        let hasNulls = leaf.maximumDefinition > 0
        for row in rows {
            let text = texts[row]
            if hasNulls { level[row &- rows.lowerBound] = text.start == nil ? 0 : 1 }
            guard let start = text.start else { continue }
            if let scale {
                try put(decimal: text.bytes, scale)
            } else {
                let target = values.reservedPointer(bytes: text.count &+ 4)
                UnsafeMutableRawPointer(target).storeBytes(of: UInt32(truncatingIfNeeded: text.count).littleEndian, as: UInt32.self)
                (target + 4).update(from: start, count: text.count)
                values.advance(text.count &+ 4)
            }
            newEnds[added] = UInt32(truncatingIfNeeded: values.count)
            added &+= 1
        }
        ends.advance(added * 4)
        levelBytes.advance(hasNulls ? rows.count : 0)
        rowCount += rows.count
        count += added
        if !hasNulls, added < rows.count { throw missingValueError }
    }

    /// Converts a decimal number from text, and appends it as a 16-byte big-endian number.
    private func put(decimal text: UnsafeBufferPointer<UInt8>, _ scale: Int) throws {
        let isNegative = text.first == UInt8(ascii: "-")
        var number: Int128 = 0
        var (digits, fraction): (Int, Int?) = (0, nil)
        for index in (isNegative ? 1 : 0)..<text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "."), fraction == nil {
                fraction = 0
                continue
            }
            guard byte &- UInt8(ascii: "0") < 10 else { throw mismatchError }
            number = number &* 10 &+ Int128(byte &- UInt8(ascii: "0"))
            if number != 0 { digits &+= 1 }
            guard digits <= WrittenLeaf.wideDigits else { throw mismatchError }
            if let digits = fraction { fraction = digits &+ 1 }
        }
        guard text.count > (isNegative ? 1 : 0), fraction ?? 0 == scale else { throw mismatchError }
        let room = UnsafeMutableRawPointer(values.reservedPointer(bytes: WrittenLeaf.wideBytes))
        room.storeBytes(of: (isNegative ? -number : number).bigEndian, as: Int128.self)
        values.advance(WrittenLeaf.wideBytes)
    }

    // MARK: Nested values

    /// Counts a row of a nested column. The caller has already appended its values.
    func endRow() { rowCount += 1 }

    /// Appends the levels of an entry: a null value, an empty list, or a value that is appended next.
    func appendLevels(repetition: Int, definition: Int) {
        if leaf.maximumRepetition > 0 { repetitionBytes.put(UInt8(truncatingIfNeeded: repetition)) }
        if leaf.maximumDefinition > 0 { levelBytes.put(UInt8(truncatingIfNeeded: definition)) }
        nestedEntryCount += 1
    }

    /// Appends a value of 64 bits.
    func append(word: UInt64) {
        UnsafeMutableRawPointer(values.reservedPointer(bytes: 8)).storeBytes(of: word, as: UInt64.self)
        values.advance(8)
        count += 1
    }

    func append(flag: Bool) {
        values.put(UInt8(flag ? 1 : 0))
        count += 1
    }

    func append(bytes: UnsafeBufferPointer<UInt8>) {
        if leaf.isText { values.put(UInt32(truncatingIfNeeded: bytes.count)) }
        if let start = bytes.baseAddress { values.put(start, count: bytes.count) }
        ends.put(UInt32(truncatingIfNeeded: values.count))
        count += 1
    }

    /// Appends a number as 16 big-endian bytes.
    func append(wide number: Int128) {
        UnsafeMutableRawPointer(values.reservedPointer(bytes: WrittenLeaf.wideBytes)).storeBytes(of: number.bigEndian, as: Int128.self)
        values.advance(WrittenLeaf.wideBytes)
        ends.put(UInt32(truncatingIfNeeded: values.count))
        count += 1
    }

    // MARK: Writing

    /// For nested columns, the maximum number of entries of a page with more than one row.
    private static let maximumEntries = 1 << 17

    /// The number of rows, entries and values of the next page.
    /// - Parameters:
    ///   - row: the first row.
    ///   - entry: the first entry.
    ///   - index: the first value.
    ///   - maximumBytes: the maximum number of bytes of the values; `nil` if the page stores indices in a dictionary. A page has at least
    ///     one value, even if that value is larger.
    func page(
        fromRow row: Int, entry: Int, value index: Int, maximumRows: Int, maximumBytes: Int?
    ) -> (rows: Int, entries: Int, values: Int) {
        guard leaf.isNested else {
            let (rows, values) = page(fromRow: row, value: index, maximumRows: maximumRows, maximumBytes: maximumBytes)
            return (rows, rows, values)
        }
        var (rows, entries, found) = (0, 0, 0)
        while entry + entries < nestedEntryCount, rows < maximumRows {
            var (end, added) = (entry + entries, 0)
            repeat {
                if leaf.maximumDefinition == 0 || Int(levels[end]) == leaf.maximumDefinition { added += 1 }
                end += 1
            } while end < nestedEntryCount && leaf.maximumRepetition > 0 && repetitions[end] > 0
            let bytes = leaf.storage == .bytes ? start(index + found + added) - start(index) : (found + added) * 8
            if rows > 0, maximumBytes.map({ bytes > $0 }) ?? false || end - entry > Self.maximumEntries { break }
            (rows, entries, found) = (rows + 1, end - entry, found + added)
        }
        return (rows, entries, found)
    }

    private func page(fromRow row: Int, value index: Int, maximumRows: Int, maximumBytes: Int?) -> (rows: Int, values: Int) {
        var rows = min(maximumRows, rowCount - row)
        if let maximumBytes, leaf.storage != .bytes { rows = min(rows, max(1, maximumBytes / 8)) }
        guard leaf.maximumDefinition > 0 || leaf.storage == .bytes else { return (rows, rows) }
        var found = rows
        if leaf.maximumDefinition > 0 {
            found = 0
            for offset in row..<row + rows { found &+= Int(levels[offset]) }
        }
        guard let maximumBytes, leaf.storage == .bytes, found > 1 else { return (rows, found) }
        let end = UInt64(start(index)) + UInt64(maximumBytes)
        guard UInt64(endValues[index + found - 1]) > end else { return (rows, found) }
        var fitting = 1
        while UInt64(endValues[index + fitting]) <= end { fitting += 1 }
        guard leaf.maximumDefinition > 0 else { return (fitting, fitting) }
        var (last, seen) = (row, 0)
        while seen + Int(levels[last]) <= fitting {
            seen += Int(levels[last])
            last += 1
        }
        return (last - row, fitting)
    }

    /// Writes consecutive values in the encoding PLAIN.
    func putPlain(_ range: Range<Int>, into output: GrowingBytes) {
        guard !range.isEmpty else { return }
        switch leaf.storage {
        case .words where leaf.isNarrow: putNarrow(range.count, into: output) { words[range.lowerBound &+ $0] }
        case .words: output.put(values.start + range.lowerBound * 8, count: range.count * 8)
        case .flags:
            let bytes = (range.count + 7) / 8
            let target = output.reservedPointer(bytes: bytes)
            target.update(repeating: 0, count: bytes)
            for index in 0..<range.count { target[index &>> 3] |= flags[range.lowerBound &+ index] &<< UInt8(index & 7) }
            output.advance(bytes)
        case .bytes:
            let start = start(range.lowerBound)
            output.put(values.start + start, count: Int(endValues[range.upperBound - 1]) - start)
        }
    }

    /// Writes the values with the given indices in the encoding PLAIN.
    func putPlain(_ indices: UnsafePointer<UInt32>, _ indexCount: Int, into output: GrowingBytes) {
        switch leaf.storage {
        case .words where leaf.isNarrow: putNarrow(indexCount, into: output) { words[Int(indices[$0])] }
        case .words:
            let target = UnsafeMutableRawPointer(output.reservedPointer(bytes: indexCount * 8))
            for index in 0..<indexCount { target.storeBytes(of: words[Int(indices[index])], toByteOffset: index &* 8, as: UInt64.self) }
            output.advance(indexCount * 8)
        case .flags: break
        case .bytes:
            for index in 0..<indexCount {
                let start = start(Int(indices[index]))
                output.put(values.start + start, count: Int(endValues[Int(indices[index])]) - start)
            }
        }
    }

    @inline(__always)
    private func putNarrow(_ valueCount: Int, into output: GrowingBytes, _ value: (Int) -> UInt64) {
        let target = UnsafeMutableRawPointer(output.reservedPointer(bytes: valueCount * 4))
        let isFloat = leaf.element.type == .float
        for index in 0..<valueCount {
            let word = value(index)
            let bits = isFloat ? Float(Double(bitPattern: word)).bitPattern : UInt32(truncatingIfNeeded: word)
            target.storeBytes(of: bits.littleEndian, toByteOffset: index &* 4, as: UInt32.self)
        }
        output.advance(valueCount * 4)
    }
}
