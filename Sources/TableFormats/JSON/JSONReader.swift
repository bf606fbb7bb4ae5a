import CByteScan
import FieldValues
import Tables

/// Reads the fields of JSON records. The fields of a batch are valid until the next one begins.
struct JSONReader: ~Copyable {
    private let tree: JSONTree
    /// For each requested field, its slot in the tree; −1 for a column that does not exist and for a field in ``nested``; −2 for the column
    /// with the text of unreadable records.
    private let slots: [Int]
    /// The requested fields of nested columns, with their slots. A nested column has those values of another column that are not strings.
    private let nested: [(field: Int, slot: Int)]
    /// For each slot, the slot of the object that contains its key, or −1. All are −1 unless the reader finds nulls.
    private let parents: [Int]
    private let memory: JSONMemory
    private let checksRecords: Bool
    private var arena = JSONArena()

    /// - Parameters:
    ///   - schema: the columns.
    ///   - columns: the requested columns, in any order and with repetitions.
    ///   - checksRecords: true to call ``readPlain(_:_:into:)``, false to call ``read(_:isTrusted:isTruncated:into:)``. Nested columns need
    ///     `false`.
    ///   - findsNulls: true if ``isNull(_:)`` will be called.
    init(_ schema: JSONSchema, _ columns: [Int], checksRecords: Bool = false, findsNulls: Bool = false) {
        self.checksRecords = checksRecords
        guard !checksRecords else {
            // In a tree for discovery, the slot of a column is its index. The column with the text of unreadable records has no slot,
            // because all records that are read here are valid.
            self.slots = columns.map { schema.columns.indices.contains($0) && $0 != schema.unreadableColumn ? $0 : -1 }
            (self.nested, self.parents) = ([], [])
            tree = JSONTree(schema, .discovery)
            memory = JSONMemory(tree)
            return
        }
        let findsNulls = findsNulls || Self.containNestedColumn(columns)
        var slots: [Int] = []
        var nested: [(field: Int, slot: Int)] = []
        var slotOfNode: [Int: Int] = [:]
        var nodes: [Int] = []
        var parents: [Int] = []
        func addSlot(of node: Int) -> Int {
            if let slot = slotOfNode[node] { return slot }
            let slot = nodes.count
            slotOfNode[node] = slot
            nodes.append(node)
            parents.append(-1)
            guard findsNulls, node > 0 else { return slot }
            let parent = addSlot(of: schema.nodes[node].parent)
            parents[slot] = parent
            return slot
        }
        for (field, column) in columns.enumerated() {
            let isNested = column >= FieldID.firstNestedColumn
            let column = isNested ? column - FieldID.firstNestedColumn : column
            if let node = schema.columns.indices.contains(column) ? schema.columns[column] : nil {
                let slot = addSlot(of: node)
                slots.append(isNested ? -1 : slot)
                if isNested { nested.append((field, slot)) }
            } else {
                slots.append(!isNested && column == schema.unreadableColumn ? -2 : -1)
            }
        }
        (self.slots, self.nested, self.parents) = (slots, nested, parents)
        tree = JSONTree(schema, .reading(nodes))
        memory = JSONMemory(tree)
    }

    /// True if one of `columns` is a nested column. It has those values of another column that are not strings.
    static func containNestedColumn(_ columns: [Int]) -> Bool { columns.contains { $0 >= FieldID.firstNestedColumn } }

    /// The number of requested fields.
    var width: Int { slots.count }

    /// Starts a batch, and invalidates the fields of the previous one.
    mutating func beginBatch() { arena.reset() }

    /// Reads a record and writes its fields. Returns the notes about the record.
    /// - Parameters:
    ///   - line: the bytes of the record.
    ///   - isTrusted: true if the record is valid and has no duplicate or escaped keys.
    ///   - isTruncated: true if the record continues after the bytes.
    ///   - fields: receives ``width`` fields.
    @discardableResult
    mutating func read(
        _ line: UnsafeBufferPointer<UInt8>, isTrusted: Bool, isTruncated: Bool = false, into fields: UnsafeMutablePointer<FieldBytes>
    ) -> UInt32 {
        guard let start = line.baseAddress, line.count < Int(UInt32.max) else {
            for index in slots.indices { (fields + index).initialize(to: .missing) }
            memory.forgetValues(tree)
            return UInt32(GV_JSON_BLANK)
        }
        let notes = memory.read(tree, line, isTrusted: isTrusted, isTruncated: isTruncated)
        write(line, start, isInvalid: notes & UInt32(GV_JSON_INVALID) != 0, to: fields)
        return notes
    }

    /// Checks records as ``JSONChecker`` does, up to the first one that is not plain. A plain record is valid, and has no notes and no new
    /// keys; an empty line counts as plain.
    /// - Parameters:
    ///   - lines: a batch with one field per record, its line.
    ///   - records: the indices of the records in the batch.
    ///   - fields: receives ``width`` fields per plain record.
    /// - Returns: the number of plain records.
    mutating func readPlain(_ lines: FieldBatch, _ records: Range<Int>, into fields: UnsafeMutablePointer<FieldBytes>) -> Int {
        precondition(checksRecords)
        var record = records.lowerBound
        while record < records.upperBound {
            let target = fields + (record - records.lowerBound) * width
            let (count, hasEscapes) = memory.readPlain(tree, lines, record..<records.upperBound, slots, into: target)
            record += count
            guard record < records.upperBound else { break }
            let line = lines[record, 0]
            if hasEscapes, let start = line.start {
                write(line.bytes, start, isInvalid: false, to: target + count * width)
            } else if line.isMissing {
                (target + count * width).initialize(repeating: .missing, count: width)
            } else {
                break
            }
            record += 1
        }
        return record - records.lowerBound
    }

    @inline(__always)
    private mutating func write(
        _ line: UnsafeBufferPointer<UInt8>, _ start: UnsafePointer<UInt8>, isInvalid: Bool, to fields: UnsafeMutablePointer<FieldBytes>
    ) {
        for (index, place) in slots.enumerated() {
            var field = FieldBytes.missing
            if place >= 0 {
                field = self.field(memory.values[place], start)
            } else if place == -2, isInvalid {
                field = FieldBytes(start: start, count: line.count)
            }
            (fields + index).initialize(to: field)
        }
        for (field, slot) in nested { (fields + field).pointee = nestedField(slot, start) }
    }

    /// The value in a slot as JSON text, and a null as `NestedNull`. A string is returned as a missing field.
    private func nestedField(_ slot: Int, _ start: UnsafePointer<UInt8>) -> FieldBytes {
        let value = memory.values[slot]
        let kind = value.kind & ~UInt32(GV_JSON_CUT)
        if kind == UInt32(GV_JSON_TEXT) {
            return FieldBytes(start: start + Int(value.begin), count: Int(value.end &- value.begin))
        }
        guard kind <= UInt32(GV_JSON_NULL), let levels = levelsToNull(from: slot) else { return .missing }
        return NestedNull.field(levels: levels)
    }

    /// True if a field of the last record is null, or if its key belongs to an object that is null. The reader must have been created with
    /// `findsNulls`.
    func isNull(_ field: Int) -> Bool { levelsToNull(from: slots[field]) != nil }

    /// The number of levels from the value in a slot up to the nearest null: 0 if the value itself is null, 1 if the object around it is
    /// null, and so on. `nil` if there is no null.
    private func levelsToNull(from slot: Int) -> Int? {
        var (slot, levels) = (slot, 0)
        while slot >= 0 {
            if memory.values[slot].kind == UInt32(GV_JSON_NULL) { return levels }
            slot = parents[slot]
            levels += 1
        }
        return nil
    }

    /// True if the value of a field in the last record continues beyond the bytes read.
    func isTruncated(_ field: Int) -> Bool { slots[field] >= 0 && memory.values[slots[field]].kind & UInt32(GV_JSON_CUT) != 0 }

    @inline(__always)
    private mutating func field(_ value: gv_json_value, _ start: UnsafePointer<UInt8>) -> FieldBytes {
        let kind = value.kind & ~UInt32(GV_JSON_CUT)
        if kind <= UInt32(GV_JSON_NULL) { return .missing }
        let (from, count) = (start + Int(value.begin), Int(value.end &- value.begin))
        if kind != UInt32(GV_JSON_ESCAPED) { return FieldBytes(start: from, count: count) }
        let target = arena.allocate(count)
        return FieldBytes(start: target, count: gv_json_unescape(from, count, target))
    }
}

/// The memory that the reader in C needs for a tree of up to ``JSONTree/capacity`` nodes.
final class JSONMemory {
    let values: UnsafeMutablePointer<gv_json_value>
    // This is a pointer, because each access to a stored property of a class is checked for exclusivity.
    private let raw = UnsafeMutablePointer<gv_json_memory>.allocate(capacity: 1)
    private let words: UnsafeMutablePointer<UInt32>
    private let findings: UnsafeMutablePointer<gv_json_finding>
    private let nodeCapacity: Int
    private let slotCapacity: Int

    /// The maximum number of findings in one call.
    private static let findingCapacity = 256

    init(_ tree: JSONTree) {
        nodeCapacity = tree.capacity
        slotCapacity = max(tree.raw.pointee.slots, tree.capacity + 1)
        // Plain records are read in pairs, so there is memory for the values of two records.
        values = .allocate(capacity: 2 * slotCapacity)
        values.initialize(repeating: gv_json_value(), count: 2 * slotCapacity)
        words = .allocate(capacity: 3 * nodeCapacity)
        words.initialize(repeating: 0, count: 3 * nodeCapacity)
        findings = .allocate(capacity: Self.findingCapacity)
        raw.initialize(to: gv_json_memory())
        raw.pointee.first = words
        raw.pointee.next = words + nodeCapacity
        raw.pointee.last_seen = words + 2 * nodeCapacity
        raw.pointee.scratch = .allocate(capacity: Int(GV_JSON_KEY))
        raw.pointee.parts = .allocate(capacity: slotCapacity + 1)
    }

    /// Forgets the pattern to which records are compared, because the tree has grown. Returns false if the tree needs more memory.
    func adapt(to tree: JSONTree) -> Bool {
        raw.pointee.part_count = 0
        return tree.capacity <= nodeCapacity && tree.raw.pointee.slots <= slotCapacity
    }

    deinit {
        values.deallocate()
        words.deallocate()
        findings.deallocate()
        raw.pointee.scratch.deallocate()
        raw.pointee.parts.deallocate()
        raw.deallocate()
    }

    /// Sets all ``values`` to missing.
    func forgetValues(_ tree: JSONTree) { values.update(repeating: gv_json_value(), count: tree.raw.pointee.slots) }

    /// Reads a record to ``values`` and returns the notes about it.
    func read(_ tree: JSONTree, _ line: UnsafeBufferPointer<UInt8>, isTrusted: Bool, isTruncated: Bool) -> UInt32 {
        gv_json_read(tree.raw, raw, line.baseAddress, line.count, isTrusted ? 1 : 0, isTruncated ? 1 : 0, values, nil, 0, nil)
    }

    /// Reads consecutive plain records of a batch. A plain record is valid, has no notes, and has a place in the tree for each value.
    /// - Parameters:
    ///   - batch: a batch with one field per record, its line.
    ///   - records: the indices of the records in the batch.
    ///   - slots: the slots of the requested values; −1 for a missing field.
    ///   - fields: receives one field per slot and record.
    /// - Returns: the number of records that were read, and whether the next record is plain, but has escapes in a requested string. Its
    ///   values are then in ``values``.
    func readPlain(
        _ tree: JSONTree, _ batch: FieldBatch, _ records: Range<Int>, _ slots: [Int] = [],
        into fields: UnsafeMutablePointer<FieldBytes>? = nil
    ) -> (count: Int, hasEscapes: Bool) {
        let lines = UnsafeRawPointer(batch.fields + records.lowerBound).assumingMemoryBound(to: gv_field.self)
        let fields = UnsafeMutableRawPointer(fields)?.assumingMemoryBound(to: gv_field.self)
        var hasEscapes: Int32 = 0
        let count = gv_json_read_plain(tree.raw, raw, lines, records.count, values, slots, slots.count, fields, &hasEscapes)
        return (count, hasEscapes != 0)
    }

    /// Checks a record completely. Returns the notes about it and the values without a place in the tree.
    func check(_ tree: JSONTree, _ line: UnsafeBufferPointer<UInt8>) -> (notes: UInt32, findings: UnsafeBufferPointer<gv_json_finding>) {
        var found = 0
        let notes = gv_json_read(tree.raw, raw, line.baseAddress, line.count, 0, 0, values, findings, Self.findingCapacity, &found)
        return (notes, UnsafeBufferPointer(start: findings, count: found))
    }
}

/// Memory for the text of strings with escapes.
struct JSONArena: ~Copyable {
    /// The blocks. They are not freed before the next reset, because fields point into them.
    private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []
    /// The number of used bytes in the last block.
    private var usedCount = 0

    deinit { for block in blocks { block.deallocate() } }

    /// Invalidates all memory and frees all blocks except the largest.
    mutating func reset() {
        usedCount = 0
        guard blocks.count > 1 else { return }
        let last = blocks.removeLast()
        for block in blocks { block.deallocate() }
        blocks = [last]
    }

    mutating func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if blocks.isEmpty || blocks[blocks.count - 1].count - usedCount < count {
            blocks.append(.allocate(capacity: max(count, 4096, min((blocks.last?.count ?? 0) * 2, 1 << 20))))
            usedCount = 0
        }
        let place = blocks[blocks.count - 1].baseAddress! + usedCount
        usedCount += count
        return place
    }
}
