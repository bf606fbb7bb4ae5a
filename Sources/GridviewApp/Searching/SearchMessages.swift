extension Message {
    static func noSearch(search: String) -> Message {
        Message(.noSearch, "No search yet: press \(search).", short: "Press \(search) first.")
    }

    static let searchWrapped = Message(.searchWrapped, "Search wrapped.")

    static func notFound(_ search: Search?) -> Message {
        Message(.notFound, "\(search.map { "\($0.name(width: 24)) not" } ?? "Not") found.", short: "Not found.")
    }
}
