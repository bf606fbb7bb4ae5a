import GridTestSupport
import Locks
import Tables
import FieldValues
import Testing

@testable import DataGridQuery

@Suite("D7, F: filters") struct FilterTests {
    private let columns: [Field] = [
        Field(FieldID(rawValue: 0), name: "id", kind: .integer), Field(FieldID(rawValue: 1), name: "price", kind: .decimal),
        Field(FieldID(rawValue: 2), name: "symbol", kind: .text), Field(FieldID(rawValue: 3), name: "day", kind: .date),
        Field(FieldID(rawValue: 4), name: "at", kind: .dateTime), Field(FieldID(rawValue: 5), name: "clock", kind: .time),
        Field(FieldID(rawValue: 6), name: "done", kind: .flag), Field(FieldID(rawValue: 7), name: "unit price", kind: .decimal),
    ]
    private let table = MemoryTable([
        ["1", "10.5", "ABC", "2024-01-01", "2024-01-01 10:00", "10:00", "yes", "1"],
        ["2", "-0", "abc", "2024-01-31", "2024-01-01T00:00Z", "9:30", "no", "0"],
        ["9007199254740993", "1e400", "it's", "31.01.2024", "2024-01-02", "23:59:59", "true", "9007199254740992"],
        ["x", "nan", "ÄRGER", "soon", "", " ", "", "-inf"],
        ["1,000", "12%", "", nil, nil, nil, nil, nil],
    ])

    /// The numbers of the matching records, from 1; for an invalid filter, the error.
    private func matchingRecords(_ text: String) -> String {
        do {
            let filter = try Filter(text, in: Schema(columns))
            let records = try filteredRecords(of: table, by: [filter], threads: 2, control: JobControl())
            return records.map { "\($0 + 1)" }.joined(separator: " ")
        } catch let error as FilterError {
            return "\(error.range.lowerBound): \(error.message)"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        arguments: [
            ("id = 1", "1"), ("id != 1", "2 3 4 5"), ("id<2", "1"), ("id >= 2", "2 3 5"), ("id == 1000", "5"), ("id <> 1", "2 3 4 5"),
            // Doubles cannot distinguish integers beyond 2^53.
            ("id = 9007199254740993", "3"), ("id = 9007199254740992", ""), ("id > #8", "2 3"), ("id > \"unit price\"", "2 3"),
            ("id = 9007199254740992.0", ""), ("id < 9007199254740994.5", "1 2 3 5"),
            ("id - 1 = \"unit price\"", "3"), ("id + 1 = 2", "1"), ("id * 2 = 4", "2"), ("id / 2 = 0.5", "1"), ("-id = -1", "1"),
            ("(id + 1) * 2 = 4", "1"), ("id + 1 * 2 = 3", "1"), ("1 + 1 = id", "2"), ("price / #8 > 1", "1"),
            // −0 equals 0, NaN equals nothing, and 1e400 exceeds every number.
            ("price = 0", "2"), ("price < 0", ""), ("price > 1e308", "3"), ("price = 0.12", "5"), ("price != price", "4"),
            ("#8 < -1e308", "4"), ("PRICE = 10.5", "1"), ("price > .5 and price < 11", "1"),
            // An unreadable value is unequal, and neither less nor greater; `not` inverts the result.
            ("id > 0 or id <= 0", "1 2 3 5"), ("not id > 0", "4"), ("not (id > 0)", "4"), ("not not id = 1", "1"),
            ("id = 1 or id = 2 and price = 7", "1"), ("(id = 1 or id = 2) and price != 7", "1 2"),
        ])
    func `D7: comparisons match the expected rows`(text: String, expected: String) { #expect(matchingRecords(text) == expected) }

    @Test(
        arguments: [
            ("id / 0 > 1", ""), ("id / 0 <= 1", ""), ("id / 0 = id / 0", ""), ("id / 0 is empty", "1 2 3 4 5"),
            ("id / 0 != 1", "1 2 3 4 5"), ("not (id / 0 > 1)", "1 2 3 4 5"), ("id / 0 + 1 > 0", ""), ("0 / #8 = 0", "1 3 4"),
            // Row 2 divides by zero, and row 3 has a quotient beyond the largest number.
            ("price / #8 is empty", "2 3 4 5"), ("price / #8 > 1 or price / #8 <= 1", "1"), ("price / #8 != 1", "1 2 3 4 5"),
            ("1 / #8 > 0", "1 3"), ("1 / #8 is empty", "2 5"),
        ])
    func `D7: a division by zero gives an empty value, for which only != is true`(text: String, expected: String) {
        #expect(matchingRecords(text) == expected)
    }

    @Test(
        arguments: [
            ("symbol = 'ABC'", "1"), ("symbol =* 'abc'", "1 2"), ("symbol !=* 'abc'", "3 4 5"), ("symbol = \"abc\"", "2"),
            ("symbol = ''", "5"),
            ("symbol = 'it''s'", "3"), ("symbol > 'a'", "2 3 4"), ("'ABC' = symbol", "1"), ("symbol = id", ""),
            ("symbol contains 'B'", "1"), ("symbol contains* 'B'", "1 2"), ("symbol contains* 'är'", "4"), ("symbol contains 'är'", ""),
            ("symbol not contains 'B'", "2 3 4 5"), ("symbol starts with 'A'", "1"), ("symbol ends with* 'ger'", "4"),
            ("symbol starts with* 'Är'", "4"), ("symbol contains ''", "1 2 3 4 5"), ("id contains 7199", "3"),
            ("symbol in ('ABC', 'abc', 'q')", "1 2"), ("symbol not in ('ABC')", "2 3 4 5"), ("id in (1, 2, 9007199254740992)", "1 2"),
            ("day in (2024-01-01, 'soon')", "1 4"), ("id in (-1)", ""),
            ("symbol is empty", "5"), ("day is not empty", "1 2 3 4"), ("clock is empty", "4 5"), ("at is empty", "4 5"),
            ("symbol is missing", ""), ("clock is missing", "5"), ("clock is not missing", "1 2 3 4"), ("clock is null", "4 5"),
            ("symbol ~ '^[Aa]'", "1 2"), ("symbol !~ '^[Aa]'", "3 4 5"), ("symbol ~* 'är'", "4"), ("symbol ~ '^$'", "5"),
            ("day = 2024-01-31", "2 3"), ("day < 2024-01-31", "1"), ("day >= '2024-01-31'", "2 3"), ("day = 'soon'", "4"),
            ("day <= at", "1"),
            ("at > 2024-01-01", "1 3"), ("at = 2024-01-01", "2"), ("at >= 2024-01-01 10:00 and at < 2024-01-02", "1"),
            ("at = 2024-01-01T12:00+02:00", "1"), ("clock < 10:00", "2"), ("clock >= 9:30:00.5", "1 3"),
            ("done = true", "1 3"), ("done = 'no'", "2"), ("done = 'NO'", ""), ("done < 'o'", "2 4 5"), ("done != true", "2 4 5"),
            ("symbol = true", ""),
            // A flag column alone is a condition wherever a condition is valid.
            ("done", "1 3"), (" Done ", "1 3"), ("not done", "2 4 5"), ("done and id = 1", "1"), ("(done)", "1 3"), ("'done'", ""),
            // A number column never equals a string that is not a number.
            ("price = 'abc'", ""), ("id in (1,200)", "1"),
            // A single word is searched in every cell; capitals make the search case-sensitive.
            ("abc", "1 2"), ("ABC", "1"), ("'it''s'", "3"),
            ("10", "1"), ("'10:0'", "1"), ("'price'", ""), ("ärg", "4"), ("  soon ", "4"),
        ])
    func `D7: conditions on strings, dates and flags match the expected rows`(text: String, expected: String) {
        #expect(matchingRecords(text) == expected)
    }

    @Test(
        arguments: [
            ("id between 1 and 2", "1 2"), ("id not between 1 and 2", "3 4 5"), ("id between 2 and 1", ""),
            ("price between -1 and 10.5 and id = 1", "1"), ("id = 2 or price between 10 and 11", "1 2"),
            ("day between 2024-01-01 and 2024-01-30", "1"), ("symbol between 'A' and 'b'", "1 2"),
            ("id + 1 between 2 and 3", "1 2"), ("not id between 1 and 2", "3 4 5"),
            ("symbol like 'ABC'", "1"), ("symbol like 'A%'", "1"), ("symbol like '%c'", "2"), ("symbol like '%t''%'", "3"),
            ("symbol like '%'", "1 2 3 4 5"), ("symbol like ''", "5"), ("symbol like 'a_c'", "2"), ("symbol like '_%'", "1 2 3 4"),
            ("symbol like '____'", "3"), ("symbol like '_RGER'", "4"), ("symbol like '%B%C'", "1"), ("symbol like 'B'", ""),
            ("symbol not like 'A%'", "2 3 4 5"), ("symbol ilike 'a%'", "1 2"), ("symbol ilike 'ABC'", "1 2"),
            ("symbol ilike 'ä_ger'", "4"), ("symbol not ilike '%C'", "3 4 5"),
            ("price like '12%'", "5"), ("price like '12!%' escape '!'", "5"), ("price like '%!%%' escape '!'", "5"),
            ("price like '12!_' escape '!'", ""), ("id like '1'", "1"), ("id like '1_000'", "5"), ("price ilike 'NAN'", "4"),
            ("symbol is null", "5"), ("day is not null", "1 2 3 4"),
            ("id = 1 || id = 2 && price = 7", "1"), ("!(id > 0)", "4"), ("!done", "2 4 5"), ("! id = 1 && !done", "2 4 5"),
            ("id==1||id==2", "1 2"), ("id <> 1 && id == 2", "2"),
            // A word that is not a column is a string.
            ("symbol = ABC", "1"), ("symbol == abc || symbol = ABC", "1 2"), ("symbol != ABC and done", "3"),
            ("symbol in (ABC, abc, q)", "1 2"), ("symbol =* aBc", "1 2"), ("symbol contains B", "1"), ("symbol starts with A", "1"),
            ("symbol like ABC", "1"), ("upper(symbol) = ABC", "1 2"), ("symbol = id", ""),
            // Several words must all occur in the row, in any fields.
            ("abc 10", "1"), ("abc 9:30", "2"), ("10 ABC", "1"), ("'it''s' true", "3"), ("abc nowhere", ""), ("\"soon\" ärg x", "4"),
        ])
    func `17.6: conditions in the notation of other languages match the expected rows`(text: String, expected: String) {
        #expect(matchingRecords(text) == expected)
    }

    @Test(
        arguments: [
            ("when >= 24/01/2022", "2 3"), ("when between 23/01/2022 and 24/01/2022", "1 2"), ("when in (24/01/2022, 25/01/2022)", "2 3"),
            ("when = 24/01/2022 or when=2022-01-23", "1 2"), ("(when < 24/01/2022)", "1"), ("when > 2022-01-24", "3"),
            ("when >= 24 Jan 2022", "2 3"), ("when not in (24/01/2022)", "1 3"),
        ])
    func `17.6: a date in a filter can have the notation of its column`(text: String, expected: String) throws {
        let schema = Schema([Field(FieldID(rawValue: 0), name: "when", kind: .date, dateNotation: .dayFirst)])
        let table = MemoryTable([["23/01/2022"], ["24/01/2022"], ["25/01/2022"]])
        let found = try filteredRecords(of: table, by: [try Filter(text, in: schema)], threads: 1, control: JobControl())
        #expect(found.map { "\($0 + 1)" }.joined(separator: " ") == expected)
    }

    @Test(
        arguments: [
            ("done = yes", "1 3"), ("done = y", "1 3"), ("done = T", "1 3"), ("done = 1", "1 3"), ("done == TRUE", "1 3"),
            ("done = no", "2"), ("done = 0", "2"), ("done = F", "2"), ("done != yes", "2 4 5"), ("done != 0", "1 3 4 5"),
            ("done in (yes, no)", "1 2 3"), ("done in (0)", "2"), ("done not in (1)", "2 4 5"), ("done = no or id = 1", "1 2"),
            // Text in quotes is compared as written.
            ("done = 'no'", "2"), ("done = 'NO'", ""),
        ])
    func `17.6: a column of flags is compared with words and digits by meaning, not by text`(text: String, expected: String) {
        #expect(matchingRecords(text) == expected)
    }

    @Test(
        arguments: [
            ("id = true", "1"), ("id = True", "1"), ("id != TRUE", "2 3 4 5"), ("id - 1 = 0 and id = true", "1"), ("id = false", ""),
            ("id in (true, 2)", "1 2"), ("id not in (false, true)", "2 3 4 5"), ("id = 'true'", ""), ("\"id\" == true or id = 2", "1 2"),
        ])
    func `17.6: true is 1 and false is 0 in a column of integers, as in SQLite`(text: String, expected: String) throws {
        #expect(matchingRecords(text) == expected)
        #expect(throws: FilterError.self) { try Filter("price = true", in: Schema(columns)) }
        #expect(Filter.text(of: try Filter("id = true", in: Schema(columns)).formula, in: Schema(columns)) == "id = 1")
    }

    @Test func `17.6: a column of flags can be compared with the numbers 0 and 1 only`() throws {
        #expect(throws: FilterError.self) { try Filter("done = 2", in: Schema(columns)) }
        #expect(throws: FilterError.self) { try Filter("done = 1 + 1", in: Schema(columns)) }
    }

    @Test(
        arguments: [
            ("day = 2024-05", "3 4"), ("day != 2024-05", "1 2 5 6"), ("day > 2024-05", "5"), ("day >= 2024-05", "3 4 5"),
            ("day < 2024-05", "1 2"), ("day <= 2024-05", "1 2 3 4"), ("day=2024-05", "3 4"), ("(day > 2024-05)", "5"),
            ("day = 2024", "2 3 4 5"), ("day > 2023", "2 3 4 5"), ("day > 2024", ""), ("day <= 2023", "1"), ("day = 2023-12", "1"),
            ("day > 2023-12", "2 3 4 5"), ("day between 2024-04 and 2024-05", "2 3 4"), ("day not between 2024-04 and 2024-05", "1 5 6"),
            ("day between 2023 and 2024-04-30", "1 2"), ("not day = 2024-05 and day = 2024", "2 5"), ("day > 2024-05||day<2024", "1 5"),
            ("day > '2024-05'", "5"), ("day = '2024-05'", "3 4 6"), ("day = \"2024\"", "2 3 4 5"), ("day != '2024-05'", "1 2 5"),
            // A complete date stands for its day.
            ("day > 2024-05-01", "4 5"), ("day = 2024-05-31", "4"),
        ])
    func `17.6: a month or a year compared with dates stands for all of its days`(text: String, expected: String) throws {
        let schema = Schema([Field(FieldID(rawValue: 0), name: "day", kind: .date)])
        let days = ["2023-12-31", "2024-04-30", "2024-05-01", "2024-05-31", "2024-06-01", "2024-05"]
        let found = try filteredRecords(
            of: MemoryTable(days.map { [$0] }), by: [try Filter(text, in: schema)], threads: 1, control: JobControl())
        #expect(found.map { "\($0 + 1)" }.joined(separator: " ") == expected)
    }

    @Test func `17.6: a month includes its last second, and a string such as 2024-13 is not a period`() throws {
        let schema = Schema([
            Field(FieldID(rawValue: 0), name: "at", kind: .dateTime), Field(FieldID(rawValue: 1), name: "clock", kind: .time),
        ])
        let table = MemoryTable([["2024-05-31T23:59:59", "10:00"], ["2024-06-01T00:00:00", "11:00"]])
        func matchingRecords(_ text: String) throws -> [Int] {
            try Array(filteredRecords(of: table, by: [try Filter(text, in: schema)], threads: 1, control: JobControl()))
        }
        #expect(try matchingRecords("at = 2024-05") == [0])
        #expect(try matchingRecords("at > 2024-05") == [1])
        for text in ["at = 2024-13", "at = 2024 - 5", "at = 20240", "clock = 2024", "at ~ 2024-", "at > 9999", "at > '2024-05"] {
            #expect(throws: FilterError.self, "\(text)") { try Filter(text, in: schema) }
        }
    }

    @Test func `18.11: “is null” tests for nulls if the table has them, and for empty fields otherwise`() throws {
        let fields = columns.map { Field($0.id, name: $0.name, kind: $0.kind, hasNulls: $0.id.rawValue != 2) }
        func rows(_ text: String) throws -> [Int] {
            let filter = try Filter(text, in: Schema(fields))
            #expect(Filter.text(of: filter.formula, in: Schema(fields)) == text)
            return try filteredRecords(of: table, by: [filter], threads: 2, control: JobControl()).map { Int($0) + 1 }
        }
        #expect(try rows("clock is null") == [5])
        #expect(try rows("not clock is null") == [1, 2, 3, 4])
        #expect(try rows("clock is empty") == [4, 5])
        #expect(try rows("symbol is empty") == [5])
        #expect(try rows("if(id = 1, clock, symbol) is missing") == [])
        #expect(try rows("if(id > 0, clock, symbol) is missing") == [5])
        #expect(try Filter("symbol is null", in: Schema(fields)) == Filter("symbol is empty", in: Schema(fields)))
    }

    @Test(
        arguments: [
            ("symbol like 'a%'", "symbol starts with 'a'"), ("symbol like '%a'", "symbol ends with 'a'"),
            ("symbol like '%%a%'", "symbol contains 'a'"), ("symbol like 'a'", "symbol = 'a'"),
            ("symbol ilike '%a%'", "symbol contains* 'a'"),
            ("symbol like '%a_'", #"symbol ~ 'a[\s\S]$'"#), ("symbol ilike 'a.%b'", #"symbol ~* '^a\.[\s\S]*b$'"#),
            ("id like '1'", "id ~ '^1$'"),
            ("price between 1 and 2", "price >= 1 and price <= 2"), ("price not between 1 and 2", "not (price >= 1 and price <= 2)"),
            ("symbol is not null", "not symbol is empty"), ("abc 'd e'", "anywhere('abc') and anywhere('d e')"),
        ])
    func `17.6: a pattern is replaced by the simplest equivalent string test`(text: String, expected: String) throws {
        let filter = try Filter(text, in: Schema(columns))
        #expect(Filter.text(of: filter.formula, in: Schema(columns)) == expected)
        #expect(try Filter(expected, in: Schema(columns)) == filter)
    }

    @Test(
        arguments: [
            ("Gold or Silver", "anywhere('Gold') or anywhere('Silver')"), ("'a b' || \"c\"", nil), ("!Gold", "not anywhere('Gold')"),
            ("not 'it''s' and price > 1", "not anywhere('it''s') and price > 1"),
            ("price > 1 && (Gold || Silver)", "price > 1 and (anywhere('Gold') or anywhere('Silver'))"),
            ("symbol = Gold or Silver", "symbol = 'Gold' or anywhere('Silver')"),
            // A name is a column, and arithmetic needs a comparison.
            ("price or Gold", nil), ("'a' + 1", nil), ("Gold Silver or x", nil),
        ] as [(String, String?)])
    func `17.6: search words and quoted strings can be combined with conditions`(text: String, expected: String?) throws {
        guard let expected else {
            #expect(throws: FilterError.self) { try Filter(text, in: Schema(columns)) }
            return
        }
        let filter = try Filter(text, in: Schema(columns))
        #expect(Filter.text(of: filter.formula, in: Schema(columns)) == expected)
        #expect(try Filter(expected, in: Schema(columns)) == filter)
    }

    @Test func `17.6, E: deeply nested ranges are refused, because each one would double the size of the filter`() {
        var text = "id"
        for _ in 0..<50 { text = "if(\(text) between 1 and 2, 1, 2)" }
        #expect(matchingRecords("\(text) = 1").contains("Too many operators"))
        #expect(matchingRecords("if(id between 1 and 2, 1, 2) between 1 and 1") == "1 2")
    }

    private static let invalid: [(String, Int, FilterError.Kind)] = [
        ("", 0, .expectedOperand), ("price >", 7, .expectedOperand),
        ("price > 1 and", 13, .expectedOperand),
        ("pricee > 1", 0, .unknownColumn),
        ("prcie > 3", 0, .unknownColumn),
        ("price > 12,5", 8, .decimalComma),
        ("price > 1 x", 10, .expectedAndOr), ("price > 1)", 9, .unmatchedParenthesis),
        ("(price > 1", 10, .expectedParenthesis),
        ("price = ABC", 8, .unknownColumn),
        ("symbol > ABC", 9, .unknownColumn),
        ("price = n/a", 8, .unknownColumn),
        ("price = n/id", 8, .unknownColumn),
        ("price > 1 and smbl = 2", 14, .unknownColumn),
        ("price > €100", 8, .currencySign),
        ("price > $1,000.50", 8, .currencySign),
        ("price > $", 8, .unexpectedCharacter),
        ("symbol = AB*", 11, .wildcard),
        ("symbol = big ABC", 9, .severalWords),
        ("symbol = null", 9, .nullComparison),
        ("price between 1", 15, .expectedUpperLimit),
        ("price between 1 or 2", 16, .expectedUpperLimit),
        ("price between 1 and", 19, .expectedOperand),
        ("price between 'x' and 2", 14, .otherType),
        ("symbol like", 11, .expectedText),
        ("symbol like price", 12, .expectedText),
        ("symbol like 'a!' escape '!'", 12, .unfinishedEscape),
        ("symbol like 'a' escape 'xy'", 23, .invalidEscape),
        ("price > 1 & id = 1", 10, .unexpectedCharacter),
        ("price > 1 | id = 1", 10, .unexpectedCharacter),
        ("symbol = 'a", 9, .missingQuote), ("price > 'x' + 1", 8, .argumentType),
        ("price + 1", 9, .expectedComparison),
        ("not price", 9, .expectedComparison),
        (" symbol 9 2024-05", 8, .expectedComparison),
        ("symbol 'ABC'", 7, .expectedComparison),
        ("price > 12abc", 10, .unexpectedCharacter),
        ("day > 2024-02-30", 6, .invalidTime),
        ("day > 5", 0, .otherType),
        ("price > 2024-01-01", 8, .otherType),
        ("#9 > 1", 0, .unknownColumnNumber), ("# > 1", 0, .expectedColumnNumber),
        ("symbol ~ '('", 9, .invalidPattern),
        ("symbol is full", 10, .expectedState),
        ("symbol starts 'a'", 14, .expectedWith), ("symbol in 'a'", 10, .expectedList),
        ("symbol in ()", 11, .expectedListValue),
        ("symbol in ('a' 'b')", 15, .expectedListEnd),
        ("symbol contains price", 16, .expectedText),
        ("1 = 1", 0, .expectedColumnOnOneSide),
        ("\"symbo\" = 'A'", 0, .expectedColumnOnOneSide),
        ("price > 1 ; x", 10, .unexpectedCharacter),
        ("(price > 1) > 2", 12, .expectedAndOr),
        ("price < (id > 2)", 16, .expectedValue),
        ("symbol not 'a'", 11, .expectedTest),
        ("price", 0, .columnNotCompared),
        (" symbol", 1, .columnNotCompared),
        ("day", 0, .columnNotCompared),
        ("price > 'abc'", 8, .otherType),
        ("'abc' <= day", 0, .otherType),
        ("price > 1,000", 8, .thousandsSeparator),
        ("(price > 1,000,000.5)", 9, .thousandsSeparator),
        ("done = 3", 0, .otherType),
    ]

    @Test(arguments: invalid) func `D7: an invalid filter is an error with its position`(text: String, place: Int, kind: FilterError.Kind) {
        let error = error(in: text)
        #expect(error?.kind == kind && error?.range.lowerBound == place, "\(text): \(String(describing: error))")
    }

    private func error(in text: String) -> FilterError? {
        do throws(FilterError) { _ = try Filter(text, in: Schema(columns)) } catch { return error }
        return nil
    }

    @Test func `E: filters that are nested too deeply or are too long are rejected`() throws {
        #expect(error(in: String(repeating: "(", count: 100_000))?.kind == .nestedTooDeeply)
        #expect(error(in: String(repeating: "not ", count: 100_000) + "id = 1")?.kind == .nestedTooDeeply)
        #expect(error(in: "id = " + String(repeating: "-", count: 100_000) + "1")?.kind == .nestedTooDeeply)
        #expect(error(in: "id" + String(repeating: " + 1", count: 5_000) + " > 0")?.kind == .tooManyOperators)
        #expect(matchingRecords("id" + String(repeating: " + 1", count: 999) + " = 1000") == "1")
        #expect(matchingRecords((1...5_000).map { "id = \($0)" }.joined(separator: " or ")) == "1 2 5")
        #expect(matchingRecords("id in (" + (1...5_000).map(String.init).joined(separator: ", ") + ")") == "1 2 5")
        for text in [
            "\u{0}", "'\u{0}'", "\u{1b}[31m", "\u{202e}", "é = 1", "'", "\"", "((((", "= = =", "~", "price ~", "%", "1e", ".",
            "#99999999999999999999",
        ] {
            _ = matchingRecords(text)
        }
    }

    @Test(arguments: 0..<30) func `D7: random conditions on random tables agree with the row-by-row reference`(seed: UInt64) throws {
        let names = ["whole", "text", "date", "other"]
        let table = randomTable(["whole", "text", "date", "whole"], count: 250, seed: seed)
        let columns = zip(0..., [ValueKind.integer, .text, .dateTime, .integer]).map {
            Field(FieldID(rawValue: $0), name: names[$0], kind: $1)
        }
        var generator = ReferenceConditionGenerator(random: SplitMix64(seed: seed &+ 1_000))
        for _ in 0..<15 {
            let plain = generator.condition(depth: 3)
            let text = plain.written(names)
            let expected = table.rows.indices.filter { plain.matches(table.rows[$0]) }.map { UInt32($0) }
            let found = try filteredRecords(
                of: table, by: [try Filter(text, in: Schema(columns))], threads: Int(seed % 3) + 1, control: JobControl())
            #expect(found.short == expected, "\(text)")
            // A table that delivers only the required records has the same matches.
            let matches = try filteredRecords(
                of: RequiredBytesTable(plain: table), by: [try Filter(text, in: Schema(columns))], threads: 2, control: JobControl())
            #expect(matches.short == expected, "\(text)")
            // Filtering only some records, or only the records after a start, gives a part of the same matches.
            let within = try filteredRecords(
                of: table, by: [try Filter(text, in: Schema(columns))], within: RowNumbers([200, 7, 8, 9]), threads: 2,
                control: JobControl())
            #expect(within.short == expected.filter { [7, 8, 9, 200].contains($0) })
            let later = try filteredRecords(
                of: table, by: [try Filter(text, in: Schema(columns))], from: 123, threads: 2, control: JobControl())
            #expect(later.short == expected.filter { $0 >= 123 })
        }
    }

    @Test(
        arguments: [
            ("text = 'b'", "b"), ("'b' = text and whole > 1", "b"), ("text contains* 'TasK'", "ta"), ("text =* 'Müller'", "ller"),
            ("text in ('file2')", "file2"), ("text ~ '^file[0-9]+x'", "file"), ("whole > 1 and (text contains 'abc')", "abc"),
        ])
    func `D7: the required bytes of a filter are those that every matching record contains`(text: String, expected: String) throws {
        let columns = [Field(FieldID(rawValue: 0), name: "text", kind: .text), Field(FieldID(rawValue: 1), name: "whole", kind: .integer)]
        let required = try Filter(text, in: Schema(columns)).expression.requiredBytes
        #expect(required.count == expected.utf8.count)
        #expect(expected.utf8.enumerated().allSatisfy { required.matches($0.element, at: $0.offset) }, "\(required)")
    }

    @Test(
        arguments: ["text = 'b' or whole = 1", "not text = 'b'", "whole = 1", "text = ''", "text is empty"])
    func `D7: some conditions require no bytes`(text: String) throws {
        let columns = [Field(FieldID(rawValue: 0), name: "text", kind: .text), Field(FieldID(rawValue: 1), name: "whole", kind: .integer)]
        #expect(try Filter(text, in: Schema(columns)).expression.requiredBytes.isEmpty)
    }

    @Test func `D7: matching records are delivered in several parts, in order, while the job runs`() throws {
        let table = MemoryTable(column: (0..<200_000).map { "\($0 % 1_000)" })
        let column = [Field(FieldID(rawValue: 0), name: "n", kind: .integer)]
        let filters = [try Filter("n >= 10", in: Schema(column)), try Filter("n < 12", in: Schema(column))]
        let pieces = Mutex<[[UInt32]]>([])
        let control = JobControl()
        let found = try filteredRecords(of: table, by: filters, threads: 2, control: control) { piece in
            pieces.withLock { $0.append(piece.short) }
        }
        #expect(found.short == (0..<200_000).filter { [10, 11].contains($0 % 1_000) }.map { UInt32($0) })
        #expect(pieces.withLock { $0.flatMap { $0 } } == found.short)
        #expect(pieces.withLock { $0.count } == 7, "one piece per 32,768 records")
        #expect(control.fraction == 1)
    }

    @Test func `D7: a cancelled filter ends at once, and a table error ends the filter with that error`() throws {
        let filter = try Filter("n = 1", in: Schema([Field(FieldID(rawValue: 0), name: "n", kind: .integer)]))
        let control = JobControl()
        let cancels = UnreadableTable { if $0 == 1_000 { control.cancel() } }
        #expect(throws: JobCancelled.self) { try filteredRecords(of: cancels, by: [filter], threads: 2, control: control) }
        let breaks = UnreadableTable { if $0 == 70_000 { throw UnreadableTable.Broken() } }
        #expect(throws: UnreadableTable.Broken.self) { try filteredRecords(of: breaks, by: [filter], threads: 2, control: JobControl()) }
        let incomplete = #expect(throws: IncompleteScan.self) {
            try filteredRecords(of: ShortTable(), by: [filter], threads: 2, control: JobControl())
        }
        #expect(incomplete?.message == "The data changed while it was being read. Reload it.")
    }

    @Test(
        arguments: [
            ("ß", "ẞ", true), ("ß", "ss", false), ("σ", "ς", true), ("Σ", "ς", true), ("k", "\u{212A}", true), ("S", "ſ", true),
            ("i", "ı", false),
            ("İ", "i", false), ("straße", "STRASSE", false), ("ЖЁ", "жё", true), ("Å", "\u{212B}", true), ("µ", "μ", true),
            ("Ǆ", "ǆ", true),
        ])
    func `D7: case-insensitive comparisons use simple case folding, scalar by scalar`(a: String, b: String, isSame: Bool) {
        for (needle, field) in [(a, b), (b, a)] {
            let text = FoldedText(needle, ignoresCase: true)
            FieldBytes.withBytes(of: "xx" + field + "yy") { #expect(text.passes(.contains, $0.bytes) == isSame, "\(needle) in \(field)") }
            FieldBytes.withBytes(of: field) { #expect(text.passes(.equals, $0.bytes) == isSame, "\(needle) = \(field)") }
            FieldBytes.withBytes(of: "xx" + field) { #expect(text.passes(.endsWith, $0.bytes) == isSame) }
        }
        // Invalid bytes match no letter, and do not hide the text after them.
        let text = FoldedText("é", ignoresCase: true)
        for bytes: [UInt8] in [[0xC3], [0xC3, 0xC3, 0x89], [0xFF, 0xC3, 0xA9], [0xE0, 0x80, 0xA9]] {
            bytes.withUnsafeBufferPointer { #expect(text.passes(.contains, $0) == (bytes.count == 3 && bytes[0] != 0xE0)) }
        }
    }

    @Test func `D7: a filter made from the value of a cell matches the row of this cell`() throws {
        let names = ["plain", "two words", "it's \"so\"", "not", "plain", "Ünï", "3rd", ""]
        let columns = names.indices.map { Field(FieldID(rawValue: $0), name: names[$0], kind: $0 == 0 ? .decimal : .text) }
        #expect(Filter.text(columns[0].id, hasValue: " 1.50", isNegated: false, in: Schema(columns)) == "#1 = 1.50")
        #expect(Filter.text(columns[0].id, hasValue: "1,500", isNegated: true, in: Schema(columns)) == "#1 != '1,500'")
        #expect(Filter.text(columns[1].id, hasValue: "it's", isNegated: false, in: Schema(columns)) == "\"two words\" = 'it''s'")
        #expect(Filter.text(columns[4].id, hasValue: " ", isNegated: true, in: Schema(columns)) == "#5 is not empty")
        for column in columns {
            for value in [
                "1", "-1", "1.5e3", "1,000", "x", "it's", "\"", "a\nb", "", " ", "2024-01-01", "#3", "price > 1", "é", "0x1F", "--1",
            ] {
                var row = [String?](repeating: "other", count: names.count)
                row[column.id.rawValue] = value
                for isNegated in [false, true] {
                    let text = Filter.text(column.id, hasValue: value, isNegated: isNegated, in: Schema(columns))
                    let found = try filteredRecords(
                        of: MemoryTable([row]), by: [try Filter(text, in: Schema(columns))], threads: 1, control: JobControl())
                    #expect(found.short == (isNegated ? [] : [0]), "\(text)")
                }
            }
        }
    }
}
