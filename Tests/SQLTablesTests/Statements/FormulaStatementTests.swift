import DataGridQuery
import FieldValues
import SQLTables
import Tables
import Testing

/// Formulas, filters and searches in statements.
@Suite("SQL of formulas")
struct FormulaStatementTests: StatementSuite {
    @Test func `D7: a division by zero is NULL in each database`() throws {
        func statement(_ filter: String, _ dialect: SQLDialect = .postgreSQL) throws -> String {
            let table = Self.table(dialect)
            var query = Query()
            query.filters = [try Filter(filter, in: table.schema).formula]
            return try SQLQuery(query, of: table, in: dialect).page(.first(5), of: [FieldID(rawValue: 0)]).statement.text
        }
        #expect(try statement("price / id > 1").contains(#"CASE WHEN (CAST(t."id" AS numeric)) = 0 THEN NULL WHEN "#))
        #expect(try statement("price / id != 1").contains(" IS NULL)"))
        for (dialect, quotient) in [
            (
                SQLDialect.sqlite,
                #"NULLIF(NULLIF((CAST(t."price" AS REAL) / NULLIF(CAST(t."id" AS REAL), 0)), 9e999), -9e999)"#
            ),
            (
                .duckDB,
                """
                NULLIF(NULLIF(NULLIF((CAST(CAST(t."price" AS decimal(10, 2)) AS double) \
                / NULLIF(CAST(CAST(t."id" AS decimal(19, 0)) AS double), 0)), 'Infinity'), '-Infinity'), 'NaN')
                """
            ),
        ] {
            #expect(try statement("price / id > 1", dialect).contains("(\(quotient)) > "))
            #expect(try statement("price / id != 1", dialect).contains("(\(quotient)) IS NULL)"))
        }
    }

    @Test func `D7: a comparison computes with floating-point numbers only where the database has no exact decimals`() throws {
        func statement(_ dialect: SQLDialect, _ change: (inout Query, Schema) throws -> Void) throws -> String? {
            let table = Self.table(dialect)
            var query = Query()
            try change(&query, table.schema)
            guard let compiled = try? SQLQuery(query, of: table, in: dialect) else { return nil }
            return try compiled.count().text
        }
        for (formula, rounding) in [
            ("price * id", [SQLDialect.sqlite]), ("id * 2 + 1", []), ("-price", []), ("id * id * id", [.duckDB]),
            ("price / id", [.sqlite, .duckDB]), ("price / id + 1", [.postgreSQL, .sqlite, .duckDB]),
        ] {
            for dialect in [SQLDialect.postgreSQL, .sqlite, .duckDB] {
                let type = dialect.family == .sqlite ? "AS REAL" : dialect.family == .duckDB ? "AS double)" : "AS double precision) +"
                let filter = try #require(try statement(dialect) { $0.filters = [try Formula("\(formula) > 1", in: $1)] })
                #expect(filter.contains(type) == rounding.contains(dialect), "\(formula): \(filter)")
                // Inside a function, the number must be exact.
                let function = try statement(dialect) { $0.filters = [try Formula("round(\(formula), 1) > 1", in: $1)] }
                let isExact = !rounding.contains(dialect) && (dialect.family != .sqlite || !formula.contains("price"))
                #expect((function != nil) == isExact, "\(formula) \(dialect.name)")
                // So must the numbers of a comparison in a computed column, which shows the result.
                let column = try statement(dialect) { query, schema in
                    query.derived = [try DerivedField("c = if(\(formula) > 1, 'x', 'y')", id: .firstDerived, in: schema)]
                    query.filters = [.call(.equal, [.field(.firstDerived), .constant(.text("x"))])]
                }
                #expect((column != nil) == !rounding.contains(dialect), "\(formula) \(dialect.name)")
                // In a filter, so must the numbers in the arguments of a function.
                for filter in ["abs(\(formula)) > 1", "if(\(formula) > 1, 1, 0) = 1"] {
                    let inFunction = try statement(dialect) { $0.filters = [try Formula(filter, in: $1)] }
                    #expect((inFunction != nil) == !rounding.contains(dialect), "\(filter) \(dialect.name)")
                }
            }
        }
        for dialect in [SQLDialect.postgreSQL, .sqlite, .duckDB] {
            #expect(try statement(dialect) { $0.filters = [try Filter("id * id * 2 < 1e40", in: $1).formula] } != nil)
        }
        // The product has 38 digits before the decimal point, so no decimal type of DuckDB has digits for both numbers.
        let compared = try #require(try statement(.duckDB) { $0.filters = [try Formula("id * id > 0.5", in: $1)] })
        #expect(compared.contains("AS double)"), "\(compared)")
    }

    @Test func `H1: a chain of derived fields is refused if the repeated use of each field makes the SQL too long`() throws {
        let table = Self.table(.sqlite)
        func id(_ number: Int) -> FieldID { number == 0 ? FieldID(rawValue: 0) : FieldID(rawValue: FieldID.firstDerived.rawValue + number) }
        func chain(_ count: Int, uses: Int) -> Query {
            var query = Query()
            query.derived = (1...count).map { number in
                let formula = Formula.call(.concat, Array(repeating: .field(id(number - 1)), count: uses))
                return DerivedField(Field(id(number), name: "d\(number)", kind: .text), formula)
            }
            return query
        }
        let short = try SQLQuery(chain(8, uses: 2), of: table, in: .sqlite).page(.first(1)).statement.text
        #expect(short.utf8.count < 100_000)
        let reasons = ["The formula is too long for an SQL statement.", "A column that it uses cannot be computed."]
        for (count, uses) in [(40, 2), (3, 30_000)] {
            let refused = try #require(throws: SQLLimitations.self) { try SQLQuery(chain(count, uses: uses), of: table, in: .sqlite) }
            #expect(Set(refused.reasons.map(\.reason)) == Set(reasons))
        }
        var query = chain(8, uses: 2)
        query.filters = [.call(.equal, [.call(.concat, Array(repeating: .field(id(8)), count: 1_000)), .constant(.text("x"))])]
        let refused = try #require(throws: SQLLimitations.self) { try SQLQuery(query, of: table, in: .sqlite) }
        #expect(refused.reasons.map(\.reason) == [reasons[0]])
    }

    @Test func `a formula whose SQL doubles with each nested call is refused before the SQL is created`() throws {
        let id = FieldID(rawValue: 0)
        func nested(_ depth: Int) -> Formula {
            depth == 0 ? .field(id) : .call(.conditional, [.call(.isEmpty, [nested(depth - 1)]), .constant(.text("a")), .field(id)])
        }
        for dialect in [SQLDialect.sqlite, .postgreSQL, .duckDB, .spark] {
            let type = ServerType(named: dialect.family == .spark ? "string" : "text", in: dialect)
            let table = ServerTable(.table(["t"]), columns: [ServerColumn("name", type: type)])
            var (filtered, derived) = (Query(), Query())
            filtered.filters = [.call(.isEmpty, [nested(60)])]
            derived.derived = [DerivedField(Field(.firstDerived, name: "d", kind: .text), nested(60))]
            for query in [filtered, derived] {
                let refused = try #require(throws: SQLLimitations.self) { try SQLQuery(query, of: table, in: dialect) }
                #expect(refused.reasons.map(\.reason) == ["The formula is too long for an SQL statement."])
            }
            filtered.filters = [.call(.isEmpty, [nested(5)])]
            #expect(throws: Never.self) { try SQLQuery(filtered, of: table, in: dialect) }
        }
    }

    @Test func `typed columns of SQLite call a function only for the text of values of another type`() throws {
        let columns = [("name", "TEXT"), ("size", "INTEGER"), ("mix", "")].map {
            ServerColumn($0, type: ServerType(named: $1, in: .sqlite), hasUniformType: false)
        }
        let table = ServerTable(.table(["t"]), columns: columns, hasRowIDs: true)
        let texts = [
            "CASE WHEN typeof(t.\"name\") = 'text' THEN t.\"name\" ELSE gridview_value(t.\"name\", 'text') END",
            "CASE WHEN typeof(t.\"size\") = 'integer' THEN CAST(t.\"size\" AS TEXT) ELSE gridview_value(t.\"size\", 'text') END",
            "gridview_value(t.\"mix\", 'text')",
        ]
        for (column, text) in texts.enumerated() {
            var query = Query()
            query.sort = [Query.SortKey(FieldID(rawValue: column), by: .text)]
            let statement = try SQLQuery(query, of: table, in: .sqlite).page(.first(10), of: [FieldID(rawValue: 0)]).statement.text
            #expect(statement.contains(text), "\(statement)")
        }
        // A text is only equal to a blob if it has the form of the text of a blob.
        for (text, isBlob) in [("x", false), ("0xff", true), ("0xfg", false), ("0xfff", false), ("0x", true), ("0xFF", false)] {
            var query = Query()
            query.filters = [.call(.equal, [.field(FieldID(rawValue: 0)), .constant(.text(text))])]
            let statement = try SQLQuery(query, of: table, in: .sqlite).count().text
            #expect(statement.contains("gridview_value") == isBlob, "\(statement)")
        }
        let ranges = try SQLQuery(Query(), of: table, in: .sqlite).textRanges(of: [FieldID(rawValue: 0)]).text
        #expect(ranges.ranges(of: "gridview_value").count == 1, "\(ranges)")
    }

    @Test(
        arguments: [
            ("h in (1.5, 5)", "(FALSE OR t.\"h\" = $1::bigint)", ["5"]),
            ("h in (1.5, 5, 6)", "(t.\"h\" IN ($1::bigint, $2::bigint) OR FALSE)", ["5", "6"]), ("h != 1.5", "TRUE", []),
            ("h < -0.5", "t.\"h\" <= $1::bigint", ["-1"]), ("h >= 1.5", "t.\"h\" > $1::bigint", ["1"]),
            ("d <= -1.255", "t.\"d\" <= $1::decimal(3, 2)", ["-1.26"]), ("d > 0.004", "t.\"d\" > $1::decimal(1, 0)", ["0"]),
            ("d = 5.0", "t.\"d\" = $1::decimal(1, 0)", ["5"]), ("h = w", "t.\"h\" = CAST(t.\"w\" AS hugeint)", []),
        ])
    func `H1: DuckDB compares integers and decimals with literals that have the same number of decimals`(
        _ filter: String, _ condition: String, _ parameters: [String]
    ) throws {
        let types = [("h", "HUGEINT"), ("d", "DECIMAL(10,2)"), ("w", "DECIMAL(38,0)")]
        let columns = types.map { ServerColumn($0, type: ServerType(named: $1, in: .duckDB), isNullable: false) }
        let table = ServerTable(.table(["t"]), columns: columns, hasRowIDs: true)
        var query = Query()
        query.filters = [try Formula(filter, in: table.schema)]
        let statement = try SQLQuery(query, of: table, in: .duckDB).page(.first(5)).statement
        #expect(statement.text.contains(" WHERE (\(condition)) "), "\(statement.text)")
        #expect(statement.parameters.map(\.value) == parameters.map { .text($0) })
    }

    @Test func `19.5: a search statement omits number columns that cannot match, and ignores case with lower()`() throws {
        func search(_ text: String, _ dialect: SQLDialect = .postgreSQL, isStored: Bool = true) throws -> String {
            var table = Self.table(dialect)
            table.blockCount = isStored ? 8 : nil
            let tests = (0..<3).map { Formula.call(.containsIgnoringCase, [.field(FieldID(rawValue: $0)), .constant(.text(text))]) }
            let query = try SQLQuery(Query(), of: table, in: dialect)
            let statement = try query.count(matching: .call(.or, tests)).text
            return String(statement[try #require(statement.firstRange(of: " WHERE ")).upperBound...])
        }
        let gold = try search("Gold")
        #expect(!gold.contains("price") && !gold.contains("\"id\"") && gold.contains("FALSE"), "\(gold)")
        #expect(gold.contains("pg_catalog.strpos(pg_catalog.lower((t.\"`x`\" COLLATE \"C\")), ") && !gold.contains("translate"), "\(gold)")
        let kilo = try search("kilo")
        let replaced = "pg_catalog.strpos(pg_catalog.lower(pg_catalog.replace((t.\"`x`\" COLLATE \"C\"), "
        #expect(kilo.contains(replaced), "the Kelvin sign is a K, too: \(kilo)")
        // A server of a foreign table cannot run a condition with a collation.
        #expect(try search("gold", isStored: false).contains("pg_catalog.strpos(pg_catalog.translate(t.\"`x`\", "))
        for text in ["nan", "1.5", "infinity", "12:00", "e+"] {
            let found = try search(text)
            #expect(found.contains("price") && found.contains("\"id\""), "\(found)")
        }
        #expect(try !search("1.5").contains("lower("), "the text has no letters")
        #expect(try search("gold", .sqlite).contains("price"), "a column of SQLite can have any values")
    }

    @Test(
        arguments: [
            ("LATIN1", "straße å ÿ \u{B5}", "ß å Å ÿ \u{B5}"), ("WIN1252", "straße å k \u{B5} ƒ", "å Å k K \u{B5} ƒ"),
            ("LATIN5", "ÿ ö", "ÿ ö Ö"), ("WIN1256", "é œ ƒ", "é œ Œ ƒ"), ("EUC_KR", "đ æ", "đ æ Æ"),
            ("WIN1251", "вода", "в В о О"), ("ISO_8859_7", "λόγος ω", "σ Σ ς ω Ω"), ("UNICODE", "kå", "k K \u{212A} å Å \u{212B}"),
        ] as [(String, String, String)])
    func `19.5: statements contain only the case variants that the encoding of the database has`(
        encoding: String, text: String, variants: String
    ) throws {
        let dialect = SQLDialect.postgreSQL(product: "PostgreSQL", encoding: encoding)
        let table = Self.table(dialect)
        var sent: Set<Unicode.Scalar> = []
        for function in [Formula.Function.containsIgnoringCase, .matchesIgnoringCase] {
            let condition = Formula.call(function, [.field(FieldID(rawValue: 2)), .constant(.text(text))])
            let statement = try SQLQuery(Query(), of: table, in: dialect).count(matching: condition)
            for case .text(let parameter) in statement.parameters.map(\.value) { sent.formUnion(parameter.unicodeScalars) }
        }
        // All characters of these texts are in their encodings, and so are their common variants.
        let rare = "\u{17F}\u{212A}\u{212B}\u{1E9E}\u{178}\u{39C}\u{3BC}\u{1C80}\u{1C81}\u{1C82}\u{2126}\u{191}\u{C9}\u{110}"
        #expect(encoding == "UNICODE" || sent.isDisjoint(with: rare.unicodeScalars), "\(sent)")
        for variant in variants.split(separator: " ") {
            #expect(sent.isSuperset(of: variant.unicodeScalars), "\(variant)")
        }
    }

    @Test func `19.5: a query has a note if its database has no encoding and the server counts bytes, not characters`() throws {
        func notes(_ filter: Formula, encoding: String) throws -> [String] {
            let dialect = SQLDialect.postgreSQL(product: "PostgreSQL", encoding: encoding)
            var query = Query()
            query.filters = [filter]
            return try SQLQuery(query, of: Self.table(dialect), in: dialect).notes
        }
        let text = Formula.field(FieldID(rawValue: 2))
        let two = Formula.constant(.number(ExactDecimal(2)))
        func equals(_ formula: Formula) -> Formula { .call(.equal, [formula, .constant(.text("ab"))]) }
        let part = Formula.call(.left, [text, two])
        let note = "On the server, length(), left(), mid() and right() count bytes instead of characters."
        for filter in [.call(.greater, [.call(.length, [text]), two]), equals(part), equals(.call(.trim, [part]))] as [Formula] {
            #expect(try notes(filter, encoding: "SQL_ASCII") == [note])
            #expect(try notes(filter, encoding: "UTF8") == [])
        }
        #expect(try notes(equals(.call(.trim, [text])), encoding: "SQL_ASCII") == [])
    }

    @Test func `19.1: in a database without an encoding, cells are cut and texts are compared by bytes`() throws {
        let dialect = SQLDialect.postgreSQL(product: "PostgreSQL", encoding: "SQL_ASCII")
        let (table, field) = (Self.table(dialect), FieldID(rawValue: 2))
        var options = SQLOptions()
        options.cellLimit = 5
        let page = try SQLQuery(Query(), of: table, in: dialect, options: options).page(.first(4), of: [field])
        let found: [SQLValue] = [
            .invalidText(Array("ééa".utf8) + [0xC3]), .text("ééa"), .text("ééé"), .invalidText([0xE9, 0xE9, 0xE9, 0xE9, 0xE9, 0xE9]),
        ]
        let rows = page.rows(found.enumerated().map { [$1, .text("\($0)")] })
        #expect(rows.map(\.cells) == [[.text("ééa")], [.text("ééa")], [.text("éé")], [.invalidText([0xE9, 0xE9, 0xE9, 0xE9, 0xE9])]])
        #expect(rows.map(\.isTruncated) == [[true], [false], [true], [true]])

        func statement(_ function: Formula.Function, _ text: String) throws -> SQLStatement {
            var query = Query()
            query.filters = [.call(function, [.field(field), .constant(.text(text))])]
            return try SQLQuery(query, of: table, in: dialect).count()
        }
        #expect(try statement(.startsWithIgnoringCase, "é1").text.contains(", 3) = "))
        let pattern = try statement(.matchesIgnoringCase, "é+k[ab]").parameters.map(\.value)
        #expect(pattern == [.text("(?:é|É)+(?:k|K|\u{212A})[aAbB]")])
        #expect(try statement(.matches, "é+").parameters.map(\.value) == [.text("(?:é)+")])
        #expect(throws: SQLLimitations.self) { try statement(.matches, "[é]") }
    }

    @Test func `19.8: functions in statements for PostgreSQL are qualified with the system schema`() throws {
        let sum = "lower(text), pg_catalog.sum(x) from f(1)"
        var (table, query) = (Self.table(.postgreSQL), Query())
        table.source = .statement("select \(sum)")
        table.columns[2].name = "count(x)"
        let (id, price, text) = (FieldID(rawValue: 0), FieldID(rawValue: 1), FieldID(rawValue: 2))
        query.filters = [
            .call(.containsIgnoringCase, [.field(text), .constant(.text("gold"))]),
            .call(.startsWithIgnoringCase, [.field(text), .constant(.text("g"))]),
            .call(.greater, [.call(.length, [.field(text)]), .call(.floor, [.field(price)])]),
        ]
        for fields in [[price, text], [id]] {
            let functions: [AggregateFunction] = fields.count > 1 ? [.distinct] : [.median, .standardDeviation, .mean]
            let statement = try SQLQuery(query, of: table, in: .postgreSQL).statistics(of: fields.map { ($0, functions) })
            #expect(statement.text.contains("FROM (select \(sum)\n) AS t") && statement.text.contains("t.\"count(x)\""))
            for sql in [statement.text, statement.readableText(in: .postgreSQL)] {
                let generated = sql.replacing(sum, with: "").replacing("\"count(x)\"", with: "")
                let functions = generated.matches(of: /([\w.]+)\(/).map { String($0.1) }
                let syntax: Set = ["CAST", "COALESCE", "NULLIF"]
                #expect(functions.allSatisfy { syntax.contains($0) || $0.hasPrefix("pg_catalog.") }, "\(functions)")
                let expected = ["strpos", "left", "length", "floor", fields.count > 1 ? "count" : "percentile_cont"]
                #expect(expected.allSatisfy { functions.contains("pg_catalog." + $0) }, "\(functions)")
            }
        }
        for dialect in [SQLDialect.sqlite, .duckDB, .spark] {
            let statement = try SQLQuery(Query(), of: Self.table(dialect), in: dialect).statistics(of: id, [.count])
            #expect(statement.text.contains("count(") && !statement.text.contains("pg_catalog"))
        }
    }
}
