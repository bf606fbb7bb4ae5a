import FieldValues
import GridTestSupport
import Tables
import Testing

/// The requirements of a table, checked against its expected rows.
struct TableConformance {
    let source: any TableSource
    /// The expected rows; `nil` is a missing field.
    let rows: [[String?]]
    /// The columns of ``rows`` that are derived: in the table, they have numbers of derived fields.
    var derived: Range<Int> = 0..<0
    var random: SplitMix64

    /// The column number in the table for a column of ``rows``.
    private func number(_ column: Int) -> Int {
        derived.contains(column) ? FieldID.firstDerived.rawValue + column - derived.lowerBound : column
    }

    private func text(_ row: Int, _ column: Int) -> String? { rows[row].indices.contains(column) ? rows[row][column] : nil }

    private func texts(_ fields: some Sequence<FieldBytes>) -> [String?] {
        fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) }
    }

    mutating func check(_ table: any Table, steps: Int = 40) throws {
        let width = rows.map(\.count).max() ?? 0
        try #require(table.recordCount == rows.count && table.columnCount >= width - derived.count)
        try #require(table.meanRecordBytes >= 1)
        for _ in 0..<steps {
            let start = Int.random(in: 0...rows.count, using: &random)
            let range = start..<Int.random(in: start...min(rows.count, start + 70), using: &random)
            // Columns in any order, with repetitions, and an unknown one.
            let columns = (0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: 0...width, using: &random) }
            let numbers = columns.map { $0 == width ? 99_999 : number($0) }
            let expected = range.map { row in columns.map { text(row, $0) } }
            var scanned: [[String?]] = []
            var next = range.lowerBound
            try table.scan(range, columns: numbers) { record, fields in
                #expect(record == next && fields.count == columns.count)
                next += 1
                scanned.append(texts(fields))
                return true
            }
            try #require(scanned == expected)
            scanned = []
            try table.scanBatches(range, columns: numbers) { batch in
                #expect(batch.width == columns.count && batch.firstRecord == range.lowerBound + scanned.count)
                for record in 0..<batch.count { scanned.append(texts(batch.fields(of: record))) }
                return true
            }
            try #require(scanned == expected)
            try checkLines(table, range, numbers, expected)
            try checkStop(table, range, numbers)
            try checkRequired(table, range, numbers, expected)
        }
        try checkRecords(table)
        try checkTail(table)
        try #require(source.snapshot().contentID == source.snapshot().contentID)
    }

    /// Checks that lines or fields contain each row once, in order.
    private func checkLines(_ table: any Table, _ range: Range<Int>, _ columns: [Int], _ expected: [[String?]]) throws {
        var next = range.lowerBound
        try table.scanLines(range, columns: columns, delimiter: UInt8(ascii: ",")) { batch in
            #expect(batch.firstRecord == next)
            for record in 0..<batch.count {
                let line = String(decoding: batch.bytes(of: record..<record + 1), as: UTF8.self)
                #expect(line == expected[next - range.lowerBound].map { $0 ?? "" }.joined(separator: ",") + "\n")
                next += 1
            }
            return true
        } fields: { batch in
            #expect(batch.firstRecord == next)
            for record in 0..<batch.count {
                #expect(texts(batch.fields(of: record)) == expected[next - range.lowerBound])
                next += 1
            }
            return true
        }
        try #require(next == range.upperBound)
    }

    private func checkStop(_ table: any Table, _ range: Range<Int>, _ columns: [Int]) throws {
        var calls = 0
        try table.scan(range, columns: columns) { _, _ in
            calls += 1
            return calls < 3
        }
        try #require(calls == min(3, range.count))
    }

    /// Checks that no row with the required bytes is skipped. Rows without these bytes may be skipped.
    private mutating func checkRequired(_ table: any Table, _ range: Range<Int>, _ columns: [Int], _ expected: [[String?]]) throws {
        guard let needle = expected.joined().compactMap({ $0 }).filter({ !$0.isEmpty }).randomElement(using: &random) else { return }
        var required = RequiredBytes()
        for byte in needle.utf8 { required.append(byte) }
        var seen: Set<Int> = []
        try table.scan(range, columns: columns, holding: required, while: { true }) { record, fields in
            seen.insert(record)
            if !fields.isEmpty { #expect(texts(fields) == expected[record - range.lowerBound]) }
            return true
        }
        for (index, row) in expected.enumerated() where row.contains(where: { $0?.contains(needle) == true }) {
            try #require(seen.contains(range.lowerBound + index))
        }
    }

    private mutating func checkRecords(_ table: any Table) throws {
        for _ in 0..<10 where !rows.isEmpty {
            let row = Int.random(in: 0..<rows.count, using: &random)
            let limit = [0, 1, 2, 5, 4_096].randomElement(using: &random)!
            let record = try table.records(row..<row + 1, maximumFieldBytes: limit)[0]
            var lazy = try table.lazyRecord(record, number: row)
            try lazy.scan(bytes: .max) { _ in true }
            try #require(lazy.isComplete)
            for column in rows[row].indices {
                let whole = text(row, column)
                let shown = record[number(column)]
                if let whole {
                    try #require(shown.map { whole.hasPrefix($0.text) && $0.text.utf8.count <= limit } == true)
                    try #require(shown?.isTruncated == (shown?.text != whole))
                } else {
                    try #require(shown == nil)
                }
                let field = try lazy.field(number(column))
                let pieces = try field.map { field in try (0..<field.pieceCount).map { try lazy.text(of: field, piece: $0) }.joined() }
                try #require(pieces == whole)
            }
        }
        #expect(throws: (any Error).self) { try table.scan(0..<rows.count + 1, columns: [0]) { _, _ in true } }
    }

    /// Checks the last records in full.
    private func checkTail(_ table: any Table) throws {
        let tail = try source.tail(atLeast: 7)
        let count = min(7, rows.count)
        try #require(tail.records.count >= count)
        for (record, row) in zip(tail.records.suffix(count), rows.indices.suffix(count)) {
            let columns = rows[row].indices.map(number)
            try table.scan(record, columns: columns) { fields in #expect(texts(fields) == rows[row]) }
        }
    }
}
