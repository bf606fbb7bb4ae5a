import FieldValues
import GridTestSupport
import Tables

@testable import DataGridQuery

/// A simple reference implementation of sorting.
struct ReferenceSort {
    let table: MemoryTable

    func sorted(by keys: [ResolvedSortKey], within records: [UInt32]? = nil) -> [UInt32] {
        var order = records ?? (0..<UInt32(table.recordCount)).map { $0 }
        for key in keys.reversed() {
            let ranks = order.map { rank(of: field(Int($0), key.column), key) }
            order = SortRank.stableOrder(of: ranks).map { order[$0] }
        }
        return order
    }

    private func field(_ record: Int, _ column: Int) -> String? {
        column < table.rows[record].count ? table.rows[record][column] : nil
    }

    private func rank(of text: String?, _ key: ResolvedSortKey) -> SortRank {
        guard let text else { return SortRank(group: 4) }
        return FieldBytes.withBytes(of: text) { field in
            if field.isBlank { return SortRank(group: 3) }
            var value: SortRank.Value?
            switch key.ordering {
            case .number:
                if let number = field.decimal() {
                    if number.isNaN { return SortRank(group: 1) }
                    value = .number(WrittenNumber(text))
                }
            case .temporal(let kind, let notation): value = field.temporal(kind, notation).map { .whole($0) }
            case .flag: value = field.flag().map { .whole($0 ? 1 : 0) }
            case .text: value = .bytes(Array(text.utf8))
            case .natural(let alphabet): value = .natural(text, alphabet)
            }
            guard let value else { return SortRank(group: 2, .bytes(Array(text.utf8))) }
            return SortRank(group: 0, value, isDescending: key.isDescending)
        }
    }
}
