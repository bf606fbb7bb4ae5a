import FieldValues

/// The most frequent of the added fields. Ties are in natural order.
struct TopFields {
    private let number: Int
    private let alphabet: NaturalOrder.Alphabet
    /// The fields in descending order of counts.
    private(set) var fields: [(bytes: [UInt8], count: Int)] = []

    init(number: Int, alphabet: NaturalOrder.Alphabet) { (self.number, self.alphabet) = (number, alphabet) }

    /// - Parameter isLast: true if the field comes after all fields added before it in natural order.
    @inline(__always)
    mutating func add(count: Int, isLast: Bool = false, _ bytes: () -> [UInt8]) {
        if fields.count == number, number == 0 || count < fields[number - 1].count || isLast && count == fields[number - 1].count { return }
        insert(bytes(), count)
    }

    private mutating func insert(_ bytes: [UInt8], _ count: Int) {
        if fields.count == number {
            guard isBefore(bytes, count, number - 1) else { return }
            fields.removeLast()
        }
        var (place, end) = (0, fields.count)
        while place < end {
            let middle = (place + end) / 2
            if isBefore(bytes, count, middle) { end = middle } else { place = middle + 1 }
        }
        fields.insert((bytes, count), at: place)
    }

    /// True if a field comes before the field at a place.
    private func isBefore(_ bytes: [UInt8], _ count: Int, _ place: Int) -> Bool {
        if count != fields[place].count { return count > fields[place].count }
        return bytes.withUnsafeBufferPointer { bytes in
            fields[place].bytes.withUnsafeBufferPointer { NaturalOrder.compare(bytes, $0, alphabet) < 0 }
        }
    }
}
