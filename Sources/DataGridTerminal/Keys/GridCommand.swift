/// A command of a grid in one context, with its keys. ``table`` has all of them.
public struct GridCommand: KeyCommand {
    /// Identifies a command.
    public enum ID: String, CaseIterable, Sendable {
        // Moving
        /// One row up.
        case up
        /// One row down.
        case down
        /// One column to the left.
        case left
        /// One column to the right.
        case right
        /// One page up.
        case pageUp = "page-up"
        /// One page down.
        case pageDown = "page-down"
        /// To the first column.
        case firstColumn = "first-column"
        /// To the last column.
        case lastColumn = "last-column"
        /// To the first row.
        case top
        /// To the last row.
        case bottom
        /// To the next cell, from the last column to the next row.
        case nextCell = "next-cell"
        /// To the previous cell, from the first column to the row above.
        case previousCell = "previous-cell"

        // Selecting
        /// Extends the selection one row up.
        case extendUp = "extend-up"
        /// Extends the selection one row down.
        case extendDown = "extend-down"
        /// Extends the selection one column to the left.
        case extendLeft = "extend-left"
        /// Extends the selection one column to the right.
        case extendRight = "extend-right"
        /// Extends the selection one page up.
        case extendPageUp = "extend-page-up"
        /// Extends the selection one page down.
        case extendPageDown = "extend-page-down"
        /// Extends the selection to the first column.
        case extendToFirstColumn = "extend-to-first-column"
        /// Extends the selection to the last column.
        case extendToLastColumn = "extend-to-last-column"
        /// Extends the selection to the first row.
        case extendToTop = "extend-to-top"
        /// Extends the selection to the last row.
        case extendToBottom = "extend-to-bottom"
        /// Selects the column.
        case selectColumn = "select-column"
        /// Selects the row.
        case selectRow = "select-row"
        /// Selects everything.
        case selectAll = "select-all"
        /// Selects what is not selected.
        case invertSelection = "invert-selection"
        /// Cancels a drag or a pull, or clears the selection.
        case escape

        // Cells
        /// Selects the cell or the row, or takes it out of the selection.
        case space
        /// Edits the cell, or opens it.
        case enter
        /// Edits the cell.
        case edit
        /// Activates the accessory of the row.
        case activateAccessory = "activate-accessory"

        // Columns and rows
        /// Sorts by the column.
        case sort
        /// Adds the column as a further sort key.
        case sortFurther = "sort-further"
        /// Makes the column narrower.
        case narrower
        /// Makes the column wider.
        case wider
        /// Fits the column to its content.
        case fitColumn = "fit-column"
        /// Hides the column.
        case hideColumn = "hide-column"
        /// Shows the nearest hidden column.
        case showColumn = "show-column"
        /// Freezes the columns up to the cursor.
        case freezeColumns = "freeze-columns"
        /// Freezes the rows up to the cursor.
        case freezeRows = "freeze-rows"
        /// Freezes columns and rows up to the cursor.
        case freezeBoth = "freeze-both"
        /// Moves the column to the left.
        case moveLeft = "move-left"
        /// Moves the column to the right.
        case moveRight = "move-right"
        /// Moves the row up.
        case moveUp = "move-up"
        /// Moves the row down.
        case moveDown = "move-down"

        // Sections
        /// Expands or collapses the section.
        case toggleSection = "toggle-section"
        /// Expands the section.
        case expandSection = "expand-section"
        /// Collapses the section.
        case collapseSection = "collapse-section"
        /// Collapses all sections.
        case collapseAll = "collapse-all"
        /// Expands all sections.
        case expandAll = "expand-all"

        // The editor
        /// Takes the text, and goes down.
        case commitDown = "commit-down"
        /// Takes the text, and goes up.
        case commitUp = "commit-up"
        /// Takes the text, and goes to the next cell.
        case commitNext = "commit-next"
        /// Takes the text, and goes to the previous cell.
        case commitPrevious = "commit-previous"
        /// Takes the text, and goes one page up.
        case commitPageUp = "commit-page-up"
        /// Takes the text, and goes one page down.
        case commitPageDown = "commit-page-down"
        /// Closes the editor; the cell stays as it is.
        case cancelEditing = "cancel-editing"

        // A line of text
        /// Deletes the character before the cursor.
        case deleteBackward = "delete-backward"
        /// Deletes the character at the cursor.
        case deleteForward = "delete-forward"
        /// One character to the left.
        case textLeft = "text-left"
        /// One character to the right.
        case textRight = "text-right"
        /// To the start of the text.
        case textStart = "text-start"
        /// To the end of the text.
        case textEnd = "text-end"
        /// Deletes the text before the cursor.
        case deleteToStart = "delete-to-start"
        /// Deletes the text from the cursor on.
        case deleteToEnd = "delete-to-end"
        /// Deletes the word before the cursor.
        case deleteWord = "delete-word"

        // The application
        /// Copies the selection.
        case copy
        /// To the next grid of the program.
        case nextGrid = "next-grid"
        /// Back to the shell.
        case suspend
        /// Takes what is typed, and leaves the program.
        case quit
    }

    /// Where keys apply. The raw value is its name in messages.
    public enum Context: String, CaseIterable, Sendable {
        /// The cells of a grid.
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
        case .grid: "Table"
        case .section: "Groups"
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
