extension Message {
    static let noColumns = Message(.noColumns, "No columns.")
}
