import FieldValues
import Tables

/// Collects rows and stores their values by column. Each batch reuses the same memory.
struct SQLiteBatch: ~Copyable {
    /// The maximum number of rows.
    let capacity: Int
    private let width: Int
    /// The maximum number of bytes of a string.
    private let maximumBytes: Int
    private(set) var count = 0
    /// For each column, the kinds of values that it contains, as a sum of bits `1 << kind`.
    private let columnKinds: UnsafeMutablePointer<UInt8>
    /// For each value, its kind, with ``printed`` if a number was converted to a string.
    private let valueKinds: UnsafeMutablePointer<UInt8>
    private static let printed: UInt8 = 1 << 7
    /// For each value, 1 if it is a finite number, otherwise 0. It is set when the numbers of a column are requested.
    private let numberPresence: UnsafeMutablePointer<UInt8>
    /// The printed numbers of columns of strings; `nil` until they are requested.
    private var numberTexts: UnsafeMutablePointer<FieldBytes>?
    /// For each value, 0 if it is NULL, otherwise 1.
    private let presence: UnsafeMutablePointer<UInt8>
    /// For each value, 8 bytes: an integer, a real, or the offset of a string in `text`.
    private let values: UnsafeMutableRawPointer
    /// For each string, its length in bytes.
    private let lengths: UnsafeMutablePointer<Int>
    private let fields: UnsafeMutablePointer<FieldBytes>
    /// The bytes of all strings.
    private var text: UnsafeMutablePointer<UInt8>
    private var textCapacity = 16 << 10
    private var textCount = 0

    /// The number of bytes of text after which a batch is full.
    private static let fullBytes = 1 << 20

    /// Creates an empty batch.
    /// - Parameters:
    ///   - width: the number of columns.
    ///   - maximumBytes: the maximum number of bytes of a string; longer strings are cut.
    init(width: Int, capacity: Int, maximumBytes: Int = .max) {
        self.width = width
        self.maximumBytes = maximumBytes
        self.capacity = max(1, min(capacity, max(16, (1 << 17) / max(1, width))))
        let slots = max(1, width * self.capacity)
        columnKinds = .allocate(capacity: max(1, width))
        columnKinds.initialize(repeating: 0, count: max(1, width))
        valueKinds = .allocate(capacity: slots)
        presence = .allocate(capacity: slots)
        numberPresence = .allocate(capacity: slots)
        values = .allocate(byteCount: slots * 8, alignment: 8)
        lengths = .allocate(capacity: slots)
        fields = .allocate(capacity: slots)
        text = .allocate(capacity: textCapacity)
    }

    deinit {
        columnKinds.deallocate()
        valueKinds.deallocate()
        presence.deallocate()
        numberPresence.deallocate()
        numberTexts?.deallocate()
        values.deallocate()
        lengths.deallocate()
        fields.deallocate()
        text.deallocate()
    }

    var isFull: Bool { count == capacity || textCount >= Self.fullBytes }

    /// The approximate number of bytes of the rows.
    var byteCount: Int { textCount + count * width * 8 }

    mutating func removeAll() {
        (count, textCount) = (0, 0)
        columnKinds.update(repeating: 0, count: max(1, width))
    }

    /// Adds a row. The result row may have more columns than the batch. The additional columns are ignored.
    mutating func append(_ row: SQLiteRow) {
        var slot = count
        // This constant is a local copy, because the compiler otherwise crashes when it adds the thread sanitizer.
        let columnKinds = columnKinds
        for column in 0..<width {
            let value = row.value(column)
            let type = row.kind(value)
            columnKinds[column] |= 1 << UInt8(truncatingIfNeeded: type.rawValue)
            valueKinds[slot] = UInt8(truncatingIfNeeded: type.rawValue)
            presence[slot] = 1
            switch type {
            case .integer: values.storeBytes(of: row.integer(value), toByteOffset: slot * 8, as: Int64.self)
            case .real: values.storeBytes(of: row.real(value), toByteOffset: slot * 8, as: Double.self)
            case .text: put(UnsafeRawBufferPointer(row.text(value)), slot)
            case .blob: put(blob: row.blob(value), slot)
            case .null: presence[slot] = 0
            }
            slot += capacity
        }
        count += 1
    }

    /// Reserves the bytes of a string, and stores its offset and length at the index `slot`.
    private mutating func reserveText(_ length: Int, for slot: Int) -> UnsafeMutablePointer<UInt8> {
        if textCount + length > textCapacity {
            let larger = max(textCapacity * 2, textCount + length)
            let new = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
            new.update(from: text, count: textCount)
            text.deallocate()
            (text, textCapacity) = (new, larger)
        }
        values.storeBytes(of: textCount, toByteOffset: slot * 8, as: Int.self)
        lengths[slot] = length
        textCount += length
        return text + (textCount - length)
    }

    private mutating func put(_ bytes: UnsafeRawBufferPointer, _ slot: Int) {
        // Eight bytes more than the maximum are kept. They show that the text was cut, and where its last character ends.
        let length = min(bytes.count, maximumBytes > .max - 8 ? .max : maximumBytes + 8)
        let target = reserveText(length, for: slot)
        if let start = bytes.baseAddress { UnsafeMutableRawPointer(target).copyMemory(from: start, byteCount: length) }
    }

    private mutating func put(blob: UnsafeRawBufferPointer, _ slot: Int) {
        let length = min(blob.count, maximumBytes > .max / 4 ? .max : maximumBytes / 2 + 8)
        let target = reserveText(BlobText.byteCount(ofBlob: length), for: slot)
        BlobText.write(UnsafeRawBufferPointer(rebasing: blob.prefix(length)), to: target)
    }

    private mutating func put(_ text: String, _ slot: Int) {
        var text = text
        text.withUTF8 { put(UnsafeRawBufferPointer($0), slot) }
    }

    /// The part of a column of this batch that becomes a column of a result.
    enum Part {
        /// All values.
        case values(Int)
        /// The finite numbers. All other values are missing.
        case numbers(Int)
    }

    /// The rows as a batch that is valid until the next change.
    /// - Parameters:
    ///   - first: the number of the first row.
    ///   - parts: for each column of the result, its column in this batch; `nil` for missing fields.
    mutating func columns(first: Int, parts: [Part?]) -> ColumnBatch {
        for column in 0..<width where isText(column) { printNumbers(ofColumn: column) }
        for column in 0..<width where isText(column) { collectTexts(ofColumn: column) }
        let missing = ColumnVector(
            .integers(UnsafePointer(values.assumingMemoryBound(to: Int64.self)), scale: 0), presence: missingPresence)
        var columns: [ColumnVector] = []
        columns.reserveCapacity(parts.count)
        for part in parts {
            switch part {
            case .values(let index): columns.append(vector(index))
            case .numbers(let index): columns.append(numbers(index))
            case nil: columns.append(missing)
            }
        }
        return ColumnBatch(firstRecord: first, count: count, columns: columns)
    }

    /// Stores the values of the first row in `texts`, as strings that are valid until the next change.
    mutating func copyTexts(to texts: inout [FieldBytes]) {
        for column in 0..<width { printNumbers(ofColumn: column) }
        for column in 0..<width { collectTexts(ofColumn: column) }
        for column in 0..<width { texts[column] = fields[column * capacity] }
    }

    /// The presence flags of a column that is missing: one 0 for each row.
    nonisolated(unsafe) private static let missingFlags: UnsafePointer<UInt8> = {
        let flags = UnsafeMutablePointer<UInt8>.allocate(capacity: 1 << 16)
        flags.initialize(repeating: 0, count: 1 << 16)
        return UnsafePointer(flags)
    }()
    private var missingPresence: UnsafePointer<UInt8> { Self.missingFlags }

    private static let integerBit: UInt8 = 1 << 1
    private static let realBit: UInt8 = 1 << 2
    private static let nullBit: UInt8 = 1 << 5

    /// True if the column must be passed as strings. It is false if all values are integers or all are reals.
    private func isText(_ column: Int) -> Bool {
        let values = columnKinds[column] & ~Self.nullBit
        return values != 0 && values != Self.integerBit && values != Self.realBit
    }

    private func vector(_ column: Int) -> ColumnVector {
        let start = column * capacity
        let flags = columnKinds[column] & Self.nullBit == 0 ? nil : UnsafePointer(presence + start)
        if isText(column) { return ColumnVector(.texts(UnsafePointer(fields + start)), presence: flags) }
        if columnKinds[column] & Self.realBit != 0 {
            return ColumnVector(.doubles(UnsafePointer(values.assumingMemoryBound(to: Double.self) + start)), presence: flags)
        }
        return ColumnVector(.integers(UnsafePointer(values.assumingMemoryBound(to: Int64.self) + start), scale: 0), presence: flags)
    }

    /// The finite numbers of a column. JSON has no other numbers.
    private mutating func numbers(_ column: Int) -> ColumnVector {
        let start = column * capacity
        // In a column of strings, the printed text of a number has replaced its value.
        let isText = isText(column)
        for slot in start..<start + count {
            let isFinite =
                switch valueKinds[slot] & ~Self.printed {
                case 1: true
                case 2: isText ? fields[slot].isJSONNumber : values.load(fromByteOffset: slot * 8, as: Double.self).isFinite
                default: false
                }
            numberPresence[slot] = isFinite ? 1 : 0
        }
        let presence = UnsafePointer(numberPresence + start)
        guard isText else { return ColumnVector(vector(column).values, presence: presence) }
        let texts = numberTexts ?? .allocate(capacity: max(1, width * capacity))
        numberTexts = texts
        for slot in start..<start + count { texts[slot] = numberPresence[slot] == 0 ? .missing : fields[slot] }
        return ColumnVector(.texts(UnsafePointer(texts + start)), presence: presence)
    }

    /// Converts the numbers of a column to strings, because the column also contains other kinds of values.
    private mutating func printNumbers(ofColumn column: Int) {
        let start = column * capacity
        // See `append(_:)` for the reason of the local copy.
        let valueKinds = valueKinds
        for slot in start..<start + count {
            if valueKinds[slot] == 1 {
                put(values.load(fromByteOffset: slot * 8, as: Int64.self).description, slot)
            } else if valueKinds[slot] == 2 {
                put(values.load(fromByteOffset: slot * 8, as: Double.self).description, slot)
            } else {
                continue
            }
            valueKinds[slot] |= Self.printed
        }
    }

    private func collectTexts(ofColumn column: Int) {
        let start = column * capacity
        for slot in start..<start + count {
            fields[slot] =
                presence[slot] == 0
                ? .missing
                : FieldBytes(start: UnsafePointer(text) + values.load(fromByteOffset: slot * 8, as: Int.self), count: lengths[slot])
        }
    }
}
