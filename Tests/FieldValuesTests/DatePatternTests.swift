import FieldValues
import Testing

@Suite struct DatePatternTests {
    @Test(
        arguments: [
            ("yyyy-MM-dd HH:mm:ss.SSS", "2023-11-14 22:13:20.123"), ("d.M.yy", "14.11.23"), ("EEEE, MMMM d", "Tuesday, November 14"),
            ("EEE MMM dd", "Tue Nov 14"), ("h:mm a", "10:13 PM"), ("hh'h' ''mm", "10h '13"), ("SSSSSSSS", "12345600"), ("QX é", "QX é"),
            ("'open", "open"), ("", ""), ("y", "2023"),
        ])
    func `B1: dates and times are formatted by a pattern`(pattern: String, text: String) {
        #expect(DateText.text(ofMicroseconds: 1_700_000_000_123_456, pattern: pattern) == text)
    }

    @Test func `B1: dates before 1970, at midnight and noon, and at the limits of the range are formatted`() {
        #expect(DateText.text(ofMicroseconds: -1, pattern: "EEE yyyy-MM-dd HH:mm:ss.SSSSSS") == "Wed 1969-12-31 23:59:59.999999")
        #expect(DateText.text(ofMicroseconds: 0, pattern: "h a") == "12 AM")
        #expect(DateText.text(ofMicroseconds: 43_200_000_000, pattern: "h a") == "12 PM")
        for microseconds in [Int64.min, .max] { #expect(!DateText.text(ofMicroseconds: microseconds, pattern: "EEEE yy MMM d").isEmpty) }
    }

    @Test func `B1: text read as a date keeps its written time, in any time zone`() {
        #expect(DateText.text(of: "2024-03-01T23:30:00+05:00", kind: .dateTime, pattern: "d HH:mm") == "1 23:30")
        #expect(DateText.text(of: "23:30", kind: .time, pattern: "h a") == "11 PM")
        #expect(DateText.text(of: "soon", kind: .date, pattern: "d") == nil && DateText.text(of: "1", kind: .integer, pattern: "d") == nil)
    }
}
