import DataGridTerminal

extension Message {
    /// The user pressed Escape while there was nothing to cancel. Escape does not remove filters, so the message names the keys that do.
    static func filtersRemain(removeKey: String, removeAllKey: String) -> Message {
        Message(
            .filtersRemain, "Filters stay on. \(removeKey) removes the last one, \(removeAllKey) removes all.", short: "Filters stay on.")
    }

    /// Filters were applied.
    /// - Parameter total: the number of rows without filters; `nil` while unknown.
    static func filtered(_ count: Int, of total: Int?, isComplete: Bool, filterCount: Int, removeKey: String) -> Message {
        let rows = total.map { "\(ValueText.count(count)) of \(ValueText.count($0)) rows" } ?? Self.rows(count)
        let text = "\(rows) \(count == 1 ? "matches" : "match")\(isComplete ? "" : " so far")."
        return Message(.filtered, "\(text) \(removalHint(filterCount, removeKey))", short: "\(Self.rows(count)).")
    }

    /// No row matches the filters.
    /// - Parameters:
    ///   - filter: the text of the filter if there is only one.
    ///   - text: the text that the filter searches for in every cell; `nil` for other filters.
    static func noMatches(_ filter: String, containing text: String?, filterCount: Int, isComplete: Bool, removeKey: String) -> Message {
        let sentence = noMatchesSentence(filter, containing: text, filterCount: filterCount, isComplete: isComplete)
        return Message(.noMatches, "\(sentence) \(removalHint(filterCount, removeKey))", short: "No rows match.")
    }

    /// The first sentence of ``noMatches(_:containing:filterCount:isComplete:removeKey:)``.
    private static func noMatchesSentence(_ filter: String, containing text: String?, filterCount: Int, isComplete: Bool) -> String {
        let soFar = isComplete ? "" : " so far"
        if filterCount > 1 { return "No rows match \(filterCount == 2 ? "both" : "all \(filterCount)") filters\(soFar)." }
        return "No rows \(text == nil ? "match" : "contain") “\(shortened(text ?? filter, width: 32))”\(soFar)."
    }

    private static func removalHint(_ filterCount: Int, _ key: String) -> String {
        "\(key) removes the \(filterCount > 1 ? "last " : "")filter."
    }

    static let filterAlreadyOn = Message(.filterAlreadyOn, "This filter is already on.", short: "Already on.")

    static func noFilter(filterKey: String, filterByCellKey: String) -> Message {
        Message(.noFilter, "There is no filter. \(filterKey) adds one; \(filterByCellKey) filters by this cell.", short: "No filter.")
    }

    static func filterInvalid(_ reason: String) -> Message { Message(.filterInvalid, reason, isError: true) }

    /// A filter was removed, because it is not valid for the columns of the reloaded file.
    static func filterDropped(_ filter: String, _ reason: String) -> Message {
        Message(.filterDropped, "Filter “\(shortened(filter, width: 32))” removed. \(reason)", short: "Filter removed.", isError: true)
    }

    static let noCell = Message(.noCell, "There is no cell here.", short: "No cell here.")

    static func cannotFilterByInterval(filterKey: String) -> Message {
        Message(
            .cannotFilterByInterval, "Cannot filter by a group of a period or range. Press \(filterKey) to write a condition.",
            short: "Use \(filterKey) instead.")
    }

    static func cannotFilterByValue(filterKey: String) -> Message {
        Message(
            .cannotFilterByValue, "Cannot filter by this value: it is too long or not valid text. Press \(filterKey) and use “contains”.",
            short: "Use \(filterKey) instead.")
    }
}
