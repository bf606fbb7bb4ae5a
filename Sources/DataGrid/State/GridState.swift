/// The position of the cursor.
public struct GridCursor: Hashable, Sendable, Codable {
    /// The row, by position, or the section header under the cursor.
    public var item: GridItem
    /// The index of the column among the visible columns.
    public var column: Int

    /// Creates a cursor on `item`; by default on the first cell.
    public init(item: GridItem = .row(0), column: Int = 0) {
        self.item = item
        self.column = column
    }

    /// Decodes a cursor. A grid moves it to the nearest existing cell.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        item = try values.decode(GridItem.self, forKey: .item)
        column = try values.decode(.column, within: DecodingLimits.columns)
    }

    /// The position of the row under the cursor; `nil` on a section header.
    public var row: Int? {
        if case .row(let position) = item { return position }
        return nil
    }

    var section: Int? {
        if case .header(let section) = item { return section }
        return nil
    }
}

/// The scroll position of a grid.
public struct GridScroll: Hashable, Sendable, Codable {
    /// The item at the top of the scrolling pane.
    public var top = 0
    /// The width of the scrolled-out columns on the left, in terminal cells.
    public var x = 0

    /// Creates a scroll position at the top left.
    public init() {}

    /// Decodes a scroll position.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        top = try values.decode(.top, within: DecodingLimits.rows)
        x = try values.decode(.x, within: DecodingLimits.width)
    }
}

/// The numbers of columns and items that do not scroll.
public struct FrozenPanes: Hashable, Sendable, Codable {
    /// The number of visible columns at the left.
    public var leading = 0
    /// The number of visible columns at the right.
    public var trailing = 0
    /// The number of items at the top.
    public var rows = 0
    /// The number of items at the bottom.
    public var bottom = 0

    /// Creates frozen panes with these numbers of columns and items.
    public init(leading: Int = 0, trailing: Int = 0, rows: Int = 0, bottom: Int = 0) {
        self.leading = leading
        self.trailing = trailing
        self.rows = rows
        self.bottom = bottom
    }
}

extension FrozenPanes {
    /// Decodes the counts; a missing one is 0.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func count(_ key: CodingKeys, _ limits: ClosedRange<Int>) throws -> Int { try values.decodeIfPresent(key, within: limits) ?? 0 }
        self.init(
            leading: try count(.leading, DecodingLimits.columns), trailing: try count(.trailing, DecodingLimits.columns),
            rows: try count(.rows, DecodingLimits.rows), bottom: try count(.bottom, DecodingLimits.rows))
    }

    var limited: FrozenPanes {
        FrozenPanes(
            leading: leading.clamped(to: DecodingLimits.columns), trailing: trailing.clamped(to: DecodingLimits.columns),
            rows: rows.clamped(to: DecodingLimits.rows), bottom: bottom.clamped(to: DecodingLimits.rows))
    }
}

/// A sort key: a column and a direction.
public struct ColumnSort: Hashable, Sendable, Codable {
    /// The column to sort by.
    public var column: ColumnID
    /// True if the greatest value comes first.
    public var isDescending: Bool

    /// Creates a sort key, ascending by default.
    public init(_ column: ColumnID, isDescending: Bool = false) {
        self.column = column
        self.isDescending = isDescending
    }
}

/// The state of a grid without its content: a value changed only by ``apply(_:)``.
public struct GridState: Equatable, Sendable {
    /// The frame, in terminal cells.
    public internal(set) var size: GridSize
    /// The metrics; ``GridAction/setMetrics(_:)`` changes them and keeps the cursor visible.
    public package(set) var metrics: GridMetrics
    /// All columns in display order, including hidden ones.
    public internal(set) var columns: ColumnList
    /// The order of the rows: their identity at each position.
    public internal(set) var rows: RowOrder
    /// The estimated number of rows, for the scroll bar; `nil` if all rows are known. It has no effect in a grid with sections.
    /// ``GridAction/setExpectedRowCount(_:)`` changes it.
    public internal(set) var expectedRowCount: Int?
    /// The rows and section headers, without items hidden by collapsed sections.
    public internal(set) var outline: Outline
    /// The previous sections, kept while rows are without sections and new sections are expected.
    var expectedSections: ExpectedSections?
    var heights = RowHeights()
    /// The source of automatic row heights; used if ``GridMetrics/hasAutomaticRowHeights``.
    public var rowHeightSource: (any RowHeightSource)? {
        get { heightSource.object }
        set { heightSource.object = newValue }
    }
    private var heightSource = SourceReference<any RowHeightSource>()
    /// The source that knows which slots of a card are empty; used if ``CardMetrics/collapsesEmptySlots``.
    public var cardContent: (any CardContent)? {
        get { cardContentSource.object }
        set { cardContentSource.object = newValue }
    }
    private var cardContentSource = SourceReference<any CardContent>()
    /// The requested presentation of rows; ``GridAction/setPresentation(_:)`` changes it.
    public internal(set) var presentation = GridPresentation.table
    /// The requested frozen panes; the layout reduces them to the available room.
    ///
    /// It counts the visible columns with a ``Column/frozenSide``. At least one visible column is left to scroll.
    public var frozen: FrozenPanes {
        FrozenPanes(leading: columns.leadingCount, trailing: columns.trailingCount, rows: frozenRows, bottom: frozenBottom)
    }
    var frozenRows = 0
    var frozenBottom = 0
    /// The scroll position, always in the valid range.
    public internal(set) var scroll = GridScroll()
    /// The cursor, always on an item and column that scrolling can reveal.
    public internal(set) var cursor = GridCursor()
    /// The selection, by position. A new order of rows clears it unless the action keeps it.
    public package(set) var selection = Selection.empty
    /// The selection mode for keys and pointer; selection from code ignores it.
    public internal(set) var selectionMode = SelectionMode.cells
    /// The start of the selection that is being extended, or `nil`.
    public internal(set) var selectionAnchor: SelectionAnchor?
    /// True if the next selection adds to the existing ranges.
    public internal(set) var keepsRanges = false
    /// The sort keys shown in the headers, most significant first.
    public internal(set) var sort: [ColumnSort] = []
    /// The sort keys of a running sort; empty if no sort is running.
    public internal(set) var pendingSort: [ColumnSort] = []
    /// The filters in the application's notation. The grid does not apply them, but stores them in saved views.
    public internal(set) var filters: [String] = []
    /// The current drag, or `nil`.
    public internal(set) var drag: GridDrag?
    /// The state before the drag, restored when the drag is cancelled.
    var dragOrigin: DragOrigin?
    /// The indicator for pending rows, or `nil`.
    public internal(set) var loader: GridLoader?
    /// The strip that the pull gesture uncovers, or `nil`.
    public internal(set) var pull: GridPull?
    /// The theme; ``GridAction/setTheme(_:keepsColumns:)`` changes it.
    public internal(set) var theme: Theme
    /// True if colors with alpha below 255 blend with the colors below; otherwise only the top color is drawn.
    /// ``GridAction/setBlending(_:)`` changes it.
    public package(set) var blendsStyles = true
    /// The policies for clicks, keys and drags; ``GridAction/setInteraction(_:)`` changes them.
    public package(set) var interaction = GridInteraction()
    /// The editor of the current cell and its text, or `nil`.
    public internal(set) var editing: CellEditing?
    /// The marked rows, by identity.
    public internal(set) var marks: Set<RowID> = []

    /// Creates a grid without a frame; ``GridAction/resize(_:)`` sets one. O(columns).
    public init(columns: [Column] = [], rows: RowOrder = .natural(count: 0), theme: Theme = .dark, metrics: GridMetrics = GridMetrics()) {
        size = .zero
        self.metrics = metrics
        self.columns = ColumnList(columns)
        self.rows = rows
        outline = Outline(rowCount: rows.count)
        self.theme = theme
    }

    /// A reference to a source, compared by identity. Comparing sources by content would be too slow, because states are compared for every
    /// frame.
    private struct SourceReference<Source: Sendable>: Equatable, Sendable {
        var object: Source?
        static func == (a: SourceReference, b: SourceReference) -> Bool { a.object as AnyObject? === b.object as AnyObject? }
    }

    /// Resets cursor and vertical scroll position, so that a comparison of two states ignores them.
    package mutating func resetCursorAndScroll() {
        cursor = GridCursor()
        scroll.top = 0
    }

    /// The layout of this state in its frame. O(columns + visible items · log sections).
    public var layout: GridLayout { GridLayout(self) }

    /// The row under the cursor; `nil` on a section header or in an empty grid.
    public var currentRow: RowID? {
        guard let position = cursor.row, position < rows.count else { return nil }
        return rows[position]
    }

    /// The column under the cursor; `nil` if no column is visible.
    public var currentColumn: Column? { cursor.column < columns.count ? columns[cursor.column] : nil }
}
