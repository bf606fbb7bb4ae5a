extension Message {
    /// - Parameter isEmpty: true if the formula has no value in any of the first rows, such as a sum of texts that are not numbers.
    static func columnAdded(_ name: String, _ formula: String, isEmpty: Bool = false) -> Message {
        let note = isEmpty ? " It has no value in the first rows: check the formula." : ""
        return Message(
            .columnAdded, "Column added: “\(name) = \(shortened(formula, width: 32))”.\(note)",
            short: isEmpty ? "Empty column." : "Column added.")
    }

    static func formulaInvalid(_ reason: String) -> Message { Message(.formulaInvalid, reason, isError: true) }

    static func expanded(_ name: String, count: Int, hasMore: Bool = false, collapseKey: String) -> Message {
        Message(
            .columnExpanded, "Expanded “\(name)” to \(hasMore ? "the first " : "")\(columns(count)). Press \(collapseKey) to collapse.",
            short: "Expanded.")
    }

    static func nothingToExpand(_ name: String, rows: Int?, isArray: Bool = false) -> Message {
        let extent = rows.map { "the first \(Self.rows($0))" } ?? "any row"
        let noun = isArray ? "array" : "object or array"
        return Message(.nothingToExpand, "“\(name)” has no JSON \(noun) in \(extent).", short: "No JSON here.", isError: true)
    }

    static let cannotExpandYet = Message(
        .cannotExpandYet, "Cannot expand the arrays yet: the file is still being read. Try again when all rows are counted.",
        short: "Still reading.", isError: true)

    static func columnCollapsed(_ name: String, expandKey: String) -> Message {
        Message(.columnCollapsed, "Collapsed “\(name)”. Press \(expandKey) to expand.", short: "Collapsed.")
    }

    static func nothingToCollapse(_ name: String, expandKey: String) -> Message {
        Message(
            .nothingToCollapse, "“\(name)” is not part of an expanded column. Press \(expandKey) on a column of JSON to expand it.",
            short: "Not expanded.", isError: true)
    }

    static let cannotExpandOnServer = Message(
        .cannotExpandOnServer, "Columns of a server table cannot be expanded.", short: "Not on servers.", isError: true)

    /// Another column is still being added; columns are added one at a time.
    static let addingColumn = Message(
        .addingColumn, "Still adding another column. Try again when it is done.", short: "Adding a column.", isError: true)
}
