import GridTestSupport
import Testing

@testable import FieldValues

func integer(_ text: String) -> Int64? { FieldBytes.withBytes(of: text) { $0.integer() } }
func decimal(_ text: String) -> Double? { FieldBytes.withBytes(of: text) { $0.decimal() } }

@Suite("Exact reading of numbers")
struct NumberReadingTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("+7", 7), (" 42\t", 42), ("00123", 123), ("1,234,567", 1_234_567), ("-12,345", -12_345),
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("9007199254740993", 9_007_199_254_740_993),
            ("0000000000000000000000000001", 1), ("9,223,372,036,854,775,807", Int64.max),
        ])
    func `integers are read exactly`(text: String, value: Int64) { #expect(integer(text) == value) }

    @Test(
        arguments: [
            "", " ", "-", "+", "1.0", "1e3", "12%", "9223372036854775808", "-9223372036854775809", "99999999999999999999", "1,23",
            "12,34,567",
            ",123", "0,123", "1,234,", "1234,567", "1 2", "--1", "abc", "1a", "\u{0}1", "inf",
        ])
    func `strings of other forms or beyond 64 bits are not read as integers`(text: String) { #expect(integer(text) == nil) }

    @Test(arguments: ["'", "\u{2019}", "\u{A0}", "\u{202F}", "\u{2009}"])
    func `apostrophes and spaces that are not blanks separate thousands in both notations`(separator: String) {
        func grouped(_ text: String) -> String {
            text.split(separator: "_", omittingEmptySubsequences: false).joined(separator: separator)
        }
        #expect(integer(grouped("1_234_567")) == 1_234_567 && integer(grouped("-12_345")) == -12_345)
        for text in ["1_23", "12_34_567", "0_123", "_123", "1_234_", "1234_567", "1_234,567", "1,234_567", "5_11", "1_234.567.890"] {
            #expect(integer(grouped(text)) == nil, "\(text)")
        }
        for (notation, point) in [(DecimalStyle.point, "."), (.comma, ",")] {
            FieldBytes.withBytes(of: grouped("-1_234_567\(point)25")) { field in
                #expect(field.decimal(notation) == -1_234_567.25 && field.exactDecimal(notation) == ExactDecimal(-123_456_725, digits: 2))
                #expect(
                    field.isExactly(-1_234_567.25, notation) && !field.hasLeadingZeros(notation) && !field.parses(as: .integer, notation))
                field.withJSONNumber(notation) { number in
                    #expect(number.map { String(decoding: $0.bytes, as: UTF8.self) } == "-1234567.25")
                }
            }
        }
        FieldBytes.withBytes(of: grouped("1_234")) { field in
            field.withJSONNumber(.point) { #expect($0.map { String(decoding: $0.bytes, as: UTF8.self) } == "1234") }
            #expect(field.parses(as: .integer))
        }
        func rounded(_ text: String, _ digits: Int) -> String? { NumberText.rounded(grouped(text), fractionDigits: 0...digits) }
        #expect(rounded("1_234.56", 1) == grouped("1_234.6") && rounded("999_999.9", 0) == grouped("1_000_000"))
        #expect(NumberText.grouped(grouped("1_234.5"), fractionDigits: 2) == grouped("1_234.5 "))
        func key(_ text: String) -> [UInt8] {
            FieldBytes.withBytes(of: text) { field in
                [UInt8](unsafeUninitializedCapacity: 64) { $1 = field.writeNumberKey(to: $0.baseAddress!, .point, maximumDigits: 20) }
            }
        }
        #expect(key(grouped("1_234.5")) == key("1234.5"))
        let francs = NumberUnit.currency("CHF", precedesNumber: true, isSpaced: true).map { DecimalStyle.point.with($0) }
        FieldBytes.withBytes(of: grouped("CHF 1_234.50")) { #expect($0.decimal(francs ?? .point) == 1234.5) }
    }

    @Test func `an integer of any length belongs to the kind integer, and other numbers do not`() throws {
        let long = ["18446744073709551616", "-9223372036854775809", "+" + String(repeating: "7", count: 400), "99,999,999,999,999,999,999"]
        let kroner = DecimalStyle.comma.with(try #require(NumberUnit.currency("kr", precedesNumber: false, isSpaced: true)))
        func isInteger(_ text: String, _ notation: DecimalStyle = .point) -> Bool {
            FieldBytes.withBytes(of: text) { $0.parses(as: .integer, notation) }
        }
        for text in ["0", "-12", " 1,234 ", "007"] + long { #expect(isInteger(text), "\(text)") }
        let others = ["", "-", "1.5", "5.", ".5", "1e30", "nan", "9,99999999999999999999"] + ["%", "x", ".0"].map { long[0] + $0 }
        for text in others { #expect(!isInteger(text), "\(text)") }
        #expect(isInteger("99999999999999999999 kr", kroner) && isInteger("-kr 88.888.888.888.888.888.888", kroner))
        #expect(!isInteger("99999999999999999999,5 kr", kroner) && !isInteger("99999999999999999999 kr"))
    }

    @Test func `a number has leading zeros only if a numeric type would drop them`() {
        func hasZeros(_ text: String, _ notation: DecimalStyle = .point) -> Bool {
            FieldBytes.withBytes(of: text) { $0.hasLeadingZeros(notation) }
        }
        for text in ["00", "007", "-007", "+05", " 0200\t", "00.5", "-00.5", "0" + String(repeating: "9", count: 60)] {
            #expect(hasZeros(text), "\(text)")
        }
        for text in ["", "0", "-0", "+0", "0.5", "-0.50", "0.", "100", "10.07", "05%", "00e1", "0,123", "00,5", "0x1", "00-1", "€05"] {
            #expect(!hasZeros(text), "\(text)")
        }
        let accounting = DecimalStyle.point.with(.accounting)
        for text in ["(007)", "( 00.5 )", "007-", "00-", "-007"] { #expect(hasZeros(text, accounting), "\(text)") }
        for text in ["(0)", "(0.5)", "0-", "10-", "(10)", "0.50-", "-5", "(x)", "("] { #expect(!hasZeros(text, accounting), "\(text)") }
        #expect(hasZeros("00,5", .comma) && hasZeros("-01,25", .comma) && !hasZeros("0,05", .comma) && !hasZeros("00.5", .comma))
    }

    @Test func `a plus sign is kept only before plain digits with at most one decimal separator`() {
        func hasPlus(_ text: String, _ notation: DecimalStyle = .point) -> Bool {
            FieldBytes.withBytes(of: text) { $0.hasPlusSign(notation) }
        }
        for text in ["+4915112345678", " +5\t", "+0.5", "+007", "+.5", "+" + String(repeating: "9", count: 60)] {
            #expect(hasPlus(text) && hasPlus(text, .point.with(.accounting)), "\(text)")
        }
        for text in ["", "+", "5", "-5", "++5", "+-5", "+5%", "+1e5", "1e+5", "+1,234", "+€5", "€+5", "+x", "+49 30"] {
            #expect(!hasPlus(text), "\(text)")
        }
        #expect(hasPlus("+1,5", .comma) && !hasPlus("+1.5", .comma))
    }

    @Test(
        arguments: [
            ("1.5", 1.5), ("-.5", -0.5), ("5.", 5), ("1,234.25", 1234.25), ("12%", 0.12), ("12.5 %", 0.125), ("1e3", 1000), ("1E-2", 0.01),
            ("1e400", .infinity), ("-1e400", -.infinity), ("1e-400", 0), ("inf", .infinity), ("-Infinity", -.infinity),
            ("0e999999999999999999999", 0),
            ("9223372036854775808", 9223372036854775808), ("9007199254740993", 9007199254740992), ("9007199254740995", 9007199254740996),
            ("1.7976931348623157e308", Double.greatestFiniteMagnitude), ("5e-324", Double.leastNonzeroMagnitude), ("2e-324", 0),
            ("3e-324", Double.leastNonzeroMagnitude),
            ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown), ("1.7976931348623159e308", .infinity), ("0.1e1", 1),
        ])
    func `decimals are rounded to the nearest double`(text: String, value: Double) { #expect(decimal(text) == value) }

    @Test(
        arguments: [
            "", ".", "-", "e5", "1e", "1e+", "1.2.3", "1,5", "1.234,5", "1%%", "0x10", "1_000", "nano", "infinit", "-.", "12,34.5", "%",
        ])
    func `strings of other forms are not read as decimals`(text: String) { #expect(decimal(text) == nil) }

    @Test func `negative zero and NaN are read`() {
        #expect(decimal("-0")?.sign == .minus)
        #expect(decimal("-0.0e5")?.sign == .minus)
        #expect(decimal("-1e-999")?.sign == .minus)
        #expect(decimal("NaN")?.isNaN == true)
        #expect(decimal("-nan")?.isNaN == true)
    }

    @Test func `every code path rounds like the standard library, even for ties and long strings`() {
        var random = SplitMix64(seed: 7)
        var texts = ["1" + String(repeating: "0", count: 400), "0." + String(repeating: "0", count: 400) + "1"]
        texts.append("9007199254740993." + String(repeating: "0", count: 900) + "1")
        texts.append("9007199254740993" + String(repeating: "0", count: 20) + "e-20")
        for _ in 0..<3000 {
            let bits = Double(bitPattern: random.next())
            if bits.isFinite { texts.append("\(bits)") }
            let digits = Int(random.next() % 24) + 1
            var text = String((0..<digits).map { _ in Character(Unicode.Scalar(UInt8(48 + random.next() % 10))) })
            if random.next() % 2 == 0 { text.insert(".", at: text.index(text.startIndex, offsetBy: Int(random.next() % UInt64(digits)))) }
            if random.next() % 2 == 0 { text += "e\(Int(random.next() % 80) - 40)" }
            texts.append(text)
        }
        for text in texts { #expect(decimal(text)?.bitPattern == Double(text)?.bitPattern, "\(text)") }
    }

    @Test func `blank, missing and flag fields are recognized`() {
        #expect(FieldBytes.missing.isBlank && FieldBytes.missing.isMissing)
        for text in ["", " ", "\t "] { #expect(FieldBytes.withBytes(of: text) { $0.isBlank && !$0.isMissing }) }
        #expect(!FieldBytes.withBytes(of: " x") { $0.isBlank })
        for text in ["true", "YES", "y", "T", " Yes "] { #expect(FieldBytes.withBytes(of: text) { $0.flag() } == true) }
        for text in ["false", "No", "n", "F"] { #expect(FieldBytes.withBytes(of: text) { $0.flag() } == false) }
        for text in ["1", "0", "", "on", "tru", "yess"] { #expect(FieldBytes.withBytes(of: text) { $0.flag() } == nil) }
        #expect(FieldBytes.missing.integer() == nil && FieldBytes.missing.decimal() == nil && FieldBytes.missing.flag() == nil)
        #expect(FieldBytes.withBytes(of: "") { field in ValueKind.allCases.filter { field.parses(as: $0) } } == [.text])
    }
}
