import FieldValues

/// The values with the highest counts, in descending order of counts.
struct TopValues<Value> {
    private let number: Int
    private(set) var entries: [(value: Value, count: Int)] = []

    init(_ number: Int) { self.number = number }

    /// Adds a value, which is computed only if its count is high enough.
    /// - Parameter isBefore: true if the value comes before another one with the same count.
    @inline(__always)
    mutating func add(count: Int, isBefore: (Value) -> Bool, _ value: () -> Value) {
        func isBeforeEntry(_ place: Int) -> Bool {
            count > entries[place].count || count == entries[place].count && isBefore(entries[place].value)
        }
        if entries.count == number {
            guard number > 0, isBeforeEntry(number - 1) else { return }
            entries.removeLast()
        }
        let place = entries.indices.partitioningIndex(where: isBeforeEntry)
        entries.insert((value(), count), at: place)
    }
}
