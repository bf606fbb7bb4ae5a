import CDrivers
import EngineProtocol

/// A column of a driver's batch. Its counts, buffers, offsets and dictionary indexes are validated.
///
/// Arrow does not report the sizes of most buffers, so the driver must be trusted. That is one reason why drivers run in the helper
/// process.
struct ADBCColumn {
    let type: ADBCType
    let length: Int
    /// The index of this column's first row in the buffers.
    private let offset: Int
    /// One bit for each row; `nil` if no row is NULL.
    private let validity: UnsafePointer<UInt8>?
    /// The second buffer of the Arrow array: values, offsets or views.
    private let data: UnsafeRawPointer?
    /// The third buffer of the Arrow array: the bytes of text or binary values.
    private let valueBytes: UnsafeRawPointer?
    /// The buffers of long values in a column of Arrow views, which store only short values themselves; otherwise empty.
    private let buffers: [UnsafeRawPointer?]
    /// The size of each of ``buffers`` in bytes.
    private let bufferSizes: UnsafePointer<Int64>?
    private let children: [ADBCColumn]
    /// The values of a dictionary, as one column; empty without a dictionary.
    private let dictionary: [ADBCColumn]

    private static let maximumRows = 1 << 31
    /// The number of bytes after which no further elements are added to the text of a nested value. The batch then cuts the value, and
    /// records its length.
    private static let nestedBytes = EngineLimits.maximumCellValueBytes

    /// Creates a column from an Arrow array, and validates the array.
    /// - Throws: ``DriverFailure``.
    init(_ type: ADBCType, _ pointer: UnsafePointer<gv_arrow_array>?) throws(DriverFailure) {
        guard let array = pointer?.pointee, array.release != nil, array.length >= 0, array.offset >= 0, array.length < Self.maximumRows,
            array.offset < Self.maximumRows, array.buffer_count >= 0, array.buffer_count < 1 << 16,
            array.buffer_count == 0 || array.buffers != nil,
            array.child_count == type.children.count, array.child_count == 0 || array.children != nil,
            (array.dictionary != nil) == (type.dictionary != nil)
        else { throw ADBCType.malformedDataFailure("a batch") }
        self.type = type
        length = Int(array.length)
        offset = Int(array.offset)
        let end = length + offset
        let count = Int(array.buffer_count)
        let buffers = (0..<count).map { UnsafeRawPointer(array.buffers[$0]) }
        let expected: ClosedRange<Int> =
            switch type.kind {
            case .null: 0...0
            case .structure, .fixedList: 1...1
            case .text, .binary: 3...3
            case .view: 3...1 << 16
            default: 2...2
            }
        guard expected.contains(count) else { throw ADBCType.malformedDataFailure("a batch") }
        validity = count > 0 ? buffers[0]?.assumingMemoryBound(to: UInt8.self) : nil
        guard validity != nil || array.null_count <= 0 || type.kind == .null else { throw ADBCType.malformedDataFailure("a batch") }
        let data = count > 1 ? buffers[1] : nil
        guard data != nil || end == 0 || count < 2 else { throw ADBCType.malformedDataFailure("a batch") }
        self.data = data
        valueBytes = count > 2 ? buffers[2] : nil
        if case .view = type.kind {
            self.buffers = Array(buffers[2..<(count - 1)])
            bufferSizes = buffers[count - 1]?.assumingMemoryBound(to: Int64.self)
            guard bufferSizes != nil || count == 3 else { throw ADBCType.malformedDataFailure("a batch") }
        } else {
            self.buffers = []
            bufferSizes = nil
        }
        var children: [ADBCColumn] = []
        for (index, child) in type.children.enumerated() { children.append(try ADBCColumn(child, array.children[index])) }
        self.children = children
        dictionary = try type.dictionary.map { kind throws(DriverFailure) in [try ADBCColumn(kind, array.dictionary)] } ?? []
        try checkOffsets(end)
    }

    /// Checks all offsets and indexes in advance, so that reading a cell needs no checks.
    private func checkOffsets(_ end: Int) throws(DriverFailure) {
        switch type.kind {
        case .text(let isWide), .binary(let isWide), .list(let isWide):
            var previous = Int64(0)
            for index in offset..<(end + 1) where end > 0 {
                let next = valueOffset(index, isWide: isWide)
                guard next >= previous else { throw ADBCType.malformedDataFailure("offsets") }
                previous = next
            }
            if case .list = type.kind {
                guard previous <= children[0].length else { throw ADBCType.malformedDataFailure("offsets") }
            } else {
                guard previous == 0 || valueBytes != nil else { throw ADBCType.malformedDataFailure("a batch") }
            }
        case .map:
            var previous = Int64(0)
            for index in offset..<(end + 1) where end > 0 {
                let next = valueOffset(index, isWide: false)
                guard next >= previous else { throw ADBCType.malformedDataFailure("offsets") }
                previous = next
            }
            guard previous <= children[0].length else { throw ADBCType.malformedDataFailure("offsets") }
        case .fixedList(let count):
            guard end.multipliedReportingOverflow(by: count) <= (children[0].length, false) else {
                throw ADBCType.malformedDataFailure("a list")
            }
        case .structure:
            guard children.allSatisfy({ $0.length >= end }) else { throw ADBCType.malformedDataFailure("a struct") }
        case .view:
            for index in 0..<length where !isNull(index) {
                guard viewBytes(index) != nil else { throw ADBCType.malformedDataFailure("a view") }
            }
        default:
            guard let dictionary = dictionary.first else { break }
            for index in 0..<length where !isNull(index) {
                guard let code = integer(index), code >= 0, code < dictionary.length else {
                    throw ADBCType.malformedDataFailure("a dictionary index")
                }
            }
        }
    }

    private func valueOffset(_ index: Int, isWide: Bool) -> Int64 {
        guard let data else { return 0 }
        return isWide
            ? data.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
            : Int64(data.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
    }

    func isNull(_ row: Int) -> Bool {
        if type.kind == .null { return true }
        guard let validity else { return false }
        let index = row + offset
        return validity[index >> 3] & (1 << (index & 7)) == 0
    }

    /// The value of an integer column of any width; `nil` if the value does not fit into a signed 64-bit integer.
    private func integer(_ row: Int) -> Int64? {
        guard let data else { return nil }
        let index = row + offset
        switch type.kind {
        case .signed(1): return Int64(data.load(fromByteOffset: index, as: Int8.self))
        case .signed(2): return Int64(data.loadUnaligned(fromByteOffset: index * 2, as: Int16.self))
        case .signed(4): return Int64(data.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
        case .signed: return data.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
        case .unsigned(1): return Int64(data.load(fromByteOffset: index, as: UInt8.self))
        case .unsigned(2): return Int64(data.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
        case .unsigned(4): return Int64(data.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
        case .unsigned: return Int64(exactly: data.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        default: return nil
        }
    }

    private func viewBytes(_ row: Int) -> UnsafeRawBufferPointer? {
        guard let view = data.map({ $0 + (row + offset) * 16 }) else { return nil }
        let count = Int(view.loadUnaligned(as: Int32.self))
        guard count >= 0 else { return nil }
        if count <= 12 { return UnsafeRawBufferPointer(start: view + 4, count: count) }
        let buffer = Int(view.loadUnaligned(fromByteOffset: 8, as: Int32.self))
        let start = Int64(view.loadUnaligned(fromByteOffset: 12, as: Int32.self))
        guard buffer >= 0, buffer < buffers.count, let address = buffers[buffer], let bufferSizes, start >= 0,
            start + Int64(count) <= bufferSizes[buffer]
        else {
            return nil
        }
        return UnsafeRawBufferPointer(start: address + Int(start), count: count)
    }

    private func bytes(_ row: Int) -> UnsafeRawBufferPointer? {
        switch type.kind {
        case .text(let isWide), .binary(let isWide):
            let start = valueOffset(row + offset, isWide: isWide)
            let count = Int(valueOffset(row + offset + 1, isWide: isWide) - start)
            return UnsafeRawBufferPointer(start: count == 0 ? nil : valueBytes.map { $0 + Int(start) }, count: count)
        case .view: return viewBytes(row)
        case .fixedBinary(let count): return data.map { UnsafeRawBufferPointer(start: $0 + (row + offset) * count, count: count) }
        default: return nil
        }
    }

    // MARK: Cells

    /// Appends the value of a row to the batch.
    func append(_ row: Int, to batch: inout RowBatchWriter) {
        if isNull(row) { return batch.appendNull() }
        if let values = dictionary.first {
            guard let index = integer(row) else { return batch.appendNull() }
            return values.append(Int(index), to: &batch)
        }
        if let bytes = bytes(row) {
            switch type.kind {
            case .text, .view(isText: true): batch.append(bytes, .text)
            default: batch.append(bytes, .blob)
            }
            return
        }
        var text = text(row)
        let kind: RowBatch.CellKind =
            switch type.kind {
            case .signed, .unsigned: .integer
            case .floating: .real
            default: .text
            }
        text.withUTF8 { batch.append(UnsafeRawBufferPointer($0), kind) }
    }

    /// The text of a value that is neither text nor binary.
    private func text(_ row: Int) -> String {
        // Structures and fixed-size lists have no data buffer. Their text does not need it, so any pointer that is not null serves.
        guard let data = data ?? (children.isEmpty ? nil : UnsafeRawPointer(bitPattern: 1)) else { return "" }
        let index = row + offset
        switch type.kind {
        case .boolean:
            return data.load(fromByteOffset: index >> 3, as: UInt8.self) & (1 << (index & 7)) != 0 ? "true" : "false"
        case .signed: return String(integer(row) ?? 0)
        case .unsigned(8): return String(data.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        case .unsigned: return String(integer(row) ?? 0)
        case .floating(2):
            return ADBCText.number(Double(ADBCText.float(fromHalf: data.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))))
        case .floating(4): return ADBCText.number(data.loadUnaligned(fromByteOffset: index * 4, as: Float.self))
        case .floating: return ADBCText.number(data.loadUnaligned(fromByteOffset: index * 8, as: Double.self))
        case .decimal(let count, _, let scale):
            return ADBCText.decimal(UnsafeRawBufferPointer(start: data + index * count, count: count), scale: scale)
        case .days: return ADBCText.date(days: Int64(data.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)))
        case .dayMilliseconds:
            let value = data.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
            return ADBCText.date(days: ADBCText.divided(value, 86_400_000).quotient)
        case .time(let count, let ticksPerSecond):
            let value =
                count == 4
                ? Int64(data.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
                : data.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
            return ADBCText.time(value, ticksPerSecond: ticksPerSecond)
        case .timestamp(let ticksPerSecond, let zone):
            // Values with a zone are in UTC; the zone is only a display hint.
            return ADBCText.timestamp(data.loadUnaligned(fromByteOffset: index * 8, as: Int64.self), ticksPerSecond: ticksPerSecond)
                + (zone.isEmpty ? "" : "+00")
        case .duration(let ticksPerSecond):
            return ADBCText.duration(data.loadUnaligned(fromByteOffset: index * 8, as: Int64.self), ticksPerSecond: ticksPerSecond)
        case .months: return "P\(data.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))M"
        case .daysAndMilliseconds:
            let days = data.loadUnaligned(fromByteOffset: index * 8, as: Int32.self)
            return "P\(days)D"
                + ADBCText.duration(Int64(data.loadUnaligned(fromByteOffset: index * 8 + 4, as: Int32.self)), ticksPerSecond: 1_000)
                .dropFirst()
        case .monthsDaysNanoseconds:
            let months = data.loadUnaligned(fromByteOffset: index * 16, as: Int32.self)
            let days = data.loadUnaligned(fromByteOffset: index * 16 + 4, as: Int32.self)
            let rest = ADBCText.duration(data.loadUnaligned(fromByteOffset: index * 16 + 8, as: Int64.self), ticksPerSecond: 1_000_000_000)
                .dropFirst()
            return "P\(months)M\(days)D\(rest)"
        case .list(let isWide): return nestedText(Int(valueOffset(index, isWide: isWide))..<Int(valueOffset(index + 1, isWide: isWide)))
        case .fixedList(let count): return nestedText(index * count..<(index + 1) * count)
        case .map, .structure:
            var text = ""
            appendJSON(row, to: &text)
            return text
        case .null, .text, .binary, .view, .fixedBinary: return ""
        }
    }

    private func nestedText(_ range: Range<Int>) -> String {
        var text = ""
        appendList(range, to: &text)
        return text
    }

    private func appendList(_ range: Range<Int>, to text: inout String) {
        text += "["
        for index in range {
            if index > range.lowerBound { text += "," }
            guard text.utf8.count < Self.nestedBytes else {
                text += "…"
                break
            }
            children[0].appendJSON(index, to: &text)
        }
        text += "]"
    }

    /// Appends the value as JSON.
    private func appendJSON(_ row: Int, to text: inout String) {
        if isNull(row) {
            text += "null"
            return
        }
        if let values = dictionary.first, let index = integer(row) { return values.appendJSON(Int(index), to: &text) }
        switch type.kind {
        case .list(let isWide):
            appendList(Int(valueOffset(row + offset, isWide: isWide))..<Int(valueOffset(row + offset + 1, isWide: isWide)), to: &text)
        case .fixedList(let count): appendList((row + offset) * count..<(row + offset + 1) * count, to: &text)
        case .structure:
            text += "{"
            for (index, child) in children.enumerated() {
                text += (index == 0 ? "" : ",") + ADBCText.quoted(child.type.name) + ":"
                child.appendJSON(row + offset, to: &text)
            }
            text += "}"
        case .map:
            text += "{"
            let range = Int(valueOffset(row + offset, isWide: false))..<Int(valueOffset(row + offset + 1, isWide: false))
            let entries = children[0]
            for index in range {
                if index > range.lowerBound { text += "," }
                guard text.utf8.count < Self.nestedBytes else {
                    text += "…"
                    break
                }
                var key = ""
                entries.children[0].appendJSON(index + entries.offset, to: &key)
                text += (key.hasPrefix("\"") ? key : ADBCText.quoted(key)) + ":"
                entries.children[1].appendJSON(index + entries.offset, to: &text)
            }
            text += "}"
        case .boolean, .signed, .unsigned, .floating, .decimal: text += self.text(row)
        case .text, .view(isText: true): text += ADBCText.quoted(bytes(row).map { String(decoding: $0, as: UTF8.self) } ?? "")
        case .binary, .view, .fixedBinary: text += ADBCText.quoted(bytes(row).map(ADBCText.hexadecimal) ?? "")
        default: text += ADBCText.quoted(self.text(row))
        }
    }
}

/// True if a product is at most a limit and did not overflow.
private func <= (product: (partialValue: Int, overflow: Bool), limit: (Int, Bool)) -> Bool {
    !product.overflow && product.partialValue <= limit.0
}
