import DataGrid
import FieldValues
import Tables

/// Finds columns by the names in an option.
///
/// For a few names, the titles of all columns are compared with each name. For more names, the titles are put into dictionaries first.
/// Otherwise, 10,000 names in a table of 10,000 columns would take 100 million comparisons. The dictionaries are not made for a few names,
/// because a table can have millions of columns.
final class ColumnNames {
    /// How titles are compared with a name.
    private struct Comparison: Hashable {
        var ignoresCase, ignoresOuterSpace: Bool

        func key(_ title: String) -> String {
            let title = ignoresOuterSpace ? String(title.trimmed) : title
            return ignoresCase ? title.lowercased() : title
        }
    }

    /// The maximum number of names that are compared without dictionaries.
    static let scanLimit = 8

    private let usesDictionaries: Bool
    private var indices: [Comparison: [String: [Int]]] = [:]
    private var indicesOfNumbers: [Int: Int]?

    /// - Parameter count: the number of names to find. While these names are looked up, the titles and the order of the columns must not
    ///   change.
    init(count: Int = 1) { usesDictionaries = count > Self.scanLimit }

    /// The indices of the columns with exactly this name. If no column has it, the comparison ignores case.
    func indices(named name: String, ignoringOuterSpace: Bool = false, in columns: [Column]) -> [Int] {
        guard usesDictionaries else {
            return Schema.indices(named: name, in: columns) { ignoringOuterSpace ? String($0.title.trimmed) : $0.title }
        }
        func find(_ name: String, ignoringCase: Bool) -> [Int]? {
            let comparison = Comparison(ignoresCase: ignoringCase, ignoresOuterSpace: ignoringOuterSpace)
            if indices[comparison] == nil {
                indices[comparison] = Dictionary(grouping: columns.indices) { comparison.key(columns[$0].title) }
            }
            return indices[comparison]?[name]
        }
        return find(name, ignoringCase: false) ?? find(name.lowercased(), ignoringCase: true) ?? []
    }

    /// The index of the column with this number, counted from 0.
    func index(numbered number: Int, in columns: [Column]) -> Int? {
        // Usually, no column was moved.
        if columns.indices.contains(number), columns[number].id.rawValue == number { return number }
        guard usesDictionaries else { return columns.firstIndex { $0.id.rawValue == number } }
        let all = indicesOfNumbers ?? Dictionary(columns.enumerated().map { ($1.id.rawValue, $0) }) { first, _ in first }
        indicesOfNumbers = all
        return all[number]
    }
}
