import GridTestSupport
import Testing

@testable import FieldValues

@Suite("Reading and display of dates and times")
struct TemporalReadingTests {
    private func read(_ text: String, _ kind: ValueKind) -> Int64? { FieldBytes.withBytes(of: text) { $0.temporal(kind) } }

    @Test(
        arguments: [
            ("1970-01-01", 0), ("1970-01-02", 1), ("1969-12-31", -1), ("2024/02/29", 19_782), ("29.02.2024", 19_782), ("1.3.2024", 19_783),
            ("2024-2-29", 19_782), ("2024-3-1", 19_783),
            ("2000-02-29", 11_016), ("0000-03-01", -719_468), ("9999-12-31", 2_932_896),
        ])
    func `dates are read`(text: String, days: Int64) { #expect(read(text, .date) == days * 86_400_000_000) }

    @Test(
        arguments: [
            "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-04-31", "2024-01-00", "24-01-01", "2024.1.1", "2024-1-001",
            "2024-01-01x",
            "2024/01-01",
            "01/02/2024", "2024", "20240101", "", "2024-01-01T10:00", "32.01.2024",
        ])
    func `strings of other forms are not read as dates`(text: String) { #expect(read(text, .date) == nil) }

    @Test(
        arguments: [
            ("1970-01-01T00:00:01", 1_000_000), ("1970-01-01 00:00:00.123", 123_000), ("1970-01-01T00:00:00.123456789Z", 123_456),
            ("1970-01-01T01:00+01:00", 0), ("1970-01-01 00:00:00 -0130", 5_400_000_000), ("1970-01-01t02:00:00+02", 0),
            ("1970-01-02", 86_400_000_000),
            ("1970-01-01T23:59:60Z", 86_400_000_000), ("01.01.1970 00:01", 60_000_000),
            ("1970-1-1 0:00:01", 1_000_000), ("Thu Jan  1 00:00:01 1970", 1_000_000), ("Thu Jan 1 00:00:01 UTC 1970", 1_000_000),
            ("Thu 1970-01-01 00:00:01 UTC", 1_000_000), ("Fri 1970-01-02 00:00:00.5", 86_400_500_000),
            ("Fri Jan  2 00:00:00.5 1970", 86_400_500_000), ("Thu Jan  1 01:00:00 +0100 1970", 0),
            ("Do Jan  1 12:00:01 AM 1970", 1_000_000),
        ])
    func `dates with times and time zones are read`(text: String, microseconds: Int64) { #expect(read(text, .dateTime) == microseconds) }

    @Test(
        arguments: [
            "1970-01-01T", "1970-01-01T25:00", "1970-01-01T10:60", "1970-01-01T10:00:61", "1970-01-01T10:00:00.", "1970-01-01T10:00 CET",
            "1970-01-01T10:00+1", "1970-01-01T10:00+20:00", "1970-01-01_10:00", "1970-01-01T24:00",
            "Thu Jan  1 00:00:01 70", "Thu Jan  1 00:00:01 CET 1970", "Thu Jan  1 00:00:01 1970 1970", "Thu Foo  1 00:00:01 1970",
            "Thu 1970-01-32 00:00:01", "Thu 1970 00:00:01", "Thu 19700-01-01 00:00:01", "Thu 1970-01-01 00:00:01 CET",
            "Thu Jan 32 00:00:01 1970", "Thu Jan  1 00:00:011970", "Thu is a short sentence of 1970",
        ])
    func `strings of other forms are not read as dates with times`(text: String) { #expect(read(text, .dateTime) == nil) }

    @Test(
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func `the fast path for plain dates agrees with the slow path, whatever byte is changed`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var plain = 0
        for _ in 0..<20_000 {
            func digits(_ count: Int, below limit: UInt64) -> String { String(String(random.next() % limit + 10_000).suffix(count)) }
            var text = "\(digits(4, below: 3_000))-\(digits(2, below: 14))-\(digits(2, below: 33))T"
            text += "\(digits(2, below: 25)):\(digits(2, below: 61)):\(digits(2, below: 61))"
            if random.next() % 2 == 0 { text += "." + String(String(random.next()).prefix(Int(random.next() % 9))) }
            var bytes = Array(text.utf8)
            if random.next() % 3 == 0 { bytes[Int(random.next() % UInt64(bytes.count))] = Array("0:-T ./Z+".utf8)[Int(random.next() % 9)] }
            if random.next() % 8 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
            bytes.withUnsafeBufferPointer { bytes in
                let field = FieldBytes(start: bytes.baseAddress, count: bytes.count)
                let slowValue = ParsedDateTime(field.trimmed, .dateTime)?.microseconds
                if let found = FastDateParser.microseconds(bytes) {
                    plain += 1
                    #expect(found == slowValue, "\(String(decoding: bytes, as: UTF8.self))")
                }
                #expect(field.temporal(.dateTime) == slowValue)
            }
        }
        #expect(plain > 5_000)
    }

    @Test(
        arguments: [
            (ValueKind.date, 2, 2), (.date, 7, 1), (.dateTime, 0, 5), (.dateTime, 6, 0), (.dateTime, 7, 1), (.time, 0, 0), (.text, 0, 0),
        ])
    func `plain dates of a column are read in one call, up to the first field of another form`(kind: ValueKind, first: Int, count: Int) {
        let column = [
            "2024-02-29", "2024-02-29 23:59:59", "0000-01-01", "9999-12-31", "1970-01-01T00:00:01", "1900-02-29", "1.1.1970", "1969-12-31",
            "2024-01-01 00:00:60",
        ]
        let seconds: [Int64] = [1_709_164_800, 1_709_251_199, -62_167_219_200, 253_402_214_400, 1, 0, 0, -86_400, 0]
        // The dates are the second of two columns, so other fields are between them.
        let text = Array(column.joined().utf8)
        text.withUnsafeBufferPointer { bytes in
            var fields: [FieldBytes] = []
            var start = 0
            for field in column {
                fields += [.missing, FieldBytes(start: bytes.baseAddress! + start, count: field.utf8.count)]
                start += field.utf8.count
            }
            var found = [Int64](repeating: .max, count: column.count)
            let read = fields.withUnsafeBufferPointer {
                FastDateParser.read(
                    FieldBatch(firstRecord: 0, count: column.count, width: 2, fields: $0.baseAddress!), from: first, column: 1, kind,
                    seconds: &found)
            }
            #expect(read == count && Array(found[..<read]) == Array(seconds[first..<first + count]))
        }
    }

    @Test func `times are read`() {
        #expect(read("10:22", .time) == 37_320_000_000)
        #expect(read("9:05:01.5", .time) == 32_701_500_000)
        #expect(read("24:00", .time) == nil && read("1:2", .time) == nil && read("10:22Z", .time) == nil)
        #expect(read("10:22", .text) == nil && read("10:22", .date) == nil)
    }

    @Test func `every day converts to a calendar date and back`() {
        for day in stride(from: -800_000, through: 3_000_000, by: 97) {
            let calendar = CalendarDay(daysSinceEpoch: day)
            #expect(calendar.isValid && calendar.daysSinceEpoch == day)
        }
    }

    @Test func `dates and times are displayed in one form`() {
        #expect(DateText.text(of: "2024-01-01T10:22:04.123", kind: .dateTime) == "2024-01-01 10:22:04.123")
        #expect(DateText.text(of: "1.2.2024 9:05", kind: .dateTime) == "2024-02-01 09:05:00")
        #expect(DateText.text(of: "2024-01-01T10:22:04+0200", kind: .dateTime, fractionDigits: 3) == "2024-01-01 10:22:04.000+02:00")
        #expect(DateText.text(of: "2024/3/9", kind: .date) == "2024-03-09")
        #expect(DateText.text(of: "9:05", kind: .time) == "09:05:00")
        #expect(DateText.text(of: "soon", kind: .date) == nil)
        #expect(DateText.text(ofMicroseconds: -1, kind: .dateTime) == "1969-12-31 23:59:59.999999")
        #expect(DateText.text(ofMicroseconds: 1_500_000, kind: .dateTime) == "1970-01-01 00:00:01.500")
        #expect(DateText.text(ofMicroseconds: 0, kind: .date) == "1970-01-01")
        #expect(DateText.text(ofMicroseconds: .max, kind: .dateTime) == "294247-01-10 04:00:54.775807")
        #expect(DateText.text(ofMicroseconds: .min, kind: .dateTime, fractionDigits: 2) == "-290308-12-21 19:59:05.22")
        #expect(DateText.text(ofMicroseconds: 0, kind: .time, fractionDigits: 9) == "00:00:00.000000")
    }

    @Test func `the leap second at the end of a day is displayed as it is written`() {
        for text in ["23:59:60", "23:59:60.250"] {
            #expect(DateText.text(of: text, kind: .time) == text)
            #expect(read(text, .time).map { DateText.text(ofMicroseconds: $0, kind: .time) } == text)
            #expect(DateText.text(of: text, kind: .time, pattern: "HH'h'mm'm'ss.SSS")?.prefix(9) == "23h59m60.")
        }
        #expect(DateText.text(of: "2016-12-31T23:59:60Z", kind: .dateTime) == "2016-12-31 23:59:60Z")
    }
}
