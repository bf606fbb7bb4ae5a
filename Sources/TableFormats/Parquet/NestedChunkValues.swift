import FieldValues
import Tables

/// The values of a nested column in the current row group, split into the values and levels of its leaves.
///
/// In the schema, the elements of a list have the path `list.element`. The keys and values of a map have the paths `key_value.key` and
/// `key_value.value`. The algorithm is that of Melnik et al., "Dremel: Interactive Analysis of Web-Scale Datasets" (2010).
final class NestedChunkValues: WrittenChunks {
    let elements: [ParquetMetadata.SchemaElement]
    let leaves: [ChunkValues]
    private let name: String
    private let node: NestedNode
    /// The type of each leaf.
    private let types: [StoredType]

    /// The maximum number of levels of a schema, as in ``ParquetSchema``.
    private static let maximumDepth = 64

    /// - Parameter name: the name of the column in the file, which no other column has.
    init(_ column: WrittenColumn, _ type: NestedType, name: String) throws {
        self.name = column.name
        var builder = SchemaBuilder()
        builder.add(NestedField(name, type, isOptional: column.hasNulls), path: [])
        (elements, types) = (builder.elements, builder.leaves.map(\.type))
        var root = ParquetMetadata.SchemaElement()
        root.childCount = 1
        // Readers derive the same levels from the schema.
        let schema = try ParquetSchema([root] + elements)
        guard let node = schema.nestedColumns.first?.node, node.leaves == builder.leaves.indices else {
            throw FormatError("Cannot write column “\(column.name)” as Parquet: its type is not supported. Leave out the column.")
        }
        self.node = node
        leaves = zip(schema.leaves, builder.leaves).map { leaf, written in
            ChunkValues(WrittenLeaf(column, written.element, path: written.path, leaf))
        }
    }

    /// True if Parquet can store a type: structures need fields, and the depth is limited.
    static func canWrite(_ type: NestedType) -> Bool { depth(of: type).map { $0 < maximumDepth } ?? false }

    /// The number of levels of the schema; `nil` for a type that Parquet cannot store.
    private static func depth(of type: NestedType) -> Int? {
        switch type {
        case .value(.fixedBinary(let width, _)): (1...1 << 20).contains(width) ? 1 : nil
        case .value: 1
        case .list(let element, _): depth(of: element.type).map { $0 + 2 }
        case .map(let key, let value): depth(of: key.type).flatMap { key in depth(of: value.type).map { max(key, $0) + 2 } }
        case .structure(let fields):
            fields.isEmpty
                ? nil
                : fields.reduce(0) { depth, field in
                    depth.flatMap { depth in self.depth(of: field.type).map { max(depth, $0 + 1) } }
                }
        }
    }

    // MARK: Appending

    var minimumRowBytes: Int { leaves.count * 2 }

    func addSizes(_ vector: ColumnVector, _ rows: Range<Int>, to sizes: UnsafeMutablePointer<Int>) throws {
        let texts = try texts(vector)
        for row in rows { sizes[row &- rows.lowerBound] &+= texts[row].count }
    }

    func append(_ vector: ColumnVector, _ rows: Range<Int>) throws -> Int {
        let texts = try texts(vector)
        let before = leaves.reduce(0) { $0 + $1.usedBytes }
        var counted = rows.count * minimumRowBytes
        for row in rows {
            let isPresent = vector.presence.map { $0[row] != 0 } ?? true
            let value = isPresent ? texts[row] : .missing
            counted += value.count
            var reader = NestedValueReader(value)
            try append(node, value.isMissing ? NestedMarker.null : reader.readMarker(), &reader, repetition: 0)
            for leaf in leaves { leaf.endRow() }
        }
        return max(0, leaves.reduce(0) { $0 + $1.usedBytes } - before - counted)
    }

    private func texts(_ vector: ColumnVector) throws -> UnsafePointer<FieldBytes> {
        guard case .texts(let texts) = vector.values else { throw mismatchError }
        return texts
    }

    private var mismatchError: FormatError {
        FormatError("Cannot write column “\(name)”: a value no longer has the type of the column. Reload the file to try again.")
    }

    /// Appends the entries of a value.
    /// - Parameters:
    ///   - marker: the first byte of the value, which the caller has already read.
    ///   - repetition: the repetition level of its first entry.
    private func append(_ node: NestedNode, _ marker: UInt8?, _ reader: inout NestedValueReader, repetition: Int) throws {
        if marker == NestedMarker.null { return appendEmpty(node, repetition: repetition, definition: node.definition - 1) }
        guard marker == NestedMarker.present else { throw mismatchError }
        switch node.shape {
        case .value: try appendValue(node.leaves.lowerBound, &reader, repetition: repetition)
        case .structure(_, _, let fields):
            for field in fields { try append(field, reader.readMarker(), &reader, repetition: repetition) }
        case .list(let element): try appendElements(node, &reader, repetition: repetition) { try append(element, $0, &$1, repetition: $2) }
        case .map(let key, let value):
            try appendElements(node, &reader, repetition: repetition) { marker, reader, repetition in
                try append(key, marker, &reader, repetition: repetition)
                if let value { try append(value, reader.readMarker(), &reader, repetition: repetition) }
            }
        }
    }

    private func appendElements(
        _ node: NestedNode, _ reader: inout NestedValueReader, repetition: Int,
        _ append: (_ marker: UInt8, _ reader: inout NestedValueReader, _ repetition: Int) throws -> Void
    ) throws {
        var isEmpty = true
        while true {
            guard let marker = reader.readMarker() else { throw mismatchError }
            guard marker != NestedMarker.end else { break }
            try append(marker, &reader, isEmpty ? repetition : node.elementRepetition)
            isEmpty = false
        }
        if isEmpty { appendEmpty(node, repetition: repetition, definition: node.elementDefinition - 1) }
    }

    /// Appends an entry without a value to each leaf: for a null, or for an empty list.
    private func appendEmpty(_ node: NestedNode, repetition: Int, definition: Int) {
        for leaf in node.leaves { leaves[leaf].appendLevels(repetition: repetition, definition: definition) }
    }

    private func appendValue(_ number: Int, _ reader: inout NestedValueReader, repetition: Int) throws {
        let leaf = leaves[number]
        leaf.appendLevels(repetition: repetition, definition: leaf.leaf.maximumDefinition)
        switch types[number] {
        case .text, .binary, .fixedBinary:
            guard let bytes = reader.readBytes() else { throw mismatchError }
            return leaf.append(bytes: bytes)
        case .decimal:
            guard let number = reader.readWideNumber() else { throw mismatchError }
            if leaf.leaf.isWide { leaf.append(wide: number) } else { leaf.append(word: UInt64(truncatingIfNeeded: number)) }
            return
        default: break
        }
        guard let word = reader.readNumber() else { throw mismatchError }
        switch types[number] {
        case .flag: leaf.append(flag: word != 0)
        case .half: withUnsafeBytes(of: UInt16(truncatingIfNeeded: word).littleEndian) { leaf.append(bytes: $0.bindMemory(to: UInt8.self)) }
        // In memory, 32-bit floating-point numbers are `Double` values.
        case .float: leaf.append(word: Double(Float(bitPattern: UInt32(truncatingIfNeeded: word))).bitPattern)
        case .time(0), .dateTime(0, _):
            // Parquet has no times in seconds, so they are stored in milliseconds.
            let (milliseconds, overflow) = Int64(bitPattern: word).multipliedReportingOverflow(by: 1_000)
            guard !overflow else {
                throw FormatError("Cannot write column “\(name)” as Parquet: a time is out of range. Leave out the column.")
            }
            leaf.append(word: UInt64(bitPattern: milliseconds))
        default: leaf.append(word: word)
        }
    }
}

/// Builds the schema elements of a nested column.
private struct SchemaBuilder {
    private(set) var elements: [ParquetMetadata.SchemaElement] = []
    /// The leaves of the column, each with its type and its path: the names from the column down to the leaf.
    private(set) var leaves: [(element: ParquetMetadata.SchemaElement, type: StoredType, path: [String])] = []

    mutating func add(_ field: NestedField, path: [String]) {
        let path = path + [field.name]
        var element = ParquetMetadata.SchemaElement()
        (element.name, element.repetition) = (field.name, field.isOptional ? .optional : .required)
        switch field.type {
        case .value(let type):
            Self.set(type, of: &element)
            elements.append(element)
            leaves.append((element, type, path))
        case .structure(let fields):
            addGroup(element, fields, path)
        case .list(let item, _):
            (element.logical, element.childCount) = (.list, 1)
            elements.append(element)
            var item = item
            item.name = "element"
            addGroup(Self.repeated("list"), [item], path + ["list"])
        case .map(let key, let value):
            (element.logical, element.childCount) = (.map, 1)
            elements.append(element)
            var (key, value) = (key, value)
            (key.name, value.name) = ("key", "value")
            addGroup(Self.repeated("key_value"), [key, value], path + ["key_value"])
        }
    }

    private mutating func addGroup(_ element: ParquetMetadata.SchemaElement, _ fields: [NestedField], _ path: [String]) {
        var element = element
        element.childCount = fields.count
        elements.append(element)
        for (field, name) in zip(fields, DistinctNames.numbered(fields.map(\.name)) { $0 }) {
            var field = field
            field.name = name
            add(field, path: path)
        }
    }

    private static func repeated(_ name: String) -> ParquetMetadata.SchemaElement {
        var element = ParquetMetadata.SchemaElement()
        (element.name, element.repetition) = (name, .repeated)
        return element
    }

    /// Sets the type of a leaf.
    private static func set(_ type: StoredType, of element: inout ParquetMetadata.SchemaElement) {
        switch type {
        case .integer(32, true): element.type = .int32
        case .integer(64, true): element.type = .int64
        case .integer(let bits, let isSigned):
            (element.type, element.logical) = (bits == 64 ? .int64 : .int32, .integer(bits: bits, isSigned: isSigned))
        case .decimal(let precision, let scale):
            element.type = precision <= WrittenLeaf.longDigits ? .int64 : .fixed
            (element.scale, element.precision) = (scale, precision)
            element.logical = .decimal(scale: scale, precision: precision)
            if element.type == .fixed { element.typeLength = WrittenLeaf.wideBytes }
        case .half: (element.type, element.typeLength, element.logical) = (.fixed, 2, .float16)
        case .float: element.type = .float
        case .double: element.type = .double
        case .flag: element.type = .boolean
        case .date: (element.type, element.logical) = (.int32, .date)
        case .time(let digits): (element.type, element.logical) = (digits > 3 ? .int64 : .int32, .time(digits: max(3, digits)))
        case .dateTime(let digits, let isUTC): (element.type, element.logical) = (.int64, .timestamp(digits: max(3, digits), isUTC: isUTC))
        case .text(let isJSON): (element.type, element.logical) = (.bytes, isJSON ? .json : .string)
        case .binary: element.type = .bytes
        case .fixedBinary(let width, let isUUID):
            (element.type, element.typeLength, element.logical) = (.fixed, width, isUUID ? .uuid : nil)
        }
    }
}
