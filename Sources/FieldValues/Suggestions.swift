/// Suggests names that a user probably meant.
public enum Suggestions {
    /// The maximum number of letters of a mistyped name. A longer text has no suggestion.
    private static let maximumLetters = 64

    /// The name with the smallest edit distance from the text, ignoring case. `nil` if the distance exceeds max(1, letters of the text /
    /// 3), or if the text has more than 64 letters. O(names).
    public static func closest(_ text: String, _ names: [String]) -> String? {
        guard isShort(text, maximumLetters) else { return nil }
        let maximumDistance = max(1, text.count / 3)
        let lowered = text.lowercased()
        let candidates = names.lazy.filter { abs($0.count - text.count) <= maximumDistance }.map {
            ($0, distance(lowered, $0.lowercased()))
        }
        return candidates.min { $0.1 < $1.1 }.flatMap { $0.1 <= maximumDistance ? $0.0 : nil }
    }

    /// The shortest name that the text abbreviates, ignoring case. Such a name starts with the same letter, contains the letters of the
    /// text in their order, and has at most twice as many letters. `nil` for texts of fewer than 3 or more than 64 letters. O(names).
    package static func name(abbreviatedBy text: String, in names: [String]) -> String? {
        guard isShort(text, maximumLetters), text.count >= 3 else { return nil }
        let lowered = Array(text.lowercased())
        func isAbbreviation(of name: String) -> Bool {
            var rest = lowered[...]
            for letter in name.lowercased() {
                if letter == rest.first {
                    rest.removeFirst()
                } else if rest.count == lowered.count {
                    return false
                }
            }
            return rest.isEmpty
        }
        let candidates = names.filter { isShort($0, 2 * lowered.count) && isAbbreviation(of: $0) }
        return candidates.min { $0.count < $1.count }
    }

    /// True if a text has at most `maximum` letters. Counts no further than that. O(`maximum`).
    private static func isShort(_ text: String, _ maximum: Int) -> Bool {
        text.utf8.prefix(8 * maximum + 1).count <= 8 * maximum && text.count <= maximum
    }

    /// The names as a phrase that lists alternatives: `a, b or c`.
    package static func alternatives(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return "\(names.dropLast().joined(separator: ", ")) or \(last)"
    }

    /// True if `text` differs from `name` by at most one edit, ignoring the case of `text`.
    public static func isTypo(_ text: String, _ name: String) -> Bool { distance(text.lowercased(), name) <= 1 }

    /// The edit distance in letters, in which a swap of two neighbors is one edit (F. J. Damerau, "A technique for computer detection and
    /// correction of spelling errors", 1964). No letter is edited twice, as in the optimal string alignment distance.
    private static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a), Array(b))
        var (earlier, last) = ([Int](), Array(0...b.count))
        for (i, x) in a.enumerated() {
            var row = [i + 1]
            for (j, y) in b.enumerated() {
                var edits = min(row[j] + 1, last[j + 1] + 1, last[j] + (x == y ? 0 : 1))
                if i > 0, j > 0, x == b[j - 1], a[i - 1] == y { edits = min(edits, earlier[j - 1] + 1) }
                row.append(edits)
            }
            (earlier, last) = (last, row)
        }
        return last[b.count]
    }
}
