/// The SQL dialect of a database engine: its syntax of names, parameters, types and functions.
///
/// To support an engine with a known dialect, copy that dialect and change its name and capabilities.
public struct SQLDialect: Hashable, Sendable {
    /// The syntax of functions and types.
    public enum Family: Hashable, Sendable {
        /// PostgreSQL, and engines that speak its protocol.
        case postgreSQL
        /// SQLite.
        case sqlite
        /// DuckDB.
        case duckDB
        /// Spark SQL, which Sail also reads.
        case spark
        /// SQL:2016 without extensions.
        case ansi
    }

    /// The name of the engine in messages, such as `PostgreSQL`.
    public var name: String
    /// The syntax of functions and types.
    public var family: Family
    /// The features of the engine.
    public var capabilities: EngineCapabilities
    /// True if NULLs come last in ascending and first in descending order, without `NULLS FIRST` or `NULLS LAST`.
    public var nullsAreGreatest: Bool
    /// The characters that the database can store.
    public var encoding = StoredEncoding.unicode

    /// Creates a dialect.
    public init(name: String, family: Family, capabilities: EngineCapabilities, nullsAreGreatest: Bool) {
        (self.name, self.family, self.capabilities, self.nullsAreGreatest) = (name, family, capabilities, nullsAreGreatest)
    }

    /// The dialect of PostgreSQL itself.
    public static let postgreSQL = SQLDialect(
        name: "PostgreSQL", family: .postgreSQL, capabilities: .postgreSQL, nullsAreGreatest: true)
    /// The dialect of a server with the protocol of PostgreSQL.
    /// - Parameters:
    ///   - product: the name that the driver reports, such as `CockroachDB` or `PostgreSQL (Citus)`.
    ///   - encoding: the encoding of the database, such as `LATIN1`; empty if it is unknown.
    public static func postgreSQL(product: String, encoding: String = "") -> SQLDialect {
        let variants: [(name: String, capabilities: EngineCapabilities)] = [
            ("Citus", .citus), ("CockroachDB", .cockroachDB), ("YugabyteDB", .yugabyteDB), ("Redshift", .redshift),
            ("Greenplum", .greenplum),
        ]
        var dialect = SQLDialect.postgreSQL
        if let variant = variants.first(where: { product.contains($0.name) }) {
            (dialect.name, dialect.capabilities) = (variant.name, variant.capabilities)
        }
        dialect.encoding = StoredEncoding(serverName: encoding)
        return dialect
    }
    /// SQLite.
    public static let sqlite = SQLDialect(name: "SQLite", family: .sqlite, capabilities: .sqlite, nullsAreGreatest: false)
    /// DuckDB. NULLs come last in both directions. Tested with DuckDB 2.0.
    public static let duckDB = SQLDialect(name: "DuckDB", family: .duckDB, capabilities: .duckDB, nullsAreGreatest: true)
    /// Spark and Sail.
    public static let spark = SQLDialect(name: "Spark", family: .spark, capabilities: .spark, nullsAreGreatest: false)
    /// Any engine with SQL:2016, without optional features.
    public static let ansi = SQLDialect(name: "SQL", family: .ansi, capabilities: [.nullOrder, .temporalTypes], nullsAreGreatest: true)

    /// Known differences from the local engine that do not make a query fail, one sentence each.
    ///
    /// The differences concern the last digits of numbers, and unusual values, such as very large numbers and infinite dates. A query with
    /// other differences is refused.
    public var differences: [String] {
        var differences = [
            "In filters, the server computes with all digits of decimals; locally, numbers of more than 38 digits are rounded.",
            "The server prints computed numbers with plain digits; locally, very large and very small ones have an exponent.",
            "Means, quantiles, standard deviations and sums of floating-point numbers can differ in their last digits.",
        ]
        switch family {
        case .postgreSQL:
            differences.append("In filters, formulas that contain a quotient, such as a / b + 1, are computed with floating-point numbers.")
            differences.append("On the server, floating-point overflow is an error, not infinity.")
            differences.append("On the server, sums and products beyond 1.8e308 have a value; locally, they are empty.")
            differences.append("The server sorts infinite dates and dates BC by time; locally, they are sorted as text.")
        case .sqlite:
            differences.append("In filters, arithmetic of decimals and quotients is computed with floating-point numbers.")
            differences.append("Integers beyond 64 bits, and decimals of more than 17 digits in text, are rounded.")
            differences.append("A value such as 1,234 in a numeric column is text; BLOBs sort after text.")
            differences.append("Filters and searches do not find text after the first 64 MiB of a BLOB.")
        case .duckDB:
            differences.append("In filters, floating-point columns, quotients and long results are computed with floating-point numbers.")
            differences.append("The server sorts infinite dates and dates BC by time; locally, they are sorted as text.")
        case .spark, .ansi: break
        }
        return differences
    }

    /// True if the text of a column is JSON.
    package func sendsJSON(_ column: ServerColumn) -> Bool {
        guard column.type.storage == .opaque else { return false }
        return column.type.isJSON && family != .sqlite || column.type.isNested && family == .duckDB
    }

    // MARK: Names and parameters

    /// A quoted name. Quotes in the name are doubled, and NUL, which no engine accepts, is removed.
    func name(_ name: String) -> SQLFragment {
        let quote: Character = family == .spark ? "`" : "\""
        var quoted = String(quote)
        for character in name.unicodeScalars where character != "\0" {
            quoted.unicodeScalars.append(character)
            if Character(character) == quote { quoted.unicodeScalars.append(character) }
        }
        quoted.append(quote)
        return SQLFragment(checked: quoted)
    }

    /// A quoted path, such as `"schema"."table"`.
    func path(_ names: [String]) -> SQLFragment { .joined(names.map(name), by: ".") }

    /// The name of a function in a call.
    ///
    /// In PostgreSQL, it has the schema `pg_catalog`. Otherwise, PostgreSQL could call a function in another schema of the `search_path`,
    /// such as `public.lower(varchar)`, because it prefers the types of the arguments to the order of the schemas.
    func functionName(_ name: String) -> String { family == .postgreSQL ? "pg_catalog.\(name)" : name }

    /// The form of values in statements.
    enum ParameterStyle {
        /// Placeholders with numbers, so that one parameter can be used several times.
        case numbered
        /// A placeholder for each use of a parameter.
        case positional
        /// Literals, for engines without parameters.
        case literals
    }

    var parameterStyle: ParameterStyle {
        switch family {
        case .postgreSQL, .sqlite, .duckDB: .numbered
        case .spark: .literals
        case .ansi: .positional
        }
    }

    /// The placeholder of a parameter, or its literal. The type is the name of a ``TypeName`` or of a known ordered type, never a name from
    /// a server.
    func placeholder(_ number: Int, for parameter: SQLParameter) -> String {
        switch family {
        case .postgreSQL, .duckDB: "$\(number)::\(parameter.type)"
        case .sqlite: "?\(number)"
        case .spark: hexadecimalLiteral(parameter)
        case .ansi: "CAST(? AS \(parameter.type))"
        }
    }

    /// A value as a literal. All text is written in hexadecimal digits, so that no value can end the literal.
    package func hexadecimalLiteral(_ parameter: SQLParameter) -> String {
        func text(_ bytes: some Sequence<UInt8>) -> String { "CAST(X'\(Self.hexadecimal(bytes))' AS \(type(.text)))" }
        let value =
            switch parameter.value {
            case .null: "NULL"
            case .text(let characters): text(characters.utf8)
            case .invalidText(let bytes): text(bytes)
            case .integer(let number): "\(number)"
            case .double(let number): text("\(number)".utf8)
            case .bytes(let bytes): "X'\(Self.hexadecimal(bytes))'"
            }
        switch parameter.value {
        case .text, .invalidText: if parameter.type == type(.text) { return value }
        case .null, .integer, .double, .bytes: break
        }
        return "CAST(\(value) AS \(parameter.type))"
    }

    /// Two hexadecimal digits for each byte.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The types of parameters and casts.
    enum TypeName { case integer, numeric, double, real, text, flag, date, dateTime, zonedDateTime, time, address }

    func type(_ name: TypeName) -> String {
        switch (name, family) {
        case (.integer, .sqlite): "INTEGER"
        case (.integer, _): "bigint"
        case (.numeric, .sqlite): "REAL"
        case (.numeric, .postgreSQL): "numeric"
        case (.numeric, _): "decimal(38, 10)"
        case (.double, .sqlite), (.real, .sqlite): "REAL"
        case (.double, .spark), (.double, .duckDB): "double"
        case (.double, _): "double precision"
        case (.real, .spark): "float"
        case (.real, _): "real"
        case (.text, .sqlite): "TEXT"
        case (.text, .spark): "string"
        case (.text, .ansi): "varchar(65535)"
        case (.text, _): "text"
        case (.flag, .sqlite): "INTEGER"
        case (.flag, _): "boolean"
        case (.date, .sqlite), (.dateTime, .sqlite), (.zonedDateTime, .sqlite), (.time, .sqlite): "TEXT"
        case (.date, _): "date"
        case (.dateTime, .spark): "timestamp_ntz"
        case (.dateTime, _): "timestamp"
        case (.zonedDateTime, .spark): "timestamp"
        case (.zonedDateTime, .ansi): "timestamp with time zone"
        case (.zonedDateTime, _): "timestamptz"
        case (.time, _): "time"
        case (.address, .postgreSQL): "tid"
        case (.address, .sqlite): "INTEGER"
        case (.address, _): "bigint"
        }
    }

    func parameter(_ value: SQLValue, _ name: TypeName) -> SQLFragment { SQLFragment(SQLParameter(value, type: type(name))) }

    func text(_ text: String) -> SQLFragment { parameter(.text(text), .text) }

    func cast(_ fragment: SQLFragment, _ name: TypeName) -> SQLFragment { "CAST(\(fragment) AS \(SQLFragment(checked: type(name))))" }

    // MARK: Truth and order

    /// A condition that is true if `condition` is false or NULL.
    func isNotTrue(_ condition: SQLFragment) -> SQLFragment {
        family == .ansi ? "(CASE WHEN \(condition) THEN 0 ELSE 1 END = 1)" : "((\(condition)) IS NOT TRUE)"
    }

    var trueLiteral: SQLFragment { family == .sqlite ? "1" : "TRUE" }
    var falseLiteral: SQLFragment { family == .sqlite ? "0" : "FALSE" }

    /// Text with a collation that compares bytes.
    func withByteCollation(_ text: SQLFragment) -> SQLFragment {
        switch family {
        case .postgreSQL: "\(text) COLLATE \"C\""
        case .sqlite: "\(text) COLLATE BINARY"
        case .duckDB, .spark, .ansi: text
        }
    }

    /// True if pages by offset need a sort, because a scan can return rows in any order. False for a statement of the user that sorts its
    /// rows.
    func scansInAnyOrder(_ table: ServerTable) -> Bool {
        guard capabilities.contains(.unorderedScans) else { return false }
        guard case .statement(let text, _) = table.source else { return true }
        return !Self.sortsResult(text)
    }

    /// True if a statement sorts its result: it has `ORDER BY` outside of parentheses, quotes and comments.
    package static func sortsResult(_ statement: String) -> Bool {
        let part = /'[^']*'|"[^"]*"|`[^`]*`|--[^\n]*|\/\*.*?\*\/|[()]|\border\s+by\b/.ignoresCase().dotMatchesNewlines()
        var depth = 0
        for match in statement.matches(of: part) {
            switch match.output.first {
            case "(": depth += 1
            case ")": depth -= 1
            case "o", "O": if depth == 0 { return true }
            default: break
            }
        }
        return false
    }

    /// An ORDER BY term.
    /// - Parameter nullsLast: true for NULLs last, false for NULLs first; `nil` if no value is NULL, or for the engine's own order.
    func order(_ value: SQLFragment, isDescending: Bool, nullsLast: Bool?) -> SQLFragment {
        let direction: SQLFragment = isDescending ? " DESC" : ""
        guard let nullsLast, nullsLast != nullsComeLast(isDescending: isDescending) else { return "\(value)\(direction)" }
        if capabilities.contains(.nullOrder) { return "\(value)\(direction) NULLS \(nullsLast ? "LAST" : "FIRST")" }
        return "CASE WHEN \(value) IS NULL THEN \(nullsLast ? 1 : 0) ELSE \(nullsLast ? 0 : 1) END, \(value)\(direction)"
    }

    /// True if NULLs come last in this direction, without `NULLS FIRST` or `NULLS LAST`.
    func nullsComeLast(isDescending: Bool) -> Bool {
        family == .duckDB ? true : nullsAreGreatest != isDescending
    }

    // MARK: Text

    /// True for text that is empty or only spaces and tabs. NULL for NULL.
    /// - Parameter bytes: the same text as a value that is compared by bytes; `nil` without such a value. Blank text is less than `!`. This
    ///   comparison takes less time than trimming the text, and can use an index. DuckDB does not use it, because it has no collation of
    ///   bytes for a column with another collation.
    func isBlank(_ text: SQLFragment, comparing bytes: SQLFragment?) -> SQLFragment {
        guard let bytes, family != .duckDB else { return isBlank(text) }
        return "(\(bytes) < '!' AND \(isBlank(text)))"
    }

    /// True for text that is empty or only spaces and tabs. NULL for NULL.
    func isBlank(_ text: SQLFragment) -> SQLFragment {
        switch family {
        // Unlike a comparison, the length does not need a collation, which computed text may lack.
        case .postgreSQL: "\(function: "length")(\(function: "btrim")(\(text), \(self.text(" \t")))) = 0"
        case .sqlite: "trim(\(text), \(self.text(" \t"))) = ''"
        // In some collations, other characters are equal to an empty text, or spaces are greater than `!`. Most texts are not trimmed.
        case .duckDB: "(ord(\(text)) <= 32 AND strlen(trim(\(text), \(self.text(" \t")))) = 0)"
        case .spark, .ansi: "trim(BOTH ' ' FROM replace(\(text), \(self.text("\t")), ' ')) = ''"
        }
    }

    /// The text without leading and trailing spaces and control characters.
    func trimmed(_ text: SQLFragment) -> SQLFragment? {
        let characters = self.text(String(String.UnicodeScalarView((1...32).compactMap { Unicode.Scalar($0) })))
        switch family {
        case .postgreSQL: return "\(function: "btrim")(\(text), \(characters))"
        case .sqlite, .duckDB: return "trim(\(text), \(characters))"
        case .spark: return "btrim(\(text), \(characters))"
        case .ansi: return nil
        }
    }

    /// Tests a value against text, which may be a parameter.
    func test(_ test: TextTest, _ value: SQLFragment, _ text: SQLFragment, count: Int?) -> SQLFragment {
        let length: SQLFragment = count.map { "\($0)" } ?? (family == .sqlite ? self.length(text) : "CAST(\(self.length(text)) AS integer)")
        switch (test, family) {
        case (.equals, _): return "\(value) = \(text)"
        case (.contains, .postgreSQL): return "\(function: "strpos")(\(value), \(text)) > 0"
        case (.contains, .sqlite), (.contains, .duckDB), (.contains, .spark): return "instr(\(value), \(text)) > 0"
        case (.contains, .ansi): return "POSITION(\(text) IN \(value)) > 0"
        case (.startsWith, .postgreSQL), (.startsWith, .spark), (.startsWith, .duckDB):
            return "\(function: "left")(\(value), \(length)) = \(text)"
        case (.startsWith, _): return "\(substring(of: value, from: "1", count: length)) = \(text)"
        case (.endsWith, .postgreSQL), (.endsWith, .duckDB), (.endsWith, .spark):
            return "\(function: "right")(\(value), \(length)) = \(text)"
        case (.endsWith, .sqlite):
            // For an empty string, `substr` would start at 0 and return the whole value.
            return "CASE WHEN length(\(text)) = 0 THEN 1 ELSE substr(\(value), -length(\(text))) = \(text) END"
        case (.endsWith, .ansi):
            return "SUBSTRING(\(value) FROM CHAR_LENGTH(\(value)) - CHAR_LENGTH(\(text)) + 1) = \(text)"
        }
    }

    enum TextTest { case equals, contains, startsWith, endsWith }

    /// Tests a value against a constant with a pattern that can use an index; `nil` if the dialect does not support one.
    func patternTest(_ test: TextTest, _ value: SQLFragment, _ text: String) -> SQLFragment? {
        guard family == .postgreSQL, test != .equals else { return nil }
        var escaped = ""
        for scalar in text.unicodeScalars {
            if scalar == "\\" || scalar == "%" || scalar == "_" { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        let pattern = (test == .startsWith ? "" : "%") + escaped + (test == .endsWith ? "" : "%")
        return "\(value) LIKE \(self.text(pattern))"
    }

    /// Replaces case variants of letters; `nil` if the dialect cannot.
    /// - Parameter isStored: true if the server itself stores the text, see ``ColumnTerm/isStored``.
    func translated(
        _ text: SQLFragment, _ pairs: [(from: Unicode.Scalar, to: Unicode.Scalar)], isStored: Bool
    ) -> SQLFragment? {
        let others = pairs.filter { !$0.from.isASCII }
        let isLowercased = pairs.allSatisfy { !$0.from.isASCII || $0.to.value == $0.from.value | 0x20 }
        /// The text with all ASCII letters in lowercase.
        func lowercased(_ text: SQLFragment) -> SQLFragment {
            let replaced = others.reduce(text) {
                "\(function: "replace")(\($0), \(self.text(String($1.from))), \(self.text(String($1.to))))"
            }
            return "\(function: "lower")(\(replaced))"
        }
        if family == .sqlite {
            // `lower` changes only ASCII letters, so other letters are replaced first.
            return others.count <= 12 && isLowercased ? lowercased(text) : nil
        }
        guard family != .ansi else { return nil }
        if pairs.isEmpty { return text }
        // By bytes, `lower` changes only ASCII letters. It takes a fifth of the time of `translate`.
        if family == .postgreSQL, isStored, isLowercased, others.count <= 4 { return lowercased("(\(withByteCollation(text)))") }
        // Without an encoding, `translate` would replace single bytes of characters.
        if encoding == .bytes, !others.isEmpty { return isLowercased ? lowercased("(\(withByteCollation(text)))") : nil }
        let (from, to) = (String(String.UnicodeScalarView(pairs.map(\.from))), String(String.UnicodeScalarView(pairs.map(\.to))))
        return "\(function: "translate")(\(text), \(self.text(from)), \(self.text(to)))"
    }

    /// True if a regular expression matches anywhere in the text; `nil` if the dialect does not support one.
    /// - Throws: ``UnsupportedError`` if the server may read the expression differently.
    func matches(_ text: SQLFragment, _ pattern: String, ignoresCase: Bool) throws(UnsupportedError) -> SQLFragment? {
        // The helper adds the operator to SQLite, with the library that matches local fields.
        if family == .sqlite { return "\(text) REGEXP \(self.text((ignoresCase ? "(?i)" : "") + pattern))" }
        let portable = try PortablePattern(pattern, ignoresCase: ignoresCase, encoding)
        switch family {
        case .postgreSQL: return "\(text) ~ \(self.text(portable.text(end: "$")))"
        case .duckDB: return "regexp_matches(\(text), \(self.text(portable.text(end: "$"))))"
        case .spark: return "\(text) RLIKE \(self.text(portable.text(end: "\\z")))"
        case .sqlite, .ansi: return nil
        }
    }

    /// A substring. Positions start at 1.
    func substring(of text: SQLFragment, from start: SQLFragment, count: SQLFragment) -> SQLFragment {
        family == .ansi ? "SUBSTRING(\(text) FROM \(start) FOR \(count))" : "\(function: "substr")(\(text), \(start), \(count))"
    }

    func length(_ text: SQLFragment) -> SQLFragment { family == .ansi ? "CHAR_LENGTH(\(text))" : "\(function: "length")(\(text))" }

    // MARK: Numbers and times

    /// NaN as an SQL constant; `nil` if the engine does not support NaN.
    var nan: SQLFragment? {
        switch family {
        case .postgreSQL, .duckDB: "'NaN'"
        case .spark: "double('NaN')"
        case .sqlite, .ansi: nil
        }
    }

    /// The number with infinities and NaN replaced by NULL.
    func finite(_ number: SQLFragment) -> SQLFragment {
        // SQLite has no NaN: it stores NULL instead.
        if family == .sqlite { return "NULLIF(NULLIF(\(number), 9e999), -9e999)" }
        return "NULLIF(NULLIF(NULLIF(\(number), 'Infinity'), '-Infinity'), 'NaN')"
    }

    /// A date or time without its zone, as gridview reads it.
    func withoutZone(_ value: SQLFragment, _ storage: ServerType.Storage) -> SQLFragment {
        guard storage == .zonedDateTime else { return value }
        return family == .duckDB ? inMicroseconds(value) : "(\(value) AT TIME ZONE 'UTC')"
    }

    /// A date and time of DuckDB as a TIMESTAMP in UTC; NULL for infinite values. A cast would round nanoseconds to microseconds, but
    /// gridview truncates them. For a value with a time zone, a cast would also need an extension of DuckDB.
    func inMicroseconds(_ moment: SQLFragment) -> SQLFragment { "make_timestamp(epoch_us(\(moment)))" }

    /// The condition that is true for the dates and times that gridview can read: years from 1 to 9999, and times before 24:00:00.
    /// Aggregates and formulas use only these. PostgreSQL, DuckDB and Spark can also store other years and times.
    func isReadable(_ value: SQLFragment, _ storage: ServerType.Storage) -> SQLFragment {
        let moment = withoutZone(value, storage)
        guard family == .postgreSQL else { return storage == .time ? "hour(\(value)) < 24" : "year(\(moment)) BETWEEN 1 AND 9999" }
        // Compare the value, because extracting the year takes longer.
        return storage == .time ? "\(value) < '24:00:00'" : "\(moment) >= '0001-01-01' AND \(moment) < '10000-01-01'"
    }

    /// The condition of ``isReadable(_:_:)`` for a column of dates or times that the dialect can aggregate; `nil` for other columns.
    func isReadable(_ column: ColumnTerm) -> SQLFragment? {
        let canAggregate =
            switch column.storage {
            case .date: [.postgreSQL, .duckDB, .spark].contains(family)
            case .dateTime, .zonedDateTime, .time: [.postgreSQL, .duckDB].contains(family)
            default: false
            }
        return canAggregate ? isReadable(column.value, column.storage) : nil
    }

    /// The day of a date or a date and time.
    func day(_ value: SQLFragment, _ storage: ServerType.Storage) -> SQLFragment {
        guard family == .duckDB, storage != .date else { return cast(withoutZone(value, storage), .date) }
        return cast(inMicroseconds(value), .date)
    }

    /// The reason to refuse numbers that may have too many digits.
    var tooManyDigitsReason: String {
        "A computed number can have more than \(Self.maximumDigits) digits, the limit of \(name)."
    }

    /// A part of a date or time as a number; `nil` if the dialect cannot compute it. Monday is 1.
    func datePart(_ name: DatePart, _ value: SQLFragment) -> SQLFragment? {
        switch (family, name) {
        case (.sqlite, _): nil
        case (.postgreSQL, .weekday): cast("extract(isodow FROM \(value))", .numeric)
        case (.duckDB, .weekday): "isodow(\(value))"
        case (.duckDB, .second): "CAST(microsecond(\(value)) AS decimal(8, 0)) * CAST(0.000001 AS decimal(6, 6))"
        case (.duckDB, .year): "year(\(value))"
        case (.duckDB, .month): "month(\(value))"
        case (.duckDB, .day): "day(\(value))"
        case (.duckDB, .hour): "hour(\(value))"
        case (.duckDB, .minute): "minute(\(value))"
        case (.spark, .weekday): "(\(daysSinceMonday(cast(value, .date))) + 1)"
        case (.ansi, .weekday): nil
        case (_, .year): cast("extract(year FROM \(value))", .numeric)
        case (_, .month): cast("extract(month FROM \(value))", .numeric)
        case (_, .day): cast("extract(day FROM \(value))", .numeric)
        case (_, .hour): cast("extract(hour FROM \(value))", .numeric)
        case (_, .minute): cast("extract(minute FROM \(value))", .numeric)
        case (.postgreSQL, .second): cast("extract(second FROM \(value))", .numeric)
        case (_, .second): nil
        }
    }

    /// The number of days since Monday in Spark. The function `weekday` of Sail is not used, because it is -1 on Sundays. The first day of
    /// year 1 was a Monday.
    func daysSinceMonday(_ date: SQLFragment) -> SQLFragment { "pmod(datediff(\(date), DATE '0001-01-01'), 7)" }

    enum DatePart { case year, month, day, weekday, hour, minute, second }

    // MARK: Statements

    /// All rows and columns of a table.
    package func rows(ofTable names: [String]) -> SQLStatement {
        let statement: SQLFragment = "SELECT * FROM \(path(names))"
        return statement.statement(in: self)
    }

    /// Lists the tables of a schema in Spark. The result has the schema, the name, true for a temporary view, and a description.
    package func tables(inSchema schema: String) -> SQLStatement {
        let statement: SQLFragment = "SHOW TABLE EXTENDED IN \(name(schema)) LIKE '*'"
        return statement.statement(in: self)
    }

    /// The row numbers at both ends of a table of SQLite. The result has two rows: one for the first `count` rows of the table, and one for
    /// the last `count` rows. Each has the number of these rows, their lowest row number and their highest row number.
    /// - Parameter rowID: the name of the row numbers, `rowid`, `_rowid_` or `oid`, that no column has.
    package func firstAndLastRowNumbers(ofTable table: String, rowID: String, count: Int) -> SQLStatement {
        let rowID: SQLFragment = rowID == "oid" ? "oid" : rowID == "_rowid_" ? "_rowid_" : "rowid"
        let ends = [false, true].map { isLast -> SQLFragment in
            let order = order(rowID, isDescending: isLast, nullsLast: nil)
            return "SELECT count(*), min(r), max(r) FROM (SELECT \(rowID) AS r FROM \(name(table)) ORDER BY \(order)\(limit(count)))"
        }
        return SQLFragment.joined(ends, by: " UNION ALL ").statement(in: self)
    }

    /// Returns a row if a column of a table of SQLite contains a blob. An index of the column finds it.
    package func firstBlob(inColumn column: String, ofTable table: String) -> SQLStatement {
        let statement: SQLFragment = "SELECT 1 FROM \(name(table)) AS t WHERE t.\(name(column)) >= X''\(limit(1))"
        return statement.statement(in: self)
    }

    /// The size of the blocks of a table of DuckDB in bytes, as text. NULL for a table that is not in a file, or not completely.
    package func byteCount(ofTable names: [String]) -> SQLStatement {
        // The function takes a name with quotes as text, so that the name is a parameter.
        let table = text(path(names).statement(in: self).text)
        let statement: SQLFragment = """
            SELECT CAST(CASE WHEN bool_and(persistent) THEN (count(DISTINCT block_id) FILTER (WHERE block_id >= 0) \
            + sum(len(additional_block_ids))) * (SELECT max(block_size) FROM pragma_database_size() \
            WHERE database_name = current_database()) END AS text) FROM pragma_storage_info(\(table))
            """
        return statement.statement(in: self)
    }

    /// A number of rows that no table has. A query with this limit or a higher one needs no clause.
    private static let allRows = 1 << 39

    /// The clause that skips the first `skipped` rows and then returns at most `count` rows.
    func limit(_ count: Int, skipping skipped: Int = 0) -> SQLFragment {
        let (count, skipped) = (max(0, count), max(0, skipped))
        // Spark limits the clause to 32 bits.
        if count >= Self.allRows && family != .sqlite || count > Int(Int32.max) && family == .spark {
            return skipped == 0 ? "" : family == .ansi ? " OFFSET \(skipped) ROWS" : " OFFSET \(skipped)"
        }
        if family == .ansi {
            return skipped == 0 ? " FETCH FIRST \(count) ROWS ONLY" : " OFFSET \(skipped) ROWS FETCH NEXT \(count) ROWS ONLY"
        }
        return skipped == 0 ? " LIMIT \(count)" : " LIMIT \(count) OFFSET \(skipped)"
    }

    /// The `EXPLAIN` prefix, with JSON output if the engine supports it.
    var explain: SQLFragment {
        switch family {
        case .postgreSQL: capabilities.contains(.explainJSON) ? "EXPLAIN (FORMAT JSON) " : "EXPLAIN "
        case .sqlite: "EXPLAIN QUERY PLAN "
        case .duckDB, .spark, .ansi: "EXPLAIN "
        }
    }
}
