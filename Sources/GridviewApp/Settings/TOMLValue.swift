/// A value of TOML, a format for settings (https://toml.io/en/v1.0.0).
enum TOMLValue: Equatable, Sendable {
    case string(String)
    case integer(Int)
    case float(Double)
    case boolean(Bool)
    case array([TOMLValue])
    case table(TOMLTable)

    /// Compares values. Ignores the lines at which they are written, and treats NaN as equal to NaN.
    func isEqual(to other: TOMLValue) -> Bool {
        switch (self, other) {
        case (.float(let one), .float(let two)): one.bitPattern == two.bitPattern
        case (.array(let one), .array(let two)): one.count == two.count && zip(one, two).allSatisfy { $0.isEqual(to: $1) }
        case (.table(let one), .table(let two)):
            one.entries.count == two.entries.count
                && one.entries.allSatisfy { key, entry in two[key]?.value.isEqual(to: entry.value) ?? false }
        default: self == other
        }
    }

    /// The type of the value for messages, with an article, such as `a string`.
    var kindName: String {
        switch self {
        case .string: "a string"
        case .integer, .float: "a number"
        case .boolean: "true or false"
        case .array: "a list"
        case .table: "a table"
        }
    }
}

/// A TOML table: values with distinct keys and their places in the text.
struct TOMLTable: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        var value: TOMLValue
        /// The line number of the key, from 1.
        var line: Int
        /// The byte range of the value in the text; `nil` for a table that a header or a dotted key defines.
        var byteRange: Range<Int>?
    }

    var entries: [String: Entry] = [:]

    subscript(key: String) -> Entry? { entries[key] }

    /// The entries in the order of the text.
    var orderedEntries: [(key: String, entry: Entry)] {
        entries.sorted {
            ($0.value.line, $0.value.byteRange?.lowerBound ?? -1, $0.key) < ($1.value.line, $1.value.byteRange?.lowerBound ?? -1, $1.key)
        }
        .map { (key: $0.key, entry: $0.value) }
    }

    /// Adds an entry to the table at a path. Creates the table if it does not exist.
    /// - Returns: False if the key exists already, or if a part of the path is not a table.
    mutating func insert(_ entry: Entry, _ key: String, in path: ArraySlice<String>) -> Bool {
        guard let first = path.first else {
            guard entries[key] == nil else { return false }
            entries[key] = entry
            return true
        }
        return withTable(first, line: entry.line) { $0.insert(entry, key, in: path.dropFirst()) }
    }

    /// Creates the table at a path, and the tables around it, unless they exist.
    /// - Returns: False if a part of the path is not a table.
    mutating func createTable(at path: ArraySlice<String>, line: Int) -> Bool {
        guard let first = path.first else { return true }
        return withTable(first, line: line) { $0.createTable(at: path.dropFirst(), line: line) }
    }

    private mutating func withTable(_ key: String, line: Int, _ body: (inout TOMLTable) -> Bool) -> Bool {
        var entry = entries[key] ?? Entry(value: .table(TOMLTable()), line: line)
        guard case .table(var table) = entry.value else { return false }
        // Take the table out of the dictionary while it changes. With a second reference, the change would copy it.
        (entries[key], entry.value) = (nil, .boolean(false))
        let isDone = body(&table)
        entry.value = .table(table)
        entries[key] = entry
        return isDone
    }
}

extension String {
    /// The text as a quoted TOML string.
    var tomlText: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case _ where scalar.value < 32 || scalar.value == 127:
                let code = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - code.count) + code
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
