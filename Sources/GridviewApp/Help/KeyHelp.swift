/// What keys and mouse do, for documents outside of the program.
public enum KeyHelp {
    /// What one command is done with, and what it does.
    public struct Entry: Sendable {
        /// Its keys as a person reads them, the best first, with blanks between; for the mouse, the gesture.
        public var keys: String
        /// One sentence.
        public var text: String
    }

    /// Entries under one heading.
    public struct Chapter: Sendable {
        /// The heading.
        public var title: String
        /// In the order of the command table.
        public var entries: [Entry]
    }

    /// The chapters of the help, from the command table.
    public static var chapters: [Chapter] {
        let commands = Command.Chapter.allCases.map { chapter in
            Chapter(
                title: chapter.rawValue,
                entries: Command.table.filter { $0.chapter == chapter }.map { Entry(keys: HelpText.keys(of: $0), text: $0.summary) })
        }
        return commands
            + [
                (HelpText.filterTitle, HelpText.filters), ("In the form of a row", HelpText.form),
                ("In the numbers of columns", HelpText.numbers), ("Mouse", HelpText.mouse),
            ].map {
                title, entries in
                Chapter(title: title, entries: entries.map { Entry(keys: $0.0, text: $0.1) })
            }
    }
}
