/// The styled parts of a theme, with their names in theme files. ``Theme`` describes each part.
public enum ThemePart: String, Hashable, Sendable, Codable, CaseIterable {
    // The body.
    case row, alternateRow, rowHeader, currentRowHeader, gridLine, frozenEdge, selection, cursor, match, currentMatch, mark, unreadable,
        rise, fall, update, dataBar, negativeDataBar, sparkline, accessory
    // The header.
    case header, currentHeader, headerLine, sortBadge, textType, numberType, timeType, flagType
    // Sections and dragging.
    case sectionHeader, stuckSectionHeader, sectionDetail, dragTint, insertionMark
    // Strips.
    case totals, bottomEdge, strip, armedStrip
    // Around the grid.
    case title, titleDetail, chip, progress, scrollBar, hint, hintKey, message, error, panel, panelSelection

    /// The key path of the part's style in a theme.
    public var keyPath: WritableKeyPath<Theme, CellStyle> { Self.keyPaths[self]! }

    private static let keyPaths: [ThemePart: any WritableKeyPath<Theme, CellStyle> & Sendable] = [
        .row: \.row, .alternateRow: \.alternateRow, .rowHeader: \.rowHeader, .currentRowHeader: \.currentRowHeader, .gridLine: \.gridLine,
        .frozenEdge: \.frozenEdge, .selection: \.selection, .cursor: \.cursor, .match: \.match, .currentMatch: \.currentMatch,
        .mark: \.mark, .unreadable: \.unreadable, .rise: \.rise, .fall: \.fall, .update: \.update, .dataBar: \.dataBar,
        .negativeDataBar: \.negativeDataBar, .sparkline: \.sparkline, .accessory: \.accessory, .header: \.header,
        .currentHeader: \.currentHeader, .headerLine: \.headerLine, .sortBadge: \.sortBadge, .textType: \.textType,
        .numberType: \.numberType, .timeType: \.timeType, .flagType: \.flagType, .sectionHeader: \.sectionHeader,
        .stuckSectionHeader: \.stuckSectionHeader, .sectionDetail: \.sectionDetail, .dragTint: \.dragTint, .insertionMark: \.insertionMark,
        .totals: \.totals, .bottomEdge: \.bottomEdge, .strip: \.strip, .armedStrip: \.armedStrip, .title: \.title,
        .titleDetail: \.titleDetail, .chip: \.chip, .progress: \.progress, .scrollBar: \.scrollBar, .hint: \.hint, .hintKey: \.hintKey,
        .message: \.message, .error: \.error, .panel: \.panel, .panelSelection: \.panelSelection,
    ]
}

extension Theme {
    /// The style of a part.
    public subscript(part: ThemePart) -> CellStyle {
        get { self[keyPath: part.keyPath] }
        set { self[keyPath: part.keyPath] = newValue }
    }
}
