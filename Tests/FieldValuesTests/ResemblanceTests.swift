import FieldValues
import Testing

/// Fields that cannot be read as values although they may be meant as values.
@Suite struct ResemblanceTests {
    @Test(
        arguments: [
            "5", "$4", "7 apples", "-3x", " +2,5", ".5.", ",5", "(5 000)", "<0.5", "> 10", "~3", "= 4", "'5", "€ 4", "US$5", "CHF 12",
            "kr\u{A0}5", "−5", "≈ 3", "≤7", "–2", "₹5", "٣",
        ])
    func `a field that begins like a number resembles a value`(text: String) {
        #expect(FieldBytes.withBytes(of: text) { $0.resemblesValue })
    }

    @Test(
        arguments: [
            "", " ", "-", "–", "--", "$", "n/a", "#DIV/0!", "#N/A", "#5", "Q1", "sensor 7", "<LOD 0.5", "../2", "[1]", "größer 5", "日期1",
            "\u{FFFD}1",
        ])
    func `words, spreadsheet errors and lone signs do not resemble a value`(text: String) {
        #expect(FieldBytes.withBytes(of: text) { !$0.resemblesValue })
    }

    @Test func `bytes that are not UTF-8 do not resemble a value`() {
        let bytes: [UInt8] = [0xE2, 0x31]
        bytes.withUnsafeBufferPointer { #expect(!FieldBytes(start: $0.baseAddress, count: $0.count).resemblesValue) }
    }

    @Test(
        arguments: [
            ("0000-00-00", true), (" 0000-00-00 00:00:00.000 ", true), ("00/00/0000", true), ("0000-00-00T00:00:00Z", true),
            ("0001-00-00", false), ("-", false), ("", false), ("0000-00-00 BC", false),
        ])
    func `an all-zero date consists only of zeros and separators`(text: String, isZero: Bool) {
        #expect(FieldBytes.withBytes(of: text) { $0.isZeroDate } == isZero)
    }
}
