/// The description of a table that Spark and Sail return with `SHOW TABLE EXTENDED`: a line `Name: value` for each property.
struct SparkTableDescription {
    /// The kind of the table, such as `view`.
    private(set) var kind = "table"
    private(set) var comment: String?
    /// The size in bytes; `nil` without statistics. Spark collects statistics with `ANALYZE TABLE`; Sail has no such statement.
    private(set) var byteCount: String?
    /// The number of rows; `nil` without statistics.
    private(set) var rowCount: String?

    /// The names of the properties that can follow the comment, which can have several lines. Some catalogs list the provider and the owner
    /// before it, others after it.
    private static let possibleNextProperties: Set<Substring> = [
        "Collation", "Compressed", "External", "InputFormat", "Is_managed_location", "Location", "OutputFormat", "Owner",
        "Partition Columns", "Partition Provider", "Provider", "SQL Path", "Schema", "Serde Library", "Statistics", "Storage Properties",
        "Table Properties", "Table_type", "View Catalog and Namespace", "View Original Text", "View Query Output Columns",
        "View Schema Mode", "View Text",
    ]

    init(_ text: String) {
        var isInComment = false
        var names: Set<Substring> = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            // A property without a value is only its name.
            let name = line.firstRange(of: ": ").map { line[..<$0.lowerBound] } ?? line
            // No property occurs twice, so a line that looks like an earlier one belongs to the comment.
            if isInComment, names.contains(name) || !Self.possibleNextProperties.contains(name) {
                comment? += "\n" + line
                continue
            }
            isInComment = false
            names.insert(name)
            if line.hasPrefix("Schema: ") { break }
            if line.hasPrefix("Type: ") {
                kind =
                    switch line.dropFirst(6) {
                    case "VIEW": "view"
                    case "TEMPORARY": "temporary view"
                    default: "table"
                    }
            } else if line.hasPrefix("Comment: ") {
                (comment, isInComment) = (String(line.dropFirst(9)), true)
            } else if line.hasPrefix("Statistics: ") {
                // An example of the line is `Statistics: 1063 bytes, 10 rows`. The number of rows can be absent.
                for part in line.dropFirst(12).split(separator: ", ") {
                    let words = part.split(separator: " ")
                    guard words.count == 2, words[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
                    if words[1] == "bytes" { byteCount = String(words[0]) }
                    if words[1] == "rows" { rowCount = String(words[0]) }
                }
            }
        }
    }
}
