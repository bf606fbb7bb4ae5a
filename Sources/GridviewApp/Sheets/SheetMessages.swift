extension Message {
    static let oneFile = Message(.oneFile, "Only one file is open. To open two, start “gridview a.csv b.csv”.", short: "Only one file.")

    static func lastFile(quit: String) -> Message {
        Message(.lastFile, "This is the only open file. \(quit) quits.", short: "\(quit) quits.")
    }
}
