/// The parts of which a theme has a style each, by the names they have in files.
public enum ThemePart: String, Hashable, Sendable, Codable, CaseIterable {
    // The body.
    /// The layer under all cells of rows.
    case row
    /// The layer over those in every second row of a section.
    case alternateRow
    /// Row numbers.
    case rowHeader
    /// The number of the row under the cursor, and the dot of marked rows.
    case currentRowHeader
    /// Rules between columns and rows.
    case gridLine
    /// The edge of a frozen pane.
    case frozenEdge
    /// The layer of selected cells.
    case selection
    /// The layer of the cell under the cursor.
    case cursor
    /// Text in a cell that was searched for.
    case match
    /// Text that was searched for, in the cell under the cursor.
    case currentMatch
    /// What stands for something else: a cut (…), a line break (⏎), a control character, a missing cell (·).
    case mark
    /// Text that cannot be read as the type of its column.
    case unreadable
    /// A value that has just gone up.
    case rise
    /// A value that has just gone down.
    case fall
    /// A row, or a value without a direction, that has just changed.
    case update
    /// Bars for numbers. Their colour is the foreground.
    case dataBar
    /// Bars for numbers below 0.
    case negativeDataBar
    /// Small charts in cells.
    case sparkline
    /// What stands at the ends of rows, and beside titles.
    case accessory

    // The header.
    /// Column titles. Header styles never blend with what lies beneath.
    case header
    /// The title of the column under the cursor.
    case currentHeader
    /// Rules in the header and below it.
    case headerLine
    /// Arrow and rank of a sort key; the marks for columns out of sight.
    case sortBadge
    /// The type line over text.
    case textType
    /// The type line over integers and decimals.
    case numberType
    /// The type line over dates and times.
    case timeType
    /// The type line over flags.
    case flagType

    // Sections and dragging.
    /// Name of a section, where its header stands in its own place.
    case sectionHeader
    /// A section's header while it sticks to the top.
    case stuckSectionHeader
    /// Row count and aggregates in a section's header.
    case sectionDetail
    /// What is being moved: a column, rows, cards.
    case dragTint
    /// The bar, or line, where what is moved would be put.
    case insertionMark

    // What stands between the rows and is none.
    /// The row of totals.
    case totals
    /// The rule above what is frozen at the bottom.
    case bottomEdge
    /// The row that says that more are coming, and the strip that pulling uncovers.
    case strip
    /// The strip when letting it go does something.
    case armedStrip

    // Around the grid.
    /// The file's name, and the titles of panels.
    case title
    /// What stands beside the title in a quieter voice: size, notes, names in the value line.
    case titleDetail
    /// State of the view in the title line: groups, sort keys, filters.
    case chip
    /// What runs, and how far it is.
    case progress
    /// The scroll bar's thumb.
    case scrollBar
    /// Words of the hint line.
    case hint
    /// Keys in hints and help, and what is asked for by prompts.
    case hintKey
    /// A sentence for the person.
    case message
    /// A sentence about something that failed.
    case error
    /// The ground and text of what lies over the grid.
    case panel
    /// The chosen line of a list.
    case panelSelection

    /// Where in a theme its style is.
    public var keyPath: WritableKeyPath<Theme, CellStyle> {
        switch self {
        case .row: \.row
        case .alternateRow: \.alternateRow
        case .rowHeader: \.rowHeader
        case .currentRowHeader: \.currentRowHeader
        case .gridLine: \.gridLine
        case .frozenEdge: \.frozenEdge
        case .selection: \.selection
        case .cursor: \.cursor
        case .match: \.match
        case .currentMatch: \.currentMatch
        case .mark: \.mark
        case .unreadable: \.unreadable
        case .rise: \.rise
        case .fall: \.fall
        case .update: \.update
        case .dataBar: \.dataBar
        case .negativeDataBar: \.negativeDataBar
        case .sparkline: \.sparkline
        case .accessory: \.accessory
        case .header: \.header
        case .currentHeader: \.currentHeader
        case .headerLine: \.headerLine
        case .sortBadge: \.sortBadge
        case .textType: \.textType
        case .numberType: \.numberType
        case .timeType: \.timeType
        case .flagType: \.flagType
        case .sectionHeader: \.sectionHeader
        case .stuckSectionHeader: \.stuckSectionHeader
        case .sectionDetail: \.sectionDetail
        case .dragTint: \.dragTint
        case .insertionMark: \.insertionMark
        case .totals: \.totals
        case .bottomEdge: \.bottomEdge
        case .strip: \.strip
        case .armedStrip: \.armedStrip
        case .title: \.title
        case .titleDetail: \.titleDetail
        case .chip: \.chip
        case .progress: \.progress
        case .scrollBar: \.scrollBar
        case .hint: \.hint
        case .hintKey: \.hintKey
        case .message: \.message
        case .error: \.error
        case .panel: \.panel
        case .panelSelection: \.panelSelection
        }
    }
}

extension Theme {
    /// The style of a part.
    public subscript(part: ThemePart) -> CellStyle {
        get { self[keyPath: part.keyPath] }
        set { self[keyPath: part.keyPath] = newValue }
    }
}
