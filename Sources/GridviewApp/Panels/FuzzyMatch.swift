/// Finds names that contain the typed letters in the same order, adjacent or not.
struct FuzzyMatch {
    /// The letters to find, in lower case without spaces.
    private let letters: [Character]
    /// The letters as ASCII bytes, for a faster comparison; `nil` if one of them is not ASCII.
    private let bytes: [UInt8]?

    /// Prepares the typed text for comparison with many names. O(length).
    init(_ query: String) {
        letters = query.lowercased().filter { $0 != " " }
        bytes = letters.allSatisfy(\.isASCII) ? letters.compactMap(\.asciiValue) : nil
    }

    /// How well `name` matches: a higher number is better, `nil` means that it does not match.
    ///
    /// Adjacent letters, letters at the start of words, and short names increase the number. O(length of `name`).
    func score(in name: String) -> Int? {
        if letters.isEmpty { return 0 }
        var name = name
        if let bytes, let score = name.withUTF8({ Self.score(bytes, inASCII: $0) }) { return score }
        return Self.score(letters, in: Array(name.lowercased())) { $0.isLetter || $0.isNumber }
    }

    /// A faster version of ``score(in:)`` for names in ASCII, because a list can have a million names. Returns `.some(nil)` for no match,
    /// and `nil` if the name is not ASCII.
    private static func score(_ query: [UInt8], inASCII name: UnsafeBufferPointer<UInt8>) -> Int?? {
        // A carriage return and a line feed together are one Character.
        guard name.allSatisfy({ $0 < 0x80 && $0 != 0x0d }) else { return nil }
        let lowercased = name.lazy.map { 0x41...0x5a ~= $0 ? $0 | 0x20 : $0 }
        return .some(score(query, in: lowercased) { 0x30...0x39 ~= $0 || 0x61...0x7a ~= $0 })
    }

    private static func score<Name: RandomAccessCollection>(
        _ query: [Name.Element], in name: Name, isWord: (Name.Element) -> Bool
    ) -> Int? where Name.Index == Int, Name.Element: Equatable {
        var (score, at, last) = (0, 0, -2)
        for letter in query {
            while at < name.count, name[at] != letter { at += 1 }
            guard at < name.count else { return nil }
            score += at == last + 1 ? 8 : 1
            if at == 0 || !isWord(name[at - 1]) { score += 6 }
            last = at
            at += 1
        }
        return score * 64 - name.count
    }

    /// The indices of the names that match, the best first. Equally good names keep their order.
    static func rank(_ query: String, in names: some Collection<String>) -> [Int] {
        let match = FuzzyMatch(query)
        if match.letters.isEmpty { return Array(0..<names.count) }
        let scored = names.enumerated().compactMap { index, name in match.score(in: name).map { (index, $0) } }
        return scored.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0 < $1.0 }.map(\.0)
    }
}
