import DataGridQuery
import EngineClient
import EngineProtocol
import FieldValues
import Foundation
import GridTestSupport
import SQLTables
import Tables
import Testing

@testable import ServerTables

/// Tables of Sail, an engine with several processes, whose statements have no parameters and return rows in any order.
@Suite("Tables of Sail", .serialized, .enabled(if: SailServer.isExpected, "Sail or its driver is not installed"))
struct SailTests {
    private static let data = ServerData(count: 3_000, seed: 29, isSQLite: false)
    /// The server that all tests share.
    private static let server = Result { try startServer() }

    private static func startServer() throws -> SailServer {
        let server = try SailServer(try #require(SailServer.installed))
        let connection = EngineConnection(try ConnectionTarget(parsing: server.url), helperPath: helperPath)
        _ = try connection.open()
        defer { connection.close() }
        let columns = "(id bigint, symbol string, price decimal(10, 2), count int, `a \"note\"` string)"
        var statements = ["CREATE TABLE trades \(columns)"]
        // Each statement writes a file, and the files are read in any order.
        for start in stride(from: 0, to: data.rows.count, by: 1_000) {
            let rows = data.rows[start..<start + 1_000].map { row in
                let values = row.enumerated().map { place, text -> String in
                    guard let text else { return "NULL" }
                    return [0, 2, 3].contains(place) ? text : literal(text)
                }
                return "(\(values.joined(separator: ",")))"
            }
            statements.append("INSERT INTO trades VALUES \(rows.joined(separator: ","))")
        }
        statements.append("CREATE TABLE days (id int, day date, moment timestamp_ntz, zoned timestamp) COMMENT 'all days'")
        let days = ["2024-02-29", "2024-03-01", "2024-12-30", "2025-01-01", "1969-12-31", "0001-01-01", "9999-12-31", "2300-08-05"]
        let times = days.map { $0 + " 23:59:59.999999" }
        let rows = zip(days, times).map { "(1, DATE '\($0)', TIMESTAMP_NTZ '\($1)', TIMESTAMP '2026-01-01 00:00:00')" }
        statements.append("INSERT INTO days VALUES \(rows.joined(separator: ",")), (2, NULL, NULL, NULL)")
        statements.append("CREATE VIEW seen AS SELECT * FROM trades WHERE id <= 10")
        for statement in statements { _ = try connection.query(ExecuteRequest(statement)) }
        return server
    }

    private static func literal(_ text: String) -> String {
        "CAST(X'\(text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())' AS string)"
    }

    private func open(_ table: String = "", statement: String? = nil) throws -> any TableSource {
        var opener = ServerOpener(files: NoFiles(), helperPath: helperPath)
        opener.statement = statement
        return try opener.open(path: try Self.server.get().url + table)
    }

    private func source(_ table: String = "", statement: String? = nil) throws -> ServerTableSource {
        try #require(try open(table, statement: statement) as? ServerTableSource)
    }

    @Test func `H2: the list of tables of Sail opens its tables and views`() throws {
        let list = try open()
        let entries = try QueryComparison.texts(list.snapshot(), 0..<list.snapshot().recordCount, columns: 6)
        #expect(
            entries.sorted { ($0[1] ?? "") < ($1[1] ?? "") } == [
                ["default", "days", "table", nil, nil, "all days"], ["default", "seen", "view", nil, nil, nil],
                ["default", "trades", "table", nil, nil, nil],
            ])
        let source = try source("&table=seen")
        #expect(source.dialect == .spark && (0..<5).map(source.title) == ["id", "symbol", "price", "count", "a \"note\""])
        try source.readAll(threads: 1) { _ in true }
        #expect(try QueryComparison.texts(source.snapshot(), 0..<10) == Array(Self.data.rows[..<10]))
        #expect(throws: ServerError.self) { try open("&table=nothing") }
    }

    @Test func `H2: the pages of a Sail table contain each row exactly once, in both directions`() throws {
        let source = try source("&table=default.trades")
        try source.readAll(threads: 1) { _ in true }
        let (table, count) = (source.snapshot(), Self.data.rows.count)
        #expect(table.recordCount == count && table.isComplete)
        let starts = Array(stride(from: 0, to: count, by: 256))
        func pages(_ starts: [Int]) throws -> [[[String?]]] {
            try starts.map { try QueryComparison.texts(table, $0..<min(count, $0 + 256)) }
        }
        let forward = try pages(starts)
        #expect(forward.flatMap { $0 } == Self.data.rows)
        #expect(Array(try pages(Array(starts.reversed())).reversed()) == forward)
    }

    @Test func `H2: queries, statistics and searches in Sail give the same results as for a table in memory`() throws {
        try QueryComparison(Self.data).check(try source("&table=default.trades"), queries: 60)
    }

    @Test func `D23: pivot tables in Sail equal those of a table in memory`() throws {
        try QueryComparison(Self.data).checkPivots(try source("&table=default.trades"))
    }

    @Test func `H2: the periods of dates and times in Sail equal the local periods`() throws {
        let source = try source("&table=days")
        try source.readAll(threads: 1) { _ in true }
        let schema = Schema([
            Field(FieldID(rawValue: 0), name: "id", kind: .integer), Field(FieldID(rawValue: 1), name: "day", kind: .date),
            Field(FieldID(rawValue: 2), name: "moment", kind: .dateTime), Field(FieldID(rawValue: 3), name: "zoned", kind: .dateTime),
        ])
        let table = source.snapshot()
        let local = LocalQueryEngine(threads: 1)
        let memory = MemoryTable(try QueryComparison.texts(table, 0..<table.recordCount, columns: 4))
        func groups(_ field: Field, _ period: GroupInterval.Period, by engine: any QueryEngine, of table: any Table) throws -> [String] {
            var query = Query()
            query.groups = [Query.GroupKey(field.id, by: Query.Comparison(field.kind, of: field), interval: .period(period))]
            let found = try engine.rows(
                of: table, schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
            return try #require(found.groups).groups.map { "\($0.key): \($0.rows.count)" }
        }
        let engine = ServerQueryEngine(local: local)
        for field in schema.fields[1...2] {
            for period in GroupInterval.Period.allCases {
                let found = try groups(field, period, by: engine, of: table)
                #expect(try found == groups(field, period, by: local, of: memory), "\(field.name) by \(period)")
            }
        }
        #expect(throws: ServerError.self) { try groups(schema.fields[3], .month, by: engine, of: table) }
    }

    @Test func `H2: ranges, date parts, lengths and date aggregates computed by Sail equal the local ones`() throws {
        let source = try source("&table=days")
        try source.readAll(threads: 1) { _ in true }
        let schema = Schema([
            Field(FieldID(rawValue: 0), name: "id", kind: .integer), Field(FieldID(rawValue: 1), name: "day", kind: .date),
            Field(FieldID(rawValue: 2), name: "moment", kind: .dateTime), Field(FieldID(rawValue: 3), name: "zoned", kind: .dateTime),
        ])
        let table = source.snapshot()
        let local = LocalQueryEngine(threads: 1)
        let engine = ServerQueryEngine(local: local)
        let memory = MemoryTable(try QueryComparison.texts(table, 0..<table.recordCount, columns: 4))
        func result(_ query: Query, by engine: any QueryEngine, of table: any Table) throws -> QueryResult {
            try engine.rows(of: table, schema: schema, matching: query, earlierFilterResult: nil, control: JobControl(), report: nil)
        }
        let filters = [
            "year(day) >= 2024", "month(moment) = 12", "day(day) < 15", "hour(moment) = 23", "minute(moment) = 59",
            "weekday(day) != 5", "length(day) = 10", "coalesce(id, 5) = 2", "abs(id) = 1", "if(year(day) > 2000, id, 7) = 1",
            "not (year(moment) > 2000)",
        ]
        for text in filters {
            var query = Query()
            query.filters = [try Formula(text, in: schema)]
            let counts = try (result(query, by: engine, of: table).rows?.count, result(query, by: local, of: memory).rows?.count)
            #expect(counts.0 == counts.1 && (counts.0 ?? 9) < 9, "\(text)")
        }
        for text in ["id + 1 = 2", "round(id / 3, 2) = 0", "second(moment) > 5", "year(zoned) = 2026"] {
            var query = Query()
            query.filters = [try Formula(text, in: schema)]
            #expect(throws: ServerError.self, "\(text)") { try result(query, by: engine, of: table) }
        }
        var query = Query()
        query.groups = [Query.GroupKey(schema.fields[0].id, by: .kind(.integer, .point), interval: .bins(ExactDecimal(2)))]
        query.aggregates = [.min, .max, .mean].map { Query.Aggregate($0, of: schema.fields[1].id, kind: .date) }
        let groups = try #require(try result(query, by: engine, of: table).groups)
        let expected = try #require(try result(query, by: local, of: memory).groups)
        #expect(Array(groups.groups) == Array(expected.groups) && groups.groups.count == 2)
        for index in expected.groups.indices {
            let pairs = zip(groups.aggregates(ofGroup: index), expected.aggregates(ofGroup: index))
            #expect(pairs.allSatisfy { QueryComparison.isClose($0, $1) }, "\(index)")
        }
    }

    @Test func `H2: Sail keeps the row order of a statement with ORDER BY, and rows of other statements are sorted`() throws {
        let statements = ["select id, symbol from trades order by id desc -- all": true, "select id from trades": false]
        for (statement, isDescending) in statements {
            let source = try source(statement: statement)
            try source.readAll(threads: 1) { _ in true }
            let rows = try QueryComparison.texts(source.snapshot(), 1_000..<1_600, columns: 1).map { $0[0] }
            let ids = isDescending ? Array(Self.data.rows.reversed()) : Self.data.rows
            #expect(rows == ids[1_000..<1_600].map { $0[0] }, "\(statement)")
        }
        let error = #expect(throws: ServerError.self) { try source(statement: "selec 1") }
        #expect(error?.message.isEmpty == false)
    }

    @Test func `19.7: Sail reads each value that gridview sends, unchanged`() throws {
        let connection = EngineConnection(try ConnectionTarget(parsing: try Self.server.get().url), helperPath: helperPath)
        _ = try connection.open()
        defer { connection.close() }
        let texts = ["", "'", "\\", "\\'", "a\"b`c", "\u{0}", "x'); DROP TABLE trades; --", "Straße", "e\u{301}", "🙂", "\n\t", "%_"]
        let numbers: [Double] = [0.1, -0.0, .leastNonzeroMagnitude, -1.7976931348623157e308, .infinity, -.infinity, .nan]
        let integers: [Int64] = [.min, -1, 0, .max]
        let parameters =
            texts.map { SQLParameter(.text($0), type: "string") } + numbers.map { SQLParameter(.double($0), type: "double") }
            + integers.map { SQLParameter(.integer($0), type: "bigint") } + [SQLParameter(.null, type: "string")]
        let list = parameters.map(SQLDialect.spark.hexadecimalLiteral).joined(separator: ", ")
        let rows = try connection.query(ExecuteRequest("SELECT \(list)")).rows
        for (place, text) in texts.enumerated() { #expect(rows.bytes(row: 0, column: place) == Array(text.utf8), "\(text)") }
        for (place, number) in numbers.enumerated() {
            let found = rows.text(row: 0, column: texts.count + place).flatMap { Double($0) }
            #expect(found == number || found?.isNaN == true && number.isNaN, "\(number)")
        }
        for (place, integer) in integers.enumerated() {
            #expect(rows.text(row: 0, column: texts.count + numbers.count + place) == "\(integer)")
        }
        #expect(rows.isNull(row: 0, column: parameters.count - 1))
    }
}
