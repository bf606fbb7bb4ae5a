import Tables

/// The keys of written JSON objects, as a tree: columns whose paths begin with the same keys are in the same object.
struct JSONKeyTree {
    struct Node: Equatable {
        /// The key as UTF-8. It is compared by bytes, because different keys of a file can be equal as strings.
        var key: [UInt8]
        /// The index of the column with the value of the key; `nil` if the value is always an object with the values of other columns.
        var column: Int?
        /// The keys inside the object, as indices of ``nodes``, in the order of the first column of each key.
        var children: [Int] = []
    }

    /// A key inside the object of another key. `parent` is an index of ``nodes``.
    private struct ChildKey: Hashable {
        var parent: Int
        var key: [UInt8]
    }

    /// The keys. The first node is the written object itself.
    private(set) var nodes = [Node(key: [])]
    /// The names of the columns: their titles. If a column has no path and its title is already a key, the name gets a number, such as
    /// `price_2`.
    private(set) var names: [String]
    private var children: [ChildKey: Int] = [:]

    /// Creates the tree of columns.
    /// - Parameters:
    ///   - titles: the titles of the columns. A column without a path has its title as a key of the outermost object. Readers of JSON keep
    ///     only one of several equal keys, so a title that is already a key gets a number.
    ///   - paths: for each column, its path, which has at least one key; `nil` for a column without a path. An empty array means that no
    ///     column has a path.
    init(titles: [String], paths: [[String]?] = []) {
        names = titles
        // Insert the paths first, because a title gets a number if it is equal to the first key of a path.
        var outermost = [Int?](repeating: nil, count: titles.count)
        for (column, path) in paths.enumerated() { if let path { outermost[column] = insert(path, column) } }
        let keys = nodes[0].children.map { String(decoding: nodes[$0].key, as: UTF8.self) }
        let flat = titles.indices.filter { outermost[$0] == nil }
        let numbered = DistinctNames.numbered(keys + flat.map { titles[$0] }) { $0 }.dropFirst(keys.count)
        for (column, name) in zip(flat, numbered) {
            names[column] = name
            outermost[column] = nodes.count
            nodes.append(Node(key: Array(name.utf8), column: column))
        }
        var known: Set<Int> = []
        nodes[0].children = outermost.compactMap { $0 }.filter { known.insert($0).inserted }
    }

    /// Adds the keys of a path. Returns the node of its first key, or `nil` if another column has the same path.
    private mutating func insert(_ path: [String], _ column: Int) -> Int? {
        var (node, first) = (0, nil as Int?)
        for key in path {
            let child = ChildKey(parent: node, key: Array(key.utf8))
            if let known = children[child] {
                node = known
            } else {
                nodes.append(Node(key: child.key))
                nodes[node].children.append(nodes.count - 1)
                node = nodes.count - 1
                children[child] = node
            }
            first = first ?? node
        }
        guard nodes[node].column == nil else { return nil }
        nodes[node].column = column
        return first
    }
}
