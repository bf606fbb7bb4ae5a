import CByteScan

/// The keys of some columns in the form that the reader in C uses. Immutable.
final class JSONTree: @unchecked Sendable {
    let raw: gv_json_tree
    private let nodes: UnsafeMutableBufferPointer<gv_json_node>
    private let keys: UnsafeMutableBufferPointer<UInt8>
    private let buckets: UnsafeMutableBufferPointer<UInt32>

    /// The purpose of a tree.
    enum Purpose {
        /// Finds keys without a column. The tree has all nodes of the schema. A slot is the index of the column, or the index of the node
        /// while the columns are not settled.
        case discovery
        /// Reads the values of nodes. The slot of a node is its index in this array.
        case reading([Int])
    }

    init(_ schema: JSONSchema, _ purpose: Purpose) {
        var slots = [Int32](repeating: -1, count: schema.nodes.count)
        var isNeeded = [Bool](repeating: false, count: schema.nodes.count)
        var slotCount = 0
        isNeeded[0] = true
        switch purpose {
        case .discovery:
            for (index, node) in schema.nodes.enumerated() {
                isNeeded[index] = true
                // Before the columns are settled, a node needs a slot only if a value was found.
                let slot = schema.isSettled ? node.column : node.hasValue ? index : nil
                slots[index] = slot.map(Int32.init) ?? -1
            }
            slotCount = schema.isSettled ? schema.columns.count : schema.nodes.count
        case .reading(let nodes):
            slotCount = nodes.count
            for (slot, node) in nodes.enumerated() {
                slots[node] = Int32(slot)
                Self.addAncestors(of: node, schema, &isNeeded)
                // All keys of the object are needed to find out if it has other keys.
                if schema.nodes[node].showsRest { Self.addKeys(of: node, schema, &isNeeded) }
            }
        }
        var isDiscovery = false
        if case .discovery = purpose { isDiscovery = true }
        var made: [gv_json_node] = []
        var keys: [UInt8] = []
        Self.add(0, below: 0, schema, slots, isNeeded, isDiscovery, &made, &keys)
        var size = 1
        while size < made.count * 2 { size *= 2 }
        nodes = .allocate(capacity: made.count)
        self.keys = .allocate(capacity: max(1, keys.count))
        buckets = .allocate(capacity: size)
        buckets.initialize(repeating: 0)
        _ = self.keys.initialize(from: keys)
        for index in made.indices.dropFirst() {
            let node = made[index]
            let key = self.keys.baseAddress! + Int(node.key_begin)
            let bucket = Int(gv_json_hash(node.parent, key, Int(node.key_count)) & UInt64(size - 1))
            made[index].next_in_bucket = buckets[bucket]
            buckets[bucket] = UInt32(index)
        }
        _ = nodes.initialize(from: made)
        raw = gv_json_tree(
            nodes: UnsafePointer(nodes.baseAddress), count: made.count, keys: UnsafePointer(self.keys.baseAddress),
            buckets: UnsafePointer(buckets.baseAddress), bucket_mask: size - 1, slots: slotCount)
        if isDiscovery { discovered = Self.order(0, schema) } else { discovered = [] }
    }

    /// In a tree for discovery, the indices of the schema's nodes in depth-first order. Otherwise empty.
    let discovered: [Int]

    deinit {
        nodes.deallocate()
        keys.deallocate()
        buckets.deallocate()
    }

    private static func order(_ node: Int, _ schema: JSONSchema) -> [Int] {
        [node] + schema.nodes[node].children.flatMap { order($0, schema) }
    }

    private static func addAncestors(of node: Int, _ schema: JSONSchema, _ isNeeded: inout [Bool]) {
        var node = node
        while !isNeeded[node] {
            isNeeded[node] = true
            node = schema.nodes[node].parent
        }
    }

    private static func addKeys(of node: Int, _ schema: JSONSchema, _ isNeeded: inout [Bool]) {
        for child in schema.nodes[node].children { isNeeded[child] = true }
    }

    /// Appends a node and the needed nodes below it, depth first.
    private static func add(
        _ node: Int, below parent: UInt32, _ schema: JSONSchema, _ slots: [Int32], _ isNeeded: [Bool], _ isDiscovery: Bool,
        _ made: inout [gv_json_node], _ keys: inout [UInt8]
    ) {
        let from = schema.nodes[node]
        let index = made.count
        var raw = gv_json_node()
        raw.key_begin = UInt32(keys.count)
        raw.key_count = UInt32(from.key.count)
        keys += from.key
        raw.parent = parent
        raw.slot = slots[node]
        raw.slot_count = slots[node] >= 0 ? 1 : 0
        // An object without nodes for its keys is shown as text.
        let divides = node == 0 || (isDiscovery ? from.depth < JSONSchema.maximumDepth : !from.children.isEmpty)
        raw.divides = divides ? 1 : 0
        raw.shows_rest = from.showsRest ? 1 : 0
        raw.is_plain = from.key.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") } ? 0 : 1
        made.append(raw)
        for child in from.children where isNeeded[child] {
            let first = made.count
            add(child, below: UInt32(index), schema, slots, isNeeded, isDiscovery, &made, &keys)
            made[index].slot_count += made[first].slot_count
        }
        made[index].end = UInt32(made.count)
    }
}
