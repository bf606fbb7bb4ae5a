/// What keys and mouse do, for documents outside of the program.
public enum KeyHelp {
    public struct Entry: Sendable {
        public var keys: String
        public var text: String
    }

    public struct Chapter: Sendable {
        public var title: String
        public var entries: [Entry]
    }

    /// The chapters of the help, from the command table.
    public static var chapters: [Chapter] {
        let commands = Command.Chapter.allCases.map { chapter in
            Chapter(
                title: chapter.rawValue,
                entries: Command.table.filter { $0.chapter == chapter }.map { Entry(keys: HelpText.keys(of: $0), text: $0.summary) })
        }
        return commands + [Chapter(title: "Mouse", entries: HelpText.mouse.map { Entry(keys: $0.0, text: $0.1) })]
    }
}
