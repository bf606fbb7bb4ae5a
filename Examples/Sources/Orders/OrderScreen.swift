import DataGrid
import DataGridTerminal
import Foundation
import TerminalSurface

/// The grid of orders: as a table, as cards or transposed, with frozen parts, movable rows, and a view that can be saved.
@MainActor
final class OrderScreen: GridDelegate {
    let grid: GridController
    private let book: OrderBook
    /// The file of the saved view.
    private let file: URL
    /// A message about the last key or click; the next key or click clears it.
    private(set) var note = ""
    /// True if the view in the file was saved in this session.
    private var hasSaved = false

    init(_ book: OrderBook, viewIn file: URL) {
        self.book = book
        self.file = file
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        metrics.showsTotals = true
        metrics.hasStickySectionHeaders = true
        // Long remarks wrap.
        metrics.hasAutomaticRowHeights = true
        metrics.maximumRowHeight = 3
        metrics.cards.width = 34
        grid = GridController(columns: OrderBook.columns, dataSource: book, metrics: metrics)
        grid.delegate = self
        grid.interaction.allowsRowReordering = true
        grid.interaction.directionalLock = .on
        // Number and amount stay visible.
        grid.perform(.freeze(FrozenPanes(leading: 1, trailing: 1)))
        grid.perform(.setPresentation(.adaptive(below: 56)))
        grid.reload()
    }

    // MARK: Permissions

    /// The column of order numbers cannot be dragged. The grid keeps each order in its section.
    func permittedDragDirections(ofRow row: RowID?, column: ColumnID?) -> DragDirections? {
        column == ColumnID(OrderBook.Field.number.rawValue) && row == nil ? [] : nil
    }

    func didMove(rows: Range<Int>, to: Int) { note = "Moved \(rows.count == 1 ? "the order" : "\(rows.count) orders")." }

    // MARK: Presentations

    private static let presentations: [(GridPresentation, String)] = [
        (.adaptive(below: 56), "layout by width"), (.table, "as a table"), (.transposed, "transposed"), (.cards, "as cards"),
    ]

    /// The name of the current presentation.
    var layoutName: String { Self.presentations.first { $0.0 == grid.state.presentation }?.1 ?? "" }

    private func showNextPresentation() {
        let index = Self.presentations.firstIndex { $0.0 == grid.state.presentation } ?? 0
        grid.perform(.setPresentation(Self.presentations[(index + 1) % Self.presentations.count].0))
    }

    /// Narrows orders side by side on a narrow screen, so that one order is visible after the headers of its region and customer. Drops the
    /// totals, which the region headers repeat.
    private func fitOrders(to columns: Int) {
        let isNarrow = columns < 56
        var metrics = grid.metrics
        metrics.columnSpacing = isNarrow ? 1 : 2
        metrics.transposedRowWidth = isNarrow ? 10 : nil
        metrics.showsTotals = !isNarrow || grid.state.presentation != .transposed
        grid.metrics = metrics
    }

    private func toggleSections() {
        let sections = 0..<grid.state.numberOfSections
        grid.perform(.setAllCollapsed(sections.contains { !grid.state.isCollapsed(section: $0) }))
    }

    // MARK: Saved view

    private func saveView() {
        do {
            try JSONEncoder().encode(grid.state.savedView).write(to: file, options: .atomic)
            hasSaved = true
            note = "View saved. v restores it."
        } catch {
            note = "Cannot write \(file.path)."
        }
    }

    private func restoreView() {
        guard let data = try? Data(contentsOf: file), let view = try? JSONDecoder().decode(SavedView.self, from: data) else {
            note = "No saved view. V saves one."
            return
        }
        grid.perform(.restore(view))
        note = hasSaved ? "Restored the view." : "Restored an earlier view."
    }

    // MARK: Drawing

    func show(on application: GridApplication) {
        application.add(grid) { [weak self] size in
            self?.fitOrders(to: size.columns)
            return TerminalRect(x: 0, y: 1, width: size.columns, height: size.rows - 2)
        }
        application.drawBackground = { [weak self] in self?.drawFrame(on: &$0) }
        application.onEvent = { [weak self, weak application] event in
            guard let self, let application else { return false }
            switch event {
            case .key(let press):
                note = ""
                application.setNeedsDisplay()
                if [KeyPress(.up, .alt), KeyPress(.down, .alt)].contains(press), case .header = grid.state.cursor.item {
                    note = "Only orders can be moved."
                }
                guard press.modifiers.isEmpty, handle(press.key) else { return false }
                fitOrders(to: application.backend.size.columns)
                return true
            case .mouse(let mouse):
                if case .press = mouse.kind { note = "" }
                return false
            default: return false
            }
        }
    }

    /// Handles the keys that the grid does not use.
    private func handle(_ key: Key) -> Bool {
        switch key {
        case .character("t"): showNextPresentation()
        case .character("z"): toggleSections()
        case .character("V"): saveView()
        case .character("v"): restoreView()
        default: return false
        }
        return true
    }

    private func drawFrame(on buffer: inout CellBuffer) {
        let (theme, width) = (grid.state.theme, buffer.size.columns)
        let title = buffer.write("Orders", x: 1, y: 0, style: theme.title.textStyle)
        let detail = note.isEmpty ? "\(book.orders.count) orders, \(layoutName)" : note
        buffer.write(detail, x: 3 + title, y: 0, width: width - title - 4, style: theme.titleDetail.textStyle, ellipsis: true)
        let rest =
            width < 60
            ? [KeyHint("V v", "view")]
            : [KeyHint("V", "save view"), KeyHint("v", "restore view"), KeyHint("Alt-↑↓", "move order")]
        let hints = [KeyHint("q", "quit"), KeyHint("t", "layout"), KeyHint("z", "collapse")] + rest
        buffer.write(hints, y: buffer.size.rows - 1, theme: theme)
    }
}
