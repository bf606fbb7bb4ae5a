import CByteScan

/// The keys to look for in records, in the form that the reader in C uses.
final class JSONTree {
    /// The tree as a C struct. It is a pointer, because each access to a stored variable of a class is checked for exclusivity, which takes
    /// time.
    let raw: UnsafeMutablePointer<gv_json_tree>
    /// The memory for nodes. The tree uses its first elements. The number of all elements is a power of two.
    private var nodes: UnsafeMutableBufferPointer<gv_json_node>
    private var keys: UnsafeMutableBufferPointer<UInt8>
    private var keyByteCount = 0
    /// A hash table of the nodes: the first node of each bucket; 0 for none. There are twice as many elements as in `nodes`.
    private var buckets: UnsafeMutableBufferPointer<UInt32>

    /// The purpose of a tree.
    enum Purpose {
        /// Finds keys that have no column yet. The nodes of the tree have the same indices as those of the schema. The slot of a node is
        /// the index of its column or, until the columns are final, its own index.
        case discovery
        /// Reads the values of nodes. The slot of a node is its index in this array.
        case reading([Int])
    }

    init(_ schema: JSONSchema, _ purpose: Purpose) {
        raw = .allocate(capacity: 1)
        raw.initialize(to: gv_json_tree())
        var capacity = 16
        if case .discovery = purpose { while capacity < schema.nodes.count { capacity *= 2 } }
        (nodes, keys) = (.allocate(capacity: capacity), .allocate(capacity: 256))
        buckets = .allocate(capacity: 2 * nodes.count)
        buckets.initialize(repeating: 0)
        setPointers()
        switch purpose {
        case .discovery:
            grow(to: schema, changed: [])
        case .reading(let nodes):
            var slots = [Int32](repeating: -1, count: schema.nodes.count)
            var isNeeded = [Bool](repeating: false, count: schema.nodes.count)
            isNeeded[0] = true
            for (slot, node) in nodes.enumerated() {
                slots[node] = Int32(slot)
                Self.addAncestors(of: node, schema, &isNeeded)
                // All keys of the object are needed to find out if it has other keys.
                if schema.nodes[node].showsRest { Self.addKeys(of: node, schema, &isNeeded) }
            }
            add(0, below: 0, schema, slots, isNeeded)
            raw.pointee.slots = nodes.count
        }
    }

    deinit {
        nodes.deallocate()
        keys.deallocate()
        buckets.deallocate()
        raw.deallocate()
    }

    /// The maximum number of nodes until the tree moves to larger memory.
    var capacity: Int { nodes.count }

    /// Adds the nodes that the schema of a tree for discovery has gained. On average, the time depends only on the number of these nodes
    /// and of the changed nodes.
    /// - Parameter changed: nodes whose column or properties have changed.
    func grow(to schema: JSONSchema, changed: [Int]) {
        for node in changed where node < raw.pointee.count {
            nodes[node].slot = Self.slot(of: node, schema)
            nodes[node].shows_rest = schema.nodes[node].showsRest ? 1 : 0
            nodes[node].has_numbers = schema.nodes[node].hasNumbers ? 1 : 0
            nodes[node].has_digits = schema.nodes[node].hasDigits ? 1 : 0
        }
        for index in raw.pointee.count..<max(raw.pointee.count, schema.nodes.count) {
            let node = schema.nodes[index]
            let divides = node.depth < JSONSchema.maximumDepth
            append(node, below: node.parent, slot: Self.slot(of: index, schema), divides: divides)
        }
        raw.pointee.slots = schema.isSettled ? schema.columns.count : schema.nodes.count
    }

    /// The slot of a node in a tree for discovery; −1 if the node has no value to show.
    private static func slot(of index: Int, _ schema: JSONSchema) -> Int32 {
        let node = schema.nodes[index]
        // Before the columns are settled, a node needs a slot only if a value was found.
        let slot = schema.isSettled ? node.column : node.hasValue ? index : nil
        return slot.map(Int32.init) ?? -1
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

    /// Appends a node and the needed nodes below it, depth first, and counts their slots.
    private func add(_ node: Int, below parent: Int, _ schema: JSONSchema, _ slots: [Int32], _ isNeeded: [Bool]) {
        let schemaNode = schema.nodes[node]
        // An object without nodes for its keys is shown as text.
        let index = append(schemaNode, below: parent, slot: slots[node], divides: node == 0 || !schemaNode.children.isEmpty)
        if slots[node] >= 0 { nodes[index].slot_count = 1 }
        for child in schemaNode.children where isNeeded[child] {
            let first = raw.pointee.count
            add(child, below: index, schema, slots, isNeeded)
            nodes[index].slot_count += nodes[first].slot_count
        }
    }

    // MARK: Nodes

    /// Appends a node and returns its index.
    @discardableResult
    private func append(_ schemaNode: JSONSchema.Node, below parent: Int, slot: Int32, divides: Bool) -> Int {
        let index = raw.pointee.count
        if index == nodes.count { enlarge() }
        if keyByteCount + schemaNode.key.count > keys.count {
            keys = Self.moved(keys, keyByteCount, toCapacity: 2 * keys.count + schemaNode.key.count)
            setPointers()
        }
        var node = gv_json_node()
        node.key_begin = UInt32(keyByteCount)
        node.key_count = UInt16(schemaNode.key.count)
        node.parent = UInt32(parent)
        node.slot = slot
        node.divides = divides ? 1 : 0
        node.shows_rest = schemaNode.showsRest ? 1 : 0
        node.has_numbers = schemaNode.hasNumbers ? 1 : 0
        node.has_digits = schemaNode.hasDigits ? 1 : 0
        node.is_plain = schemaNode.key.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") } ? 0 : 1
        _ = UnsafeMutableBufferPointer(rebasing: keys[keyByteCount...]).initialize(fromContentsOf: schemaNode.key)
        keyByteCount += schemaNode.key.count
        // Node 0 is not below another node.
        if index > 0 {
            node.previous = nodes[parent].last_child
            nodes[parent].last_child = UInt32(index)
        }
        nodes.initializeElement(at: index, to: node)
        raw.pointee.count = index + 1
        if index > 0 { addToBucket(index) }
        return index
    }

    private func addToBucket(_ index: Int) {
        let node = nodes[index]
        let hash = gv_json_hash(node.parent, keys.baseAddress! + Int(node.key_begin), Int(node.key_count))
        let bucket = Int(hash & UInt64(buckets.count - 1))
        nodes[index].next_in_bucket = buckets[bucket]
        buckets[bucket] = UInt32(index)
    }

    /// Doubles the memory for nodes.
    private func enlarge() {
        nodes = Self.moved(nodes, raw.pointee.count, toCapacity: 2 * nodes.count)
        buckets.deallocate()
        buckets = .allocate(capacity: 2 * nodes.count)
        buckets.initialize(repeating: 0)
        for index in 1..<max(1, raw.pointee.count) { addToBucket(index) }
        setPointers()
    }

    /// Sets the pointers that the reader in C uses.
    private func setPointers() {
        raw.pointee.nodes = UnsafePointer(nodes.baseAddress)
        raw.pointee.keys = UnsafePointer(keys.baseAddress)
        raw.pointee.buckets = UnsafePointer(buckets.baseAddress)
        raw.pointee.bucket_mask = buckets.count - 1
    }

    /// Moves the first `count` elements to a new buffer.
    private static func moved<Element>(
        _ buffer: UnsafeMutableBufferPointer<Element>, _ count: Int, toCapacity capacity: Int
    ) -> UnsafeMutableBufferPointer<Element> {
        let larger = UnsafeMutableBufferPointer<Element>.allocate(capacity: capacity)
        larger.baseAddress!.moveInitialize(from: buffer.baseAddress!, count: count)
        buffer.deallocate()
        return larger
    }
}
