public import Tables

/// The kinds of random fields in a column.
public let fieldSamples: [String: [String?]] = [
    "whole": [
        "1", "2", "-3", "10", "007", "9223372036854775807", "9223372036854775806", "-9223372036854775808", "9007199254740993",
        "9007199254740992", "", " ", "x", nil, "n/a", "1,000",
    ],
    "decimal": [
        "0", "-0", "0.0", "1.5", "-2.25", "1e400", "-inf", "nan", "3", "1e-3", "12%", "", "abc", "abd", nil, "0.30000000000000004", "0.3",
    ],
    "date": ["2024-01-01", "1969-12-31", "2024/02/29", "29.02.2024", "2023-02-29", "soon", "", nil],
    "flag": ["true", "no", "Yes", "F", "1", "", nil],
    "text": [
        "a", "B", "b", "a\u{0}", "a\u{0}b", "common beginning 1", "common beginning 10", "common beginning 2", "common beginning", "",
        "\t", nil, "é", "file2", "file10", "File10", "file010", "common beginnin", "seven77", "seven77\u{0}", "seven777",
    ],
]

/// A table of random fields.
/// - Parameter names: the kind of each column: `whole`, `decimal`, `date`, `flag` or `text`.
public func randomTable(_ names: [String], count: Int, seed: UInt64) -> MemoryTable {
    var random = SplitMix64(seed: seed)
    return MemoryTable(
        (0..<count).map { _ in
            names.map { name in
                // Occasional new values limit the number of ties.
                if random.next() % 4 == 0 {
                    let number = Int(random.next() % 100_000)
                    return name == "decimal"
                        ? "\(Double(number) / 64)" : name == "text" ? "name \(number)" : name == "whole" ? "\(number)" : "z\(number)"
                }
                return fieldSamples[name]![Int(random.next() % UInt64(fieldSamples[name]!.count))]
            }
        })
}
