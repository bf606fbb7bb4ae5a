/// The position of a prompt in the list of its earlier entries, for the keys that recall these entries.
struct PromptHistory<Entry: Equatable & Sendable>: Equatable, Sendable {
    /// The index of the shown entry; `nil` for the new entry.
    private var index: Int?
    /// The new entry, while an earlier one is shown.
    private var draft: Entry?

    /// Moves by one entry.
    /// - Parameters:
    ///   - entries: the earlier entries, the latest at the end.
    ///   - current: the entry that the prompt shows.
    /// - Returns: The entry to show; `nil` if there is no entry in this direction.
    mutating func move(by step: Int, in entries: [Entry], from current: Entry) -> Entry? {
        let next = (index ?? entries.count) + step
        guard (0...entries.count).contains(next) else { return nil }
        if index == nil { draft = current }
        index = next < entries.count ? next : nil
        return index.map { entries[$0] } ?? draft
    }
}

extension Array where Element: Equatable {
    /// Adds an entry at the end of a history, and removes an earlier equal entry. O(entries).
    mutating func remember(_ entry: Element) {
        removeAll { $0 == entry }
        append(entry)
    }
}
