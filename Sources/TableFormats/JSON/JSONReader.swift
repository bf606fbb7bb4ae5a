import CByteScan
import FieldValues
import Tables

/// Reads the fields of JSON records. The fields of a batch are valid until the next one begins.
struct JSONReader: ~Copyable {
    private let tree: JSONTree
    /// For each requested field, its slot in the tree; −1 for a column that does not exist, −2 for the text of unreadable records.
    private let places: [Int]
    /// The requested fields that have only arrays and objects.
    private let nested: [Int]
    private let memory: JSONMemory
    private let checks: Bool
    private var arena = JSONArena()

    /// - Parameters:
    ///   - schema: the columns.
    ///   - columns: the requested columns, in any order and with repetitions.
    ///   - checks: true to read with ``readIfPlain(_:into:)``, false to read with the other method.
    init(_ schema: JSONSchema, _ columns: [Int], checks: Bool = false) {
        self.checks = checks
        nested = columns.indices.filter { columns[$0] >= FieldID.firstNested }
        let columns = columns.map { $0 < FieldID.firstNested ? $0 : $0 - FieldID.firstNested }
        guard !checks else {
            // The slot of a column is its index. Plain records have no value in the column of unreadable records.
            places = columns.map { schema.columns.indices.contains($0) && $0 != schema.unreadableColumn ? $0 : -1 }
            tree = JSONTree(schema, .discovery)
            memory = JSONMemory(tree)
            return
        }
        var slots: [Int: Int] = [:]
        var distinct: [Int] = []
        places = columns.map { column in
            guard schema.columns.indices.contains(column) else { return -1 }
            if column == schema.unreadableColumn { return -2 }
            if let slot = slots[column] { return slot }
            slots[column] = distinct.count
            distinct.append(column)
            return distinct.count - 1
        }
        tree = JSONTree(schema, .reading(distinct))
        memory = JSONMemory(tree)
    }

    /// The number of requested fields.
    var width: Int { places.count }

    /// Invalidates the fields read before.
    mutating func beginBatch() { arena.reset() }

    /// Reads a record and writes its fields. Returns the notes about the record.
    /// - Parameters:
    ///   - line: the bytes of the record.
    ///   - isTrusted: true if the record is valid and has no duplicate or escaped keys.
    ///   - isCut: true if the record continues after the bytes.
    ///   - fields: receives ``width`` fields.
    @discardableResult
    mutating func read(
        _ line: UnsafeBufferPointer<UInt8>, isTrusted: Bool, isCut: Bool = false, into fields: UnsafeMutablePointer<FieldBytes>
    ) -> UInt32 {
        guard let start = line.baseAddress, line.count < Int(UInt32.max) else {
            for index in places.indices { (fields + index).initialize(to: .missing) }
            return UInt32(GV_JSON_BLANK)
        }
        let notes = memory.read(tree, line, isTrusted: isTrusted, isCut: isCut)
        write(line, start, isInvalid: notes & UInt32(GV_JSON_INVALID) != 0, to: fields)
        return notes
    }

    /// Checks a record as ``JSONChecker`` does, and writes its fields if it is plain: valid, without notes and without new keys.
    /// - Returns: false if the record is not plain.
    mutating func readIfPlain(_ line: UnsafeBufferPointer<UInt8>, into fields: UnsafeMutablePointer<FieldBytes>) -> Bool {
        precondition(checks)
        guard let start = line.baseAddress else {
            for index in places.indices { (fields + index).initialize(to: .missing) }
            return true
        }
        guard line.count < Int(UInt32.max) else { return false }
        let (notes, findings) = memory.check(tree, line)
        guard notes == 0, findings.isEmpty else { return false }
        write(line, start, isInvalid: false, to: fields)
        return true
    }

    @inline(__always)
    private mutating func write(
        _ line: UnsafeBufferPointer<UInt8>, _ start: UnsafePointer<UInt8>, isInvalid: Bool, to fields: UnsafeMutablePointer<FieldBytes>
    ) {
        for (index, place) in places.enumerated() {
            var field = FieldBytes.missing
            if place >= 0 {
                field = self.field(memory.values[place], start)
            } else if place == -2, isInvalid {
                field = FieldBytes(start: start, count: line.count)
            }
            (fields + index).initialize(to: field)
        }
        for index in nested where !isNested(places[index], start) { (fields + index).pointee = .missing }
    }

    /// True if the value in a slot is an array or an object.
    private func isNested(_ place: Int, _ start: UnsafePointer<UInt8>) -> Bool {
        guard place >= 0, memory.values[place].kind & ~UInt32(GV_JSON_CUT) == UInt32(GV_JSON_TEXT) else { return false }
        let first = start[Int(memory.values[place].begin)]
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }

    /// True if the value of a field of the last record continues after the bytes.
    func isCut(_ field: Int) -> Bool { places[field] >= 0 && memory.values[places[field]].kind & UInt32(GV_JSON_CUT) != 0 }

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

/// The memory of the reader for one tree.
final class JSONMemory {
    let values: UnsafeMutablePointer<gv_json_value>
    // This is a pointer, because access to a stored property of a class is checked each time.
    private let raw = UnsafeMutablePointer<gv_json_memory>.allocate(capacity: 1)
    private let words: UnsafeMutablePointer<UInt32>
    private let findings: UnsafeMutablePointer<gv_json_finding>

    /// The maximum number of findings in one call.
    private static let findingCapacity = 256

    init(_ tree: JSONTree) {
        let count = tree.raw.count
        values = .allocate(capacity: max(1, tree.raw.slots))
        values.initialize(repeating: gv_json_value(), count: max(1, tree.raw.slots))
        words = .allocate(capacity: 3 * count)
        words.initialize(repeating: 0, count: 3 * count)
        findings = .allocate(capacity: Self.findingCapacity)
        raw.initialize(to: gv_json_memory())
        raw.pointee.first = words
        raw.pointee.next = words + count
        raw.pointee.seen = words + 2 * count
        raw.pointee.scratch = .allocate(capacity: Int(GV_JSON_KEY))
        raw.pointee.parts = .allocate(capacity: tree.raw.slots + 1)
    }

    deinit {
        values.deallocate()
        words.deallocate()
        findings.deallocate()
        raw.pointee.scratch.deallocate()
        raw.pointee.parts.deallocate()
        raw.deallocate()
    }

    /// Reads a record to ``values`` and returns the notes about it.
    func read(_ tree: JSONTree, _ line: UnsafeBufferPointer<UInt8>, isTrusted: Bool, isCut: Bool) -> UInt32 {
        withUnsafePointer(to: tree.raw) {
            gv_json_read($0, raw, line.baseAddress, line.count, isTrusted ? 1 : 0, isCut ? 1 : 0, values, nil, 0, nil)
        }
    }

    /// The number of consecutive plain records of `batch` from `first`. A plain record is valid, has no notes, and has a place in the tree
    /// for each value.
    /// - Precondition: the batch has one field per record.
    func plainCount(_ tree: JSONTree, _ batch: FieldBatch, from first: Int) -> Int {
        let records = UnsafeRawPointer(batch.fields + first).assumingMemoryBound(to: gv_field.self)
        return withUnsafePointer(to: tree.raw) { gv_json_skip_plain($0, raw, records, batch.count - first, values) }
    }

    /// Checks a record completely. Returns the notes about it and the values without a place in the tree.
    func check(_ tree: JSONTree, _ line: UnsafeBufferPointer<UInt8>) -> (notes: UInt32, findings: UnsafeBufferPointer<gv_json_finding>) {
        var found = 0
        let notes = withUnsafePointer(to: tree.raw) {
            gv_json_read($0, raw, line.baseAddress, line.count, 0, 0, values, findings, Self.findingCapacity, &found)
        }
        return (notes, UnsafeBufferPointer(start: findings, count: found))
    }
}

/// Memory for the text of strings with escapes.
struct JSONArena: ~Copyable {
    /// Blocks are kept until the next reset, because fields point into them.
    private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []
    private var used = 0

    deinit { for block in blocks { block.deallocate() } }

    /// Invalidates all memory and frees all blocks except the largest.
    mutating func reset() {
        used = 0
        guard blocks.count > 1 else { return }
        let last = blocks.removeLast()
        for block in blocks { block.deallocate() }
        blocks = [last]
    }

    mutating func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if blocks.isEmpty || blocks[blocks.count - 1].count - used < count {
            blocks.append(.allocate(capacity: max(count, 4096, min((blocks.last?.count ?? 0) * 2, 1 << 20))))
            used = 0
        }
        let place = blocks[blocks.count - 1].baseAddress! + used
        used += count
        return place
    }
}
