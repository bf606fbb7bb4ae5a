/// Lines between cells.
public enum GridLines: String, Hashable, Sendable, Codable, CaseIterable {
    /// None: blanks keep columns apart.
    case none
    /// A rule between columns; across, these are lines.
    case columns
    /// A rule between rows; across, these stand beside each other.
    case rows
    /// Both; where they cross, the one on top gives its style to the crossing.
    case both

    /// Whether there are rules between columns.
    public var areBetweenColumns: Bool { self == .columns || self == .both }
    /// Whether there are rules below rows.
    public var areBetweenRows: Bool { self == .rows || self == .both }
}

/// Which of two crossing lines gives its style to the crossing.
public enum LinesOnTop: String, Hashable, Sendable, Codable {
    /// Those that go down the screen: in a table, between columns.
    case vertical
    /// Those that go across: in a table, between rows.
    case horizontal
}

/// The measures of a grid, in terminal cells.
public struct GridMetrics: Hashable, Sendable, Codable {
    /// Blanks between two columns, and between transposed rows; a rule stands in their middle. With 0, columns are resized by the last cells
    /// of their titles, and vertical rules and frozen edges are not drawn.
    public var columnSpacing = 2
    /// Terminal cells of a column without a width of its own (``WidthRule/standard``), and of an automatic one before it is measured; `nil`:
    /// fitted to the frame. Only a column's own minimum and maximum apply to it.
    public var defaultColumnWidth: Int?
    /// The least width of a column without a ``Column/minimumWidth``. Applies to computed widths and those set by hand.
    public var minimumColumnWidth = 3
    /// The least width of a column that is narrowed to fit the frame, unless it sets its own ``Column/minimumWidth`` or needs less.
    public var minimumFittedWidth = 8
    /// The greatest width of a measured or delegated column, as a part of the frame. Columns fitted to the frame may exceed it.
    public var maximumColumnFraction = 0.5
    /// The same in terminal cells, which then holds in place of the fraction, and for measured columns that are fitted to the frame, too.
    public var maximumColumnWidth: Int?
    /// Lines of a row that neither has a height of its own nor gets one from its content.
    public var rowHeight = 1
    /// Whether few rows share the lines of the frame, in place of ``rowHeight``; each has ``minimumRowHeight`` at least.
    public var fitsRowsToFrame = false
    /// Whether ``RowHeightSource/height(ofRow:)`` is asked for the heights of rows, which a delegate may tell, also where they are not
    /// automatic otherwise, and ``RowHeightSource/height(ofSection:)`` for those of sections' headers.
    public var hasDelegatedRowHeights = false
    /// Whether rows are as high as ``GridState/rowHeightSource`` says, such as their wrapped content needs. Applies to tables only: lines of a
    /// transposed grid have one height, and cards have the lines of their slots.
    public var hasAutomaticRowHeights = false
    /// Lines of a section header without a delegated height (``GridDelegate/height(ofSection:)``). Outside of tables headers have one line.
    public var sectionHeaderHeight = 1
    /// Lines that a row has at least when its height is automatic, delegated, or fitted to the frame.
    public var minimumRowHeight = 1
    /// The most lines of a row of automatic or delegated height, and of a section header of delegated height. Content never takes more than
    /// half of the frame.
    public var maximumRowHeight = 8
    /// Lines of the header: 0 for none, 1 titles, 2 with types, 3 with a rule below, more for titles of several lines. A header never takes
    /// more than half of the frame.
    public var headerHeight = 3
    /// Lines of the titles in the header, which they are broken into; those beyond the first come on top of ``headerHeight``.
    public var titleLines = 1
    /// Up to how many lines titles that do not fit are broken into when headers are fitted; 1: they are cut.
    public var maximumTitleLines = 1
    /// Whether the header stays when the rows scroll; transposed, the titles at the left. Cards have no header.
    public var hasStickyColumnHeaders = true
    /// Terminal cells of the titles of a transposed grid, at most two thirds of the frame; `nil`: as the widest needs, up to a third.
    public var titleWidth: Int?
    /// Terminal cells of a transposed row; `nil`: as the widest column asks for. People drag it by the space behind a row's header.
    public var transposedRowWidth: Int?
    /// Width of the row header with the blank or rule behind it; 0 for none.
    public var rowHeaderWidth = 0
    /// Whether the row header becomes as wide as its widest text seen so far when headers are fitted; never narrower than it is.
    public var fitsRowHeader = false
    /// Whether the row header stays when the columns scroll, as it always does left of frozen columns.
    public var hasStickyRowHeaders = true
    /// Whether totals stand at the bottom or, transposed, at the right (``GridDataSource/total(column:)``).
    public var showsTotals = false
    /// Whether the grid scrolls by whole pages: columns always, rows where they have one height and no sections.
    public var isPaged = false
    /// Which lines are drawn. Those that go across take a line of the screen each, those that go down stand in the blanks.
    public var gridLines = GridLines.none
    /// Which line is on top where two cross; matters where lines have styles of their own.
    public var linesOnTop = LinesOnTop.vertical
    /// Whether room is kept for accessories at the ends of rows (``GridDataSource/accessory(ofRow:)``).
    public var showsAccessories = false
    /// Whether the last column of the frame is the scroll bar's, where there is room.
    public var showsScrollBar = true

    /// The measures of cards, where rows are shown so.
    public var cards = CardMetrics()

    /// Rows of one line, columns two blanks apart, a header of three lines, no row header.
    public init() {}
}

extension GridMetrics {
    /// Reads measures; those that are missing are the ordinary ones. Cells and lines are up to 10,000, and a fraction is at most 1.
    public init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: CodingKeys.self)
        for (key, path) in Self.lengths {
            self[keyPath: path] = try values.decodeIfPresent(key, within: DecodingLimits.cells) ?? self[keyPath: path]
        }
        for (key, path) in Self.optionalLengths {
            self[keyPath: path] = try values.decodeIfPresent(key, within: DecodingLimits.cells)
        }
        for (key, path) in Self.switches {
            self[keyPath: path] = try values.decodeIfPresent(Bool.self, forKey: key) ?? self[keyPath: path]
        }
        maximumColumnFraction = try values.decodeIfPresent(.maximumColumnFraction, within: 0...1) ?? maximumColumnFraction
        gridLines = try values.decodeIfPresent(GridLines.self, forKey: .gridLines) ?? gridLines
        linesOnTop = try values.decodeIfPresent(LinesOnTop.self, forKey: .linesOnTop) ?? linesOnTop
        cards = try values.decodeIfPresent(CardMetrics.self, forKey: .cards) ?? cards
    }

    var limited: GridMetrics {
        var limited = self
        for (_, path) in Self.lengths { limited[keyPath: path] = self[keyPath: path].clamped(to: DecodingLimits.cells) }
        for (_, path) in Self.optionalLengths { limited[keyPath: path] = self[keyPath: path]?.clamped(to: DecodingLimits.cells) }
        limited.maximumColumnFraction = maximumColumnFraction.limitedFraction
        limited.cards = cards.limited
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
    private static let switches: [(CodingKeys, any WritableKeyPath<GridMetrics, Bool> & Sendable)] = [
        (.hasAutomaticRowHeights, \.hasAutomaticRowHeights), (.showsAccessories, \.showsAccessories),
        (.showsScrollBar, \.showsScrollBar), (.fitsRowsToFrame, \.fitsRowsToFrame),
        (.hasDelegatedRowHeights, \.hasDelegatedRowHeights), (.hasStickyColumnHeaders, \.hasStickyColumnHeaders),
        (.fitsRowHeader, \.fitsRowHeader), (.hasStickyRowHeaders, \.hasStickyRowHeaders), (.showsTotals, \.showsTotals),
        (.isPaged, \.isPaged),
    ]
}
