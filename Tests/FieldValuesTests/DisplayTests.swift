import GridTestSupport
import Testing

@testable import FieldValues

@Suite("Exact display of numbers")
struct NumberTextTests {
    @Test(
        arguments: [
            ("12.5", 2, "12.5 "), ("7", 2, "7   "), ("1234567.891", 3, "1,234,567.891"), ("-1234", 0, "-1,234"), ("+999", 0, "+999"),
            ("123456789012345678901234567890", 0, "123,456,789,012,345,678,901,234,567,890"), ("00123", 0, "00123"), (" 5 ", 0, "5"),
            ("1,234.5", 2, "1,234.5 "), (".5", 1, ".5"), ("5.", 2, "5.  "), ("0.123", 1, "0.123"), ("-0", 0, "-0"), ("1234", -1, "1,234"),
        ])
    func `digits are grouped by thousands`(text: String, digits: Int, shown: String) {
        #expect(NumberText.grouped(text, fractionDigits: digits) == shown)
    }

    @Test(arguments: ["", "1e5", "12%", "abc", "1,23", "1.2.3", ".", "-", "nan", "1 000"])
    func `strings that are not plain numbers are displayed unchanged`(text: String) {
        #expect(NumberText.grouped(text, fractionDigits: 2) == nil)
    }

    @Test func `counts and computed numbers are rounded exactly and grouped`() {
        #expect(NumberText.count(4_562_113_876) == "4,562,113,876")
        #expect(NumberText.count(Int.min) == "-9,223,372,036,854,775,808")
        #expect(NumberText.text(of: 250.114, maximumFractionDigits: 2) == "250.11")
        #expect(NumberText.text(of: 0.285, maximumFractionDigits: 2) == "0.29")
        #expect(NumberText.text(of: 999.999, maximumFractionDigits: 2) == "1,000")
        #expect(NumberText.text(of: 999.999, maximumFractionDigits: 2, minimumFractionDigits: 2) == "1,000.00")
        #expect(NumberText.text(of: -0.001, maximumFractionDigits: 2) == "0")
        #expect(NumberText.text(of: -1234.5, maximumFractionDigits: 0) == "-1,235")
        #expect(NumberText.text(of: 1e20, maximumFractionDigits: 2) == "100,000,000,000,000,000,000")
        #expect(NumberText.text(of: 1.5e-7, maximumFractionDigits: 8) == "0.00000015")
        #expect(NumberText.text(of: .nan, maximumFractionDigits: 2) == "NaN")
        #expect(NumberText.text(of: -.infinity, maximumFractionDigits: 2) == "-inf")
    }

    @Test func `numbers within text are compared by value`() {
        let sorted = ["", "a", "A1", "a1", "a01b", "a1b", "a2", "a10", "file2", "File10", "file10", "file10a", "fileb", "é"]
        for (i, a) in sorted.enumerated() {
            for (j, b) in sorted.enumerated() where a != "a01b" && b != "a01b" {
                #expect(NaturalOrder.compare(a, b).signum() == (i - j).signum(), "\(a) \(b)")
            }
        }
        #expect(NaturalOrder.compare("x99999999999999999999", "x100000000000000000000") < 0)
    }

    @Test func `sort keys have the same order as the comparison, including NUL and its escape byte`() {
        var random = SplitMix64(seed: 3)
        let alphabet = Array("aAbB0019\u{0}\u{1}. é".utf8)
        func text() -> [UInt8] { (0..<Int(random.next() % 6)).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] } }
        func key(_ text: [UInt8]) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: NaturalOrder.maximumSortKeyLength(of: text.count)) { key, count in
                count = text.withUnsafeBufferPointer { NaturalOrder.writeSortKey(of: $0, to: key.baseAddress!) }
                #expect(count <= NaturalOrder.maximumSortKeyLength(of: text.count))
            }
        }
        for _ in 0..<4000 {
            let (a, b) = (text(), text())
            let order = a.withUnsafeBufferPointer { x in b.withUnsafeBufferPointer { NaturalOrder.compare(x, $0) } }
            let (left, right) = (key(a), key(b))
            let keyed = left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
            #expect(order.signum() == keyed, "\(a) \(b)")
        }
    }
}

@Suite("Names of columns") struct ColumnLettersTests {
    @Test func `column letters continue with AA after Z`() {
        #expect([0, 25, 26, 51, 52, 701, 702].map(ColumnLetters.text) == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"])
    }
}
