import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Identifiers by title, columns with placeholders, notations of dates, and the text of drawn tables.
@Suite struct ColumnReadingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ text: String, _ name: String = "t.csv") throws -> any TableSource {
        let source = try FileOpener().open(path: folder.file(name, text))
        try source.readAll(threads: 1) { _ in true }
        return source
    }

    // MARK: Identifiers

    @Test(
        arguments: [
            "Kontonr", "Rechnungsnr", "kundennr", "Kunden-Nr.", "Rechnungsnummer", "número de cuenta", "numero_de_cuenta",
            "numéro de client",
            "n° client", "Nº", "Postleitzahl", "blz", "Bankleitzahl", "siret", "SIREN", "nif", "invoice", "ticket", "passport", "member",
            "telefono", "teléfono", "téléphone", "Telefon", "Handy", "pin", "pid", "tid", "version", "app version", "build", "uid", "gid",
            "userid", "UserID", "user_id", "port",
            "src_port", "fips", "pmid", "taxid", "Tax ID", "ref", "yyyymm", "period", "année", "Año", "Nume\u{301}ro de client",
            "order no.", "Steuernummer", "phone2", "postalCode", "account number", "#",
            "customer", "customer_id", "employee", "patient", "article", "Artikel", "Kunde", "Rechnung", "Vertrag", "shipment", "device",
            "session", "case", "account", "order", "code", "user", "loan id",
        ])
    func `D3: a column whose title suggests identifiers is read as identifiers`(title: String) {
        #expect(ColumnProfile(kind: .integer).isIdentifier(titled: title))
    }

    @Test(
        arguments: [
            "port_traffic_bytes", "number of rows", "Number of Rows", "number_of_rows", "no. of items", "reference price", "invoice amount",
            "ticket price", "total invoice", "members", "tickets", "Anzahl", "Einwohnerzahl", "import", "export", "report", "support",
            "spin",
            "paid", "bid", "grid", "psnr", "population", "period length", "snr", "pincount", "postage", "número de habitantes", "x", "",
        ])
    func `D3: a column whose title suggests quantities is read as amounts`(title: String) {
        #expect(!ColumnProfile(kind: .integer).isIdentifier(titled: title))
    }

    @Test(
        arguments: [
            "visitors", "downloads", "impressions", "clicks", "steps", "energy", "shares", "loan", "tokens", "pop", "population", "views",
            "cost per customer", "tokens per session",
        ])
    func `D3: a column whose title suggests quantities is read as amounts even if its values look like identifiers`(title: String) {
        var profile = ColumnProfile(kind: .integer)
        profile.hasIdentifiers = true
        #expect(profile.isIdentifier(titled: "x") && !profile.isIdentifier(titled: title))
    }

    @Test(
        arguments: [
            "amount", "Amount", "order_amount", "totalAmount", "total", "quantity", "qty", "cost", "cost of goods sold", "revenue", "sales",
            "count", "rating count", "number of ratings", "no. of prices", "units sold", "total score", "price total", "population",
            "response count", "amounts", "price totals", "numbers of prices",
            "Betrag", "Menge", "Umsatz 2024", "montant", "cantidad", "GDP bn USD", "area km²",
        ])
    func `D8: numbers with titles of amounts and counts can be summed`(title: String) {
        #expect(ColumnTitle(title).isAdditive == true)
    }

    @Test(
        arguments: [
            "price", "unitPrice", "unit cost", "cost per unit", "sales price", "rate", "tax rate", "rate of sales", "ratio", "percent",
            "% of total", "change %", "pct_total", "age", "Ages", "temperature", "max temp", "lat", "longitude", "score", "avg amount",
            "mean revenue", "population density", "Preis €", "taux", "precio", "height", "rank",
            "response time ms", "ResponseTime", "rtt", "ping ms",
        ])
    func `D8: numbers with titles of prices, rates and measurements cannot be summed`(title: String) {
        #expect(ColumnTitle(title).isAdditive == false)
    }

    @Test(arguments: ["", "x", "value", "accounting", "moderate", "pricey"])
    func `D8: other titles do not decide whether numbers can be summed`(title: String) {
        #expect(ColumnTitle(title).isAdditive == nil)
    }

    @Test func `D3: months such as 202601 are identifiers in any column`() throws {
        let months = (0..<300).map { "\(2_000 + $0 / 12)\($0 % 12 < 9 ? "0" : "")\($0 % 12 + 1)" }
        let amounts = (0..<300).map { "\(200_000 + $0 % 5 * 1_000)" }
        let text = "x,y\n" + zip(months, amounts).map { "\($0),\($1)\n" }.joined()
        let profiles = try open(text).profiles(budgetMilliseconds: 0)
        #expect(profiles.map { $0.isIdentifier(titled: "x") } == [true, false])
        #expect(profiles.allSatisfy { $0.kind == .integer })
    }

    // MARK: Placeholders

    private func kinds(_ columns: [[String]]) throws -> [ValueKind] {
        let rows = columns[0].indices.map { row in columns.map { $0[row] }.joined(separator: "|") + "\n" }
        return try open(columns.indices.map { "c\($0)" }.joined(separator: "|") + "\n" + rows.joined()).profiles(budgetMilliseconds: 0)
            .map(\.kind)
    }

    @Test(
        arguments: [
            "n/a", "N/A", "-", "NULL", "null", "TBD", ".", "?", "none", "None", "–", "—", "#N/A", "--", "NaN", "\\N", "<NA>", "NaT",
            "#DIV/0!",
        ])
    func `17.2: placeholders such as n/a do not change the type of a column with few values`(word: String) throws {
        let found = try kinds([
            ["14/03/2022", "02/11/2021", word, "25/12/2020", word, "01/01/2020"], ["100", "20", "3", word, "5", "6"],
            ["1.5", word, "2", "3", "4", word],
            ["2022-01-02 10:00", word, "2022-01-03 10:00", "2022-01-04 11:00", "2022-01-04 11:00", word],
            ["10:00", "11:00", "12:00", word, "12:30", "12:40"], ["1", "2", word, word, word, "3"], ["a", "b", word, "c", "1", "2"],
            ["01/02/22", word, "02/02/22", "03/02/22", "13/02/22", "05/02/22"], ["$5", word, "$7", "$8.50", "$1", "$2"],
        ])
        #expect(found == [.date, .integer, .decimal, .dateTime, .time, .text, .text, .date, .decimal])
    }

    @Test func `17.2: a column with few values is text if it contains text other than placeholders`() throws {
        for word in ["abc", "sold out", "n.b.", "1x", "??"] {
            let found = try kinds([["14/03/2022", "02/11/2021", word, "25/12/2020"], ["100", "20", "3", word], ["1.5", word, "2", "3"]])
            #expect(found == [.text, .text, .text], "\(word)")
        }
        #expect(try kinds([["-", "-", "-"], ["n/a", "n/a", "n/a"]]) == [.text, .text])
        // Codes with leading zeros stay text.
        #expect(try kinds([["00123", "n/a", "00124", "00125"]]) == [.text])
    }

    @Test(arguments: [29, 30, 31, 90]) func `17.2: number and date columns tolerate the same share of other values`(bad: Int) throws {
        for stride in [true, false] {
            let count = 3_000 + bad
            func column(_ value: (Int) -> String) -> [String] {
                (0..<count).map { row in
                    let isBad = stride ? row * bad / count != (row + 1) * bad / count : row < bad
                    return isBad ? "bad" : value(row)
                }
            }
            let found = try kinds([
                column { "\($0)" }, column { "2022-01-\(10 + $0 % 20)" }, column { "\(10 + $0 % 19)/03/2022" },
                column { "2022-01-\(10 + $0 % 20) 10:00:00" }, column { "\($0).5" }, column { _ in "10:30" },
                column { "\($0 % 28 + 1) Sep 2022" },
            ])
            let isTyped = found[0] == .integer
            #expect(isTyped == (bad <= 30) || bad == 31, "\(bad) \(stride)")
            #expect(found == (isTyped ? [.integer, .date, .date, .dateTime, .decimal, .time, .date] : Array(repeating: .text, count: 7)))
        }
    }

    // MARK: Dates

    @Test func `17.2: further notations of dates are recognized`() throws {
        let columns = [
            ["20220105T155751Z", "20221231T235959Z", "20220105T1557"],
            ["Wed, 05 Jan 2022 15:57:51 GMT", "Thu, 6 Jan 2022 00:00:00 +0100", "Fri 07 Jan 2022 10:00"],
            ["05/Jan/2022:15:57:51 +0000", "31/Dec/2022:00:00:00 -0500", "05/Jan/2022:15:57:51 +0000"],
            ["2022.01.05", "2022.12.31", "1999.02.28"], ["Wednesday, January 5, 2022", "Mi, 5. Januar 2022", "dimanche 9 janvier 2022"],
        ]
        #expect(try kinds(columns) == [.dateTime, .dateTime, .dateTime, .date, .date])
        func value(_ text: String) -> Int64? { FieldBytes.withBytes(of: text) { $0.temporal(.dateTime) } }
        let expected = value("2022-01-05T15:57:51Z")
        #expect(expected == 1_641_398_271_000_000)
        for text in ["20220105T155751Z", "Wed, 05 Jan 2022 15:57:51 GMT", "05/Jan/2022:15:57:51 +0000", "05/Jan/2022:16:57:51 +0100"] {
            #expect(value(text) == expected, "\(text)")
        }
        #expect(value("2022.01.05") == value("2022-01-05"))
        for text in [
            "20220105", "20221305T155751Z", "20220105T", "20220105T1", "20220105T255751", "2022.1.5", "2022.13.01", "Foo, 05 Jan 2022",
            "2022-01-05:10:00", "5/1/2022:10:00", "Wed", "Wed,", "Wed 5", "202201055T155751Z", "Mon Tue 5 Jan 2022", "12345678T1234567",
        ] {
            #expect(value(text) == nil, "\(text)")
        }
        let many = (0..<20_000).map { "20220105T15575\($0 % 10)Z\n" }.joined()
        #expect(try open("t,x\n" + many.replacing("\n", with: ",1\n")).profiles(budgetMilliseconds: 0)[0].kind == .dateTime)
    }

    @Test(
        arguments: ["mtime", "last_seen", "expires", "start", "end", "login", "received", "lastSeen"])
    func `17.2: numbers are read as times since 1970 if the column title names a time`(title: String) {
        var profile = ColumnProfile(kind: .integer)
        profile.dateNotation = .epochSeconds
        #expect(profile.titled(title).kind == .dateTime)
        #expect(profile.titled("amount").kind == .integer)
    }

    // MARK: Drawn tables

    private static let plan = [
        "Hash Join  (cost=1.07..2.15 rows=3 width=16)", "  Hash Cond: (a.id = b.id)", "  ->  Seq Scan on a",
        "  ->  Hash  (cost=1.03..1.03 rows=3 width=8)", "        ->  Seq Scan on b", "Planning Time: 0.123 ms",
    ]

    @Test(arguments: [1, 4_000]) func `17.3: the indentation of a query plan in psql output is unchanged`(repeats: Int)
        throws
    {
        let lines = (0..<repeats).flatMap { _ in Self.plan }
        let width = lines.map(\.count).max()! + 2
        func centered(_ title: String) -> String {
            let left = (width - title.count) / 2
            return String(repeating: " ", count: left) + title + String(repeating: " ", count: width - title.count - left)
        }
        let text =
            centered("QUERY PLAN") + "\n" + String(repeating: "-", count: width) + "\n" + lines.map { " \($0)\n" }.joined()
            + "(\(lines.count) rows)\n\n"
        let source = try open(text, "plan.txt")
        #expect(titles(source) == ["QUERY PLAN"] && source.problems == [])
        #expect(try rowTexts(source).map { $0[0] } == lines)
        // In a frame, fields have padding.
        let rule = "+" + String(repeating: "-", count: width) + "+\n"
        let framed =
            rule + "|" + centered("QUERY PLAN") + "|\n" + rule
            + lines.map { "| " + $0 + String(repeating: " ", count: width - 1 - $0.count) + "|\n" }.joined() + rule + "(6 rows)\n"
        #expect(try rowTexts(open(framed, "framed.txt")).map { $0[0] } == lines)
    }

    @Test func `17.3: right-aligned numbers in the only column of a drawn table have no leading blanks`()
        throws
    {
        let source = try open(" count \n-------\n     5\n 12345\n    17\n(3 rows)\n", "t.txt")
        #expect(try rowTexts(source) == [["5"], ["12345"], ["17"]])
        let framed = try open(
            "+-------+\n| count |\n+-------+\n|     5 |\n|  NULL |\n| 12345 |\n+-------+\n3 rows in set (0.00 sec)\n", "t.txt")
        #expect(try rowTexts(framed) == [["5"], ["NULL"], ["12345"]])
        #expect(framed.problems == [])
    }

    @Test func `17.3: text after a drawn table is reported as left out`() throws {
        let text = """
                           Table "public.t"
             Column |  Type   | Collation | Nullable | Default
            --------+---------+-----------+----------+---------
             id     | integer |           | not null |
             a      | integer |           |          |
            Indexes:
                "t_pkey" PRIMARY KEY, btree (id)
            Foreign-key constraints:
                "t_a_fkey" FOREIGN KEY (a) REFERENCES a(id)

            """
        let source = try open(text, "t.txt")
        #expect(try rowTexts(source).map { $0[0] } == ["id", "a"])
        #expect(source.problems == ["4 lines after the table are left out"])
        #expect(source.conversions.contains { $0.isLoss })
        for end in ["(2 rows)", "(1 row)\n\nTime: 1.234 ms", "2 rows in set (0.00 sec)", "2 rows in set, 1 warning (0.01 sec)"] {
            let source = try open(" a | b \n---+---\n 1 | 2\n 3 | 4\n\(end)\n", "t.txt")
            #expect(source.problems == [] && source.conversions.isEmpty, "\(end)")
        }
    }

    // MARK: Files that are not read

    @Test func `17.5: the errors for a dBase file and for UTF-32 text name the format`() throws {
        var table: [UInt8] = [3, 124, 5, 1, 1, 0, 0, 0, 97, 0, 26, 0] + [UInt8](repeating: 0, count: 20)
        for (name, type, length) in [("NAME", UInt8(ascii: "C"), UInt8(20)), ("N", UInt8(ascii: "N"), 5)] {
            let title = Array(name.utf8)
            table += title + [UInt8](repeating: 0, count: 11 - title.count) + [type, 0, 0, 0, 0, length] + [UInt8](repeating: 0, count: 15)
        }
        table += [0x0D] + Array(" Ann                     5".utf8) + [0x1A]
        #expect(
            throws: FormatError(
                "\(folder.path)/t.dbf is a dBase file. Convert it first: libreoffice --headless --convert-to csv \(folder.path)/t.dbf"
                    .replacing("\(folder.path)/t.dbf is", with: "t.dbf is"))
        ) {
            try FileOpener().open(path: folder.file("t.dbf", bytes: table))
        }
        let text = "id,name\n" + (0..<20_000).map { "\($0),Köln €\n" }.joined()
        for (isBigEndian, hasMark) in [(true, true), (true, false), (false, true), (false, false)] {
            var bytes: [UInt8] = []
            for scalar in (hasMark ? "\u{FEFF}" : "").unicodeScalars + text.unicodeScalars {
                let quad = (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> (8 * $0)) }
                bytes += isBigEndian ? quad.reversed() : quad
            }
            for size in [bytes.count, 40] {
                #expect {
                    try FileOpener().open(path: folder.file("u.csv", bytes: Array(bytes.prefix(size))))
                } throws: { error in
                    (error as? FormatError)?.message.hasPrefix("u.csv is UTF-32 text. Convert it first: iconv -f UTF-32") == true
                }
            }
        }
        // Neither UTF-16 nor small text is UTF-32.
        #expect(try open("\u{3}|\u{1}\n1|2\n", "v.csv").columnCount > 0)
        #expect(try FileOpener().open(path: folder.file("w.csv", bytes: [0xFF, 0xFE, 0x61, 0, 0x0A, 0])).columnCount == 1)
    }
}
