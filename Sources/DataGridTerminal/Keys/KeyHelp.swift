/// Keys, or a gesture of the mouse, and what they do.
public struct KeyHelpEntry: Hashable, Sendable {
    /// Keys as people read them, with two blanks between; or a gesture.
    public var keys: String
    /// One sentence.
    public var text: String

    /// An entry that is no command: a gesture of the mouse, a piece of a language.
    public init(_ keys: String, _ text: String) {
        (self.keys, self.text) = (keys, text)
    }
}

/// Entries of help under one heading.
public struct KeyHelpChapter: Hashable, Sendable {
    /// The heading.
    public var title: String
    /// In the order to be read.
    public var entries: [KeyHelpEntry]

    /// Entries under a heading.
    public init(_ title: String, _ entries: [KeyHelpEntry]) {
        (self.title, self.entries) = (title, entries)
    }

    /// Chapters as plain text: headings, and below them keys in one column and what they do in another.
    public static func text(_ chapters: [KeyHelpChapter]) -> String {
        let width = chapters.flatMap(\.entries).map(\.keys.count).max() ?? 0
        return chapters.map { chapter in
            ([chapter.title] + chapter.entries.map { "  " + $0.keys + String(repeating: " ", count: width - $0.keys.count + 2) + $0.text })
                .map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }
}

extension KeyMap {
    /// The commands with the keys they have in this map, by their headings, in the order of the table.
    /// - Parameters:
    ///   - contexts: whose commands are listed; `nil`: those of all contexts.
    ///   - withoutKeys: stands in place of the keys of a command that has none.
    public func help(in contexts: [Command.Context]? = nil, withoutKeys: (Command) -> String = { _ in "" }) -> [KeyHelpChapter] {
        var chapters: [KeyHelpChapter] = []
        for command in commands where contexts?.contains(command.context) ?? true {
            let labels = bindings(of: command.id, in: command.context).map(\.label)
            let entry = KeyHelpEntry(labels.isEmpty ? withoutKeys(command) : labels.joined(separator: "  "), command.summary)
            if let place = chapters.firstIndex(where: { $0.title == command.heading }) {
                chapters[place].entries.append(entry)
            } else {
                chapters.append(KeyHelpChapter(command.heading, [entry]))
            }
        }
        return chapters
    }
}
