package import FieldValues

/// Converts rows of text fields to batches of typed values for a writer. All batches use the same memory.
///
/// A batch has at most 65,536 rows, and ends after 64 MiB of strings or values. A single row may be larger.
package final class RowBatcher {
    private let stores: [Store]
    private let texts = TextArena()
    /// The approximate number of bytes that the nulls inside nested values of the current batch take in the written file.
    private var nullBytes = 0
    private let maximumRows: Int
    private let receive: (ColumnBatch) throws -> Void
    /// The index of the first row of the current batch, counted over all rows.
    private var firstRecord = 0
    /// The number of rows of the current batch.
    private var count = 0

    package static let maximumRows = 65_536
    package static let maximumBytes = 64 << 20

    /// The values of a column in the current batch.
    private final class Store {
        let type: WrittenType
        let notation: DecimalStyle
        let dateNotation: DateNotation
        let numbers: UnsafeMutablePointer<Int64>?
        let flags: UnsafeMutablePointer<UInt8>?
        let texts: UnsafeMutablePointer<FieldBytes>?
        let presence: UnsafeMutablePointer<UInt8>
        var hasNulls = false

        init(_ type: WrittenType, _ field: Field, capacity: Int) {
            (self.type, notation, dateNotation) = (type, field.notation, field.dateNotation)
            presence = .allocate(capacity: capacity)
            switch type {
            case .integer, .decimal, .double, .float, .date, .dateTime, .time:
                (numbers, flags, texts) = (.allocate(capacity: capacity), nil, nil)
            case .flag: (numbers, flags, texts) = (nil, .allocate(capacity: capacity), nil)
            case .wideDecimal, .text, .binary, .nested: (numbers, flags, texts) = (nil, nil, .allocate(capacity: capacity))
            }
        }

        deinit {
            numbers?.deallocate()
            flags?.deallocate()
            texts?.deallocate()
            presence.deallocate()
        }
    }

    /// Creates a batcher.
    /// - Parameters:
    ///   - columns: the columns that ``WrittenTypes`` has decided.
    ///   - fields: the fields of the columns.
    ///   - receive: called with each batch, which is valid only until it returns.
    package init(_ columns: [WrittenColumn], fields: [Field], receive: @escaping (_ batch: ColumnBatch) throws -> Void) {
        self.receive = receive
        let nestedBytes = columns.reduce(0) { bytes, column in
            if case .nested(let type) = column.type { min(bytes + type.minimumBytes, Self.maximumBytes) } else { bytes }
        }
        let rowBytes = max(1, columns.count) * (MemoryLayout<FieldBytes>.stride + 1) + nestedBytes
        let capacity = max(1, min(Self.maximumRows, Self.maximumBytes / rowBytes))
        maximumRows = capacity
        stores = zip(columns, fields).map { Store($0.type, $1, capacity: capacity) }
    }

    /// Adds a row to the batch. A full batch is passed to the receiver.
    package func append(_ row: UnsafeBufferPointer<FieldBytes>) throws {
        for (index, store) in stores.enumerated() { put(row[index], store) }
        count += 1
        if count == maximumRows || texts.byteCount + nullBytes >= Self.maximumBytes { try flush() }
    }

    /// Passes the last batch to the receiver. The caller calls it once, after all rows.
    package func finish() throws { if count > 0 { try flush() } }

    private func put(_ field: FieldBytes, _ store: Store) {
        let (row, notation) = (count, store.notation)
        var isPresent = true
        switch store.type {
        case .text, .binary, .nested:
            if case .nested(let nested) = store.type, nested.hasWideNulls { nullBytes += nested.nullBytes(of: field) }
            isPresent = !field.isMissing
            store.texts?[row] = isPresent ? texts.copy(field) : .missing
        case _ where field.isBlank:
            isPresent = false
            store.numbers?[row] = 0
            store.flags?[row] = 0
            store.texts?[row] = .missing
        case .integer: store.numbers?[row] = field.integer(notation) ?? Self.scaled(field, notation, 0)
        case .decimal(let scale): store.numbers?[row] = Self.scaled(field, notation, scale)
        case .double: store.numbers?[row] = Int64(bitPattern: (field.decimal(notation) ?? 0).bitPattern)
        case .float: store.numbers?[row] = Int64(bitPattern: Self.float(field, notation).bitPattern)
        case .wideDecimal(let scale):
            let exact = field.exactDecimal(notation) ?? ExactDecimal(0)
            store.texts?[row] = texts.put(ExactDecimal.scaled(exact.mantissa, by: max(0, scale - exact.digits)) ?? 0, scale: scale)
        case .flag: store.flags?[row] = field.flag() == true ? 1 : 0
        case .date:
            let microseconds = field.temporal(.date, store.dateNotation) ?? 0
            store.numbers?[row] = ValueTextWriter.floorDivide(microseconds, 86_400_000_000).quotient
        case .dateTime(let digits, _): store.numbers?[row] = Self.time(field, .dateTime, store.dateNotation, digits)
        case .time(let digits): store.numbers?[row] = Self.time(field, .time, store.dateNotation, digits)
        }
        store.presence[row] = isPresent ? 1 : 0
        if !isPresent { store.hasNulls = true }
    }

    /// A time as a number of microseconds, or of nanoseconds if it has more than six digits after the seconds. The kind is that of the
    /// written type, because a column of dates can be written as times.
    private static func time(_ field: FieldBytes, _ kind: ValueKind, _ notation: DateNotation, _ digits: Int) -> Int64 {
        guard digits > 6 else { return field.temporal(kind, notation) ?? 0 }
        let moment = field.exactDateTime(kind, notation)
        return (moment?.microseconds ?? 0) &* 1_000 &+ Int64(moment?.nanoseconds ?? 0)
    }

    /// Parses a field as a number that is stored as a float. The result is a `Double`, and its conversion to `Float` gives the float
    /// nearest to the text.
    private static func float(_ field: FieldBytes, _ notation: DecimalStyle) -> Double {
        let double = field.decimal(notation) ?? 0
        // If the double is halfway between two floats, rounding may choose the float that is farther from the text.
        let isHalfway = double.bitPattern & 0x1FFF_FFFF == 0x1000_0000 || double.magnitude < Double(Float.leastNormalMagnitude)
        guard isHalfway, let float = Float(String(decoding: field.bytes, as: UTF8.self)) else { return double }
        return Double(float)
    }

    private static func scaled(_ field: FieldBytes, _ notation: DecimalStyle, _ scale: Int) -> Int64 {
        if let (mantissa, digits) = FixedPoint.read(field, notation) { return mantissa &* ValueTextWriter.power(max(0, scale - digits)) }
        let exact = field.exactDecimal(notation) ?? ExactDecimal(0)
        return Int64(truncatingIfNeeded: ExactDecimal.scaled(exact.mantissa, by: max(0, scale - exact.digits)) ?? 0)
    }

    private func flush() throws {
        let vectors = stores.map { store in
            ColumnVector(Self.values(store), presence: store.hasNulls ? UnsafePointer(store.presence) : nil)
        }
        let batch = ColumnBatch(firstRecord: firstRecord, count: count, columns: vectors)
        firstRecord += count
        count = 0
        try receive(batch)
        for store in stores { store.hasNulls = false }
        texts.removeAll()
        nullBytes = 0
    }

    private static func values(_ store: Store) -> ColumnVector.Values {
        if let flags = store.flags { return .flags(UnsafePointer(flags)) }
        if let texts = store.texts { return .texts(UnsafePointer(texts)) }
        // All types except flags and strings store numbers.
        let numbers = UnsafePointer(store.numbers!)
        switch store.type {
        case .double, .float: return .doubles(UnsafeRawPointer(numbers).assumingMemoryBound(to: Double.self))
        case .decimal(let scale): return .integers(numbers, scale: scale)
        case .date: return .dates(numbers)
        case .dateTime(let digits, let isUTC): return .dateTimes(numbers, digits: digits, isUTC: isUTC)
        case .time(let digits): return .times(numbers, digits: digits)
        case .integer, .wideDecimal, .flag, .text, .binary, .nested: return .integers(numbers, scale: 0)
        }
    }
}

/// Memory for copies of strings. Strings never move, so pointers to them stay valid for the batch. Each batch reuses the blocks.
private final class TextArena {
    /// The total number of bytes of the stored strings.
    private(set) var byteCount = 0
    private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []
    /// Memory for strings that are longer than a block, one allocation for each string.
    private var largeBlocks: [UnsafeMutableBufferPointer<UInt8>] = []
    /// The index of the block that is being filled, and the number of its used bytes.
    private var block = 0
    private var usedBytes = 0

    private static let blockBytes = 1 << 20

    deinit {
        for block in blocks { block.deallocate() }
        for block in largeBlocks { block.deallocate() }
    }

    func removeAll() {
        for block in largeBlocks { block.deallocate() }
        largeBlocks.removeAll()
        (byteCount, block, usedBytes) = (0, 0, 0)
    }

    /// Reserves `length` bytes for a string. The length may be 0.
    private func reservedPointer(bytes length: Int) -> UnsafeMutablePointer<UInt8> {
        byteCount += length
        guard length <= Self.blockBytes / 4 else {
            largeBlocks.append(.allocate(capacity: length))
            return largeBlocks[largeBlocks.count - 1].baseAddress!
        }
        if block < blocks.count, usedBytes + length > Self.blockBytes { (block, usedBytes) = (block + 1, 0) }
        if block == blocks.count { blocks.append(.allocate(capacity: Self.blockBytes)) }
        defer { usedBytes += length }
        return blocks[block].baseAddress! + usedBytes
    }

    func copy(_ field: FieldBytes) -> FieldBytes {
        let target = reservedPointer(bytes: field.count)
        if let start = field.start { target.update(from: start, count: field.count) }
        return FieldBytes(start: target, count: field.count)
    }

    /// Stores the text of `number / 10^scale`, with exactly `scale` digits after the decimal point.
    func put(_ number: Int128, scale: Int) -> FieldBytes {
        var rest = number.magnitude
        // The digits are written from the last to the first.
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 48) { digits in
            var start = digits.count
            var written = 0
            while rest > 0 || written <= scale {
                if written == scale, scale > 0 {
                    start -= 1
                    digits.initializeElement(at: start, to: UInt8(ascii: "."))
                }
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                start -= 1
                digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
                rest = quotient
                written += 1
            }
            if number < 0 {
                start -= 1
                digits.initializeElement(at: start, to: UInt8(ascii: "-"))
            }
            return copy(FieldBytes(start: UnsafePointer(digits.baseAddress! + start), count: digits.count - start))
        }
    }
}
