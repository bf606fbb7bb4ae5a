/// A list of strings that counts the distinct strings in any range of the list. Single strings can be changed.
///
/// The list takes 16 bytes for each string, and memory for the distinct strings of each range that was requested.
struct DistinctTextCounter {
    private var texts: [String?]
    /// The number of occurrences of each distinct string, for each range that was requested.
    private var counts: [Range<Int>: [String: Int]] = [:]

    init(_ texts: [String?]) { self.texts = texts }

    /// Returns a list in another order: the string at each index is the one that this list has at `indices[index]`. O(indices).
    func reordered(by indices: [Int]) -> DistinctTextCounter { DistinctTextCounter(indices.map { texts[$0] }) }

    /// Sets the string at an index; `nil` removes it.
    /// - Parameter ranges: all ranges that contain the index and for which ``count(in:)`` was called. O(ranges).
    mutating func set(_ text: String?, at index: Int, in ranges: Set<Range<Int>>) {
        while texts.count <= index { texts.append(nil) }
        let old = texts[index]
        guard text != old else { return }
        texts[index] = text
        for range in ranges where counts[range] != nil {
            if let text { counts[range]?[text, default: 0] += 1 }
            if let old, let count = counts[range]?[old] { counts[range]?[old] = count > 1 ? count - 1 : nil }
        }
    }

    /// The number of distinct strings in a range. O(indices in the range) for the first call with this range, then O(1).
    mutating func count(in range: Range<Int>) -> Int {
        if let cached = counts[range] { return cached.count }
        var found: [String: Int] = [:]
        for case let text? in texts[range.clamped(to: 0..<texts.count)] { found[text, default: 0] += 1 }
        counts[range] = found
        return found.count
    }
}
