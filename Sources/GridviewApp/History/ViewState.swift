import DataGrid

/// The settings of a sheet's view whose changes can be undone. Copies share their storage, so a copy for each key press is cheap.
struct ViewState: Equatable {
    /// All columns in order, with their titles, types, widths and frozen sides.
    var columns: [Column]
    /// The number of frozen rows.
    var frozenRows: Int
    /// The requested filters, sort keys and groups.
    var arrangement: Arrangement
    /// The presentation, row heights and grid lines.
    var layout: Layout
    /// The current row order if rows were moved by hand, as runs of positions in the order of the arrangement; empty without moves.
    var movedRows: [Range<Int>] = []
    var marks: Set<RowID> = []

    /// The layout of rows.
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
    /// The current view of the current sheet.
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

/// The difference between two views of the same sheet.
///
/// A patch contains only differences, so applying it keeps properties that were detected later, such as types and widths.
struct ViewPatch: Equatable {
    /// The columns that exist in both views and differ.
    private(set) var columns: [ColumnPatch]
    /// The columns that exist only in the second view.
    let added: [Column]
    /// The columns that exist only in the first view.
    let removed: Set<ColumnID>
    /// The order of columns in the second view; `nil` if it is the same.
    let order: [ColumnID]?
    /// The number of frozen rows in the second view; `nil` if it is the same.
    let frozenRows: Int?
    /// The arrangements in both views; `nil` if they are equal.
    let arrangements: Change<Arrangement>?
    /// The layout in the second view; `nil` if it is the same.
    let layout: ViewState.Layout?
    /// The runs of moved rows in the second view; `nil` if they are the same.
    let movedRows: [Range<Int>]?
    /// The rows that are marked in only one of the views.
    private(set) var marks: Set<RowID>

    /// A value in both views.
    struct Change<Value: Equatable>: Equatable {
        var before: Value
        var after: Value

        init?(_ before: Value, _ after: Value) {
            if before == after { return nil }
            (self.before, self.after) = (before, after)
        }
    }

    /// Creates the difference. O(columns).
    init(from before: ViewState, to after: ViewState) {
        if before.columns == after.columns {
            // Sorting and filtering keep the columns. If their storage is the same, this takes O(1).
            (columns, added, removed, order) = ([], [], [], nil)
        } else {
            let old = Dictionary(uniqueKeysWithValues: before.columns.map { ($0.id, $0) })
            columns = after.columns.compactMap { column in
                old[column.id].flatMap { $0 == column ? nil : ColumnPatch(before: $0, after: column) }
            }
            added = after.columns.filter { old[$0.id] == nil }
            let ids = after.columns.map(\.id)
            removed = Set(old.keys).subtracting(ids)
            order = before.columns.map(\.id) == ids ? nil : ids
        }
        frozenRows = before.frozenRows == after.frozenRows ? nil : after.frozenRows
        arrangements = Change(before.arrangement, after.arrangement)
        layout = before.layout == after.layout ? nil : after.layout
        // Usually both views share the storage of the runs, and comparing them takes O(1).
        movedRows = before.movedRows == after.movedRows ? nil : after.movedRows
        marks = before.marks == after.marks ? [] : before.marks.symmetricDifference(after.marks)
    }

    /// The amount of stored data, in columns and IDs. A column needs as much memory as 16 runs of moved rows or marks.
    var size: Int { columnSize + ((movedRows?.count ?? 0) + marks.count + 15) / 16 }

    /// The number of stored columns and IDs.
    private var columnSize: Int { columns.count * 2 + added.count + removed.count + (order?.count ?? 0) }

    /// True if columns differ, or their order.
    var changesColumns: Bool { columnSize > 0 }

    /// True if only the arrangement differs, and possibly moves of rows, because a new arrangement discards them.
    var isArrangementOnly: Bool { !changesColumns && frozenRows == nil && layout == nil && marks.isEmpty }

    /// True if only marks differ. A saved view does not have marks.
    var isMarksOnly: Bool {
        !changesColumns && frozenRows == nil && arrangements == nil && layout == nil && movedRows == nil && !marks.isEmpty
    }

    /// True if the rows and their order are the same.
    var keepsRows: Bool { arrangements == nil && movedRows == nil }

    mutating func renumberMarks(_ newID: (RowID) -> RowID?) { marks = Set(marks.compactMap(newID)) }

    /// Adds later differences of columns to the second view, or to the first view if `isUndoing` is true.
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

    /// Applies the difference to the columns of a view. Columns that are in neither of the two views go last. O(columns · log columns).
    func applied(to all: [Column]) -> [Column] {
        var result = all.filter { !removed.contains($0.id) }
        let present = Set(result.map(\.id))
        result += added.filter { !present.contains($0.id) }
        let patches = Dictionary(uniqueKeysWithValues: columns.map { ($0.before.id, $0) })
        for index in result.indices { patches[result[index].id]?.apply(to: &result[index]) }
        guard let order else { return result }
        let ranks = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        return result.enumerated().sorted { (ranks[$0.element.id] ?? .max, $0.offset) < (ranks[$1.element.id] ?? .max, $1.offset) }
            .map(\.element)
    }
}

/// The difference between two states of a column.
struct ColumnPatch: Equatable {
    let before: Column
    let after: Column

    /// True if the values are read differently.
    var isRetyped: Bool {
        before.kind != after.kind || before.notation != after.notation || before.dateNotation != after.dateNotation
    }

    /// True if thousands are grouped in only one of the states.
    var changesDigitGroups: Bool { before.format.groupsThousands != after.format.groupsThousands }

    /// Sets the properties that differ to their values in the second state.
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
