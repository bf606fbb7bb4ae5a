import FieldValues
import Tables

/// How the bytes of a leaf are converted to values of the table.
enum LeafForm: Sendable {
    case integers(scale: Int), unsigned32, unsigned64
    /// Signed numbers of any length, most significant byte first.
    case bigDecimals(scale: Int)
    case dates, dateTimes(digits: Int, isUTC: Bool), times(digits: Int)
    /// Times of 12 bytes: nanoseconds of the day, and the Julian day.
    case int96
    case doubles, floats, float16, flags
    /// Flags that are stored as integers: each number other than 0 is true.
    case integerFlags
    case texts(isJSON: Bool)
    /// Text if it is valid UTF-8, otherwise hexadecimal digits.
    case binary
    case bson, uuid, interval
}

/// A sequence of values in the file: a column, or a field or element inside a nested column.
struct ParquetLeaf: Sendable {
    /// The index of the leaf in the schema, and of its chunk in each row group.
    var index: Int
    /// The names from the root, joined with dots.
    var name: String
    var type: ParquetMetadata.PhysicalType
    /// The type as a schema prints it, such as `decimal(9, 2)`.
    var typeName: String
    /// The number of bytes of a value; 0 if it varies.
    var width: Int
    var form: LeafForm
    /// The definition level of a value that is present. Lower levels mean that the value, or something around it, is null.
    var maximumDefinition: Int
    /// The number of nested lists around a value.
    var maximumRepetition: Int
    /// The type of the values in the binary form of nested columns; `nil` for a type without such a form.
    var storedType: StoredType?
    /// True if the reader passes the stored values, without a conversion to the values of the table.
    var isRaw = false
    /// True if the bounds of long decimals are wrong, because the program that wrote the file compared their bytes as signed numbers.
    var hasWrongDecimalBounds = false

    /// The same leaf, but without a conversion: its values are integers, floating-point numbers, flags or byte sequences.
    var raw: ParquetLeaf {
        var leaf = self
        leaf.isRaw = true
        switch type {
        case .int32, .int64:
            switch form {
            case .unsigned32, .integerFlags: break
            default: leaf.form = .integers(scale: 0)
            }
        case .bytes, .fixed: leaf.form = .texts(isJSON: false)
        case .boolean, .int96, .float, .double: break
        }
        return leaf
    }

    /// The kind of the values.
    var kind: ValueKind {
        switch form {
        case .integers(let scale), .bigDecimals(let scale): scale > 0 ? .decimal : .integer
        case .unsigned32, .unsigned64: .integer
        case .dates: .date
        case .dateTimes, .int96: .dateTime
        case .times: .time
        case .doubles, .floats, .float16: .decimal
        case .flags, .integerFlags: .flag
        case .texts, .binary, .bson, .uuid, .interval: .text
        }
    }
}

/// A column of the table that shows a leaf or a nested value of the file.
struct ParquetColumn: Sendable {
    var title: String
    var content: Content

    enum Content: Sendable {
        /// A single value of the leaf with this index.
        case leaf(Int)
        /// A list or map, shown as JSON.
        case nested(NestedNode)
    }
}

/// A value, structure, list or map in a nested column. A class, because structures would be copied while values are written.
final class NestedNode: Sendable {
    enum Shape: Sendable {
        case value
        /// A structure. `keys` are the names as JSON strings, each with a colon.
        case structure(names: [String], keys: [[UInt8]], fields: [NestedNode])
        case list(NestedNode)
        case map(key: NestedNode, value: NestedNode?)
    }

    let shape: Shape
    /// The range of the leaves below this node, among all leaves of the file.
    let leaves: Range<Int>
    /// The minimum definition level at which the value is not null.
    let definition: Int
    /// For lists and maps: the definition level from which an element exists, and the repetition level of each element after the first.
    let elementDefinition: Int
    let elementRepetition: Int

    init(shape: Shape, leaves: Range<Int>, definition: Int, elementDefinition: Int = 0, elementRepetition: Int = 0) {
        (self.shape, self.leaves, self.definition) = (shape, leaves, definition)
        (self.elementDefinition, self.elementRepetition) = (elementDefinition, elementRepetition)
    }
}

/// The columns and leaves of a file.
struct ParquetSchema: Sendable {
    private(set) var columns: [ParquetColumn] = []
    private(set) var leaves: [ParquetLeaf] = []
    /// The structures, lists and maps whose types are known. A structure comes before the nested values in it.
    private(set) var nestedColumns: [(column: NestedColumn, node: NestedNode)] = []

    private static let maximumDepth = 64
    private let elements: [ParquetMetadata.SchemaElement]
    private let hasWrongDecimalBounds: Bool
    /// The index of the next element to add to the tree.
    private var nextElement = 0

    /// An element with its children.
    private struct Tree: Sendable {
        var element: ParquetMetadata.SchemaElement
        var children: [Tree]

        var isGroup: Bool { element.type == nil }
        var isRepeated: Bool { element.repetition == .repeated }
        /// The only child if it is repeated; otherwise `nil`.
        var repeatedChild: Tree? { children.count == 1 && children[0].isRepeated ? children[0] : nil }
    }

    /// The maximum definition and repetition level at an element.
    private struct Levels {
        var definition = 0
        var repetition = 0

        func adding(_ element: ParquetMetadata.SchemaElement) -> Levels {
            Levels(
                definition: definition + (element.repetition == .required ? 0 : 1),
                repetition: repetition + (element.repetition == .repeated ? 1 : 0))
        }
    }

    /// - Parameters:
    ///   - createdBy: the program that wrote the file.
    ///   - arrowSchema: the Arrow schema from which the file was written, in Base64; empty for none.
    init(_ elements: [ParquetMetadata.SchemaElement], createdBy: String = "", arrowSchema: [UInt8] = []) throws {
        (self.elements, hasWrongDecimalBounds) = (elements, Self.hasWrongDecimalBounds(createdBy))
        guard !elements.isEmpty else { throw ParquetError("its schema is empty") }
        var root = try tree(depth: 0)
        // Only integers can have a type that the Arrow schema alone declares.
        if !arrowSchema.isEmpty, elements.contains(where: { $0.type == .int32 || $0.type == .int64 }),
            let fields = Self.arrowFields(arrowSchema)
        {
            root.children = Self.declare(root.children, as: fields)
        }
        guard nextElement == elements.count else { throw ParquetError("its schema has fields outside the root") }
        var nested: [NestedGroup] = []
        for child in root.children { _ = try addColumns(child, path: [], Levels(), &nested) }
        for element in nested {
            guard let type = nestedType(of: element.node) else { continue }
            let field = NestedField(element.title, type, isOptional: element.node.definition > 0)
            let column = NestedColumn(columns: element.columns, kinds: element.columns.map(kind), field: field)
            nestedColumns.append((column, element.node))
        }
    }

    // MARK: Types of Arrow

    /// The fields of an Arrow schema in Base64; `nil` if the schema cannot be read.
    private static func arrowFields(_ text: [UInt8]) -> [ArrowField]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (word, bits) = (UInt32(0), 0)
        for letter in text {
            let value: UInt8
            switch letter {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = letter - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = letter - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = letter - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="): continue
            default: return nil
            }
            (word, bits) = (word << 6 | UInt32(value), bits + 6)
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
            }
        }
        return (try? ArrowMessage.schema(in: bytes))?.fields
    }

    /// The elements of a group, with the types that only the Arrow schema declares.
    private static func declare(_ trees: [Tree], as fields: [ArrowField]) -> [Tree] {
        let isSame = trees.count == fields.count && zip(trees, fields).allSatisfy { $0.element.name == $1.name }
        if isSame { return zip(trees, fields).map { declare($0, as: $1) } }
        let named = Dictionary(fields.map { ($0.name, $0) }) { first, _ in first }
        return trees.map { tree in named[tree.element.name].map { declare(tree, as: $0) } ?? tree }
    }

    private static func declare(_ tree: Tree, as field: ArrowField) -> Tree {
        if let dictionary = field.dictionary { return declare(tree, as: dictionary.values) }
        var tree = tree
        switch (field.type, tree.element.type) {
        case (.duration, .int64?), (.bool8, .int32?):
            switch tree.element.logical {
            case .integer(_, isSigned: true), nil: tree.element.arrowType = field.type
            default: break
            }
        case (.runs, _): return declare(tree, as: field.children[1])
        case (.structure, nil): tree.children = declare(tree.children, as: field.children)
        case (.list, nil), (.fixedList, nil):
            guard isList(tree), var entries = tree.repeatedChild else { break }
            if isElement(entries, of: tree) {
                entries = declare(entries, as: field.children[0])
            } else {
                entries.children[0] = declare(entries.children[0], as: field.children[0])
            }
            tree.children = [entries]
        case (.map, nil):
            guard isMap(tree), var entries = tree.repeatedChild else { break }
            for (index, part) in zip(entries.children.indices, field.children[0].children) {
                entries.children[index] = declare(entries.children[index], as: part)
            }
            tree.children = [entries]
        default: break
        }
        return tree
    }

    private func kind(ofColumn column: Int) -> ValueKind {
        switch columns[column].content {
        case .leaf(let leaf): leaves[leaf].kind
        case .nested: .text
        }
    }

    private mutating func tree(depth: Int) throws -> Tree {
        guard nextElement < elements.count else { throw ParquetError("its schema is incomplete") }
        guard depth <= Self.maximumDepth else { throw ParquetError("its schema is nested deeper than \(Self.maximumDepth) levels") }
        let element = elements[nextElement]
        nextElement += 1
        guard element.type == nil else { return Tree(element: element, children: []) }
        guard (0...elements.count - nextElement).contains(element.childCount) else { throw ParquetError("its schema is incomplete") }
        var children: [Tree] = []
        for _ in 0..<element.childCount { children.append(try tree(depth: depth + 1)) }
        return Tree(element: element, children: children)
    }

    // MARK: Columns

    /// A structure, list or map, and the columns that show it.
    private struct NestedGroup {
        var columns: Range<Int>
        var title: String
        var node: NestedNode
    }

    /// Adds the columns of an element. Returns `nil` for a group without fields, which has no values.
    /// - Parameter nested: receives the structures, lists and maps.
    private mutating func addColumns(_ tree: Tree, path: [String], _ outer: Levels, _ nested: inout [NestedGroup]) throws -> NestedNode? {
        let path = path + [tree.element.name]
        let levels = outer.adding(tree.element)
        let (title, firstColumn, firstLeaf, nestedIndex) = (Self.title(path), columns.count, leaves.count, nested.count)
        if tree.isRepeated || Self.isList(tree) || Self.isMap(tree) {
            let node = try node(tree, path, outer)
            guard !node.leaves.isEmpty else { return nil }
            columns.append(ParquetColumn(title: title, content: .nested(node)))
            nested.append(NestedGroup(columns: firstColumn..<firstColumn + 1, title: title, node: node))
            return node
        }
        guard tree.isGroup else {
            let leaf = try addLeaf(tree.element, path, levels)
            columns.append(ParquetColumn(title: title, content: .leaf(leaf)))
            return NestedNode(shape: .value, leaves: leaf..<leaf + 1, definition: levels.definition)
        }
        var (names, fields): ([String], [NestedNode]) = ([], [])
        for child in tree.children {
            guard let field = try addColumns(child, path: path, levels, &nested) else { continue }
            names.append(child.element.name)
            fields.append(field)
        }
        guard !fields.isEmpty else { return nil }
        let node = NestedNode(
            shape: Self.structure(names, fields), leaves: firstLeaf..<leaves.count, definition: levels.definition)
        nested.insert(NestedGroup(columns: firstColumn..<columns.count, title: title, node: node), at: nestedIndex)
        return node
    }

    private static func structure(_ names: [String], _ fields: [NestedNode]) -> NestedNode.Shape {
        .structure(names: names, keys: names.map { JSONText.quoted($0) + [UInt8(ascii: ":")] }, fields: fields)
    }

    /// The names joined with dots. Names that contain dots are quoted, so that different paths have different titles.
    private static func title(_ path: [String]) -> String {
        guard path.count > 1 else { return path.first ?? "" }
        return path.map { $0.contains(".") ? "\"\($0)\"" : $0 }.joined(separator: ".")
    }

    private static func isList(_ tree: Tree) -> Bool {
        guard tree.isGroup, case .list? = tree.element.logical, tree.repeatedChild != nil else { return false }
        return true
    }

    private static func isMap(_ tree: Tree) -> Bool {
        guard tree.isGroup, case .map? = tree.element.logical, let entries = tree.repeatedChild else { return false }
        return entries.isGroup && (1...2).contains(entries.children.count) && !entries.children[0].isRepeated
    }

    /// The node of an element of a nested column.
    private mutating func node(_ tree: Tree, _ path: [String], _ outer: Levels) throws -> NestedNode {
        let levels = outer.adding(tree.element)
        guard tree.isRepeated else { return try unrepeatedNode(tree, path, levels) }
        // A repeated field outside of a list is itself a list. Its values are required.
        let element = try unrepeatedNode(tree, path, levels)
        return NestedNode(
            shape: .list(element), leaves: element.leaves, definition: outer.definition, elementDefinition: levels.definition,
            elementRepetition: levels.repetition)
    }

    /// A value, structure, list or map that is not repeated itself.
    private mutating func unrepeatedNode(_ tree: Tree, _ path: [String], _ levels: Levels) throws -> NestedNode {
        let first = leaves.count
        guard tree.isGroup else {
            let leaf = try addLeaf(tree.element, path, levels)
            return NestedNode(shape: .value, leaves: leaf..<leaf + 1, definition: levels.definition)
        }
        let shape: NestedNode.Shape
        var inner = levels
        if Self.isMap(tree), let entries = tree.repeatedChild {
            inner = levels.adding(entries.element)
            let path = path + [entries.element.name]
            let key = try node(entries.children[0], path + [entries.children[0].element.name], inner)
            let value = try entries.children.dropFirst().first.map { try node($0, path + [$0.element.name], inner) }
            shape = .map(key: key, value: value)
        } else if Self.isList(tree), let entries = tree.repeatedChild {
            inner = levels.adding(entries.element)
            shape = .list(try element(of: tree, entries, path + [entries.element.name], inner))
        } else {
            var (names, fields): ([String], [NestedNode]) = ([], [])
            for child in tree.children {
                let field = try node(child, path + [child.element.name], levels)
                guard !field.leaves.isEmpty else { continue }
                names.append(child.element.name)
                fields.append(field)
            }
            shape = Self.structure(names, fields)
        }
        return NestedNode(
            shape: shape, leaves: first..<leaves.count, definition: levels.definition, elementDefinition: inner.definition,
            elementRepetition: inner.repetition)
    }

    /// True if the repeated child of a list is its element. In older files, no group encloses the element; the specification has rules to
    /// recognize these files.
    private static func isElement(_ entries: Tree, of list: Tree) -> Bool {
        let name = entries.element.name
        return !entries.isGroup || entries.children.count != 1 || entries.children[0].isRepeated || name == "array"
            || name == list.element.name + "_tuple"
    }

    /// The element of a list.
    private mutating func element(of list: Tree, _ entries: Tree, _ path: [String], _ levels: Levels) throws -> NestedNode {
        if Self.isElement(entries, of: list) { return try unrepeatedNode(entries, path, levels) }
        return try node(entries.children[0], path + [entries.children[0].element.name], levels)
    }

    /// The type of a column as a schema prints it, such as `list<struct<name: string>>`.
    func typeName(ofColumn column: Int) -> String {
        switch columns[column].content {
        case .leaf(let leaf): leaves[leaf].typeName
        case .nested(let node): typeName(of: node, depth: 0)
        }
    }

    /// The maximum nesting of printed types. Deeper types are printed as `…`.
    private static let maximumPrintedDepth = 8

    private func typeName(of node: NestedNode, depth: Int) -> String {
        guard depth < Self.maximumPrintedDepth else { return "…" }
        func name(_ node: NestedNode) -> String { typeName(of: node, depth: depth + 1) }
        switch node.shape {
        case .value: return leaves[node.leaves.lowerBound].typeName
        case .list(let element): return "list<\(name(element))>"
        case .map(let key, let value): return "map<\(name(key)), \(value.map(name) ?? "null")>"
        case .structure(let names, _, let fields):
            let all = zip(names, fields).prefix(20).map { "\($0): \(name($1))" }
            return "struct<\(all.joined(separator: ", "))\(fields.count > 20 ? ", …" : "")>"
        }
    }

    /// The type of a nested value; `nil` if a value inside it has no binary form.
    private func nestedType(of node: NestedNode) -> NestedType? {
        func part(_ name: String, _ part: NestedNode, in definition: Int) -> NestedField? {
            nestedType(of: part).map { NestedField(name, $0, isOptional: part.definition > definition) }
        }
        switch node.shape {
        case .value: return leaves[node.leaves.lowerBound].storedType.map { .value($0) }
        case .list(let element): return part("element", element, in: node.elementDefinition).map { .list($0, size: nil) }
        case .map(_, nil): return nil
        case .map(let key, let value?):
            guard let key = part("key", key, in: node.elementDefinition), !key.isOptional,
                let value = part("value", value, in: node.elementDefinition)
            else { return nil }
            return .map(key: key, value: value)
        case .structure(let names, _, let fields):
            let all = zip(names, fields).compactMap { part($0, $1, in: node.definition) }
            return all.count == fields.count ? .structure(all) : nil
        }
    }

    // MARK: Leaves

    /// True for files written by Arrow C++ before version 4 (issue PARQUET-1655).
    private static func hasWrongDecimalBounds(_ createdBy: String) -> Bool {
        let arrow = "parquet-cpp-arrow version "
        guard createdBy.hasPrefix(arrow) else { return createdBy.hasPrefix("parquet-cpp version ") }
        return Int(createdBy.dropFirst(arrow.count).prefix { $0.isNumber }).map { $0 < 4 } ?? true
    }

    private mutating func addLeaf(_ element: ParquetMetadata.SchemaElement, _ path: [String], _ levels: Levels) throws -> Int {
        guard let type = element.type else { throw ParquetError("its schema has a group without fields") }
        let name = Self.title(path)
        let width =
            switch type {
            case .boolean: 1
            case .int32, .float: 4
            case .int64, .double: 8
            case .int96: 12
            case .bytes: 0
            case .fixed: element.typeLength
            }
        guard type != .fixed || (1...1 << 20).contains(width) else {
            throw ParquetError("column “\(name)” has values of an invalid size (\(width) bytes)")
        }
        leaves.append(
            ParquetLeaf(
                index: leaves.count, name: name, type: type, typeName: element.typeName, width: width,
                form: try Self.form(element, type, width, name), maximumDefinition: levels.definition, maximumRepetition: levels.repetition,
                storedType: Self.storedType(element, type, width), hasWrongDecimalBounds: hasWrongDecimalBounds))
        return leaves.count - 1
    }

    private static func storedType(
        _ element: ParquetMetadata.SchemaElement, _ type: ParquetMetadata.PhysicalType, _ width: Int
    ) -> StoredType? {
        switch element.arrowType {
        case .duration: return nil
        case .bool8: return .flag
        default: break
        }
        switch (type, element.logical) {
        case (.int32, .decimal(let scale, let precision)?), (.int64, .decimal(let scale, let precision)?),
            (.bytes, .decimal(let scale, let precision)?), (.fixed, .decimal(let scale, let precision)?):
            return (1...38).contains(precision) && (0...precision).contains(scale) ? .decimal(precision: precision, scale: scale) : nil
        case (.int32, .date?): return .date
        case (.int32, .time(3)?): return .time(digits: 3)
        case (.int64, .time(let digits)?): return [6, 9].contains(digits) ? .time(digits: digits) : nil
        case (.int64, .timestamp(let digits, let isUTC)?): return .dateTime(digits: digits, isUTC: isUTC)
        case (.int32, .integer(let bits, let isSigned)?):
            return [8, 16, 32].contains(bits) ? .integer(bits: bits, isSigned: isSigned) : nil
        case (.int64, .integer(64, let isSigned)?): return .integer(bits: 64, isSigned: isSigned)
        case (.int32, nil): return .integer(bits: 32, isSigned: true)
        case (.int64, nil): return .integer(bits: 64, isSigned: true)
        case (.boolean, nil): return .flag
        case (.float, nil): return .float
        case (.double, nil): return .double
        case (.bytes, .json?): return .text(isJSON: true)
        case (.bytes, .string?), (.bytes, .enum?): return .text(isJSON: false)
        case (.bytes, nil): return .binary
        case (.fixed, .uuid?): return width == 16 ? .fixedBinary(width: width, isUUID: true) : nil
        case (.fixed, .float16?): return width == 2 ? .half : nil
        case (.fixed, nil): return .fixedBinary(width: width, isUUID: false)
        default: return nil
        }
    }

    /// The maximum scale of decimals. Numbers of 64 bytes have up to 154 digits.
    private static let maximumScale = 154

    private static func form(
        _ element: ParquetMetadata.SchemaElement, _ type: ParquetMetadata.PhysicalType, _ width: Int, _ name: String
    ) throws -> LeafForm {
        switch element.arrowType {
        // Durations are decimal numbers of seconds, as in Arrow files.
        case .duration(let digits): return .integers(scale: digits)
        case .bool8: return .integerFlags
        default: break
        }
        switch (type, element.logical) {
        case (.int32, .decimal(let scale, _)?), (.int64, .decimal(let scale, _)?):
            guard (0...18).contains(scale) else {
                throw ParquetError("column “\(name)” has a decimal type with the invalid scale \(scale)")
            }
            return .integers(scale: scale)
        case (.bytes, .decimal(let scale, _)?), (.fixed, .decimal(let scale, _)?):
            guard (0...maximumScale).contains(scale) else {
                throw ParquetError("column “\(name)” has a decimal type with the invalid scale \(scale)")
            }
            return .bigDecimals(scale: scale)
        case (.int32, .date?): return .dates
        case (.int32, .time(3)?): return .times(digits: 3)
        case (.int64, .time(let digits)?): return .times(digits: digits)
        case (.int64, .timestamp(let digits, let isUTC)?): return .dateTimes(digits: digits, isUTC: isUTC)
        case (.int32, .integer(_, false)?): return .unsigned32
        case (.int64, .integer(_, false)?): return .unsigned64
        case (.bytes, .json?): return .texts(isJSON: true)
        case (.bytes, .string?), (.bytes, .enum?): return .texts(isJSON: false)
        case (.bytes, .bson?): return .bson
        case (.fixed, .uuid?) where width == 16: return .uuid
        case (.fixed, .float16?) where width == 2: return .float16
        case (.fixed, .interval?) where width == 12: return .interval
        case (.boolean, _): return .flags
        case (.int32, _), (.int64, _): return .integers(scale: 0)
        case (.int96, _): return .int96
        case (.float, _): return .floats
        case (.double, _): return .doubles
        case (.bytes, _), (.fixed, _): return .binary
        }
    }
}
