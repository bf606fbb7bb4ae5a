import GridTestSupport
import Testing

@testable import FieldValues

@Suite("Numbers with decimal commas")
struct DecimalStyleTests {
    private func integer(_ text: String) -> Int64? { FieldBytes.withBytes(of: text) { $0.integer(.comma) } }
    private func decimal(_ text: String) -> Double? { FieldBytes.withBytes(of: text) { $0.decimal(.comma) } }

    @Test(
        arguments: [("1.234.567", 1_234_567), ("-12.345", -12_345), (" 7 ", 7), ("9.223.372.036.854.775.807", Int64.max)])
    func `integers with points as thousands separators are read`(text: String, value: Int64) { #expect(integer(text) == value) }

    @Test(
        arguments: [
            ("12,50", 12.5), ("1.234,56", 1234.56), ("-,5", -0.5), ("5,", 5), ("+1.234.567,25", 1_234_567.25), ("12,5 %", 0.125),
            ("1,5e3", 1500),
            ("0,1E-2", 0.001), ("1.500", 1500), ("1,500", 1.5), ("inf", .infinity),
        ])
    func `decimals with a comma before the fraction are read`(text: String, value: Double) { #expect(decimal(text) == value) }

    @Test(
        arguments: ["12.5", "1,234.5", "1.23", "12.34.567,8", "0.123", "1,2,3", ",", "1.234.", "1234.567", "1,5,", "1.5e3", "04.02.2026"])
    func `strings that violate the decimal comma notation are not numbers`(text: String) {
        #expect(decimal(text) == nil)
        #expect(FieldBytes.withBytes(of: text) { !$0.parses(as: .decimal, .comma) && !$0.parses(as: .integer, .comma) })
    }

    @Test func `a number with points and commas swapped has the same value in the other notation`() {
        var random = SplitMix64(seed: 11)
        let alphabet = Array("0123456789012345678901234,.,.-+e% ")
        var read = 0
        for round in 0..<20_000 {
            var text = String((0..<random.next() % 14).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
            // Most random strings are not numbers, so add some numbers, including long numbers.
            if round % 3 == 0 { text = "\(Double(random.next() % 1_000_000_000) / 1000)" + (round % 2 == 0 ? "" : "000000000000000000001") }
            let swapped = String(text.map { $0 == "." ? "," : $0 == "," ? "." : $0 })
            let expected = (FieldValuesTests.integer(text), FieldValuesTests.decimal(text))
            #expect(integer(swapped) == expected.0, "\(swapped)")
            #expect(decimal(swapped)?.bitPattern == expected.1?.bitPattern, "\(swapped)")
            #expect(fixed(swapped, .comma) == fixed(text, .point), "\(swapped)")
            if expected.1 != nil { read += 1 }
        }
        #expect(read > 8_000)
    }

    private func fixed(_ text: String, _ notation: DecimalStyle) -> [Int64]? {
        FieldBytes.withBytes(of: text) { field in
            withUnsafePointer(to: field) {
                var (mantissa, digits) = (Int64(0), UInt8(0))
                let batch = FieldBatch(firstRecord: 0, count: 1, width: 1, fields: $0)
                let uniformity = FixedPoint.read(batch, column: 0, notation, mantissas: &mantissa, digits: &digits)
                return uniformity == .none ? nil : [mantissa, Int64(digits)]
            }
        }
    }

    @Test func `fixed-point numbers with a comma before the fraction are read`() {
        #expect(fixed("12,50", .comma) == [1250, 2])
        #expect(fixed("-123456789,5", .comma) == [-1_234_567_895, 1])
        for text in ["12.50", "1.234", "123456789.5", ",5", "5,"] { #expect(fixed(text, .comma) == nil, "\(text)") }
        #expect(fixed("12,50", .point) == nil)
    }

    @Test(
        arguments: [
            ("12,5", 2, "12,5 "), ("7", 2, "7   "), ("1234567,891", 3, "1.234.567,891"), ("1.234,5", 2, "1.234,5 "), ("-1234", 0, "-1.234"),
        ])
    func `displayed numbers have points as thousands separators`(text: String, digits: Int, shown: String) {
        #expect(NumberText.grouped(text, .comma, fractionDigits: digits) == shown)
    }

    @Test func `computed numbers are displayed with decimal commas`() {
        #expect(NumberText.text(of: 1_234_567.5, .comma, maximumFractionDigits: 2, minimumFractionDigits: 2) == "1.234.567,50")
        #expect(NumberText.grouped("12.5", .comma, fractionDigits: 2) == nil)
        #expect(FieldBytes.withBytes(of: "1.234,567") { NumberText.fractionDigits(of: $0, .comma) } == 3)
    }
}
