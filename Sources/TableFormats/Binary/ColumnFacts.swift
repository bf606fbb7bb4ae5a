import FieldValues
import Tables

/// The columns of a file for the file information page: their types and statistics in one phrase each.
enum ColumnFacts {
    /// The maximum number of columns, and of characters of a phrase and of a bound in it.
    private static let (maximumColumns, maximumPhrase, maximumBound) = (1_000, 200, 32)

    /// The facts of the first columns.
    /// - Parameters:
    ///   - titles: the names of the columns.
    ///   - phrase: the phrase for the column with a number.
    static func list(_ titles: [String], _ phrase: (_ column: Int) -> String) -> [(name: String, value: String)] {
        var facts = titles.prefix(maximumColumns).enumerated().map { (name: $1, value: cut(phrase($0), maximumPhrase)) }
        let more = titles.count - facts.count
        if more > 0 { facts.append((name: "…", value: "\(NumberText.count(more)) more columns")) }
        return facts
    }

    /// The bounds as a phrase, such as `1 … 999`; `nil` for bounds that are not known.
    static func phrase(_ bounds: ColumnBounds?) -> String? {
        guard let texts = bounds?.texts else { return nil }
        let (low, high) = (cut(texts.low, maximumBound), cut(texts.high, maximumBound))
        return low == high ? "only \(low)" : "\(low) … \(high)"
    }

    private static func cut(_ text: String, _ limit: Int) -> String { text.count > limit ? text.prefix(limit - 1) + "…" : text }
}
