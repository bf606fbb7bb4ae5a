import DataGridTerminal
import DelimitedText

/// What is odd about a file, in words.
enum DiagnosticText {
    /// A phrase for each kind of oddity, with its count and the line it was first seen on.
    static func sentences(_ diagnostics: Diagnostics) -> [String] {
        Diagnostics.Kind.allCases.compactMap { kind in
            guard let finding = diagnostics[kind], let words = words(kind, finding.count) else { return nil }
            return "\(words), first on line \(ValueText.count(finding.first.line))"
        }
    }

    private static func words(_ kind: Diagnostics.Kind, _ count: Int) -> String? {
        func many(_ one: String, _ several: String) -> String { count == 1 ? "1 \(one)" : "\(ValueText.count(count)) \(several)" }
        switch kind {
        case .shortRecord: return many("short row", "short rows")
        case .longRecord: return many("long row", "long rows")
        case .strayQuote: return many("stray quote", "stray quotes")
        case .unclosedQuote: return "a quote is never closed"
        case .invalidText: return many("byte sequence that is not UTF-8", "byte sequences that are not UTF-8")
        case .nul: return many("NUL byte", "NUL bytes")
        case .mixedLineEnds: return "mixed line ends"
        // Nobody has to do anything about it.
        case .byteOrderMark: return nil
        }
    }
}
