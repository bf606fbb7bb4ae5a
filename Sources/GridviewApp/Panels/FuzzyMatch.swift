/// Finding names by some of their letters, in order.
enum FuzzyMatch {
    /// How well `query` matches `name`: higher is better, `nil` is not at all. Case counts for nothing; letters side by side and at the
    /// beginning of words count for more, and shorter names win.
    static func score(_ query: String, in name: String) -> Int? {
        if query.isEmpty { return 0 }
        let letters = Array(name.lowercased())
        var score = 0
        var at = 0
        var last = -2
        for letter in query.lowercased() where letter != " " {
            guard let found = letters[at...].firstIndex(of: letter) else { return nil }
            score += found == last + 1 ? 8 : 1
            if found == 0 || !(letters[found - 1].isLetter || letters[found - 1].isNumber) { score += 6 }
            last = found
            at = found + 1
        }
        return score * 64 - letters.count
    }

    /// The indices of the names that match, the best first, equal ones in their order.
    static func rank(_ query: String, in names: [String]) -> [Int] {
        let scored = names.enumerated().compactMap { index, name in score(query, in: name).map { (index, $0) } }
        if query.isEmpty { return scored.map(\.0) }
        return scored.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0 < $1.0 }.map(\.0)
    }
}
