import CCodecs
import DelimitedText
import FieldValues
import Tables

/// SQLite databases with one table, written through libsqlite3.
struct SQLiteOutputFormat: WritableFormat {
    /// Loads the library; `nil` if it is missing.
    var library: @Sendable () -> SQLiteLibrary? = { SQLiteLibrary.system }

    var name: String { "sqlite" }
    var title: String { "SQLite" }
    var suffixes: [String] { ["sqlite", "db", "sqlite3"] }
    var storesTimesAsText: Bool { true }
    var hasExactDecimals: Bool { false }

    func columnNames(for names: [String]) -> [String] { SQLiteName.uniqueNames(names) }

    func makeWriter(
        _ columns: [WrittenColumn], rowCount: Int, table: String, to output: @escaping FileOutput
    ) throws -> any TableWriter {
        guard let library = library(), let functions = SQLiteOutputLibrary.system else {
            throw FormatError("Cannot write an SQLite database: libsqlite3 is missing. Install libsqlite3-0.")
        }
        return try SQLiteWriter(library, functions, columns, table: table, to: output)
    }
}

/// Writes a table into a database in a temporary file, and copies that file to the output at the end.
///
/// | type | declared type | stored values |
/// | --- | --- | --- |
/// | integer | `INTEGER` | integers |
/// | decimal | `INTEGER`, or `DECIMAL(digits, scale)` | integers without a scale, otherwise reals, which keep 15 digits |
/// | double | `REAL` | reals; NaN as the text `NaN`, because SQLite would store null |
/// | flag | `BOOLEAN` | 0 and 1 |
/// | date, dateTime, time | `DATE`, `TIMESTAMP`, `TIME` | strings such as `2024-01-31 12:30:00.250Z` |
/// | text, binary | `TEXT`, `BLOB` | all bytes, also NUL |
///
/// Memory: the page cache of 8 MiB.
final class SQLiteWriter: TableWriter {
    private let library: SQLiteLibrary
    private let functions: SQLiteOutputLibrary
    private let columns: [WrittenColumn]
    private let names: [String]
    private let table: String
    private let output: FileOutput
    private let file: TemporaryFile
    private var database: OpaquePointer?
    private var insertion: OpaquePointer?
    /// For each decimal column, the largest magnitude of its numbers, times `10^scale`.
    private var largestMagnitudes: [UInt64]
    /// Memory for the printed values of a row.
    private let texts: UnsafeMutablePointer<UInt8>
    private var rowCount = 0

    /// The maximum number of bytes of a printed value.
    private static let textBytes = 48
    /// The number of bytes that are copied to the output at a time.
    private static let copiedBytes = 256 << 10
    /// The largest number of 15 digits. A conversion to a double and back does not change numbers of at most 15 digits.
    private static let largestReal: UInt64 = 999_999_999_999_999

    init(
        _ library: SQLiteLibrary, _ functions: SQLiteOutputLibrary, _ columns: [WrittenColumn], table: String,
        to output: @escaping FileOutput
    ) throws {
        guard !columns.isEmpty else { throw FormatError("An SQLite table needs a column. Show at least one column.") }
        (self.library, self.functions, self.columns, self.output) = (library, functions, columns, output)
        names = SQLiteName.uniqueNames(columns.map(\.name))
        self.table = SQLiteName.validTableName(table)
        largestMagnitudes = [UInt64](repeating: 0, count: columns.count)
        file = try TemporaryFile.withName()
        texts = .allocate(capacity: columns.count * Self.textBytes)
        try open()
    }

    deinit {
        _ = library.finalize(insertion)
        _ = library.close(database)
        texts.deallocate()
    }

    // MARK: The database

    private func open() throws {
        let path = file.path ?? ""
        // Read and write, without mutexes, with extended result codes. A relative path could look like a URI.
        let status = library.open(path.hasPrefix("/") ? path : "./" + path, &database, 0x2 | 0x8000 | 0x0200_0000, nil)
        guard status == 0 else { throw failure(status) }
        let limit = min(library.limit(database, 2, -1), library.limit(database, 9, -1))
        guard columns.count <= limit else {
            throw FormatError(
                "An SQLite table has at most \(NumberText.count(Int(limit))) columns, and this one has \(NumberText.count(columns.count)). "
                    + "Show fewer columns, or write another format, such as CSV.")
        }
        // On macOS, the defensive mode is on by default. It is switched off, because it forbids writing the declared types at the end.
        _ = gv_sqlite_configure(library.configure, UnsafeMutableRawPointer(database), 1010, 0)
        for (name, value) in [("journal_mode", "off"), ("synchronous", "off"), ("locking_mode", "exclusive"), ("cache_size", "-8192")] {
            try run("pragma \(name)=\(value)")
        }
        try run("pragma mmap_size=0")
        try run("begin immediate")
        file.removeNameWhileOpen()
        try run(definition(decimals: nil))
        let placeholders = (1...columns.count).map { "?\($0)" }.joined(separator: ",")
        insertion = try prepare("insert into \(SQLiteName.quoted(table)) values (\(placeholders))")
    }

    /// The statement that creates the table.
    /// - Parameter decimals: the declared types of the decimal columns; `nil` until the last row is written, because they depend on all
    ///   values. Decimal columns then have no type, so that SQLite stores values unchanged.
    private func definition(decimals: [Int: String]?) -> String {
        let list = columns.indices.map { index in
            let type =
                switch columns[index].type {
                case .integer, .decimal(scale: 0): "INTEGER"
                case .decimal: decimals?[index] ?? ""
                case .wideDecimal, .text: "TEXT"
                case .double, .float: "REAL"
                case .flag: "BOOLEAN"
                case .date: "DATE"
                case .dateTime: "TIMESTAMP"
                case .time: "TIME"
                case .binary, .nested: "BLOB"
                }
            return SQLiteName.quoted(names[index]) + (type.isEmpty ? "" : " " + type)
        }
        return "CREATE TABLE \(SQLiteName.quoted(table)) (\(list.joined(separator: ", ")))"
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        let status = library.prepare(database, sql, -1, &statement, nil)
        guard status == 0, let statement else { throw failure(status) }
        return statement
    }

    /// Runs a statement.
    /// - Parameters:
    ///   - sql: the statement.
    ///   - text: the first parameter.
    private func run(_ sql: String, _ text: String? = nil) throws {
        let statement = try prepare(sql)
        defer { _ = library.finalize(statement) }
        var text = text ?? ""
        try text.withUTF8 { text in
            if !text.isEmpty { _ = functions.bindText(statement, 1, text.baseAddress, Int32(clamping: text.count), nil) }
            var status: Int32
            repeat { status = library.step(statement) } while status == 100
            guard status == 101 else { throw failure(status) }
        }
    }

    private func failure(_ code: Int32) -> FormatError {
        let message = library.message(database).map { String(cString: $0) } ?? "unknown error"
        switch code & 0xFF {
        case 10, 13, 14:
            return FormatError(
                "Cannot write the database to a temporary file: \(message). Set TMPDIR to a writable folder with enough space.")
        case 18:
            return FormatError(
                "Cannot write row \(NumberText.count(rowCount + 1)): SQLite cannot store values of this size. "
                    + "Write another format, such as CSV."
            )
        default: return FormatError("Cannot write the database: \(message). Write another format, such as CSV.")
        }
    }

    // MARK: Rows

    func write(_ batch: ColumnBatch) throws {
        guard batch.columns.count == columns.count else { throw FormatError.wrongBatchError }
        for (index, vector) in batch.columns.enumerated() where !columns[index].type.accepts(vector.values) {
            throw FormatError.wrongBatchError
        }
        try updateLargestMagnitudes(batch)
        for row in 0..<batch.count {
            for column in 0..<columns.count {
                let vector = batch.columns[column]
                let status =
                    if let presence = vector.presence, presence[row] == 0 { functions.bindNull(insertion, Int32(column + 1)) } else {
                        bind(vector.values, row, column)
                    }
                guard status == 0 else { throw failure(status) }
            }
            let status = library.step(insertion)
            guard status == 101 else { throw failure(status) }
            _ = library.reset(insertion)
            rowCount += 1
        }
    }

    /// Updates the largest magnitudes. Throws an error for a number that a real cannot store exactly: `WrittenTypes` must choose another
    /// type for its column.
    private func updateLargestMagnitudes(_ batch: ColumnBatch) throws {
        for (index, vector) in batch.columns.enumerated() {
            guard case .integers(let values, scale: 1...) = vector.values else { continue }
            var greatest = largestMagnitudes[index]
            for row in 0..<batch.count where vector.presence.map({ $0[row] != 0 }) ?? true {
                greatest = max(greatest, values[row].magnitude)
            }
            guard greatest <= Self.largestReal else { throw FormatError.wrongBatchError }
            largestMagnitudes[index] = greatest
        }
    }

    /// Sets a parameter of the insertion. The bytes of strings stay valid until the next row.
    @inline(__always)
    private func bind(_ values: ColumnVector.Values, _ row: Int, _ column: Int) -> Int32 {
        let parameter = Int32(column + 1)
        var text = ValueTextWriter(texts + column * Self.textBytes)
        switch values {
        case .integers(let values, scale: 0): return library.bindInteger(insertion, parameter, values[row])
        case .integers(let values, let scale):
            return functions.bindDouble(insertion, parameter, Double(values[row]) / Double(ValueTextWriter.power(scale)))
        case .doubles(let values):
            guard values[row].isNaN else { return functions.bindDouble(insertion, parameter, values[row]) }
            text.put("NaN")
        case .floats(let values):
            guard values[row].isNaN else { return functions.bindDouble(insertion, parameter, Double(values[row])) }
            text.put("NaN")
        case .flags(let values): return library.bindInteger(insertion, parameter, values[row] == 0 ? 0 : 1)
        case .dates(let values): text.putDate(values[row])
        case .dateTimes(let values, let digits, let isUTC): text.putDateTime(values[row], digits: digits, isUTC: isUTC)
        case .times(let values, let digits): text.putTime(values[row], digits: digits)
        case .texts(let values): return bind(values[row], parameter, isBinary: columns[column].type == .binary)
        case .codes(let codes, let dictionary):
            let code = Int(codes[row])
            return bind(code < dictionary.count ? dictionary[code] : .missing, parameter, isBinary: columns[column].type == .binary)
        }
        return functions.bindText(insertion, parameter, text.field.start, Int32(text.field.count), nil)
    }

    private func bind(_ field: FieldBytes, _ parameter: Int32, isBinary: Bool) -> Int32 {
        // A missing field has no address, and SQLite stores null for it.
        guard let count = Int32(exactly: field.count) else { return SQLiteFailure.tooLong }
        return isBinary
            ? functions.bindBlob(insertion, parameter, field.start, count, nil)
            : functions.bindText(insertion, parameter, field.start, count, nil)
    }

    // MARK: The end

    func finish() throws {
        _ = library.finalize(insertion)
        insertion = nil
        try declareDecimals()
        try run("commit")
        let status = library.close(database)
        database = nil
        guard status == 0 else { throw failure(status) }
        try copyFile()
    }

    /// Declares the types of the decimal columns.
    private func declareDecimals() throws {
        var types: [Int: String] = [:]
        for (index, column) in columns.enumerated() {
            guard case .decimal(let scale) = column.type, scale > 0 else { continue }
            let digits = String(largestMagnitudes[index]).utf8.count
            types[index] = "DECIMAL(\(max(digits, scale + 1)),\(scale))"
        }
        guard !types.isEmpty else { return }
        try run("pragma writable_schema=on")
        try run("update sqlite_master set sql=?1", definition(decimals: types))
        try run("pragma writable_schema=off")
    }

    private func copyFile() throws {
        guard let count = file.byteCount, count > 0 else {
            throw FormatError("Cannot read back the temporary database. Set TMPDIR to another folder.")
        }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: min(count, Self.copiedBytes), alignment: 8)
        defer { block.deallocate() }
        var offset = 0
        while offset < count {
            let chunk = UnsafeMutableRawBufferPointer(rebasing: block[..<min(block.count, count - offset)])
            try file.read(into: chunk, at: offset)
            try output(UnsafeRawBufferPointer(chunk))
            offset += chunk.count
        }
    }
}

extension SQLiteName {
    /// Changes names of columns as SQLite requires: not empty, without NUL, and distinct even if the case of ASCII letters is ignored.
    static func uniqueNames(_ names: [String]) -> [String] {
        let validNames = names.enumerated().map { $1.isEmpty ? "column\($0 + 1)" : withoutNUL($1) }
        return DistinctNames.numbered(validNames, by: folded)
    }

    /// A valid table name. Adds `_` before names that start with `sqlite_`, which are reserved.
    static func validTableName(_ name: String) -> String {
        let name = withoutNUL(name)
        if name.isEmpty { return "table" }
        return folded(name).starts(with: Array("sqlite_".utf8)) ? "_" + name : name
    }

    private static func withoutNUL(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    private static func folded(_ name: String) -> [UInt8] { name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
}

extension WrittenType {
    /// True if a writer can receive these values for a column of this type.
    func accepts(_ values: ColumnVector.Values) -> Bool {
        switch (self, values) {
        case (.integer, .integers(_, scale: 0)), (.double, .doubles), (.double, .floats), (.float, .doubles), (.flag, .flags),
            (.date, .dates):
            true
        case (.decimal(let scale), .integers(_, let given)): scale == given && (0...18).contains(scale)
        case (.dateTime, .dateTimes(_, let digits, _)), (.time, .times(_, let digits)): (0...9).contains(digits)
        case (.wideDecimal, .texts), (.text, .texts), (.binary, .texts), (.wideDecimal, .codes), (.text, .codes), (.binary, .codes): true
        default: false
        }
    }
}

extension FormatError {
    /// The error for a mistake in the program: the columns of a batch differ from those of the file.
    static let wrongBatchError = FormatError("Cannot write the rows: their types differ from those of the columns. Report this error.")
}
