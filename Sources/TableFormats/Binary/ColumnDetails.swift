import FieldValues
import Tables

/// Describes each column in one phrase, with its type and statistics, for the file details.
enum ColumnDetails {
    /// The maximum number of columns, and the maximum number of UTF-8 bytes of a name, a phrase, and a bound in a phrase.
    private static let (maximumColumns, maximumName, maximumPhrase, maximumBound) = (1_000, 80, 240, 40)

    /// The names and phrases of the first columns.
    /// - Parameters:
    ///   - titles: the names of the columns.
    ///   - phrase: returns the phrase for the column with this index.
    static func list(_ titles: [String], _ phrase: (_ column: Int) -> String) -> [(name: String, value: String)] {
        var details = titles.prefix(maximumColumns).enumerated().map {
            (name: truncated($1, maximumName), value: truncated(phrase($0), maximumPhrase))
        }
        let omitted = titles.count - details.count
        if omitted > 0 { details.append((name: "…", value: "\(NumberText.count(omitted)) more columns")) }
        return details
    }

    /// The symbol for a unit of `10^-digits` seconds.
    static func unit(_ digits: Int) -> String { digits == 0 ? "s" : digits == 3 ? "ms" : digits == 6 ? "µs" : "ns" }

    /// The least and the greatest value of a column as a phrase, such as `1 … 999`.
    /// - Parameter isQuoted: true to quote the values, because they are text.
    static func phrase(low: String, high: String, isQuoted: Bool = false) -> String {
        let (low, high) = (truncated(low, maximumBound), truncated(high, maximumBound))
        func shownText(_ text: String) -> String { isQuoted ? "“\(text)”" : text }
        return low == high && !low.hasSuffix("…") ? "only \(shownText(low))" : "\(shownText(low)) … \(shownText(high))"
    }

    /// The bounds of numbers, dates, times or flags as a phrase; `nil` for other bounds.
    static func phrase(_ bounds: ColumnBounds?, isUTC: Bool) -> String? {
        func phrase<Value>(_ range: ClosedRange<Value>, _ values: (UnsafePointer<Value>) -> ColumnVector.Values) -> String {
            let texts = [range.lowerBound, range.upperBound].withUnsafeBufferPointer { buffer in
                var printer = ValuePrinter(width: 1)
                // The array is not empty, so its buffer has an address.
                let vector = ColumnVector(values(buffer.baseAddress!))
                let fields = printer.fields(of: 0..<2, in: ColumnBatch(firstRecord: 0, count: 2, columns: [vector]))
                return (0..<2).map { String(decoding: fields.fields(of: $0)[0].bytes, as: UTF8.self) }
            }
            return Self.phrase(low: texts[0], high: texts[1])
        }
        guard let bounds else { return nil }
        switch bounds.values {
        case .integers(let range, let scale): return phrase(range) { .integers($0, scale: scale) }
        // Adding 0 turns -0 into 0, because the sign of a zero in statistics is arbitrary.
        case .doubles(let range): return phrase(range.lowerBound + 0...range.upperBound + 0) { .doubles($0) }
        case .flags(let range): return phrase(range) { .flags($0) }
        case .dates(let range): return phrase(range) { .dates($0) }
        case .dateTimes(let range, let digits): return phrase(range) { .dateTimes($0, digits: digits, isUTC: isUTC) }
        case .times(let range, let digits): return phrase(range) { .times($0, digits: digits) }
        case .texts, .none: return nil
        }
    }

    /// The text, cut to at most `limit` bytes, with each line end replaced by `␊`.
    private static func truncated(_ text: String, _ limit: Int) -> String {
        var result = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            if count > limit { return String(result) + "…" }
            switch scalar {
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": result.append("␊")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
