/// The position of the cursor.
public struct GridCursor: Hashable, Sendable, Codable {
    /// The item under the cursor: a row, by position, or a section header.
    public var item: GridItem
    /// The index of the column under the cursor among the visible columns.
    public var column: Int

    /// Creates a cursor on `item`; by default, on the first column of the first row.
    public init(item: GridItem = .row(0), column: Int = 0) {
        self.item = item
        self.column = column
    }

    /// Decodes a cursor. A grid moves it to the nearest cell that exists.
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
    /// The index of the item at the top of the area in which items scroll.
    public var top = 0
    /// The number of terminal cells of scrolling columns that are scrolled out at the left. In a transposed grid, the index of the first
    /// visible scrolling column.
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

/// The numbers of frozen columns and items, which do not scroll.
public struct FrozenPanes: Hashable, Sendable, Codable {
    /// The number of visible columns that are frozen at the left.
    public var leading = 0
    /// The number of visible columns that are frozen at the right.
    public var trailing = 0
    /// The number of items (rows and section headers) that are frozen at the top.
    public var rows = 0
    /// The number of items (rows and section headers) that are frozen at the bottom.
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
    /// Decodes the numbers. A number that is not present is 0.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func count(_ key: CodingKeys, _ limits: ClosedRange<Int>) throws -> Int { try values.decodeIfPresent(key, within: limits) ?? 0 }
        self.init(
            leading: try count(.leading, DecodingLimits.columns), trailing: try count(.trailing, DecodingLimits.columns),
            rows: try count(.rows, DecodingLimits.rows), bottom: try count(.bottom, DecodingLimits.rows))
    }

    var clampedToLimits: FrozenPanes {
        FrozenPanes(
            leading: leading.clamped(to: DecodingLimits.columns), trailing: trailing.clamped(to: DecodingLimits.columns),
            rows: rows.clamped(to: DecodingLimits.rows), bottom: bottom.clamped(to: DecodingLimits.rows))
    }
}

/// A sort key: a column and a direction.
public struct ColumnSort: Hashable, Sendable, Codable {
    /// The column to sort by.
    public var column: ColumnID
    /// True to sort in descending order, with the greatest value first.
    public var isDescending: Bool

    /// Creates a sort key, ascending by default.
    public init(_ column: ColumnID, isDescending: Bool = false) {
        self.column = column
        self.isDescending = isDescending
    }
}

/// The state of a grid without its content: a value changed only by ``apply(_:)``.
public struct GridState: Equatable, Sendable {
    /// The size of the frame, in terminal cells.
    public internal(set) var size: GridSize
    /// The dimensions and layout options. ``GridAction/setMetrics(_:)`` changes them and keeps the cursor visible.
    public package(set) var metrics: GridMetrics
    /// All columns in display order, including hidden ones.
    public internal(set) var columns: ColumnList
    /// The order of the rows: the row at each position.
    public internal(set) var rows: RowOrder
    /// The expected number of rows, for the scroll bar, while rows are still being loaded; `nil` if all rows are loaded. It has no effect
    /// in a grid with sections. ``GridAction/setExpectedRowCount(_:)`` changes it.
    public internal(set) var expectedRowCount: Int?
    /// The items of the grid: rows and section headers that are not inside a collapsed section.
    public internal(set) var outline: Outline
    /// The previous sections, which the grid remembers while the rows have no sections (``PreservedState/sections``). When the rows get
    /// sections again, the same sections are collapsed.
    var expectedSections: ExpectedSections?
    var heights = RowHeights()
    /// The object that computes automatic row heights; used if ``GridMetrics/hasAutomaticRowHeights`` or
    /// ``GridMetrics/hasDelegatedRowHeights`` is true.
    public var rowHeightSource: (any RowHeightSource)? {
        get { heightSource.object }
        set { heightSource.object = newValue }
    }
    private var heightSource = SourceReference<any RowHeightSource>()
    /// The object that knows which slots of a card are empty; used if ``CardMetrics/collapsesEmptySlots`` is true.
    public var cardContent: (any CardContent)? {
        get { cardContentSource.object }
        set { cardContentSource.object = newValue }
    }
    private var cardContentSource = SourceReference<any CardContent>()
    /// The requested presentation of rows; ``GridAction/setPresentation(_:)`` changes it.
    public internal(set) var presentation = GridPresentation.table
    /// The frozen panes that were requested. The layout freezes only as many columns and rows as fit.
    ///
    /// The numbers of columns count the visible columns with a ``Column/frozenSide``. At least one visible column scrolls.
    public var frozen: FrozenPanes {
        FrozenPanes(leading: columns.leadingCount, trailing: columns.trailingCount, rows: frozenRows, bottom: frozenBottom)
    }
    var frozenRows = 0
    var frozenBottom = 0
    /// The scroll position. It is always valid: there is no unused space after the last item or column.
    public internal(set) var scroll = GridScroll()
    /// The cursor. It is always on an item and a column that scrolling can make visible.
    public internal(set) var cursor = GridCursor()
    /// The selected cells, by position. Another order of rows clears the selection unless the action keeps it.
    public package(set) var selection = Selection.empty
    /// The kind of selection that users can make. Code can select any cells.
    public internal(set) var selectionMode = SelectionMode.cells
    /// The fixed end of the selection that is being extended; `nil` if no selection is being extended.
    public internal(set) var selectionAnchor: SelectionAnchor?
    /// True if the next selection is added to the ranges that are already selected.
    public internal(set) var keepsRanges = false
    /// The sort keys shown in the headers, most significant first.
    public internal(set) var sort: [ColumnSort] = []
    /// The sort keys of a sort that is still running; empty if no sort is running.
    public internal(set) var pendingSort: [ColumnSort] = []
    /// The filters, as text that only the application understands. The grid stores them in saved views, but does not filter rows.
    public internal(set) var filters: [String] = []
    /// The current drag with the pointer; `nil` if there is no drag.
    public internal(set) var drag: GridDrag?
    /// The state before the drag. It is restored if the drag is cancelled.
    var dragOrigin: DragOrigin?
    /// The indicator that more rows are expected; `nil` if there is no indicator.
    public internal(set) var loader: GridLoader?
    /// The strip that users can pull down at the top of the grid; `nil` if pulling is disabled.
    public internal(set) var pull: GridPull?
    /// The theme; ``GridAction/setTheme(_:keepsColumns:)`` changes it.
    public internal(set) var theme: Theme
    /// True if colors with alpha below 255 blend with the colors below; otherwise only the top color is drawn.
    /// ``GridAction/setBlending(_:)`` changes it.
    public package(set) var blendsStyles = true
    /// The policies for clicks, keys and drags; ``GridAction/setInteraction(_:)`` changes them.
    public package(set) var interaction = GridInteraction()
    /// The open editor of a cell; `nil` if no editor is open.
    public internal(set) var editing: CellEditing?
    /// The identities of the marked rows.
    public internal(set) var marks: Set<RowID> = []

    /// Creates a grid whose frame is empty until ``GridAction/resize(_:)`` sets its size. O(columns).
    public init(columns: [Column] = [], rows: RowOrder = .natural(count: 0), theme: Theme = .dark, metrics: GridMetrics = GridMetrics()) {
        size = .zero
        self.metrics = metrics
        self.columns = ColumnList(columns)
        self.rows = rows
        outline = Outline(rowCount: rows.count)
        self.theme = theme
    }

    /// A reference to an object that is compared by identity. A comparison of its content would be too slow, because states are compared
    /// for every frame.
    private struct SourceReference<Source: Sendable>: Equatable, Sendable {
        var object: Source?
        static func == (a: SourceReference, b: SourceReference) -> Bool { a.object as AnyObject? === b.object as AnyObject? }
    }

    /// Resets cursor and vertical scroll position, so that a comparison of two states ignores them.
    package mutating func resetCursorAndScroll() {
        cursor = GridCursor()
        scroll.top = 0
    }

    /// The positions of all parts of the grid in its frame. O(columns + visible items · log sections).
    public var layout: GridLayout { GridLayout(self) }

    /// The row under the cursor; `nil` on a section header or in an empty grid.
    public var currentRow: RowID? {
        guard let position = cursor.row, position < rows.count else { return nil }
        return rows[position]
    }

    /// The column under the cursor; `nil` if no column is visible.
    public var currentColumn: Column? { cursor.column < columns.count ? columns[cursor.column] : nil }
}
