import FieldValues
import Foundation
import GridTestSupport
import Testing

@Suite("Notations of dates")
struct DateNotationTests {
    private static let day: Int64 = 86_400_000_000

    private func read(_ text: String, _ kind: ValueKind, _ notation: DateNotation = .iso) -> Int64? {
        FieldBytes.withBytes(of: text) { $0.temporal(kind, notation) }
    }

    @Test(
        arguments: [
            "24 Jan 2022", "24-JAN-2022", "24. Januar 2022", "24/Jan/2022", "24JAN2022", "Jan 24, 2022", "January 24 2022", "JAN. 24, 2022",
            "24th of January 2022", "January 24th, 2022", "24 janvier 2022", "24 janv. 2022", "24 de enero de 2022", "24 ene 2022",
            "24. Jänner 2022", " 24 jan 2022 ", "2022-01-24", "24.1.2022", "2022/1/24", "2022-W04", "2022-W04-1",
        ])
    func `D6: dates with the name of a month are read in every notation`(text: String) {
        for notation in DateNotation.allCases { #expect(read(text, .date, notation) == 19_016 * Self.day, "\(notation)") }
    }

    @Test(
        arguments: [
            "January Februar März avril mayo June Juli août septiembre October November Dezember",
            "Jan feb mär avr may juin jul. août sept Okt. NOV DIC", "ene fév mars abr Mai jun juil ago SET oct nov déc",
            "JANVIER FÉVRIER MÄRZ ABRIL MAYO JUNIO JUILLET AOÛT SEPTEMBRE OCTUBRE NOVIEMBRE DÉCEMBRE",
        ])
    func `D6: every month has names in four languages`(names: String) {
        for (index, name) in names.split(separator: " ").enumerated() {
            #expect(read("1 \(name) 2021", .date) == read("2021/\(index + 1)/1", .date), "\(name)")
        }
    }

    @Test(
        arguments: [
            ("24/01/2022", .dayFirst, 19_016), ("24-1-2022", .dayFirst, 19_016), ("1/2/2022", .dayFirst, 19_024),
            ("01/24/2022", .monthFirst, 19_016), ("1-24-2022", .monthFirst, 19_016), ("2/1/2022", .monthFirst, 19_024),
            ("20220124", .digits, 19_016), ("1642982400", .epochSeconds, 19_016), ("1643068799.5", .epochSeconds, 19_016),
            ("1642982400000", .epochMilliseconds, 19_016), ("-1", .epochSeconds, -1), ("0", .epochMilliseconds, 0),
        ] as [(String, DateNotation, Int64)])
    func `D6: dates written as numbers are read only in the notation of their column`(text: String, notation: DateNotation, days: Int64) {
        #expect(read(text, .date, notation) == days * Self.day)
        for other in DateNotation.allCases where other != notation && !(notation.isNumber && other.isNumber) {
            #expect(read(text, .date, other) != days * Self.day, "\(other)")
        }
    }

    @Test(
        arguments: [
            ("24/01/22", .dayFirst, 19_016), ("24/1/22", .dayFirst, 19_016), ("01/24/22", .monthFirst, 19_016),
            ("24.01.22", .iso, 19_016), ("24.1.22", .iso, 19_016), ("1.2.22", .monthFirst, 19_024), ("24-JAN-22", .iso, 19_016),
            ("24 Jan 22", .monthFirst, 19_016),
            ("01/01/69", .dayFirst, -365), ("31/12/68", .dayFirst, 36_159), ("01/01/00", .monthFirst, 10_957),
        ] as [(String, DateNotation, Int64)])
    func `17.2: two-digit years mean 1969 to 2068 if the text can be read in no other way`(
        text: String, notation: DateNotation, days: Int64
    ) {
        #expect(read(text, .date, notation) == days * Self.day)
        #expect(read("\(text) 01:00", .dateTime, notation) == days * Self.day + 3_600_000_000)
        // These texts are not dates of this form: the year may be first or has one or three digits, or the text is an address.
        for other in ["1.2.2", "1.13.22", "24-01-22", "24/01/2", "24/01/022", "24/01/22/1", "Jan 24, 22", "24.01.22.1"] {
            for notation in DateNotation.allCases { #expect(read(other, .date, notation) == nil, "\(other) \(notation)") }
        }
        #expect(read("24/01/22", .date) == nil && read("24/01/22", .date, .monthFirst) == nil)
    }

    @Test(
        arguments: [
            "May", "May 2022", "Mayor 5, 2022", "32 Jan 2022", "30 Feb 2022", "24 Jan", "24 x 2022", "24 of of of Jan 2022",
            "31/31/2022", "1/2-2022", "2022-W00", "2022-W53", "2022-W04-8", "2022-W4", "2022-W04-", "W04",
            "1,642,982,400x", "Jan 24,,, 2022", "24 jan 2022 x", "99999999999999999",
        ])
    func `D6: strings of other forms are not read as dates in any notation`(text: String) {
        for notation in DateNotation.allCases { #expect(read(text, .date, notation) == nil, "\(notation)") }
    }

    @Test(
        arguments: [
            ("2022-01-24 1:05 PM", .iso, 47_100), ("2022-01-24 12:05 am", .iso, 300), ("24 Jan 2022, 12:00:01 p.m.", .iso, 43_201),
            ("01/24/2022 11:59:59PM", .monthFirst, 86_399), ("24/01/2022 13:05", .dayFirst, 47_100),
            ("2022-01-24 10:00 UTC", .iso, 36_000), ("2022-01-24 10:00:00 GMT+0100", .iso, 32_400),
            ("24/01/2022 1:00 PM +01:00", .dayFirst, 43_200), ("20220124T1305", .digits, 47_100), ("20220124 130501", .digits, 47_101),
            ("20220124T130501Z", .digits, 47_101), ("20220124 13:05", .digits, 47_100), ("2022-W04-1T13:05", .iso, 47_100),
            ("1643029500", .epochSeconds, 47_100), ("1643029500000", .epochMilliseconds, 47_100),
            ("2022-01-24T13:05:00", .epochSeconds, 47_100),
        ] as [(String, DateNotation, Int64)])
    func `D6: times with AM or PM and with time zones are read`(text: String, notation: DateNotation, seconds: Int64) {
        #expect(read(text, .dateTime, notation) == 19_016 * Self.day + seconds * 1_000_000)
    }

    @Test func `17.2: AM and PM may follow any blank, and may be written in Spanish`() {
        for text in ["1:05 PM", "1:05\u{a0}PM", "1:05\u{202f}PM", "1:05 p.m.", "1:05 p. m.", "1:05\u{a0}p.\u{a0}m."] {
            #expect(read(text, .time) == 47_100_000_000, "\(text)")
            #expect(read("01/24/2022, \(text)", .dateTime, .monthFirst) == 19_016 * Self.day + 47_100_000_000, "\(text)")
        }
        for text in ["1:05  PM", "1:05 p . m.", "1:05\u{a0}\u{a0}PM"] { #expect(read(text, .time) == nil, "\(text)") }
    }

    @Test func `D6: eight digits are a date only if they name a valid day`() {
        for text in ["20221324", "20220230", "2022124", "202201244", "20220124x"] {
            #expect(read(text, .date, .digits) == nil, "\(text)")
        }
    }

    @Test func `D6: the hours of a time with AM or PM are 1 to 12`() {
        #expect(read("1:05 PM", .time) == 47_100_000_000 && read("12:00 AM", .time) == 0 && read("12:00pm", .time) == 43_200_000_000)
        for text in ["13:05 PM", "0:05 AM", "1:05 XM", "1:05 P", "1 PM"] { #expect(read(text, .time) == nil, "\(text)") }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `D6: dates of each notation agree with Foundation`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var calendar = Calendar(identifier: .gregorian)
        var weeks = Calendar(identifier: .iso8601)
        let zone = try #require(TimeZone(secondsFromGMT: 0))
        (calendar.timeZone, weeks.timeZone) = (zone, zone)
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func padded(_ number: Int, _ width: Int = 2) -> String {
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        for _ in 0..<2_000 {
            let days = Int64(random.next() % 60_000) - 20_000
            let date = Date(timeIntervalSince1970: Double(days) * 86_400)
            let part = calendar.dateComponents([.year, .month, .day], from: date)
            let (year, month, day) = (try #require(part.year), try #require(part.month), try #require(part.day))
            let texts: [(String, DateNotation)] = [
                ("\(padded(year, 4))-\(padded(month))-\(padded(day))", .iso), ("\(year)/\(month)/\(day)", .iso),
                ("\(day) \(names[month - 1]) \(year)", .iso), ("\(names[month - 1]) \(padded(day)), \(year)", .iso),
                ("\(padded(day))/\(padded(month))/\(year)", .dayFirst), ("\(month)/\(day)/\(year)", .monthFirst),
                ("\(year)\(padded(month))\(padded(day))", .digits),
            ]
            for (text, notation) in texts { #expect(read(text, .date, notation) == days * Self.day, "\(text)") }
            let week = weeks.dateComponents([.yearForWeekOfYear, .weekOfYear, .weekday], from: date)
            let number = try #require(week.weekday)
            // Foundation counts weekdays from Sunday, 1.
            let text =
                "\(padded(try #require(week.yearForWeekOfYear), 4))-W\(padded(try #require(week.weekOfYear)))-\((number + 5) % 7 + 1)"
            #expect(read(text, .date) == days * Self.day, "\(text)")
            let seconds = days * 86_400 + Int64(random.next() % 86_400)
            #expect(read("\(seconds)", .dateTime, .epochSeconds) == seconds * 1_000_000, "\(seconds)")
        }
    }

    @Test func `D6: dates in any notation are displayed in one form`() {
        #expect(DateText.text(of: "24/01/2022 1:05 PM", kind: .dateTime, notation: .dayFirst) == "2022-01-24 13:05:00")
        #expect(DateText.text(of: "1643029500123", kind: .dateTime, notation: .epochMilliseconds) == "2022-01-24 13:05:00.123")
        #expect(DateText.text(of: "1643029500", kind: .date, notation: .epochSeconds) == "2022-01-24")
        #expect(DateText.text(of: "Jan 24, 2022", kind: .date, pattern: "d.M.yy") == "24.1.22")
    }
}
