/// A command of a grid in one context, with its keys. ``table`` has all of them.
public struct GridCommand: KeyCommand {
    /// Identifies a command; ``table`` says what each does. Settings and messages write the name with hyphens: `page-up`.
    public enum ID: String, CaseIterable, Sendable {
        /// Moves the cursor.
        case up, down, left, right, pageUp, pageDown, firstColumn, lastColumn, top, bottom, nextCell, previousCell
        /// Extends the selection.
        case extendUp, extendDown, extendLeft, extendRight, extendPageUp, extendPageDown
        /// Extends the selection to an end.
        case extendToFirstColumn, extendToLastColumn, extendToTop, extendToBottom
        /// Selects something else.
        case selectColumn, selectRow, selectAll, invertSelection
        /// Cancels a drag or a pull, or clears the selection.
        case escape
        /// Acts on the cell or its row, according to `GridInteraction`.
        case space, enter, edit, activateAccessory
        /// Sorts by the column.
        case sort, sortFurther
        /// Changes the width of the column.
        case narrower, wider, fitColumn
        /// Changes which columns are seen.
        case hideColumn, showColumn
        /// Freezes everything up to the cursor.
        case freezeColumns, freezeRows, freezeBoth
        /// Moves the column or the row.
        case moveLeft, moveRight, moveUp, moveDown
        /// Collapses and expands sections.
        case toggleSection, expandSection, collapseSection, collapseAll, expandAll
        /// Applies the text of an editor, and moves the cursor.
        case commitDown, commitUp, commitNext, commitPrevious, commitPageUp, commitPageDown
        /// Closes an editor; the cell stays as it is.
        case cancelEditing
        /// Edits a line of text.
        case deleteBackward, deleteForward, textLeft, textRight, textStart, textEnd, deleteToStart, deleteToEnd, deleteWord
        /// Belongs to a program that shows grids.
        case copy, nextGrid, suspend, quit
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
