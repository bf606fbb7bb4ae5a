import DataGrid

/// What was said of rows and cells, for those in sight and about as many that were so lately.
struct RowCache<Head, Cell> {
    private struct Row {
        var head: Head?
        var cells: [ColumnID: Cell] = [:]
        var seen: Int
        /// The columns with which the source was told of it, as ``RowCache/sight`` numbers them; `nil`: something was forgotten since.
        var announced: Int?

        /// Takes note that it is in sight.
        /// - Returns: whether the source need not be told.
        mutating func announce(_ columns: [ColumnID], _ sight: Int, frame: Int) -> Bool {
            defer { (seen, announced) = (frame, sight) }
            return announced == sight || !cells.isEmpty && columns.allSatisfy { cells[$0] != nil }
        }
    }

    private var rows: [RowID: Row] = [:]
    /// The most rows that are kept until the next frame.
    private static var mostMeasured: Int { 1_000 }
    private var frame = 0
    /// The columns in sight, and how often they have become others.
    private var columns: [ColumnID] = []
    private var sight = 0
    private(set) var visible: [RowID] = []
    /// The same for many look-ups. O(rows in sight).
    var shown: Set<RowID> { Set(visible) }

    /// The row whose cell was asked for last: mostly the next one is asked for, too.
    private var last: (row: RowID, cells: [ColumnID: Cell])?

    /// What is kept of rows: how many, and the most cells of one.
    var size: (rows: Int, columns: Int) { (rows.count, rows.values.map(\.cells.count).max() ?? 0) }

    /// Takes note of what is in sight, and forgets what has not been so for the longest time: never more is kept than three times as many
    /// rows, and columns, as are in sight.
    /// - Returns: the rows of which the source has to be told.
    mutating func show(_ visible: [RowID], _ columns: [ColumnID]) -> [RowID] {
        frame += 1
        last = nil
        if columns != self.columns {
            self.columns = columns
            sight += 1
        }
        self.visible = visible
        let unknown = visible.filter { !rows[$0, default: Row(seen: frame)].announce(columns, sight, frame: frame) }
        if rows.count > 3 * visible.count {
            let rest = rows.filter { $0.value.seen < frame }.sorted { $0.value.seen > $1.value.seen }
            for (row, _) in rest.dropFirst(visible.count) { rows[row] = nil }
        }
        for (row, kept) in rows where kept.cells.count > 3 * columns.count {
            rows[row]!.cells = kept.cells.filter { columns.contains($0.key) }
        }
        return unknown
    }

    mutating func head(_ row: RowID, ask: () -> Head) -> Head {
        if let head = rows[row]?.head {
            // The first and the last row are looked at out of sight, too.
            rows[row]?.seen = frame
            return head
        }
        let head = ask()
        rows[row, default: Row(seen: frame)].head = head
        return head
    }

    mutating func cell(_ row: RowID, _ column: ColumnID, ask: () -> Cell) -> Cell {
        if last?.row != row { last = rows[row].map { (row, $0.cells) } }
        if let cell = last?.cells[column] { return cell }
        let cell = ask()
        last = nil
        // Rows are measured without being shown, too, where several actions come between two frames.
        if rows.count >= max(Self.mostMeasured, 3 * visible.count), rows[row] == nil { rows = rows.filter { $0.value.seen == frame } }
        rows[row, default: Row(seen: frame - 1)].cells[column] = cell
        return cell
    }

    mutating func removeAll() {
        last = nil
        rows.removeAll(keepingCapacity: true)
    }

    mutating func remove(rows gone: [RowID]?) {
        guard let gone else { return removeAll() }
        last = nil
        for row in gone { rows[row] = nil }
    }

    /// Forgets what was said of the cells of a column. O(rows kept).
    mutating func remove(columns gone: [ColumnID]) {
        for row in rows.keys { for column in gone { remove(row, column) } }
    }

    mutating func remove(_ row: RowID, _ column: ColumnID) {
        last = nil
        rows[row]?.cells[column] = nil
        rows[row]?.announced = nil
    }

    /// Follows rows that are called otherwise now; `nil` for those that have gone. O(rows kept).
    mutating func rename(_ name: (RowID) -> RowID?) {
        last = nil
        rows = rows.reduce(into: [:]) { renamed, entry in if let row = name(entry.key) { renamed[row] = entry.value } }
        visible = visible.compactMap(name)
    }
}
