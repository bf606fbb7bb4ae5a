/// The parts of which a theme has a style each, by the names they have in files.
public enum ThemePart: String, Hashable, Sendable, Codable, CaseIterable {
    /// The body: explained where ``Theme`` has properties of these names, as all parts are.
    case row, alternateRow, rowHeader, currentRowHeader, gridLine, frozenEdge, selection, cursor, match, currentMatch, mark, unreadable,
        rise, fall, update, dataBar, negativeDataBar, sparkline, accessory
    /// The header.
    case header, currentHeader, headerLine, sortBadge, textType, numberType, timeType, flagType
    /// Sections and dragging.
    case sectionHeader, stuckSectionHeader, sectionDetail, dragTint, insertionMark
    /// What stands between the rows and is none.
    case totals, bottomEdge, strip, armedStrip
    /// Around the grid.
    case title, titleDetail, chip, progress, scrollBar, hint, hintKey, message, error, panel, panelSelection

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
