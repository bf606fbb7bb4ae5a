/// Column names for formats that require unique names.
package enum DistinctNames {
    /// Returns unique names. A repeated name gets a number, starting with 2: `a`, `a`, `b` become `a`, `a_2`, `b`. A numbered name never
    /// equals the name of another column. O(names).
    /// - Parameter key: converts a name to the value that must be unique, such as its lower case form.
    package static func numbered<Key: Hashable>(_ names: [String], by key: (String) -> Key) -> [String] {
        var used = Set(names.map(key))
        guard used.count < names.count else { return names }
        var seen: Set<Key> = []
        // For each name, the number to try when the name occurs again.
        var next: [Key: Int] = [:]
        return names.map { name in
            guard !seen.insert(key(name)).inserted else { return name }
            var number = next[key(name)] ?? 2
            while !used.insert(key("\(name)_\(number)")).inserted { number += 1 }
            next[key(name)] = number + 1
            return "\(name)_\(number)"
        }
    }
}
