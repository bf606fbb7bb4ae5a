extension Message {
    static let cannotEdit = Message(
        .cannotEdit, "This table cannot be edited: the program only reads files.", short: "Cannot be edited.")
    static let rowNotReadToEnd = Message(.rowNotReadToEnd, "The end of this row has not been read yet.", short: "Still reading.")
}
