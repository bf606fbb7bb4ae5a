extension Message {
    static let noColumns = Message(.noColumns, "No columns to summarize.", short: "No columns.")
}
