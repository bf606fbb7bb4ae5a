import Tables

/// Decides which files belong to a table, if a pattern or a list of paths selects files of several kinds.
///
/// The files of the most frequent kind, such as `CSV`, always belong to the table. A file of another kind, such as a text file with notes,
/// belongs to it only if it has a column of the table. Otherwise its values would be in the wrong columns.
struct MainFiles {
    /// The kind of the files that always belong to the table.
    private let kind: String
    /// The titles of the first of these files that can be opened and has columns.
    private let titles: ColumnTitles
    /// The label of that file.
    private let label: String

    /// Opens the first file of the most frequent kind. Returns `nil` if all files belong to the table: all are of one kind, the user has
    /// requested a format, or no file of the most frequent kind can be read.
    init?(_ openFiles: OpenFiles, labels: [String]) {
        let kinds = openFiles.files.map { FileKind($0.path) }
        guard openFiles.opener.format == nil, let first = kinds.first, kinds.contains(where: { $0.name != first.name }) else { return nil }
        let tables = kinds.filter { $0.use == .table }
        var counts: [String: Int] = [:]
        for kind in tables.isEmpty ? kinds : tables { counts[kind.name, default: 0] += 1 }
        // The first of several equally frequent kinds is chosen.
        guard let most = counts.values.max(), let kind = kinds.first(where: { counts[$0.name] == most })?.name else { return nil }
        for file in kinds.indices.filter({ kinds[$0].name == kind }).prefix(Self.maximumOpened) {
            guard let source = try? openFiles.source(file) else { continue }
            let titles = ColumnTitles(source)
            guard !titles.isEmpty else { continue }
            (self.kind, self.titles, label) = (kind, titles, labels[file].withoutControls)
            return
        }
        return nil
    }

    /// The maximum number of files to open in search of a readable file with columns.
    private static let maximumOpened = 20

    /// The sentences that say why a file does not belong to the table; `nil` if the file belongs to the table.
    /// - Parameter columns: the columns of the files that were read before.
    func reason(toLeaveOut source: any TableSource, path: String, columns: MergedColumns) -> String? {
        guard FileKind(path).name != kind else { return nil }
        let titles = ColumnTitles(source)
        guard !titles.isEmpty, !titles.hasCommonColumn(with: self.titles), !titles.contains(where: columns.contains) else { return nil }
        return "It has no column in common with \(label). Open it alone, or use --format to read all files in one format."
    }
}

/// The error for a file that does not belong to a table of many files.
struct UnrelatedFile: TableError {
    let message: String
}

/// The column titles of a file, for the comparison of files.
struct ColumnTitles {
    private let titles: Set<String>
    private let count: Int

    init(_ source: any TableSource) {
        count = source.columnCount
        titles = source.hasColumnNames ? Set((0..<min(count, 10_000)).map { source.title(ofColumn: $0) }) : []
    }

    /// True if the file has no columns.
    var isEmpty: Bool { count == 0 }
    /// True if the file has titles or several columns.
    var isTable: Bool { !titles.isEmpty || count > 1 }

    /// True if a title satisfies a condition.
    func contains(where condition: (String) -> Bool) -> Bool { titles.contains(where: condition) }

    /// True if the files have at least half of the columns of the narrower file in common. If a file has no titles, both must have the same
    /// number of columns.
    func hasSimilarColumns(as other: ColumnTitles) -> Bool {
        if count == 0 || other.count == 0 { return true }
        if titles.isEmpty || other.titles.isEmpty { return count == other.count }
        return titles.intersection(other.titles).count * 2 >= min(titles.count, other.titles.count)
    }

    /// True if the files have a title in common. If a file has no titles, both must have the same number of columns.
    func hasCommonColumn(with other: ColumnTitles) -> Bool {
        if titles.isEmpty || other.titles.isEmpty { return count == other.count }
        return !titles.isDisjoint(with: other.titles)
    }
}
