extension Message {
    static let rowNotReadToEnd = Message(.rowNotReadToEnd, "The end of this row has not been read yet.", short: "Still reading.")
}
