import FieldValues

/// The values with the highest counts, in descending order of counts. Ties are in ascending order of values.
struct TopValues<Value> {
    private let number: Int
    /// True if the first value comes before the second.
    private let precedes: (Value, Value) -> Bool
    private(set) var entries: [(value: Value, count: Int)] = []

    init(_ number: Int, by precedes: @escaping (Value, Value) -> Bool) { (self.number, self.precedes) = (number, precedes) }

    /// Adds a value, which is computed only if its count is high enough.
    @inline(__always)
    mutating func add(_ value: @autoclosure () -> Value, count: Int) {
        if entries.count == number, number == 0 || count < entries[number - 1].count { return }
        insert(value(), count)
    }

    private mutating func insert(_ value: Value, _ count: Int) {
        let place = entries.indices.partitioningIndex {
            count > entries[$0].count || count == entries[$0].count && precedes(value, entries[$0].value)
        }
        guard place < number else { return }
        if entries.count == number { entries.removeLast() }
        entries.insert((value, count), at: place)
    }
}
