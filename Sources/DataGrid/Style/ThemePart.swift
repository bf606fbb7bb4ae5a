/// The styled parts of a theme, with their names in theme files. ``Theme`` describes each part.
public enum ThemePart: String, Hashable, Sendable, Codable, CaseIterable {
    /// A part of the rows and their cells.
    case row, alternateRow, card, rowHeader, currentRowHeader, gridLine, frozenEdge, selection, cursor, match, currentMatch, mark,
        unreadable, rise, fall, update, updatedRow, dataBar, negativeDataBar, sparkline, accessory
    /// A part of the header with the column names.
    case header, currentHeader, headerLine, sortBadge, textType, numberType, timeType, flagType
    /// A part of section headers, or a color or mark that is shown during a drag.
    case sectionHeader, stuckSectionHeader, sectionDetail, dragTint, insertionMark
    /// A line that is not a row: the totals; the rule above the rows frozen at the bottom; a strip, such as the loader; a pull strip that
    /// is fully uncovered.
    case totals, bottomEdge, strip, armedStrip
    /// A part of the program's screen around the grid.
    case title, titleDetail, chip, progress, scrollBar, hint, hintKey, message, error, panel, panelSelection

    /// The property of ``Theme`` that stores the style of this part.
    public var keyPath: WritableKeyPath<Theme, CellStyle> { Self.keyPaths[self]! }

    private static let keyPaths: [ThemePart: any WritableKeyPath<Theme, CellStyle> & Sendable] = [
        .row: \.row, .alternateRow: \.alternateRow, .card: \.card, .rowHeader: \.rowHeader, .currentRowHeader: \.currentRowHeader,
        .gridLine: \.gridLine, .frozenEdge: \.frozenEdge, .selection: \.selection, .cursor: \.cursor, .match: \.match,
        .currentMatch: \.currentMatch, .mark: \.mark, .unreadable: \.unreadable, .rise: \.rise, .fall: \.fall, .update: \.update,
        .updatedRow: \.updatedRow, .dataBar: \.dataBar, .negativeDataBar: \.negativeDataBar, .sparkline: \.sparkline,
        .accessory: \.accessory, .header: \.header,
        .currentHeader: \.currentHeader, .headerLine: \.headerLine, .sortBadge: \.sortBadge, .textType: \.textType,
        .numberType: \.numberType, .timeType: \.timeType, .flagType: \.flagType, .sectionHeader: \.sectionHeader,
        .stuckSectionHeader: \.stuckSectionHeader, .sectionDetail: \.sectionDetail, .dragTint: \.dragTint, .insertionMark: \.insertionMark,
        .totals: \.totals, .bottomEdge: \.bottomEdge, .strip: \.strip, .armedStrip: \.armedStrip, .title: \.title,
        .titleDetail: \.titleDetail, .chip: \.chip, .progress: \.progress, .scrollBar: \.scrollBar, .hint: \.hint, .hintKey: \.hintKey,
        .message: \.message, .error: \.error, .panel: \.panel, .panelSelection: \.panelSelection,
    ]
}

extension Theme {
    /// The style of a part of the theme.
    public subscript(part: ThemePart) -> CellStyle {
        get { self[keyPath: part.keyPath] }
        set { self[keyPath: part.keyPath] = newValue }
    }
}
