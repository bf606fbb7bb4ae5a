import DataGridQuery
import FieldValues
import GridTestSupport
import SQLTables
import Tables

/// A random table for a server, with its contents as SQL literals.
struct RandomTable {
    struct Column {
        var name: String
        var type: String
        var declaration: String
        var values: [String]
        var isNullable: Bool
        var collation = ServerColumn.Collation.bytes
        var hasUniformType = true
    }

    var columns: [Column]
    /// The values as text; `nil` means NULL.
    var rows: [[String?]]
    var table: ServerTable
    /// The statements that create the table.
    var creation: [String]
    var isSQLite: Bool

    static let names = ["a\"; drop table x--", "c0", "k0", "Ünï", "order", "a b", "t", "s", "n", "'", "x\\y", "SELECT", "g"]
    static let texts = [
        "", " ", "\t", "  ", "a", "A", "b", "B", "ab", "aB", "Ab", "ä", "Ä", "ß", "ss", "\u{212A}", "k", "K", "\u{17F}", "s", "S", "x_y",
        "x%y",
        "a\"b", "it's", "10", "9", "\\", "🙂", "İ", "i", "ı", "I", "a\nb", "e\u{301}", "é", " a", "a ", "12%", "true", "NaN", "2024-01-01",
        "σ",
        "ς", "Σ", "!", "~", "abcabc", "sk", "SK", "\u{1}",
    ]
    static let integers = ["-2", "-1", "0", "1", "2", "3", "10", "100", "9", "-7"]
    static let bigIntegers = ["9007199254740993", "9007199254740992", "1152921504606846977", "-1152921504606846976", "0", "1"]
    static let decimals = [
        "0.1", "0.10", "1", "1.00", "-5.5", "123456.789", "0.3", "0.30", "2", "-0.25", "10", "1000000", "0.005", "2.675",
    ]
    static let doubles = ["0.1", "0.3", "1e+300", "1e-07", "-2.5", "3", "10", "0", "1.5", "2"]
    static let dates = ["2024-01-01", "1969-12-31", "2024-02-29", "0001-01-01", "9999-12-31", "2023-12-31", "2024-03-31"]
    static let moments = [
        "2024-01-01 00:00:00", "2024-01-01 10:22:05.123456", "1969-12-31 23:59:59.5", "2024-07-01 12:00:00", "2000-02-29 01:02:03",
        "2024-01-01 10:22:05",
    ]
    static let times = ["10:22:05", "00:00:00", "23:59:59.999999", "10:22:06", "12:00:00.5"]

    static func postgres(_ random: inout SplitMix64, named name: String) -> RandomTable {
        var kinds: [Column] = [
            Column(name: "", type: "integer", declaration: "integer", values: integers, isNullable: true),
            Column(name: "", type: "bigint", declaration: "bigint", values: bigIntegers, isNullable: true),
            Column(name: "", type: "numeric", declaration: "numeric", values: decimals + ["NaN"], isNullable: true),
            Column(name: "", type: "numeric(12,3)", declaration: "numeric(12,3)", values: decimals, isNullable: true),
            Column(
                name: "", type: "double precision", declaration: "double precision",
                values: doubles + ["NaN", "Infinity", "-Infinity", "-0"],
                isNullable: true),
            Column(name: "", type: "real", declaration: "real", values: ["0.1", "1.5", "2", "-3", "NaN", "1e+10"], isNullable: true),
            Column(name: "", type: "text", declaration: "text", values: texts, isNullable: true, collation: .named("C.UTF-8")),
            Column(name: "", type: "text", declaration: "text COLLATE \"C\"", values: texts, isNullable: true),
            Column(
                name: "", type: "character varying(20)", declaration: "varchar(20) COLLATE \"en-x-icu\"", values: texts, isNullable: true,
                collation: .named("en-x-icu")),
            Column(
                name: "", type: "text", declaration: "text COLLATE blind", values: texts, isNullable: true,
                collation: .nondeterministic("blind")),
            Column(name: "", type: "character(6)", declaration: "character(6)", values: ["a", "ab", "A", " b", ""], isNullable: true),
            Column(name: "", type: "date", declaration: "date", values: dates, isNullable: true),
            Column(name: "", type: "timestamp without time zone", declaration: "timestamp", values: moments, isNullable: true),
            Column(
                name: "", type: "timestamp with time zone", declaration: "timestamptz", values: moments.map { $0 + "+00" }, isNullable: true
            ),
            Column(name: "", type: "time without time zone", declaration: "time", values: times, isNullable: true),
            Column(name: "", type: "boolean", declaration: "boolean", values: ["true", "false"], isNullable: true),
            Column(
                name: "", type: "uuid", declaration: "uuid",
                values: ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "00000000-0000-0000-0000-000000000001"], isNullable: true),
            Column(name: "", type: "json", declaration: "json", values: ["{\"a\": 1}", "[]", "{\"a\":1}"], isNullable: true),
        ]
        kinds.shuffle(using: &random)
        return RandomTable(&random, name, kinds, .postgreSQL)
    }

    static func duckDB(_ random: inout SplitMix64, named name: String) -> RandomTable {
        func column(_ type: String, _ values: [String]) -> Column {
            Column(name: "", type: type, declaration: type, values: values, isNullable: true)
        }
        var kinds = [
            column("INTEGER", integers), column("BIGINT", bigIntegers), column("DECIMAL(12,3)", decimals), column("VARCHAR", texts),
            column("DOUBLE", doubles + ["NaN", "Infinity", "-Infinity"]), column("FLOAT", ["0.1", "1.5", "2", "-3", "NaN", "1e+10"]),
            column("SMALLINT", integers), column("DECIMAL(38,10)", decimals + ["-0.0000000001"]),
            column("DATE", dates), column("TIMESTAMP", moments), column("TIMESTAMPTZ", moments.map { $0 + "+00" }),
            column("TIME", times), column("BOOLEAN", ["true", "false"]),
        ]
        kinds.shuffle(using: &random)
        return RandomTable(&random, name, kinds, .duckDB)
    }

    static func sqlite(_ random: inout SplitMix64, named name: String) -> RandomTable {
        var kinds: [Column] = [
            Column(name: "", type: "INTEGER", declaration: "INTEGER", values: integers, isNullable: true),
            Column(
                name: "", type: "INTEGER", declaration: "INTEGER", values: integers + ["x", " ", "", "Z", "n/a"], isNullable: true,
                hasUniformType: false),
            Column(name: "", type: "BIGINT", declaration: "BIGINT", values: bigIntegers, isNullable: true),
            Column(name: "", type: "REAL", declaration: "REAL", values: doubles, isNullable: true),
            Column(name: "", type: "DOUBLE", declaration: "DOUBLE", values: doubles + ["x", ""], isNullable: true, hasUniformType: false),
            Column(name: "", type: "TEXT", declaration: "TEXT", values: texts, isNullable: true),
            Column(
                name: "", type: "TEXT", declaration: "TEXT COLLATE NOCASE", values: texts, isNullable: true,
                collation: .nondeterministic("NOCASE")),
            Column(name: "", type: "DATE", declaration: "DATE", values: dates, isNullable: true),
        ]
        kinds.shuffle(using: &random)
        return RandomTable(&random, name, kinds, .sqlite)
    }

    private init(_ random: inout SplitMix64, _ tableName: String, _ kinds: [Column], _ dialect: SQLDialect) {
        let isSQLite = dialect.family == .sqlite
        self.isSQLite = isSQLite
        var names = Self.names + (isSQLite ? ["rowid"] : [])
        names.shuffle(using: &random)
        var columns = [Column(name: "id", type: "integer", declaration: "integer", values: [], isNullable: false)]
        for (place, kind) in kinds.prefix(Int.random(in: 2...5, using: &random)).enumerated() {
            var column = kind
            column.name = names[place]
            if Int.random(in: 0..<4, using: &random) == 0 { column.isNullable = false }
            columns.append(column)
        }
        let count = Int.random(in: 0...40, using: &random)
        var ids = Array(1...60)
        ids.shuffle(using: &random)
        rows = (0..<count).map { row in
            columns.enumerated().map { place, column in
                if place == 0 { return String(ids[row]) }
                if column.isNullable, Int.random(in: 0..<5, using: &random) == 0 { return nil }
                // The column has few distinct values, so that there are ties.
                return column.values[Int.random(in: 0..<column.values.count, using: &random)]
            }
        }
        let hasKey = Bool.random(using: &random)
        let quoted = Self.quoted
        let declarations = columns.map { quoted($0.name) + " " + $0.declaration + ($0.isNullable ? "" : " NOT NULL") }
        creation = ["CREATE TABLE \(quoted(tableName)) (\(declarations.joined(separator: ", "))\(hasKey ? ", PRIMARY KEY (id)" : ""))"]
        var indexes: [ServerIndex] = []
        for (place, column) in columns.enumerated() where place > 0 && column.type != "json" && Bool.random(using: &random) {
            indexes.append(ServerIndex([.init(place)]))
            let index = dialect.family != .postgreSQL ? quoted("i\(place) \(tableName)") : ""
            creation.append("CREATE INDEX \(index) ON \(quoted(tableName)) (\(quoted(column.name)))")
        }
        self.columns = columns
        table = ServerTable(
            .table([tableName]),
            columns: columns.map {
                ServerColumn(
                    $0.name, type: ServerType(named: $0.type, in: dialect), isNullable: $0.isNullable, collation: $0.collation,
                    hasUniformType: $0.hasUniformType)
            }, keys: hasKey ? [ServerKey(columns: [0], isPrimary: true)] : [], indexes: indexes, hasRowIDs: true)
    }
}

extension RandomTable {
    /// The declarations of the columns.
    var declarations: String {
        columns.map { Self.quoted($0.name) + " " + $0.declaration + ($0.isNullable ? "" : " NOT NULL") }.joined(separator: ", ")
    }

    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// Makes this a foreign table, whose rows have neither keys nor addresses.
    /// - Parameter creation: the statements that create it on the server.
    mutating func makeForeign(_ creation: [String]) {
        self.creation = creation
        (table.keys, table.indexes, table.hasRowIDs) = ([], [], false)
    }

    /// Creates the table and inserts its rows.
    func create(in bridge: Bridge) throws {
        for statement in creation { try bridge.write(SQLStatement(text: statement)) }
        guard case .table(let names) = table.source else { return }
        let quoted = names.map { $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") }[0]
        for row in rows {
            var parameters: [SQLParameter] = []
            var list: [String] = []
            for (column, value) in zip(columns, row) {
                guard let value else {
                    list.append("NULL")
                    continue
                }
                parameters.append(SQLParameter(.text(value), type: ""))
                list.append(isSQLite ? "?" : "$\(parameters.count)::\(column.type)")
            }
            let text = "INSERT INTO \"\(quoted)\" VALUES (\(list.joined(separator: ", ")))"
            try bridge.write(SQLStatement(text: text, parameters: parameters))
        }
    }
}

/// Random queries on a table. The local engine or the compiler refuses some of them.
struct RandomQueries {
    var random: SplitMix64
    var schema: Schema
    /// Values to compare with, by field.
    var values: [[String]]

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int.random(in: 0..<elements.count, using: &random)] }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func field() -> Field { pick(schema.fields) }

    static func isNumber(_ kind: ValueKind) -> Bool { kind.isNumber }

    mutating func field(where matches: (Field) -> Bool) -> Field? {
        let fields = schema.fields.filter(matches)
        return fields.isEmpty ? nil : pick(fields)
    }

    mutating func number() -> Formula {
        let texts = RandomTable.integers + RandomTable.decimals + RandomTable.bigIntegers
        let text = chance(90) ? pick(texts) : "0"
        let number = FieldBytes.withBytes(of: text) { $0.exactDecimal() } ?? ExactDecimal(1)
        return .constant(.exact(number))
    }

    mutating func text() -> Formula { .constant(.text(pick(RandomTable.texts))) }

    mutating func literal(for field: Field) -> Formula {
        if chance(12) { return text() }
        let own = values.indices.contains(field.id.rawValue) ? values[field.id.rawValue] : []
        switch field.kind {
        case .integer, .decimal: return chance(70) ? number() : .constant(.text(own.isEmpty ? "1" : pick(own)))
        case .text: return .constant(.text(chance(70) && !own.isEmpty ? pick(own) : pick(RandomTable.texts)))
        case .date, .dateTime, .time:
            let kind: ValueKind = field.kind == .time ? .time : chance(50) ? .date : .dateTime
            let text = field.kind == .time ? pick(RandomTable.times) : kind == .date ? pick(RandomTable.dates) : pick(RandomTable.moments)
            if chance(30) { return .constant(.text(text)) }
            return .constant(.temporal(FieldBytes.withBytes(of: text) { $0.temporal(kind) } ?? 0, kind))
        case .flag: return .constant(.flag(Bool.random(using: &random)))
        }
    }

    mutating func condition(_ depth: Int = 0) -> Formula {
        let comparisons: [Formula.Function] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
        if depth < 3, chance(35) {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: return .call(.and, [condition(depth + 1), condition(depth + 1)])
            case 1: return .call(.or, [condition(depth + 1), condition(depth + 1)])
            default: return .call(.not, [condition(depth + 1)])
            }
        }
        let field = field()
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return .call(pick([.isEmpty, .isNull]), [.field(field.id)])
        case 1: return .call(.isIn, [.field(field.id), literal(for: field), literal(for: field), literal(for: field)])
        case 2:
            let function: Formula.Function = pick([
                .contains, .startsWith, .endsWith, .containsIgnoringCase, .startsWithIgnoringCase, .endsWithIgnoringCase,
                .equalIgnoringCase,
            ])
            return .call(function, [.field(field.id), text()])
        case 3:
            return .call(
                pick([.contains, .containsIgnoringCase]), [.field(field.id), .constant(.text(pick(["a", "k", "s", "S", "é", "σ", "1"])))])
        case 4:
            let patterns = [
                "^a", "b$", "a.*b", "[a-c]+", "k|s", "^$", "\\d+", "^.$", "^[^a]*$", "(?:ab)+c", "^ ?a", "x[_%]y", "\\w", "[[:alpha:]]",
                "a{2}", "\\bA", "é?", "^\\s*$", "(?s)a.b", "(?m)^b$", "(?i:K)", "\\pL{2}", "\\x{17F}|ß", "(?-i)S$",
            ]
            return .call(pick([.matches, .matchesIgnoringCase]), [.field(field.id), .constant(.text(pick(patterns)))])
        case 5: return .call(.anyFieldContains, [.constant(.text(pick(["a", "A", "1", "k", "ß", ""])))])
        case 6: return .call(pick(comparisons), [.field(field.id), .field(self.field().id)])
        case 7: return .call(pick(comparisons), [arithmetic(1), chance(50) ? number() : arithmetic(1)])
        case 8: return .call(pick(comparisons), [value(2), number()])
        case 9:
            guard let date = self.field(where: { $0.kind == .date || $0.kind == .dateTime }) else {
                return .call(.isEmpty, [.field(field.id)])
            }
            return .call(
                pick(comparisons),
                [
                    .call(pick([.year, .month, .day, .weekday, .hour, .minute, .second]), [.field(date.id)]),
                    .constant(.exact(ExactDecimal(Int128(pick([0, 1, 2, 7, 12, 23, 2024]))))),
                ])
        case 10: return .call(pick(comparisons), [textValue(), text()])
        default:
            return .call(
                pick(comparisons), chance(85) ? [.field(field.id), literal(for: field)] : [literal(for: field), .field(field.id)])
        }
    }

    /// Arithmetic of columns and numbers.
    mutating func arithmetic(_ depth: Int) -> Formula {
        guard let field = field(where: { $0.kind.isNumber }) else { return number() }
        if depth > 2 || chance(30) { return chance(70) ? .field(field.id) : number() }
        if chance(10) { return .call(.negate, [arithmetic(depth + 1)]) }
        return .call(pick([.add, .subtract, .multiply, .divide]), [.field(field.id), arithmetic(depth + 1)])
    }

    /// A number computed by a function.
    mutating func value(_ depth: Int) -> Formula {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .call(.round, [arithmetic(2), .constant(.exact(ExactDecimal(Int128(pick([-1, 0, 1, 2])))))])
        case 1: return .call(pick([.abs, .floor, .ceil]), [arithmetic(2)])
        case 2: return .call(.length, [textValue()])
        case 3: return .call(.conditional, [condition(2), arithmetic(2), arithmetic(2)])
        case 4: return .call(.coalesce, [arithmetic(2), number()])
        default: return .call(.round, [arithmetic(2)])
        }
    }

    mutating func textValue() -> Formula {
        let field = field()
        let count = Formula.constant(.exact(ExactDecimal(Int128(pick([0, 1, 2, 5])))))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .call(.trim, [.field(field.id)])
        case 1: return .call(pick([.left, .right]), [.field(field.id), count])
        case 2: return .call(.mid, [.field(field.id), count, .constant(.exact(ExactDecimal(2)))])
        case 3: return .call(.replace, [.field(field.id), .constant(.text(pick(["a", "", "s"]))), .constant(.text("zz"))])
        case 4: return .call(.concat, [.field(field.id), .constant(.text("-")), .field(self.field().id)])
        case 5: return .call(.conditional, [condition(2), .field(field.id), text()])
        case 6: return .call(.coalesce, [.field(field.id), text()])
        default: return .call(pick([.upper, .lower]), [.field(field.id)])
        }
    }

    mutating func comparison(_ field: Field) -> Query.Comparison {
        if field.kind == .text { return chance(95) ? .text : .natural }
        return chance(85) ? Query.Comparison(field.kind, of: field) : .text
    }

    mutating func query() -> Query {
        var query = Query()
        let original = schema
        if chance(25) {
            let formula = chance(50) ? value(1) : chance(50) ? textValue() : condition()
            let kind = formula.kind(in: original)
            let field = Field(.firstDerived, name: "derived", kind: kind)
            query.derived = [DerivedField(field, formula)]
            schema = Schema(original.fields + [field])
        }
        for _ in 0..<pick([0, 1, 1, 1, 2]) { query.filters.append(condition()) }
        for _ in 0..<pick([0, 1, 1, 2, 3]) {
            let field = field()
            query.sort.append(Query.SortKey(field.id, by: comparison(field), isDescending: Bool.random(using: &random)))
        }
        return query
    }
}
