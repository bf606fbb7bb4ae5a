/// The thin lines (rules) that are drawn between cells.
public enum GridLines: String, Hashable, Sendable, Codable, CaseIterable {
    /// No rules: spaces separate the columns.
    case none
    /// A rule between columns: vertical, or horizontal in a transposed grid.
    case columns
    /// A rule between rows: horizontal, or vertical in a transposed grid.
    case rows
    /// Rules between columns and between rows. ``GridMetrics/linesOnTop`` determines the style of their crossings.
    case both

    /// True if there are rules between columns.
    public var hasColumnRules: Bool { self == .columns || self == .both }
    /// True if there are rules below rows.
    public var hasRowRules: Bool { self == .rows || self == .both }
}

/// The direction of the rule that sets the style where two rules cross.
public enum LinesOnTop: String, Hashable, Sendable, Codable {
    /// The style of the vertical rule: in a table, the rule between columns.
    case vertical
    /// The style of the horizontal rule: in a table, the rule between rows.
    case horizontal
}

/// The dimensions and layout options of a grid, in terminal cells.
public struct GridMetrics: Hashable, Sendable, Codable {
    /// The number of spaces between two columns, or between two rows of a transposed grid. A vertical rule is drawn in the middle space.
    ///
    /// With 0, vertical rules and frozen edges are not drawn, and users resize a column by dragging the last cell of its name.
    public var columnSpacing = 2
    /// The width in terminal cells of ``WidthRule/standard`` columns, and of automatic columns that are not measured yet. `nil` fits
    /// these columns to the frame.
    ///
    /// Only a column's own minimum and maximum limit this width.
    public var defaultColumnWidth: Int?
    /// The minimum width in terminal cells of a column without a ``Column/minimumWidth``. It applies to computed widths and to widths
    /// that users set.
    public var minimumColumnWidth = 3
    /// The minimum width in terminal cells of a column that is narrowed to fit the frame, unless the column has a ``Column/minimumWidth``
    /// or its content needs less.
    public var minimumFittedWidth = 8
    /// The maximum width of a column that is fitted to its content, as a fraction of the frame. Columns fitted to the frame can be wider.
    /// Automatic columns can be wider if the frame has spare room.
    public var maximumColumnFraction = 0.5
    /// The maximum width of a column in terminal cells; `nil` means the fraction ``maximumColumnFraction``. It also applies to measured
    /// columns that are fitted to the frame.
    public var maximumColumnWidth: Int?
    /// The default height of rows in lines. It applies to a row if no height is set for the row, the delegate returns no height, and
    /// heights are not automatic.
    public var rowHeight = 1
    /// True if rows are stretched to fill the frame when there are few rows. Each row then has at least ``minimumRowHeight`` lines, and
    /// ``rowHeight`` is not used.
    public var fitsRowsToFrame = false
    /// True if heights from a delegate are used for rows, cards and section headers. The grid reads these heights from its
    /// ``RowHeightSource`` (``RowHeightSource/height(ofRow:)``, ``RowHeightSource/height(ofCard:)``,
    /// ``RowHeightSource/height(ofSection:)``).
    ///
    /// It is independent of ``hasAutomaticRowHeights``.
    public var hasDelegatedRowHeights = false
    /// True if text wraps and each row is as high as its text needs. ``GridState/rowHeightSource`` determines these heights.
    ///
    /// It applies to tables only, not to cards and transposed grids.
    public var hasAutomaticRowHeights = false
    /// The number of lines of a section header for which the delegate returns no height (``GridDelegate/height(ofSection:)``). In a
    /// transposed grid, it is always 1.
    public var sectionHeaderHeight = 1
    /// The minimum number of lines of a row whose height is automatic, delegated or fitted to the frame.
    public var minimumRowHeight = 1
    /// The maximum number of lines of a row with an automatic or delegated height, and of a card or section header with a
    /// delegated height.
    ///
    /// In addition, no such height exceeds half of the frame.
    public var maximumRowHeight = 8
    /// The number of lines of the header: 0 hides it, 1 shows names, 2 adds types. More lines leave room for longer names.
    ///
    /// A header never takes more than half of the frame. If columns scroll, an underlined part of the line of types is the horizontal
    /// scroll bar.
    public var headerHeight = 1
    /// True if the header has a thin line in the space after each column, where the mouse resizes the column.
    public var showsColumnEdges = false
    /// The number of lines into which column names are wrapped. All lines but the first are added to ``headerHeight``.
    public var titleLines = 1
    /// The maximum value to which a `GridController` sets ``titleLines``, so that long column names are not truncated. With 1, names are
    /// truncated.
    public var maximumTitleLines = 1
    /// True if the header stays in place while rows scroll. In a transposed grid, this applies to the column names at the left. Cards
    /// have no header.
    public var hasStickyColumnHeaders = true
    /// The width in terminal cells of the column names in a transposed grid, at most two thirds of the frame. `nil` means the width of
    /// the longest name, at most a third of the frame.
    public var titleWidth: Int?
    /// The width in terminal cells of each row in a transposed grid; `nil` means the width of the widest column. Users change it by
    /// dragging the space after a row's header.
    public var transposedRowWidth: Int?
    /// The width in terminal cells of the row header, including the spaces or the rule after it; 0 means that there is no row header.
    public var rowHeaderWidth = 0
    /// True if the row header is widened to the widest text that it has shown. It never becomes narrower.
    public var fitsRowHeader = false
    /// True if the row header stays in place while columns scroll. It always stays in place if columns at the left are frozen.
    public var hasStickyRowHeaders = true
    /// True if section headers stick: the headers of the sections that contain the first visible row stay at the top while rows scroll.
    public var hasStickySectionHeaders = false
    /// True if a row of totals is shown at the bottom or, in a transposed grid, a column of totals at the right
    /// (``GridDataSource/total(column:)``).
    public var showsTotals = false
    /// True if the grid scrolls by whole pages. Rows and cards scroll by pages only if all have the same height and there are no sections.
    public var isPaged = false
    /// The rules to draw between cells. A horizontal rule takes a line of the screen; a vertical rule uses the space between columns.
    public var gridLines = GridLines.none
    /// The direction of the rule that determines the style where two rules cross.
    public var linesOnTop = LinesOnTop.vertical
    /// True if room is reserved for symbols at the ends of rows (``GridDataSource/accessory(ofRow:)``).
    public var showsAccessories = false
    /// True if a scroll bar is drawn in the last column of the frame when there is room.
    public var showsScrollBar = true

    /// The dimensions of cards.
    public var cards = CardMetrics()

    /// Creates metrics for rows of one line, two spaces between columns, a header of one line and no row header.
    public init() {}
}

extension GridMetrics {
    /// Decodes metrics. Values that are not present have their defaults. Widths and heights can be at most 10,000, and a fraction at most
    /// 1.
    public init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: CodingKeys.self)
        for (key, path) in Self.lengths {
            self[keyPath: path] = try values.decodeIfPresent(key, within: DecodingLimits.cells) ?? self[keyPath: path]
        }
        for (key, path) in Self.optionalLengths {
            self[keyPath: path] = try values.decodeIfPresent(key, within: DecodingLimits.cells)
        }
        for (key, path) in Self.flags {
            self[keyPath: path] = try values.decodeIfPresent(Bool.self, forKey: key) ?? self[keyPath: path]
        }
        maximumColumnFraction = try values.decodeIfPresent(.maximumColumnFraction, within: 0...1) ?? maximumColumnFraction
        gridLines = try values.decodeIfPresent(GridLines.self, forKey: .gridLines) ?? gridLines
        linesOnTop = try values.decodeIfPresent(LinesOnTop.self, forKey: .linesOnTop) ?? linesOnTop
        cards = try values.decodeIfPresent(CardMetrics.self, forKey: .cards) ?? cards
    }

    var clampedToLimits: GridMetrics {
        var limited = self
        for (_, path) in Self.lengths { limited[keyPath: path] = self[keyPath: path].clamped(to: DecodingLimits.cells) }
        for (_, path) in Self.optionalLengths { limited[keyPath: path] = self[keyPath: path]?.clamped(to: DecodingLimits.cells) }
        limited.maximumColumnFraction = maximumColumnFraction.limitedFraction
        limited.cards = cards.clampedToLimits
        return limited
    }

    private static let lengths: [(CodingKeys, any WritableKeyPath<GridMetrics, Int> & Sendable)] = [
        (.columnSpacing, \.columnSpacing), (.minimumColumnWidth, \.minimumColumnWidth), (.minimumFittedWidth, \.minimumFittedWidth),
        (.rowHeight, \.rowHeight), (.sectionHeaderHeight, \.sectionHeaderHeight), (.minimumRowHeight, \.minimumRowHeight),
        (.maximumRowHeight, \.maximumRowHeight), (.headerHeight, \.headerHeight), (.titleLines, \.titleLines),
        (.maximumTitleLines, \.maximumTitleLines), (.rowHeaderWidth, \.rowHeaderWidth),
    ]
    private static let optionalLengths: [(CodingKeys, any WritableKeyPath<GridMetrics, Int?> & Sendable)] = [
        (.defaultColumnWidth, \.defaultColumnWidth), (.maximumColumnWidth, \.maximumColumnWidth), (.titleWidth, \.titleWidth),
        (.transposedRowWidth, \.transposedRowWidth),
    ]
    private static let flags: [(CodingKeys, any WritableKeyPath<GridMetrics, Bool> & Sendable)] = [
        (.hasAutomaticRowHeights, \.hasAutomaticRowHeights), (.showsAccessories, \.showsAccessories),
        (.showsScrollBar, \.showsScrollBar), (.fitsRowsToFrame, \.fitsRowsToFrame),
        (.hasDelegatedRowHeights, \.hasDelegatedRowHeights), (.hasStickyColumnHeaders, \.hasStickyColumnHeaders),
        (.fitsRowHeader, \.fitsRowHeader), (.hasStickyRowHeaders, \.hasStickyRowHeaders),
        (.hasStickySectionHeaders, \.hasStickySectionHeaders), (.showsTotals, \.showsTotals), (.isPaged, \.isPaged),
        (.showsColumnEdges, \.showsColumnEdges),
    ]
}
