extension Message {
    /// Names five keys when the program is used for the first time.
    static func firstSteps(search: String, filter: String, sort: String, help: String, quit: String) -> Message {
        var message = Message(
            .firstSteps, "Five keys to start: \(search) search · \(filter) filter · \(sort) sort · \(help) all keys · \(quit) quit",
            short: "\(help) all keys")
        message.medium = "\(help) keys·\(search) find·\(filter) filter·\(sort) sort·\(quit) quit"
        return message
    }
}

extension AppState {
    /// Shows the message that names five keys, unless another message is shown or hints are off. A list of tables keeps its own message
    /// about opening a table.
    mutating func showFirstSteps() {
        guard showsHints, message == nil, !document.listsTables else { return }
        show(.firstSteps(search: key(.search), filter: key(.filter), sort: key(.sort), help: key(.help), quit: key(.close)))
    }
}
