/// A list of strings that counts the distinct strings in any range of the list. Single strings can be changed. The place of a string is
/// its index in the list.
///
/// The list takes 16 bytes for each place, and memory for the distinct strings of each range that was requested.
struct TextTally {
    private var texts: [String?]
    /// For each range that was requested, how often each string occurs in it.
    private var runs: [Range<Int>: [String: Int]] = [:]

    init(_ texts: [String?]) { self.texts = texts }

    /// Returns a list in another order: the string at each place is the one that this list has at `places[place]`. O(places).
    func moved(from places: [Int]) -> TextTally { TextTally(places.map { texts[$0] }) }

    /// Sets the string at a place; `nil` removes it.
    /// - Parameter ranges: all ranges that contain the place and for which ``count(in:)`` was called. O(ranges).
    mutating func set(_ text: String?, at place: Int, in ranges: Set<Range<Int>>) {
        while texts.count <= place { texts.append(nil) }
        let old = texts[place]
        guard text != old else { return }
        texts[place] = text
        for run in ranges where runs[run] != nil {
            if let text { runs[run]?[text, default: 0] += 1 }
            if let old, let count = runs[run]?[old] { runs[run]?[old] = count > 1 ? count - 1 : nil }
        }
    }

    /// The number of distinct strings in a range. O(places in the range) for the first call with this range, then O(1).
    mutating func count(in run: Range<Int>) -> Int {
        if let cached = runs[run] { return cached.count }
        var counts: [String: Int] = [:]
        for case let text? in texts[run.clamped(to: 0..<texts.count)] { counts[text, default: 0] += 1 }
        runs[run] = counts
        return counts.count
    }
}
