import DataGridQuery
import FieldValues
import Foundation
import GridTestSupport
import SQLTables
import Tables
import Testing

/// Queries for which servers and the local engine return the same results.
@Suite("SQL contract")
struct ContractTests {
    /// The content of a table as the server shows it. Rows without an order are sorted by the first column, which is unique.
    static func content(of table: ServerTable, _ dialect: SQLDialect, _ bridge: Bridge) throws -> [PageRow] {
        var options = SQLOptions()
        options.cellLimit = 100_000
        var whole = table
        whole.blockCount = 100
        let query = try SQLQuery(Query(), of: whole, in: dialect, options: options)
        let page = try query.page(query.usesBlocks ? .blocks(0..<1_000) : .first(100_000))
        let rows = page.rows(try bridge.run(page.statement))
        func id(_ row: PageRow) -> Int { text(row.cells[0]).flatMap { Int($0) } ?? 0 }
        return query.hasUniqueOrder ? rows : rows.sorted { id($0) < id($1) }
    }

    static func text(_ value: SQLValue) -> String? {
        switch value {
        case .null: nil
        case .text(let text): text
        case .integer(let number): String(number)
        case .double(let number): "\(number)"
        case .bytes, .invalidText: "bytes"
        }
    }

    static func isArithmetic(_ formula: Formula) -> Bool {
        guard case .call(let function, let arguments) = formula else { return false }
        return [.add, .subtract, .multiply, .divide].contains(function) || arguments.contains(where: isArithmetic)
    }

    /// True if the database computes with floating-point numbers, which it refuses to do in a computed column.
    static func isRounded(_ formula: Formula, _ query: Query, of table: ServerTable, in dialect: SQLDialect) -> Bool {
        guard case .call(let function, let arguments) = formula else { return false }
        guard [.add, .subtract, .multiply, .divide].contains(function) else {
            return arguments.contains { isRounded($0, query, of: table, in: dialect) }
        }
        var computed = Query()
        let id = FieldID(rawValue: FieldID.firstDerived.rawValue + query.derived.count)
        computed.derived = query.derived + [DerivedField(Field(id, name: "computed", kind: .decimal), formula)]
        return (try? SQLQuery(computed, of: table, in: dialect)) == nil
    }

    /// True if a formula computes numbers or parts of dates.
    static func isComputed(_ formula: Formula) -> Bool {
        guard case .call(let function, let arguments) = formula else { return false }
        switch function {
        case .abs, .round, .floor, .ceil, .length, .year, .month, .day, .weekday, .hour, .minute, .second: return true
        default: return isArithmetic(formula) || arguments.contains(where: isComputed)
        }
    }

    static func hasPattern(_ formula: Formula) -> Bool {
        guard case .call(let function, let arguments) = formula else { return false }
        return [.matches, .matchesIgnoringCase].contains(function) || arguments.contains(where: hasPattern)
    }

    struct Report {
        var compared = 0
        /// The number of compared queries with regular expressions.
        var patterns = 0
        /// The number of compared queries with computed numbers.
        var computed = 0
        /// The number of compared queries with ranges of numbers.
        var ranges = 0
        /// The number of compared queries with aggregates of dates or times, except counts.
        var temporal = 0
        var paged = 0
        /// The number of compared queries whose rows were filtered before they were sorted.
        var filteredFirst = 0
        var invalid = 0
        var reasons: [String: Int] = [:]
        var failures: [String] = []

        var summary: String {
            let refused = reasons.sorted { $0.value > $1.value }.prefix(12).map { "\($0.value) × \($0.key)" }.joined(separator: "; ")
            return """
                \(compared) compared, \(patterns) with regular expressions, \(computed) computed, \(ranges) ranges, \(temporal) of dates, \
                \(paged) paged, \(invalid) invalid, refused: \(refused)
                """
        }
    }

    /// Compares random queries of one table.
    static func check(
        _ table: RandomTable, _ dialect: SQLDialect, _ bridge: Bridge, seed: UInt64, queries count: Int, _ report: inout Report
    ) throws {
        let content = try content(of: table.table, dialect, bridge)
        let memory = MemoryTable(content.map { $0.cells.map(text) })
        var local = memory
        local.columnCount = table.columns.count
        let places = Dictionary(uniqueKeysWithValues: content.enumerated().map { (text($0.element.cells[0]) ?? "", $0.offset) })
        var queries = RandomQueries(random: SplitMix64(seed: seed), schema: table.table.schema, values: table.columns.map(\.values))
        let engine = LocalQueryEngine(threads: 1)
        for _ in 0..<count {
            let schema = table.table.schema
            queries.schema = schema
            let query = queries.query()
            let whole = Schema(schema.fields + query.derived.map(\.field))
            do {
                for derived in query.derived { _ = try Formula(derived.formula.text(in: schema), in: schema) }
                for filter in query.filters { _ = try Filter(filter, in: whole) }
            } catch {
                report.invalid += 1
                continue
            }
            // `SQLDialect.differences`: SQLite rounds integers beyond 64 bits, and PostgreSQL computes with more than 38 digits.
            let large = table.columns.indices.filter {
                let values = table.columns[$0].values
                return dialect.family == .sqlite ? values == RandomTable.bigIntegers : values.contains("1e+300")
            }
            if query.filters.contains(where: { isArithmetic($0) && !Set(large).isDisjoint(with: $0.fields.map(\.rawValue)) }) {
                report.reasons["large numbers", default: 0] += 1
                continue
            }
            var compiled: SQLQuery
            do {
                compiled = try SQLQuery(query, of: table.table, in: dialect)
                compiled.filtersFirst = compiled.canFilterFirst() && Bool.random(using: &queries.random)
                if compiled.filtersFirst { report.filteredFirst += 1 }
            } catch {
                for reason in error.reasons { report.reasons[reason.reason.prefix(25).description, default: 0] += 1 }
                continue
            }
            if query.filters.contains(where: { isRounded($0, query, of: table.table, in: dialect) }) {
                report.reasons["rounded", default: 0] += 1
                continue
            }
            let result = try engine.rows(of: local, schema: whole, matching: query, earlierFilterResult: nil, control: JobControl())
            let expected = result.rows.map { rows in rows.map { $0 } } ?? Array(0..<content.count)
            func rows(_ page: PageStatement) throws -> [PageRow] { page.rows(try bridge.run(page.statement)) }
            func numbers(_ rows: [PageRow]) -> [Int] { rows.map { places[text($0.cells[0]) ?? ""] ?? -1 } }
            let description = {
                "\(query.filters.map { $0.text(in: whole) }) derived \(query.derived.map { $0.text(in: whole) }) sort \(query.sort)"
            }
            do {
                let page = try compiled.page(compiled.usesBlocks ? .blocks(0..<1_000) : .first(1_000))
                let found = try rows(page)
                report.compared += 1
                if query.filters.contains(where: hasPattern) { report.patterns += 1 }
                if (query.filters + query.derived.map(\.formula)).contains(where: isComputed) { report.computed += 1 }
                let isSorted = compiled.hasUniqueOrder || !query.sort.isEmpty
                if (isSorted ? numbers(found) : numbers(found).sorted()) != expected {
                    report.failures.append(
                        "\(description())\n got \(numbers(found))\nwant \(expected)\n\(page.statement)\n\(expected.map { memory.rows[$0] })"
                    )
                    continue
                }
                guard !compiled.usesBlocks, report.compared % 3 == 0 else { continue }
                report.paged += 1
                let size = Int.random(in: 1...7, using: &queries.random)
                guard compiled.hasUniqueOrder else {
                    let offsets = stride(from: 0, to: found.count, by: size)
                    let pages = try offsets.map { numbers(try rows(compiled.page(.first(size), skipping: $0))) }
                    if pages.flatMap({ $0 }) != numbers(found) {
                        report.failures.append("offsets \(description())\n got \(pages)\nwant \(numbers(found))")
                    }
                    let count = try bridge.run(compiled.count())
                    if count.first?.first?.number != Int64(expected.count) { report.failures.append("count \(description())") }
                    continue
                }
                var walked: [Int] = []
                var next = try rows(compiled.page(.first(size)))
                while let last = next.last, walked.count <= content.count {
                    walked += numbers(next)
                    next = try rows(compiled.page(.after(last.key, size)))
                }
                if walked != expected { report.failures.append("forward \(description())\n got \(walked)\nwant \(expected)") }
                walked = []
                next = try rows(compiled.page(.last(size)))
                while let first = next.first, walked.count <= content.count {
                    walked = numbers(next) + walked
                    next = try rows(compiled.page(.before(first.key, size)))
                }
                if walked != expected { report.failures.append("backward \(description())\n got \(walked)\nwant \(expected)") }
                if let some = found.indices.randomElement(using: &queries.random) {
                    let rank = try bridge.run(compiled.rank(of: found[some].key))
                    if rank.first?.first?.number != Int64(some) { report.failures.append("rank \(description()) got \(rank) want \(some)") }
                    let count = try bridge.run(compiled.count())
                    if count.first?.first?.number != Int64(expected.count) { report.failures.append("count \(description())") }
                    let step = Int.random(in: 1...5, using: &queries.random)
                    let anchors = try bridge.run(compiled.keys(every: step))
                    let expected = stride(from: 0, to: found.count, by: step).map { found[$0].key.values + [.text(String($0))] }
                    let given = anchors.map { Array($0.dropLast()) + [.text(text($0.last ?? .null) ?? "")] }
                    if given != expected { report.failures.append("keys \(description())\n\(given)\n\(expected)") }
                }
            } catch let error as Bridge.Failure where error.description.contains("value out of range") {
                // The local engine has infinities where PostgreSQL reports an error.
                report.reasons["overflow", default: 0] += 1
            } catch {
                report.failures.append("\(description())\n\(error)")
            }
        }
    }

    /// Checks random tables until a number of queries has been compared, and records the failures.
    /// - Parameters:
    ///   - makeTable: creates a table with a hostile name.
    ///   - check: compares random queries on a table, which has its own seed.
    static func compare(
        _ name: String, atLeast count: Int, seed: UInt64, in bridge: Bridge,
        _ makeTable: (inout SplitMix64, String) throws -> RandomTable,
        check: (RandomTable, Bridge, UInt64, inout Report) throws -> Void
    ) throws -> Report {
        defer { bridge.close() }
        var random = SplitMix64(seed: seed + Environment.seed)
        var report = Report()
        var number: UInt64 = 0
        while report.compared < count, report.failures.count < 5 {
            number += 1
            let table = try makeTable(&random, "x\(number)\"; drop table x--")
            try table.create(in: bridge)
            try check(table, bridge, number &+ Environment.seed, &report)
        }
        print("\(name): \(report.summary)")
        for failure in report.failures { Issue.record("\(failure)") }
        return report
    }

    @Test func `H1: 1,000 random queries on SQLite return the same rows as the local engine, in the same order`() throws {
        let folder = try TemporaryFolder()
        let report = try Self.compare(
            "SQLite", atLeast: 1_000, seed: 191, in: Bridge.sqlite(folder), RandomTable.sqlite
        ) { try Self.check($0, .sqlite, $1, seed: $2, queries: 40, &$3) }
        #expect(report.compared >= 1_000 && report.paged > 200 && report.patterns > 50)
    }

    @Test(
        .enabled(if: PostgresServer.isInstalled))
    func `H1: 1,000 random queries on PostgreSQL return the same rows as the local engine, in the same order`() throws {
        let server = try PostgresServer.start()
        defer { server.stop() }
        let report = try Self.compare(
            "PostgreSQL", atLeast: 1_000, seed: 192, in: server.connect(), RandomTable.postgres
        ) { try Self.check($0, .postgreSQL, $1, seed: $2, queries: 40, &$3) }
        #expect(report.compared >= 1_000 && report.paged > 200 && report.filteredFirst > 50, "\(report.filteredFirst)")
    }

    /// The statements for servers with fewer features also run on PostgreSQL. The servers themselves are not tested.
    @Test(
        .enabled(if: PostgresServer.isInstalled))
    func `H1: random queries on PostgreSQL in the dialects of similar servers return the rows of the local engine`() throws {
        let server = try PostgresServer.start()
        defer { server.stop() }
        let products: [(name: String, lacks: EngineCapabilities)] = [
            ("PostgreSQL (Citus)", .blockPages), ("CockroachDB", .explainJSON), ("PostgreSQL (YugabyteDB)", .blockPages),
            ("PostgreSQL (Redshift)", .rowComparison), ("PostgreSQL (Greenplum)", .orderedUnion),
        ]
        let dialects = products.map { SQLDialect.postgreSQL(product: $0.name) }
        for (product, dialect) in zip(products, dialects) {
            #expect(product.name.contains(dialect.name) && dialect.capabilities.isDisjoint(with: product.lacks), "\(product.name)")
        }
        #expect(SQLDialect.postgreSQL(product: "PostgreSQL") == .postgreSQL)
        let report = try Self.compare(
            "Other servers", atLeast: 500, seed: 1920, in: server.connect(), RandomTable.postgres
        ) { table, bridge, seed, report in
            let dialect = dialects[Int(seed % UInt64(dialects.count))]
            try Self.check(table, dialect, bridge, seed: seed, queries: 40, &report)
        }
        #expect(report.compared >= 500)
    }

    @Test(
        .enabled(if: DuckDBDriver.installed != nil, "DuckDB for Python is not installed"))
    func `H1: 1,000 random queries on DuckDB through ADBC return the same rows as the local engine, in order`() throws {
        let folder = try TemporaryFolder()
        let report = try Self.compare("DuckDB", atLeast: 1_000, seed: 1913, in: try Bridge.duckDB(folder), RandomTable.duckDB) {
            try Self.check($0, .duckDB, $1, seed: $2, queries: 40, &$3)
        }
        #expect(report.compared >= 1_000 && report.paged > 200 && report.computed > 100)
    }

    /// A table of SQLite with values of all types in each column, and the kinds that gridview reads.
    private static func dynamicTable(in bridge: Bridge) throws -> (table: ServerTable, schema: Schema) {
        let columns: [(name: String, type: String, kind: ValueKind)] = [
            ("id", "INTEGER", .integer), ("mix", "", .decimal), ("txt", "TEXT", .text), ("num", "DECIMAL(10,2)", .decimal),
            ("day", "DATE", .date), ("moment", "DATETIME", .dateTime), ("done", "", .flag), ("whole", "", .integer),
            ("size", "REAL", .decimal), ("label", "TEXT", .text),
        ]
        let declared = columns.dropFirst().map { "\($0.name) \($0.type)" }.joined(separator: ", ")
        try bridge.write(SQLStatement(text: "CREATE TABLE dynamic (id INTEGER PRIMARY KEY, \(declared))"))
        let rows = [
            "10, '10', 1.5, '2024-01-05', '2024-01-05 10:00:00', 'yes', 5", "'9', '9', 10, '2023-12-31', '2023-12-31T09:30', 'no', '5'",
            "NULL, '', NULL, NULL, NULL, NULL, NULL", "'x', NULL, 2, '2024-10-01', '2024-10-01 00:00:01', 1, 'a'",
            "9223372036854775807, '100', 9007199254740993, '2024-02-01', '2024-02-01', 'true', 9223372036854775807",
            "x'01ff', '2', 'n/a', '22 Sep 2022', 20240105, 'f', x'35'", "1e308, '-3', -1, 'not a day', '', 'maybe', 9223372036854775807",
            "'  ', '4 apples', 0, '1999-01-01', NULL, '', ''",
            "'9007199254740993', ' 55 ', 7, '2000-02-29', '2000-02-29 23:59:59.5', 'Y', 7",
            "9007199254740992.0, '6.5', 3, 5, 'tomorrow', 'NO', '-8'", "'NaN', 'NaN', -5, '2024-01-05', 1704448800, 0, 0",
            "-3, '1,234', 12, '  ', '2023-12-31 09:30:00', 'y', 2", "1.5, '11', 10, '2023-12-31', '2024-01-05', 'n', 'b'",
        ]
        // SQLite itself prints these numbers with 15 digits, with another exponent, and infinity as `Inf`.
        let sizes = [
            "1e20, '1e+20'", "1e-7, '1e-07'", "9e999, 'inf'", "-9e999, '-Inf'", "0.1, '0.1'", "1.5, '1.50'", "NULL, ''", "x'00', '0x00'",
            "'x', 'x'", "100, '100.0'", "1e16, x'00'", "123456789012345680, NULL", "0.1 + 0.2, '0.30000000000000004'",
        ]
        for (index, row) in zip(rows, sizes).enumerated() {
            try bridge.write(SQLStatement(text: "INSERT INTO dynamic VALUES (\(index + 1), \(row.0), \(row.1))"))
        }
        let table = ServerTable(
            .table(["dynamic"]),
            columns: columns.enumerated().map {
                ServerColumn(
                    $1.name, type: ServerType(named: $1.type, in: .sqlite), isNullable: $0 > 0, hasUniformType: $0 == 0)
            }, keys: [ServerKey(columns: [0], isPrimary: true)], hasRowIDs: true)
        return (table, Schema(columns.enumerated().map { Field(FieldID(rawValue: $0), name: $1.name, kind: $1.kind, hasNulls: true) }))
    }

    @Test func `SQLite columns with values of mixed types are filtered and sorted as by the local engine`() throws {
        let folder = try TemporaryFolder()
        let bridge = try Bridge.sqlite(folder)
        defer { bridge.close() }
        let (table, schema) = try Self.dynamicTable(in: bridge)
        let content = try Self.content(of: table, .sqlite, bridge).map { $0.cells.map(Self.text) }
        let engine = LocalQueryEngine(threads: 1)
        func expected(_ query: Query) throws -> [String?] {
            let result = try engine.rows(
                of: MemoryTable(content), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl())
            return (result.rows.map { rows in rows.map { $0 } } ?? Array(content.indices)).map { content[$0][0] }
        }
        let filters = [
            "mix > 5", "mix = 10", "mix != 10", "10 < mix", "mix <= 9007199254740992", "mix = 9007199254740993", "mix in (9, 10, 1e308)",
            "mix between 1 and 10", "mix is empty", "mix is not empty", "mix is null", "-mix > -10", "mix + 1 > 10", "mix > txt",
            "mix contains '00'",
            "mix = '10'", "txt > 5", "txt = 10", "txt < 100", "txt = '10'", "txt != 9", "not (txt > 5)", "-txt < -5", "txt * 2 > 15",
            "txt in (2, '')",
            "txt = true", "day > 2024-01-01", "day = 2024-01-05", "day != 2024-01-05", "day = '2024-01-05'", "day <= moment",
            "day is empty", "moment < 2024-01-01", "moment >= 2023-12-31T09:30", "done", "not done", "done = true", "done != false",
            "num >= 2", "num = 9007199254740993", "num != 10", "num is empty", "whole > 4", "whole = 9223372036854775807", "whole * 2 > 9",
            "txt ~ '^[0-9]+$'", "'0x01'", "size = label", "label != size", "size < label", "size > mix", "size = mix", "size > 'inf'",
            "size = 'inf'", "size contains 'e+'", "size contains 'inf'", "size is empty", "size = '0x00'", "label = '0x00'",
            "length(size) > 5", "-size < -5", "abs(size) > 5", "-size != 5", "size / 2 > 3", "size * 2 is empty",
        ]
        for text in filters {
            var query = Query()
            query.filters = [try Filter(text, in: schema).formula]
            let page = try SQLQuery(query, of: table, schema: schema, in: .sqlite).page(.first(100))
            let found = try page.rows(bridge.run(page.statement))
            #expect(try found.map { Self.text($0.cells[0]) } == expected(query), "\(text): \(page.statement)")
        }
        let sorts: [(field: Int, comparison: Query.Comparison)] = [
            (1, .kind(.decimal, .point)), (1, .text), (2, .kind(.decimal, .point)), (2, .kind(.integer, .comma)), (2, .text),
            (3, .kind(.decimal, .point)), (4, .kind(.date, .point)), (4, .kind(.dateTime, .point)), (5, .kind(.dateTime, .point)),
            (5, .dates(.dateTime, .epochSeconds)), (6, .kind(.flag, .point)), (7, .kind(.integer, .point)), (7, .text),
            (8, .kind(.decimal, .point)), (8, .text), (9, .text),
        ]
        for (field, comparison) in sorts {
            for isDescending in [false, true] {
                var query = Query()
                query.sort = [Query.SortKey(FieldID(rawValue: field), by: comparison, isDescending: isDescending)]
                let compiled = try SQLQuery(query, of: table, schema: schema, in: .sqlite)
                let order = try expected(query)
                func rows(_ request: PageRequest) throws -> [PageRow] {
                    let page = try compiled.page(request)
                    return try page.rows(bridge.run(page.statement))
                }
                #expect(try rows(.first(100)).map { Self.text($0.cells[0]) } == order, "\(query.sort)")
                var (forward, backward): ([PageRow], [PageRow]) = (try rows(.first(3)), try rows(.last(3)))
                for _ in 0..<5 {
                    if let last = forward.last { forward += try rows(.after(last.key, 3)) }
                    if let first = backward.first { backward = try rows(.before(first.key, 3)) + backward }
                }
                #expect(forward.map { Self.text($0.cells[0]) } == order, "forward \(query.sort)")
                #expect(backward.map { Self.text($0.cells[0]) } == order, "backward \(query.sort)")
            }
        }
    }

    @Test func `pages of a numeric SQLite column that start or end at blobs or texts contain each row exactly once`() throws {
        let folder = try TemporaryFolder()
        let bridge = try Bridge.sqlite(folder)
        defer { bridge.close() }
        try bridge.write(SQLStatement(text: "CREATE TABLE parts (id INTEGER PRIMARY KEY, n REAL)"))
        let values = "(2.5), ('x'), (x'ff00'), (x'00'), (-1), ('0x01'), (x'02'), (x'00')"
        try bridge.write(SQLStatement(text: "INSERT INTO parts (n) VALUES \(values)"))
        let table = ServerTable(
            .table(["parts"]),
            columns: [
                ServerColumn("id", type: ServerType(named: "INTEGER", in: .sqlite), isNullable: false),
                ServerColumn("n", type: ServerType(named: "REAL", in: .sqlite), hasUniformType: false),
            ], keys: [ServerKey(columns: [0], isPrimary: true)], hasRowIDs: true)
        for (isDescending, order) in [(false, "51486732"), (true, "15486732")] {
            var query = Query()
            query.sort = [Query.SortKey(FieldID(rawValue: 1), by: .kind(.decimal, .point), isDescending: isDescending)]
            let compiled = try SQLQuery(query, of: table, in: .sqlite)
            func rows(_ request: PageRequest) throws -> [PageRow] {
                let page = try compiled.page(request)
                return try page.rows(bridge.run(page.statement))
            }
            func ids(_ rows: [PageRow]) -> String { rows.map { Self.text($0.cells[0]) ?? "" }.joined() }
            let all = try rows(.first(100))
            #expect(ids(all) == order)
            for (index, row) in all.enumerated() {
                #expect(try ids(rows(.after(row.key, 100))) == order.dropFirst(index + 1), "after \(row.cells)")
                #expect(try ids(rows(.before(row.key, 100))) == order.prefix(index), "before \(row.cells)")
                #expect(try bridge.run(compiled.rank(of: row.key)).first?.first?.number == Int64(index), "\(row.cells)")
            }
        }
    }

    @Test func `a very large blob of SQLite does not stop filters and searches of text`() throws {
        let folder = try TemporaryFolder()
        let bridge = try Bridge.sqlite(folder)
        defer { bridge.close() }
        try bridge.write(SQLStatement(text: "CREATE TABLE files (id INTEGER PRIMARY KEY, data TEXT)"))
        try bridge.write(SQLStatement(text: "INSERT INTO files (data) VALUES (zeroblob(\((64 << 20) + 1))), ('x'), ('0x00'), (NULL)"))
        let table = ServerTable(
            .table(["files"]),
            columns: [
                ServerColumn("id", type: ServerType(named: "INTEGER", in: .sqlite), isNullable: false),
                ServerColumn("data", type: ServerType(named: "TEXT", in: .sqlite), hasUniformType: false),
            ], keys: [ServerKey(columns: [0], isPrimary: true)], hasRowIDs: true)
        for (text, ids) in [("data contains '000'", "1"), ("data = 'x'", "2"), ("'0x00'", "13")] {
            var query = Query()
            query.filters = [try Filter(text, in: table.schema).formula]
            let page = try SQLQuery(query, of: table, in: .sqlite).page(.first(9), of: [FieldID(rawValue: 0)])
            #expect(try page.rows(bridge.run(page.statement)).compactMap { Self.text($0.cells[0]) }.joined() == ids, "\(text)")
        }
    }

    @Test func `SQLite columns with values of mixed types have the same groups and aggregates as in the local engine`() throws {
        let folder = try TemporaryFolder()
        let bridge = try Bridge.sqlite(folder)
        defer { bridge.close() }
        let (table, schema) = try Self.dynamicTable(in: bridge)
        let content = try Self.content(of: table, .sqlite, bridge).map { $0.cells.map(Self.text) }
        let keys: [(field: Int, comparison: Query.Comparison)] = [
            (1, .kind(.decimal, .point)), (2, .kind(.decimal, .point)), (4, .kind(.date, .point)),
            (7, .kind(.integer, .point)), (8, .kind(.decimal, .point)),
        ]
        for (field, comparison) in keys {
            var query = Query()
            query.groups = [Query.GroupKey(FieldID(rawValue: field), by: comparison)]
            let compiled = try SQLQuery(query, of: table, schema: schema, in: .sqlite).groups(limit: 100)
            let found = try compiled.groups(bridge.run(compiled.statement)).groups.map { group in
                if case .value(let text) = group.value { return text }
                return ""
            }
            let result = try LocalQueryEngine(threads: 1)
                .rows(of: MemoryTable(content), schema: schema, matching: query, earlierFilterResult: nil, control: JobControl())
            #expect(found == result.groups?.groups.map(\.key), "\(schema.fields[field].name)")
        }
        let cases: [(field: Int, kind: ValueKind, functions: [AggregateFunction], values: [SQLValue])] = [
            (7, .integer, [.min, .max, .sum, .count], [.integer(-8), .integer(.max), .text("18446744073709551625"), .integer(11)]),
            (2, .integer, [.min, .max], [.integer(-3), .integer(1_234)]), (6, .flag, [.sum], [.integer(4)]),
            (4, .date, [.min], [.integer(915_148_800_000_000)]),
        ]
        for (field, kind, functions, values) in cases {
            var fields = schema.fields
            fields[field].kind = kind
            let compiled = try SQLQuery(Query(), of: table, schema: Schema(fields), in: .sqlite)
            let statement = try compiled.statistics(of: FieldID(rawValue: field), functions)
            #expect(try bridge.run(statement) == [[.integer(13)] + values], "\(schema.fields[field].name)")
        }
        let compiled = try SQLQuery(Query(), of: table, schema: schema, in: .sqlite)
        let counts = try compiled.statistics(of: [1, 2, 4].map { (FieldID(rawValue: $0), [.count]) }, countsKinds: true)
        let kinds: [SQLValue] = [.integer(8), .integer(1), .null, .null, .integer(1), .null, .integer(9), .integer(1), .null]
        #expect(try bridge.run(counts) == [[13, 11, 11, 11].map(SQLValue.integer) + kinds])
        // Each value is read once for each row.
        let sum = try compiled.statistics(of: [(FieldID(rawValue: 7), [.min, .max, .sum, .mean])], countsKinds: true)
        #expect(sum.text.ranges(of: "gridview_value").count == 1)
        let plan = try bridge.run("EXPLAIN QUERY PLAN \(sum.text)")
        #expect(plan.contains { if case .text(let step)? = $0.last { step.hasPrefix("CO-ROUTINE") } else { false } }, "\(plan)")
    }

    @Test func `a SQLite group without numbers has no share, and comes last in an order by shares`() throws {
        let folder = try TemporaryFolder()
        let bridge = try Bridge.sqlite(folder)
        defer { bridge.close() }
        try bridge.write(SQLStatement(text: "CREATE TABLE parts (name TEXT, amount INTEGER)"))
        try bridge.write(SQLStatement(text: "INSERT INTO parts VALUES ('a', 1), ('a', 3), ('b', NULL), ('c', 0)"))
        let table = ServerTable(
            .table(["parts"]),
            columns: [("name", "TEXT"), ("amount", "INTEGER")].map { ServerColumn($0, type: ServerType(named: $1, in: .sqlite)) },
            hasRowIDs: true)
        for (isDescending, order) in [(false, ["c", "a", "b"]), (true, ["a", "c", "b"])] {
            var query = Query()
            query.groups = [Query.GroupKey(FieldID(rawValue: 0), by: .text, order: .aggregate(0), isDescending: isDescending)]
            query.aggregates = [Query.Aggregate(.share, of: FieldID(rawValue: 1), kind: .integer)]
            let statement = try SQLQuery(query, of: table, in: .sqlite).groups(limit: 100)
            let groups = try statement.groups(bridge.run(statement.statement)).groups
            #expect(groups.map(\.value) == order.map(GroupValue.value))
            #expect(groups.map { $0.aggregates == [.null] } == [false, false, true])
        }
    }

    @Test(
        .enabled(if: DuckDBDriver.installed != nil, "DuckDB for Python is not installed"))
    func `in all collations of DuckDB, filters, sorts and groups treat the same texts as blank`() throws {
        let folder = try TemporaryFolder()
        let bridge = try Bridge.duckDB(folder)
        defer { bridge.close() }
        for (index, collation) in ["", " COLLATE noaccent", " COLLATE th", " COLLATE de"].enumerated() {
            let name = "texts\(index)"
            do {
                try bridge.run("CREATE TABLE \(name) (id INTEGER, x VARCHAR\(collation))")
            } catch {
                // Without its extension ICU, DuckDB has no collation of a language.
                continue
            }
            let texts = ["''", "' '", "chr(9)", "' ' || chr(9)", "'a'", "' a'", "chr(1)", "chr(769)", "' ' || chr(769)", "NULL"]
            for (id, text) in texts.enumerated() { try bridge.run("INSERT INTO \(name) VALUES (\(id), \(text))") }
            let columns = [("id", "INTEGER"), ("x", "VARCHAR")].map { ServerColumn($0, type: ServerType(named: $1, in: .duckDB)) }
            let table = ServerTable(.table([name]), columns: columns, hasRowIDs: true)
            func ids(_ query: Query) throws -> [String?] {
                let page = try SQLQuery(query, of: table, in: .duckDB).page(.first(100))
                return try page.rows(bridge.run(page.statement)).map { Self.text($0.cells[0]) }
            }
            let blank = ["0", "1", "2", "3"]
            var (filtered, sorted, grouped) = (Query(), Query(), Query())
            filtered.filters = [try Formula("x is empty", in: table.schema)]
            #expect(try ids(filtered) == blank + ["9"], "\(collation)")
            sorted.sort = [Query.SortKey(FieldID(rawValue: 1), by: .text)]
            #expect(try Array(ids(sorted).suffix(5)) == blank + ["9"], "\(collation)")
            grouped.groups = [Query.GroupKey(FieldID(rawValue: 1), by: .text)]
            let groups = try SQLQuery(grouped, of: table, in: .duckDB).groups(limit: 100)
            let counts = try groups.groups(bridge.run(groups.statement)).groups.filter { $0.value == .empty }.map(\.count)
            #expect(counts == [5], "\(collation)")
        }
    }

    /// Compares the rows that filters find on a server with those that the local engine finds.
    private static func check(_ filters: [String], _ table: ServerTable, _ dialect: SQLDialect, _ bridge: Bridge) throws {
        let content = try content(of: table, dialect, bridge).map { $0.cells.map(text) }
        for filter in filters {
            var query = Query()
            query.filters = [try Formula(filter, in: table.schema)]
            let page = try SQLQuery(query, of: table, in: dialect).page(.first(100))
            let found = try page.rows(bridge.run(page.statement))
            let expected = try LocalQueryEngine(threads: 1)
                .rows(of: MemoryTable(content), schema: table.schema, matching: query, earlierFilterResult: nil, control: JobControl())
            let ids = (expected.rows.map { rows in rows.map { $0 } } ?? Array(content.indices)).map { content[$0][0] }
            #expect(found.map { text($0.cells[0]) } == ids, "\(filter): \(page.statement)")
        }
    }

    @Test func `D7: infinite results of integer columns of SQLite have no value in filters`() throws {
        let folder = try TemporaryFolder()
        let bridge = try Bridge.sqlite(folder)
        defer { bridge.close() }
        try bridge.write(SQLStatement(text: "CREATE TABLE numbers (id INTEGER PRIMARY KEY, n INTEGER)"))
        let values = ["9e999", "-9e999", "1e300", "5", "1.5", "'x'", "NULL"]
        for (index, value) in values.enumerated() {
            try bridge.write(SQLStatement(text: "INSERT INTO numbers VALUES (\(index + 1), \(value))"))
        }
        let type = ServerType(named: "INTEGER", in: .sqlite)
        let columns = [ServerColumn("id", type: type, isNullable: false), ServerColumn("n", type: type, hasUniformType: false)]
        let table = ServerTable(.table(["numbers"]), columns: columns, keys: [ServerKey(columns: [0], isPrimary: true)], hasRowIDs: true)
        let filters = ["-n < 0", "abs(n) > 1", "n * n > 1", "n + 1 > 0", "n + 1 != 6", "n * 2 is empty", "n - n = 0", "n > 1"]
        try Self.check(filters, table, .sqlite, bridge)
    }

    @Test(
        .enabled(if: PostgresServer.isInstalled))
    func `D7: arithmetic of PostgreSQL is exact in filters, and infinite results have no value`() throws {
        let server = try PostgresServer.start()
        defer { server.stop() }
        let bridge = try server.connect()
        defer { bridge.close() }
        let columns = [
            ("id", "integer"), ("f", "double precision"), ("g", "double precision"), ("n", "numeric"), ("p", "numeric(10,2)"),
            ("big", "bigint"),
        ]
        let values: [[String]] = [
            ["NaN", "Infinity", "-Infinity", "1e300", "-2.5", "0.1", "0"], ["2", "2", "Infinity", "2", "0.2", "0.2", "3", "1"],
            ["0.1", "NaN", "99999999999999999999", "0.3", "-1e-20", "0", "1"], ["0.2", "19.99", "0", "-1.1", "3", "1.25", "-7"],
            ["9223372036854775807", "-9223372036854775808", "0", "1", "3", "-7", "9007199254740993"],
        ]
        try bridge.run("CREATE TABLE numbers (\(columns.map { "\($0) \($1)" }.joined(separator: ", ")), PRIMARY KEY (id))")
        for row in 0..<8 {
            let cells = values.map { row < $0.count ? "'\($0[row])'" : "NULL" }
            try bridge.run("INSERT INTO numbers VALUES (\(row), \(cells.joined(separator: ", ")))")
        }
        let types = columns.map { ServerColumn($0, type: ServerType(named: $1, in: .postgreSQL), isNullable: $0 != "id") }
        let table = ServerTable(.table(["numbers"]), columns: types, keys: [ServerKey(columns: [0], isPrimary: true)])
        let filters = [
            "f + g = 0.3", "f * g > -1", "f * g != 3", "f * g / g > -5", "f - g = 0", "f / g = 0.5", "f / g >= 0", "f / g is empty",
            "1 / g = 0", "1 / abs(f) = 0", "1 / -f <= 0", "1 / round(f) = 0", "p / 2 + n > 1", "2 * (big / 4) >= -3.5",
            "p / big / 2 > 0", "1 / (p / big) != 1", "round(n) / 2 >= 0.5", "-f < 1", "abs(f) > 1", "coalesce(f, 0) = 0",
            "n + p = 0.3", "p * 3 = 59.97", "n / 3 = 0.1", "n * 1.5 > 1", "p / big != 0", "big / 3 = 1", "big + 1 > 9223372036854775807",
            "big * big = 85070591730234615847396907784232501249", "big * 2 + 0.5 > 18446744073709551614",
        ]
        try Self.check(filters, table, .postgreSQL, bridge)
    }

    @Test(
        .enabled(if: DuckDBDriver.installed != nil, "DuckDB for Python is not installed"))
    func `computed numbers of DuckDB equal those of the local engine, even at the limits of their types`() throws {
        let folder = try TemporaryFolder()
        let bridge = try Bridge.duckDB(folder)
        defer { bridge.close() }
        let columns = [
            ("id", "INTEGER"), ("big", "BIGINT"), ("wide", "DECIMAL(38,0)"), ("part", "DECIMAL(3,2)"), ("price", "DECIMAL(12,3)"),
            ("f", "DOUBLE"), ("single", "FLOAT"), ("day", "DATE"), ("moment", "TIMESTAMP"), ("fine", "TIMESTAMP_NS"), ("time", "TIME"),
            ("name", "VARCHAR"),
        ]
        let nines = String(repeating: "9", count: 38)
        let values: [[String]] = [
            ["9223372036854775807", "-9223372036854775808", "-7", "0", "3"], [nines, "-" + nines, "0", "-1", "7"],
            ["0.99", "-0.50", "0.05", "0.00", "-0.01"], ["999999999.999", "-999999999.999", "-2.5", "2.5", "0.005"],
            ["NaN", "Infinity", "-Infinity", "0.49999999999999994", "-2.5", "1e300", "0.1"], ["0.1", "NaN", "-1.5", "1e+10"],
            ["2024-02-29", "0044-03-15 (BC)", "infinity", "-infinity", "10000-01-01", "0001-01-01", "5877642-06-25 (BC)"],
            ["1969-12-31 23:59:59.5", "infinity", "2024-12-30 12:00:00.000001", "10000-01-01 00:00:00", "0044-03-15 (BC) 01:02:03"],
            ["1969-12-31 23:59:59.9999999", "2024-12-30 12:00:01", "infinity"], ["24:00:00", "23:59:59.999999", "00:00:00"],
            ["", " ", "e\u{301}", "🙂🙂", "a\tb"],
        ]
        try bridge.run("CREATE TABLE numbers (\(columns.map { "\"\($0)\" \($1)" }.joined(separator: ", ")))")
        for row in 0..<8 {
            let cells = values.map { row < $0.count ? "'\($0[row])'" : "NULL" }
            try bridge.run("INSERT INTO numbers VALUES (\(row), \(cells.joined(separator: ", ")))")
        }
        let table = ServerTable(
            .table(["numbers"]), columns: columns.map { ServerColumn($0, type: ServerType(named: $1, in: .duckDB)) }, hasRowIDs: true)
        let filters = [
            "big + 1 > 5", "big - 1 < 0", "big * 2 = -14", "big * big > 10", "-big > 3", "big / 0 > 1", "abs(big) >= 7",
            "big > 0.5", "big * big * big > 1",
            "big + 1 = 9223372036854775808", "big * big = 85070591730234615847396907784232501249",
            "wide > 0.5", "wide < -0.5", "abs(wide) > 5", "abs(wide) + 1 > 5", "round(wide) = 7", "wide * 1 = 7", "part * 2 < 0",
            "abs(part) = 0.5", "part + 0.01 = 1",
            "round(part, 1) = 0.1", "round(part) = 1", "price * 2 > 3", "price * price > 6", "round(price) = 3", "round(price) = -3",
            "round(price, 2) = 0.01", "round(price, -3) = 1000000000", "floor(price) = -3", "ceil(price) = -2",
            "abs(price) + 0.001 = 1000000000", "price - price = 0", "abs(f) > 1", "-f < 1", "-f != 1",
            "f * 2 > 3", "f - f = 0", "f / 0 > 1", "f / price > 0", "f * price is empty", "price / f != 1", "1 / -f <= 0",
            "big / part <= 0",
            "1 / part != 1", "price / 2 > big / 2", "length(name) / 2 >= 1", "single * 10 = 1",
            "round(f) = 0", "round(f) = -3", "floor(f) < 0", "coalesce(f, 0) = 0", "coalesce(f, price) > 2", "single = 0.1",
            "abs(single) = 1.5", "coalesce(price, 0) = 0", "if(price > 0, price, big) > 2", "year(day) = 2024",
            "year(day) != 2024", "month(day) >= 1", "weekday(day) = 4", "weekday(moment) = 3", "hour(moment) = 23",
            "minute(moment) = 59", "second(moment) = 59.5", "second(fine) = 59.999999", "year(fine) = 1969", "date(fine) = 1969-12-31",
            "hour(time) = 23", "second(time) > 59", "days(day, moment) < 0", "days(day, moment) != 5", "length(name) = 2",
            "length(name) = 0",
            "length(name) + big > 0", "coalesce(name, 'x') = 'x'", "coalesce(price, big) = 0", "not (year(day) > 5)",
            // DuckDB has no decimal type for both numbers, so it compares floating-point numbers.
            "big * big > 0.5", "big * big > price", "-wide < part", "-f > big", "-f != big", "abs(f) < 12345678901234567",
        ]
        try Self.check(filters, table, .duckDB, bridge)
        // A function needs an exact argument, so it is refused for a number that the database would round.
        for text in [
            "round(f, 1) = 0.5", "round(f * 2) = 1", "round(price / 3, 2) = 1", "coalesce(big * big * big, 0) = 1",
            "concat(f * 2, 'x') = 'x'", "if(big > 0, f / 2, 0) > 1",
        ] {
            var query = Query()
            query.filters = [try Formula(text, in: table.schema)]
            #expect(throws: SQLLimitations.self, "\(text)") { try SQLQuery(query, of: table, in: .duckDB) }
        }
    }
}

/// `GRIDVIEW_SQL_SEED` in the environment selects other random queries.
enum Environment {
    static let seed = ProcessInfo.processInfo.environment["GRIDVIEW_SQL_SEED"].flatMap { UInt64($0) } ?? 0
}
