import FieldValues
public import Tables

/// Writes Arrow files, which are also Feather files of version 2. Each batch is a record batch.
///
/// | type | Arrow type |
/// | --- | --- |
/// | integer, double, float, flag, text, binary | int64, double, float, bool, utf8, binary |
/// | decimal, wideDecimal | decimal128 of 18 or 38 digits |
/// | date, dateTime, time | date32, timestamp and time64 in microseconds or nanoseconds |
/// | nested | list, fixed_size_list, map and struct; their members keep the declared types |
///
/// Columns of JSON text have the extension type `arrow.json`.
public struct ArrowOutputFormat: WritableFormat {
    /// Creates the format.
    public init() {}

    /// The name used with `--output`: `arrow`.
    public var name: String { "arrow" }
    /// The title in messages: `Arrow`.
    public var title: String { "Arrow" }
    /// The suffixes of Arrow and Feather.
    public var suffixes: [String] { ["arrow", "feather"] }

    /// Always `true`, because Arrow can store every nested type.
    public func canWrite(_ type: NestedType) -> Bool { true }

    /// Starts a file.
    public func makeWriter(
        _ columns: [WrittenColumn], rowCount: Int, table: String, to output: @escaping FileOutput
    ) throws -> any TableWriter { try ArrowTableWriter(columns, output) }
}

private struct ArrowTableWriter: TableWriter {
    private let columns: [WrittenColumn]
    private let output: FileOutput
    private var buffers: [ArrowColumnBuffers]
    /// The buffers of nested columns; `nil` for other columns.
    private let nested: [NestedArrowBuffers?]
    /// The number of bytes written.
    private var offset = 0
    private var blocks: [Int64] = []

    init(_ columns: [WrittenColumn], _ output: @escaping FileOutput) throws {
        (self.columns, self.output) = (columns, output)
        buffers = columns.map { ArrowColumnBuffers($0.type) }
        nested = columns.map { column in
            guard case .nested(let type) = column.type else { return nil }
            return NestedArrowBuffers(NestedField(column.name, type, isOptional: column.hasNulls), column: column.name)
        }
        try put(ArrowFile.magic + [0, 0])
        var builder = FlatBuilder()
        let schema = self.schema(&builder)
        try put(Self.message(&builder, kind: ArrowMessage.schema, header: schema, bodyBytes: 0))
    }

    private mutating func put(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try output($0) }
        offset += bytes.count
    }

    /// Writes bytes, and zeros up to a multiple of 8.
    private mutating func putPadded(_ bytes: [UInt8]) throws {
        try put(bytes)
        let rest = (8 - offset % 8) % 8
        if rest > 0 { try put([UInt8](repeating: 0, count: rest)) }
    }

    private func schema(_ builder: inout FlatBuilder) -> Int {
        var positions: [Int] = []
        for (column, nested) in zip(columns, nested) {
            if let nested {
                positions.append(nested.schema(&builder))
                continue
            }
            let (code, type): (UInt8, Int)
            switch column.type {
            case .integer: (code, type) = (2, builder.addTable([(0, .int(64)), (1, .byte(1))]))
            case .double: (code, type) = (3, builder.addTable([(0, .short(2))]))
            case .float: (code, type) = (3, builder.addTable([(0, .short(1))]))
            case .binary, .nested: (code, type) = (4, builder.addTable([]))
            case .text: (code, type) = (5, builder.addTable([]))
            case .flag: (code, type) = (6, builder.addTable([]))
            case .decimal(let scale): (code, type) = (7, builder.addTable([(0, .int(18)), (1, .int(Int32(scale))), (2, .int(128))]))
            case .wideDecimal(let scale): (code, type) = (7, builder.addTable([(0, .int(38)), (1, .int(Int32(scale))), (2, .int(128))]))
            case .date: (code, type) = (8, builder.addTable([(0, .short(0))]))
            case .time(let digits): (code, type) = (9, builder.addTable([(0, .short(Self.unit(digits))), (1, .int(64))]))
            case .dateTime(let digits, true):
                let zone = builder.addText("UTC")
                (code, type) = (10, builder.addTable([(0, .short(Self.unit(digits))), (1, .object(zone))]))
            case .dateTime(let digits, false): (code, type) = (10, builder.addTable([(0, .short(Self.unit(digits)))]))
            }
            let name = builder.addText(column.name)
            let children = builder.addReferences(to: [])
            var members: [(number: Int, value: FlatBuilder.Value)] = [
                (0, .object(name)), (1, .byte(column.hasNulls ? 1 : 0)), (2, .byte(code)), (3, .object(type)), (5, .object(children)),
            ]
            if column.isJSON { members.append((number: 6, value: .object(builder.extensionMetadata("arrow.json")))) }
            positions.append(builder.addTable(members))
        }
        let list = builder.addReferences(to: positions)
        return builder.addTable([(0, .short(0)), (1, .object(list))])
    }

    /// The code of a unit of time in Arrow: 3 for nanoseconds, 2 for microseconds.
    private static func unit(_ digits: Int) -> Int16 { digits > 6 ? 3 : 2 }

    /// The bytes of a message before its body.
    private static func message(_ builder: inout FlatBuilder, kind: UInt8, header: Int, bodyBytes: Int) -> [UInt8] {
        let root = builder.addTable([(0, .short(4)), (1, .byte(kind)), (2, .object(header)), (3, .long(Int64(bodyBytes)))])
        let metadata = builder.finish(root)
        return [0xFF, 0xFF, 0xFF, 0xFF] + (0..<4).map { UInt8(truncatingIfNeeded: metadata.count >> (8 * $0)) } + metadata
    }

    mutating func write(_ batch: ColumnBatch) throws {
        var (nodes, entries) = ([Int64](), [Int64]())
        var length = 0
        func addBuffer(byteCount count: Int) {
            entries += [Int64(length), Int64(count)]
            length += (count + 7) / 8 * 8
        }
        for (index, vector) in batch.columns.enumerated() {
            if let nested = nested[index] {
                try nested.fill(vector, count: batch.count)
                nested.forEach { part in
                    nodes += [Int64(part.count), Int64(part.nullCount)]
                    for buffer in part.buffers { addBuffer(byteCount: buffer.count) }
                }
                continue
            }
            buffers[index].fill(vector, count: batch.count)
            nodes += [Int64(batch.count), Int64(buffers[index].nullCount)]
            addBuffer(byteCount: buffers[index].validity.count)
            if buffers[index].hasOffsets { addBuffer(byteCount: buffers[index].offsets.count) }
            addBuffer(byteCount: buffers[index].values.count)
        }
        var builder = FlatBuilder()
        let nodeList = builder.addStructures(nodes, size: 2)
        let bufferList = builder.addStructures(entries, size: 2)
        let header = builder.addTable([(0, .long(Int64(batch.count))), (1, .object(nodeList)), (2, .object(bufferList))])
        let metadata = Self.message(&builder, kind: ArrowMessage.recordBatch, header: header, bodyBytes: length)
        blocks += [Int64(offset), Int64(metadata.count), Int64(length)]
        try put(metadata)
        for (column, nested) in zip(buffers, nested) {
            if let nested {
                try nested.forEach { for buffer in $0.buffers { try putPadded(buffer) } }
                continue
            }
            try putPadded(column.validity)
            if column.hasOffsets { try putPadded(column.offsets) }
            try putPadded(column.values)
        }
    }

    mutating func finish() throws {
        try put([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
        var footer = FlatBuilder()
        let schema = self.schema(&footer)
        let entries = footer.addStructures(blocks, size: 3)
        let root = footer.addTable([(0, .short(4)), (1, .object(schema)), (3, .object(entries))])
        let bytes = footer.finish(root)
        try put(bytes)
        try put((0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + ArrowFile.magic)
    }
}

/// The buffers to write for a column without nested values, for one record batch.
private struct ArrowColumnBuffers {
    private let type: WrittenType
    /// The number of missing values.
    private(set) var nullCount = 0
    /// One bit for each value, 0 for a missing one; empty if no value is missing.
    private(set) var validity: [UInt8] = []
    private(set) var offsets: [UInt8] = []
    private(set) var values: [UInt8] = []

    init(_ type: WrittenType) { self.type = type }

    var hasOffsets: Bool { type == .text || type == .binary }

    /// Replaces the content of all buffers with the values of a vector. Missing values are written as zeros.
    mutating func fill(_ vector: ColumnVector, count: Int) {
        nullCount = 0
        validity.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        let presence = vector.presence
        if let presence {
            putBits(count, to: \.validity) { presence[$0] != 0 }
            for index in 0..<count where presence[index] == 0 { nullCount += 1 }
            if nullCount == 0 { validity.removeAll(keepingCapacity: true) }
        }
        switch vector.values {
        case .integers(let numbers, _):
            if case .decimal = type { put(count) { Int128(numbers[$0]) } } else { put(count) { numbers[$0] } }
        case .dates(let days): put(count) { Int32(truncatingIfNeeded: days[$0]) }
        case .dateTimes(let numbers, _, _), .times(let numbers, _): put(count) { numbers[$0] }
        case .doubles(let numbers):
            if type == .float { put(count) { Float(numbers[$0]).bitPattern } } else { put(count) { numbers[$0].bitPattern } }
        case .flags(let flags): putBits(count, to: \.values) { flags[$0] != 0 }
        case .texts(let texts):
            guard hasOffsets else {
                put(count) { Self.number(texts[$0]) }
                break
            }
            append(Int32(0), to: &offsets)
            for index in 0..<count {
                values.append(contentsOf: texts[index].bytes)
                // The offsets fit in 32 bits: a batch has not much more than 64 MiB of strings, and a single field has less than 2 GiB.
                append(Int32(clamping: values.count), to: &offsets)
            }
        case .floats, .codes: break
        }
    }

    private mutating func putBits(_ count: Int, to target: WritableKeyPath<Self, [UInt8]>, _ bit: (Int) -> Bool) {
        for start in stride(from: 0, to: count, by: 8) {
            var byte: UInt8 = 0
            for index in start..<min(count, start + 8) where bit(index) { byte |= 1 << UInt8(index - start) }
            self[keyPath: target].append(byte)
        }
    }

    private mutating func put(_ count: Int, _ number: (Int) -> some FixedWidthInteger) {
        for index in 0..<count { append(number(index), to: &values) }
    }

    private func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// The digits of a decimal number as an integer, without the decimal point.
    private static func number(_ text: FieldBytes) -> Int128 {
        var number: Int128 = 0
        for byte in text.bytes where byte &- 0x30 < 10 { number = number &* 10 &+ Int128(byte &- 0x30) }
        return text.bytes.first == UInt8(ascii: "-") ? 0 &- number : number
    }
}
