import DataGrid
import DataGridQuery
import Testing

@testable import GridviewApp

/// Thousands separators of amounts, and identifiers without them.
@MainActor
@Suite struct DigitGroupingTests {
    /// True if the numbers of a column have thousands separators.
    private func hasSeparators(_ title: String, _ values: [String]) throws -> Bool {
        let rows = values.map { "x,\($0)\n" }.joined()
        return try Pilot("a,\(title)\n\(rows)").state.grid.columns.all[1].format.groupsThousands
    }

    nonisolated static let identifiers: [(String, [String])] = [
        ("accounts", (0..<25).map { "\(600_000_007 + $0 * 1_234_567)" }),
        ("more numbers than in the sample", (0..<5_000).map { "\(100_000_019 + $0 * 7)" }),
        ("phone numbers", ["+491701234567", "+491712345678", "+491723456789"]),
        ("ISBN", ["9780306406157", "9783161484100", "9781861972712"]),
        ("epoch", ["1700000000", "1700003600", "1700007200"]),
        ("dates", ["20240131", "20240201", "20240301"]),
        ("years", (0..<12).map { "\(1990 + $0 % 5)" }),
    ]

    nonisolated static let amounts: [(String, [String])] = [
        ("squares", (1...25).map { "\($0 * $0 * 7919)" }),
        ("rounded amounts", (0..<25).map { "\(100_000 + $0 * 1_000)" }),
        ("few amounts", ["8336817", "3979576", "2693976"]),
        ("losses", (0..<25).map { "\($0 == 7 ? "-" : "")\(600_000_007 + $0 * 1_234_567)" }),
        ("repeated amounts", (0..<30).map { ["123457", "234567", "345679"][$0 % 3] }),
    ]

    @Test(arguments: identifiers) func `D3: numbers that look like identifiers stay as written`(name: String, values: [String]) throws {
        #expect(try !hasSeparators("n", values))
        // A title such as “amount” decides.
        #expect(try hasSeparators("amount", values))
    }

    @Test(arguments: amounts) func `D3: amounts have thousands separators`(name: String, values: [String]) throws {
        #expect(try hasSeparators("n", values))
        #expect(try !hasSeparators("customer no", values))
    }

    @Test(
        arguments: [
            "id", "orderId", "order_id", "PLZ", "Telefon", "zip code", "ISBN", "No.", "Kundennummer", "customer number", "birth year",
            "account", "Postcode",
        ])
    func `D3: a column whose title suggests identifiers has no thousands separators`(title: String) throws {
        #expect(try !hasSeparators(title, ["1234", "98765", "1234567"]))
    }

    @Test(
        arguments: ["amount", "account balance", "number of rooms", "population", "n", "price", "valid", "number"])
    func `D3: a column whose title does not suggest identifiers has thousands separators`(title: String) throws {
        #expect(try hasSeparators(title, ["1234", "98765", "1234567"]))
    }

    @Test func `D3: a key shows and hides the thousands separators of a column`() throws {
        let pilot = try Pilot("code,amount\n1234567,7654321\n7654,21\n")
        #expect(pilot.screen.contains("1234567") && pilot.screen.contains("7,654,321"))
        pilot.press("z,")
        #expect(pilot.screen.contains("1,234,567") && pilot.screen.contains("7,654,321"))
        pilot.press("l z,")
        #expect(pilot.screen.contains("1,234,567") && pilot.screen.contains("7654321") && !pilot.screen.contains("7,654,321"))
        pilot.press("U U")
        #expect(pilot.screen.contains("1234567") && pilot.screen.contains("7,654,321"))
        let texts = try Pilot("name\na\n")
        texts.press("z,")
        #expect(texts.state.message?.id == .noNumbers)
    }

    @Test func `D3, D15: text output has the same thousands separators as the screen, and an option turns them off`() throws {
        let content = Array("code,amount\n1234567,7654321\n7654,21\n".utf8)
        func text(_ change: (inout LaunchOptions) -> Void = { _ in }) throws -> String {
            String(decoding: try BatchOutput.bytes(content, .text, change), as: UTF8.self)
        }
        #expect(try text().contains("1234567  7,654,321"))
        #expect(try text { $0.groupsThousands = false }.contains("1234567  7654321"))
        #expect(
            try text {
                $0.groupsThousands = false
                $0.derivedColumns = ["twice = amount * 2"]
            }.contains("15308642"))
    }

    @Test func `D8: group subtotals do not sum identifiers, even if these have thousands separators`() throws {
        var options = LaunchOptions()
        options.groupsThousands = false
        let pilot = try Pilot("side,code,amount\na,1234567,7654321\nb,7654,21\n", size: (80, 14), options: options)
        pilot.press("l z,")
        #expect(pilot.state.grid.columns.all.map(\.format.groupsThousands) == [false, true, false])
        #expect(Arrangement.defaultAggregates(pilot.state.grid.columns.all, groups: [0]) == [Aggregate(.sum, of: 2)])
    }
}
