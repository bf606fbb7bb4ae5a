import FieldValues
import Tables

/// The structures, lists and maps of a table of several files.
///
/// A nested column is part of the table if all files that have its columns declare the same name and type. Otherwise, the table has only
/// the columns that show its values.
struct MergedNestedColumns: Sendable {
    /// A nested column of the table.
    struct Column: Sendable {
        /// The number of the nested column in the table of all files. After a nested column is removed, its number is not used again.
        let number: Int
        /// The name and type, and the columns of the table that show the values, not counting ``FileFields``.
        var column: NestedColumn
    }

    /// Identifies a nested column by its columns of the table and its name.
    private struct Key: Hashable {
        var columns: Range<Int>
        /// The name, preceded by the names of the structures around the column. Without these names, a structure and the only nested value
        /// in it would have the same key.
        var name: String

        /// - Parameters:
        ///   - nested: a nested column of a file.
        ///   - map: for each column of the file, its column in the table; -1 if it is left out.
        /// - Returns: `nil` if the columns are not adjacent in the table, or not in the same order.
        init?(_ nested: NestedColumn, _ map: [Int32]) {
            guard let first = nested.columns.first, map.indices.contains(first), nested.columns.upperBound <= map.count, map[first] >= 0,
                nested.columns.allSatisfy({ Int(map[$0]) == Int(map[first]) + $0 - first })
            else { return nil }
            (columns, name) = (Int(map[first])..<Int(map[first]) + nested.columns.count, nested.field.name)
        }
    }

    /// The nested columns, by ascending numbers. A structure comes before the nested values in it.
    private(set) var columns: [Column] = []
    private var numbers: [Key: Int] = [:]
    /// For each column of the table, the numbers of the nested columns that it shows.
    private var shownNumbers: [Int: [Int]] = [:]
    private var nextNumber = 0

    /// Adds the nested columns of a new file.
    /// - Parameters:
    ///   - map: for each column of the file, its column in the table; -1 if it is left out.
    ///   - firstNewColumn: the number of columns that the table had before this file. A new nested column is added only if it starts at
    ///     `firstNewColumn` or later. Otherwise, earlier files have its columns without declaring it.
    mutating func add(_ nested: [NestedColumn], _ map: [Int32], firstNewColumn: Int) {
        for added in nested {
            guard let key = Key(added, map) else { continue }
            if let index = index(of: added, key) {
                columns[index].column.merge(with: added)
            } else if key.columns.lowerBound >= firstNewColumn, numbers[key] == nil {
                numbers[key] = nextNumber
                for column in key.columns { shownNumbers[column, default: []].append(nextNumber) }
                let merged = NestedColumn(columns: key.columns, kinds: added.kinds, field: added.field)
                columns.append(Column(number: nextNumber, column: merged))
                nextNumber += 1
            }
        }
    }

    /// For each nested column of a file, its number in the table; -1 if the table does not have it.
    func numbers(of nested: [NestedColumn], _ map: [Int32]) -> [Int32] {
        nested.map { one in Key(one, map).flatMap { index(of: one, $0) }.map { Int32(columns[$0].number) } ?? -1 }
    }

    /// The index of the nested column with the same columns, name and type; `nil` if there is no such column.
    private func index(of nested: NestedColumn, _ key: Key) -> Int? {
        guard let number = numbers[key] else { return nil }
        let index = columns.indices.partitioningIndex { columns[$0].number >= number }
        return columns[index].column.field.type == nested.field.type ? index : nil
    }

    /// Removes the nested columns that conflict with a file: the file has some of their columns, but does not declare the nested column, or
    /// declares another type. Nested columns whose columns the file lacks are kept.
    /// - Parameters:
    ///   - map: for each column of the file, its column in the table; -1 if it is left out.
    ///   - declared: the numbers of the nested columns of the file.
    mutating func removeConflicts(with declared: [Int32], ofFileWith map: [Int32]) {
        guard !shownNumbers.isEmpty else { return }
        let declared = Set(declared.map(Int.init))
        var removed = Set<Int>()
        for column in map { removed.formUnion(shownNumbers[Int(column), default: []].filter { !declared.contains($0) }) }
        guard !removed.isEmpty else { return }
        for nested in columns where removed.contains(nested.number) {
            for column in nested.column.columns {
                shownNumbers[column]?.removeAll { removed.contains($0) }
                if shownNumbers[column]?.isEmpty == true { shownNumbers[column] = nil }
            }
        }
        columns.removeAll { removed.contains($0.number) }
        numbers = numbers.filter { !removed.contains($0.value) }
    }
}

extension NestedColumn {
    /// Adds the properties that another file declares for the same column. If the kinds differ, the kind becomes `nil`.
    fileprivate mutating func merge(with other: NestedColumn) {
        field.isOptional = field.isOptional || other.field.isOptional
        kinds = zip(kinds, other.kinds).map { $0 == $1 ? $0 : nil }
    }
}
