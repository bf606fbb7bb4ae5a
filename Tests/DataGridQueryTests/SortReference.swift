import FieldValues
import GridTestSupport
import Tables

@testable import DataGridQuery

/// A simple reference implementation of sorting.
struct SortReference {
    let table: MemoryTable

    func sorted(by keys: [ResolvedSortKey], within records: [UInt32]? = nil) -> [UInt32] {
        var order = records ?? (0..<UInt32(table.recordCount)).map { $0 }
        for key in keys.reversed() {
            let ranks = order.map { rank(of: field(Int($0), key.column), key) }
            // The standard library's sort is stable, but does not guarantee it.
            order = order.indices.sorted { a, b in
                let comparison = compare(ranks[a], ranks[b])
                return comparison == 0 ? a < b : comparison < 0
            }.map { order[$0] }
        }
        return order
    }

    private enum Value { case none, whole(Int64), number(WrittenNumber), bytes([UInt8]), natural(String, NaturalOrder.Alphabet) }
    private struct Rank {
        var group: Int
        var value: Value
        var isDescending: Bool
    }

    private func field(_ record: Int, _ column: Int) -> String? {
        column < table.rows[record].count ? table.rows[record][column] : nil
    }

    private func rank(of text: String?, _ key: ResolvedSortKey) -> Rank {
        guard let text else { return Rank(group: 4, value: .none, isDescending: false) }
        return FieldBytes.withBytes(of: text) { field in
            if field.isBlank { return Rank(group: 3, value: .none, isDescending: false) }
            var value: Value?
            switch key.ordering {
            case .number:
                if let number = field.decimal() {
                    if number.isNaN { return Rank(group: 1, value: .none, isDescending: false) }
                    value = .number(WrittenNumber(text))
                }
            case .temporal(let kind, let notation): value = field.temporal(kind, notation).map { .whole($0) }
            case .flag: value = field.flag().map { .whole($0 ? 1 : 0) }
            case .text: value = .bytes(Array(text.utf8))
            case .natural(let alphabet): value = .natural(text, alphabet)
            }
            guard let value else { return Rank(group: 2, value: .bytes(Array(text.utf8)), isDescending: false) }
            return Rank(group: 0, value: value, isDescending: key.isDescending)
        }
    }

    private func compare(_ a: Rank, _ b: Rank) -> Int {
        if a.group != b.group { return a.group - b.group }
        let order: Int
        switch (a.value, b.value) {
        case (.whole(let x), .whole(let y)): order = x < y ? -1 : x > y ? 1 : 0
        case (.number(let x), .number(let y)): order = x < y ? -1 : x > y ? 1 : 0
        case (.bytes(let x), .bytes(let y)): order = x == y ? 0 : x.lexicographicallyPrecedes(y) ? -1 : 1
        case (.natural(let x, let alphabet), .natural(let y, _)): order = NaturalOrder.compare(x, y, alphabet)
        default: order = 0
        }
        return a.isDescending ? -order : order
    }
}
