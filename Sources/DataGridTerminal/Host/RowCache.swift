import DataGrid
import FieldValues

/// A cache of row and cell values for the visible rows and about as many recently visible rows.
struct RowCache<RowValue, CellValue> {
    /// The cached values of a row.
    private struct Row {
        var rowValue: RowValue?
        /// Cached cells, ascending by column.
        var cells: [(column: ColumnID, cell: CellValue)] = []
        /// The index in ``cells`` of the most likely next look-up: cells are drawn from left to right.
        private var nextCellIndex = 0
        /// The last frame in which the row was visible.
        var lastFrame: Int
        /// The version of the columns that were announced to the source (``RowCache/columnsVersion``); `nil` after an invalidation.
        var announcedColumnsVersion: Int?

        init(lastFrame: Int) { self.lastFrame = lastFrame }

        /// Marks the row as visible in `frame`.
        /// - Returns: True if the row need not be announced to the source again.
        mutating func markVisible(_ columns: [ColumnID], _ columnsVersion: Int, frame: Int) -> Bool {
            defer { (lastFrame, announcedColumnsVersion) = (frame, columnsVersion) }
            return announcedColumnsVersion == columnsVersion || !cells.isEmpty && columns.allSatisfy { cell($0) != nil }
        }

        /// The cached value of a cell. O(1) from left to right, otherwise O(log cells).
        mutating func cell(_ column: ColumnID) -> CellValue? {
            let index = index(of: column)
            guard index < cells.count, cells[index].column == column else { return nil }
            nextCellIndex = index + 1
            return cells[index].cell
        }

        /// Caches the value of a cell that is not cached.
        mutating func insert(_ cell: CellValue, _ column: ColumnID, capacity: Int) {
            let index = index(of: column)
            if cells.isEmpty { cells.reserveCapacity(capacity) }
            if index == cells.count { cells.append((column, cell)) } else { cells.insert((column, cell), at: index) }
            nextCellIndex = index + 1
        }

        mutating func remove(_ column: ColumnID) {
            cells.removeAll { $0.column == column }
            announcedColumnsVersion = nil
        }

        /// The index of the first cached cell whose column is not less than `column`.
        private func index(of column: ColumnID) -> Int {
            if nextCellIndex == cells.count || nextCellIndex < cells.count && cells[nextCellIndex].column == column,
                nextCellIndex == 0 || cells[nextCellIndex - 1].column < column
            {
                return nextCellIndex
            }
            return cells.indices.partitioningIndex { cells[$0].column >= column }
        }
    }

    private var rows: [RowID: Row] = [:]
    /// Once this many rows are cached, reading an uncached row first evicts the rows that the current frame does not use.
    private static var rowsBeforeEviction: Int { 1_000 }
    private var frameNumber = 0
    /// The visible columns, and a number that changes with them.
    private var columns: [ColumnID] = []
    private var columnsVersion = 0
    /// The rows that are visible in the current frame.
    private(set) var visible: [RowID] = [] { didSet { if visible != oldValue { visibleSet = Set(visible) } } }
    private(set) var visibleSet: Set<RowID> = []

    /// The last row that was looked up. Most look-ups are in the same row as the previous one.
    private var lastLookup: (id: RowID, index: Dictionary<RowID, Row>.Index)?

    /// The number of cached rows, and the greatest number of cells in a row.
    var size: (rows: Int, columns: Int) { (rows.count, rows.values.map(\.cells.count).max() ?? 0) }

    /// Sets the visible rows and columns, and removes the least recently visible rows. The cache then has at most three times the visible
    /// rows, and in each row at most three times the visible columns.
    /// - Returns: The rows that must be announced to the source.
    mutating func beginFrame(showing visible: [RowID], columns: [ColumnID]) -> [RowID] {
        frameNumber += 1
        if columns != self.columns {
            self.columns = columns
            columnsVersion += 1
        }
        self.visible = visible
        let unknown = visible.filter {
            !rows.values[index(of: $0, lastFrame: frameNumber)].markVisible(columns, columnsVersion, frame: frameNumber)
        }
        if rows.count > 3 * visible.count {
            let hiddenRows = rows.filter { $0.value.lastFrame < frameNumber }.sorted { $0.value.lastFrame > $1.value.lastFrame }
            for (row, _) in hiddenRows.dropFirst(visible.count) { rows[row] = nil }
        }
        lastLookup = nil
        for (id, row) in rows where row.cells.count > 3 * columns.count { rows[id]!.cells.removeAll { !columns.contains($0.column) } }
        return unknown
    }

    /// The index of a row in ``rows``, valid until rows are added or removed. A row that is not cached yet is added, with `lastFrame` as
    /// the last frame in which it was visible.
    private mutating func index(of id: RowID, lastFrame: Int) -> Dictionary<RowID, Row>.Index {
        if let lastLookup, lastLookup.id == id { return lastLookup.index }
        if rows[id] == nil { rows[id] = Row(lastFrame: lastFrame) }
        let index = rows.index(forKey: id)!
        lastLookup = (id, index)
        return index
    }

    /// The value of a row. Calls `load` if the value is not cached.
    mutating func rowValue(_ id: RowID, load: () -> RowValue) -> RowValue {
        let index = index(of: id, lastFrame: frameNumber)
        // Rows can be read although they are not visible, such as the first and last row for column widths.
        rows.values[index].lastFrame = frameNumber
        if let rowValue = rows.values[index].rowValue { return rowValue }
        let rowValue = load()
        rows.values[index].rowValue = rowValue
        return rowValue
    }

    /// The value of a cell. Calls `load` if the value is not cached.
    mutating func cell(_ id: RowID, _ column: ColumnID, load: () -> CellValue) -> CellValue {
        // Limit memory here, too: several actions between two frames can measure many rows that are not visible.
        if lastLookup?.id != id, rows.count >= max(Self.rowsBeforeEviction, 3 * visible.count), rows[id] == nil {
            rows = rows.filter { $0.value.lastFrame == frameNumber }
            lastLookup = nil
        }
        let index = index(of: id, lastFrame: frameNumber - 1)
        if let cell = rows.values[index].cell(column) { return cell }
        let cell = load()
        rows.values[index].insert(cell, column, capacity: columns.count)
        return cell
    }

    mutating func removeAll() {
        lastLookup = nil
        rows.removeAll(keepingCapacity: true)
    }

    /// Removes rows; all rows if `nil`.
    mutating func remove(rows removedRows: [RowID]?) {
        guard let removedRows else { return removeAll() }
        lastLookup = nil
        for row in removedRows { rows[row] = nil }
    }

    /// Removes the value of a row, but not its cells.
    mutating func removeRowValue(_ row: RowID) {
        lastLookup = nil
        rows[row]?.rowValue = nil
    }

    /// Removes the cells of columns. O(cached rows).
    mutating func remove(columns removedColumns: [ColumnID]) {
        for row in rows.keys { for column in removedColumns { remove(row, column) } }
    }

    mutating func remove(_ row: RowID, _ column: ColumnID) {
        lastLookup = nil
        rows[row]?.remove(column)
    }

    /// Replaces the IDs of cached rows. `newID` returns `nil` for removed rows. O(cached rows).
    mutating func renumber(_ newID: (RowID) -> RowID?) {
        lastLookup = nil
        rows = rows.reduce(into: [:]) { renumbered, entry in if let row = newID(entry.key) { renumbered[row] = entry.value } }
        visible = visible.compactMap(newID)
    }
}
