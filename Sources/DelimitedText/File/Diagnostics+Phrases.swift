import FieldValues

extension Diagnostics {
    /// The problems as phrases for the user, each with its count and the line where it first occurs. Short and long records share one
    /// phrase.
    public var phrases: [String] {
        let others = Kind.allCases.filter { $0 != .shortRecord && $0 != .longRecord }.map { [$0] }
        return ([[.shortRecord, .longRecord]] + others).compactMap { kinds in
            let findings = kinds.compactMap { kind in self[kind].map { (kind, $0) } }
            let phrases = findings.enumerated().compactMap { Self.phrase($1.0, $1.1.count, followsPhrase: $0 > 0) }
            guard !phrases.isEmpty, let first = findings.map(\.1.first).min(by: { $0.byteOffset < $1.byteOffset }) else { return nil }
            let isOnly = findings.reduce(0) { $0 + $1.1.count } == 1
            let location = "\(isOnly ? "" : "first: ")\(place(of: first))"
            return "\(phrases.joined(separator: ", ")) (\(location))" + (advice(kinds) ?? "")
        }
    }

    /// The end of a phrase that suggests a command line option; `nil` if no option may solve the problems.
    private func advice(_ kinds: [Kind]) -> String? {
        // With NUL bytes, the file is probably not text, so no option helps.
        guard self[.nul] == nil else { return nil }
        return switch kinds.first {
        case .invalidText: "; try --encoding windows-1252"
        case .likelyUTF8: "; try --encoding utf-8"
        default: nil
        }
    }

    /// - Parameter followsPhrase: true if the words follow other words about rows in one phrase, so that “rows” is not repeated.
    private static func phrase(_ kind: Kind, _ count: Int, followsPhrase: Bool) -> String? {
        func countPhrase(_ one: String, _ several: String) -> String { count == 1 ? "1 \(one)" : "\(NumberText.count(count)) \(several)" }
        switch kind {
        case .shortRecord: return countPhrase("row has too few fields", "rows have too few fields")
        case .longRecord:
            return followsPhrase
                ? countPhrase("has too many", "have too many") : countPhrase("row has too many fields", "rows have too many fields")
        case .blankLine: return countPhrase("blank line is a row of empty fields", "blank lines are rows of empty fields")
        case .strayQuote: return countPhrase("unexpected quote", "unexpected quotes")
        case .unclosedQuote: return countPhrase("unclosed quote", "unclosed quotes")
        case .invalidText: return countPhrase("invalid UTF-8 sequence", "invalid UTF-8 sequences")
        case .likelyUTF8: return countPhrase("character is probably UTF-8", "characters are probably UTF-8")
        case .nul: return countPhrase("NUL byte", "NUL bytes")
        case .mixedLineEnds: return "mixed line endings"
        // A byte order mark is not a problem for the user.
        case .byteOrderMark: return nil
        }
    }
}
