/// Keys or a mouse gesture, with a description.
public struct KeyHelpEntry: Hashable, Sendable {
    /// Key labels separated by two spaces, or a gesture.
    public var keys: String
    /// The description, one sentence.
    public var text: String

    /// Creates an entry that is not a command, such as a mouse gesture or a part of the filter syntax.
    public init(_ keys: String, _ text: String) {
        (self.keys, self.text) = (keys, text)
    }
}

/// Help entries under one heading.
public struct KeyHelpChapter: Hashable, Sendable {
    /// The heading.
    public var title: String
    /// The entries, in display order.
    public var entries: [KeyHelpEntry]

    /// Creates a chapter of help.
    public init(_ title: String, _ entries: [KeyHelpEntry]) {
        (self.title, self.entries) = (title, entries)
    }

    /// Chapters as plain text: headings, each with a column of keys and a column of descriptions.
    public static func text(_ chapters: [KeyHelpChapter]) -> String {
        let width = chapters.flatMap(\.entries).map(\.keys.count).max() ?? 0
        return chapters.map { chapter in
            ([chapter.title] + chapter.entries.map { "  " + $0.keys + String(repeating: " ", count: width - $0.keys.count + 2) + $0.text })
                .map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }
}

extension KeyMap {
    /// The commands with their keys in this map, grouped by heading, in table order.
    /// - Parameters:
    ///   - contexts: the contexts whose commands are listed; `nil` for all.
    ///   - withoutKeys: the replacement for the keys of a command without keys.
    public func help(in contexts: [Command.Context]? = nil, withoutKeys: (Command) -> String = { _ in "" }) -> [KeyHelpChapter] {
        var chapters: [KeyHelpChapter] = []
        for command in commands where contexts?.contains(command.context) ?? true {
            let labels = bindings(of: command.id, in: command.context).map(\.label)
            let entry = KeyHelpEntry(labels.isEmpty ? withoutKeys(command) : labels.joined(separator: "  "), command.summary)
            if let index = chapters.firstIndex(where: { $0.title == command.heading }) {
                chapters[index].entries.append(entry)
            } else {
                chapters.append(KeyHelpChapter(command.heading, [entry]))
            }
        }
        return chapters
    }
}
