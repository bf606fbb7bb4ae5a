import FieldValues

/// The fields that occur most of those it is given, equal ones in natural order.
struct TopFields {
    private let number: Int
    /// The most frequent first.
    private(set) var fields: [(bytes: [UInt8], count: Int)] = []

    /// - Parameter number: how many to keep, at least 1.
    init(number: Int) { self.number = number }

    @inline(__always)
    mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, _ count: Int) {
        if fields.count == number {
            guard count >= fields[number - 1].count, isBefore(bytes, count, number - 1) else { return }
            fields.removeLast()
        }
        var (place, end) = (0, fields.count)
        while place < end {
            let middle = (place + end) / 2
            if isBefore(bytes, count, middle) { end = middle } else { place = middle + 1 }
        }
        fields.insert(([UInt8](bytes), count), at: place)
    }

    /// Whether a field comes before that at a place.
    private func isBefore(_ bytes: UnsafeBufferPointer<UInt8>, _ count: Int, _ place: Int) -> Bool {
        if count != fields[place].count { return count > fields[place].count }
        return fields[place].bytes.withUnsafeBufferPointer { NaturalOrder.compare(bytes, $0) < 0 }
    }
}
