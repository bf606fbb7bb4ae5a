extension Message {
    /// Names five keys in the first use of the program.
    static func firstSteps(search: String, filter: String, sort: String, help: String, quit: String) -> Message {
        var message = Message(
            .firstSteps, "Five keys to start: \(search) search · \(filter) filter · \(sort) sort · \(help) all keys · \(quit) quit",
            short: "\(help) all keys")
        message.medium = "\(help) keys·\(search) find·\(filter) filter·\(sort) sort·\(quit) quit"
        return message
    }
}

extension AppState {
    /// Names five keys, unless another message is shown, hints are off, or the rows are tables, where the hint to open one matters more.
    mutating func showFirstSteps() {
        guard showsHints, message == nil, !document.listsTables else { return }
        show(.firstSteps(search: key(.search), filter: key(.filter), sort: key(.sort), help: key(.help), quit: key(.close)))
    }
}
