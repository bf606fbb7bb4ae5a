import FieldValues
import Tables

/// The logical type of an Arrow column, which determines the number and the layout of its buffers.
enum ArrowType: Hashable, Sendable {
    case null, bool, half, float, double
    /// Flags of one byte each, the extension type `arrow.bool8`.
    case bool8
    /// Whole numbers of `width` bytes.
    case integer(width: Int, isSigned: Bool)
    /// Numbers of `width` bytes, divided by `10^scale`.
    case decimal(width: Int, scale: Int)
    /// Strings, or arbitrary bytes if `isBinary` is true.
    case text(Layout, isBinary: Bool)
    case fixedBinary(width: Int, isUUID: Bool)
    /// Days since 1970-01-01. If `isMilliseconds` is true, they are stored as milliseconds.
    case date(isMilliseconds: Bool)
    /// Times of day, as a number of `10^-digits` seconds in `width` bytes.
    case time(digits: Int, width: Int)
    case timestamp(digits: Int, isUTC: Bool)
    case duration(digits: Int)
    case monthInterval, dayTimeInterval, monthDayNanoInterval
    case list(Layout), map
    case fixedList(size: Int)
    case structure
    /// Values that each have one of several types. `children` maps the type codes 0 to 127 to the index of a child, or to -1 for an unused
    /// code.
    case union(isDense: Bool, hasValidity: Bool, children: [Int8])
    /// Runs of equal values. One child contains the ends of the runs, the other child the values of the runs. Metadata V4 has an additional
    /// unused buffer.
    case runs(bufferCount: Int)

    /// How the buffers locate values of variable length.
    enum Layout: Hashable, Sendable {
        case offsets32, offsets64
        /// For strings, views of 16 bytes that refer to data buffers; for lists, offsets and sizes.
        case views32, views64
    }

    /// The number of bytes of a value; `nil` for bits and for values of variable length.
    var width: Int? {
        switch self {
        case .integer(let width, _), .decimal(let width, _), .time(_, let width), .fixedBinary(let width, _): width
        case .half: 2
        case .float, .monthInterval: 4
        case .double, .timestamp, .duration, .dayTimeInterval: 8
        case .date(let isMilliseconds): isMilliseconds ? 8 : 4
        case .monthDayNanoInterval: 16
        case .null, .bool, .bool8, .text, .list, .map, .fixedList, .structure, .union, .runs: nil
        }
    }

    /// The number of buffers of a column, without the buffers of its children and without the data buffers of views.
    var bufferCount: Int {
        switch self {
        case .null: 0
        case .runs(let bufferCount): bufferCount
        case .structure, .fixedList: 1
        case .text(.offsets32, _), .text(.offsets64, _): 3
        case .list(.views32), .list(.views64): 3
        case .union(let isDense, let hasValidity, _): (isDense ? 2 : 1) + (hasValidity ? 1 : 0)
        default: 2
        }
    }
}

/// A column or a nested field of an Arrow schema, with the indexes of its buffers in the record batches.
final class ArrowField: Sendable {
    let name: String
    let type: ArrowType
    let children: [ArrowField]
    /// The index of the field's node in a record batch. A node has the number of values and the number of nulls of a field.
    let nodeIndex: Int
    /// The index of the field's first buffer in a record batch. The data buffers of views are not counted.
    let firstBuffer: Int
    /// The number of fields with views before this field.
    let earlierViewCount: Int
    /// The dictionary that contains the values; `nil` if the values are in the record batches.
    let dictionary: Dictionary?
    /// True for the extension type `arrow.json`, which is stored as text.
    let isJSON: Bool
    /// True if the schema allows nulls.
    let isNullable: Bool
    /// The maximum number of digits of decimal numbers; 0 for other types.
    let precision: Int

    /// A dictionary with the values of a column.
    struct Dictionary: Sendable {
        let id: Int64
        /// The number of bytes of an index in the dictionary.
        let width: Int
        let isSigned: Bool
        /// The field that describes the values in dictionary batches.
        let values: ArrowField
    }

    init(
        name: String, type: ArrowType, children: [ArrowField], nodeIndex: Int, firstBuffer: Int, earlierViewCount: Int,
        dictionary: Dictionary?, isJSON: Bool = false, isNullable: Bool, precision: Int = 0
    ) {
        (self.isNullable, self.precision) = (isNullable, precision)
        (self.name, self.type, self.children, self.dictionary, self.isJSON) = (name, type, children, dictionary, isJSON)
        (self.nodeIndex, self.firstBuffer, self.earlierViewCount) = (nodeIndex, firstBuffer, earlierViewCount)
    }

    /// True if the values of both fields have the same type and layout.
    func hasSameValues(as other: ArrowField) -> Bool {
        type == other.type && children.count == other.children.count
            && dictionary?.id == other.dictionary?.id
            && zip(children, other.children).allSatisfy { $0.hasSameValues(as: $1) }
    }

    /// True if both fields have the same name and the same type.
    func isSame(as other: ArrowField) -> Bool {
        name == other.name && type == other.type && isNullable == other.isNullable && isJSON == other.isJSON && precision == other.precision
            && dictionary?.id == other.dictionary?.id && dictionary?.width == other.dictionary?.width
            && dictionary?.isSigned == other.dictionary?.isSigned
            && (dictionary == nil || other.dictionary.map { dictionary?.values.isSame(as: $0.values) == true } == true)
            && children.count == other.children.count && zip(children, other.children).allSatisfy { $0.isSame(as: $1) }
    }

    /// The type as text, such as `dictionary<string, int32>`.
    var typeName: String { typeName(depth: 0) }

    /// The maximum nesting of printed types. Deeper types are printed as `…`.
    private static let maximumPrintedDepth = 8

    private func typeName(depth: Int) -> String {
        guard depth < Self.maximumPrintedDepth else { return "…" }
        if let dictionary {
            let index = (dictionary.isSigned ? "int" : "uint") + "\(dictionary.width * 8)"
            return "dictionary<\(dictionary.values.typeName(depth: depth + 1)), \(index)>"
        }
        func child(_ number: Int) -> String { children.indices.contains(number) ? children[number].typeName(depth: depth + 1) : "null" }
        func fields() -> String {
            let all = children.prefix(20).map { "\($0.name): \($0.typeName(depth: depth + 1))" }
            return all.joined(separator: ", ") + (children.count > 20 ? ", …" : "")
        }
        switch type {
        case .null: return "null"
        case .bool: return "bool"
        case .bool8: return "bool8"
        case .half: return "float16"
        case .float: return "float"
        case .double: return "double"
        case .integer(let width, let isSigned): return (isSigned ? "int" : "uint") + "\(width * 8)"
        case .decimal(let width, let scale): return "decimal\(width * 8)(scale \(scale))"
        case .text(let layout, let isBinary):
            let name = isBinary ? "binary" : "string"
            return layout == .offsets32 ? name : layout == .offsets64 ? "large_\(name)" : "\(name)_view"
        case .fixedBinary(let width, let isUUID): return isUUID ? "uuid" : "binary(\(width))"
        case .date(let isMilliseconds): return isMilliseconds ? "date64" : "date32"
        case .time(let digits, let width): return "time\(width * 8)(\(ColumnDetails.unit(digits)))"
        case .timestamp(let digits, let isUTC): return "timestamp(\(ColumnDetails.unit(digits))\(isUTC ? ", UTC" : ""))"
        case .duration(let digits): return "duration(\(ColumnDetails.unit(digits)))"
        case .monthInterval, .dayTimeInterval, .monthDayNanoInterval: return "interval"
        case .list: return "list<\(child(0))>"
        case .map: return "map<\(children.first?.children.map { $0.typeName(depth: depth + 1) }.joined(separator: ", ") ?? "null")>"
        case .fixedList(let size): return "list<\(child(0)), \(size)>"
        case .structure: return "struct<\(fields())>"
        case .union: return "union<\(fields())>"
        case .runs: return "runs<\(child(1))>"
        }
    }

    /// The type of the values in the binary form of nested columns; `nil` for a type that has no such form.
    var nestedType: NestedType? {
        if let dictionary { return dictionary.values.nestedType }
        func part(_ index: Int) -> NestedField? {
            children[index].nestedType.map { NestedField(children[index].name, $0, isOptional: children[index].isNullable) }
        }
        switch type {
        case .structure:
            let fields = children.indices.compactMap(part)
            return fields.count == children.count ? .structure(fields) : nil
        case .list: return part(0).map { .list($0, size: nil) }
        case .fixedList(let size): return part(0).map { .list($0, size: size) }
        case .map:
            let entry = children[0].children
            guard let key = entry[0].nestedType, let value = entry[1].nestedType else { return nil }
            return .map(
                key: NestedField(entry[0].name, key, isOptional: false),
                value: NestedField(entry[1].name, value, isOptional: entry[1].isNullable))
        case .runs: return children[1].nestedType
        default: return storedType.map { .value($0) }
        }
    }

    private var storedType: StoredType? {
        switch type {
        case .bool, .bool8: .flag
        case .half: .half
        case .float: .float
        case .double: .double
        case .integer(let width, let isSigned): .integer(bits: width * 8, isSigned: isSigned)
        case .decimal(let width, let scale):
            width <= 16 && (1...38).contains(precision) && (0...precision).contains(scale)
                ? .decimal(precision: precision, scale: scale) : nil
        case .text(_, isBinary: true): .binary
        case .text: .text(isJSON: isJSON)
        case .fixedBinary(let width, let isUUID): .fixedBinary(width: width, isUUID: isUUID)
        case .date: .date
        case .time(let digits, _): .time(digits: digits)
        case .timestamp(let digits, let isUTC): .dateTime(digits: digits, isUTC: isUTC)
        case .null, .duration, .monthInterval, .dayTimeInterval, .monthDayNanoInterval, .list, .map, .fixedList, .structure, .union, .runs:
            nil
        }
    }

    /// The form in which the file stores values that are shown as text.
    var textForm: TextForm {
        if let dictionary { return dictionary.values.textForm }
        switch type {
        case .list, .fixedList, .map, .structure: return .json
        case .text(_, isBinary: true), .fixedBinary(_, isUUID: false): return .binary
        case .text: return isJSON ? .declaredJSON : .plain
        case .runs: return children[1].textForm
        default: return .plain
        }
    }

    /// How the file stores the values, if they are floating-point numbers.
    var numberStorage: NumberStorage? {
        if let dictionary { return dictionary.values.numberStorage }
        switch type {
        case .double: return .double
        case .half, .float: return .float
        case .runs: return children[1].numberStorage
        default: return nil
        }
    }

    /// The kind of the values as they are shown; `nil` to infer it from a sample.
    var kind: ValueKind? {
        if let dictionary { return dictionary.values.kind }
        switch type {
        // Unsigned 64-bit numbers may be too large for integer columns, so a sample decides.
        case .integer(let width, let isSigned): return width == 8 && !isSigned ? nil : .integer
        case .half, .float, .double: return .decimal
        case .decimal(let width, let scale): return scale == 0 && width <= 8 ? .integer : .decimal
        case .duration(let digits): return digits == 0 ? .integer : .decimal
        case .bool, .bool8: return .flag
        case .date: return .date
        case .time: return .time
        case .timestamp: return .dateTime
        case .runs: return children[1].kind
        case .null, .text, .fixedBinary, .monthInterval, .dayTimeInterval, .monthDayNanoInterval, .list, .map, .fixedList, .structure,
            .union:
            return .text
        }
    }
}

/// A column of the table. It is a column of the schema, or a field of nested structures.
struct ArrowColumnPath: Sendable {
    let title: String
    /// The structures around the field, starting with the outermost one, and then the field itself.
    let fields: [ArrowField]
    var leaf: ArrowField { fields[fields.count - 1] }
}

/// The schema of an Arrow file.
struct ArrowSchema: Sendable {
    private(set) var fields: [ArrowField] = []
    /// For each identifier of a dictionary, the field that describes its values.
    private(set) var dictionaries: [Int64: ArrowField] = [:]
    /// The keys of the metadata that the schema contains.
    private(set) var metadataNames: [String] = []

    private static let maximumDepth = 64
    /// The maximum nesting of structures whose fields become columns. Structures nested more deeply are shown as JSON.
    private static let maximumStructureDepth = 16

    /// Parses a schema.
    /// - Parameters:
    ///   - table: the schema table in the metadata.
    ///   - metadataBytes: the size of the metadata in bytes, which limits the number of fields.
    ///   - version: the version code of the metadata: 4 for V5, 3 for V4.
    init(_ table: FlatTable, metadataBytes: Int, version: Int16) throws(ArrowError) {
        guard try table.number(0, default: Int16(0)) == 0 else {
            throw .unsupported("has numbers in big-endian order. Write it on a little-endian machine")
        }
        var parser = Parser(fieldsLeft: metadataBytes / 8, nameBytesLeft: 4 * metadataBytes + 1 << 16, version: version)
        var nextIndices = NextIndices()
        for field in try table.tables(1) { fields.append(try parser.field(field, &nextIndices, depth: 0)) }
        dictionaries = parser.dictionaries
        for pair in try table.tables(2).prefix(100) {
            if let name = try pair.text(0) { metadataNames.append(String(name.prefix(64))) }
        }
    }

    /// True if both schemas have the same columns.
    func hasSameFields(as other: ArrowSchema) -> Bool {
        fields.count == other.fields.count && zip(fields, other.fields).allSatisfy { $0.isSame(as: $1) }
    }

    /// The columns of a table, and the structures, lists and maps that these columns show.
    struct Columns {
        var all: [ArrowColumnPath] = []
        /// The nested columns with a known type. A structure comes before the nested values in it.
        var nested: [(column: NestedColumn, path: ArrowColumnPath)] = []
    }

    /// The columns of the table. Each structure is replaced by its fields.
    func columns() throws(ArrowError) -> Columns {
        var columns: [ArrowColumnPath] = []
        var nested: [(range: Range<Int>, path: ArrowColumnPath)] = []
        var titleBytes = 0
        func add(_ field: ArrowField, _ parents: [ArrowField], _ prefix: String) throws(ArrowError) {
            let isNested = !parents.isEmpty || Self.isResolved(field, depth: 0)
            let isQuoted = isNested && field.name.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "\"") }
            let name = isQuoted ? field.name.quoted(by: "\"") : field.name
            let title = parents.isEmpty ? name : prefix + "." + name
            guard Self.isResolved(field, depth: parents.count) else {
                titleBytes += title.utf8.count
                guard columns.count < 4_194_304, titleBytes <= 256 << 20 else { throw .unsupported("has too many columns") }
                let path = ArrowColumnPath(title: title, fields: parents + [field])
                if field.textForm == .json { nested.append((columns.count..<columns.count + 1, path)) }
                columns.append(path)
                return
            }
            let (first, nestedIndex) = (columns.count, nested.count)
            for child in field.children { try add(child, parents + [field], title) }
            nested.insert((first..<columns.count, ArrowColumnPath(title: title, fields: parents + [field])), at: nestedIndex)
        }
        for field in fields { try add(field, [], "") }
        var result = Columns(all: columns)
        for (range, path) in nested {
            guard let type = path.leaf.nestedType else { continue }
            let field = NestedField(path.title, type, isOptional: path.fields.contains(where: \.isNullable))
            let kinds = columns[range].map(\.leaf.kind)
            result.nested.append((NestedColumn(columns: range, kinds: kinds, field: field), path))
        }
        return result
    }

    private static func isResolved(_ field: ArrowField, depth: Int) -> Bool {
        field.type == .structure && field.dictionary == nil && !field.children.isEmpty && depth < maximumStructureDepth
    }

    /// The next free indices in a record batch: for a field, for a buffer, and for a column with views.
    private struct NextIndices {
        var node = 0
        var buffer = 0
        var viewCount = 0
    }

    private struct Parser {
        var fieldsLeft: Int
        var nameBytesLeft: Int
        let version: Int16
        var dictionaries: [Int64: ArrowField] = [:]

        mutating func field(_ table: FlatTable, _ nextIndices: inout NextIndices, depth: Int) throws(ArrowError) -> ArrowField {
            fieldsLeft -= 1
            guard fieldsLeft >= 0 else { throw .damaged("its schema has too many fields for its size") }
            guard depth < ArrowSchema.maximumDepth else {
                throw .unsupported("has types nested more than \(ArrowSchema.maximumDepth) levels")
            }
            let name = try table.text(0) ?? ""
            let isNullable = try table.flag(1)
            nameBytesLeft -= name.utf8.count
            guard nameBytesLeft >= 0 else { throw .damaged("the names in its schema are too long for its size") }
            guard let encoding = try table.table(4) else { return try fieldWithoutDictionary(table, name, isNullable, &nextIndices, depth) }
            // The values of the dictionary are in separate batches, so their indexes start from 0.
            var dictionaryIndices = NextIndices()
            let values = try fieldWithoutDictionary(table, "", isNullable, &dictionaryIndices, depth)
            let id = try encoding.number(0, default: Int64(0))
            let index = try encoding.table(1)
            let bits = try index?.number(0, default: Int32(0)) ?? 32
            guard [8, 16, 32, 64].contains(bits) else { throw .damaged("a dictionary index has \(bits) bits") }
            let isSigned = try index?.flag(1) ?? true
            if let known = dictionaries[id], !known.hasSameValues(as: values) {
                throw .damaged("dictionary \(id) has values of two types")
            }
            dictionaries[id] = values
            defer {
                nextIndices.node += 1
                nextIndices.buffer += 2
            }
            return ArrowField(
                name: name, type: values.type, children: [], nodeIndex: nextIndices.node, firstBuffer: nextIndices.buffer,
                earlierViewCount: nextIndices.viewCount,
                dictionary: .init(id: id, width: Int(bits) / 8, isSigned: isSigned, values: values),
                isNullable: isNullable)
        }

        private mutating func fieldWithoutDictionary(
            _ table: FlatTable, _ name: String, _ isNullable: Bool, _ nextIndices: inout NextIndices, _ depth: Int
        ) throws(ArrowError) -> ArrowField {
            let tables = try table.tables(5)
            guard tables.count <= fieldsLeft else { throw .damaged("its schema has too many fields for its size") }
            let type = try type(of: table, childCount: tables.count)
            let (node, buffer, earlierViewCount) = (nextIndices.node, nextIndices.buffer, nextIndices.viewCount)
            nextIndices.node += 1
            nextIndices.buffer += type.bufferCount
            if case .text(.views32, _) = type { nextIndices.viewCount += 1 }
            var children: [ArrowField] = []
            for child in tables { children.append(try field(child, &nextIndices, depth: depth + 1)) }
            switch type {
            case .map:
                guard children[0].type == .structure, children[0].dictionary == nil, children[0].children.count == 2 else {
                    throw .damaged("a map lacks keys or values")
                }
            case .runs:
                guard case .integer(2..., true) = children[0].type, children[0].dictionary == nil else {
                    throw .damaged("the run ends of a run-end encoded column have an invalid type")
                }
            default: break
            }
            return ArrowField(
                name: name, type: type, children: children, nodeIndex: node, firstBuffer: buffer, earlierViewCount: earlierViewCount,
                dictionary: nil,
                isJSON: try extensionName(table) == "arrow.json", isNullable: isNullable, precision: try precision(of: table, type))
        }

        private func precision(of field: FlatTable, _ type: ArrowType) throws(ArrowError) -> Int {
            // The type of an integer of 128 bits has other members.
            guard case .decimal = type, try field.number(2, default: UInt8(0)) == 7, let table = try field.table(3) else { return 0 }
            return Int(try table.number(0, default: Int32(0)))
        }

        private func type(of field: FlatTable, childCount: Int) throws(ArrowError) -> ArrowType {
            let code = try field.number(2, default: UInt8(0))
            let table = try field.table(3)
            func short(_ field: Int, _ value: Int16) throws(ArrowError) -> Int16 { try table?.number(field, default: value) ?? value }
            func int(_ field: Int, _ value: Int32) throws(ArrowError) -> Int { Int(try table?.number(field, default: value) ?? value) }
            func digits(_ value: Int16) throws(ArrowError) -> Int {
                let unit = try short(0, value)
                guard (0...3).contains(unit) else { throw .damaged("a column has an unknown time unit") }
                return Int(unit) * 3
            }
            func check(_ count: Int) throws(ArrowError) {
                guard childCount == count else { throw .damaged("a nested column has an invalid child count (\(childCount))") }
            }
            switch code {
            case 1: return .null
            case 2:
                let (bits, isSigned) = (try int(0, 0), try table?.flag(1) ?? false)
                // The format has no integers of 128 bits, but polars writes them. They are stored like decimals without a fraction.
                if bits == 128, isSigned { return .decimal(width: 16, scale: 0) }
                guard bits != 128 else { throw .unsupported("has a column of unsigned integers of 128 bits") }
                guard [8, 16, 32, 64].contains(bits) else { throw .damaged("a column has integers of \(bits) bits") }
                if bits == 8, isSigned, try extensionName(field) == "arrow.bool8" { return .bool8 }
                return .integer(width: bits / 8, isSigned: isSigned)
            case 3:
                switch try short(0, 0) {
                case 0: return .half
                case 1: return .float
                case 2: return .double
                case let precision: throw .damaged("a floating-point column has an unknown precision (\(precision))")
                }
            case 4: return .text(.offsets32, isBinary: true)
            case 5: return .text(.offsets32, isBinary: false)
            case 6: return .bool
            case 7:
                let (scale, bits) = (try int(1, 0), try int(2, 128))
                guard [32, 64, 128, 256].contains(bits), (-256...256).contains(scale) else {
                    throw .damaged("a column has an unknown kind of decimals (\(bits) bits, scale \(scale))")
                }
                return .decimal(width: bits / 8, scale: scale)
            case 8: return .date(isMilliseconds: try short(0, 1) != 0)
            case 9:
                let (digits, bits) = (try digits(1), try int(1, 32))
                guard bits == 32 || bits == 64 else { throw .damaged("a column has times of \(bits) bits") }
                return .time(digits: digits, width: bits / 8)
            case 10: return .timestamp(digits: try digits(0), isUTC: try table?.vector(1, stride: 1).map { $0.count > 0 } ?? false)
            case 11:
                switch try short(0, 0) {
                case 0: return .monthInterval
                case 1: return .dayTimeInterval
                case 2: return .monthDayNanoInterval
                case let unit: throw .damaged("an interval column has an unknown unit (\(unit))")
                }
            case 12, 17, 21, 25, 26:
                try check(1)
                return code == 12
                    ? .list(.offsets32) : code == 17 ? .map : code == 21 ? .list(.offsets64) : .list(code == 25 ? .views32 : .views64)
            case 13: return .structure
            case 14: return try union(table, childCount)
            case 15:
                let width = try int(0, 0)
                guard width >= 0 else { throw .damaged("a column has values of an invalid size (\(width) bytes)") }
                return .fixedBinary(width: width, isUUID: width == 16 ? try extensionName(field) == "arrow.uuid" : false)
            case 16:
                try check(1)
                let size = try int(0, 0)
                guard size >= 0 else { throw .damaged("a column has lists of \(size) values") }
                return .fixedList(size: size)
            case 18: return .duration(digits: try digits(1))
            case 19: return .text(.offsets64, isBinary: true)
            case 20: return .text(.offsets64, isBinary: false)
            case 22:
                try check(2)
                return .runs(bufferCount: version < 4 ? 1 : 0)
            case 23: return .text(.views32, isBinary: true)
            case 24: return .text(.views32, isBinary: false)
            default: throw .unsupported("has a column of an unknown type (\(code))")
            }
        }

        private func union(_ table: FlatTable?, _ childCount: Int) throws(ArrowError) -> ArrowType {
            let mode = try table?.number(0, default: Int16(0)) ?? 0
            guard mode == 0 || mode == 1, childCount <= 127 else { throw .damaged("a union has an unknown layout") }
            var children = [Int8](repeating: -1, count: 128)
            let codes = try table?.vector(1, stride: 4)
            guard codes.map({ $0.count == childCount }) ?? true else { throw .damaged("a union has the wrong child count \(childCount)") }
            for child in 0..<childCount {
                let code = Int(try codes?.number(Int32.self, of: child) ?? Int32(child))
                guard children.indices.contains(code), children[code] < 0 else {
                    throw .damaged("a union has an invalid type code (\(code))")
                }
                children[code] = Int8(child)
            }
            return .union(isDense: mode == 1, hasValidity: version < 4, children: children)
        }

        private func extensionName(_ field: FlatTable) throws(ArrowError) -> String? {
            for pair in try field.tables(6).prefix(100) where try pair.text(0) == "ARROW:extension:name" { return try pair.text(1) }
            return nil
        }
    }
}
