/// The position of a prompt in its history, for the keys that go back and forth.
struct PromptHistory<Entry: Equatable & Sendable>: Equatable, Sendable {
    /// The index of the earlier entry that the prompt shows; `nil` while it shows the new entry.
    private var index: Int?
    /// The new entry, kept while the prompt shows an earlier one; otherwise `nil`.
    private var draft: Entry?

    /// Goes to the earlier or later entry.
    /// - Parameters:
    ///   - step: −1 for the earlier entry, 1 for the later one.
    ///   - entries: the earlier entries, the latest at the end.
    ///   - current: the entry that the prompt shows now.
    /// - Returns: The entry to show; `nil` if there are no more entries in this direction.
    mutating func move(by step: Int, in entries: [Entry], from current: Entry) -> Entry? {
        let next = (index ?? entries.count) + step
        guard (0...entries.count).contains(next) else { return nil }
        if index == nil { draft = current }
        index = next < entries.count ? next : nil
        return index.map { entries[$0] } ?? draft
    }
}

extension Array where Element: Equatable {
    /// Adds an entry at the end of a history. Removes an equal earlier entry. O(entries).
    mutating func remember(_ entry: Element) {
        removeAll { $0 == entry }
        append(entry)
    }
}
