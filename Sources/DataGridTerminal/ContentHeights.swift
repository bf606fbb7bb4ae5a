public import DataGrid

/// How high rows are: what the delegate says of them or, where that says nothing, what their wrapped cells in sight need.
///
/// Remembers what it found for the rows of some screens. Grids that have it lay themselves out on the main actor, as their source is
/// asked there.
@MainActor
public final class ContentHeights: RowHeightSource {
    private weak var source: (any GridDataSource)?
    private weak var delegate: (any GridDelegate)?
    private var known: [RowID: Int] = [:]
    /// What the known heights were found for.
    private var columns: [WrapColumn] = []
    private var limit = 0
    private let capacity = 4_096
    /// What the source has answered since the last frame, so that the next one need not ask it again.
    private var answers: [Cell: CellContent] = [:]

    private struct Cell: Hashable {
        var row: RowID
        var column: ColumnID
    }

    /// For the content that `source` has now; when that changes, make another one.
    public init(_ source: (any GridDataSource)?, delegate: (any GridDelegate)? = nil) {
        self.source = source
        self.delegate = delegate
    }

    /// What the delegate says of a row.
    nonisolated public func height(ofRow row: RowID) -> Int? { MainActor.assumeIsolated { delegate?.height(ofRow: row) } }

    /// What the delegate says of a section's header.
    nonisolated public func height(ofSection section: Int) -> Int? { MainActor.assumeIsolated { delegate?.height(ofSection: section) } }

    /// The lines of a row. O(1) for rows that were in sight lately, otherwise O(their text, as far as it goes into `limit` lines).
    nonisolated public func lines(ofRow row: RowID, wrapping columns: [WrapColumn], limit: Int) -> Int {
        MainActor.assumeIsolated { height(of: row, columns, limit) }
    }

    private func height(of row: RowID, _ columns: [WrapColumn], _ limit: Int) -> Int {
        if columns != self.columns || limit != self.limit || known.count >= capacity {
            known.removeAll(keepingCapacity: true)
            self.columns = columns
            self.limit = limit
        }
        if let lines = known[row] { return lines }
        let lines = delegate?.height(ofRow: row) ?? contentHeight(of: row)
        known[row] = lines
        return lines
    }

    private func contentHeight(of row: RowID) -> Int {
        columns.reduce(1) { most, column in
            guard most < limit, let content = source?.content(row: row, column: column.id) else { return most }
            if answers.count < capacity { answers[Cell(row: row, column: column.id)] = content }
            guard content.isText else { return most }
            return max(most, TextWrap.lines(content.text, width: column.width, limit: limit).count)
        }
    }

    /// What `source` has answered about a cell while it was measured for the frame that is being painted; `nil` when it was not asked.
    func answer(of source: (any GridDataSource)?, _ row: RowID, _ column: ColumnID) -> CellContent? {
        source === self.source ? answers[Cell(row: row, column: column)] : nil
    }

    /// A frame has been painted: the next one asks for what has changed since.
    func endFrame() { answers.removeAll(keepingCapacity: true) }
}
