import DataGridQuery
import FieldValues
import GridTestSupport
import SQLTables
import Tables
import Testing

/// Groups, aggregates and searches on real engines.
@Suite("SQL groups and aggregates")
struct GroupTests {
    /// One group of an outline with the groups inside it.
    struct Node: Equatable, CustomStringConvertible {
        var path: [String]
        var rows: [Int]
        var description: String { "\(path): \(rows)" }
    }

    static func key(_ value: GroupValue) -> String {
        switch value {
        case .value(let text): text
        case .other: GroupInterval.otherKey
        case .empty: ""
        }
    }

    /// Compares random groups of one table.
    static func check(
        _ table: RandomTable, _ dialect: SQLDialect, _ bridge: Bridge, seed: UInt64, queries count: Int,
        _ report: inout ContractTests.Report
    ) throws {
        let content = try ContractTests.content(of: table.table, dialect, bridge)
        var local = MemoryTable(content.map { $0.cells.map(ContractTests.text) })
        local.columnCount = table.columns.count
        let places = Dictionary(
            uniqueKeysWithValues: content.enumerated().map { (ContractTests.text($0.element.cells[0]) ?? "", $0.offset) })
        let schema = table.table.schema
        var queries = RandomQueries(random: SplitMix64(seed: seed), schema: schema, values: table.columns.map(\.values))
        for number in 0..<count {
            var query = queries.query()
            query.derived = []
            queries.schema = schema
            query.filters = []
            query.sort.removeAll { schema[$0.field] == nil }
            for _ in 0..<queries.pick([1, 1, 2]) {
                let field = queries.field()
                var interval: GroupInterval?
                if queries.chance(40) {
                    let choices: [GroupInterval] =
                        field.kind.isNumber
                        ? [.bins(ExactDecimal(2)), .bins(ExactDecimal(5, digits: 1)), .bins(ExactDecimal(10))]
                        : field.kind == .time ? [.period(.hour)] : GroupInterval.Period.allCases.map { .period($0) }
                    let choice = queries.pick(choices)
                    if field.kind != .text, choice.applies(to: field.kind) { interval = choice }
                }
                let order: Query.GroupKey.Order = queries.pick([.value, .value, .rowCount, .aggregate(0)])
                let comparison: Query.Comparison =
                    interval != nil ? Query.Comparison(field.kind, of: field) : queries.comparison(field)
                query.groups.append(
                    Query.GroupKey(
                        field.id, by: comparison, order: order, isDescending: Bool.random(using: &queries.random), interval: interval))
            }
            for place in 0..<2 {
                let field = queries.field()
                let functions = AggregateFunction.allCases.filter {
                    $0.isDefined(for: field.kind) && !$0.returnsCell && (place > 0 || $0 != .share)
                }
                query.aggregates.append(Query.Aggregate(queries.pick(functions), of: field.id, kind: field.kind))
            }
            // Aggregates of infinite, of large and of real numbers can sort differently if they are computed in floating point.
            let first = query.aggregates[0]
            let values = table.columns[first.field.rawValue].values
            let isRounded = ["Infinity", "1e+300", "1e+10"].contains { values.contains($0) } || values == RandomTable.bigIntegers
            if isRounded, ![.count, .distinct, .min, .max].contains(first.function),
                query.groups.contains(where: { $0.order == .aggregate(0) })
            {
                continue
            }
            let compiled: SQLQuery
            do {
                compiled = try SQLQuery(query, of: table.table, in: dialect)
            } catch {
                for reason in error.reasons { report.reasons[reason.reason.prefix(50).description, default: 0] += 1 }
                continue
            }
            let result = try LocalQueryEngine(threads: 1)
                .rows(of: local, schema: schema, matching: query, earlierFilterResult: nil, control: JobControl())
            let description = "\(query.groups) \(query.aggregates) \(query.sort)"
            guard let groups = result.groups else { continue }
            let order = groups.order.map { $0 }
            var expected: [Node] = []
            var path: [String] = []
            for group in groups.groups {
                path = path.prefix(group.level) + [group.key]
                expected.append(Node(path: path, rows: Array(order[group.rows])))
            }
            do {
                var found: [Node] = []
                var values: [[SQLValue]] = []
                var innermost: [[GroupValue]] = []
                func walk(_ section: [GroupValue], _ path: [String]) throws {
                    var quick = compiled
                    quick.skipsNaNTests = number % 2 == 0
                    var statement = try quick.groups(in: section, limit: 1_000)
                    var result = try bridge.run(statement.statement)
                    if statement.mustTestForNaN(result) {
                        statement = try compiled.groups(in: section, limit: 1_000)
                        result = try bridge.run(statement.statement)
                        #expect(!statement.mustTestForNaN(result))
                    }
                    let (groups, isTruncated) = statement.groups(result)
                    #expect(!isTruncated)
                    for group in groups {
                        let inner = section + [group.value]
                        let page = try compiled.page(compiled.usesBlocks ? .blocks(0..<1_000) : .first(1_000), in: inner)
                        let rows = page.rows(try bridge.run(page.statement)).map { places[ContractTests.text($0.cells[0]) ?? ""] ?? -1 }
                        found.append(Node(path: path + [key(group.value)], rows: rows))
                        values.append(group.aggregates)
                        if group.count != Int64(rows.count) { report.failures.append("count of \(inner): \(description)") }
                        if inner.count < query.groups.count { try walk(inner, path + [key(group.value)]) } else { innermost.append(inner) }
                    }
                }
                try walk([], [])
                report.compared += 1
                if query.groups.contains(where: { if case .bins = $0.interval { true } else { false } }) { report.ranges += 1 }
                if query.aggregates.contains(where: { $0.kind.isTemporal && $0.function != .count && $0.function != .distinct }) {
                    report.temporal += 1
                }
                // Locally, the rows of an outer group are in the order of its inner groups; on the server, in the order of the query.
                let isSame =
                    found.count == expected.count
                    && zip(found, expected).allSatisfy {
                        $0.path == $1.path
                            && ($0.path.count == query.groups.count ? $0.rows == $1.rows : $0.rows.sorted() == $1.rows.sorted())
                    }
                guard isSame else {
                    report.failures.append("\(description)\n got \(found)\nwant \(expected)\n\(try compiled.groups(limit: 9).statement)")
                    continue
                }
                // One statement returns the rows of all innermost groups.
                let names = FieldID(rawValue: 0)
                let leaves = expected.filter { $0.path.count == query.groups.count }
                let expectedLeaves = (paths: leaves.flatMap { leaf in leaf.rows.map { _ in leaf.path } }, rows: leaves.flatMap(\.rows))
                func compare(_ statement: SQLStatement, path: ([SQLValue]) -> [String]?) throws {
                    let result = try bridge.run(statement)
                    let rows = result.map { places[ContractTests.text($0[0]) ?? ""] ?? -1 }
                    let paths = result.map { path(Array($0.dropFirst())) ?? [] }
                    guard rows != expectedLeaves.rows || paths != expectedLeaves.paths else { return }
                    report.failures.append("\(description)\n got \(paths) \(rows)\nwant \(expectedLeaves)\n\(statement)")
                }
                if query.groups.allSatisfy({ $0.order == .value }), let statement = try compiled.rowsBySection(of: [names]) {
                    try compare(statement) { SQLQuery.section($0)?.map(key) }
                }
                if !innermost.isEmpty {
                    try compare(try compiled.rows(inSections: innermost, of: [names])) { values in
                        values[0].number.map { innermost[Int($0)].map(key) }
                    }
                }
                for (index, own) in values.enumerated() {
                    for (place, value) in own.enumerated() {
                        let expected = groups.aggregates(ofGroup: index)[index * 2 + place]
                        if !isNear(value, expected, query.aggregates[place], table.columns[query.aggregates[place].field.rawValue]) {
                            report.failures.append("\(query.aggregates[place]) of \(found[index]) got \(value) want \(expected)")
                        }
                    }
                }
            } catch let error as Bridge.Failure where error.description.contains("value out of range") {
                report.reasons["overflow", default: 0] += 1
            } catch {
                report.failures.append("\(description)\n\(error)")
            }
        }
    }

    static func isNear(_ value: SQLValue, _ reference: AggregateValue, _ aggregate: Query.Aggregate, _ column: RandomTable.Column) -> Bool {
        let found: Double? =
            switch value {
            case .null: nil
            case .integer(let number): Double(number)
            case .double(let number): number
            case .text(let text): Double(text)
            case .bytes, .invalidText: nil
            }
        let expected: Double? =
            switch reference {
            case .none, .record: nil
            case .integer(let number): Double(number)
            case .decimal(let number): number
            case .exact(let number): number.double
            }
        // Engines compute sums and standard deviations of infinite values differently.
        if column.values.contains("Infinity") { return true }
        guard let found, let expected else { return found == nil && (expected == nil || expected?.isNaN == true) }
        if found == expected || found.isNaN && expected.isNaN { return true }
        // Floating-point numbers are added in a different order.
        let scale =
            column.values.contains("1e+300")
            ? 1e300 : column.values == RandomTable.bigIntegers ? 1e19 : max(abs(found), abs(expected), 1e-300)
        return abs(found - expected) <= 1e-9 * scale || aggregate.function == .standardDeviation && abs(found - expected) < 1e-3 * scale
    }

    @Test func `H1: groups on SQLite have the keys, rows and aggregates of the local engine`() throws {
        let folder = try TemporaryFolder()
        let report = try ContractTests.compare(
            "SQLite groups", atLeast: 200, seed: 193, in: Bridge.sqlite(folder), RandomTable.sqlite
        ) { try Self.check($0, .sqlite, $1, seed: $2, queries: 30, &$3) }
        #expect(report.compared >= 200)
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `H1: groups on PostgreSQL have the keys, rows and aggregates of the local engine`() throws {
        let server = try PostgresServer.start()
        defer { server.stop() }
        let report = try ContractTests.compare(
            "PostgreSQL groups", atLeast: 300, seed: 194, in: server.connect(), RandomTable.postgres
        ) { try Self.check($0, .postgreSQL, $1, seed: $2, queries: 30, &$3) }
        #expect(report.compared >= 300)
    }

    @Test(
        .enabled(if: DuckDBDriver.installed != nil, "DuckDB for Python is not installed"))
    func `H1: groups on DuckDB have the keys, rows and aggregates of the local engine`() throws {
        let folder = try TemporaryFolder()
        let report = try ContractTests.compare(
            "DuckDB groups", atLeast: 400, seed: 197, in: try Bridge.duckDB(folder), RandomTable.duckDB
        ) { try Self.check($0, .duckDB, $1, seed: $2, queries: 30, &$3) }
        #expect(report.compared >= 400 && report.ranges > 20 && report.temporal > 20)
    }

    @Test(
        .enabled(if: DuckDBDriver.installed != nil, "DuckDB for Python is not installed"))
    func `groups by range on DuckDB equal the local ones for all numeric types and for numbers out of range`() throws {
        let folder = try TemporaryFolder()
        let bridge = try Bridge.duckDB(folder)
        defer { bridge.close() }
        let columns = [
            ("id", "INTEGER"), ("small", "SMALLINT"), ("big", "BIGINT"), ("price", "DECIMAL(12,3)"), ("wide", "DECIMAL(38,4)"),
            ("f", "DOUBLE"), ("single", "FLOAT"),
        ]
        let values: [[String]] = [
            ["-32768", "32767", "-1", "0", "9"], ["9223372036854775807", "-9223372036854775808", "-1", "10", "-10"],
            ["-0.001", "0.499", "0.5", "-999999999.999", "2"],
            ["9" + String(repeating: "9", count: 32), "-0.0001", "0.5", "2", "100000000000000000"],
            ["0.5", "-0.5", "1e-30", "-1e-30", "1e300", "NaN", "Infinity", "-Infinity", "1e17", "-0.30000000000000004", "2"],
            ["0.5", "-0.1", "NaN", "16777216"],
        ]
        try bridge.run("CREATE TABLE numbers (\(columns.map { "\"\($0)\" \($1)" }.joined(separator: ", ")))")
        for row in 0..<12 {
            let cells = values.map { row < $0.count ? "'\($0[row])'" : "NULL" }
            try bridge.run("INSERT INTO numbers VALUES (\(row), \(cells.joined(separator: ", ")))")
        }
        let table = ServerTable(
            .table(["numbers"]), columns: columns.map { ServerColumn($0, type: ServerType(named: $1, in: .duckDB)) }, hasRowIDs: true)
        let local = MemoryTable(try ContractTests.content(of: table, .duckDB, bridge).map { $0.cells.map(ContractTests.text) })
        for field in table.schema.fields {
            for width in [ExactDecimal(1), ExactDecimal(10), ExactDecimal(5, digits: 1), ExactDecimal(25, digits: 2)] {
                var query = Query()
                query.groups = [Query.GroupKey(field.id, by: Query.Comparison(field.kind, of: field), interval: .bins(width))]
                let compiled = try SQLQuery(query, of: table, in: .duckDB)
                let statement = try compiled.groups(limit: 100)
                let found = statement.groups(try bridge.run(statement.statement)).groups
                let result = try LocalQueryEngine(threads: 1)
                    .rows(of: local, schema: table.schema, matching: query, earlierFilterResult: nil, control: JobControl())
                let expected = try #require(result.groups).groups.map { "\($0.key): \($0.rows.count)" }
                #expect(found.map { "\(Self.key($0.value)): \($0.count)" } == expected, "\(field.name) by \(width.text)")
                for group in found {
                    let page = try compiled.page(.first(100), in: [group.value])
                    #expect(try page.rows(bridge.run(page.statement)).count == group.count, "\(field.name): \(group.value)")
                }
            }
        }
    }

    @Test(
        .enabled(if: DuckDBDriver.installed != nil, "DuckDB for Python is not installed"))
    func `H1: groups by period on DuckDB equal the local ones for all types, infinity and unreadable years`() throws {
        let folder = try TemporaryFolder()
        let bridge = try Bridge.duckDB(folder)
        let columns = [
            ("id", "INTEGER"), ("day", "DATE"), ("moment", "TIMESTAMP"), ("fine", "TIMESTAMP_NS"), ("whole", "TIMESTAMP_S"),
            ("zoned", "TIMESTAMPTZ"), ("time", "TIME"),
        ]
        let moments =
            RandomTable.moments + ["1969-12-31 23:59:59.999999", "2024-12-30 00:00:00", "1700-01-01 23:59:59.9999999", "infinity"]
        let far = ["0001-01-01", "9999-12-31", "10000-01-01", "0044-03-15 (BC)", "infinity", "-infinity"]
        let days = RandomTable.dates + far + ["5877642-06-25 (BC)"]
        let times = RandomTable.times + ["24:00:00"]
        try bridge.run("CREATE TABLE moments (\(columns.map { "\"\($0)\" \($1)" }.joined(separator: ", ")))")
        for row in 0..<16 {
            func value(_ texts: [String]) -> String { row < texts.count ? "'\(texts[row])'" : "NULL" }
            let moment = value(moments)
            let whole = value(moments.dropLast())
            let zoned = value(moments.dropLast(2).map { $0 + "+02" } + ["infinity"])
            let plain = value(moments + far.prefix(3).map { $0 + " 23:30:00" })
            try bridge.run(
                "INSERT INTO moments VALUES (\(row), \(value(days)), \(plain), \(moment), \(whole), \(zoned), \(value(times)))")
        }
        let table = ServerTable(
            .table(["moments"]), columns: columns.map { ServerColumn($0, type: ServerType(named: $1, in: .duckDB)) }, hasRowIDs: true)
        #expect(try Self.checkPeriods(of: table, .duckDB, bridge) == 31)
    }

    @Test(
        .enabled(if: PostgresServer.isInstalled))
    func `19.5: groups by period on PostgreSQL equal the local ones, even for dates BC, infinity and the time 24:00`() throws {
        let server = try PostgresServer.start()
        defer { server.stop() }
        let bridge = try server.connect()
        let columns = [
            ("id", "integer"), ("day", "date"), ("moment", "timestamp without time zone"), ("zoned", "timestamp with time zone"),
            ("time", "time without time zone"),
        ]
        // The day has the month and the year number of another day, but BC.
        let days = RandomTable.dates + ["0044-03-15", "0044-03-15 BC", "10000-01-01", "infinity", "-infinity"]
        let moments = RandomTable.moments + ["0044-03-15 00:00:00", "0044-03-15 23:30:00 BC", "10000-01-01 00:00:00", "infinity"]
        let zoned = RandomTable.moments.map { $0 + "+02" } + ["0044-03-15 23:30:00+00 BC", "10000-01-01 00:00:00+00", "-infinity"]
        let times = RandomTable.times + ["24:00:00"]
        try bridge.run("CREATE TABLE moments (\(columns.map { "\"\($0)\" \($1)" }.joined(separator: ", ")))")
        for row in 0..<14 {
            func value(_ texts: [String]) -> String { row < texts.count ? "'\(texts[row])'" : "NULL" }
            try bridge.run("INSERT INTO moments VALUES (\(row), \(value(days)), \(value(moments)), \(value(zoned)), \(value(times)))")
        }
        let table = ServerTable(
            .table(["moments"]), columns: columns.map { ServerColumn($0, type: ServerType(named: $1, in: .postgreSQL)) }, hasRowIDs: true)
        #expect(try Self.checkPeriods(of: table, .postgreSQL, bridge) == 19)
    }

    /// Compares the groups by each period of each column with those of the same table in memory.
    /// - Returns: The number of comparisons.
    private static func checkPeriods(of table: ServerTable, _ dialect: SQLDialect, _ bridge: Bridge) throws -> Int {
        let local = MemoryTable(try ContractTests.content(of: table, dialect, bridge).map { $0.cells.map(ContractTests.text) })
        var count = 0
        for field in table.schema.fields {
            for period in GroupInterval.Period.allCases where GroupInterval.period(period).applies(to: field.kind) {
                var query = Query()
                query.groups = [Query.GroupKey(field.id, by: Query.Comparison(field.kind, of: field), interval: .period(period))]
                let compiled = try SQLQuery(query, of: table, in: dialect)
                let statement = try compiled.groups(limit: 100)
                let found = statement.groups(try bridge.run(statement.statement)).groups
                let result = try LocalQueryEngine(threads: 1)
                    .rows(of: local, schema: table.schema, matching: query, earlierFilterResult: nil, control: JobControl())
                let expected = try #require(result.groups).groups.map { "\($0.key): \($0.rows.count)" }
                #expect(found.map { "\(Self.key($0.value)): \($0.count)" } == expected, "\(field.name) by \(period)")
                for group in found {
                    let page = try compiled.page(compiled.usesBlocks ? .blocks(0..<100) : .first(100), in: [group.value])
                    #expect(try page.rows(bridge.run(page.statement)).count == group.count, "\(field.name) by \(period): \(group.value)")
                }
                count += 1
            }
        }
        return count
    }
}
