import DataGrid

/// The settings of a sheet's view that undo and redo restore. Copies share their memory, so storing one at each key press is cheap.
struct ViewState: Equatable {
    /// All columns in order, with their titles, types, widths and frozen sides.
    var columns: [Column]
    var frozenRows: Int
    /// The requested filters, sort keys and groups.
    var arrangement: Arrangement
    /// The settings that determine the height and form of rows: presentation, row heights and grid lines.
    var layout: Layout
    /// The current row order if rows were moved by hand, as ranges of positions in the arrangement's order; empty if no row was moved.
    var movedRows: [Range<Int>] = []
    var marks: Set<RowID> = []

    /// The settings that determine the height and form of rows.
    struct Layout: Equatable {
        var presentation: GridPresentation
        var rowHeight: Int
        var hasAutomaticRowHeights: Bool
        var gridLines: GridLines
        /// The width of a row of a transposed grid, in terminal cells; `nil` for the default.
        var transposedRowWidth: Int?
    }
}

extension ViewState {
    /// Copies the settings of the current sheet.
    @MainActor
    init(_ state: AppState) {
        let grid = state.grid
        (columns, frozenRows, arrangement) = (grid.columns.all, grid.frozen.rows, state.query.requested)
        layout = Layout(
            presentation: grid.presentation, rowHeight: grid.metrics.rowHeight,
            hasAutomaticRowHeights: grid.metrics.hasAutomaticRowHeights, gridLines: grid.metrics.gridLines,
            transposedRowWidth: grid.metrics.transposedRowWidth)
        movedRows = state.sheet.awaitedMoves ?? grid.rows.movedRuns
        marks = grid.marks
    }
}

/// The differences between two views of the same sheet.
///
/// A patch stores only differences. Applying it therefore keeps properties that were detected later, such as types and widths.
struct ViewPatch: Equatable {
    /// The differences of columns that exist in both views.
    private(set) var columns: [ColumnPatch]
    /// The columns that exist only in the second view.
    let addedColumns: [Column]
    /// The columns that exist only in the first view.
    let removedColumns: Set<ColumnID>
    /// The order of columns in the second view; `nil` if the first view has the same order.
    let columnOrder: [ColumnID]?
    /// The number of frozen rows in the second view; `nil` if the first view has the same number.
    let frozenRows: Int?
    /// The arrangements in both views; `nil` if they are equal.
    let arrangementChange: Change<Arrangement>?
    /// The layout in the second view; `nil` if the first view has the same layout.
    let layout: ViewState.Layout?
    /// The order of moved rows in the second view, as ranges of positions; `nil` if the first view has the same order.
    let movedRows: [Range<Int>]?
    /// The rows that are marked in only one of the views.
    private(set) var changedMarks: Set<RowID>

    /// The values of one setting in the first and in the second view.
    struct Change<Value: Equatable>: Equatable {
        var before: Value
        var after: Value

        init?(_ before: Value, _ after: Value) {
            if before == after { return nil }
            (self.before, self.after) = (before, after)
        }
    }

    /// Finds the differences between two views. O(columns).
    init(from before: ViewState, to after: ViewState) {
        if before.columns == after.columns {
            // Sorting and filtering do not change the columns. Comparing arrays with the same storage takes O(1).
            (columns, addedColumns, removedColumns, columnOrder) = ([], [], [], nil)
        } else {
            let old = Dictionary(uniqueKeysWithValues: before.columns.map { ($0.id, $0) })
            columns = after.columns.compactMap { column in
                old[column.id].flatMap { $0 == column ? nil : ColumnPatch(before: $0, after: column) }
            }
            addedColumns = after.columns.filter { old[$0.id] == nil }
            let ids = after.columns.map(\.id)
            removedColumns = Set(old.keys).subtracting(ids)
            columnOrder = before.columns.map(\.id) == ids ? nil : ids
        }
        frozenRows = before.frozenRows == after.frozenRows ? nil : after.frozenRows
        arrangementChange = Change(before.arrangement, after.arrangement)
        layout = before.layout == after.layout ? nil : after.layout
        // Both views usually share the array of moved rows. Comparing arrays with the same storage takes O(1).
        movedRows = before.movedRows == after.movedRows ? nil : after.movedRows
        changedMarks = before.marks == after.marks ? [] : before.marks.symmetricDifference(after.marks)
    }

    /// The memory that the patch needs, as a number of columns and IDs. Ranges of moved rows and marks are smaller: 16 of them count as one
    /// column.
    var size: Int { columnEntryCount + ((movedRows?.count ?? 0) + changedMarks.count + 15) / 16 }

    /// The number of columns and column IDs that the patch stores.
    private var columnEntryCount: Int { columns.count * 2 + addedColumns.count + removedColumns.count + (columnOrder?.count ?? 0) }

    /// True if columns or their order differ.
    var changesColumns: Bool { columnEntryCount > 0 }

    /// True if only the arrangement differs. Moves of rows may differ, too, because a new arrangement discards them.
    var isArrangementOnly: Bool { !changesColumns && frozenRows == nil && layout == nil && changedMarks.isEmpty }

    /// True if only the marks of rows differ. A saved view does not contain marks, so such a change needs no saving.
    var isMarksOnly: Bool {
        !changesColumns && frozenRows == nil && arrangementChange == nil && layout == nil && movedRows == nil && !changedMarks.isEmpty
    }

    /// True if both views show the same rows in the same order.
    var keepsRows: Bool { arrangementChange == nil && movedRows == nil }

    mutating func renumberMarks(_ newID: (RowID) -> RowID?) { changedMarks = Set(changedMarks.compactMap(newID)) }

    /// Adds differences of columns that were found later. They change the second view or, if `isUndoing` is true, the first view.
    mutating func add(_ patches: [ColumnPatch], isUndoing: Bool) {
        for patch in patches {
            let index = columns.firstIndex { $0.before.id == patch.before.id }
            let earlier = index.map { columns.remove(at: $0) }
            columns.append(
                isUndoing
                    ? ColumnPatch(before: patch.after, after: earlier?.after ?? patch.before)
                    : ColumnPatch(before: earlier?.before ?? patch.before, after: patch.after))
        }
    }

    /// Applies the differences to the columns of a view. Columns that are not part of the patch move to the end. O(columns · log columns).
    func applied(to all: [Column]) -> [Column] {
        var result = all.filter { !removedColumns.contains($0.id) }
        let present = Set(result.map(\.id))
        result += addedColumns.filter { !present.contains($0.id) }
        let patches = Dictionary(uniqueKeysWithValues: columns.map { ($0.before.id, $0) })
        for index in result.indices { patches[result[index].id]?.apply(to: &result[index]) }
        guard let columnOrder else { return result }
        let ranks = Dictionary(uniqueKeysWithValues: columnOrder.enumerated().map { ($1, $0) })
        return result.enumerated().sorted { (ranks[$0.element.id] ?? .max, $0.offset) < (ranks[$1.element.id] ?? .max, $1.offset) }
            .map(\.element)
    }
}

/// The differences between two states of a column.
struct ColumnPatch: Equatable {
    let before: Column
    let after: Column

    /// True if the states read the values in different ways, such as with another type.
    var changesType: Bool {
        before.kind != after.kind || before.notation != after.notation || before.dateNotation != after.dateNotation
    }

    /// True if only one of the states shows thousands separators.
    var changesDigitGroups: Bool { before.format.groupsThousands != after.format.groupsThousands }

    /// Changes a column to the second state. Properties that are equal in both states are kept.
    func apply(to column: inout Column) {
        func set<Value: Equatable>(_ property: WritableKeyPath<Column, Value>) {
            if before[keyPath: property] != after[keyPath: property] { column[keyPath: property] = after[keyPath: property] }
        }
        set(\.title)
        set(\.kind)
        set(\.notation)
        set(\.dateNotation)
        set(\.hasAmbiguousDates)
        set(\.format)
        set(\.isIdentifier)
        set(\.flagMarks)
        set(\.width)
        set(\.measuredWidth)
        set(\.isHidden)
        set(\.frozenSide)
    }
}
