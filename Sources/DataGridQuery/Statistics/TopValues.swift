import FieldValues

/// Collects the values with the highest counts, in descending order of counts.
struct TopValues<Value> {
    private let limit: Int
    private(set) var entries: [(value: Value, count: Int)] = []

    init(_ limit: Int) { self.limit = limit }

    /// Adds a value if its count is high enough.
    /// - Parameters:
    ///   - isBefore: called with a value that has the same count as the new value; returns true if the new value comes before that value.
    ///   - value: returns the value; called only if it is kept.
    @inline(__always)
    mutating func add(count: Int, isBefore: (Value) -> Bool, _ value: () -> Value) {
        func isBeforeEntry(_ index: Int) -> Bool {
            count > entries[index].count || count == entries[index].count && isBefore(entries[index].value)
        }
        if entries.count == limit {
            guard limit > 0, isBeforeEntry(limit - 1) else { return }
            entries.removeLast()
        }
        let index = entries.indices.partitioningIndex(where: isBeforeEntry)
        entries.insert((value(), count), at: index)
    }
}
