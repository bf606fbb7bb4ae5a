public import DataGridTerminal

/// Identifies a command. Settings and messages write the name with hyphens: `page-up`.
public enum CommandID: String, CaseIterable, Sendable, Hashable {
    // Moving
    case up, down, left, right, pageUp, pageDown, halfPageUp, halfPageDown, firstColumn, lastColumn, edgeLeft, edgeRight, top, bottom
    case nextColumn, previousColumn, goToColumn
    case nextDifferent = "nextDifferentValue"
    case previousDifferent = "previousDifferentValue"
    case mark, clearMarks, nextMark, back

    // Searching and filtering
    case search, searchNext, searchPrevious
    case filter
    case filterLike = "filterLikeCell"
    case filterExcludingCell = "filterUnlikeCell"
    case removeFilter
    case removeFilters = "removeAllFilters"

    // Sorting
    case sort, sortAscending, sortDescending, addSortKey

    // Columns and rows
    case freezeColumns, freezeRows, freezeBoth, pinLeft, pinRight, narrower, wider, fitColumn
    case fitAll = "fitAllColumns"
    case hideColumn, showColumns, moveColumnLeft, moveColumnRight, renameColumn, columnType, deriveColumn, duplicateColumn
    case moveRowUp, moveRowDown, rowDragging

    // Sections
    case group, addGroupLevel, ungroup, sortGroupsByAggregate, sortGroupsByCount, sortGroupsByName, toggleSection, collapseAll, expandAll
    case nextSection, previousSection

    // Selecting and copying
    case selectCells, selectRows, selectColumns, selectAll, addRange, invertSelection, otherEnd, selectionMode
    case extendUp, extendDown, extendLeft, extendRight
    case copy, copyWithHeader, copyAs

    // Statistics and appearance
    case statistics, frequencies, summary
    case record
    case wrap = "rowHeight"
    case gridLines, transpose, cards, theme, reset

    // The program
    case nextSheet, previousSheet, sheets, closeSheet
    case reload, palette, help, about, hints, mouse, escape, cancel, suspend, close, quit

    // Panels and prompts
    case accept, nextRow, previousRow, searchScope, searchPattern, previousFilter, nextFilter

    // A line of text, with the names of the library's commands
    case deleteBackward, deleteForward, textLeft, textRight, textStart, textEnd, deleteToStart, deleteToEnd, deleteWord
}

/// A row of the command table: one command in one context. The key map, help, palette, hint line and man page are created from these rows.
///
/// A command of the grid stores its effect. A command of a panel or a prompt changes the open layer, in a function of that layer that
/// switches over the commands, such as `AppState.runInList`.
public struct Command: KeyCommand {
    /// The effect of a command of the grid.
    typealias Effect = @MainActor @Sendable (inout AppState, RepeatCount) -> [AppEffect]

    /// The help chapters of grid commands, in order.
    public enum Chapter: String, CaseIterable, Sendable {
        case moving = "Moving"
        case searching = "Searching"
        case filtering = "Filtering"
        case sorting = "Sorting"
        case columns = "Columns"
        case rows = "Rows"
        case sections = "Groups"
        case selecting = "Selecting and copying"
        case statistics = "Statistics"
        case appearance = "View"
        case program = "Program and files"
    }

    /// The command.
    public let id: CommandID
    /// The context in which the keys apply.
    public let context: KeyContext
    /// The help chapter of a grid command; `nil` in other contexts, which have a chapter each.
    public let chapter: Chapter?
    /// The title in the palette and hints, two or three words.
    public let title: String
    /// The description, one sentence.
    public let summary: String
    /// The default keys in `KeyNotation`; the first one is displayed.
    public let keys: [String]

    /// The effect; `nil` outside the grid.
    let effect: Effect?

    /// The help heading.
    public var heading: String { chapter?.rawValue ?? context.title }

    /// Creates a command of the grid.
    init(_ id: CommandID, _ chapter: Chapter, _ keys: [String], _ title: String, _ summary: String, _ effect: @escaping Effect) {
        (self.id, self.context, self.chapter, self.keys, self.title, self.summary) = (id, .grid, chapter, keys, title, summary)
        self.effect = effect
    }

    /// Creates a command of the grid like one of the library, with its keys, texts and action where no others are given.
    init(
        _ id: CommandID, _ chapter: Chapter, like model: GridCommand.ID, _ keys: [String]? = nil, summary: String? = nil,
        _ effect: Effect? = nil
    ) {
        let row = GridCommand.named(model)
        self.init(id, chapter, keys ?? row.keys, row.title, summary ?? row.summary, effect ?? { $0.perform(model, times: $1.times) })
    }

    /// Creates a command of a panel, a prompt or a drag.
    init(_ id: CommandID, in context: KeyContext, _ keys: [String], _ title: String, _ summary: String) {
        (self.id, self.context, self.chapter, self.keys, self.title, self.summary) = (id, context, nil, keys, title, summary)
        effect = nil
    }

    /// Compares everything except the effects.
    public static func == (one: Command, other: Command) -> Bool {
        one.id == other.id && one.context == other.context && one.chapter == other.chapter && one.title == other.title
            && one.summary == other.summary && one.keys == other.keys
    }
}

/// The number typed before the keys of a command, as in `12G`.
struct RepeatCount: Sendable {
    /// The number; `nil` without one.
    let typed: Int?

    /// The number of repetitions; 1 without a number.
    var times: Int { max(1, typed ?? 1) }
}
