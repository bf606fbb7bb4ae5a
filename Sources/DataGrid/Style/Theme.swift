/// The looks of a grid: a style for each part.
///
/// Applying a theme (``GridAction/apply(theme:)``) resets what was set by hand; what is set afterwards wins over it.
public struct Theme: Hashable, Sendable, Codable {
    public var name: String
    /// The colours the terminal is taken to have where the theme leaves its own: what blending mixes with, and what contrast is measured
    /// against.
    public var ground: CellStyle

    // The body.
    public var row = CellStyle.none
    public var alternateRow = CellStyle.none
    public var rowHeader = CellStyle.none
    public var currentRowHeader = CellStyle.none
    public var gridLine = CellStyle.none
    /// The edge of a frozen pane.
    public var frozenEdge = CellStyle.none
    public var selection = CellStyle.none
    public var cursor = CellStyle.none
    public var match = CellStyle.none
    public var currentMatch = CellStyle.none
    /// What stands for something else: a cut (…), a line break (⏎), a control character, a missing cell (·).
    public var mark = CellStyle.none
    /// Text that cannot be read as the type of its column.
    public var unreadable = CellStyle.none
    public var rise = CellStyle.none
    public var fall = CellStyle.none

    // The header.
    public var header = CellStyle.none
    public var currentHeader = CellStyle.none
    public var headerLine = CellStyle.none
    public var sortBadge = CellStyle.none
    public var textType = CellStyle.none
    public var numberType = CellStyle.none
    public var timeType = CellStyle.none
    public var flagType = CellStyle.none

    // Sections.
    public var sectionHeader = CellStyle.none
    public var stuckSectionHeader = CellStyle.none
    public var sectionDetail = CellStyle.none

    // Dragging.
    public var dragTint = CellStyle.none
    public var insertionMark = CellStyle.none

    // Around the grid.
    public var title = CellStyle.none
    public var titleDetail = CellStyle.none
    public var chip = CellStyle.none
    public var progress = CellStyle.none
    public var scrollBar = CellStyle.none
    public var hint = CellStyle.none
    public var hintKey = CellStyle.none
    public var message = CellStyle.none
    public var error = CellStyle.none
    public var panel = CellStyle.none
    public var panelSelection = CellStyle.none

    /// Whether the theme is made for light terminals.
    public var isLight: Bool { (ground.background?.luminance ?? 0) > 0.35 }

    /// The theme for a terminal whose own ground is light or dark: with a ground of its own where the terminal's would not suit it.
    public func fitted(toLightTerminal isLightTerminal: Bool) -> Theme {
        guard isLight != isLightTerminal, ground.background != nil else { return self }
        var theme = self
        var row = ground
        row.lay(self.row, blending: true)
        theme.row = row
        return theme
    }

    /// A theme of that name in which every part looks as `ground` does.
    public init(name: String, ground: CellStyle) {
        self.name = name
        self.ground = ground
    }
}
