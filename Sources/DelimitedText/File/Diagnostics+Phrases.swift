import FieldValues

extension Diagnostics {
    /// A phrase for each kind of problem, with its count and the line of the first occurrence. Short and long records share one phrase.
    public var phrases: [String] {
        let others = Kind.allCases.filter { $0 != .shortRecord && $0 != .longRecord }.map { [$0] }
        return ([[.shortRecord, .longRecord]] + others).compactMap { kinds in
            let findings = kinds.compactMap { kind in self[kind].map { (kind, $0) } }
            let phrases = findings.compactMap { Self.words($0, $1.count) }
            guard !phrases.isEmpty, let line = findings.map(\.1.first.line).min() else { return nil }
            return "\(phrases.joined(separator: ", ")), first on line \(NumberText.count(line))" + (Self.advice(kinds) ?? "")
        }
    }

    /// A command line option that may solve the problem.
    private static func advice(_ kinds: [Kind]) -> String? {
        switch kinds.first {
        case .invalidText: " (try --encoding windows-1252)"
        case .likelyUTF8: " (try --encoding utf-8)"
        default: nil
        }
    }

    private static func words(_ kind: Kind, _ count: Int) -> String? {
        func many(_ one: String, _ several: String) -> String { count == 1 ? "1 \(one)" : "\(NumberText.count(count)) \(several)" }
        switch kind {
        case .shortRecord: return many("short row", "short rows")
        case .longRecord: return many("long row", "long rows")
        case .strayQuote: return many("stray quote", "stray quotes")
        case .unclosedQuote: return "a quote is never closed"
        case .invalidText: return many("byte sequence that is not UTF-8", "byte sequences that are not UTF-8")
        case .likelyUTF8: return many("character looks like UTF-8", "characters look like UTF-8")
        case .nul: return many("NUL byte", "NUL bytes")
        case .mixedLineEnds: return "mixed line ends"
        // A byte order mark needs no action.
        case .byteOrderMark: return nil
        }
    }
}
