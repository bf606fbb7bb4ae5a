/// The footer of a Parquet file.
struct ParquetMetadata: Sendable {
    var version = 0
    var createdBy = ""
    var schema: [SchemaElement] = []
    var groups: [RowGroup] = []
    var isEncrypted = false
    /// The Arrow schema from which the file was written, in Base64; empty for none.
    var arrowSchema: [UInt8] = []

    /// A group of consecutive rows.
    struct RowGroup: Sendable {
        var rowCount = 0
        /// The column chunks, one for each leaf of the schema.
        var chunks: [ColumnChunk] = []
    }

    /// A group or a leaf of the schema tree, which is stored in depth-first order.
    struct SchemaElement: Sendable {
        var name = ""
        /// The type of a leaf; `nil` for a group.
        var type: PhysicalType?
        var typeLength = 0
        var repetition = Repetition.required
        var childCount = 0
        var converted: Int?
        var scale = 0
        var precision = 0
        var logical: LogicalType?
        /// The type of a leaf that only the Arrow schema of the file declares: a duration or `bool8`.
        var arrowType: ArrowType?
    }

    enum Repetition: Int { case required, optional, repeated }

    enum PhysicalType: Int { case boolean, int32, int64, int96, float, double, bytes, fixed }

    /// The logical types that change how a value is displayed.
    enum LogicalType: Sendable {
        case string, map, list, `enum`, decimal(scale: Int, precision: Int), date
        case time(digits: Int), timestamp(digits: Int, isUTC: Bool), integer(bits: Int, isSigned: Bool)
        case json, bson, uuid, float16, interval, other
    }

    /// The pages of a column in a row group.
    struct ColumnChunk: Sendable {
        var codec = Codec.none
        var valueCount = 0
        /// The file offset of the first page, and the file offset after the last page.
        var start = 0
        var end = 0
        /// The position and size of the offset index, which lists the data pages. The count is 0 without such an index.
        var offsetIndexStart = 0
        var offsetIndexCount = 0
        /// The position and size of the column index, which has the statistics of data pages. The count is 0 without such an index.
        var columnIndexStart = 0
        var columnIndexCount = 0
        var statistics: ParquetStatistics?
        var compressedBytes = 0
        var isElsewhere = false
        var isEncrypted = false
    }

    enum Codec: Int {
        case none, snappy, gzip, lzo, brotli, lz4, zstd, lz4Raw

        var name: String {
            ["none", "Snappy", "gzip", "LZO", "Brotli", "LZ4", "zstd", "LZ4"][rawValue]
        }
    }

    /// - Parameter footer: the bytes of the footer.
    init(_ footer: [UInt8]) throws {
        var reader = ThriftReader(footer)
        var (hasSchema, hasGroups) = (false, false)
        try reader.readStructure { reader, field, kind in
            switch ParquetField.File(rawValue: field) {
            case .version: version = try reader.readInteger(kind)
            case .schema:
                hasSchema = true
                try reader.readList(kind) { reader, kind in schema.append(try SchemaElement(&reader, kind)) }
            case .groups:
                hasGroups = true
                try reader.readList(kind) { reader, kind in groups.append(try RowGroup(&reader, kind)) }
            case .createdBy: createdBy = try reader.readText(kind)
            case .keyValues: try reader.readList(kind) { reader, kind in try readKeyValue(&reader, kind) }
            case .encryption:
                isEncrypted = true
                try reader.skip(kind)
            default: try reader.skip(kind)
            }
        }
        guard hasSchema, hasGroups else { throw ParquetError("its footer has no schema or no list of row groups") }
    }

    private mutating func readKeyValue(_ reader: inout ThriftReader, _ kind: ThriftReader.Kind) throws {
        var (key, value) = ("", ArraySlice<UInt8>())
        try reader.readStructure(kind) { reader, field, kind in
            switch ParquetField.KeyValue(rawValue: field) {
            case .key: key = try reader.readText(kind)
            case .value: value = try reader.readBinary(kind)
            default: try reader.skip(kind)
            }
        }
        if key == "ARROW:schema" { arrowSchema = Array(value) }
    }
}

extension ParquetMetadata.RowGroup {
    init(_ reader: inout ThriftReader, _ kind: ThriftReader.Kind) throws {
        try reader.readStructure(kind) { reader, field, kind in
            switch ParquetField.Group(rawValue: field) {
            case .chunks: try reader.readList(kind) { reader, kind in chunks.append(try ParquetMetadata.ColumnChunk(&reader, kind)) }
            case .rowCount: rowCount = try reader.readInteger(kind)
            default: try reader.skip(kind)
            }
        }
        guard rowCount >= 0 else { throw ParquetError("a row group has a negative number of rows") }
    }
}

extension ParquetMetadata.ColumnChunk {
    init(_ reader: inout ThriftReader, _ kind: ThriftReader.Kind) throws {
        var hasMetadata = false
        try reader.readStructure(kind) { reader, field, kind in
            switch ParquetField.Chunk(rawValue: field) {
            case .path: isElsewhere = try !reader.readText(kind).isEmpty
            case .metadata:
                hasMetadata = true
                try readMetadata(&reader, kind)
            case .offsetIndexStart: offsetIndexStart = try reader.readInteger(kind)
            case .offsetIndexCount: offsetIndexCount = try reader.readInteger(kind)
            case .columnIndexStart: columnIndexStart = try reader.readInteger(kind)
            case .columnIndexCount: columnIndexCount = try reader.readInteger(kind)
            case .encryption:
                isEncrypted = true
                try reader.skip(kind)
            default: try reader.skip(kind)
            }
        }
        guard hasMetadata || isEncrypted else { throw ParquetError("a column has no metadata") }
    }

    private mutating func readMetadata(_ reader: inout ThriftReader, _ kind: ThriftReader.Kind) throws {
        var (dataStart, dictionaryStart) = (0, 0)
        try reader.readStructure(kind) { reader, field, kind in
            switch ParquetField.ChunkMetadata(rawValue: field) {
            case .codec:
                let number = try reader.readInteger(kind)
                guard let codec = ParquetMetadata.Codec(rawValue: number) else {
                    throw ParquetError("a column has an unknown codec (\(number))")
                }
                self.codec = codec
            case .valueCount: valueCount = try reader.readInteger(kind)
            case .compressedBytes: compressedBytes = try reader.readInteger(kind)
            case .dataStart: dataStart = try reader.readInteger(kind)
            case .dictionaryStart: dictionaryStart = try reader.readInteger(kind)
            case .statistics: statistics = try ParquetStatistics(&reader, kind)
            default: try reader.skip(kind)
            }
        }
        start = dictionaryStart > 0 && dictionaryStart < dataStart ? dictionaryStart : dataStart
        guard start >= (valueCount == 0 ? 0 : 4), compressedBytes >= 0, valueCount >= 0,
            !start.addingReportingOverflow(compressedBytes).overflow
        else {
            throw ParquetError("a column has an invalid offset or size")
        }
        end = start + compressedBytes
    }
}

extension ParquetMetadata.SchemaElement {
    init(_ reader: inout ThriftReader, _ kind: ThriftReader.Kind) throws {
        try reader.readStructure(kind) { reader, field, kind in
            switch ParquetField.Element(rawValue: field) {
            case .type:
                let number = try reader.readInteger(kind)
                type = ParquetMetadata.PhysicalType(rawValue: number)
                if type == nil { throw ParquetError("the schema has an unknown type (\(number))") }
            case .typeLength: typeLength = try reader.readInteger(kind)
            case .repetition:
                guard let value = ParquetMetadata.Repetition(rawValue: try reader.readInteger(kind)) else {
                    throw ParquetError("the schema has an unknown repetition type")
                }
                repetition = value
            case .name: name = try reader.readText(kind)
            case .childCount: childCount = try reader.readInteger(kind)
            case .converted: converted = try reader.readInteger(kind)
            case .scale: scale = try reader.readInteger(kind)
            case .precision: precision = try reader.readInteger(kind)
            case .logical: logical = try ParquetMetadata.LogicalType(&reader, kind)
            default: try reader.skip(kind)
            }
        }
        if logical == nil { logical = converted.flatMap(logicalType) }
    }

    /// The type of a leaf as a schema prints it: the logical type if there is one, otherwise the physical type.
    var typeName: String {
        switch arrowType {
        case .duration(let digits): return "duration(\(ColumnDetails.unit(digits)))"
        case .bool8: return "bool8"
        default: break
        }
        switch logical {
        case .string: return "string"
        case .enum: return "enum"
        case .decimal(let scale, let precision): return "decimal(\(precision), \(scale))"
        case .date: return "date"
        case .time(let digits): return "time(\(ColumnDetails.unit(digits)))"
        case .timestamp(let digits, let isUTC): return "timestamp(\(ColumnDetails.unit(digits))\(isUTC ? ", UTC" : ""))"
        case .integer(let bits, let isSigned): return (isSigned ? "int" : "uint") + "\(bits)"
        case .json: return "json"
        case .bson: return "bson"
        case .uuid: return "uuid"
        case .float16: return "float16"
        case .interval: return "interval"
        case .map, .list, .other, nil: break
        }
        return switch type {
        case .boolean: "boolean"
        case .int32: "int32"
        case .int64: "int64"
        case .int96: "int96"
        case .float: "float"
        case .double: "double"
        case .bytes: "binary"
        case .fixed: "binary(\(typeLength))"
        case nil: "group"
        }
    }

    /// The logical type of an older file.
    private func logicalType(_ converted: Int) -> ParquetMetadata.LogicalType? {
        switch ConvertedType(rawValue: converted) {
        case .utf8: .string
        case .map, .mapEntry: .map
        case .list: .list
        case .enum: .enum
        case .decimal: .decimal(scale: scale, precision: precision)
        case .date: .date
        case .timeMilliseconds: .time(digits: 3)
        case .timeMicroseconds: .time(digits: 6)
        case .timestampMilliseconds: .timestamp(digits: 3, isUTC: true)
        case .timestampMicroseconds: .timestamp(digits: 6, isUTC: true)
        case .unsigned8, .unsigned16, .unsigned32, .unsigned64:
            .integer(bits: 8 << (converted - ConvertedType.unsigned8.rawValue), isSigned: false)
        case .signed8, .signed16, .signed32, .signed64:
            .integer(bits: 8 << (converted - ConvertedType.signed8.rawValue), isSigned: true)
        case .json: .json
        case .bson: .bson
        case .interval: .interval
        case nil: nil
        }
    }
}

extension ParquetMetadata.LogicalType {
    /// Reads a union. The number of its only field identifies the type.
    init(_ reader: inout ThriftReader, _ kind: ThriftReader.Kind) throws {
        var type = Self.other
        try reader.readStructure(kind) { reader, field, kind in
            switch ParquetField.Logical(rawValue: field) {
            case .decimal:
                var (scale, precision) = (0, 0)
                try reader.readStructure(kind) { reader, field, kind in
                    switch ParquetField.Decimal(rawValue: field) {
                    case .scale: scale = try reader.readInteger(kind)
                    case .precision: precision = try reader.readInteger(kind)
                    default: try reader.skip(kind)
                    }
                }
                type = .decimal(scale: scale, precision: precision)
            case .time: type = .time(digits: try Self.unit(&reader, kind).digits)
            case .timestamp:
                let (isUTC, digits) = try Self.unit(&reader, kind)
                type = .timestamp(digits: digits, isUTC: isUTC)
            case .integer:
                var (bits, isSigned) = (64, true)
                try reader.readStructure(kind) { reader, field, kind in
                    switch ParquetField.Integer(rawValue: field) {
                    case .bits: bits = try reader.readInteger(kind)
                    case .isSigned: isSigned = try reader.readFlag(kind)
                    default: try reader.skip(kind)
                    }
                }
                type = .integer(bits: bits, isSigned: isSigned)
            default:
                try reader.skip(kind)
                type =
                    switch ParquetField.Logical(rawValue: field) {
                    case .string: .string
                    case .map: .map
                    case .list: .list
                    case .enum: .enum
                    case .date: .date
                    case .json: .json
                    case .bson: .bson
                    case .uuid: .uuid
                    case .float16: .float16
                    default: .other
                    }
            }
        }
        self = type
    }

    /// The unit of a time or timestamp.
    private static func unit(_ reader: inout ThriftReader, _ kind: ThriftReader.Kind) throws -> (isUTC: Bool, digits: Int) {
        var (isUTC, digits) = (false, 6)
        try reader.readStructure(kind) { reader, field, kind in
            switch ParquetField.Time(rawValue: field) {
            case .isUTC: isUTC = try reader.readFlag(kind)
            case .unit:
                try reader.readStructure(kind) { reader, field, kind in
                    if let unit = ParquetField.Unit(rawValue: field) { digits = unit.digits }
                    try reader.skip(kind)
                }
            default: try reader.skip(kind)
            }
        }
        return (isUTC, digits)
    }
}

struct PageHeader {
    enum Kind: Int { case data, index, dictionary, dataV2 }

    enum Encoding: Int {
        case plain = 0, plainDictionary = 2, runs = 3, bitPacked = 4, deltas = 5, deltaLengths = 6, deltaTexts = 7, dictionary = 8,
            byteStreamSplit = 9
    }

    /// The maximum number of bytes of a page.
    static let maximumBytes = 1 << 30

    /// The kind of the page; `nil` if it is unknown.
    var kind: Kind?
    var uncompressedBytes = -1
    var compressedBytes = -1
    var checksum: UInt32?
    var valueCount = -1
    var encoding = Encoding.plain
    var definitionEncoding = Encoding.runs
    var repetitionEncoding = Encoding.runs
    /// The number of rows in a page of version 2; -1 for other pages.
    var rowCount = -1
    /// The number of bytes of the levels in a page of version 2.
    var definitionBytes = 0
    var repetitionBytes = 0
    /// False if the values in a page of version 2 are not compressed.
    var isCompressed = true
    /// The number of bytes of the header.
    private(set) var headerBytes = 0

    /// The number of bytes of the header and the page.
    var totalBytes: Int { headerBytes + compressedBytes }
    var isData: Bool { kind == .data || kind == .dataV2 }

    /// Creates the header of a dictionary page, or of a data page of version 1.
    init(
        _ kind: Kind, valueCount: Int, encoding: Encoding, uncompressedBytes: Int, compressedBytes: Int, checksum: UInt32
    ) {
        (self.kind, self.valueCount, self.encoding) = (kind, valueCount, encoding)
        (self.uncompressedBytes, self.compressedBytes, self.checksum) = (uncompressedBytes, compressedBytes, checksum)
    }

    /// Parses a header.
    /// - Parameter bytes: the first bytes of a page.
    /// - Throws: ``ParquetError``, with `isCutOff` if there are too few bytes.
    init(_ bytes: [UInt8]) throws {
        var reader = ThriftReader(bytes)
        try reader.readStructure { reader, field, type in
            switch ParquetField.Page(rawValue: field) {
            case .kind: kind = Kind(rawValue: try reader.readInteger(type))
            case .uncompressedBytes: uncompressedBytes = try reader.readInteger(type)
            case .compressedBytes: compressedBytes = try reader.readInteger(type)
            case .checksum: checksum = UInt32(truncatingIfNeeded: try reader.readInteger(type))
            case .data:
                try reader.readStructure(type) { reader, field, type in
                    switch ParquetField.DataPage(rawValue: field) {
                    case .valueCount: valueCount = try reader.readInteger(type)
                    case .encoding: encoding = try Self.encoding(&reader, type)
                    case .definitionEncoding: definitionEncoding = try Self.encoding(&reader, type)
                    case .repetitionEncoding: repetitionEncoding = try Self.encoding(&reader, type)
                    default: try reader.skip(type)
                    }
                }
            case .dictionary:
                try reader.readStructure(type) { reader, field, type in
                    switch ParquetField.DictionaryPage(rawValue: field) {
                    case .valueCount: valueCount = try reader.readInteger(type)
                    case .encoding: encoding = try Self.encoding(&reader, type)
                    default: try reader.skip(type)
                    }
                }
            case .dataV2:
                try reader.readStructure(type) { reader, field, type in
                    switch ParquetField.DataPageV2(rawValue: field) {
                    case .valueCount: valueCount = try reader.readInteger(type)
                    case .rowCount: rowCount = try reader.readInteger(type)
                    case .encoding: encoding = try Self.encoding(&reader, type)
                    case .definitionBytes: definitionBytes = try reader.readInteger(type)
                    case .repetitionBytes: repetitionBytes = try reader.readInteger(type)
                    case .isCompressed: isCompressed = try reader.readFlag(type)
                    default: try reader.skip(type)
                    }
                }
            default: try reader.skip(type)
            }
        }
        headerBytes = reader.position
        let sizes = 0...Int(Int32.max)
        guard sizes.contains(uncompressedBytes), sizes.contains(compressedBytes) else {
            throw ParquetError("a page has an invalid size")
        }
        guard kind == nil || kind == .index || (0...Int(Int32.max)).contains(valueCount) else {
            throw ParquetError("a page has an invalid number of values")
        }
        guard definitionBytes >= 0, repetitionBytes >= 0,
            definitionBytes <= compressedBytes, repetitionBytes <= compressedBytes - definitionBytes
        else { throw ParquetError("a page has levels of an invalid size") }
    }

    /// - Throws: ``ParquetError`` if the page is larger than ``maximumBytes``.
    func checkSize() throws {
        guard max(uncompressedBytes, compressedBytes) <= Self.maximumBytes else {
            throw ParquetError.tooLarge("a page is larger than 1 GiB")
        }
    }

    private static func encoding(_ reader: inout ThriftReader, _ kind: ThriftReader.Kind) throws -> Encoding {
        let number = try reader.readInteger(kind)
        guard let encoding = Encoding(rawValue: number) else { throw ParquetError("a page has an unknown encoding (\(number))") }
        return encoding
    }
}
