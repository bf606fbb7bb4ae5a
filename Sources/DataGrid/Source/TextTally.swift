/// Counts the distinct strings in ranges of places. Single strings can be changed.
///
/// Takes 16 bytes per place, and memory for the distinct strings of each requested range.
struct TextTally {
    private var texts: [String?]
    /// For each requested range, how often each string occurs.
    private var runs: [Range<Int>: [String: Int]] = [:]

    init(_ texts: [String?]) { self.texts = texts }

    /// Returns a tally in which each place has the text from `places[place]`. O(places).
    func moved(from places: [Int]) -> TextTally { TextTally(places.map { texts[$0] }) }

    /// Sets or removes the text at a place.
    /// - Parameter ranges: all ranges that contain the place and were passed to ``count(in:)`` before. O(ranges).
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

    /// The number of distinct strings in a range. O(places in the range) the first time, then O(1).
    mutating func count(in run: Range<Int>) -> Int {
        if let cached = runs[run] { return cached.count }
        var counts: [String: Int] = [:]
        for case let text? in texts[run.clamped(to: 0..<texts.count)] { counts[text, default: 0] += 1 }
        runs[run] = counts
        return counts.count
    }
}
