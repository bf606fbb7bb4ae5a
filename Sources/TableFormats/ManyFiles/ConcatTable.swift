import FieldValues
import Tables

/// A file of a ``ConcatTable`` that has been read.
struct ConcatFile: Sendable {
    /// The number of records in the table; 0 for a file that is left out.
    var count: Int
    /// Maps the columns of the file to the columns of the table; `nil` for a file that is left out.
    var map: ColumnMap?
    /// The records of a file that was only partly readable. `nil` for other files, which are opened when their records are needed.
    var partialTable: (any Table)?
}

/// The records of many files, in the order of the files.
struct ConcatTable: Table {
    /// The byte range of a record also identifies its file: the low 44 bits of a bound are the offset in the file, and the higher bits are
    /// the index of the file.
    private static let fileShift = 44

    let source: ConcatSource
    let fileFields: FileFields
    let finishedFiles: [ConcatFile]
    /// For each file in ``finishedFiles``, its first record in this table. The last element is the record count of these files.
    let starts: [Int]
    /// The records of the file that is being read, as far as they are known; `nil` if no file is being read.
    let currentTable: (any Table)?
    let currentMap: ColumnMap?
    /// The nested columns that all files with these columns declare in the same way.
    let nested: [MergedNestedColumns.Column]
    /// How the files store the numbers of each column, not counting ``fileFields``.
    let numberStorage: [NumberStorage?]
    /// True if all files that were opened are JSON or empty.
    let isJSON: Bool
    /// True if a file that was opened is JSON and not empty.
    let hasJSON: Bool
    /// True if JSON strings always count as text in all files that were opened.
    let stringsAreText: Bool
    /// True if all files that were opened are JSON. Also true if none of them is JSON, and one of them has lists, maps or text that is
    /// declared as JSON.
    let hasNestedValues: Bool
    let columnCount: Int
    let isComplete: Bool
    /// The number that identifies the source in this process.
    let serial: Int
    let meanRecordBytes: Int

    var recordCount: Int { starts[finishedFiles.count] + (currentTable?.recordCount ?? 0) }
    var contentID: Int? { isComplete ? serial << 32 : nil }
    func hasTypedStrings(inColumn column: Int) -> Bool { isJSON && stringsAreText && column >= fileFields.count }
    func numberStorage(ofColumn column: Int) -> NumberStorage? {
        let column = column - fileFields.count
        guard numberStorage.indices.contains(column) else { return nil }
        return numberStorage[column] ?? (hasJSON && !isJSON ? .knownInSomeFiles : nil)
    }
    func keyPath(ofColumn column: Int) -> [String]? {
        isJSON && column >= fileFields.count && column < columnCount ? source.keyPath(ofColumn: column) : nil
    }
    var nestedColumns: [NestedColumn] {
        nested.map { nested in
            var column = nested.column
            column.columns = column.columns.lowerBound + fileFields.count..<column.columns.upperBound + fileFields.count
            return column
        }
    }

    // MARK: Files

    /// Consecutive records of one file.
    private struct Run {
        var file: Int
        /// The file's first record, as a record number in this table.
        var base: Int
        /// The records, as record numbers within the file.
        var records: Range<Int>
        var map: ColumnMap?
    }

    /// The table of one file.
    /// - Throws: a `TableError` if the file cannot be opened again.
    private func table(_ file: Int) throws -> any Table {
        guard file < finishedFiles.count else {
            if let currentTable, file == finishedFiles.count { return currentTable }
            throw FormatError("The row is not loaded yet.")
        }
        return try finishedFiles[file].partialTable ?? source.openFiles.table(file, count: finishedFiles[file].count)
    }

    /// The index of the file that contains a record.
    private func file(ofRecord record: Int) -> Int {
        min((0..<finishedFiles.count).partitioningIndex { starts[$0 + 1] > record }, finishedFiles.count)
    }

    private func forEachRun(_ records: Range<Int>, _ body: (Run) throws -> Bool) throws {
        guard records.lowerBound >= 0, records.upperBound <= recordCount else {
            throw FormatError("The table has only \(NumberText.count(recordCount)) rows.")
        }
        var record = records.lowerBound
        var file = file(ofRecord: record)
        while record < records.upperBound {
            let end = file < finishedFiles.count ? starts[file + 1] : recordCount
            if end > record {
                let base = starts[file]
                let run = Run(
                    file: file, base: base, records: record - base..<min(end, records.upperBound) - base,
                    map: file < finishedFiles.count ? finishedFiles[file].map : currentMap)
                guard try body(run) else { return }
                record = min(end, records.upperBound)
            }
            file += 1
        }
    }

    /// The column of a file that corresponds to a column of this table; `nil` if the file does not have it. `column` is not a file field.
    private func fileColumn(for column: Int, _ map: ColumnMap) -> Int? {
        if column >= FieldID.firstNestedColumn {
            guard map.hasNestedValues, map.isJSON == isJSON else { return nil }
            return map.column(for: column - FieldID.firstNestedColumn - fileFields.count).map { FieldID.firstNestedColumn + $0 }
        }
        let index = column - FieldID.firstStoredColumn
        guard nested.indices.contains(index) else { return map.column(for: column - fileFields.count) }
        return map.nestedColumn(numbered: nested[index].number).map { FieldID.firstStoredColumn + $0 }
    }

    /// A plan to build rows of the requested columns from records of one file.
    private struct RowPlan {
        /// The columns that are read from the file.
        private(set) var readColumns: [Int] = []
        /// For each element of ``readColumns``, the index of its field in the row.
        private(set) var targets: [Int] = []
        /// The fields that are equal in all records of the file, such as its name, with their indices in the row.
        private(set) var constants: [(position: Int, field: FieldBytes)] = []
        let width: Int

        init(_ columns: [Int], of table: ConcatTable, file: Int, _ map: ColumnMap?) {
            width = columns.count
            let fileFields = table.fileFields
            for (position, column) in columns.enumerated() {
                if column < fileFields.count {
                    if column >= 0 { constants.append((position, fileFields.field(column, ofFile: file))) }
                } else if let fileColumn = map.flatMap({ table.fileColumn(for: column, $0) }) {
                    readColumns.append(fileColumn)
                    targets.append(position)
                }
            }
        }

        /// True if the fields that are read from the file are already the complete row.
        var isDirect: Bool { readColumns.count == width && width > 0 }
    }

    /// Memory for rows. The fields that are equal in all records are written only once.
    private struct Rows: ~Copyable {
        private let plan: RowPlan
        private var capacity = 0
        private var fields: UnsafeMutablePointer<FieldBytes>

        init(_ plan: RowPlan) {
            self.plan = plan
            fields = .allocate(capacity: 0)
        }

        deinit { fields.deallocate() }

        private mutating func reserve(_ count: Int) {
            guard count > capacity else { return }
            fields.deallocate()
            capacity = max(count, 1)
            fields = .allocate(capacity: max(1, capacity * plan.width))
            fields.initialize(repeating: .missing, count: max(1, capacity * plan.width))
            for record in 0..<capacity {
                for constant in plan.constants { fields[record * plan.width + constant.position] = constant.field }
            }
        }

        /// A batch of records without fields from the file: all requested fields are equal in all records.
        mutating func constants(from first: Int, count: Int) -> FieldBatch {
            reserve(count)
            return FieldBatch(firstRecord: first, count: count, width: plan.width, fields: fields)
        }

        /// Converts a batch of a file to rows of this table.
        mutating func rows(_ batch: FieldBatch, base: Int) -> FieldBatch {
            reserve(batch.count)
            // The outer loop is over columns, because there are fewer columns than rows.
            for (index, target) in plan.targets.enumerated() {
                var (from, to) = (batch.fields + index, fields + target)
                for _ in 0..<batch.count {
                    to.pointee = from.pointee
                    from += batch.width
                    to += plan.width
                }
            }
            return FieldBatch(firstRecord: base + batch.firstRecord, count: batch.count, width: plan.width, fields: fields)
        }

        /// Converts a record of a file to a row of this table.
        mutating func row(_ readFields: UnsafeBufferPointer<FieldBytes>) -> UnsafeBufferPointer<FieldBytes> {
            reserve(1)
            for (index, target) in plan.targets.enumerated() { fields[target] = readFields[index] }
            return UnsafeBufferPointer(start: fields, count: plan.width)
        }
    }

    // MARK: Scans

    func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try scanBatches(records, columns: columns) { $0.forEachRecord(body) }
    }

    func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        try forEachRun(records) { run in
            try scan(run, RowPlan(columns, of: self, file: run.file, run.map), body)
        }
    }

    /// Passes the records of a file in batches. Does not open the file if none of its fields is requested.
    /// - Returns: `false` if `body` stopped the scan.
    private func scan(_ run: Run, _ plan: RowPlan, _ body: (_ batch: FieldBatch) -> Bool) throws -> Bool {
        var continues = true
        if plan.isDirect {
            try table(run.file).scanBatches(run.records, columns: plan.readColumns) { batch in
                continues = body(
                    FieldBatch(firstRecord: run.base + batch.firstRecord, count: batch.count, width: batch.width, fields: batch.fields))
                return continues
            }
            return continues
        }
        var rows = Rows(plan)
        if plan.readColumns.isEmpty {
            var record = run.records.lowerBound
            while continues, record < run.records.upperBound {
                let count = min(1_024, run.records.upperBound - record)
                continues = body(rows.constants(from: run.base + record, count: count))
                record += count
            }
            return continues
        }
        try table(run.file).scanBatches(run.records, columns: plan.readColumns) { batch in
            continues = body(rows.rows(batch, base: run.base))
            return continues
        }
        return continues
    }

    func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while shouldContinue: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try forEachRun(records) { run in
            let plan = RowPlan(columns, of: self, file: run.file, run.map)
            if plan.constants.contains(where: { required.isContained(in: $0.field.bytes) }) || required.isEmpty {
                // Every record is passed, because a field that is equal in all records contains the required bytes.
                return try scan(run, plan) { batch in shouldContinue() && batch.forEachRecord(body) }
            }
            guard !plan.readColumns.isEmpty else { return shouldContinue() }
            var continues = true
            func continuesRun() -> Bool {
                continues = continues && shouldContinue()
                return continues
            }
            var rows = Rows(plan)
            try table(run.file).scan(run.records, columns: plan.readColumns, holding: required, while: continuesRun) { record, fields in
                continues = body(run.base + record, plan.isDirect || fields.isEmpty ? fields : rows.row(fields))
                return continues
            }
            return continues
        }
    }

    func scanLines(
        _ records: Range<Int>, columns: [Int], delimiter: UInt8?, lines: (_ batch: LineBatch) -> Bool, fields: (_ batch: FieldBatch) -> Bool
    ) throws {
        try forEachRun(records) { run in
            let plan = RowPlan(columns, of: self, file: run.file, run.map)
            guard plan.isDirect else { return try scan(run, plan, fields) }
            var continues = true
            try table(run.file).scanLines(run.records, columns: plan.readColumns, delimiter: delimiter) { batch in
                continues = lines(batch.renumbered(from: run.base + batch.firstRecord))
                return continues
            } fields: { batch in
                continues = fields(
                    FieldBatch(firstRecord: run.base + batch.firstRecord, count: batch.count, width: batch.width, fields: batch.fields))
                return continues
            }
            return continues
        }
    }

    /// Passes the titles of columns to `body`. Titles in the first file are passed as the bytes in that file, and titles of other columns
    /// as text. Does not call `body` if the first file has no titles.
    func scanHeader(columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        let firstFinished = finishedFiles.indices.first { finishedFiles[$0].map != nil }
        guard let first = firstFinished ?? (currentTable == nil ? nil : finishedFiles.count) else { return }
        let map = first < finishedFiles.count ? finishedFiles[first].map : currentMap
        let plan = RowPlan(columns, of: self, file: first, map)
        let titles = columns.map { $0 >= 0 && $0 < columnCount ? source.title(ofColumn: $0) : nil }
        try table(first).scanHeader(columns: plan.readColumns) { partFields in
            FieldBytes.withFields(of: titles) { texts in
                var fields = Array(texts)
                for (index, target) in plan.targets.enumerated() where !partFields[index].isMissing { fields[target] = partFields[index] }
                fields.withUnsafeBufferPointer(body)
            }
        }
    }

    // MARK: Frames

    func records(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record] {
        var records: [Record] = []
        try forEachRun(range) { run in
            let fileRecords = try table(run.file).records(run.records, maximumFieldBytes: maximumFieldBytes)
            for record in fileRecords {
                records.append(tableRecord(from: record, file: run.file, run.map, maximumFieldBytes: maximumFieldBytes))
            }
            return true
        }
        return records
    }

    /// Converts a record of a file to a record of this table. Its byte range then contains the number of the file.
    func tableRecord(from record: Record, file: Int, _ map: ColumnMap?, maximumFieldBytes: Int = 4_096) -> Record {
        var result = record
        var fields: [RecordField] = []
        for column in 0..<fileFields.count {
            let field = fileFields.field(column, ofFile: file)
            fields.append(field.isMissing ? .missing : RecordField(field, maximumBytes: maximumFieldBytes))
        }
        for (fileColumn, field) in record.fields.enumerated() where fileColumn < map?.columns.count ?? 0 {
            guard let column = map?.columns[fileColumn], column >= 0 else { continue }
            let position = fileFields.count + Int(column)
            while fields.count <= position { fields.append(.missing) }
            fields[position] = field
        }
        while let last = fields.last, last.isMissing, !last.isNull { fields.removeLast() }
        (result.fields, result.fieldCount) = (fields, max(fields.count, fileFields.count + record.fieldCount))
        let base = file << Self.fileShift
        let isInRange = record.byteRange.upperBound < 1 << Self.fileShift
        result.byteRange = isInRange ? base + record.byteRange.lowerBound..<base + record.byteRange.upperBound : base..<base
        return result
    }

    /// Finds the file of a record of this table, and the record in that file. This reverses
    /// ``tableRecord(from:file:_:maximumFieldBytes:)``.
    private func fileRecord(of record: Record) throws -> (file: Int, table: any Table, map: ColumnMap?, record: Record) {
        let file = record.byteRange.lowerBound >> Self.fileShift
        guard source.openFiles.files.indices.contains(file) else { throw FormatError("The row does not exist.") }
        let (table, map): (any Table, ColumnMap?)
        if file < finishedFiles.count || file == finishedFiles.count && currentTable != nil {
            table = try self.table(file)
            map = file < finishedFiles.count ? finishedFiles[file].map : currentMap
        } else {
            // The record is one of the last records of the table, in a file that has not been read yet.
            let opened = try source.openFiles.source(file)
            (table, map) = (opened.snapshot(), source.knownMap(of: opened))
        }
        var result = record
        let base = file << Self.fileShift
        result.byteRange = record.byteRange.lowerBound - base..<record.byteRange.upperBound - base
        var fields: [RecordField] = []
        for column in map?.columns ?? [] {
            fields.append((column < 0 ? nil : record[fileFields.count + Int(column)]) ?? .missing)
        }
        while fields.last?.isMissing == true { fields.removeLast() }
        result.fields = fields
        result.derivedFields = []
        result.fieldCount = max(fields.count, record.fieldCount - fileFields.count)
        return (file, table, map, result)
    }

    func scan(_ record: Record, columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        let located = try fileRecord(of: record)
        let plan = RowPlan(columns, of: self, file: located.file, located.map)
        var rows = Rows(plan)
        try located.table.scan(located.record, columns: plan.readColumns) { fields in body(plan.isDirect ? fields : rows.row(fields)) }
    }

    func lazyRecord(_ record: Record, number: Int?) throws -> any LazyRecord {
        var located = try fileRecord(of: record)
        var numberInFile: Int?
        if let number {
            guard number >= 0, number < recordCount else { throw FormatError("The table has only \(NumberText.count(recordCount)) rows.") }
            located.file = file(ofRecord: number)
            located.table = try table(located.file)
            located.map = located.file < finishedFiles.count ? finishedFiles[located.file].map : currentMap
            numberInFile = number - starts[located.file]
        }
        let constants = (0..<fileFields.count).map { column -> String? in
            let field = fileFields.field(column, ofFile: located.file)
            return field.isMissing ? nil : String(decoding: field.bytes, as: UTF8.self)
        }
        return ConcatRecord(
            base: try located.table.lazyRecord(located.record, number: numberInFile), constants: constants, map: located.map)
    }
}

/// A record of one of the files, whose long fields are read in pieces.
private struct ConcatRecord: LazyRecord {
    var base: any LazyRecord
    /// The first fields of the record, which are equal in all records of the file; `nil` for a missing field.
    let constants: [String?]
    let map: ColumnMap?

    var isComplete: Bool { base.isComplete }
    var byteLimit: Int { base.byteLimit }
    var pieceBytes: Int { base.pieceBytes }

    mutating func scan(bytes: Int, progress: (Int) -> Bool) throws { try base.scan(bytes: bytes, progress: progress) }

    func field(_ number: Int) throws -> LazyField? {
        if number < constants.count {
            guard number >= 0, let text = constants[number] else { return nil }
            return LazyField(number: number, byteRange: 0..<text.utf8.count, pieceCount: 1)
        }
        guard let fileColumn = map?.column(for: number - constants.count), var field = try base.field(fileColumn) else { return nil }
        field.number = number
        return field
    }

    func isNull(_ number: Int) -> Bool {
        guard number >= constants.count, let fileColumn = map?.column(for: number - constants.count) else { return false }
        return base.isNull(fileColumn)
    }

    func text(of field: LazyField, piece: Int) throws -> String {
        if field.number < constants.count { return field.number >= 0 ? constants[field.number] ?? "" : "" }
        guard let fileColumn = map?.column(for: field.number - constants.count) else { return "" }
        var field = field
        field.number = fileColumn
        return try base.text(of: field, piece: piece)
    }
}

extension RequiredBytes {
    /// True if a string contains the required bytes. O(text × bytes), so only for short strings.
    fileprivate func isContained(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count <= text.count else { return false }
        return (0...text.count - count).contains { start in (0..<count).allSatisfy { matches(text[start + $0], at: $0) } }
    }
}
