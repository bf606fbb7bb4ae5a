import DataGrid

/// Answers about rows and cells, for the rows in sight and about as many that were in sight lately.
struct RowCache<Head, Cell> {
    /// The answers about one row.
    private struct Row {
        var head: Head?
        /// Answers about cells, ascending by column.
        var cells: [(column: ColumnID, cell: Cell)] = []
        /// Index in ``cells`` where the next look-up is likely to succeed: cells are drawn from left to right.
        private var next = 0
        /// The last frame in which the row was in sight.
        var seen: Int
        /// The columns that were announced to the source, as ``RowCache/sight`` numbers them; `nil` after an answer was forgotten.
        var announced: Int?

        init(seen: Int) { self.seen = seen }

        /// Marks the row as in sight.
        /// - Returns: whether the source knows already that it will be asked.
        mutating func announce(_ columns: [ColumnID], _ sight: Int, frame: Int) -> Bool {
            defer { (seen, announced) = (frame, sight) }
            return announced == sight || !cells.isEmpty && columns.allSatisfy { cell($0) != nil }
        }

        /// The answer about a cell. O(1) from left to right, otherwise O(log cells).
        mutating func cell(_ column: ColumnID) -> Cell? {
            let index = index(of: column)
            guard index < cells.count, cells[index].column == column else { return nil }
            next = index + 1
            return cells[index].cell
        }

        /// Keeps an answer about a cell that has none.
        mutating func insert(_ cell: Cell, _ column: ColumnID, capacity: Int) {
            let index = index(of: column)
            if cells.isEmpty { cells.reserveCapacity(capacity) }
            if index == cells.count { cells.append((column, cell)) } else { cells.insert((column, cell), at: index) }
            next = index + 1
        }

        mutating func remove(_ column: ColumnID) {
            cells.removeAll { $0.column == column }
            announced = nil
        }

        /// The index of the first cell that is not left of `column`.
        private func index(of column: ColumnID) -> Int {
            if next == cells.count || next < cells.count && cells[next].column == column, next == 0 || cells[next - 1].column < column {
                return next
            }
            var (low, high) = (0, cells.count)
            while low < high {
                let middle = (low + high) / 2
                if cells[middle].column < column { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    private var rows: [RowID: Row] = [:]
    /// The most rows that are kept until the next frame.
    private static var mostMeasured: Int { 1_000 }
    private var frame = 0
    /// The columns in sight, and how often they have become others.
    private var columns: [ColumnID] = []
    private var sight = 0
    /// The rows in sight.
    private(set) var visible: [RowID] = []
    /// The same for many look-ups. O(rows in sight).
    var shown: Set<RowID> { Set(visible) }

    /// The row that was looked up last: its next cell mostly follows.
    private var last: (id: RowID, index: Dictionary<RowID, Row>.Index)?

    /// What is kept of rows: how many, and the most cells of one.
    var size: (rows: Int, columns: Int) { (rows.count, rows.values.map(\.cells.count).max() ?? 0) }

    /// Takes note of what is in sight, and forgets what has not been so for the longest time: never more is kept than three times as many
    /// rows, and columns, as are in sight.
    /// - Returns: the rows of which the source has to be told.
    mutating func show(_ visible: [RowID], _ columns: [ColumnID]) -> [RowID] {
        frame += 1
        if columns != self.columns {
            self.columns = columns
            sight += 1
        }
        self.visible = visible
        let unknown = visible.filter { !rows.values[index(of: $0, seen: frame)].announce(columns, sight, frame: frame) }
        if rows.count > 3 * visible.count {
            let rest = rows.filter { $0.value.seen < frame }.sorted { $0.value.seen > $1.value.seen }
            for (row, _) in rest.dropFirst(visible.count) { rows[row] = nil }
        }
        last = nil
        for (id, row) in rows where row.cells.count > 3 * columns.count { rows[id]!.cells.removeAll { !columns.contains($0.column) } }
        return unknown
    }

    /// The place of a row in ``rows``, valid until rows come or go; a new row counts as seen in frame `seen`.
    private mutating func index(of id: RowID, seen: Int) -> Dictionary<RowID, Row>.Index {
        if let last, last.id == id { return last.index }
        if rows[id] == nil { rows[id] = Row(seen: seen) }
        let index = rows.index(forKey: id)!
        last = (id, index)
        return index
    }

    /// The answer about a row. Calls `ask` only when there is none yet.
    mutating func head(_ id: RowID, ask: () -> Head) -> Head {
        let index = index(of: id, seen: frame)
        // The first and the last row are looked at out of sight, too.
        rows.values[index].seen = frame
        if let head = rows.values[index].head { return head }
        let head = ask()
        rows.values[index].head = head
        return head
    }

    /// The answer about a cell. Calls `ask` only when there is none yet.
    mutating func cell(_ id: RowID, _ column: ColumnID, ask: () -> Cell) -> Cell {
        // Rows are measured without being shown, too, where several actions come between two frames.
        if last?.id != id, rows.count >= max(Self.mostMeasured, 3 * visible.count), rows[id] == nil {
            rows = rows.filter { $0.value.seen == frame }
            last = nil
        }
        let index = index(of: id, seen: frame - 1)
        if let cell = rows.values[index].cell(column) { return cell }
        let cell = ask()
        rows.values[index].insert(cell, column, capacity: columns.count)
        return cell
    }

    /// Forgets what was said of all rows.
    mutating func removeAll() {
        last = nil
        rows.removeAll(keepingCapacity: true)
    }

    /// Forgets what was said of rows, or of all of them.
    mutating func remove(rows gone: [RowID]?) {
        guard let gone else { return removeAll() }
        last = nil
        for row in gone { rows[row] = nil }
    }

    /// Forgets what was said of the cells of a column. O(rows kept).
    mutating func remove(columns gone: [ColumnID]) {
        for row in rows.keys { for column in gone { remove(row, column) } }
    }

    /// Forgets what was said of a cell.
    mutating func remove(_ row: RowID, _ column: ColumnID) {
        last = nil
        rows[row]?.remove(column)
    }

    /// Follows rows that are called otherwise now; `nil` for those that have gone. O(rows kept).
    mutating func rename(_ name: (RowID) -> RowID?) {
        last = nil
        rows = rows.reduce(into: [:]) { renamed, entry in if let row = name(entry.key) { renamed[row] = entry.value } }
        visible = visible.compactMap(name)
    }
}
