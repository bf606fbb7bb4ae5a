import FieldValues

/// The columns of a table by name and by number.
struct FilterColumns {
    private let all: [FilterColumn]
    private var exact: [String: Int] = [:]
    private var folded: [String: Int] = [:]

    init(_ columns: [FilterColumn]) {
        all = columns
        for (place, column) in columns.enumerated() {
            if exact[column.name] == nil { exact[column.name] = place }
            let name = column.name.lowercased()
            if folded[name] == nil { folded[name] = place }
        }
    }

    var count: Int { Set(all.map(\.index)).count }

    func named(_ name: String) -> FilterColumn? { (exact[name] ?? folded[name.lowercased()]).map { all[$0] } }

    /// The column of that number, from 1.
    func numbered(_ number: Int) -> FilterColumn? { all.first { $0.index == number - 1 } }

    /// What to say of a word that is no column.
    /// - Parameter isValue: whether a text may have been meant.
    func unknown(_ word: String, at place: Range<Int>, isValue: Bool = false) -> FilterError {
        let quotes = isValue ? " A text stands in single quotes: '\(word)'." : ""
        return FilterError("There is no column “\(word)”.\(near(word).map { " Did you mean “\($0)”?" } ?? quotes)", at: place)
    }

    /// What to say where a text in double quotes may have been meant as a column.
    func hint(for operand: FilterOperand) -> String {
        guard case .text(let text) = operand.kind, let near = near(text) else { return "" }
        return " Did you mean “\(near)”?"
    }

    private func near(_ word: String) -> String? { NearNames.nearest(word, all.map(\.name)) }
}
