/// A command of a grid in one context, with its keys. ``table`` contains all commands.
public struct GridCommand: KeyCommand {
    /// Identifies a command, described in ``table``. Settings and messages write its name with hyphens: `page-up`.
    public enum ID: String, CaseIterable, Sendable {
        /// Moves the cursor.
        case up, down, left, right, pageUp, pageDown, firstColumn, lastColumn, top, bottom, nextCell, previousCell
        /// Extends the selection.
        case extendUp, extendDown, extendLeft, extendRight, extendPageUp, extendPageDown
        /// Extends the selection to the first or last row or column.
        case extendToFirstColumn, extendToLastColumn, extendToTop, extendToBottom
        /// Changes the selection.
        case selectColumn, selectRow, selectAll, invertSelection
        /// Cancels dragging or a pull, or clears the selection.
        case escape
        /// Acts on the cell or its row, according to `GridInteraction`.
        case space, enter, edit, activateAccessory
        /// Sorts by the column.
        case sort, addSortKey
        /// Changes the width of the column under the cursor.
        case narrower, wider, fitColumn
        /// Hides and shows columns.
        case hideColumn, showColumn
        /// Freezes the columns or rows up to the cursor.
        case freezeColumns, freezeRows, freezeBoth
        /// Moves the column or row under the cursor.
        case moveLeft, moveRight, moveUp, moveDown
        /// Collapses and expands sections.
        case toggleSection, expandSection, collapseSection, collapseAll, expandAll
        /// Applies the text of an editor, and moves the cursor.
        case commitDown, commitUp, commitNext, commitPrevious, commitPageUp, commitPageDown
        /// Closes an editor without changing the cell.
        case cancelEditing
        /// Edits a line of text.
        case deleteBackward, deleteForward, textLeft, textRight, textStart, textEnd, deleteToStart, deleteToEnd, deleteWord
        /// Commands of the application.
        case copy, copyOrQuit, nextGrid, suspend, quit
    }

    /// The context in which keys apply. Messages show its raw value.
    public enum Context: String, CaseIterable, Sendable {
        /// The cells of a grid.
        case grid
        /// The cursor is on a section's header.
        case section
        /// A cell is being edited.
        case editor
        /// A line of text: an editor or a prompt.
        case text
        /// A ``GridApplication``, for keys that no grid handles.
        case application
    }

    /// The identity of the command.
    public let id: ID
    /// The context in which its keys run the command.
    public let context: Context
    /// The keys in ``KeyNotation``; the first one is displayed.
    public let keys: [String]
    /// The title, two or three words.
    public let title: String
    /// The description, one sentence.
    public let summary: String

    /// The heading in the help under which the command is listed.
    public var heading: String {
        switch context {
        case .grid: "Table"
        case .section: "Groups"
        case .editor: "Editing a cell"
        case .text: "Typing text"
        case .application: "Program"
        }
    }

    /// The command of ``table`` with this ID. O(commands).
    public static func named(_ id: ID) -> GridCommand { table.first { $0.id == id }! }

    init(_ id: ID, _ context: Context, _ keys: [String], _ title: String, _ summary: String) {
        (self.id, self.context, self.keys, self.title, self.summary) = (id, context, keys, title, summary)
    }
}

extension KeyMap where Command == GridCommand {
    /// The default keys of ``GridCommand/table``.
    public static var standard: KeyMap { GridCommand.standardKeys }
}

extension GridCommand {
    /// The default keys. Stops the program if keys in the table conflict, and names both commands.
    fileprivate static let standardKeys: KeyMap<GridCommand> = {
        do throws(KeyConflict) {
            return try KeyMap(table)
        } catch {
            fatalError(error.message)
        }
    }()
}
