/// The appearance of a grid: a style for each part.
///
/// Applying a theme (``GridAction/setTheme(_:keepsColumns:)``) removes styles that were set for single parts. Styles that are set later
/// replace the styles of the theme.
public struct Theme: Hashable, Sendable {
    /// The name of the theme in settings and for the option `--theme`.
    public var name: String
    /// The default colors that the terminal is assumed to have. They are used to blend colors and to compute contrast where the theme
    /// sets no color.
    public var ground: CellStyle

    // The body.
    /// The cells of all rows. Other styles of row cells are drawn over this style.
    public var row = CellStyle.none
    /// The cells of every second row of a section, over ``row``.
    public var alternateRow = CellStyle.none
    /// The background of cards, over ``row``, if ``CardMetrics/hasBackground`` is true.
    public var card = CellStyle.none
    /// The row number or other text at the left of a row.
    public var rowHeader = CellStyle.none
    /// The row number of the row under the cursor, and the dot of marked rows.
    public var currentRowHeader = CellStyle.none
    /// The rules between columns and between rows.
    public var gridLine = CellStyle.none
    /// The line at the edge of frozen columns or, on cards and in a transposed grid, of frozen rows.
    public var frozenEdge = CellStyle.none
    /// Selected cells.
    public var selection = CellStyle.none
    /// The cell under the cursor.
    public var cursor = CellStyle.none
    /// A search match in a cell.
    public var match = CellStyle.none
    /// A search match in the cell under the cursor.
    public var currentMatch = CellStyle.none
    /// Marks in text: truncation (…), a line break (⏎), a control character, a missing cell (·).
    public var mark = CellStyle.none
    /// Text that does not parse as the type of its column.
    public var unreadable = CellStyle.none
    /// A value that increased recently.
    public var rise = CellStyle.none
    /// A value that decreased recently.
    public var fall = CellStyle.none
    /// A value that changed recently without rising or falling.
    public var update = CellStyle.none
    /// A whole row that changed recently.
    public var updatedRow = CellStyle.none
    /// Bars that show numbers. The foreground is the color of the bar.
    public var dataBar = CellStyle.none
    /// Bars that show numbers below 0.
    public var negativeDataBar = CellStyle.none
    /// Sparklines in cells.
    public var sparkline = CellStyle.none
    /// Symbols at the ends of rows and next to column names.
    public var accessory = CellStyle.none
    /// The styles of classes of rows and cells, by class name. Data sources name the classes; a name that is not in the theme has no
    /// effect.
    public var classes: [String: ThemeClass] = [:]

    // The header.
    /// The names of columns. Styles of the header never blend with colors below.
    public var header = CellStyle.none
    /// The name of the column under the cursor.
    public var currentHeader = CellStyle.none
    /// The rules in the header and below it.
    public var headerLine = CellStyle.none
    /// The arrow and the rank of a sort key, and the marks that point to columns scrolled out of view.
    public var sortBadge = CellStyle.none
    /// The style of the type below the name of a text column.
    public var textType = CellStyle.none
    /// The style of the type below the name of an integer or decimal column.
    public var numberType = CellStyle.none
    /// The style of the label below the name of a date or time column, which shows the type.
    public var timeType = CellStyle.none
    /// The style of the type below the name of a Boolean column.
    public var flagType = CellStyle.none

    // Sections.
    /// The title of a section, in a header that is not stuck to the top.
    public var sectionHeader = CellStyle.none
    /// The title of a section, in a header that is stuck to the top.
    public var stuckSectionHeader = CellStyle.none
    /// The number of rows and the aggregates in the header of a section.
    public var sectionDetail = CellStyle.none

    // Strips.
    /// The row of totals.
    public var totals = CellStyle.none
    /// The rule above the rows frozen at the bottom.
    public var bottomEdge = CellStyle.none
    /// The indicator that more rows are expected, and the strip that users pull down.
    public var strip = CellStyle.none
    /// The strip that users pull down, after it is fully uncovered: releasing it then triggers a reload.
    public var armedStrip = CellStyle.none

    // Dragging.
    /// The columns, rows or cards that are being dragged.
    public var dragTint = CellStyle.none
    /// The bar or line that shows where dragged columns or rows will be inserted.
    public var insertionMark = CellStyle.none

    // Around the grid.
    /// The name of the file above the grid, and the titles of panels.
    public var title = CellStyle.none
    /// Details next to the title, such as the size of the file, and names in the line that shows the full value of a cell.
    public var titleDetail = CellStyle.none
    /// The groups, sort keys and filters in the line of the title.
    public var chip = CellStyle.none
    /// The description of the running job and its progress.
    public var progress = CellStyle.none
    /// The thumb of the scroll bar.
    public var scrollBar = CellStyle.none
    /// The text of the line with hints.
    public var hint = CellStyle.none
    /// Keys in hints and in the help, and the labels of prompts.
    public var hintKey = CellStyle.none
    /// A status message.
    public var message = CellStyle.none
    /// An error message.
    public var error = CellStyle.none
    /// The text and background of panels over the grid.
    public var panel = CellStyle.none
    /// The selected line of a list in a panel.
    public var panelSelection = CellStyle.none

    /// Creates a theme in which all parts use the defaults of the terminal. Set the parts afterwards.
    public init(name: String, ground: CellStyle) {
        self.name = name
        self.ground = ground
    }
}
