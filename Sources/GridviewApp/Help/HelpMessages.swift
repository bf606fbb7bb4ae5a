extension Message {
    /// Names five keys when the program is used for the first time.
    static func firstSteps(searchKey: String, filterKey: String, sortKey: String, helpKey: String, quitKey: String) -> Message {
        var message = Message(
            .firstSteps,
            "Five keys to start: \(searchKey) search · \(filterKey) filter · \(sortKey) sort · \(helpKey) all keys · \(quitKey) quit",
            short: "\(helpKey) all keys")
        message.medium = "\(helpKey) keys·\(searchKey) find·\(filterKey) filter·\(sortKey) sort·\(quitKey) quit"
        return message
    }
}

extension AppState {
    /// Shows the message that names five keys, unless another message is shown or hints are off. A list of tables keeps its own message
    /// about opening a table.
    mutating func showFirstSteps() {
        guard showsHints, message == nil, !document.listsTables else { return }
        show(.firstSteps(searchKey: key(.search), filterKey: key(.filter), sortKey: key(.sort), helpKey: key(.help), quitKey: key(.close)))
    }
}
