import DataGrid
import FieldValues

/// Orders as the data source of a grid: nested sections with aggregates in their headers, and a total below. Row numbers continue from
/// section to section in the original order; ``rowOrder`` is the sorted order.
@MainActor
final class OrderBook: GridDataSource {
    /// The section headers in the order shown: a region, then each of its customers.
    private struct Heading {
        let level: Int
        let title: String
        let detail: String?
        let rows: Range<Int>
    }

    let orders: [Order]
    private let headings: [Heading]
    private(set) var rowOrder: RowOrder?

    init(_ regions: [Region]) {
        var (orders, headings): ([Order], [Heading]) = ([], [])
        for region in regions {
            let count = region.customers.reduce(0) { $0 + $1.orders.count }
            headings.append(Heading(level: 0, title: region.name, detail: nil, rows: orders.count..<orders.count + count))
            for customer in region.customers {
                let rows = orders.count..<orders.count + customer.orders.count
                headings.append(Heading(level: 1, title: customer.name, detail: customer.city, rows: rows))
                orders += customer.orders
            }
        }
        (self.orders, self.headings) = (orders, headings)
    }

    /// The columns; the raw value is the column ID.
    enum Field: Int, CaseIterable { case number, day, item, count, price, remark, amount }

    static let columns: [Column] = Field.allCases.map { field in
        func column(_ title: String, _ kind: ValueKind, _ width: WidthRule, _ slot: CardSlot?) -> Column {
            var column = Column(id: ColumnID(field.rawValue), title: title, kind: kind, width: width)
            column.cardSlot = slot
            if kind == .decimal { column.format = ValueFormat(fractionDigits: 2...2) }
            if field == .number { column.format = ValueFormat(groupsThousands: false) }
            return column
        }
        switch field {
        case .number: return column("Order", .integer, .fixed(6), .status)
        case .day: return column("Day", .date, .fixed(10), .subheadline)
        case .item: return column("Item", .text, .fixed(9), .headline)
        case .count: return column("Count", .integer, .fixed(6), nil)
        case .price: return column("Price", .decimal, .fixed(8), nil)
        case .remark:
            var remark = column("Remark", .text, .flexible, .footnote)
            remark.minimumWidth = 14
            return remark
        case .amount: return column("Amount", .decimal, .fixed(10), .substatus)
        }
    }

    // MARK: Data source

    var rowNoun: RowNoun { RowNoun("order", "orders") }

    var numberOfSections: Int { headings.count }
    func level(ofSection section: Int) -> Int { headings[section].level }
    func title(ofSection section: Int) -> String? { headings[section].title }
    func scrollingTitle(ofSection section: Int) -> String? { headings[section].detail }
    /// A region has no direct rows; its customers have the rows.
    func numberOfRows(inSection section: Int) -> Int { headings[section].level == 0 ? 0 : headings[section].rows.count }

    func aggregates(ofSection section: Int) -> [SectionAggregate] {
        let orders = orders[headings[section].rows]
        return [
            SectionAggregate(Aggregate(.sum, of: ColumnID(Field.count.rawValue)), Double(orders.reduce(0) { $0 + $1.count })),
            SectionAggregate(Aggregate(.sum, of: ColumnID(Field.amount.rawValue)), Double(orders.reduce(0) { $0 + $1.amount }) / 100),
        ]
    }

    func content(row: RowID, column: ColumnID) -> CellContent {
        let order = orders[row.rawValue]
        switch Field(rawValue: column.rawValue)! {
        case .number: return CellContent(.integer(Int64(order.number)))
        case .day: return CellContent(order.day)
        case .item: return CellContent(order.item)
        case .count: return CellContent(.integer(Int64(order.count)))
        case .price: return CellContent(.number(Double(order.price) / 100))
        case .remark: return CellContent(order.remark)
        case .amount: return CellContent(.number(Double(order.amount) / 100))
        }
    }

    func total(column: ColumnID) -> CellContent? {
        switch Field(rawValue: column.rawValue)! {
        case .count: CellContent(.integer(Int64(orders.reduce(0) { $0 + $1.count })))
        case .amount: CellContent(.number(Double(orders.reduce(0) { $0 + $1.amount }) / 100))
        default: nil
        }
    }

    // MARK: Sorting

    /// Sorts the orders of each customer; without keys, they are in their original order.
    func sort(by keys: [ColumnSort]) {
        guard !keys.isEmpty else { return rowOrder = nil }
        let sorted = headings.filter { $0.level == 1 }.flatMap { heading in
            heading.rows.sorted { a, b in
                for key in keys {
                    let order = compare(orders[a], orders[b], Field(rawValue: key.column.rawValue)!)
                    if order != 0 { return key.isDescending ? order > 0 : order < 0 }
                }
                return a < b
            }
        }
        rowOrder = .rows(sorted.map { RowID($0) })
    }

    private func compare(_ a: Order, _ b: Order, _ field: Field) -> Int {
        func compare<Value: Comparable>(_ value: (Order) -> Value) -> Int { value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0 }
        return switch field {
        case .number: compare(\.number)
        case .day: compare(\.day)
        case .item: compare(\.item)
        case .count: compare(\.count)
        case .price: compare(\.price)
        case .remark: compare(\.remark)
        case .amount: compare(\.amount)
        }
    }
}
