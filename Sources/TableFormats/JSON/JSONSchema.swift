import CByteScan
import Tables

/// The keys of JSON records, and the columns of their values. Keys and columns can be added, but not removed.
struct JSONSchema: Sendable {
    /// A key on a path from the record. The first node is the record itself.
    struct Node: Sendable, Equatable {
        var key: [UInt8]
        var parent: Int
        /// The number of keys from the record to this one.
        var depth: Int
        var children: [Int] = []
        /// The column with the values that are not divided into columns; `nil` without such a column.
        var column: Int?
        /// True if the key has a value that is neither null nor a divided object.
        var hasValue = false
        /// The record in which ``hasValue`` became true; `nil` before that.
        var firstRecord: Int?
        /// True if some keys of the objects have no node. Such an object is also shown as text in the column of this node.
        var showsRest = false
        /// True if a value is a number.
        var hasNumbers = false
        /// True if a value is a string that reads as a number.
        var hasDigits = false
        /// The record in which the second of ``hasNumbers`` and ``hasDigits`` became true; `nil` until both are true.
        var firstMixedRecord: Int?
    }

    private(set) var nodes = [Node(key: [], parent: 0, depth: 0)]
    /// The node of each column; `nil` for the column of unreadable records.
    private(set) var columns: [Int?] = []
    /// For each column, the first record that has a value in it.
    private(set) var firstRecords: [Int] = []
    /// True if a record is not valid JSON.
    private(set) var hasUnreadableRecords = false
    /// The column with the text of records that are not valid JSON; `nil` without such a column.
    private(set) var unreadableColumn: Int?
    /// The number of nodes for keys in nested objects.
    private var nestedCount = 0
    /// True after ``createColumns()`` has created the columns of the first records. Before that call, no node has a column.
    private(set) var isSettled = false
    /// A number that changes with each change of the keys or columns.
    private(set) var revision = 0

    /// The depth from which objects are shown as text instead of being divided into columns.
    static let maximumDepth = 3
    /// The maximum number of keys in nested objects that become columns.
    static let maximumNestedKeys = 200
    /// The maximum number of nodes. An object with more keys is also shown as text.
    static let maximumKeys = 16_384

    /// The title of a column: the keys, separated by dots. A key with a dot is quoted.
    func title(ofColumn column: Int) -> String {
        guard columns.indices.contains(column) else { return "" }
        guard let node = columns[column] else { return "(unreadable)" }
        return node == 0 ? "value" : JSONPath.text(keys(to: node))
    }

    /// The keys that lead to the values of a column; `nil` for the column of unreadable records and the column of whole records.
    func keyPath(ofColumn column: Int) -> [String]? {
        guard columns.indices.contains(column), let node = columns[column], node > 0 else { return nil }
        return keys(to: node).map { String(decoding: $0, as: UTF8.self) }
    }

    private func keys(to node: Int) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        var node = node
        while node > 0 {
            keys.append(nodes[node].key)
            node = nodes[node].parent
        }
        return keys.reversed()
    }

    // MARK: Growing

    /// Adds keys and columns for the findings in a record.
    /// - Parameters:
    ///   - findings: the findings of the reader in C, which has searched the record with a tree for discovery.
    ///   - record: the number of the record.
    ///   - bytes: the record.
    /// - Returns: the nodes that were added or changed.
    mutating func add(_ findings: some Sequence<gv_json_finding>, in record: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var added: [Int: [[UInt8]: Int]] = [:]
        var changed: [Int] = []
        for finding in findings {
            let node = Int(finding.node)
            guard finding.kind != UInt32(GV_JSON_NEEDS_SLOT) else {
                setValue(of: node, record)
                addColumn(for: node, record)
                changed.append(node)
                continue
            }
            if finding.kind == UInt32(GV_JSON_NUMBER) || finding.kind == UInt32(GV_JSON_DIGITS) {
                setKind(of: node, isNumber: finding.kind == UInt32(GV_JSON_NUMBER), record)
                changed.append(node)
                continue
            }
            let key = Self.unescaped(UnsafeBufferPointer(rebasing: bytes[Int(finding.begin)..<Int(finding.end)]))
            // A record may have the same new key twice.
            guard let child = added[node]?[key] ?? newNode(node, key, isLong: finding.kind == UInt32(GV_JSON_NEW_LONG)) else {
                revision += 1
                nodes[node].showsRest = true
                setValue(of: node, record)
                addColumn(for: node, record)
                changed.append(node)
                continue
            }
            added[node, default: [:]][key] = child
            changed.append(child)
            if finding.kind == UInt32(GV_JSON_NEW_VALUE) { setValue(of: child, record) }
            if finding.kind != UInt32(GV_JSON_NEW_OBJECT) { addColumn(for: child, record) }
        }
        return changed
    }

    private mutating func setValue(of node: Int, _ record: Int) {
        guard !nodes[node].hasValue else { return }
        revision += 1
        (nodes[node].hasValue, nodes[node].firstRecord) = (true, record)
    }

    private mutating func setKind(of node: Int, isNumber: Bool, _ record: Int) {
        revision += 1
        if isNumber { nodes[node].hasNumbers = true } else { nodes[node].hasDigits = true }
        if nodes[node].hasNumbers, nodes[node].hasDigits, nodes[node].firstMixedRecord == nil { nodes[node].firstMixedRecord = record }
    }

    /// The record in which the second of two kinds first occurs in a column: numbers, and strings that read as numbers. `nil` if the column
    /// does not have both kinds.
    func firstMixedRecord(inColumn column: Int) -> Int? {
        guard columns.indices.contains(column), let node = columns[column] else { return nil }
        return nodes[node].firstMixedRecord
    }

    /// Adds a key below a node, and returns its node. Returns `nil` if the key is too long, or if there are too many keys.
    private mutating func newNode(_ parent: Int, _ key: [UInt8], isLong: Bool) -> Int? {
        let depth = nodes[parent].depth + 1
        guard !isLong, nodes.count < Self.maximumKeys, depth == 1 || nestedCount < Self.maximumNestedKeys else { return nil }
        if depth > 1 { nestedCount += 1 }
        revision += 1
        nodes.append(Node(key: key, parent: parent, depth: depth))
        nodes[parent].children.append(nodes.count - 1)
        return nodes.count - 1
    }

    private mutating func addColumn(for node: Int, _ record: Int) {
        guard isSettled, nodes[node].column == nil else { return }
        revision += 1
        nodes[node].column = columns.count
        columns.append(node)
        firstRecords.append(record)
    }

    /// Adds the column of unreadable records. `record` is the first record with a value in it.
    mutating func addUnreadableRecord(_ record: Int) {
        revision += 1
        hasUnreadableRecords = true
        guard isSettled, unreadableColumn == nil else { return }
        unreadableColumn = columns.count
        columns.append(nil)
        firstRecords.append(record)
    }

    /// Creates the columns of the first records: keys in order of appearance, with the keys of each object next to each other.
    mutating func createColumns() {
        revision += 1
        isSettled = true
        func addColumns(below node: Int, of schema: inout JSONSchema) {
            for child in schema.nodes[node].children {
                if schema.nodes[child].hasValue || schema.nodes[child].children.isEmpty {
                    schema.addColumn(for: child, schema.nodes[child].firstRecord ?? 0)
                }
                addColumns(below: child, of: &schema)
            }
        }
        addColumns(below: 0, of: &self)
        if nodes[0].hasValue || columns.isEmpty { addColumn(for: 0, nodes[0].firstRecord ?? 0) }
        if hasUnreadableRecords { addUnreadableRecord(0) }
    }

    static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        // An empty array must not be written to, because all threads share its memory.
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return [] }
        return [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            if let target = buffer.baseAddress { count = gv_json_unescape(start, bytes.count, target) }
        }
    }
}
