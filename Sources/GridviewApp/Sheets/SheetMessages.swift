extension Message {
    static let oneFile = Message(.oneFile, "Only one file is open. gridview a.csv b.csv opens two.", short: "Only one file.")

    static func lastFile(quit: String) -> Message {
        Message(.lastFile, "This is the only open file. \(quit) quits.", short: "\(quit) quits.")
    }
}
