extension Message {
    static let rowNotReadToEnd = Message(.rowNotReadToEnd, "The end of this row is not read yet.", short: "Still reading.")
}
