import CCodecs
import FieldValues
import Tables

/// Reads a column of the table. It decodes a range of consecutive rows at a time.
protocol ParquetColumnReader: AnyObject {
    /// Decodes rows from `row` onward, unless that row is already decoded.
    /// - Returns: the number of rows that are decoded from `row` onward, at least 1.
    func prepare(row: Int, group: Int, count: Int) throws -> Int
    /// The decoded values from a row onward. The row must be decoded.
    func vector(fromRow row: Int) -> ColumnVector
    /// The size in memory, in bytes.
    var byteCount: Int { get }
}

/// The readers of one scan. One thread at a time can use them.
final class ColumnReaders: @unchecked Sendable {
    /// The maximum number of rows that are decoded at once.
    static let maximumRows = 16_384
    private let file: ParquetFile
    private let compressed = RawBuffer()
    private var readers: [Int: any ParquetColumnReader] = [:]
    /// The column numbers, from the least to the most recently used.
    private var useOrder: [Int] = []
    private var missingFlags: UnsafeMutablePointer<UInt8>?
    /// The row after the last row of the previous scan; -1 before the first scan.
    var previousScanEnd = -1

    init(_ file: ParquetFile) { self.file = file }

    deinit { missingFlags?.deallocate() }

    func reader(_ column: Int) -> any ParquetColumnReader {
        if let cached = readers[column] { return cached }
        let reader = makeReader(column)
        readers[column] = reader
        return reader
    }

    private func makeReader(_ column: Int) -> any ParquetColumnReader {
        func nestedReader(_ node: NestedNode, isBinary: Bool) -> NestedColumnReader {
            let leaves = node.leaves.map { file.schema.leaves[$0] }.map {
                NestedLeafReader(LeafReader(file, isBinary ? $0.raw : $0, compressed: compressed))
            }
            return NestedColumnReader(node, leaves, isBinary: isBinary)
        }
        guard column < FieldID.firstStoredColumn else {
            return nestedReader(file.schema.nestedColumns[column - FieldID.firstStoredColumn].node, isBinary: true)
        }
        switch file.schema.columns[column].content {
        case .leaf(let leaf): return FlatColumnReader(LeafReader(file, file.schema.leaves[leaf], compressed: compressed))
        case .nested(let node): return nestedReader(node, isBinary: false)
        }
    }

    /// Values for a column that the file does not have: all are missing.
    var missingValues: ColumnVector {
        let zeros: UnsafeMutablePointer<UInt8>
        if let missingFlags {
            zeros = missingFlags
        } else {
            zeros = .allocate(capacity: Self.maximumRows)
            zeros.initialize(repeating: 0, count: Self.maximumRows)
            missingFlags = zeros
        }
        return ColumnVector(.flags(UnsafePointer(zeros)), presence: UnsafePointer(zeros))
    }

    /// Releases the least recently used readers until the remaining readers need little memory.
    /// - Parameters:
    ///   - columns: the columns of the last scan.
    ///   - limit: the maximum number of bytes of the remaining readers.
    func trim(afterScanOf columns: [Int], to limit: Int) {
        let used = Set(columns)
        useOrder.removeAll { used.contains($0) || readers[$0] == nil }
        useOrder += columns
        var total = compressed.capacity + readers.values.reduce(0) { $0 + $1.byteCount }
        var released = 0
        while total > limit, released < useOrder.count {
            total -= readers[useOrder[released]]?.byteCount ?? 0
            readers[useOrder[released]] = nil
            released += 1
        }
        useOrder.removeFirst(released)
    }
}

/// Reads a column with one value for each row.
final class FlatColumnReader: ParquetColumnReader {
    private let reader: LeafReader
    /// A byte for each decoded row: 1 if it has a value, 0 for null.
    private let presence = RawBuffer()
    /// The row group, the first row and the count of the decoded rows.
    private var group = -1
    private var first = 0
    private var count = 0
    /// True if a decoded row is null.
    private var hasNulls = false
    /// The dictionary of the decoded values.
    private var dictionary: DecodedDictionary?

    init(_ reader: LeafReader) { self.reader = reader }

    var byteCount: Int { reader.byteCount + presence.capacity }

    func prepare(row: Int, group: Int, count: Int) throws -> Int {
        if group == self.group, row >= first, row < first + self.count { return first + self.count - row }
        self.count = 0
        try reader.seek(toRow: row, inGroup: group, count: min(count, ColumnReaders.maximumRows))
        let target = row - reader.firstRow
        if target < reader.position { reader.restart() }
        if target > reader.position { try reader.skip(target - reader.position) }
        let requestedCount = min(count, ColumnReaders.maximumRows, reader.entryCount - target)
        guard requestedCount > 0 else { throw ParquetError("a page has fewer rows than its header declares") }
        let isRequired = reader.leaf.maximumDefinition == 0
        presence.reserve(isRequired ? 0 : requestedCount)
        let (rows, present) = try reader.decode(requestedCount, repetitions: nil, definitions: isRequired ? nil : presence.start)
        hasNulls = present < rows
        if hasNulls {
            _ = gv_mark_present(presence.start, UInt8(truncatingIfNeeded: reader.leaf.maximumDefinition), presence.start, rows)
            let bytes = reader.store.kind.bytes
            reader.store.slots.grow(toHold: rows * bytes, keeping: present * bytes)
            gv_spread_present(reader.store.slots.start, UInt32(bytes), presence.start, rows, present)
        }
        dictionary = reader.dictionary
        (self.group, first, self.count) = (group, row, rows)
        return rows
    }

    func vector(fromRow row: Int) -> ColumnVector {
        let index = row - first
        let texts = dictionary?.texts ?? UnsafeBufferPointer(start: nil, count: 0)
        return ColumnVector(
            reader.store.values(from: index, dictionary: texts), presence: hasNulls ? UnsafePointer(presence.start + index) : nil)
    }
}

/// Reads the entries, which are values and nulls, of one leaf of a nested column, in order.
final class NestedLeafReader {
    /// The maximum number of entries that are decoded at once.
    private static let windowEntries = 1_024

    private let reader: LeafReader
    /// The levels of the decoded entries.
    private let repetitions = RawBuffer()
    private let definitions = RawBuffer()
    // Only one thread uses a reader, and an exclusivity check of each access would take a third of the time.
    /// The index of the current entry among the decoded entries, and the number of decoded entries.
    @exclusivity(unchecked) private var index = 0
    @exclusivity(unchecked) private var count = 0
    /// The index of the next value. Nulls have no value.
    @exclusivity(unchecked) private var valueIndex = 0
    /// True if the row group has no more entries.
    @exclusivity(unchecked) private var isAtEnd = false
    private var group = -1
    /// The number of the next row, if the reader is between two rows; -1 within a row.
    @exclusivity(unchecked) private var row = -1

    init(_ reader: LeafReader) {
        self.reader = reader
        repetitions.reserve(Self.windowEntries)
        definitions.reserve(Self.windowEntries)
        // If a leaf has no levels in the file, all its levels are 0.
        definitions.start.initialize(repeating: 0, count: Self.windowEntries)
    }

    var byteCount: Int { reader.byteCount }
    var leaf: ParquetLeaf { reader.leaf }

    /// Moves to the first entry of a row.
    func seek(toRow row: Int, inGroup group: Int) throws {
        if group == self.group, row == self.row, index < count { return }
        (index, count, isAtEnd, self.row, self.group) = (0, 0, false, -1, group)
        try reader.seek(toRow: row, inGroup: group)
        reader.restart()
        let entries = try reader.entries(before: row, startingAt: reader.firstRow)
        if entries > 0 { try reader.skip(entries) }
        try fill()
        self.row = row
    }

    /// Decodes the next entries of this page or, at its end, of the next page.
    private func fill() throws {
        (index, count, valueIndex) = (0, 0, 0)
        while reader.position == reader.entryCount {
            guard try reader.loadNextPage() else {
                isAtEnd = true
                return
            }
        }
        let requestedCount = min(Self.windowEntries, reader.entryCount - reader.position)
        let (entries, _) = try reader.decode(
            requestedCount, repetitions: repetitions.start, definitions: reader.leaf.maximumDefinition > 0 ? definitions.start : nil)
        count = entries
    }

    /// The repetition level of the current entry; 0 after the last entry, as at the start of a row.
    var repetition: Int { isAtEnd ? 0 : Int(repetitions.start[index]) }

    /// The definition level of the current entry.
    func definition() throws -> Int {
        guard !isAtEnd else { throw ParquetError("a list ends too early") }
        return Int(definitions.start[index])
    }

    /// Writes the current value or null, and moves to the next entry.
    func write(asKey: Bool, into json: JSONText) throws {
        if try definition() == reader.leaf.maximumDefinition {
            let dictionary = reader.dictionary?.texts ?? UnsafeBufferPointer(start: nil, count: 0)
            reader.store.write(valueIndex, dictionary: dictionary, reader.leaf, asKey: asKey, into: json)
        } else {
            json.put(asKey ? "\"null\"" : "null")
        }
        try advance()
    }

    /// Writes the current value or null in binary form, and moves to the next entry.
    func writeBinary(into output: JSONText) throws {
        if try definition() == reader.leaf.maximumDefinition {
            let dictionary = reader.dictionary?.texts ?? UnsafeBufferPointer(start: nil, count: 0)
            output.put(NestedMarker.present)
            try reader.store.writeBinary(valueIndex, dictionary: dictionary, reader.leaf, into: output)
        } else {
            output.put(NestedMarker.null)
        }
        try advance()
    }

    /// Moves to the next entry.
    func advance() throws {
        if try definition() == reader.leaf.maximumDefinition { valueIndex += 1 }
        index += 1
        if index == count { try fill() }
    }

    /// Checks that the current entry begins a row, and sets the number of the row.
    func begin(row: Int) throws {
        guard repetition == 0 else { throw ParquetError("the columns of a list have different numbers of rows") }
        self.row = row
    }
}

/// Reads a structure, list or map as JSON or in binary form.
///
/// Memory: a page for each leaf, and the text of decoded rows. Once the text exceeds 4 MiB, no more rows are decoded.
final class NestedColumnReader: ParquetColumnReader {
    /// The maximum number of rows that are decoded at once.
    private static let windowRows = 1_024
    /// The number of bytes of text after which no more rows are decoded.
    private static let windowBytes = 4 << 20
    /// The maximum number of bytes of a value.
    private static let maximumBytes = 256 << 20

    private let node: NestedNode
    private let leaves: [NestedLeafReader]
    /// True for the form that `NestedMarker` describes, false for JSON.
    private let isBinary: Bool
    /// The text of all decoded rows, or their values in binary form.
    private let json = JSONText()
    /// For each decoded row, a field that points to its bytes in ``json``.
    private let texts = RawBuffer()
    /// A byte for each decoded row: 1 if it has a value, 0 for null.
    private let presence = RawBuffer()
    /// The row group, the first row and the count of the decoded rows.
    private var group = -1
    private var first = 0
    private var count = 0

    init(_ node: NestedNode, _ leaves: [NestedLeafReader], isBinary: Bool) {
        (self.node, self.leaves, self.isBinary) = (node, leaves, isBinary)
    }

    var byteCount: Int { json.capacity + leaves.reduce(0) { $0 + $1.byteCount } }

    func prepare(row: Int, group: Int, count: Int) throws -> Int {
        if group == self.group, row >= first, row < first + self.count { return first + self.count - row }
        self.count = 0
        for leaf in leaves { try leaf.seek(toRow: row, inGroup: group) }
        let requestedCount = min(count, Self.windowRows)
        texts.reserve(requestedCount * MemoryLayout<FieldBytes>.stride)
        presence.reserve(requestedCount)
        json.removeAll()
        var ends: [Int] = []
        ends.reserveCapacity(requestedCount)
        while ends.count < requestedCount, json.count < Self.windowBytes {
            for leaf in leaves { try leaf.begin(row: row + ends.count) }
            let isPresent = try firstLeaf(of: node).definition() >= node.definition
            presence.start[ends.count] = isPresent ? 1 : 0
            if !isPresent { try skip(node) } else if isBinary { try writeBinary(node) } else { try write(node, asKey: false) }
            ends.append(json.count)
        }
        for leaf in leaves { try leaf.begin(row: row + ends.count) }
        // The fields are set at the end, because the text may move in memory while it grows.
        var start = 0
        let fields = texts.values(FieldBytes.self)
        for (index, end) in ends.enumerated() {
            fields[index] = FieldBytes(start: json.start + start, count: end - start)
            start = end
        }
        (self.group, first, self.count) = (group, row, ends.count)
        return ends.count
    }

    func vector(fromRow row: Int) -> ColumnVector {
        ColumnVector(.texts(texts.values(FieldBytes.self) + (row - first)), presence: UnsafePointer(presence.start + (row - first)))
    }

    /// The first leaf inside a nested value. Its levels show if the value is null or empty.
    private func firstLeaf(of node: NestedNode) -> NestedLeafReader { leaves[node.leaves.lowerBound - self.node.leaves.lowerBound] }

    /// Skips the entry that each leaf has for a nested value that is null or empty.
    private func skip(_ node: NestedNode) throws {
        for leaf in node.leaves { try leaves[leaf - self.node.leaves.lowerBound].advance() }
    }

    private func write(_ node: NestedNode, asKey: Bool) throws {
        let leader = firstLeaf(of: node)
        if case .value = node.shape { return try leader.write(asKey: asKey, into: json) }
        let definition = try leader.definition()
        guard definition >= node.definition else {
            json.put("null")
            return try skip(node)
        }
        switch node.shape {
        case .value: break
        case .structure(_, let keys, let fields):
            json.put(UInt8(ascii: "{"))
            for (index, field) in fields.enumerated() {
                if index > 0 { json.put(UInt8(ascii: ",")) }
                json.put(keys[index])
                try write(field, asKey: false)
            }
            json.put(UInt8(ascii: "}"))
        case .list(let element):
            json.put(UInt8(ascii: "["))
            try writeElements(of: node, definition: definition) { try write(element, asKey: false) }
            json.put(UInt8(ascii: "]"))
        case .map(let key, let value):
            json.put(UInt8(ascii: "{"))
            try writeElements(of: node, definition: definition) {
                // A key must be a string in JSON. A nested key becomes a string that contains its JSON.
                if case .value = key.shape {
                    try write(key, asKey: true)
                } else {
                    try writeNestedKey(key)
                }
                json.put(UInt8(ascii: ":"))
                if let value { try write(value, asKey: false) } else { json.put("null") }
            }
            json.put(UInt8(ascii: "}"))
        }
    }

    private func writeBinary(_ node: NestedNode) throws {
        let leader = firstLeaf(of: node)
        if case .value = node.shape { return try leader.writeBinary(into: json) }
        let definition = try leader.definition()
        guard definition >= node.definition else {
            json.put(NestedMarker.null)
            return try skip(node)
        }
        json.put(NestedMarker.present)
        switch node.shape {
        case .value: break
        case .structure(_, _, let fields): for field in fields { try writeBinary(field) }
        case .list(let element):
            try forEachElement(of: node, definition: definition) { _ in try writeBinary(element) }
            json.put(NestedMarker.end)
        case .map(let key, let value):
            try forEachElement(of: node, definition: definition) { _ in
                try writeBinary(key)
                if let value { try writeBinary(value) }
            }
            json.put(NestedMarker.end)
        }
    }

    /// Calls `body` for each element of a list or map, and writes commas between them. Skips an empty list.
    private func writeElements(of node: NestedNode, definition: Int, _ body: () throws -> Void) throws {
        try forEachElement(of: node, definition: definition) { isFirst in
            if !isFirst { json.put(UInt8(ascii: ",")) }
            try body()
        }
    }

    /// Calls `body` for each element of a list or map. Skips an empty list.
    private func forEachElement(of node: NestedNode, definition: Int, _ body: (_ isFirst: Bool) throws -> Void) throws {
        guard definition >= node.elementDefinition else { return try skip(node) }
        let leader = firstLeaf(of: node)
        var isFirst = true
        repeat {
            try body(isFirst)
            isFirst = false
            guard json.count <= Self.maximumBytes else {
                throw ParquetError.tooLarge(
                    "a value is larger than \(Self.maximumBytes >> 20) MiB", advice: "Write the elements of the value as rows.")
            }
        } while leader.repetition == node.elementRepetition
    }

    private func writeNestedKey(_ key: NestedNode) throws {
        let start = json.count
        try write(key, asKey: false)
        json.quote(from: start)
    }
}
