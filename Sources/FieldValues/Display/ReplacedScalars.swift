extension String {
    /// The text with `replacement` instead of each occurrence of `scalar`.
    ///
    /// `replacing(_:with:)` compares characters. It would not find a quote that a combining mark follows, although SQL and shells read it
    /// as a quote.
    package func replacingScalar(_ scalar: Unicode.Scalar, with replacement: String) -> String {
        guard unicodeScalars.contains(scalar) else { return self }
        var result = UnicodeScalarView()
        for found in unicodeScalars {
            if found == scalar { result += replacement.unicodeScalars } else { result.append(found) }
        }
        return String(result)
    }

    /// The text in quotes, where each quote in the text is doubled, as in SQL.
    package func quoted(by quote: Unicode.Scalar) -> String { "\(quote)\(replacingScalar(quote, with: "\(quote)\(quote)"))\(quote)" }
}
