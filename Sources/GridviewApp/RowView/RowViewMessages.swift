extension Message {
    static let cannotEdit = Message(
        .cannotEdit, "Cells cannot be edited: gridview only reads tables.", short: "Cannot be edited.")
    /// Only the start of a row that is too long was searched.
    static func notFoundInStart(_ search: Search) -> Message {
        Message(
            .notFound, "\(search.name(width: 24)) not found in the start of this long row. A search in the table reads all of it.",
            short: "Not found.")
    }
    static let rowNotReadToEnd = Message(.rowNotReadToEnd, "The end of this row has not been read yet.", short: "Still reading.")
}
