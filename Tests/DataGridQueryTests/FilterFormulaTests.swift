import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery

@Suite("D7, D18: filters as formulas") struct FilterFormulaTests {
    /// Columns whose names need quotes, are reserved words, occur twice or are empty.
    static let schema = Schema([
        Field(FieldID(rawValue: 0), name: "price", kind: .decimal), Field(FieldID(rawValue: 1), name: "unit price", kind: .integer),
        Field(FieldID(rawValue: 2), name: "name", kind: .text), Field(FieldID(rawValue: 3), name: "contains", kind: .text),
        Field(FieldID(rawValue: 4), name: "a \"b\"", kind: .text), Field(FieldID(rawValue: 5), name: "not", kind: .flag),
        Field(FieldID(rawValue: 6), name: "done", kind: .flag), Field(FieldID(rawValue: 7), name: "day", kind: .date),
        Field(FieldID(rawValue: 8), name: "at", kind: .dateTime), Field(FieldID(rawValue: 9), name: "3rd", kind: .time),
        Field(FieldID(rawValue: 10), name: "name", kind: .text), Field(FieldID(rawValue: 11), name: "", kind: .decimal, notation: .comma),
        Field(FieldID(rawValue: 12), name: "true", kind: .flag), Field(FieldID(rawValue: 13), name: "length", kind: .text),
        Field(FieldID(rawValue: 14), name: "Länge", kind: .decimal), Field(FieldID(rawValue: 15), name: "#1", kind: .flag),
        Field(FieldID(rawValue: 16), name: "memo", kind: .text),
        Field(.firstDerived, name: "total", kind: .decimal), Field(FieldID(rawValue: 0), name: "old price", kind: .decimal),
    ])

    @Test(arguments: 0..<40) func `a printed filter parses to the same tree, and the tree can be encoded and decoded`(seed: UInt64) throws {
        var generator = FilterGenerator(random: SplitMix64(seed: seed))
        for _ in 0..<100 {
            let formula = generator.condition(depth: 3)
            let text = Filter.text(of: formula, in: Self.schema)
            let (made, read) = (try Filter(formula, in: Self.schema), try Filter(text, in: Self.schema))
            #expect(read.formula == formula, "\(text)")
            #expect(made == read && made.text == text)
            let decoded = try JSONDecoder().decode(Formula.self, from: JSONEncoder().encode(read.formula))
            #expect(try Filter(decoded, in: Self.schema) == read, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("price>1 and  (#3 = 'a')", "price > 1 and #3 = 'a'"), ("PRICE <> 1.50", "price != 1.5"),
            ("#1 in (1,200)", "price in (1, 200)"),
            ("#3 !~ '^a'", "not #3 ~ '^a'"), ("#3 !=* 'A'", "not #3 =* 'A'"),
            ("#3 not contains* \"price\"", "not #3 contains* 'price'"),
            ("#3 starts with 2024-01-31", "#3 starts with '2024-01-31'"), ("#3 contains 1.50", "#3 contains '1.50'"),
            ("#3 ends with* 'x' or done", "#3 ends with* 'x' or done"), ("not done", "not done"),
            ("#11 is not empty", "not #11 is empty"),
            ("\"not\" and \"true\"", "\"not\" and \"true\""), ("(\"not\")", "(\"not\")"), ("(#16)", "(\"#1\")"), ("done", "done"),
            ("abc", "anywhere('abc')"), ("'it''s'", "anywhere('it''s')"), ("anywhere('x') and price > 1", "anywhere('x') and price > 1"),
            ("price > 1e400", "price > 1e400"), ("price > -1e40", "price > -1e40"), ("price = - -5", "price = -(-5)"),
            ("day = '2024-01-31'", "day = '2024-01-31'"),
            ("at = 2024-01-01T12:00+02:00", "at = 2024-01-01 10:00:00"), ("contains contains 'a'", "\"contains\" contains 'a'"),
            ("length(length) > 3", "length(length) > 3"), ("total > 1", "total > 1"), ("\"old price\" > 1", "price > 1"),
        ])
    func `conditions are printed as users write them`(written: String, expected: String) throws {
        let filter = try Filter(written, in: Self.schema)
        #expect(Filter.text(of: filter.formula, in: Self.schema) == expected)
        #expect(filter.text == written)
        #expect(try Filter(expected, in: Self.schema).expression == filter.expression)
    }

    @Test(
        arguments: [
            ("price > 1", .compare(.column(0, .number(.point)), .greater, .literal(.integer(1)))),
            ("1.5 < #12", .compare(.literal(.decimal(1.5)), .less, .column(11, .number(.comma)))),
            (
                "price = 1e30",
                .compare(
                    .column(0, .number(.point)), .equal,
                    .literal(.exact(ExactDecimal(1_000_000_000_000_000 * 1_000_000_000_000_000, digits: 0))))
            ),
            ("price > -(-1)", .compare(.column(0, .number(.point)), .greater, .literal(.integer(1)))),
            ("price > 3 * 1024 - abs(-2.5)", .compare(.column(0, .number(.point)), .greater, .literal(.decimal(3069.5)))),
            ("price in (1, 1 / 4)", .isOneOf(.column(0, .number(.point)), [.integer(1), .decimal(0.25)])),
            ("done", .compare(.column(6, .flag), .equal, .literal(.integer(1)))),
            ("not #3 = 'a'", .not(.compareTexts(.column(2), .equal, .literal("a")))),
            ("day > '2024-01-01'", .compare(.column(7, .dateTime()), .greater, .literal(.integer(19_723 * 86_400_000_000)))),
            (
                "price in (1, 'x', 2)",
                .any([.isOneOf(.column(0, .number(.point)), [.integer(1), .integer(2)]), .textIsOneOf(column: 0, ["x"])])
            ),
            (
                "price in (1, #3)",
                .any([.isOneOf(.column(0, .number(.point)), [.integer(1)]), .compareTexts(.column(0), .equal, .column(2))])
            ),
            ("#3 =* 'A'", .test(.equals, column: 2, "A", ignoresCase: true)),
            ("#3 contains* 'A'", .test(.contains, column: 2, "A", ignoresCase: true)),
            ("#3 ends with 'A' and #3 is empty", .all([.test(.endsWith, column: 2, "A", ignoresCase: false), .isEmpty(column: 2)])),
            ("anywhere('a') or done = false", .any([.anyFieldContains("a"), .compare(.column(6, .flag), .equal, .literal(.integer(0)))])),
        ] as [(String, FilterExpression)])
    func `conditions that compare columns with literals are evaluated without a formula`(text: String, plan: FilterExpression) throws {
        #expect(try Filter(text, in: Self.schema).expression == plan)
    }

    @Test(
        arguments: [
            ("price > 2 * 3", "price > 6"), ("price * (1 + 1) > -(2 - 5)", "price * 2 > 3"),
            ("price > 1 / 3", "price > 0.3333333333333333"),
            ("price > 1 / 0", "price > 1 / 0"), ("round(price, 1 + 1) = length('abc') / 2", "round(price, 2) = 1.5"),
            ("price > 0.5 * 4 or done", "price > 2 or done"), ("memo = concat('a', 1 + 1)", "memo = concat('a', 2)"),
        ])
    func `a number that is the same in every row becomes a constant`(written: String, folded: String) throws {
        let formula = try Filter(written, in: Self.schema).formula.foldingConstants
        #expect(try formula == Filter(folded, in: Self.schema).formula)
    }

    @Test(arguments: 0..<20) func `a random condition without functions is evaluated as a formula only if it has arithmetic`(seed: UInt64)
        throws
    {
        let names = ["whole", "text", "date", "other"]
        let fields = zip(0..., [ValueKind.integer, .text, .dateTime, .integer]).map {
            Field(FieldID(rawValue: $0), name: names[$0], kind: $1)
        }
        var generator = ReferenceConditionGenerator(random: SplitMix64(seed: seed))
        for _ in 0..<50 {
            let condition = generator.condition(depth: 3)
            let text = condition.written(names)
            #expect(try Filter(text, in: Schema(fields)).expression.isComputed == condition.hasArithmetic, "\(text)")
        }
        #expect(try Filter("not (whole = 1 or length(text) = 2)", in: Schema(fields)).expression.isComputed)
    }

    private static let invalid: [(String, FilterError.Kind, Range<Int>)] = [
        ("length(memo)", .expectedComparison, 12..<12),
        ("if(done, 1, 2) and price > 1", .expectedComparison, 14..<14),
        ("length(price) > 'x'", .argumentType, 16..<19),
        ("lenth(memo) > 3", .unknownFunction, 0..<5),
        ("upper('a') = 'A'", .expectedColumn, 0..<10),
        ("if(anywhere('a'), 1, 2) = 1", .searchInFormula, 3..<16),
        ("anywhere(memo)", .expectedText, 9..<13),
        ("upper(memo) ~ '('", .invalidPattern, 14..<17),
        ("if(memo ~ '(', 1, 2) = 1", .invalidPattern, 10..<13),
        ("price > if('a' ~ '(', 1, 2)", .invalidPattern, 17..<20),
        ("price in (1, length(json('{}', '')))", .invalidPath, 31..<33),
        ("upper(memo) ~ memo", .expectedText, 14..<18),
        ("memo contains* upper(memo)", .expectedText, 15..<26),
        ("price = year(memo, 1)", .argumentCount, 8..<21),
        ("year(price) = 1", .argumentType, 5..<10),
        ("length(memo) + day > 3", .argumentType, 15..<18),
        ("(price > 1) < 2", .expectedAndOr, 12..<13),
    ]

    @Test(arguments: invalid)
    func `an invalid condition is an error with its position`(text: String, kind: FilterError.Kind, place: Range<Int>) {
        let error = #expect(throws: FilterError.self) { try Filter(text, in: Self.schema) }
        #expect(error?.kind == kind && error?.range == place, "\(text)")
    }

    @Test func `a decoded tree is validated, and its error has the range of the whole text`() throws {
        func decoded(_ json: String) throws -> Filter {
            try Filter(JSONDecoder().decode(Formula.self, from: Data(json.utf8)), in: Self.schema)
        }
        #expect(
            try decoded(#"{"function":"greater","arguments":[{"field":0},{"constant":{"number":{"_0":"1.50"}}}]}"#).text == "price > 1.5")
        for json in [
            #"{"field":0}"#, #"{"constant":{"text":{"_0":"abc"}}}"#, #"{"constant":{"flag":{"_0":true}}}"#,
            #"{"function":"isEmpty","arguments":[{"field":99}]}"#, #"{"function":"matches","arguments":[{"field":2},{"field":3}]}"#,
            #"{"function":"greater","arguments":[{"field":0},{"constant":{"approximate":{"_0":"1 or done"}}}]}"#,
            #"{"function":"add","arguments":[{"field":0},{"field":0}]}"#,
        ] {
            #expect(throws: FilterError.self) { try decoded(json) }
        }
        let error = #expect(throws: FilterError.self) { try decoded(#"{"function":"isEmpty","arguments":[{"field":99}]}"#) }
        #expect(error?.kind == .unknownColumnNumber && error?.range == 0..<13)
    }

    // MARK: Row-by-row reference

    private static let names = ["whole", "text", "date", "other"]
    private static let table = Schema(
        zip(0..., [ValueKind.integer, .text, .dateTime, .integer]).map { Field(FieldID(rawValue: $0), name: names[$0], kind: $1) })

    private static func whole(_ text: String?) -> Int? {
        FieldBytes.withBytes(of: text ?? "") { $0.decimal() == nil ? nil : $0.integer().map { Int($0) } }
    }

    private static func date(_ text: String?) -> DateComponents? {
        guard let time = FieldBytes.withBytes(of: text ?? "", { $0.temporal(.dateTime) }) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        let date = Date(timeIntervalSince1970: (Double(time) / 1e6).rounded(.down))
        return calendar.dateComponents([.year, .month, .hour], from: date)
    }

    /// Conditions with functions, each with a simple reference implementation.
    private static let conditions: [(text: String, matches: @Sendable ([String?]) -> Bool)] = [
        ("length(text) > 3", { ($0[1] ?? "").unicodeScalars.count > 3 }), ("length(text) = 0", { ($0[1] ?? "").isEmpty }),
        ("upper(text) = 'FILE10'", { ($0[1] ?? "").uppercased() == "FILE10" }),
        (
            "lower(text) in ('a', 'b', 'é')",
            { ["a", "b", "é"].contains { [text = ($0[1] ?? "").lowercased()] in $0.utf8.elementsEqual(text.utf8) } }
        ),
        ("left(text, 2) contains 'a'", { String(String.UnicodeScalarView(($0[1] ?? "").unicodeScalars.prefix(2))).utf8.contains(0x61) }),
        ("concat(text, '!') ends with '0!'", { ($0[1] ?? "").utf8.last == 0x30 }),
        ("text = replace(text, '1', '2')", { !($0[1] ?? "").utf8.contains(0x31) }),
        ("year(date) = 2024", { date($0[2])?.year == 2024 }), ("month(date) in (1, 2)", { [1, 2].contains(date($0[2])?.month) }),
        ("hour(date) < 12", { date($0[2]).map { $0.hour! < 12 } ?? false }), ("year(date) != 2024", { date($0[2])?.year != 2024 }),
        ("if(text contains 'a', 'x', 'y') = 'x'", { ($0[1] ?? "").utf8.contains(0x61) }),
        ("if(text ~* '^A', 1, 2) = 1", { ["a", "A"].contains(($0[1] ?? "").unicodeScalars.first.map(String.init)) }),
        ("coalesce(text, 'none') = 'none'", { ($0[1] ?? "").allSatisfy { $0 == " " || $0 == "\t" } }),
        ("upper(text) ~ '^N.*7$'", { ($0[1] ?? "").uppercased().utf8.first == 0x4E && ($0[1] ?? "").utf8.last == 0x37 }),
        ("lower(text) =* 'FILE10'", { ($0[1] ?? "").lowercased() == "file10" }),
        ("(text = 'a') = (whole = 1)", { ($0[1] == "a") == (whole($0[0]) == 1) }),
        ("whole * length('ab') is empty", { FieldBytes.withBytes(of: $0[0] ?? "") { $0.decimal()?.isFinite != true } }),
    ]

    private indirect enum Tree {
        case plain(ReferenceCondition), computed(Int), not(Tree), and(Tree, Tree), or(Tree, Tree)

        var written: String {
            switch self {
            case .plain(let plain): plain.written(names)
            case .computed(let index): conditions[index].text
            case .not(let tree): "not (\(tree.written))"
            case .and(let a, let b): "(\(a.written)) and (\(b.written))"
            case .or(let a, let b): "(\(a.written)) or (\(b.written))"
            }
        }

        func matches(_ row: [String?]) -> Bool {
            switch self {
            case .plain(let plain): plain.matches(row)
            case .computed(let index): conditions[index].matches(row)
            case .not(let tree): !tree.matches(row)
            case .and(let a, let b): a.matches(row) && b.matches(row)
            case .or(let a, let b): a.matches(row) || b.matches(row)
            }
        }

        static func random(_ generator: inout ReferenceConditionGenerator, depth: Int) -> Tree {
            switch generator.random.next() % (depth == 0 ? 3 : 6) {
            case 0: .plain(generator.condition(depth: 0))
            case 1, 2: .computed(Int(generator.random.next() % UInt64(conditions.count)))
            case 3: .not(random(&generator, depth: depth - 1))
            case 4: .and(random(&generator, depth: depth - 1), random(&generator, depth: depth - 1))
            default: .or(random(&generator, depth: depth - 1), random(&generator, depth: depth - 1))
            }
        }
    }

    private func check(_ text: String, _ table: MemoryTable, threads: Int, _ matches: ([String?]) -> Bool) throws {
        let expected = table.rows.indices.filter { matches(table.rows[$0]) }.map { UInt32($0) }
        let filters = [try Filter(text, in: Self.table)]
        #expect(try filteredRecords(of: table, by: filters, threads: threads, control: JobControl()).short == expected, "\(text)")
        let found = try filteredRecords(of: RequiredBytesTable(plain: table), by: filters, threads: threads, control: JobControl())
        #expect(found.short == expected, "\(text)")
    }

    @Test func `each function agrees with the row-by-row reference`() throws {
        let table = randomTable(["whole", "text", "date", "whole"], count: 2_000, seed: 77)
        for condition in Self.conditions {
            try check(condition.text, table, threads: 1, condition.matches)
            let left = table.rows.count { condition.matches($0) }
            #expect(left > 0 && left < table.rows.count, "\(condition.text)")
        }
    }

    @Test(arguments: 0..<20) func `random conditions with functions agree with the row-by-row reference`(seed: UInt64) throws {
        let table = randomTable(["whole", "text", "date", "whole"], count: 250, seed: seed)
        var generator = ReferenceConditionGenerator(random: SplitMix64(seed: seed &+ 9_000))
        for _ in 0..<15 {
            let tree = Tree.random(&generator, depth: 3)
            try check(tree.written, table, threads: Int(seed % 3) + 1) { tree.matches($0) }
        }
    }

    @Test func `E: long conditions with functions are parsed and evaluated`() throws {
        let table = MemoryTable([["1", "abc"], ["2", "ab"]])
        for text in [
            "length(text)" + String(repeating: " + 1", count: 999) + " = 1002",
            "length(text) in (" + (3...5_000).map(String.init).joined(separator: ", ") + ")",
            (3...5_000).map { "length(text) = \($0)" }.joined(separator: " or "),
            String(repeating: "abs(", count: 90) + "length(text)" + String(repeating: ")", count: 90) + " = 3",
        ] {
            let filter = try Filter(text, in: Self.table)
            #expect(try filteredRecords(of: table, by: [filter], threads: 1, control: JobControl()).short == [0])
            #expect(try Filter(Filter.text(of: filter.formula, in: Self.table), in: Self.table) == Filter(filter.formula, in: Self.table))
        }
        #expect(throws: FilterError.self) {
            try Filter("length(text)" + String(repeating: " + 1", count: 1_001) + " = 1002", in: Self.table)
        }
        #expect(throws: FilterError.self) { try Filter(String(repeating: "abs(", count: 100_000) + "whole", in: Self.table) }
    }

    @Test func `evaluation on several threads gives the same matches`() throws {
        let table = MemoryTable(column: (0..<150_000).map { "row \($0)" })
        let schema = Schema([Field(FieldID(rawValue: 0), name: "n", kind: .text)])
        let filter = try Filter("right(concat(n, '!'), 4) = '777!' and upper(n) ~ 'W 1'", in: schema)
        let found = try filteredRecords(of: table, by: [filter], threads: 4, control: JobControl())
        #expect(found.short == (0..<150_000).filter { $0 % 1_000 == 777 && "\($0)".hasPrefix("1") }.map { UInt32($0) })
    }
}

extension FilterExpression {
    /// True if any part of the filter uses a formula.
    fileprivate var isComputed: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.contains(where: \.isComputed)
        case .not(let part): part.isComputed
        case .computed: true
        default: false
        }
    }
}

/// Generates random filters of fields, as the parser creates them. There must be fields of each kind.
struct FilterGenerator {
    var random: SplitMix64
    var fields = FilterFormulaTests.schema.fields

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(random.next() % UInt64(elements.count))] }

    private mutating func field(_ kinds: ValueKind...) -> Formula {
        .field(pick(fields.filter { kinds.contains($0.kind) }).id)
    }

    mutating func condition(depth: Int) -> Formula {
        if depth > 0, random.next() % 3 != 0 {
            switch random.next() % 3 {
            case 0: return .call(.and, (0...1 + Int(random.next() % 2)).map { _ in condition(depth: depth - 1) })
            case 1: return .call(.or, (0...1 + Int(random.next() % 2)).map { _ in condition(depth: depth - 1) })
            default: return .call(.not, [condition(depth: depth - 1)])
            }
        }
        let comparison: Formula.Function = pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
        let anyField = field(.text, .decimal, .integer, .date, .dateTime, .time, .flag)
        switch random.next() % 17 {
        case 0: return .call(comparison, [arithmetic(depth: 2), number()])
        case 1: return .call(comparison, [field(.decimal, .integer), arithmetic(depth: 2)])
        case 2: return .call(comparison, [field(.text), text()])
        case 3: return .call(comparison, [field(.text), field(.text)])
        case 4: return .call(comparison, [field(.date, .dateTime), day()])
        case 5: return .call(comparison, [field(.time), .constant(.temporal(pick([0, 37_320_000_000, 86_399_999_999]), .time))])
        case 6: return .call(pick([.equal, .notEqual]), [field(.flag), .constant(.flag(pick([true, false])))])
        case 7: return field(.flag)
        case 8: return .call(pick([.isEmpty, .isNull]), [anyField])
        case 9:
            let function: Formula.Function = pick([
                .contains, .startsWith, .endsWith, .containsIgnoringCase, .startsWithIgnoringCase, .endsWithIgnoringCase,
                .equalIgnoringCase,
            ])
            return .call(function, [anyField, text()])
        case 10:
            return .call(pick([.matches, .matchesIgnoringCase]), [anyField, .constant(.text(pick(["^a", "", "it's|\"", "[0-9]+"])))])
        case 11:
            return .call(.isIn, [field(.decimal, .integer, .text)] + (0...Int(random.next() % 4)).map { _ in pick([number(), text()]) })
        case 12: return .call(.anyFieldContains, [text()])
        // The parser creates these formulas for `between`, patterns and several words.
        case 13:
            let left = field(.decimal, .integer)
            return .call(.and, [.call(.greaterOrEqual, [left, number()]), .call(.lessOrEqual, [left, number()])])
        case 14:
            let pattern = pick(["a_c", "%a_", "it''s%b", "_", "%.%x", "(a|b)%c[d]"])
            let (function, text) = LikePattern(pattern)!.equivalentTest(comparesStrings: true, ignoresCase: random.next() % 2 == 0)
            return .call(function, [field(.text), .constant(.text(text))])
        case 15: return .call(.and, (0...1).map { _ in .call(.anyFieldContains, [text()]) })
        default: return computed(comparison)
        }
    }

    /// A condition that the plain filter tests cannot express.
    private mutating func computed(_ comparison: Formula.Function) -> Formula {
        switch random.next() % 7 {
        case 0: return .call(comparison, [.call(.length, [field(.text)]), .constant(.exact(ExactDecimal(3)))])
        case 1:
            return .call(
                .isIn,
                [.call(.year, [field(.date, .dateTime)]), .constant(.exact(ExactDecimal(2024))), .constant(.exact(ExactDecimal(-1)))])
        case 2: return .call(.contains, [.call(.upper, [field(.text)]), .call(.concat, [text(), field(.text)])])
        case 3: return .call(.equal, [.call(.conditional, [field(.flag), text(), field(.text)]), text()])
        case 4: return .call(pick([.matches, .equalIgnoringCase]), [.call(.trim, [field(.text)]), .constant(.text("a"))])
        case 5: return .call(.isEmpty, [.call(.multiply, [field(.decimal), field(.integer)])])
        // After a text operator, parentheses distinguish columns and numbers from strings.
        default:
            let right: Formula = pick([field(.text), .constant(.exact(ExactDecimal(12)))])
            let test = Formula.call(pick([.contains, .endsWith]), [field(.text), right])
            return .call(.equal, [.call(.conditional, [test, text(), text()]), field(.text)])
        }
    }

    private mutating func number() -> Formula {
        .constant(
            pick([
                .exact(ExactDecimal(5)), .exact(ExactDecimal(-125, digits: 2)), .exact(ExactDecimal(0)),
                .exact(ExactDecimal(1, digits: 38)),
                .exact(ExactDecimal(9_007_199_254_740_993)), .exact(ExactDecimal(Int128.max)), .approximate("1e400"),
                .approximate("-1e300"),
            ]))
    }

    private mutating func arithmetic(depth: Int) -> Formula {
        guard depth > 0, random.next() % 2 == 0 else { return field(.decimal, .integer) }
        if random.next() % 5 == 0 { return .call(.negate, [arithmetic(depth: depth - 1)]) }
        return .call(pick([.add, .subtract, .multiply, .divide]), [arithmetic(depth: depth - 1), pick([number(), field(.decimal)])])
    }

    private mutating func text() -> Formula {
        .constant(.text(pick(["", "it's", "\"", "and", "Ä\n", "#1", "1", "true", "a b", "2024-01-31", "price"])))
    }

    private mutating func day() -> Formula {
        pick([
            .constant(.temporal(19_782 * 86_400_000_000, .date)), .constant(.temporal(1_706_696_520_000_001, .dateTime)),
            .constant(.text("2024-02-29")),
        ])
    }
}
