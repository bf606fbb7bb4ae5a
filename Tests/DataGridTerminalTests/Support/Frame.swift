import DataGrid
import DataGridTerminal
import FieldValues
import TerminalSurface

/// A table in memory that counts requests.
@MainActor
final class RecordingSource: GridDataSource {
    var rows: [[CellContent]]
    private(set) var requests: [RowID: [ColumnID]] = [:]
    private(set) var announced: (rows: [RowID], columns: [ColumnID]) = ([], [])
    var classes: [RowID: String] = [:]
    var accessories: [RowID: Accessory] = [:]
    var corner: CellContent?
    var rowNoun = RowNoun()
    var totals: [ColumnID: CellContent] = [:]
    var cells: Int { requests.values.map(\.count).reduce(0, +) }
    private let content: ((RowID, ColumnID) -> CellContent)?

    /// Creates one row for each line, with cells separated by `|`; `·` is a missing cell, `?x` the unreadable text x.
    init(_ text: String) {
        rows = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).map { cell in
                if cell == "·" { return .missing }
                return cell.hasPrefix("?") ? CellContent(String(cell.dropFirst()), condition: .unreadable) : CellContent(String(cell))
            }
        }
        content = nil
    }

    init(_ content: @escaping (RowID, ColumnID) -> CellContent) {
        rows = []
        self.content = content
    }

    func numberOfRows(inSection section: Int) -> Int { rows.count }

    func content(row: RowID, column: ColumnID) -> CellContent {
        requests[row, default: []].append(column)
        if let content { return content(row, column) }
        let cells = rows[row.rawValue]
        return column.rawValue < cells.count ? cells[column.rawValue] : .missing
    }

    func total(column: ColumnID) -> CellContent? { totals[column] }
    func styleClass(ofRow row: RowID) -> String? { classes[row] }
    func accessory(ofRow row: RowID) -> Accessory { accessories[row] ?? .none }
    func willShow(rows: [RowID], columns: [ColumnID]) { announced = (rows, columns) }
}

/// A delegate with configurable styles.
@MainActor
final class StyleDelegate: GridDelegate {
    var rows: [RowID: CellStyle] = [:]
    var cells: [[Int]: CellStyle] = [:]
    var headers: [Int: CellStyle] = [:]
    var columns: [ColumnID: CellStyle] = [:]
    var rules: [GridRule: CellStyle] = [:]
    private(set) var requestedColumns: [ColumnID] = []
    var heights: [RowID: Int] = [:]

    func style(ofRow row: RowID) -> CellStyle? { rows[row] }
    func style(ofRule rule: GridRule) -> CellStyle? { rules[rule] }
    func style(ofColumn column: ColumnID) -> CellStyle? {
        requestedColumns.append(column)
        return columns[column]
    }
    func height(ofRow row: RowID) -> Int? { heights[row] }
    func headerStyle(ofSection section: Int) -> CellStyle? { headers[section] }
    func style(ofRow row: RowID, column: ColumnID) -> CellStyle? { cells[[row.rawValue, column.rawValue]] }
}

/// Columns from text: `name:width`, with an optional kind `i`, `d2`, `t` or `f` after another colon.
func columns(_ text: String) -> [Column] {
    text.split(separator: " ").enumerated().map { index, word in
        let parts = word.split(separator: ":").map(String.init)
        var column = Column(id: ColumnID(index), title: parts[0], width: .fixed(Int(parts[1])!))
        switch parts.count > 2 ? parts[2].first : nil {
        case "i": column.kind = .integer
        case "d":
            column.kind = .decimal
            column.format.alignedFractionDigits = Int(parts[2].dropFirst())!
        case "t": column.kind = .dateTime
        case "f": column.kind = .flag
        default: break
        }
        return column
    }
}

extension GridMetrics {
    /// The default dimensions with a header of three lines: names, types and a rule.
    static var threeHeaderLines: GridMetrics {
        var metrics = GridMetrics()
        metrics.headerHeight = 2
        return metrics
    }
}

/// A grid with the columns of ``columns(_:)`` in a frame, without a scroll bar. The header has three lines if the frame has room.
func grid(
    _ names: String, rows: Int, frame: (Int, Int), tree: SectionTree? = nil, theme: Theme = .dark,
    _ metrics: (inout GridMetrics) -> Void = { _ in }
) -> GridState {
    var measures = GridMetrics()
    measures.hasStickySectionHeaders = true
    measures.showsScrollBar = false
    measures.headerHeight = frame.1 < 21 ? 1 : 2
    metrics(&measures)
    var state = GridState(columns: columns(names), theme: theme, metrics: measures)
    _ = state.apply(.resize(GridSize(width: frame.0, height: frame.1)))
    _ = state.apply(.setRows(.natural(count: rows), tree: tree))
    return state
}

@MainActor
func paint(
    _ state: GridState, _ source: RecordingSource?, delegate: StyleDelegate? = nil, matching word: String? = nil
) -> CellBuffer {
    var buffer = CellBuffer(size: TerminalSize(columns: state.size.width, rows: state.size.height))
    let matches = word.map { word in { (text: String, _: ColumnID) in Array(ranges(of: word, in: text)) } }
    GridPainter(state, source: source, delegate: delegate, matches: matches).paint(on: &buffer)
    return buffer
}

private func ranges(of word: String, in text: String) -> [Range<String.Index>] {
    var found: [Range<String.Index>] = []
    var index = text.startIndex
    while index < text.endIndex {
        if text[index...].hasPrefix(word) {
            found.append(index..<text.index(index, offsetBy: word.count))
        }
        index = text.index(after: index)
    }
    return found
}

extension GridState {
    func after(_ actions: GridAction...) -> GridState {
        var state = self
        for action in actions { _ = state.apply(action) }
        return state
    }
}

extension CellBuffer {
    /// The text of the buffer, one string per line.
    var text: String { lines().joined(separator: "\n") }
}
