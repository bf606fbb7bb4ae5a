import FieldValues
import Tables

/// How a column of the program is stored in a file.
struct WrittenLeaf {
    /// The form of values in memory: 8 bytes each, one byte each, or sequences of bytes.
    enum Storage { case words, flags, bytes }

    let column: WrittenColumn
    let storage: Storage
    let element: ParquetMetadata.SchemaElement

    /// The maximum number of digits of 64-bit and 128-bit decimals.
    private static let longDigits = 18
    static let wideDigits = 38
    /// The number of bytes of a 128-bit decimal.
    static let wideBytes = 16

    /// - Parameter name: the name of the column in the file, which no other column has.
    /// - Throws: ``FormatError`` for a scale or precision that the format does not have.
    init(_ column: WrittenColumn, name: String) throws {
        self.column = column
        var element = ParquetMetadata.SchemaElement()
        element.name = name
        element.repetition = column.hasNulls ? .optional : .required
        func unit(_ digits: Int) throws -> Int {
            guard digits == 6 || digits == 9 else { throw FormatError("Cannot write times with \(digits) digits. Use 6 or 9 digits.") }
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
            case .binary: (.bytes, .bytes, nil)
            }
        if element.type == .fixed { element.typeLength = Self.wideBytes }
        self.element = element
    }

    /// True for byte sequences of fixed length, which are stored without their lengths.
    var isWide: Bool { element.type == .fixed }
    var isText: Bool { element.type == .bytes }
    /// True if a value has 8 bytes in memory and 4 bytes in the file. 32-bit floating-point numbers are `Double` values in memory.
    var isNarrow: Bool { element.type == .int32 || element.type == .float }
}

/// The values of a column in the current row group, without gaps for null values.
///
/// Byte sequences have the form of the PLAIN encoding: each follows its length, unless all have the same length.
final class ChunkValues {
    let leaf: WrittenLeaf
    private(set) var rowCount = 0
    /// The number of present values.
    private(set) var count = 0
    private let values = GrowingBytes()
    /// The end offset of each byte sequence.
    private let ends = GrowingBytes()
    /// For each row, 1 if the value is present, otherwise 0. Empty for a column without nulls.
    private let levelBytes = GrowingBytes()

    /// The maximum number of bytes of a string: the maximum size of a page, minus 1 MiB for its levels.
    private static let maximumTextBytes = PageHeader.maximumBytes - 1 << 20

    init(_ leaf: WrittenLeaf) { self.leaf = leaf }

    /// The bytes in memory.
    var byteCount: Int { values.capacity + ends.capacity + levelBytes.capacity }
    var levels: UnsafeMutablePointer<UInt8> { levelBytes.start }
    var words: UnsafeMutablePointer<UInt64> { UnsafeMutableRawPointer(values.start).assumingMemoryBound(to: UInt64.self) }
    var flags: UnsafeMutablePointer<UInt8> { values.start }

    /// The minimum number of bytes of a row.
    var rowBytes: Int {
        (leaf.column.hasNulls ? 1 : 0)
            + (leaf.storage == .words ? 8 : leaf.storage == .flags ? 1 : leaf.isWide ? WrittenLeaf.wideBytes + 4 : 8)
    }

    func removeAll() {
        (rowCount, count) = (0, 0)
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

    private var mismatch: FormatError {
        FormatError("Cannot write column “\(leaf.column.name)”: a value has the wrong type. Reload the file to try again.")
    }
    private var missing: FormatError {
        FormatError("Cannot write column “\(leaf.column.name)”: a value is missing. Reload the file to try again.")
    }

    /// Adds the lengths of strings to the sizes of rows.
    /// - Parameter sizes: one for each row of the range.
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
        default: throw mismatch
        }
    }

    /// Appends some rows of a vector.
    func append(_ vector: ColumnVector, _ rows: Range<Int>) throws {
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
        default: throw mismatch
        }
    }

    /// Appends values of fixed width.
    private func append<Value>(_ source: UnsafePointer<Value>, _ presence: UnsafePointer<UInt8>?, _ rows: Range<Int>) throws {
        let width = MemoryLayout<Value>.size
        let room = values.room(rows.count * width)
        let target = UnsafeMutableRawPointer(room).assumingMemoryBound(to: Value.self)
        var added = rows.count
        if let presence {
            added = 0
            // All values are copied, because a branch would be slower. The next value overwrites an absent one.
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
        guard leaf.column.hasNulls else {
            if added < rows.count { throw missing }
            return
        }
        let target = levelBytes.room(rows.count)
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
        if leaf.column.hasNulls { levelBytes.reserve(rows.count) }
        let (level, newEnds) = (levelBytes.start + levelBytes.count, endValues + count)
        var added = 0
        let hasNulls = leaf.column.hasNulls
        for row in rows {
            let text = texts[row]
            if hasNulls { level[row &- rows.lowerBound] = text.start == nil ? 0 : 1 }
            guard let start = text.start else { continue }
            if let scale {
                try put(decimal: text.bytes, scale)
            } else {
                let target = values.room(text.count &+ 4)
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
        if !hasNulls, added < rows.count { throw missing }
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
            guard byte &- UInt8(ascii: "0") < 10 else { throw mismatch }
            number = number &* 10 &+ Int128(byte &- UInt8(ascii: "0"))
            if number != 0 { digits &+= 1 }
            guard digits <= WrittenLeaf.wideDigits else { throw mismatch }
            if let places = fraction { fraction = places &+ 1 }
        }
        guard text.count > (isNegative ? 1 : 0), fraction ?? 0 == scale else { throw mismatch }
        let room = UnsafeMutableRawPointer(values.room(WrittenLeaf.wideBytes))
        room.storeBytes(of: (isNegative ? -number : number).bigEndian, as: Int128.self)
        values.advance(WrittenLeaf.wideBytes)
    }

    // MARK: Writing

    /// The number of rows and of values of the next page.
    /// - Parameters:
    ///   - row: the first row.
    ///   - index: the first value.
    ///   - maximumBytes: the maximum number of bytes of the values; `nil` for codes. A page has at least one value of any size.
    func page(fromRow row: Int, value index: Int, maximumRows: Int, maximumBytes: Int?) -> (rows: Int, values: Int) {
        var rows = min(maximumRows, rowCount - row)
        if let maximumBytes, leaf.storage != .bytes { rows = min(rows, max(1, maximumBytes / 8)) }
        guard leaf.column.hasNulls || leaf.storage == .bytes else { return (rows, rows) }
        var found = rows
        if leaf.column.hasNulls {
            found = 0
            for offset in row..<row + rows { found &+= Int(levels[offset]) }
        }
        guard let maximumBytes, leaf.storage == .bytes, found > 1 else { return (rows, found) }
        let end = UInt64(start(index)) + UInt64(maximumBytes)
        guard UInt64(endValues[index + found - 1]) > end else { return (rows, found) }
        var fitting = 1
        while UInt64(endValues[index + fitting]) <= end { fitting += 1 }
        guard leaf.column.hasNulls else { return (fitting, fitting) }
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
            let target = output.room(bytes)
            target.update(repeating: 0, count: bytes)
            for index in 0..<range.count { target[index &>> 3] |= flags[range.lowerBound &+ index] &<< UInt8(index & 7) }
            output.advance(bytes)
        case .bytes:
            let start = start(range.lowerBound)
            output.put(values.start + start, count: Int(endValues[range.upperBound - 1]) - start)
        }
    }

    /// Writes the values at some indices in the encoding PLAIN.
    func putPlain(_ indices: UnsafePointer<UInt32>, _ indexCount: Int, into output: GrowingBytes) {
        switch leaf.storage {
        case .words where leaf.isNarrow: putNarrow(indexCount, into: output) { words[Int(indices[$0])] }
        case .words:
            let target = UnsafeMutableRawPointer(output.room(indexCount * 8))
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
        let target = UnsafeMutableRawPointer(output.room(valueCount * 4))
        let isFloat = leaf.element.type == .float
        for index in 0..<valueCount {
            let word = value(index)
            let bits = isFloat ? Float(Double(bitPattern: word)).bitPattern : UInt32(truncatingIfNeeded: word)
            target.storeBytes(of: bits.littleEndian, toByteOffset: index &* 4, as: UInt32.self)
        }
        output.advance(valueCount * 4)
    }
}
