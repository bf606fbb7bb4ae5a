import FieldValues
import Tables

/// Finds the records of a columnar table that match a condition.
///
/// Parts of the table whose value bounds exclude a match are not read. The conjuncts of the condition are tested in stages: a stage reads
/// its columns only for the records that passed all earlier stages. Several threads use one filter at once.
struct TypedFilter {
    /// The number of records that one thread tests at once. It is larger than ``rangeSize``, because a scan that starts within a page must
    /// decode the page from its start.
    static let rangeSize = 1 << 17
    private let table: any ColumnarTable
    private let expression: FilterExpression
    private let stages: [TypedCondition]
    private let columns: [Int]
    private let control: JobControl
    /// The minimum distance between two records at which they are read by separate scans.
    private let minimumGap: Int

    init(_ expression: FilterExpression, of table: any ColumnarTable, threads: Int, control: JobControl) {
        (self.table, self.expression, self.control) = (table, expression, control)
        minimumGap = table.isSlowToScan ? 1 << 8 : 1 << 13
        let allColumns = table.allColumns
        var stages: [[FilterExpression]] = []
        var readColumns: [Int] = []
        // Typed comparisons come first, because they are the fastest. A conjunct joins an earlier stage that reads all of its columns.
        let parts = expression.conjuncts
        for part in parts.filter(Self.isFast) + parts.filter({ !Self.isFast($0) }) {
            let new = FilterProgram(part, allColumns: allColumns).columns.filter { !readColumns.contains($0) }
            if new.isEmpty, !stages.isEmpty { stages[stages.count - 1].append(part) } else { stages.append([part]) }
            readColumns += new
        }
        if stages.isEmpty { stages = [[expression]] }
        self.stages = stages.map { TypedCondition(.all($0), allColumns: allColumns) }
        columns = readColumns
    }

    private static func isFast(_ part: FilterExpression) -> Bool {
        if case .compare(.column, _, .literal) = part { return true }
        return false
    }

    /// Adds the matching records of a range to `found`.
    func find(in range: Range<Int>, _ found: inout FoundRecords) throws {
        var run: Range<Int>?
        var matches: [Int] = []
        func findInRun() throws {
            guard let records = run else { return }
            try find(in: records, &matches)
            run = nil
        }
        for group in table.parts(of: range, columns: columns, byPage: false) where canMatch(in: group, byPage: false) {
            for page in table.parts(of: group, columns: columns, byPage: true) where canMatch(in: page, byPage: true) {
                try control.checkCancellation()
                if let last = run, last.upperBound == page.lowerBound {
                    run = last.lowerBound..<page.upperBound
                } else {
                    try findInRun()
                    run = page
                }
            }
        }
        try findInRun()
        for record in matches { found.append(record) }
    }

    private func canMatch(in part: Range<Int>, byPage: Bool) -> Bool {
        !part.isEmpty && PossibleResults.results(of: expression) { table.bounds(ofColumn: $0, in: part, byPage: byPage) }.canBeTrue
    }

    private func find(in range: Range<Int>, _ matches: inout [Int]) throws {
        var found: [Int] = []
        try stages[0].scan(table, range, control: control) {
            found.append($0)
            return true
        }
        for stage in stages.dropFirst() where !found.isEmpty { found = try filter(found, by: stage) }
        matches += found
    }

    /// Tests some records, which must be ascending, and adds the matching ones to `found`.
    func find(_ records: [Int], _ found: inout FoundRecords) throws {
        var remaining = records
        for stage in stages where !remaining.isEmpty { remaining = try filter(remaining, by: stage) }
        for record in remaining { found.append(record) }
    }

    /// Tests some records, which must be ascending, and returns the ones that pass a stage.
    private func filter(_ records: [Int], by stage: TypedCondition) throws -> [Int] {
        var matches: [Int] = []
        var start = 0
        while start < records.count {
            var end = start + 1
            while end < records.count, records[end] - records[end - 1] < minimumGap { end += 1 }
            var next = start
            try stage.scan(table, records[start]..<records[end - 1] + 1, control: control) { list, first, count in
                var rows = 0
                while next < end, records[next] < first + count {
                    list[rows] = UInt32(truncatingIfNeeded: records[next] - first)
                    rows += 1
                    next += 1
                }
                return TypedCondition.Rows(list: UnsafePointer(list), count: rows)
            } found: {
                matches.append($0)
                return true
            }
            start = end
        }
        return matches
    }
}
