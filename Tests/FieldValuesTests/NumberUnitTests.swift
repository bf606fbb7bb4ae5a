import Foundation
import GridTestSupport
import Testing

@testable import FieldValues

@Suite("Numbers with a currency or a percent sign")
struct NumberUnitTests {
    private func unit(_ text: String) -> NumberUnit? { FieldBytes.withBytes(of: text) { NumberUnit(of: $0) } }
    private func decimal(_ text: String, _ notation: DecimalStyle) -> Double? { FieldBytes.withBytes(of: text) { $0.decimal(notation) } }

    @Test(
        arguments: [
            ("€3.03", 3.03, "€"), ("$1,234.50", 1234.5, "$"), ("-$5", -5, "$"), ("$-5", -5, "$"), ("($5.00)", -5, "$"),
            ("$(5.00)", -5, "$"),
            ("$ (5.00)", -5, "$"), ("- $5", -5, "$"), ("CHF 12.50", 12.5, "CHF"), ("12.50 CHF", 12.5, "CHF"), ("CHF12", 12, "CHF"),
            ("£0.99", 0.99, "£"), ("¥1,000", 1000, "¥"), ("€\u{A0}7", 7, "€"), ("7\u{202F}€", 7, "€"), ("+€7", 7, "€"), ("US$5", 5, "US$"),
            (" €5 ", 5, "€"), ("5.", 5, "€"), ("(7.50)", -7.5, "€"), ("8", 8, "€"), ("12 kr", 12, "kr"),
        ])
    func `17.9: amounts of money are numbers in a column of their currency`(text: String, value: Double, symbol: String) throws {
        let unit = try #require(NumberUnit.currency(symbol, precedesNumber: true, isSpaced: false))
        #expect(decimal(text, .point.with(unit)) == value)
        #expect(FieldBytes.withBytes(of: text) { $0.exactDecimal(.point.with(unit))?.double } == value)
        let whole = FieldBytes.withBytes(of: text) { $0.integer(.point.with(unit)) }
        #expect(whole == (text.contains(".") ? nil : Int64(value)))
        if text.contains(where: { !$0.isNumber && !"()., +".contains($0) }) { #expect(self.unit(text)?.symbol == symbol) }
    }

    @Test(
        arguments: [
            ("(1,234.50)", -1234.5), ("12-", -12), ("1,234.5-", -1234.5), (" (7) ", -7), ("( 7 )", -7), ("(0)", 0), ("8", 8), ("-8", -8),
            ("(-8)", nil), ("-8-", nil), ("(8)-", nil), ("8 -", nil), ("8+", nil), ("(8", nil), ("1-2-", nil), ("(1-2)", nil), ("-", nil),
            ("()", nil), ("(x)", nil), ("x-", nil), ("$5", nil), ("($5)", nil),
        ] as [(String, Double?)])
    func `17.9: negative numbers in accounting style are read in a column that contains them`(text: String, value: Double?) {
        #expect(decimal(text, .point.with(.accounting)) == value)
        #expect(FieldBytes.withBytes(of: text) { $0.exactDecimal(.point.with(.accounting))?.double } == value)
        let isWhole = value.map { $0 == $0.rounded() } ?? false
        #expect(FieldBytes.withBytes(of: text) { $0.integer(.point.with(.accounting)) } == (isWhole ? value.map { Int64($0) } : nil))
        let isPlain = text == "8" || text == "-8"
        #expect(decimal(text, .point) == (isPlain ? value : nil), "other columns have no such numbers")
        #expect(FieldBytes.withBytes(of: text) { NumberUnit.isAccounting($0) } == (value != nil && !isPlain))
    }

    @Test func `17.9: the accounting style of negative numbers adds no symbol`() {
        let unit = NumberUnit.accounting
        #expect(!unit.isCurrency && !unit.isPercent && unit.symbol == "" && unit.width == 0 && unit.applied(to: "-5") == "-5")
        #expect(NumberUnit(pattern: unit.pattern) == unit && decimal("(1.234,5)", .comma.with(unit)) == -1234.5)
    }

    @Test func `17.9: amounts with a decimal comma are read`() throws {
        let euro = try #require(unit("12,50 €"))
        #expect(euro.pattern == "# €" && decimal("12,50 €", .comma.with(euro)) == 12.5)
        #expect(decimal("-1.234,5\u{A0}€", .comma.with(euro)) == -1234.5 && decimal("1.234,5 €", .point.with(euro)) == nil)
    }

    @Test(
        arguments: [
            "$5", "€", "€5€", "€5 $", "5 kg", "€ 5 of 7", "--€5", "-(€5)", "(-€5)", "€%", "€1,2", "€ x", "()", "(", "n/a", "", "EUR 5",
            "€5%5",
        ])
    func `17.9: amounts in other currencies and strings of other forms are not numbers`(text: String) throws {
        let euro = try #require(NumberUnit.currency("€", precedesNumber: true, isSpaced: false))
        #expect(decimal(text, .point.with(euro)) == nil)
        #expect(FieldBytes.withBytes(of: text) { $0.integer(.point.with(euro)) == nil })
        if !text.hasSuffix("%") { #expect(decimal(text, .point) == nil) }
    }

    @Test func `17.9: random bytes cause no crash, and plain numbers keep their value in a column of amounts`() throws {
        let euro = try #require(NumberUnit.currency("€", precedesNumber: true, isSpaced: false))
        var random = SplitMix64(seed: 17)
        let pieces = ["€", "$", "(", ")", "-", "+", " ", "\u{A0}", "\u{202F}", "1", "23", ",", ".", "%", "e", "kr"]
        for _ in 0..<20_000 {
            let text = (0..<random.next() % 7).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
            let plain = decimal(text, .point)
            let money = decimal(text, .point.with(euro))
            if let plain, plain == plain { #expect(money == plain, "\(text)") }
            _ = unit(text)
            if let money, plain == nil { #expect(text.contains { "€(-".contains($0) }, "\(text) is \(money)") }
        }
    }

    @Test func `17.9: a unit is stored as part of its notation, and has a text form`() throws {
        for text in ["€5", "5 €", "CHF 5", "5%", "5 %", "US$5"] {
            let found = try #require(unit(text))
            #expect(NumberUnit(pattern: found.pattern) == found && found.applied(to: "5") == text)
            for style in DecimalStyle.allCases.flatMap({ [$0, $0.with(found), $0.with(.accounting)] }) {
                #expect(try JSONDecoder().decode([DecimalStyle].self, from: JSONEncoder().encode([style])) == [style])
            }
        }
        #expect(try JSONDecoder().decode([DecimalStyle].self, from: Data("[0,1]".utf8)) == [.point, .comma])
        for text in ["", "#", "x#", "€#€", "# ", "%#"] { #expect(NumberUnit(pattern: text) == nil) }
        for text in [#"["2 €#"]"#, #"["0€#"]"#, #"["0 x#"]"#, "[2]"] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode([DecimalStyle].self, from: Data(text.utf8)) }
        }
        #expect(unit("-€3")?.applied(to: "-3.50") == "-€3.50" && unit("3 €")?.applied(to: "-3.50") == "-3.50 €")
    }

    @Test(
        arguments: [(0.010000000000000002, "1%"), (0.07, "7%"), (0.125, "12.5%"), (-0.5, "-50%"), (12.34, "1,234%")])
    func `17.9: computed numbers have the unit of their column, without rounding errors`(value: Double, text: String) {
        #expect(NumberText.textWithUnit(of: value, .point.with(.percent()), maximumFractionDigits: 4) == text)
    }

    @Test func `17.9: rounding to 15 digits keeps every shorter decimal`() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<10_000 {
            let digits = Int(random.next() % 12)
            let number = Double(Int64(random.next() % 10_000_000_000)) / ExactDecimal.doublePower(digits)
            #expect(NumberText.roundedToDecimals(number) == number && NumberText.roundedToDecimals(-number) == -number)
            #expect(NumberText.roundedToDecimals(number.nextUp) == number, "\(number)")
        }
        #expect(NumberText.roundedToDecimals(0.1 + 0.2) == 0.3 && NumberText.roundedToDecimals(1e300) == 1e300)
    }
}
