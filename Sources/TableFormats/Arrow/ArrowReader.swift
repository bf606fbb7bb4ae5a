import DelimitedText
import FieldValues

/// The values of a field for some rows of a record batch. Values of fixed width stay as they are stored in the file.
final class ArrowSlice: @unchecked Sendable {
    /// The values in the form in which the slice holds them.
    enum Content {
        /// All values are missing.
        case none
        /// Values that all have the same width.
        case fixed(ArrowBytes)
        /// One byte for each flag.
        case flags(ArrowBlock)
        /// The strings as `FieldBytes`, and the blocks that contain their bytes.
        case texts(ArrowBlock, owners: [ArrowBlock])
        /// Lists: for each one, the index of its first value in `values`, and the index after its last value.
        case lists(ArrowBlock, values: ArrowSlice)
        case fixedLists(size: Int, values: ArrowSlice)
        case structures([ArrowSlice])
        /// Values of several types: for each value, the index of its child, and its index in that child.
        case unions(children: ArrowBlock, indexes: ArrowBlock, [ArrowSlice])
        /// Values of a dictionary: for each one, its index in the dictionary.
        case codes(ArrowBlock, ArrowDictionary)
        /// Runs of equal values: for each row, the index of its run in `values`.
        case runs(ArrowBlock, values: ArrowSlice)
    }

    let field: ArrowField
    let count: Int
    /// One byte for each value, 0 for null; `nil` if no value is null.
    let presence: ArrowBlock?
    let content: Content

    init(_ field: ArrowField, count: Int, presence: ArrowBlock?, _ content: Content) {
        (self.field, self.count, self.presence, self.content) = (field, count, presence, content)
    }

    @inline(__always)
    func isPresent(_ index: Int) -> Bool {
        guard let presence else { return true }
        return presence.start.load(fromByteOffset: index, as: UInt8.self) != 0
    }
}

/// Reads the values of one record batch. Only one thread uses a reader.
///
/// From an uncompressed buffer, it reads only the bytes of the requested rows. A compressed buffer is decoded completely, and cached by the
/// reader and by the file.
final class ArrowReader {
    /// The maximum memory in bytes for the values of one call, unless the call reads a single row.
    static let maximumCallBytes = 16 << 20
    /// The maximum memory in bytes for a single row, or for a dictionary.
    static let maximumValueBytes = 1 << 30
    /// The maximum decoded size in bytes of a compressed buffer.
    private static let maximumBufferBytes = 4 << 30
    /// The maximum size in bytes of a message body that is read with one call. From larger bodies, only the needed buffers are read.
    private static let smallBodyBytes = 64 << 10

    let file: ArrowFile
    let batch: ArrowBatch
    /// The number of bytes that the reader may still allocate. The caller sets it before each call.
    var budget = ArrowReader.maximumCallBytes
    private let dictionaryDepth: Int
    /// True to keep bytes as they are stored; false to print bytes that are not text as hexadecimal digits.
    private let isRaw: Bool
    private var decodedBuffers: [Int: ArrowBlock] = [:]
    private var storedBuffers: Set<Int> = []
    private var body: ArrowBlock?
    private var dictionaries: [Int64: ArrowDictionary] = [:]

    init(_ file: ArrowFile, _ batch: ArrowBatch, dictionaryDepth: Int = 0, isRaw: Bool = false) {
        (self.file, self.batch, self.dictionaryDepth, self.isRaw) = (file, batch, dictionaryDepth, isRaw)
    }

    // MARK: Buffers

    private func subtractFromBudget(_ count: Int) throws(ArrowError) {
        guard count <= budget else { throw .tooLarge }
        budget -= count
    }

    /// Allocates a block of `count` elements, and subtracts its size from ``budget``.
    func block<T>(_ count: Int, of type: T.Type) throws(ArrowError) -> ArrowBlock {
        let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<T>.stride)
        guard !overflow else { throw .tooLarge }
        try subtractFromBudget(bytes)
        return try ArrowBlock(count: bytes)
    }

    /// Reads a range of bytes of a buffer. A compressed buffer is decoded first.
    private func bytes(_ buffer: Int, _ range: Range<Int>) throws -> ArrowBytes {
        let location = try batch.buffer(buffer)
        guard let codec = batch.codec, location.count > 0 else {
            return try storedBytes(range, ofBufferAt: location.offset, count: location.count)
        }
        if storedBuffers.contains(buffer) { return try storedBytes(range, ofBufferAt: location.offset + 8, count: location.count - 8) }
        let block: ArrowBlock
        if let cached = decodedBuffers[buffer] {
            block = cached
        } else {
            guard location.count >= 8 else { throw ArrowError.damaged("a compressed buffer has only \(location.count) bytes") }
            let key = ArrowCache.Key(message: batch.message.offset, part: .buffer(buffer))
            let count = FlatBuffer(bytes: try file.file.bytes(at: location.offset, count: 8))
            let length = Int(try count.number(Int64.self, at: 0))
            if length == -1 {
                storedBuffers.insert(buffer)
                return try storedBytes(range, ofBufferAt: location.offset + 8, count: location.count - 8)
            }
            block = try file.cachedBlock(key) { try decompress(at: location.offset + 8, count: location.count - 8, length: length, codec) }
            decodedBuffers[buffer] = block
        }
        guard range.upperBound <= block.count else { throw ArrowError.damaged("a buffer has only \(NumberText.count(block.count)) bytes") }
        return ArrowBytes(start: block.start + range.lowerBound, count: range.count, owner: block)
    }

    /// Reads a range of bytes of an uncompressed buffer that has `count` bytes.
    private func storedBytes(_ range: Range<Int>, ofBufferAt offset: Int, count: Int) throws -> ArrowBytes {
        guard range.upperBound <= count else { throw ArrowError.damaged("a buffer has only \(NumberText.count(count)) bytes") }
        if batch.message.bodyBytes <= Self.smallBodyBytes {
            if body == nil { body = try read(batch.message.body, batch.message.bodyBytes) }
            if let body {
                return ArrowBytes(start: body.start + (offset - batch.message.body + range.lowerBound), count: range.count, owner: body)
            }
        }
        try subtractFromBudget(range.count)
        let block = try read(offset + range.lowerBound, range.count)
        return ArrowBytes(start: block.start, count: range.count, owner: block)
    }

    private func read(_ offset: Int, _ count: Int) throws -> ArrowBlock {
        let block = try ArrowBlock(count: count)
        try file.file.read(into: block.elements(of: UInt8.self), count: count, at: offset)
        return block
    }

    /// Reads `count` compressed bytes and decodes them to `length` bytes.
    private func decompress(at offset: Int, count: Int, length: Int, _ codec: Codec) throws -> ArrowBlock {
        // A greater length shows damage: LZ4 data expands to at most 255 times its size, and 4 bytes of zstd data to at most 128 KiB.
        let (maximum, overflow) = (count + 16).multipliedReportingOverflow(by: codec == .lz4 ? 255 : 32_768)
        guard length >= 0, overflow || length <= maximum else {
            throw ArrowError.damaged("a buffer of \(NumberText.count(count)) compressed bytes declares \(NumberText.count(length)) bytes")
        }
        guard length <= Self.maximumBufferBytes else {
            throw ArrowError.unsupported(
                "has a compressed buffer of \(NumberText.count(length)) bytes, more than \(Self.maximumBufferBytes >> 30) GiB")
        }
        let input = try read(offset, count)
        let output = try ArrowBlock(count: length)
        let done = codec.decode(
            UnsafeRawBufferPointer(start: input.start, count: count),
            into: UnsafeMutableRawBufferPointer(start: output.start, count: length))
        guard done == length else { throw ArrowError.damaged("a buffer cannot be decompressed") }
        return output
    }

    /// One byte for each row of a field, 0 for null; `nil` if no value is null.
    private func presence(of field: ArrowField, _ rows: Range<Int>, buffer: Int) throws -> ArrowBlock? {
        guard try batch.node(field.nodeIndex).nulls != 0, try batch.buffer(buffer).count > 0 else { return nil }
        return try bits(buffer, rows)
    }

    private func bits(_ buffer: Int, _ rows: Range<Int>) throws -> ArrowBlock {
        let first = rows.lowerBound / 8
        let bits = try bytes(buffer, first..<(rows.upperBound + 7) / 8)
        let block = try block(rows.count, of: UInt8.self)
        let flags = block.elements(of: UInt8.self)
        let shift = rows.lowerBound - first * 8
        for index in 0..<rows.count {
            let bit = index &+ shift
            flags[index] = bits.number(UInt8.self, bit >> 3) >> UInt8(truncatingIfNeeded: bit & 7) & 1
        }
        return block
    }

    /// Reads flags of one byte. Each byte other than 0 is true.
    private func byteFlags(_ buffer: Int, _ rows: Range<Int>) throws -> ArrowBlock {
        let source = try bytes(buffer, rows)
        let block = try block(rows.count, of: UInt8.self)
        let flags = block.elements(of: UInt8.self)
        for index in 0..<rows.count { flags[index] = source.number(UInt8.self, index) == 0 ? 0 : 1 }
        return block
    }

    /// Reads offsets or indexes as `Int`. In the file, they have 8 bytes if `isLong` is true, otherwise 4 bytes.
    private func offsets(_ buffer: Int, _ rows: Range<Int>, isLong: Bool) throws -> ArrowBlock {
        let width = isLong ? 8 : 4
        let (end, overflow) = rows.upperBound.multipliedReportingOverflow(by: width)
        guard !overflow else { throw ArrowError.damaged("a column has too many values (\(NumberText.count(rows.upperBound)))") }
        let source = try bytes(buffer, rows.lowerBound * width..<end)
        let block = try block(rows.count, of: Int.self)
        let target = block.elements(of: Int.self)
        if isLong {
            for index in 0..<rows.count { target[index] = Int(source.number(Int64.self, index)) }
        } else {
            for index in 0..<rows.count { target[index] = Int(source.number(Int32.self, index)) }
        }
        return block
    }

    // MARK: Values

    /// Reads the values of a column of the table. A field inside a structure is null in each row in which the structure is null.
    func slice(of path: ArrowColumnPath, _ rows: Range<Int>) throws -> ArrowSlice {
        let slice = try slice(of: path.leaf, rows)
        var presence = slice.presence
        for parent in path.fields.dropLast() {
            guard rows.upperBound <= (try batch.node(parent.nodeIndex).length) else {
                throw ArrowError.damaged("a struct has too few values")
            }
            guard let outer = try self.presence(of: parent, rows, buffer: try batch.firstBuffer(of: parent)) else { continue }
            if let inner = presence {
                let (a, b) = (outer.elements(of: UInt8.self), inner.elements(of: UInt8.self))
                for index in 0..<rows.count { a[index] &= b[index] }
            }
            presence = outer
        }
        return ArrowSlice(slice.field, count: slice.count, presence: presence, slice.content)
    }

    /// Reads the values of a field.
    /// - Parameter rows: the rows of the batch, or the indexes of values in the child of another field.
    func slice(of field: ArrowField, _ rows: Range<Int>) throws -> ArrowSlice {
        guard !rows.isEmpty else { return ArrowSlice(field, count: 0, presence: nil, .none) }
        guard rows.upperBound <= (try batch.node(field.nodeIndex).length) else { throw ArrowError.damaged("a column has too few values") }
        // Values of types without buffers are counted, too, because they take memory when they are printed.
        try subtractFromBudget(rows.count)
        if let dictionary = field.dictionary { return try codes(field, dictionary, rows) }
        let buffer = try batch.firstBuffer(of: field)
        func makeSlice(_ content: ArrowSlice.Content) throws -> ArrowSlice {
            ArrowSlice(field, count: rows.count, presence: try presence(of: field, rows, buffer: buffer), content)
        }
        if case .fixedBinary(let width, let isUUID) = field.type {
            return try makeSlice(try fixedBinary(buffer + 1, rows, width: width, isUUID: isUUID))
        }
        if let width = field.type.width {
            let (end, overflow) = rows.upperBound.multipliedReportingOverflow(by: width)
            guard !overflow else { throw ArrowError.damaged("a column has too many values (\(NumberText.count(rows.upperBound)))") }
            return try makeSlice(.fixed(try bytes(buffer + 1, rows.lowerBound * width..<end)))
        }
        switch field.type {
        case .bool: return try makeSlice(.flags(try bits(buffer + 1, rows)))
        case .bool8: return try makeSlice(.flags(try byteFlags(buffer + 1, rows)))
        case .text(.offsets32, let isBinary): return try makeSlice(try texts(buffer + 1, rows, isLong: false, isBinary: isBinary))
        case .text(.offsets64, let isBinary): return try makeSlice(try texts(buffer + 1, rows, isLong: true, isBinary: isBinary))
        case .text(_, let isBinary):
            let presence = try presence(of: field, rows, buffer: buffer)
            let content = try views(field, buffer + 1, rows, presence, isBinary: isBinary)
            return ArrowSlice(field, count: rows.count, presence: presence, content)
        case .list(.offsets32), .map: return try makeSlice(try lists(field, buffer + 1, rows, isLong: false))
        case .list(.offsets64): return try makeSlice(try lists(field, buffer + 1, rows, isLong: true))
        case .list(let layout):
            let presence = try presence(of: field, rows, buffer: buffer)
            return ArrowSlice(
                field, count: rows.count, presence: presence,
                try listViews(field, buffer + 1, rows, presence, isLong: layout == .views64))
        case .fixedList(let size):
            let (end, overflow) = rows.upperBound.multipliedReportingOverflow(by: size)
            guard !overflow else { throw ArrowError.damaged("a column has too many lists (\(rows.upperBound))") }
            return try makeSlice(.fixedLists(size: size, values: try slice(of: field.children[0], rows.lowerBound * size..<end)))
        case .structure:
            var parts: [ArrowSlice] = []
            for child in field.children { parts.append(try slice(of: child, rows)) }
            return try makeSlice(.structures(parts))
        case .union(let isDense, let hasValidity, let children):
            let presence = hasValidity ? try presence(of: field, rows, buffer: buffer) : nil
            let content = try unions(field, hasValidity ? buffer + 1 : buffer, rows, isDense: isDense, children)
            return ArrowSlice(field, count: rows.count, presence: presence, content)
        case .runs: return ArrowSlice(field, count: rows.count, presence: nil, try runs(field, rows))
        default: return ArrowSlice(field, count: rows.count, presence: nil, .none)
        }
    }

    private func codes(_ field: ArrowField, _ dictionary: ArrowField.Dictionary, _ rows: Range<Int>) throws -> ArrowSlice {
        let values: ArrowDictionary
        if let cached = dictionaries[dictionary.id] {
            values = cached
        } else {
            values = try file.dictionary(of: dictionary, for: batch, depth: dictionaryDepth, isRaw: isRaw)
            dictionaries[dictionary.id] = values
        }
        let buffer = try batch.firstBuffer(of: field)
        let (end, overflow) = rows.upperBound.multipliedReportingOverflow(by: dictionary.width)
        guard !overflow else { throw ArrowError.damaged("a column has too many values (\(NumberText.count(rows.upperBound)))") }
        let source = try bytes(buffer + 1, rows.lowerBound * dictionary.width..<end)
        var present = try presence(of: field, rows, buffer: buffer)
        let block = try block(rows.count, of: UInt32.self)
        let target = block.elements(of: UInt32.self)
        let limit = UInt64(values.count)
        func fill<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type) throws {
            let flags = present?.elements(of: UInt8.self)
            for index in 0..<rows.count {
                let value = source.number(type, index)
                // A negative index becomes a large unsigned number. One comparison therefore finds both negative and too large indexes.
                let code = UInt64(truncatingIfNeeded: value)
                if code < limit {
                    target[index] = UInt32(truncatingIfNeeded: code)
                } else {
                    guard let flags, flags[index] == 0 else {
                        throw ArrowError.damaged("a dictionary of \(limit) values has no index \(value)")
                    }
                    target[index] = 0
                }
            }
        }
        switch (dictionary.width, dictionary.isSigned) {
        case (1, true): try fill(Int8.self)
        case (1, false): try fill(UInt8.self)
        case (2, true): try fill(Int16.self)
        case (2, false): try fill(UInt16.self)
        case (4, true): try fill(Int32.self)
        case (4, false): try fill(UInt32.self)
        case (_, true): try fill(Int64.self)
        case (_, false): try fill(UInt64.self)
        }
        // If the dictionary value of a row is null, the row is null, too.
        if let nulls = values.presence {
            let all: ArrowBlock
            if let present {
                all = present
            } else {
                all = try self.block(rows.count, of: UInt8.self)
                all.elements(of: UInt8.self).update(repeating: 1, count: rows.count)
            }
            let flags = all.elements(of: UInt8.self)
            let valid = nulls.elements(of: UInt8.self)
            for index in 0..<rows.count where flags[index] != 0 { flags[index] = valid[Int(target[index])] }
            present = all
        }
        return ArrowSlice(field, count: rows.count, presence: present, .codes(block, values))
    }

    /// The range from the first to the last offset.
    /// - Throws: an error if an offset is smaller than the previous one.
    private func range(_ offsets: ArrowBlock, _ count: Int) throws -> Range<Int> {
        let values = offsets.elements(of: Int.self)
        var isValid = values[0] >= 0
        for index in 1..<count { isValid = isValid && values[index] >= values[index - 1] }
        guard isValid else { throw ArrowError.damaged("the offsets of a column decrease") }
        return values[0]..<values[count - 1]
    }

    private func texts(_ buffer: Int, _ rows: Range<Int>, isLong: Bool, isBinary: Bool) throws -> ArrowSlice.Content {
        let offsets = try offsets(buffer, rows.lowerBound..<rows.upperBound + 1, isLong: isLong)
        let range = try range(offsets, rows.count + 1)
        let data = try bytes(buffer + 1, range)
        let starts = offsets.elements(of: Int.self)
        let block = try block(rows.count, of: FieldBytes.self)
        let fields = block.elements(of: FieldBytes.self)
        let start = data.start.assumingMemoryBound(to: UInt8.self)
        for index in 0..<rows.count {
            fields[index] = FieldBytes(start: start + (starts[index] - range.lowerBound), count: starts[index + 1] - starts[index])
        }
        return try textContent(block, rows.count, owners: [data.owner], isBinary: isBinary)
    }

    private func fixedBinary(_ buffer: Int, _ rows: Range<Int>, width: Int, isUUID: Bool) throws -> ArrowSlice.Content {
        let (end, overflow) = rows.upperBound.multipliedReportingOverflow(by: width)
        guard !overflow else { throw ArrowError.damaged("a column has too many values (\(NumberText.count(rows.upperBound)))") }
        let data = try bytes(buffer, rows.lowerBound * width..<end)
        let block = try block(rows.count, of: FieldBytes.self)
        let fields = block.elements(of: FieldBytes.self)
        let start = data.start.assumingMemoryBound(to: UInt8.self)
        for index in 0..<rows.count { fields[index] = FieldBytes(start: start + index * width, count: width) }
        guard isUUID, !isRaw else { return try textContent(block, rows.count, owners: [data.owner], isBinary: true) }
        let texts = try self.block(rows.count * 36, of: UInt8.self)
        for index in 0..<rows.count {
            let text = texts.elements(of: UInt8.self) + index * 36
            ArrowPrinter.printUUID(fields[index].bytes, to: text)
            fields[index] = FieldBytes(start: text, count: 36)
        }
        return .texts(block, owners: [texts])
    }

    /// Replaces byte strings that are not valid text with hexadecimal digits, unless the reader keeps bytes as they are stored.
    private func textContent(_ block: ArrowBlock, _ count: Int, owners: [ArrowBlock], isBinary: Bool) throws -> ArrowSlice.Content {
        guard isBinary, !isRaw else { return .texts(block, owners: owners) }
        let fields = block.elements(of: FieldBytes.self)
        var owners = owners
        var (invalid, bytes) = ([Int](), 0)
        for index in 0..<count where !fields[index].isUTF8 {
            invalid.append(index)
            bytes += 2 + 2 * fields[index].count
        }
        guard !invalid.isEmpty else { return .texts(block, owners: owners) }
        let digits = try self.block(bytes, of: UInt8.self)
        owners.append(digits)
        var target = digits.elements(of: UInt8.self)
        for index in invalid {
            let count = ArrowPrinter.printHexadecimal(fields[index].bytes, to: target)
            fields[index] = FieldBytes(start: target, count: count)
            target += count
        }
        return .texts(block, owners: owners)
    }

    private func views(
        _ field: ArrowField, _ buffer: Int, _ rows: Range<Int>, _ presence: ArrowBlock?, isBinary: Bool
    ) throws -> ArrowSlice.Content {
        let (end, overflow) = rows.upperBound.multipliedReportingOverflow(by: 16)
        guard !overflow else { throw ArrowError.damaged("a column has too many values (\(NumberText.count(rows.upperBound)))") }
        let views = try bytes(buffer, rows.lowerBound * 16..<end)
        let dataCount = try batch.viewBufferCount(of: field)
        let block = try block(rows.count, of: FieldBytes.self)
        let fields = block.elements(of: FieldBytes.self)
        let present = presence?.elements(of: UInt8.self)
        // For each data buffer with strings of these rows: the range that contains the strings, and their total size. If the range has few
        // other bytes, it is read with one call.
        var used: [Int: (start: Int, end: Int, bytes: Int)] = [:]
        for index in 0..<rows.count {
            fields[index] = FieldBytes(start: views.start.assumingMemoryBound(to: UInt8.self) + index * 16 + 4, count: 0)
            guard present.map({ $0[index] != 0 }) ?? true else { continue }
            let length = Int(views.number(Int32.self, index * 4))
            guard length >= 0 else { throw ArrowError.damaged("a string has an invalid length (\(length))") }
            guard length > 12 else {
                fields[index] = FieldBytes(start: fields[index].start, count: length)
                continue
            }
            let (data, offset) = (Int(views.number(Int32.self, index * 4 + 2)), Int(views.number(Int32.self, index * 4 + 3)))
            guard data >= 0, data < dataCount, offset >= 0 else { throw ArrowError.damaged("a string is outside its buffers") }
            var range = used[data] ?? (offset, offset + length, 0)
            range = (min(range.start, offset), max(range.end, offset + length), range.bytes + length)
            used[data] = range
        }
        var owners = [views.owner]
        var blocks: [Int: ArrowBytes] = [:]
        for (data, range) in used where range.end - range.start <= 4 * range.bytes + 65_536 {
            let bytes = try bytes(buffer + 1 + data, range.start..<range.end)
            blocks[data] = bytes
            owners.append(bytes.owner)
        }
        for index in 0..<rows.count where present.map({ $0[index] != 0 }) ?? true {
            let length = Int(views.number(Int32.self, index * 4))
            guard length > 12 else { continue }
            let (data, offset) = (Int(views.number(Int32.self, index * 4 + 2)), Int(views.number(Int32.self, index * 4 + 3)))
            if let bytes = blocks[data], let range = used[data] {
                fields[index] = FieldBytes(
                    start: bytes.start.assumingMemoryBound(to: UInt8.self) + (offset - range.start), count: length)
            } else {
                let bytes = try bytes(buffer + 1 + data, offset..<offset + length)
                owners.append(bytes.owner)
                fields[index] = FieldBytes(start: bytes.start.assumingMemoryBound(to: UInt8.self), count: length)
            }
        }
        return try textContent(block, rows.count, owners: owners, isBinary: isBinary)
    }

    private func lists(_ field: ArrowField, _ buffer: Int, _ rows: Range<Int>, isLong: Bool) throws -> ArrowSlice.Content {
        let offsets = try offsets(buffer, rows.lowerBound..<rows.upperBound + 1, isLong: isLong)
        let range = try range(offsets, rows.count + 1)
        let values = try slice(of: field.children[0], range)
        let block = try block(2 * rows.count, of: Int.self)
        let (ranges, source) = (block.elements(of: Int.self), offsets.elements(of: Int.self))
        for index in 0..<rows.count {
            ranges[2 * index] = source[index] - range.lowerBound
            ranges[2 * index + 1] = source[index + 1] - range.lowerBound
        }
        return .lists(block, values: values)
    }

    private func listViews(
        _ field: ArrowField, _ buffer: Int, _ rows: Range<Int>, _ presence: ArrowBlock?, isLong: Bool
    ) throws -> ArrowSlice.Content {
        let offsets = try offsets(buffer, rows, isLong: isLong)
        let sizes = try self.offsets(buffer + 1, rows, isLong: isLong)
        let (starts, counts) = (offsets.elements(of: Int.self), sizes.elements(of: Int.self))
        let present = presence?.elements(of: UInt8.self)
        let block = try block(2 * rows.count, of: Int.self)
        let ranges = block.elements(of: Int.self)
        var (first, last) = (Int.max, 0)
        for index in 0..<rows.count {
            ranges[2 * index] = 0
            ranges[2 * index + 1] = 0
            guard present.map({ $0[index] != 0 }) ?? true, counts[index] != 0 else { continue }
            let (end, overflow) = starts[index].addingReportingOverflow(counts[index])
            guard starts[index] >= 0, counts[index] > 0, !overflow else { throw ArrowError.damaged("a list has an invalid offset or size") }
            ranges[2 * index] = starts[index]
            ranges[2 * index + 1] = end
            (first, last) = (min(first, starts[index]), max(last, end))
        }
        guard first < last else { return .lists(block, values: try slice(of: field.children[0], 0..<0)) }
        let values = try slice(of: field.children[0], first..<last)
        for index in 0..<rows.count where ranges[2 * index + 1] > 0 {
            ranges[2 * index] -= first
            ranges[2 * index + 1] -= first
        }
        return .lists(block, values: values)
    }

    private func unions(
        _ field: ArrowField, _ buffer: Int, _ rows: Range<Int>, isDense: Bool, _ children: [Int8]
    ) throws -> ArrowSlice.Content {
        let types = try bytes(buffer, rows)
        let numbers = try block(rows.count, of: UInt8.self)
        let indexBlock: ArrowBlock
        if isDense {
            indexBlock = try offsets(buffer + 1, rows, isLong: false)
        } else {
            indexBlock = try block(rows.count, of: Int.self)
            for index in 0..<rows.count { indexBlock.elements(of: Int.self)[index] = rows.lowerBound + index }
        }
        let (number, indexes) = (numbers.elements(of: UInt8.self), indexBlock.elements(of: Int.self))
        var ranges = [(first: Int, last: Int)](repeating: (.max, -1), count: field.children.count)
        for index in 0..<rows.count {
            let code = types.number(UInt8.self, index)
            guard code < 128, children[Int(code)] >= 0, indexes[index] >= 0 else {
                throw ArrowError.damaged("a union value has an invalid type code (\(code))")
            }
            let child = Int(children[Int(code)])
            number[index] = UInt8(child)
            ranges[child] = (min(ranges[child].first, indexes[index]), max(ranges[child].last, indexes[index]))
        }
        var parts: [ArrowSlice] = []
        for (child, range) in zip(field.children, ranges) {
            parts.append(try slice(of: child, range.last < 0 ? 0..<0 : range.first..<range.last + 1))
        }
        for index in 0..<rows.count { indexes[index] -= ranges[Int(number[index])].first }
        return .unions(children: numbers, indexes: indexBlock, parts)
    }

    private func runs(_ field: ArrowField, _ rows: Range<Int>) throws -> ArrowSlice.Content {
        let ends = field.children[0]
        let count = try batch.node(ends.nodeIndex).length
        let buffer = try batch.firstBuffer(of: ends) + 1
        let width = ends.type.width ?? 4
        guard count < 1 << 56 else { throw ArrowError.damaged("a column has \(count) runs") }
        func end(_ run: Int, in bytes: ArrowBytes) -> Int {
            switch width {
            case 2: Int(bytes.number(Int16.self, run))
            case 4: Int(bytes.number(Int32.self, run))
            default: Int(bytes.number(Int64.self, run))
            }
        }
        /// The index of the first run that ends after a row.
        func run(of row: Int) throws -> Int {
            var (low, high) = (0, count)
            while low < high {
                let middle = low + (high - low) / 2
                if end(0, in: try bytes(buffer, middle * width..<(middle + 1) * width)) <= row { low = middle + 1 } else { high = middle }
            }
            return low
        }
        let first = try run(of: rows.lowerBound)
        let last = try run(of: rows.upperBound - 1)
        guard first <= last, last < count else { throw ArrowError.damaged("the runs of a column end too early") }
        let values = try slice(of: field.children[1], first..<last + 1)
        let known = try bytes(buffer, first * width..<(last + 1) * width)
        let block = try block(rows.count, of: UInt32.self)
        let indexes = block.elements(of: UInt32.self)
        var row = rows.lowerBound
        for run in first...last {
            let end = run == last ? rows.upperBound : end(run - first, in: known)
            guard end >= row, end <= rows.upperBound else { throw ArrowError.damaged("a column has run ends in decreasing order") }
            while row < end {
                indexes[row - rows.lowerBound] = UInt32(truncatingIfNeeded: run - first)
                row += 1
            }
        }
        return .runs(block, values: values)
    }
}
