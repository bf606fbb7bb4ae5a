extension Message {
    static let nothingToPick = Message(.nothingToPick, "No row here to pick.", short: "No row here.", isError: true)
}
