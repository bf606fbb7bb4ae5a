extension Message {
    static let onlyOneFile = Message(
        .onlyOneFile, "Only one file is open. To open two, start “gridview a.csv b.csv”.", short: "Only one file.")

    static func onlyOpenFile(quitKey: String) -> Message {
        Message(.onlyOpenFile, "This is the only open file. \(quitKey) quits.", short: "\(quitKey) quits.")
    }
}
