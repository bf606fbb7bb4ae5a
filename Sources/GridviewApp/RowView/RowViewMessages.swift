extension Message {
    static let cannotEdit = Message(
        .cannotEdit, "Cells cannot be edited: gridview only reads tables.", short: "Cannot be edited.")
    static let rowNotReadToEnd = Message(.rowNotReadToEnd, "The end of this row has not been read yet.", short: "Still reading.")
}
