import FieldValues
import TableFormats
import Tables

/// Reads a table with every function of `Table` and `TableSource`, and compares their results.
struct TableChecker {
    let source: any TableSource
    let opener: FileOpener

    /// The limits keep a run short. A few bytes of a columnar file can declare millions of rows.
    private static let maximumRows = 300
    private static let maximumColumns = 40

    /// Reads the table with all of its functions.
    func run() throws {
        // Output writes the rows before a damaged place, so a read error does not end the test.
        try? source.readAll(threads: 1) { _ in true }
        let table = source.snapshot()
        let columns = Array(table.allColumns.prefix(Self.maximumColumns))
        require(table.recordCount >= 0 && table.columnCount >= 0 && table.meanRecordBytes >= 1, "counts are not negative")
        readDescription(columns)
        let count = table.recordCount
        try read(table, 0..<min(count, Self.maximumRows), columns)
        if count > Self.maximumRows {
            try read(table, max(Self.maximumRows, count - 50)..<count, columns)
            try read(table, count / 2..<min(count, count / 2 + 10), Array(columns.reversed()))
        }
        try table.scanHeader(columns: columns) { require($0.count == columns.count, "a header has all columns") }
        try readRecords(table)
        if let tail = try? source.tail(atLeast: 5) {
            for record in tail.records { try table.scan(record, columns: columns) { _ = checksum($0) } }
        }
        _ = try? source.lineCount(beforeRecord: 3)
        _ = source.problems
        if let sample = try opener.sample(of: source) {
            _ = try? checksum(sample.snapshot(), 0..<min(20, sample.snapshot().recordCount), [0])
        }
    }

    private func readDescription(_ columns: [Int]) {
        for column in columns { _ = source.title(ofColumn: column) }
        require(source.profiles(budgetMilliseconds: 1).count == source.columnCount, "each column has a profile")
        _ = (source.details, source.suggestions, source.conversions, source.omission, source.mayContainInvalidText, source.hasColumnNames)
    }

    /// Reads rows in three ways, which must agree.
    private func read(_ table: any Table, _ rows: Range<Int>, _ columns: [Int]) throws {
        let scanned = try checksum(table, rows, columns)
        var next = rows.lowerBound
        var batched: UInt64 = 0
        try table.scanBatches(rows, columns: columns) { batch in
            require(batch.firstRecord == next && batch.width == columns.count, "batches are in order")
            for record in 0..<batch.count { batched = batched &* 31 &+ checksum(batch.fields(of: record)) }
            next += batch.count
            return true
        }
        require(next == rows.upperBound && batched == scanned, "a batch has the same rows")
        next = rows.lowerBound
        try table.scanLines(rows, columns: columns, delimiter: UInt8(ascii: ",")) { batch in
            require(batch.firstRecord == next, "lines are in order")
            for record in 0..<batch.count { require(batch.bytes(of: record..<record + 1).last == UInt8(ascii: "\n"), "a line ends") }
            next += batch.count
            return true
        } fields: { batch in
            require(batch.firstRecord == next, "batches are in order")
            next += batch.count
            return true
        }
        require(next == rows.upperBound, "lines have all rows")
        var required = RequiredBytes()
        required.append(UInt8(ascii: "a"))
        try table.scan(rows, columns: columns, holding: required, while: { true }) { record, fields in
            require(rows.contains(record) && (fields.isEmpty || fields.count == columns.count), "a search returns rows of the range")
            return true
        }
    }

    private func readRecords(_ table: any Table) throws {
        let count = min(table.recordCount, 5)
        let records = try table.records(0..<count, maximumFieldBytes: 30)
        require(records.count == count, "each row is a record")
        for (number, record) in records.enumerated() {
            var lazy = try table.lazyRecord(record, number: number)
            try lazy.scan(bytes: 64 << 10) { _ in true }
            for column in 0..<min(table.columnCount, 5) {
                guard let field = try lazy.field(column) else { continue }
                for piece in 0..<min(field.pieceCount, 3) { _ = try lazy.text(of: field, piece: piece) }
            }
        }
    }

    private func checksum(_ table: any Table, _ rows: Range<Int>, _ columns: [Int]) throws -> UInt64 {
        var next = rows.lowerBound
        var sum: UInt64 = 0
        try table.scan(rows, columns: columns) { record, fields in
            require(record == next && fields.count == columns.count, "rows are in order")
            next += 1
            sum = sum &* 31 &+ checksum(fields)
            return true
        }
        require(next == rows.upperBound, "a scan has all rows")
        return sum
    }

    /// A sum of the first 4,096 bytes of each field, so that the address sanitizer checks them.
    private func checksum(_ fields: UnsafeBufferPointer<FieldBytes>) -> UInt64 {
        var sum: UInt64 = 0
        for field in fields {
            guard !field.isMissing else {
                sum = sum &* 31 &+ 257
                continue
            }
            for byte in field.bytes.prefix(4_096) { sum = sum &* 31 &+ UInt64(byte) }
            sum = sum &* 31 &+ UInt64(field.count) &+ 256
        }
        return sum
    }
}
