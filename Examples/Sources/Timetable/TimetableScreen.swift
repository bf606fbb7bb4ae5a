import DataGrid
import DataGridTerminal
import TerminalSurface

/// The grid of lessons: its content, the sizes of its cells, and its keys.
@MainActor
final class TimetableScreen: GridDataSource, GridDelegate {
    let school: School
    let grid: GridController
    /// True if each column is as wide as its widest cell, and each row as high as its highest. Otherwise all cells have ``cellSize``.
    private(set) var fitsContent = true
    /// True if ``minimumSize`` and ``maximumSize`` limit the sizes from content.
    private(set) var hasLimits = true

    /// The size of all cells that are not fitted: larger than ``maximumSize``, which does not apply to it.
    static let cellSize = GridSize(width: 22, height: 5)
    static let minimumSize = GridSize(width: 12, height: 2)
    static let maximumSize = GridSize(width: 18, height: 4)

    init(_ school: School) {
        self.school = school
        var metrics = GridMetrics()
        // The header shows the class and the number of pupils, above a rule.
        metrics.headerHeight = 2
        metrics.fitsRowHeader = true
        metrics.gridLines = .both
        metrics.hasAutomaticRowHeights = true
        metrics.hasDelegatedRowHeights = true
        let columns = school.classes.enumerated().map { index, name in
            var column = Column(id: ColumnID(index), title: name, width: .automatic, sortMode: .none)
            column.headerItem = CellContent("\(school.pupils(inClass: index)) pupils")
            return column
        }
        grid = GridController(columns: columns, metrics: metrics)
        grid.dataSource = self
        grid.delegate = self
        updateSizes()
    }

    // MARK: Content

    func numberOfRows(inSection section: Int) -> Int { school.periods.count }
    func rowHeader(_ row: RowID) -> String? { school.periods[row.rawValue] }
    var corner: CellContent? { CellContent(" Monday") }
    var rowNoun: RowNoun { RowNoun("period", "periods") }

    private func lesson(_ row: RowID, _ column: ColumnID) -> Lesson { school.lesson(period: row.rawValue, classIndex: column.rawValue) }

    /// The title of a lesson in the color of its subject, and the details below it.
    func content(row: RowID, column: ColumnID) -> CellContent {
        let lesson = lesson(row, column)
        let details = lesson.details.isEmpty ? [] : [TextRun("\n" + lesson.details)]
        return CellContent(.styled([TextRun(lesson.title, style: style(of: lesson.subject))] + details))
    }

    private func style(of subject: Lesson.Subject) -> CellStyle {
        let theme = grid.state.theme
        let color =
            switch subject {
            case .language: theme.sectionHeader.foreground
            case .science: theme.message.foreground
            case .art: theme.rise.foreground
            case .other: theme.row.foreground
            }
        return CellStyle(foreground: color, traits: .bold)
    }

    /// Breaks have the style of title details.
    func style(ofRow row: RowID) -> CellStyle? { school.breaks[row.rawValue] == nil ? nil : grid.state.theme.titleDetail }

    // MARK: Sizes

    /// The width of the widest cell.
    func width(ofColumn column: ColumnID) -> Int? {
        school.periods.indices.flatMap { lesson(RowID($0), column).text.split(separator: "\n") }.map(\.count).max()
    }

    /// A break is one line high, unless the minimum is greater. The heights of other rows follow from their wrapped text.
    func height(ofRow row: RowID) -> Int? { school.breaks[row.rawValue] == nil ? nil : 1 }

    /// Applies the rules of sizes to all columns and rows.
    private func updateSizes() {
        let none = GridMetrics()
        var metrics = grid.metrics
        metrics.minimumColumnWidth = hasLimits ? Self.minimumSize.width : none.minimumColumnWidth
        metrics.maximumColumnWidth = hasLimits ? Self.maximumSize.width : none.maximumColumnWidth
        metrics.maximumColumnFraction = hasLimits ? none.maximumColumnFraction : 1
        metrics.minimumRowHeight = hasLimits ? Self.minimumSize.height : none.minimumRowHeight
        metrics.maximumRowHeight = hasLimits ? Self.maximumSize.height : none.maximumRowHeight
        (metrics.hasAutomaticRowHeights, metrics.hasDelegatedRowHeights) = (fitsContent, fitsContent)
        metrics.rowHeight = Self.cellSize.height
        grid.metrics = metrics
        for column in grid.columns {
            grid.perform(.setWidth(column.id, fitsContent ? .automatic : .fixed(Self.cellSize.width)))
        }
        grid.reload()
    }

    // MARK: Keys

    private func handle(_ press: KeyPress) -> Bool {
        switch press {
        case KeyPress(.character("c")): grid.metrics.hasStickyColumnHeaders.toggle()
        case KeyPress(.character("r")): grid.metrics.hasStickyRowHeaders.toggle()
        case KeyPress(.character("d")):
            fitsContent.toggle()
            updateSizes()
        case KeyPress(.character("l")):
            hasLimits.toggle()
            updateSizes()
        default: return false
        }
        return true
    }

    // MARK: Drawing

    /// Shows the timetable in an application.
    func show(on application: GridApplication) {
        application.add(grid) { TerminalRect(x: 0, y: 1, width: $0.columns, height: $0.rows - 2) }
        application.drawBackground = { [weak self] in self?.drawFrame(on: &$0) }
        application.onEvent = { [weak self] event in
            switch event {
            case .key(let press): return self?.handle(press) ?? false
            case .background:
                // The colors of subjects depend on the theme.
                self?.grid.reloadRows()
                return false
            default: return false
            }
        }
        application.onStart = { [weak self] in self?.grid.reloadRows() }
    }

    /// The sizes of cells in words.
    private var sizes: String {
        func text(_ size: GridSize) -> String { "\(size.width)×\(size.height)" }
        if !fitsContent { return "all \(text(Self.cellSize))" }
        return hasLimits ? "fit \(text(Self.minimumSize))–\(text(Self.maximumSize))" : "fit, no limits"
    }

    private func drawFrame(on buffer: inout CellBuffer) {
        let (theme, width) = (grid.state.theme, buffer.size.columns)
        buffer.write("Timetable", x: 1, y: 0, style: theme.title.textStyle)
        let metrics = grid.metrics
        func headers(_ isSticky: Bool) -> String { isSticky ? "stay" : "scroll" }
        let classes = "classes \(headers(metrics.hasStickyColumnHeaders)), times \(headers(metrics.hasStickyRowHeaders))"
        buffer.write("\(sizes) · \(classes)", x: 12, y: 0, width: width - 13, style: theme.titleDetail.textStyle, ellipsis: true)
        let hints = [
            KeyHint("q", "quit"), KeyHint("c", "classes"), KeyHint("r", "times"), KeyHint("d", "sizes"), KeyHint("l", "limits"),
            KeyHint("←↑↓→", "move"),
        ]
        buffer.write(hints, y: buffer.size.rows - 1, theme: theme)
    }
}
