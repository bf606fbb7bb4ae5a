import DataGrid
import DataGridTerminal
import Foundation
import TerminalSurface

/// The grid of orders: as a table, as cards and the other way round, with parts that stay while the rest scrolls, rows that can be moved, and
/// a view that can be kept.
@MainActor
final class Ledger: GridDelegate {
    let grid: GridController
    private let book: OrderBook
    /// Where the view is kept.
    private let file: URL
    private(set) var note = ""

    init(_ book: OrderBook, viewIn file: URL) {
        self.book = book
        self.file = file
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        metrics.showsTotals = true
        // A remark that does not fit goes on in the next line.
        metrics.hasAutomaticRowHeights = true
        metrics.maximumRowHeight = 3
        metrics.cards.width = 34
        grid = GridController(columns: OrderBook.columns, dataSource: book, metrics: metrics)
        grid.delegate = self
        grid.configure {
            $0.interaction.allowsRowReordering = true
            $0.interaction.directionalLock = .on
        }
        // Number and amount stay in sight, whatever is between them.
        grid.perform(.freeze(FrozenPanes(leading: 1, trailing: 1)))
        grid.perform(.present(.adaptive(below: 56)))
        grid.reload()
    }

    // MARK: What may be done

    /// A region's orders come one after the other: only within it rows go up and down, and numbers stand where they are.
    func permittedDragDirections(ofRow row: RowID?, column: ColumnID?) -> DragDirections? {
        column == ColumnID(OrderBook.Field.number.rawValue) && row == nil ? [] : nil
    }

    func didMove(rows: Range<Int>, to: Int) { note = "\(rows.count == 1 ? "The order is" : "\(rows.count) orders are") moved." }

    // MARK: Ways to look at it

    private static let presentations: [(GridPresentation, String)] = [
        (.adaptive(below: 56), "as the width allows"), (.table, "table"), (.transposed, "transposed"), (.cards, "cards"),
    ]

    /// How the orders are shown, in words.
    var look: String { Self.presentations.first { $0.0 == grid.state.presentation }?.1 ?? "" }

    private func showNext() {
        let index = Self.presentations.firstIndex { $0.0 == grid.state.presentation } ?? 0
        grid.perform(.present(Self.presentations[(index + 1) % Self.presentations.count].0))
    }

    private func toggleSections() {
        let sections = 0..<grid.state.numberOfSections
        grid.perform(.setAllCollapsed(sections.contains { !grid.state.isCollapsed(section: $0) }))
    }

    // MARK: The view as it was left

    private func keepView() {
        do {
            try JSONEncoder().encode(grid.state.savedView).write(to: file, options: .atomic)
            note = "The view is kept: v brings it back."
        } catch {
            note = "The view cannot be kept in \(file.path)."
        }
    }

    private func bringViewBack() {
        guard let data = try? Data(contentsOf: file), let view = try? JSONDecoder().decode(SavedView.self, from: data) else {
            note = "No view is kept yet: V keeps it."
            return
        }
        grid.perform(.restore(view))
        note = "The view is as it was."
    }

    // MARK: The screen

    func show(on application: GridApplication) {
        application.add(grid) { TerminalRect(x: 0, y: 1, width: $0.columns, height: $0.rows - 2) }
        application.drawBackground = { [weak self] in self?.drawFrame(on: &$0) }
        application.handle = { [weak self, weak application] event in
            guard case .key(let press) = event, press.modifiers.isEmpty, let self else { return false }
            switch press.key {
            case .character("t"): showNext()
            case .character("z"): toggleSections()
            case .character("V"): keepView()
            case .character("v"): bringViewBack()
            default: return false
            }
            application?.setNeedsDisplay()
            return true
        }
    }

    private func drawFrame(on buffer: inout CellBuffer) {
        let (theme, width) = (grid.state.theme, buffer.size.columns)
        let title = buffer.write("Orders", x: 1, y: 0, style: theme.title.textStyle)
        let detail = note.isEmpty ? "\(book.orders.count) · \(look)" : note
        buffer.write(detail, x: 3 + title, y: 0, width: width - title - 4, style: theme.titleDetail.textStyle, ellipsis: true)
        let keys = "t look  z fold  Alt-↑↓ move an order  V keep the view  v bring it back  q leave"
        let short = "t look  z fold  V v view  q leave"
        buffer.write(width < 84 ? short : keys, x: 1, y: buffer.size.rows - 1, width: width - 2, style: theme.hint.textStyle)
    }
}
