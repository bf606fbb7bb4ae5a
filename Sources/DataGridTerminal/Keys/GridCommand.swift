/// A command of a grid in one context, with its keys. ``table`` has all of them.
public struct GridCommand: KeyCommand {
    /// Identifies a command.
    public enum ID: String, CaseIterable, Sendable {
        // Moving
        case up, down, left, right
        case pageUp = "page-up"
        case pageDown = "page-down"
        case firstColumn = "first-column"
        case lastColumn = "last-column"
        case top, bottom
        case nextCell = "next-cell"
        case previousCell = "previous-cell"

        // Selecting
        case extendUp = "extend-up"
        case extendDown = "extend-down"
        case extendLeft = "extend-left"
        case extendRight = "extend-right"
        case extendPageUp = "extend-page-up"
        case extendPageDown = "extend-page-down"
        case extendToFirstColumn = "extend-to-first-column"
        case extendToLastColumn = "extend-to-last-column"
        case extendToTop = "extend-to-top"
        case extendToBottom = "extend-to-bottom"
        case selectColumn = "select-column"
        case selectRow = "select-row"
        case selectAll = "select-all"
        case invertSelection = "invert-selection"
        case escape

        // Cells
        case space, enter, edit
        case activateAccessory = "activate-accessory"

        // Columns and rows
        case sort
        case sortFurther = "sort-further"
        case narrower, wider
        case fitColumn = "fit-column"
        case hideColumn = "hide-column"
        case showColumn = "show-column"
        case freezeColumns = "freeze-columns"
        case freezeRows = "freeze-rows"
        case freezeBoth = "freeze-both"
        case moveLeft = "move-left"
        case moveRight = "move-right"
        case moveUp = "move-up"
        case moveDown = "move-down"

        // Sections
        case toggleSection = "toggle-section"
        case expandSection = "expand-section"
        case collapseSection = "collapse-section"
        case collapseAll = "collapse-all"
        case expandAll = "expand-all"

        // The editor
        case commitDown = "commit-down"
        case commitUp = "commit-up"
        case commitNext = "commit-next"
        case commitPrevious = "commit-previous"
        case commitPageUp = "commit-page-up"
        case commitPageDown = "commit-page-down"
        case cancelEditing = "cancel-editing"

        // A line of text
        case deleteBackward = "delete-backward"
        case deleteForward = "delete-forward"
        case textLeft = "text-left"
        case textRight = "text-right"
        case textStart = "text-start"
        case textEnd = "text-end"
        case deleteToStart = "delete-to-start"
        case deleteToEnd = "delete-to-end"
        case deleteWord = "delete-word"

        // The application
        case copy
        case nextGrid = "next-grid"
        case suspend, quit
    }

    /// Where keys apply. The raw value is its name in messages.
    public enum Context: String, CaseIterable, Sendable {
        case grid
        /// The cursor is on a section's header.
        case section
        /// A cell is being edited.
        case editor
        /// A line of text: an editor or a prompt.
        case text
        /// A ``GridApplication``, for keys that no grid has a use for.
        case application
    }

    /// The command.
    public let id: ID
    /// The context in which the keys run it.
    public let context: Context
    /// Its keys in ``KeyNotation``, the one to be shown first.
    public let keys: [String]
    /// Two or three words.
    public let title: String
    /// One sentence.
    public let summary: String

    /// The heading under which help lists it.
    public var heading: String {
        switch context {
        case .grid: "Grid"
        case .section: "Sections"
        case .editor: "Editing a cell"
        case .text: "Typing text"
        case .application: "Program"
        }
    }

    init(_ id: ID, _ context: Context, _ keys: [String], _ title: String, _ summary: String) {
        (self.id, self.context, self.keys, self.title, self.summary) = (id, context, keys, title, summary)
    }
}

extension KeyMap where Command == GridCommand {
    /// The keys of ``GridCommand/table``.
    public static var standard: KeyMap { GridCommand.standardKeys }
}

extension GridCommand {
    /// The table has no conflicts, which tests prove.
    fileprivate static let standardKeys = (try? KeyMap(table)) ?? KeyMap()
}
