/// The appearance of a grid: a style for each part.
///
/// Applying a theme (``GridAction/setTheme(_:keepsColumns:)``) resets styles that were set individually; styles set later override it.
public struct Theme: Hashable, Sendable {
    /// The name used in settings and by `--theme`.
    public var name: String
    /// The assumed default colors of the terminal. They are used to blend colors and to compute contrast where the theme sets no color.
    public var ground: CellStyle

    // The body.
    /// The lowest layer of all row cells.
    public var row = CellStyle.none
    /// The additional layer of every second row of a section.
    public var alternateRow = CellStyle.none
    /// The additional layer of cards with a background (``CardMetrics/hasBackground``).
    public var card = CellStyle.none
    /// Row numbers.
    public var rowHeader = CellStyle.none
    /// The number of the row under the cursor, and the dot of marked rows.
    public var currentRowHeader = CellStyle.none
    /// Rules between columns and rows.
    public var gridLine = CellStyle.none
    /// The edge of a frozen pane.
    public var frozenEdge = CellStyle.none
    /// The layer of selected cells.
    public var selection = CellStyle.none
    /// The layer of the cell under the cursor.
    public var cursor = CellStyle.none
    /// A search match in a cell.
    public var match = CellStyle.none
    /// A search match in the cell under the cursor.
    public var currentMatch = CellStyle.none
    /// Placeholders: truncation (…), a line break (⏎), a control character, a missing cell (·).
    public var mark = CellStyle.none
    /// Text that does not parse as the type of its column.
    public var unreadable = CellStyle.none
    /// A value that increased recently.
    public var rise = CellStyle.none
    /// A value that decreased recently.
    public var fall = CellStyle.none
    /// A value that changed recently, without a direction.
    public var update = CellStyle.none
    /// A row that changed recently.
    public var updatedRow = CellStyle.none
    /// Bars for numbers; the foreground is their color.
    public var dataBar = CellStyle.none
    /// Bars for numbers below 0.
    public var negativeDataBar = CellStyle.none
    /// Sparklines in cells.
    public var sparkline = CellStyle.none
    /// Accessories at the ends of rows and next to column names.
    public var accessory = CellStyle.none
    /// The styles of row and cell classes, by class name; unknown classes have no effect.
    public var classes: [String: ThemeClass] = [:]

    // The header.
    /// Column names. Header styles never blend with the colors below.
    public var header = CellStyle.none
    /// The name of the column under the cursor.
    public var currentHeader = CellStyle.none
    /// Rules in the header and below it.
    public var headerLine = CellStyle.none
    /// The arrow and rank of a sort key, and the marks for columns that are scrolled out.
    public var sortBadge = CellStyle.none
    /// The type line in the header of a text column.
    public var textType = CellStyle.none
    /// The type line in the header of an integer or decimal column.
    public var numberType = CellStyle.none
    /// The type line in the header of a date or time column.
    public var timeType = CellStyle.none
    /// The type line in the header of a flag column.
    public var flagType = CellStyle.none

    // Sections.
    /// The name of a section, in a header at its normal place (not stuck to the top).
    public var sectionHeader = CellStyle.none
    /// A section header that is stuck to the top.
    public var stuckSectionHeader = CellStyle.none
    /// Row count and aggregates in a section's header.
    public var sectionDetail = CellStyle.none

    // Strips.
    /// The row of totals.
    public var totals = CellStyle.none
    /// The rule above the rows frozen at the bottom.
    public var bottomEdge = CellStyle.none
    /// The loader row, and the strip uncovered by a pull.
    public var strip = CellStyle.none
    /// The pull strip when releasing it triggers a reload.
    public var armedStrip = CellStyle.none

    // Dragging.
    /// The columns, rows or cards being dragged.
    public var dragTint = CellStyle.none
    /// The bar or line at the drop position.
    public var insertionMark = CellStyle.none

    // Around the grid.
    /// The file name, and the titles of panels.
    public var title = CellStyle.none
    /// Details next to the title: size, notes, names in the value line.
    public var titleDetail = CellStyle.none
    /// The groups, sort keys and filters in the title line.
    public var chip = CellStyle.none
    /// The running job and its progress.
    public var progress = CellStyle.none
    /// The scroll bar's thumb.
    public var scrollBar = CellStyle.none
    /// Words of the hint line.
    public var hint = CellStyle.none
    /// Keys in hints and help, and the labels of prompts.
    public var hintKey = CellStyle.none
    /// A status message.
    public var message = CellStyle.none
    /// An error message.
    public var error = CellStyle.none
    /// The text and background of panels over the grid.
    public var panel = CellStyle.none
    /// The selected line of a list.
    public var panelSelection = CellStyle.none

    /// Creates a theme that uses the terminal's defaults until its parts are set.
    public init(name: String, ground: CellStyle) {
        self.name = name
        self.ground = ground
    }
}
