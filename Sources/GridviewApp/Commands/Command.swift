public import DataGridTerminal

/// The name of something a person can do. The raw value is what settings and the command palette call it.
public enum CommandID: String, CaseIterable, Sendable, Hashable {
    // Moving
    case up, down, left, right
    case pageUp = "page-up"
    case pageDown = "page-down"
    case halfPageUp = "half-page-up"
    case halfPageDown = "half-page-down"
    case firstColumn = "first-column"
    case lastColumn = "last-column"
    case edgeLeft = "edge-left"
    case edgeRight = "edge-right"
    case top, bottom
    case nextColumn = "next-column"
    case previousColumn = "previous-column"
    case goToColumn = "go-to-column"
    case nextDifferent = "next-different-value"
    case previousDifferent = "previous-different-value"
    case mark
    case clearMarks = "clear-marks"
    case nextMark = "next-mark"
    case back

    // Searching
    case search
    case searchNext = "search-next"
    case searchPrevious = "search-previous"

    // Filtering
    case filter
    case filterLike = "filter-like-cell"
    case filterUnlike = "filter-unlike-cell"
    case removeFilter = "remove-filter"
    case removeFilters = "remove-all-filters"

    // Sorting
    case sort
    case sortAscending = "sort-ascending"
    case sortDescending = "sort-descending"
    case sortFurther = "sort-further"

    // Columns
    case freezeColumns = "freeze-columns"
    case freezeRows = "freeze-rows"
    case freezeBoth = "freeze-both"
    case pinLeft = "pin-left"
    case pinRight = "pin-right"
    case narrower, wider
    case fitColumn = "fit-column"
    case fitAll = "fit-all-columns"
    case hideColumn = "hide-column"
    case showColumns = "show-columns"
    case moveColumnLeft = "move-column-left"
    case moveColumnRight = "move-column-right"
    case renameColumn = "rename-column"
    case columnType = "column-type"
    case deriveColumn = "derive-column"
    case duplicateColumn = "duplicate-column"

    // Rows
    case moveRowUp = "move-row-up"
    case moveRowDown = "move-row-down"
    case rowDragging = "row-dragging"

    // Sections
    case group
    case groupFurther = "group-further"
    case ungroup
    case orderByFigure = "order-by-figure"
    case orderBySize = "order-by-size"
    case orderByName = "order-by-name"
    case toggleSection = "toggle-section"
    case collapseAll = "collapse-all"
    case expandAll = "expand-all"
    case nextSection = "next-section"
    case previousSection = "previous-section"

    // Selecting
    case selectCells = "select-cells"
    case selectRows = "select-rows"
    case selectColumns = "select-columns"
    case selectAll = "select-all"
    case addRange = "add-range"
    case invertSelection = "invert-selection"
    case otherEnd = "other-end"
    case selectionMode = "selection-mode"
    case extendUp = "extend-up"
    case extendDown = "extend-down"
    case extendLeft = "extend-left"
    case extendRight = "extend-right"
    case copy
    case copyWithHeader = "copy-with-header"
    case copyAs = "copy-as"

    // Numbers
    case statistics, frequencies, summary

    // Looks
    case record
    case wrap = "row-height"
    case gridLines = "grid-lines"
    case transpose, cards
    case theme
    case reset

    // Sheets
    case nextSheet = "next-sheet"
    case previousSheet = "previous-sheet"
    case sheets
    case closeSheet = "close-sheet"

    // The program
    case reload
    case palette, help, about, hints, mouse
    case escape
    case cancel
    case suspend
    case close
    case quit

    // Panels and prompts
    case accept
    case nextRow = "next-row"
    case previousRow = "previous-row"
    case searchScope = "search-scope"
    case searchPattern = "search-pattern"
    case formerFilter = "former-filter"
    case laterFilter = "later-filter"

    // A line of text, by the names that they have in the library
    case deleteBackward = "delete-backward"
    case deleteForward = "delete-forward"
    case textLeft = "text-left"
    case textRight = "text-right"
    case textStart = "text-start"
    case textEnd = "text-end"
    case deleteToStart = "delete-to-start"
    case deleteToEnd = "delete-to-end"
    case deleteWord = "delete-word"
}

/// A row of the table of commands: one command in one context. The key map, help, palette, hint line and man page are made from such rows.
public struct Command: KeyCommand {
    /// The chapters of the help about the grid, in order.
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
        case looks = "View"
        case program = "Program and files"
    }

    /// The name by which state and key map know the command.
    public let id: CommandID
    /// Where its keys apply.
    public let context: KeyContext
    /// The chapter of the help about the grid; `nil` in other contexts, which have a chapter each.
    public let chapter: Chapter?
    /// Two or three words for the palette and hints.
    public let title: String
    /// One sentence.
    public let summary: String
    /// The keys it has, in `KeyNotation`, the one to be shown first.
    public let keys: [String]

    /// The heading under which the help lists it.
    public var heading: String { chapter?.rawValue ?? context.title }

    /// A command of the grid.
    init(_ id: CommandID, _ chapter: Chapter, _ keys: [String], _ title: String, _ summary: String) {
        (self.id, self.context, self.chapter, self.keys, self.title, self.summary) = (id, .grid, chapter, keys, title, summary)
    }

    /// A command of a panel or prompt.
    init(_ id: CommandID, in context: KeyContext, _ keys: [String], _ title: String, _ summary: String) {
        (self.id, self.context, self.chapter, self.keys, self.title, self.summary) = (id, context, nil, keys, title, summary)
    }
}
