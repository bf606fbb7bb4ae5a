/// Column names for formats that require unique names.
package enum DistinctNames {
    /// Returns unique names. A repeated name gets a number from 2: `a`, `a`, `b` become `a`, `a_2`, `b`. A numbered name never equals the
    /// name of another column. O(names).
    /// - Parameter key: the property that must differ, such as the name in lower case.
    package static func numbered<Key: Hashable>(_ names: [String], by key: (String) -> Key) -> [String] {
        var used = Set(names.map(key))
        guard used.count < names.count else { return names }
        var seen: Set<Key> = []
        // The next number to try for each name.
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
