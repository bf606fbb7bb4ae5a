import DataGrid

/// The data source of all grids: each shows the same rows in its own way.
@MainActor
final class StockList: GridDataSource {
    enum Field: Int {
        case state, stock, trend, open, high, low, close, status, change, day

        var id: ColumnID { ColumnID(rawValue) }
    }

    private(set) var exchange = Exchange()
    private var hosts: [any GridHost] = []
    private var sortKeys: [ColumnSort] = []
    private var order: RowPermutation

    init() { order = RowPermutation(Array(0..<UInt32(exchange.stocks.count))) }

    func stock(_ row: RowID) -> Stock { exchange.stocks[row.rawValue] }

    // MARK: Columns

    /// Each column names its slot on a card. The stock has the width that the other columns leave, and prices have a tenth of the frame.
    let gridColumns: [Column] = {
        var columns = [
            column(.state, "", "", .fixed(1), .icon), column(.stock, "Stock", "Xetra", .flexible, .headline),
            column(.trend, "Trend", "", .fixed(Stock.historyLength), .detailImage), price(.open, "Open"), price(.high, "High"),
            price(.low, "Low"), price(.close, "Close"), column(.status, "Status", "now", .fixed(7), .status),
            column(.change, "Change", "today", .fixed(7), .substatus), column(.day, "Day", "", .fixed(26), .footnote),
        ]
        columns[Field.stock.rawValue].minimumWidth = 8
        (columns[Field.state.rawValue].hasGraphics, columns[Field.trend.rawValue].hasGraphics) = (true, true)
        columns[Field.close.rawValue].cardSlot = .subheadline
        columns[Field.close.rawValue].highlightsChanges = true
        columns[Field.close.rawValue].keepsChangeMarks = true
        columns[Field.change.rawValue].kind = .decimal
        columns[Field.change.rawValue].format = ValueFormat(fractionDigits: 2...2, isPercentage: true)
        for field in [Field.state, .trend, .day] { columns[field.rawValue].sortMode = .none }
        return columns
    }()

    /// - Parameter item: the text below the title in the header.
    private static func column(_ field: Field, _ title: String, _ item: String, _ width: WidthRule, _ slot: CardSlot?) -> Column {
        var column = Column(id: field.id, title: title, width: width)
        column.headerItem = CellContent(item)
        column.cardSlot = slot
        column.highlightsChanges = false
        return column
    }

    private static func price(_ field: Field, _ title: String) -> Column {
        var column = column(field, title, "EUR", .fraction(0.1), nil)
        column.kind = .decimal
        column.minimumWidth = 7
        column.format = ValueFormat(fractionDigits: 2...2)
        return column
    }

    // MARK: Content

    func attach(to host: any GridHost) {
        hosts.append(host)
        host.dataSource = self
        host.perform(.replaceColumns(gridColumns))
        host.reload()
    }

    func numberOfRows(inSection section: Int) -> Int { exchange.stocks.count }
    var rowOrder: RowOrder? { .permuted(order) }
    var rowNoun: RowNoun { RowNoun("stock", "stocks") }

    func content(row: RowID, column: ColumnID) -> CellContent {
        let stock = stock(row)
        return switch Field(rawValue: column.rawValue) {
        case .state: Self.icon(of: stock.status)
        case .stock: CellContent(stock.name)
        case .trend: CellContent(.sparkline(Sparkline(stock.history)))
        case .open: CellContent(.number(stock.open))
        case .high: CellContent(.number(stock.high))
        case .low: CellContent(.number(stock.low))
        case .close: CellContent(.number(stock.close))
        case .status: CellContent(stock.status.rawValue)
        case .change: CellContent(.number(stock.change), styleClass: stock.change < 0 ? "fall" : "rise")
        case .day: CellContent("O \(stock.open.price) L \(stock.low.price) H \(stock.high.price)")
        case nil: .missing
        }
    }

    private static func icon(of status: Stock.Status) -> CellContent {
        switch status {
        case .trading: CellContent(.icon(Icon("●", fallback: "o", name: "trading")), styleClass: "rise")
        case .auction: CellContent(.icon(Icon("◐", fallback: "c", name: "auction")))
        case .halted: CellContent(.icon(Icon("○", fallback: "-", name: "halted")), styleClass: "fall")
        }
    }

    func styleClass(ofRow row: RowID) -> String? { stock(row).status == .halted ? "halted" : stock(row).isWatched ? "watched" : nil }

    func accessory(ofRow row: RowID) -> Accessory {
        switch stock(row).status {
        case .halted: .detail
        case _ where stock(row).isWatched: .checkmark
        case .auction: .none
        case .trading: .disclosure
        }
    }

    // MARK: Changes

    /// Sorts the rows. All grids have the same order.
    func sort(by keys: [ColumnSort]) {
        guard keys != sortKeys else { return }
        sortKeys = keys
        let rows = exchange.stocks.indices.sorted { a, b in
            for key in keys {
                let (first, second) = (sortValue(a, key.column), sortValue(b, key.column))
                if first != second { return (first < second) != key.isDescending }
            }
            return a < b
        }
        order = RowPermutation(rows.map { UInt32($0) })
        for host in hosts { host.perform(.setSort(keys)) }
    }

    /// The value that orders a stock; stocks are listed by name.
    private func sortValue(_ index: Int, _ column: ColumnID) -> Double {
        let stock = exchange.stocks[index]
        return switch Field(rawValue: column.rawValue) {
        case .open: stock.open
        case .high: stock.high
        case .low: stock.low
        case .close: stock.close
        case .status: stock.status == .trading ? 0 : stock.status == .auction ? 1 : 2
        case .change: stock.change
        default: Double(index)
        }
    }

    /// Changes some prices in all grids.
    func tick() {
        let old = exchange.stocks
        let (traded, changed) = exchange.tick()
        let changes = traded.flatMap { index -> [CellChange] in
            let price = exchange.stocks[index].close
            let kind: CellChange.Kind = price > old[index].close ? .risen : price < old[index].close ? .fallen : .changed
            return [CellChange(kind, row: RowID(index), column: Field.close.id)]
                + [Field.trend, .high, .low, .change, .day].map { CellChange(.changed, row: RowID(index), column: $0.id) }
        }
        for host in hosts {
            host.reportChanges(changes)
            if let changed { host.reloadRows([RowID(changed)]) }
        }
    }

    func toggleWatched(_ row: RowID) {
        exchange.toggleWatched(row.rawValue)
        for host in hosts { host.reloadRows([row]) }
    }
}

extension Double {
    /// A price in whole cents.
    var price: String {
        let cents = Int((self * 100).rounded())
        return "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
    }
}
