import DataGrid
import DataGridQuery
import DataGridTerminal
import FieldValues

/// Searching for text. A search treats the header as the line before the first row. A search that continues at the other end includes the
/// header.
extension AppState {
    /// Searches again for the changed text, from the row where the cursor was when the prompt was opened.
    mutating func restartSearch(_ oldPrompt: SearchPrompt) -> [AppEffect] {
        var prompt = oldPrompt
        prompt.error = nil
        let new = Search(text: prompt.field.string, isPattern: prompt.isPattern, column: prompt.column)
        do throws(Pattern.SyntaxError) {
            _ = try new.textSearch()
        } catch {
            prompt.error = error.message
        }
        overlay = prompt
        guard !new.text.isEmpty, prompt.error == nil else { return cancelSearch(of: prompt) }
        search = new
        return [find(new, from: prompt.originalCursor.row ?? 0)]
    }

    private mutating func find(_ search: Search, from row: Int, isForward: Bool = true, includingCurrent: Bool = true) -> AppEffect {
        (sheet.isSearchRunning, sheet.queuedMatchSteps) = (true, 0)
        return .find(search, from: row, isForward: isForward, includingCurrent: includingCurrent)
    }

    /// Records that no search is running, and discards key presses that wait for more matches.
    mutating func endFinding() { (sheet.isSearchRunning, sheet.queuedMatchSteps) = (false, 0) }

    /// Ends the search of an open prompt, and moves the cursor and the visible part of the table back to where they were.
    mutating func cancelSearch(of prompt: SearchPrompt) -> [AppEffect] {
        search = nil
        goToOrigin(of: prompt)
        return [.cancel(.find), .cancel(.count)]
    }

    private mutating func goToOrigin(of prompt: SearchPrompt) {
        if grid.outline.collapsed != prompt.collapsed, grid.outline.collapsed.count == prompt.collapsed.count {
            controller.perform(.setCollapsedSections(Set(prompt.collapsed.indices.filter { prompt.collapsed[$0] })))
        }
        controller.perform(.moveCursor(prompt.originalCursor))
        guard grid.scroll != prompt.originalScroll else { return }
        let (items, columns) = grid.scrollCounts(to: prompt.originalScroll)
        controller.perform(.scroll(items: items, columns: columns))
        controller.perform(.moveCursor(prompt.originalCursor))
    }

    /// Searches for this text, from the row after the cursor.
    mutating func search(for text: String) -> [AppEffect] {
        guard !text.isEmpty else { return show(.nothingToSearchFor) }
        search = Search(text: text)
        endFinding()
        return searchAgain(isForward: true)
    }

    /// Goes to the next or previous match. During a running search, only counts the key press: ``showFound(_:_:hasWrapped:)`` goes to one
    /// more match for each counted press.
    mutating func searchAgain(isForward: Bool) -> [AppEffect] {
        guard let search else { return show(.noSearch(searchKey: key(.search))) }
        self.search?.isCleared = false
        if sheet.isSearchRunning {
            sheet.queuedMatchSteps += isForward ? 1 : -1
            return []
        }
        self.search?.isForward = isForward
        remember(grid.cursor)
        var (from, includingCurrent) = (grid.cursor.row ?? firstRowOfSection, grid.cursor.row == nil)
        if isAtTitle {
            let titles = matchingTitles
            let next = isForward ? titles.first { $0 > grid.cursor.column } : titles.last { $0 < grid.cursor.column }
            if let next {
                goToTitle(next)
                return [.countMatches(search)]
            }
            (from, includingCurrent) = (isForward ? 0 : max(0, grid.rows.count - 1), true)
            if !isForward { message = .searchWrapped }
        }
        return [find(search, from: from, isForward: isForward, includingCurrent: includingCurrent), .countMatches(search)]
    }

    /// Shows the match that a search has found. Then goes to further matches, one for each press of the key during the search.
    mutating func showFound(_ position: Int?, _ column: ColumnID?, hasWrapped: Bool) -> [AppEffect] {
        sheet.isSearchRunning = false
        var effects = showMatch(position, column, hasWrapped: hasWrapped)
        // If nothing matches, drop the waiting key presses, because each of them would repeat the whole search.
        if position == nil, !isAtTitle { sheet.queuedMatchSteps = 0 }
        while sheet.queuedMatchSteps != 0, !sheet.isSearchRunning {
            let rest = sheet.queuedMatchSteps - sheet.queuedMatchSteps.signum()
            effects += searchAgain(isForward: sheet.queuedMatchSteps > 0)
            sheet.queuedMatchSteps = rest
        }
        return effects
    }

    /// Starts the search of `--find` if the rows are arranged as requested. All rows must be known, unless a server searches them.
    mutating func startLaunchSearch() -> [AppEffect] {
        guard let requested = sheet.launchSearch, document.canBeQueried, query.isSettled else { return [] }
        sheet.launchSearch = nil
        guard let search, search.isEquivalent(to: requested) else { return [] }
        return [find(search, from: 0)]
    }

    private var firstRowOfSection: Int {
        grid.outline.section(of: grid.cursor.item).flatMap { grid.outline.tree?.rows(of: $0).lowerBound } ?? 0
    }

    private mutating func showMatch(_ position: Int?, _ column: ColumnID?, hasWrapped: Bool) -> [AppEffect] {
        if position == nil {
            search?.count = 0
            search?.isCounted = true
            search?.currentRank = nil
        }
        let isForward = search?.isForward ?? true
        let prompt = overlay as? SearchPrompt
        // While the user types the text, prefer matches in cells to matches in column titles.
        if position == nil || hasWrapped && prompt == nil, let title = isForward ? matchingTitles.first : matchingTitles.last {
            // A backward search reaches the header before it continues at the other end, so it has not wrapped then.
            let showsWrapMessage = isAtTitle || isForward && (hasWrapped || (prompt?.originalCursor ?? grid.cursor).row != 0)
            goToTitle(title)
            if showsWrapMessage { message = .searchWrapped }
        } else if let position {
            moveCursor(toRow: position, column: column.flatMap { grid.columns.index(of: $0) })
            var matchNotOnCards: Search.MatchNotOnCards?
            if let column, column != grid.currentColumn?.id, let row = grid.currentRow {
                matchNotOnCards = Search.MatchNotOnCards(column: column, row: row, cursorColumn: grid.cursor.column)
            }
            search?.matchNotOnCards = matchNotOnCards
            if hasWrapped { message = .searchWrapped }
        } else if let prompt {
            // Nothing was found, which the prompt shows. Move the cursor back.
            goToOrigin(of: prompt)
        } else {
            show(.notFound(search, in: search?.column.flatMap { grid.columns[$0] }.map { Message.name($0.title) }))
        }
        if position == nil { return document.isComplete ? [.cancel(.count)] : [] }
        guard prompt != nil, let search else { return [] }
        return [.countMatches(search)]
    }

    /// The column of the match at the cursor, as the index among the visible columns, if cards do not show this column; otherwise `nil`.
    var matchColumnNotOnCards: Int? {
        guard let search, search.isShown, let match = search.matchNotOnCards, grid.effectivePresentation == .cards,
            match.row == grid.currentRow, match.cursorColumn == grid.cursor.column
        else { return nil }
        return grid.columns.index(of: match.column)
    }

    /// The notation of numbers for a search: with a decimal comma if any searched number column has one, otherwise with a point.
    func notation(of search: Search) -> DecimalStyle {
        let columns = search.column.map { [grid.columns[$0]].compactMap(\.self) } ?? grid.columns.visible
        return columns.contains { $0.kind.isNumber && $0.notation.isComma } ? .comma : .point
    }

    // MARK: Titles

    /// True if the cursor is on a column title that the search has found.
    var isAtTitle: Bool { search.map { $0.titleCursor == grid.cursor } ?? false }

    /// The indices of the visible columns whose titles match. Empty for cards, which have no titles.
    private var matchingTitles: [Int] {
        guard grid.effectivePresentation != .cards, let search, let text = try? search.textSearch() else { return [] }
        guard let only = search.column else { return text.matchIndices(in: grid.columns.visible.lazy.map(\.title)) }
        guard let index = grid.columns.index(of: only), !text.matchIndices(in: [grid.columns[index].title]).isEmpty else { return [] }
        return [index]
    }

    private mutating func goToTitle(_ index: Int) {
        controller.perform(.move(.top))
        controller.perform(.move(.column(index)))
        let cursor = grid.cursor
        search?.titleCursor = cursor
        search?.currentRank = nil
    }
}

extension AppState {
    /// A function that finds the matches of the current search in the displayed text of a column, to highlight them; `nil` if matches are
    /// not highlighted.
    var matches: ((String, ColumnID) -> [Range<String.Index>])? {
        guard let search, !search.isCleared, !search.text.isEmpty, let textSearch = try? search.textSearch(notation: notation(of: search))
        else { return nil }
        let (finder, columns) = (MatchFinder(textSearch), grid.columns)
        return { text, column in
            search.column == nil || search.column == column ? finder.ranges(in: text, shownIn: columns[column]) : []
        }
    }
}
