import DataGridQuery
import FieldValues
import GridTestSupport
import SQLTables
import Tables
import Testing

/// Names and values in statements, and the types of columns.
@Suite("SQL of names and values")
struct StatementValueTests: StatementSuite {
    @Test func `19.1: in statements about a table, its name is quoted or is a parameter`() {
        #expect(
            SQLDialect.sqlite.firstAndLastRowNumbers(ofTable: "a\"; drop table x--", rowID: "_rowid_", count: 101).text == """
                SELECT count(*), min(r), max(r) FROM (SELECT _rowid_ AS r FROM "a""; drop table x--" ORDER BY _rowid_ LIMIT 101) UNION ALL \
                SELECT count(*), min(r), max(r) FROM (SELECT _rowid_ AS r FROM "a""; drop table x--" ORDER BY _rowid_ DESC LIMIT 101)
                """)
        let size = SQLDialect.duckDB.byteCount(ofTable: ["my schema", "a\"; drop table x--"])
        #expect(size.text.hasSuffix("FROM pragma_storage_info($1::text)"))
        #expect(size.parameters == [SQLParameter(.text("\"my schema\".\"a\"\"; drop table x--\""), type: "text")])
    }

    @Test func `19.5: the shown SQL for SQLite has negative numbers as numbers, not as text`() throws {
        for (number, text) in [("-2.5", "(-2.5)"), ("-1e-7", "(-1e-07)"), ("-5", "(-5)"), ("2.5", "2.5")] {
            let table = Self.table(.sqlite)
            var query = Query()
            query.filters = [try Filter("price < \(number)", in: table.schema).formula]
            let statement = try SQLQuery(query, of: table, in: .sqlite).count()
            #expect(statement.readableText(in: .sqlite).contains("\"price\" < \(text)"), "\(statement.readableText(in: .sqlite))")
        }
    }

    @Test func `H1: values in statements for engines without parameters are written as hexadecimal digits`() throws {
        func text(_ value: SQLValue, _ type: String) -> String { SQLDialect.spark.hexadecimalLiteral(SQLParameter(value, type: type)) }
        #expect(text(.invalidText([0xFF, 0x41]), "string") == "CAST(X'ff41' AS string)")
        #expect(text(.text("a'\\\"`\u{0}é"), "string") == "CAST(X'61275c226000c3a9' AS string)")
        #expect(text(.text(""), "string") == "CAST(X'' AS string)" && text(.null, "string") == "CAST(NULL AS string)")
        #expect(text(.text("-1.5"), "decimal(38, 10)") == "CAST(CAST(X'2d312e35' AS string) AS decimal(38, 10))")
        #expect(text(.integer(.min), "bigint") == "CAST(-9223372036854775808 AS bigint)")
        #expect(text(.double(.nan), "double") == "CAST(CAST(X'6e616e' AS string) AS double)")
        #expect(text(.bytes([0, 255]), "binary") == "CAST(X'00ff' AS binary)")
        var random = SplitMix64(seed: 198)
        for value in RandomTable.texts + (0..<100).map({ _ in Self.randomText(&random) }) where !value.utf8.contains(0) {
            var query = Query()
            query.filters = [.call(.equal, [.field(FieldID(rawValue: 2)), .constant(.text(value))])]
            let statement = try SQLQuery(query, of: Self.table(.spark), in: .spark).count()
            #expect(statement.parameters.isEmpty)
            // Without the name of the table, the text has only the characters of the program.
            let rest = statement.text.replacing("`a\"; drop table x--`", with: "")
            #expect(rest.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0123456789 .,=<>()_'`*".unicodeScalars.contains($0) })
            #expect(rest.unicodeScalars.allSatisfy(\.isASCII) && rest.count { $0 == "'" }.isMultiple(of: 2), "\(statement.text)")
        }
    }

    private static func randomText(_ random: inout SplitMix64) -> String {
        let scalars = (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...0x2FF, using: &random))
        }
        return String(String.UnicodeScalarView(scalars))
    }

    @Test func `H1: values never become part of the text of a statement, except as digits`() throws {
        var random = SplitMix64(seed: 197)
        var count = 0
        // These values cannot occur in a statement by chance.
        let marks = ["zq1'zq", "zq2\"zq", "zq3;zq", "zq4--zq", "zq5\\zq", "zq6%_zq", "zq7/*zq"]
        let numbers: [Int128] = [907_856_341_201, -778_899_665_544]
        for seed in 0..<60 as Range<UInt64> {
            for dialect in [SQLDialect.postgreSQL, .sqlite, .duckDB, .spark, .ansi] {
                var source =
                    dialect.family == .sqlite
                    ? RandomTable.sqlite(&random, named: "x") : RandomTable.postgres(&random, named: "x")
                source.table.estimatedRows = 10
                var queries = RandomQueries(
                    random: SplitMix64(seed: seed), schema: source.table.schema, values: source.columns.map { _ in marks })
                func marked(_ formula: Formula) -> Formula {
                    switch formula {
                    case .constant(.text): return .constant(.text(queries.pick(marks)))
                    case .constant(.number(let number)) where number.digits == 0 && number.mantissa > 20:
                        return .constant(.number(ExactDecimal(queries.pick(numbers))))
                    case .call(let function, let arguments) where function != .matches && function != .matchesIgnoringCase:
                        return .call(function, arguments.map(marked))
                    default: return formula
                    }
                }
                var query = queries.query()
                query.filters = query.filters.map(marked)
                query.groups = [Query.GroupKey(FieldID(rawValue: 0), by: .kind(.integer, .point))]
                guard let compiled = try? SQLQuery(query, of: source.table, in: dialect) else { continue }
                let key = RowKey((0..<compiled.keyCount).map { _ in compiled.usesBlocks ? .text("(0,1)") : .text(queries.pick(marks)) })
                var statements: [SQLStatement] = []
                let section: [GroupValue] = [.value("907856341201")]
                for request: PageRequest in [.first(3), .last(3), .after(key, 3), .before(key, 3)] {
                    if let page = try? compiled.page(request, in: section, matching: .call(.anyFieldContains, [.constant(.text("zq1'zq"))]))
                    {
                        statements.append(page.statement)
                    }
                }
                if let count = try? compiled.count(matching: .call(.anyFieldContains, [.constant(.text("zq3;zq"))])) {
                    statements.append(count)
                }
                if let groups = try? compiled.groups(limit: 10) { statements.append(groups.statement) }
                if let rank = try? compiled.rank(of: key) { statements.append(rank) }
                if let cell = try? compiled.cell(FieldID(rawValue: 0), of: key, from: 3, count: 5) { statements.append(cell) }
                for statement in statements {
                    count += 1
                    #expect(!statement.text.contains("zq") && !statement.text.contains("907856341201"), "\(statement.text)")
                    #expect(!statement.text.contains("778899665544") && !statement.text.contains("OFFSET"), "\(statement.text)")
                    // Quoted names are removed; the rest has neither comments nor several statements.
                    var rest = ""
                    var quote: Character?
                    for character in statement.text {
                        if let open = quote {
                            if character == open { quote = nil }
                        } else if character == "\"" || character == "`" || character == "'" {
                            quote = character
                        } else {
                            rest.append(character)
                        }
                    }
                    #expect(!rest.contains("drop") && !rest.contains("--") && !rest.contains(";") && quote == nil, "\(statement.text)")
                    guard dialect.family == .postgreSQL else { continue }
                    // A name of one letter is an alias. Names with capital letters are syntax.
                    let functions = rest.matches(of: /([\w.]+)\(/).map { String($0.1) }.filter { $0.count > 1 && $0.lowercased() == $0 }
                    let syntax: Set = ["coalesce", "extract", "greatest", "least"]
                    #expect(functions.allSatisfy { syntax.contains($0) || $0.hasPrefix("pg_catalog.") }, "\(functions)")
                }
            }
        }
        #expect(count > 400)
    }

    @Test(.enabled(if: PostgresServer.isInstalled)) func `19.6: network addresses have the same text as on the server`() throws {
        let server = try PostgresServer.start()
        defer { server.stop() }
        let bridge = try server.connect()
        let values = ["10.0.0.1", "10.0.0.1/8", "::1", "fe80::1/64", "192.168.0.0/16"]
        try bridge.run("CREATE TABLE hosts (id integer PRIMARY KEY, i inet, c cidr, a inet[])")
        for (id, value) in values.enumerated() {
            try bridge.run("INSERT INTO hosts VALUES (\(id), '\(value)', network('\(value)'), '{\(value)}')")
        }
        let columns = [("id", "integer"), ("i", "inet"), ("c", "cidr"), ("a", "inet[]")]
        let table = ServerTable(
            .table(["hosts"]), columns: columns.map { ServerColumn($0, type: ServerType(named: $1, in: .postgreSQL)) },
            keys: [ServerKey(columns: [0], isPrimary: true)])
        let rows = try ContractTests.content(of: table, .postgreSQL, bridge).map { $0.cells.compactMap(ContractTests.text) }
        let printed = try server.psql("SELECT * FROM hosts ORDER BY id").split(separator: "\n")
        #expect(rows.map { $0.joined(separator: "|") } == printed.map(String.init) && rows.map { $0[1] } == values)
        // Filters compare the text that is shown.
        var query = Query()
        query.filters = [.call(.equal, [.field(FieldID(rawValue: 1)), .constant(.text("::1"))])]
        let page = try SQLQuery(query, of: table, in: .postgreSQL).page(.first(10))
        #expect(page.rows(try bridge.run(page.statement)).map { $0.cells[0] } == [.text("2")])
    }

    @Test(
        arguments: [
            ("bigint", ServerType.Storage.integer), ("INT64", .integer), ("uint32", .integer), ("uint64", .numeric(scale: 0)),
            ("float64", .double), ("utf8", .text), ("decimal(9, 2)", .numeric(scale: 2)), ("timestamp", .dateTime),
            ("timestamp(3)", .dateTime), ("timestamp(3) without time zone", .dateTime), ("timestamp(Europe/Berlin)", .zonedDateTime),
            ("timestamp(+01:00)", .zonedDateTime), ("TIMESTAMP_NS", .dateTime), ("list<int64>", .opaque),
        ])
    func `H1: types are recognized by their names in databases and in Arrow`(_ name: String, _ storage: ServerType.Storage) {
        #expect(ServerType(named: name, in: .duckDB).storage == storage)
    }
}
