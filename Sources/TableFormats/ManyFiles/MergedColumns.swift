import FieldValues
import Tables

/// The columns of a table of several files, in order of first appearance. Columns of different files are one column if they have the same
/// title or, in files without titles, the same position.
struct MergedColumns: Sendable {
    /// Identifies a column of the table: columns of several files with the same key are one column.
    private enum Key: Hashable {
        /// The title, and the number of earlier columns of the same file with this title. Titles are case-sensitive.
        case title(String, Int)
        case position(Int)
    }

    /// The content of a ``ColumnMap``, to find equal maps.
    private struct MapContent: Hashable {
        var columns, nested: [Int32]
        var isJSON, hasNestedValues: Bool
    }

    /// The maximum number of columns.
    static let maximumCount = 1 << 20

    /// The titles of the columns.
    private(set) var titles: [String] = []
    /// How the files store the numbers of each column; `nil` if the files differ, or if this is unknown.
    private(set) var numberStorage: [NumberStorage?] = []
    /// For each column, the keys that lead to its values in JSON. `nil` for columns of files that are not JSON, and for columns with
    /// different keys in different files.
    private(set) var keyPaths: [[String]?] = []
    /// True if a column is left out because of ``maximumCount``.
    private(set) var isFull = false
    private var indices: [Key: Int] = [:]
    private var maps: [MapContent: ColumnMap] = [:]
    private var mergedNested = MergedNestedColumns()
    /// The number of columns of the first file with columns, or 0 if that file has no titles; `nil` until a file with columns is added.
    ///
    /// These are the first columns of the table. Columns of files without titles are merged with them by position.
    private var firstTitledCount: Int?
    /// The number of columns of the first file with columns.
    private(set) var firstCount = 0

    var count: Int { titles.count }

    /// The nested columns that all files with these columns declare with the same name and type.
    var nested: [MergedNestedColumns.Column] { mergedNested.columns }

    /// True if a column has this title.
    func contains(title: String) -> Bool { indices[.title(title, 0)] != nil }

    /// The column map of a file. Columns that are not in the table yet are added if `addsColumns` is true, otherwise left out.
    /// - Parameter map: the previous map of the same file, which covers its first columns; `nil` for a new file.
    mutating func columnMap(of source: any TableSource, extending map: ColumnMap?, addsColumns: Bool = true) -> ColumnMap {
        let count = source.columnCount
        if let map, map.columns.count >= count { return map }
        let hasColumnNames = source.hasColumnNames
        if firstTitledCount == nil, addsColumns, count > 0 { (firstTitledCount, firstCount) = (hasColumnNames ? count : 0, count) }
        let firstNewColumn = titles.count
        var columns = map?.columns ?? []
        columns.reserveCapacity(count)
        let table = source.snapshot()
        let isJSON = map?.isJSON ?? table.isJSON
        let hasNestedValues = map?.hasNestedValues ?? table.hasNestedValues
        var seen: [String: Int] = [:]
        for column in 0..<count {
            let title = source.title(ofColumn: column)
            let number = seen[title, default: 0]
            if hasColumnNames { seen[title] = number + 1 }
            guard column >= columns.count else { continue }
            let known = titles.count
            let merged = mergedColumn(for: hasColumnNames ? .title(title, number) : .position(column), title, addsColumns: addsColumns)
            columns.append(Int32(merged))
            guard isJSON, addsColumns, merged >= 0 else { continue }
            // Different keys can have the same title, so the keys cannot be derived from the title.
            let path = table.keyPath(ofColumn: column)
            if merged == known { keyPaths[merged] = path } else if keyPaths[merged] != path { keyPaths[merged] = nil }
        }
        let nested =
            map?.nested ?? nestedColumnNumbers(table.nestedColumns, columns, firstNewColumn: firstNewColumn, addsColumns: addsColumns)
        if addsColumns {
            mergedNested.removeConflicts(with: nested, ofFileWith: columns)
            mergeNumberStorage(of: table, columns, from: map?.columns.count ?? 0, firstNewColumn: firstNewColumn)
        }
        let content = MapContent(columns: columns, nested: nested, isJSON: isJSON, hasNestedValues: hasNestedValues)
        if let cached = maps[content] { return cached }
        let new = ColumnMap(columns, nested: nested, isJSON: isJSON, hasNestedValues: hasNestedValues)
        // Files with the same columns share a map. The limit bounds the memory if all files have different columns.
        if maps.count < 1_000 { maps[content] = new }
        return new
    }

    /// For each nested column of a new file, its number in ``MergedNestedColumns``, or -1 if it is left out.
    private mutating func nestedColumnNumbers(_ nested: [NestedColumn], _ columns: [Int32], firstNewColumn: Int, addsColumns: Bool)
        -> [Int32]
    {
        guard !nested.isEmpty else { return [] }
        if addsColumns { mergedNested.add(nested, columns, firstNewColumn: firstNewColumn) }
        return mergedNested.numbers(of: nested, columns)
    }

    /// Updates ``numberStorage`` with the number storage of the columns of a file.
    /// - Parameters:
    ///   - first: the first column of the file that was not merged yet.
    ///   - firstNewColumn: the first column of the table that no other file has.
    private mutating func mergeNumberStorage(of table: some Table, _ columns: [Int32], from first: Int, firstNewColumn: Int) {
        numberStorage += Array(repeating: nil, count: titles.count - numberStorage.count)
        for (column, merged) in columns.enumerated().dropFirst(first) where merged >= 0 {
            let storage = table.numberStorage(ofColumn: column)
            numberStorage[Int(merged)] = merged >= firstNewColumn ? storage : numberStorage[Int(merged)]?.merged(with: storage)
        }
    }

    /// The index of the column for a key, or -1 if it is left out. A column that does not exist is added if `addsColumns` is true.
    private mutating func mergedColumn(for key: Key, _ title: String, addsColumns: Bool) -> Int {
        if let cached = indices[key] { return cached }
        if case .position(let position) = key, let firstTitledCount, position < firstTitledCount { return position }
        guard addsColumns else { return -1 }
        guard titles.count < Self.maximumCount else {
            isFull = true
            return -1
        }
        indices[key] = titles.count
        titles.append(title)
        keyPaths.append(nil)
        return titles.count - 1
    }
}

/// Maps the columns of one file to the columns of a table of many files.
final class ColumnMap: Sendable {
    /// For each column of the file, its column in the table, not counting ``FileFields``; -1 if it is left out.
    let columns: [Int32]
    /// For each nested column of the file, its number in ``MergedNestedColumns``; -1 if it is left out.
    let nested: [Int32]
    /// True if the file is JSON and has the additional columns that `Table/isJSON` describes.
    let isJSON: Bool
    /// True if the file has the additional columns that `Table/hasNestedValues` describes.
    let hasNestedValues: Bool
    /// For each number in ``MergedNestedColumns``, the index of the nested column in the file.
    private let nestedIndices: [Int32: Int]
    /// True if every column has the same index in the file and in the table.
    private let isIdentity: Bool
    /// The columns of the file, in the order of their columns in the table; empty if ``isIdentity`` is true.
    private let order: [Int32]

    init(_ columns: [Int32], nested: [Int32] = [], isJSON: Bool = false, hasNestedValues: Bool = false) {
        (self.columns, self.nested, self.isJSON, self.hasNestedValues) = (columns, nested, isJSON, hasNestedValues)
        nestedIndices = Dictionary(nested.enumerated().map { ($1, $0) }) { first, _ in first }
        isIdentity = columns.indices.allSatisfy { columns[$0] == $0 }
        order =
            isIdentity
            ? [] : columns.indices.map(Int32.init).filter { columns[Int($0)] >= 0 }.sorted { columns[Int($0)] < columns[Int($1)] }
    }

    /// The column in the file for a column of the table; `nil` if the file does not have it. O(log columns).
    func column(for merged: Int) -> Int? {
        guard merged >= 0 else { return nil }
        if isIdentity { return merged < columns.count ? merged : nil }
        let index = order.indices.partitioningIndex { columns[Int(order[$0])] >= merged }
        return index < order.count && columns[Int(order[index])] == merged ? Int(order[index]) : nil
    }

    /// The nested column in the file for a number in ``MergedNestedColumns``; `nil` if the file does not have it.
    func nestedColumn(numbered number: Int) -> Int? { nestedIndices[Int32(number)] }
}
