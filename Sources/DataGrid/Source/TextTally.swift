/// Number of distinct texts in runs of places, while single texts change.
///
/// Takes 16 bytes a place, and memory for the distinct texts of each run that was asked for.
struct TextTally {
    private var texts: [String?]
    /// How often each text is in a run.
    private var runs: [Range<Int>: [String: Int]] = [:]

    init(_ texts: [String?]) { self.texts = texts }

    /// With the text at each place that stood at `places[place]`. O(places).
    func moved(from places: [Int]) -> TextTally { TextTally(places.map { texts[$0] }) }

    /// Puts a text at a place, or none.
    /// - Parameter around: all runs with that place that may have been asked about. O(runs).
    mutating func set(_ text: String?, at place: Int, in around: Set<Range<Int>>) {
        while texts.count <= place { texts.append(nil) }
        let old = texts[place]
        guard text != old else { return }
        texts[place] = text
        for run in around where runs[run] != nil {
            if let text { runs[run]?[text, default: 0] += 1 }
            if let old, let count = runs[run]?[old] { runs[run]?[old] = count > 1 ? count - 1 : nil }
        }
    }

    /// How many different ones a run has. O(places of the run) for the first time, then O(1).
    mutating func count(in run: Range<Int>) -> Int {
        if let known = runs[run] { return known.count }
        var counts: [String: Int] = [:]
        for case let text? in texts[run.clamped(to: 0..<texts.count)] { counts[text, default: 0] += 1 }
        runs[run] = counts
        return counts.count
    }
}
