/// The looks of a grid: a style for each part.
///
/// Applying a theme (``GridAction/apply(theme:keepsColumns:)``) resets what was set by hand; what is set afterwards wins over it.
public struct Theme: Hashable, Sendable {
    /// What it is called in settings and by `--theme`.
    public var name: String
    /// The colours the terminal is taken to have where the theme leaves its own: what blending mixes with, and what contrast is measured
    /// against.
    public var ground: CellStyle

    // The body.
    /// The layer under all cells of rows.
    public var row = CellStyle.none
    /// The layer over it in every second row of a section.
    public var alternateRow = CellStyle.none
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
    /// Text in a cell that was searched for.
    public var match = CellStyle.none
    /// The same in the cell under the cursor.
    public var currentMatch = CellStyle.none
    /// What stands for something else: a cut (…), a line break (⏎), a control character, a missing cell (·).
    public var mark = CellStyle.none
    /// Text that cannot be read as the type of its column.
    public var unreadable = CellStyle.none
    /// A value that has just gone up.
    public var rise = CellStyle.none
    /// A value that has just gone down.
    public var fall = CellStyle.none
    /// A row, or a value without a direction, that has just changed.
    public var update = CellStyle.none
    /// Bars for numbers. Their colour is the foreground.
    public var dataBar = CellStyle.none
    /// Bars for numbers below 0.
    public var negativeDataBar = CellStyle.none
    /// Small charts in cells.
    public var sparkline = CellStyle.none
    /// What stands at the ends of rows, and beside titles.
    public var accessory = CellStyle.none
    /// What rows and cells look like that name a class, by its name; what the theme does not know changes nothing.
    public var classes: [String: ThemeClass] = [:]

    // The header.
    /// Column titles. Header styles never blend with what lies beneath.
    public var header = CellStyle.none
    /// The title of the column under the cursor.
    public var currentHeader = CellStyle.none
    /// Rules in the header and below it.
    public var headerLine = CellStyle.none
    /// Arrow and rank of a sort key; the marks for columns out of sight.
    public var sortBadge = CellStyle.none
    /// The type line over text.
    public var textType = CellStyle.none
    /// The type line over integers and decimals.
    public var numberType = CellStyle.none
    /// The type line over dates and times.
    public var timeType = CellStyle.none
    /// The type line over flags.
    public var flagType = CellStyle.none

    // Sections.
    /// Name of a section, where its header stands in its own place.
    public var sectionHeader = CellStyle.none
    /// A section's header while it sticks to the top.
    public var stuckSectionHeader = CellStyle.none
    /// Row count and aggregates in a section's header.
    public var sectionDetail = CellStyle.none

    // What stands between the rows and is none.
    /// The row of totals.
    public var totals = CellStyle.none
    /// The rule above what is frozen at the bottom.
    public var bottomEdge = CellStyle.none
    /// The row that says that more are coming, and the strip that pulling uncovers.
    public var strip = CellStyle.none
    /// The strip when letting it go does something.
    public var armedStrip = CellStyle.none

    // Dragging.
    /// What is being moved: a column, rows, cards.
    public var dragTint = CellStyle.none
    /// The bar, or line, where it would be put.
    public var insertionMark = CellStyle.none

    // Around the grid.
    /// The file's name, and the titles of panels.
    public var title = CellStyle.none
    /// What stands beside it in a quieter voice: size, notes, names in the value line.
    public var titleDetail = CellStyle.none
    /// State of the view in the title line: groups, sort keys, filters.
    public var chip = CellStyle.none
    /// What runs, and how far it is.
    public var progress = CellStyle.none
    /// The scroll bar's thumb.
    public var scrollBar = CellStyle.none
    /// Words of the hint line.
    public var hint = CellStyle.none
    /// Keys in hints and help, and what is asked for by prompts.
    public var hintKey = CellStyle.none
    /// A sentence for the person.
    public var message = CellStyle.none
    /// A sentence about something that failed.
    public var error = CellStyle.none
    /// The ground and text of what lies over the grid.
    public var panel = CellStyle.none
    /// The chosen line of a list.
    public var panelSelection = CellStyle.none

    /// A theme that leaves everything to the terminal until its parts are set.
    public init(name: String, ground: CellStyle) {
        self.name = name
        self.ground = ground
    }
}
