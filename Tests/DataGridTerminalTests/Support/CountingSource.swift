import DataGrid

/// A source of sections with numbered rows. It counts requests.
@MainActor
final class CountingSource: GridDataSource {
    var sections: [(level: Int, title: String?, moving: String?, rows: Int)]
    var names: [Int]
    var calls: [String: Int] = [:]
    var cells: [[Int]] = []
    var announced: [RowID] = []
    /// The sections whose title was requested.
    var titleRequests: [Int] = []
    /// The sections whose level was requested.
    var levelRequests: [Int] = []

    init(_ rows: Int) {
        sections = [(0, nil, nil, rows)]
        names = Array(0..<rows)
    }

    private func count(_ what: String) { calls[what, default: 0] += 1 }

    /// The requests since the previous call, by kind.
    func drainRequests() -> [String: Int] {
        defer { (calls, cells, announced, titleRequests, levelRequests) = ([:], [], [], [], []) }
        return calls
    }

    var numberOfSections: Int {
        count("sections")
        return sections.count
    }
    func numberOfRows(inSection section: Int) -> Int {
        count("rows")
        return sections[section].rows
    }
    func title(ofSection section: Int) -> String? {
        titleRequests.append(section)
        return sections[section].title
    }
    func level(ofSection section: Int) -> Int {
        levelRequests.append(section)
        return sections[section].level
    }
    func scrollingTitle(ofSection section: Int) -> String? {
        if sections[section].title != nil { count("moving") }
        return sections[section].moving
    }
    func aggregates(ofSection section: Int) -> [SectionAggregate] {
        count("aggregates")
        return [SectionAggregate(Aggregate(.sum, of: 1), Double(sections[section].rows) * 10)]
    }
    func content(row: RowID, column: ColumnID) -> CellContent {
        count("cells")
        cells.append([row.rawValue, column.rawValue])
        return CellContent("\(names[row.rawValue])\(UnicodeScalar(UInt8(97 + column.rawValue)))")
    }
    func rowHeader(_ row: RowID) -> String? {
        count("row headers")
        return nil
    }
    func willShow(rows: [RowID], columns: [ColumnID]) { announced += rows }
}

@MainActor
final class CountingDelegate: GridDelegate {
    var calls: [String: Int] = [:]
    func drainRequests() -> [String: Int] {
        defer { calls = [:] }
        return calls
    }
    func style(ofRow row: RowID) -> CellStyle? {
        calls["rows", default: 0] += 1
        return nil
    }
    func style(ofRow row: RowID, column: ColumnID) -> CellStyle? {
        calls["cells", default: 0] += 1
        return nil
    }
    func headerStyle(ofSection section: Int) -> CellStyle? {
        calls["headers", default: 0] += 1
        return nil
    }
    func style(ofSection section: Int) -> CellStyle? {
        calls["sections", default: 0] += 1
        return nil
    }
    func shouldChangeSelection(from old: Selection, to new: Selection) -> Bool { false }
}
