/// Where the cursor is.
public struct GridCursor: Hashable, Sendable, Codable {
    /// The position of its row, or the section whose header it is on.
    public var item: GridItem
    /// Its column, counted among the visible ones.
    public var column: Int

    /// A cursor on `item`; by default on the first cell.
    public init(item: GridItem = .row(0), column: Int = 0) {
        self.item = item
        self.column = column
    }

    /// Reads a cursor; wherever it is, it comes back on the nearest cell there is.
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

/// What part of the grid is seen.
public struct GridScroll: Hashable, Sendable, Codable {
    /// The item at the top of the scrolling pane.
    public var top = 0
    /// Terminal cells of the scrolling columns that are out of sight at the left.
    public var x = 0

    /// At the top and at the left.
    public init() {}

    /// Reads a scroll position.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        top = try values.decode(.top, within: DecodingLimits.rows)
        x = try values.decode(.x, within: DecodingLimits.width)
    }
}

/// What does not scroll.
public struct FrozenPanes: Hashable, Sendable, Codable {
    /// Visible columns at the left.
    public var leading = 0
    /// Visible columns at the right.
    public var trailing = 0
    /// Items at the top.
    public var rows = 0
    /// Items at the bottom.
    public var bottom = 0

    /// So many columns at either side, and items at the top and at the bottom.
    public init(leading: Int = 0, trailing: Int = 0, rows: Int = 0, bottom: Int = 0) {
        self.leading = leading
        self.trailing = trailing
        self.rows = rows
        self.bottom = bottom
    }
}

extension FrozenPanes {
    /// Reads counts; a pane that is missing has nothing frozen.
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

/// A column by which the rows are sorted. Where Foundation is imported, too, which has a type of the same name, it is written
/// `DataGrid.SortDescriptor`.
public struct SortDescriptor: Hashable, Sendable, Codable {
    /// The column whose values decide.
    public var column: ColumnID
    /// Whether the greatest value comes first.
    public var isDescending: Bool

    /// Sorts by `column`, upwards unless told otherwise.
    public init(_ column: ColumnID, isDescending: Bool = false) {
        self.column = column
        self.isDescending = isDescending
    }
}

/// Everything about a grid but its content: a value, changed by ``apply(_:)`` alone and drawn by a pure read.
public struct GridState: Equatable, Sendable {
    /// The frame, in terminal cells.
    public internal(set) var size: GridSize
    /// The measures in force; ``GridAction/set(metrics:)`` changes them and keeps the cursor in sight.
    public var metrics: GridMetrics
    /// All columns in the order shown, hidden ones included.
    public internal(set) var columns: ColumnList
    /// Which row stands at which position.
    public internal(set) var rows: RowOrder
    /// The rows among the headers of their sections, collapsed ones left out.
    public internal(set) var outline: Outline
    /// The sections there were, while there are none and they are expected again.
    var expectedSections: ExpectedSections?
    var heights = RowHeights()
    /// Who knows how high rows want to be; asked when ``GridMetrics/hasAutomaticRowHeights``.
    public var rowHeightSource: (any RowHeightSource)? {
        get { heightSource.object }
        set { heightSource.object = newValue }
    }
    private var heightSource = HeightSource()
    /// How rows are laid out; ``GridAction/present(_:)`` changes it.
    public internal(set) var presentation = GridPresentation.table
    /// What should not scroll; the layout tells how much of it there is room for.
    public internal(set) var frozen = FrozenPanes()
    /// What part is seen; always within what there is.
    public internal(set) var scroll = GridScroll()
    /// Where the cursor is; always on something that can be seen by scrolling.
    public internal(set) var cursor = GridCursor()
    /// What is selected, by position. It ends when the rows are put in another order, unless it is to be kept.
    public package(set) var selection = Selection.empty
    /// What keys and pointer can select; what is set from code is not bound by it.
    public internal(set) var selectionMode = SelectionMode.cells
    /// Where the selection that is being extended began; `nil` when none is.
    public internal(set) var selectionAnchor: SelectionAnchor?
    /// Whether the next selection adds to the ranges there are.
    public internal(set) var keepsRanges = false
    /// The sort order shown in the header, the strongest key first.
    public internal(set) var sort: [SortDescriptor] = []
    /// The sort order that was asked for and is not there yet; empty when none is awaited.
    public internal(set) var pendingSort: [SortDescriptor] = []
    /// The conditions that the rows fulfil, as the application writes them; the grid keeps them with the view and knows no more of them.
    public internal(set) var filters: [String] = []
    /// What the pointer is doing.
    public internal(set) var drag: GridDrag?
    /// What the drag began with, and what it goes back to when it is cancelled.
    var dragOrigin: DragOrigin?
    /// What says that more rows are coming; `nil`: none are.
    public internal(set) var loader: GridLoader?
    /// The strip that is uncovered by pulling on at the top; `nil`: there is none.
    public internal(set) var pull: GridPull?
    /// The colours; ``GridAction/apply(theme:keepsColumns:)`` changes them.
    public internal(set) var theme: Theme
    /// Whether colours with alpha below 255 mix with what lies beneath; otherwise the top colour wins.
    public var blendsStyles = true
    /// What clicks, keys and drags do.
    public var interaction = GridInteraction()
    /// The cell that is being edited, always the one under the cursor, and what has been typed; `nil` when none is.
    public internal(set) var editing: CellEditing?
    /// Rows that were marked, by identity.
    public internal(set) var marks: Set<RowID> = []

    /// A grid without a frame: give it one with ``GridAction/resize(_:)``. O(columns).
    public init(columns: [Column] = [], rows: RowOrder = .natural(count: 0), theme: Theme = .dark, metrics: GridMetrics = GridMetrics()) {
        size = .zero
        self.metrics = metrics
        self.columns = ColumnList(columns)
        self.rows = rows
        outline = Outline(rowCount: rows.count)
        self.theme = theme
    }

    /// Equal to itself alone: states are compared for every frame.
    private struct HeightSource: Equatable, Sendable {
        var object: (any RowHeightSource)?
        static func == (a: HeightSource, b: HeightSource) -> Bool { a.object === b.object }
    }

    /// Forgets where the cursor is and which rows are seen, so that states can be compared by everything else.
    package mutating func leaveOutPlace() {
        cursor = GridCursor()
        scroll.top = 0
    }

    /// The layout of this state in its frame. O(columns + visible items · log sections).
    public var layout: GridLayout { GridLayout(self) }

    /// The row under the cursor; `nil` on a section header or an empty grid.
    public var currentRow: RowID? {
        guard let position = cursor.row, position < rows.count else { return nil }
        return rows[position]
    }

    /// The column under the cursor.
    public var currentColumn: Column? { cursor.column < columns.count ? columns[cursor.column] : nil }
}
