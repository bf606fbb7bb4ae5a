extension Message {
    static func noSearch(searchKey: String) -> Message {
        Message(.noSearch, "No search yet: press \(searchKey).", short: "Press \(searchKey) first.")
    }

    static let nothingToSearchFor = Message(.nothingToSearchFor, "The cell is empty: nothing to search for.", short: "Empty cell.")

    static let searchWrapped = Message(.searchWrapped, "Search wrapped.")

    /// - Parameter column: the name of the column that was searched; `nil` if all columns were searched.
    static func notFound(_ search: Search?, in column: String? = nil) -> Message {
        let inColumn = column.map { " in “\($0)”" } ?? ""
        return Message(.notFound, "\(search.map { "\($0.name(width: 24)) not" } ?? "Not") found\(inColumn).", short: "Not found.")
    }
}
