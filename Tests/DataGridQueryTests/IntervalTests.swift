import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery

/// Groups by periods of dates and by bins of numbers.
struct IntervalTests {
    private func groups(
        _ texts: [String?], by interval: String, _ ordering: SortOrdering, isDescending: Bool = false, threads: Int = 2
    ) throws -> [(key: String, records: [UInt32])] {
        let key = ResolvedGroupKey(column: 0, ordering: ordering, isDescending: isDescending, interval: GroupInterval(text: interval))
        let result = try groupedRecords(of: MemoryTable(texts.map { [$0] }), by: [key], threads: threads, control: JobControl())
        return result.groups.map { ($0.key, Array(result.order.short[$0.rows])) }
    }

    private static func text(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func text(_ days: Int) -> String {
        let day = CalendarDay(daysSinceEpoch: days)
        return "\(text(day.year, 4))-\(text(day.month, 2))-\(text(day.day, 2))"
    }

    /// The start of the period that contains a time, computed from the text of the time.
    private static func start(_ time: String, day: Int, _ period: GroupInterval.Period) -> String {
        switch period {
        case .year: return time.prefix(4) + "-01-01"
        case .quarter: return time.prefix(5) + text((Int(time.dropFirst(5).prefix(2))! - 1) / 3 * 3 + 1, 2) + "-01"
        case .month: return time.prefix(7) + "-01"
        case .week: return text(day - ((day + 3) % 7 + 7) % 7)
        case .day: return String(time.prefix(10))
        case .hour: return time.prefix(13) + ":00:00"
        }
    }

    @Test(arguments: GroupInterval.Period.allCases, [1, 2])
    func `D8: times are grouped by the periods shown in their text`(period: GroupInterval.Period, threads: Int) throws {
        // A short range of days has a number for each period from the first to the last one. Hours over centuries are sorted instead.
        for days in [-400...400, -5_000...20_000, -600_000...600_000] {
            var random = SplitMix64(seed: UInt64(days.count))
            var texts: [String?] = []
            var expected: [String: [UInt32]] = [:]
            for record in 0..<3_000 {
                let day = Int.random(in: days, using: &random)
                let year = CalendarDay(daysSinceEpoch: day).year
                let hour = Int.random(in: 0..<24, using: &random)
                let time = "\(Self.text(day)) \(Self.text(hour, 2)):\(Self.text(Int.random(in: 0..<60, using: &random), 2)):07"
                let isOther = record % 50 == 0 || !(1_000...3_000).contains(year)
                texts.append(isOther ? [nil, "", "soon"][record % 3] : time)
                let key = isOther ? (record % 3 < 2 ? "" : GroupInterval.otherKey) : Self.start(time, day: day, period)
                expected[key, default: []].append(UInt32(record))
            }
            let keys = expected.keys.filter { $0.first?.isNumber == true }.sorted()
            let others = [GroupInterval.otherKey, ""]
            for isDescending in [false, true] {
                let found = try groups(
                    texts, by: period.rawValue, .temporal(.dateTime), isDescending: isDescending, threads: threads)
                #expect(found.map(\.key) == (isDescending ? keys.reversed() : keys) + others)
                #expect(found.allSatisfy { $0.records == expected[$0.key] })
            }
        }
    }

    @Test(arguments: [[], ["1e400"], ["12345678901234567890.5"]])
    func `D8: numbers are grouped by bins, and each bin includes its start`(more: [String]) throws {
        let texts: [String?] = ["9.99", "10", "-0.01", "-10", "-10.5", "0", "19.999", "n/a", "", nil] + more
        let found = try groups(texts, by: "10", .number)
        let large: [String] = more == ["12345678901234567890.5"] ? ["12345678901234567890"] : []
        #expect(found.map(\.key) == ["-20", "-10", "0", "10"] + large + [GroupInterval.otherKey, ""])
        #expect(found.prefix(4).map(\.records) == [[4], [2, 3], [0, 5], [1, 6]])
        #expect(found.last?.records == [8, 9] && found[found.count - 2].records == (more == ["1e400"] ? [7, 10] : [7]))
    }

    @Test func `D8: narrow bins of decimals and bins of 64-bit integers are exact`() throws {
        let decimals = (0..<1_000).map { "\($0 / 1_000).\(Self.text($0 % 1_000, 3))" }
        let found = try groups(decimals, by: "0.3", .number)
        #expect(found.map(\.key) == ["0", "0.3", "0.6", "0.9"])
        #expect(found.map(\.records.count) == [300, 300, 300, 100])
        let large = ["9223372036854775807", "-9223372036854775808", "3"]
        #expect(try groups(large, by: "1", .number).map(\.key) == ["-9223372036854775808", "3", "9223372036854775807"])
        #expect(try groups(["0.1", "0.3", "0.7"], by: "0.1", .number).map(\.key) == ["0.1", "0.3", "0.7"])
        #expect(try groups(["1.5", "2000000000.25"], by: "0.001", .number).map(\.key) == ["1.5", "2000000000.25"])
        #expect(try groups(["", "x"], by: "5", .number).map(\.key) == [GroupInterval.otherKey, ""])
        #expect(try groups(["13:05", "13:59:59", "00:00"], by: "hour", .temporal(.time)).map(\.key) == ["00:00:00", "13:00:00"])
        #expect(try groups(["23:59:60", "23:00"], by: "hour", .temporal(.time)).map(\.key) == ["23:00:00"])
    }

    @Test(arguments: ["1e300", "1e400", "1e-300"])
    func `D8: bins of doubles include their start if a value is too large or too small for exact numbers`(value: String) throws {
        let found = try groups(["0.3", "0.6", "0.7", "-0.3", value], by: "0.1", .number)
        let keys = value == "1e-300" ? ["-0.3", "0", "0.3", "0.6", "0.7"] : ["-0.3", "0.3", "0.6", "0.7", GroupInterval.otherKey]
        #expect(found.map(\.key) == keys)
        #expect(try groups(["0.29999999999999993", value], by: "0.1", .number).contains { $0.key == "0.2" })
    }

    @Test func `D8: bins of the doubles next to zero are those before and after zero`() throws {
        #expect(try groups(["-5e-324", "5e-324", "-0.0"], by: "10", .number).map(\.key) == ["-10", "0"])
    }

    @Test func `D8: a sort by the grouped column orders the rows within each period`() throws {
        let table = MemoryTable([["2024-01-03", "x"], ["2024-02-01", "x"], ["2024-01-01", "x"], ["2024-01-02", "y"]])
        let schema = Schema([
            Field(FieldID(rawValue: 0), name: "on", kind: .date), Field(FieldID(rawValue: 1), name: "name", kind: .text),
        ])
        var text = QueryText()
        text.sort = [try SortRequest(text: "on:desc")]
        text.groups = [try GroupRequest(text: "on:month:count")]
        let result = try LocalQueryEngine(threads: 2).rows(
            of: table, schema: schema, matching: try text.query(in: schema), earlierFilterResult: nil, control: JobControl(), report: nil)
        #expect(result.groups?.groups.map(\.key) == ["2024-02-01", "2024-01-01"])
        #expect(result.rows.map { Array($0) } == [1, 0, 3, 2])
    }

    @Test(
        arguments: ["on:month", "on:month:text", "on : month : desc"])
    func `D8: dates are grouped by period in the notation of their column, with any comparison`(group: String) throws {
        let table = MemoryTable([["03/01/2024"], ["02/03/2024"], ["05/01/2024"]])
        let schema = Schema([Field(FieldID(rawValue: 0), name: "on", kind: .date, dateNotation: .dayFirst)])
        var text = QueryText()
        text.groups = [try GroupRequest(text: group)]
        let result = try LocalQueryEngine(threads: 2).rows(
            of: table, schema: schema, matching: try text.query(in: schema), earlierFilterResult: nil, control: JobControl(), report: nil)
        let months = ["2024-01-01", "2024-03-01"]
        #expect(result.groups?.groups.map(\.key) == (group.hasSuffix("desc") ? months.reversed() : months))
    }

    @Test(
        arguments: [
            ("year", "2024-01-01", "2024"), ("quarter", "2024-04-01", "2024 Q2"), ("month", "2024-03-01", "March 2024"),
            ("week", "2024-03-18", "week 12 of 2024"), ("week", "2024-12-30", "week 1 of 2025"), ("week", "2021-01-04", "week 1 of 2021"),
            ("week", "2020-12-28", "week 53 of 2020"), ("day", "2024-03-05", "2024-03-05"),
            ("hour", "2024-03-05 13:00:00", "2024-03-05 13:00"), ("hour", "13:00:00", "13:00"), ("10", "10", "10–20"),
            ("10", "-10", "-10 to 0"), ("0.5", "0", "0–0.5"), ("0.25", "0.5", "0.5–0.75"), ("month", "", ""), ("10", "", ""),
            ("month", GroupInterval.otherKey, "(other)"), ("10", GroupInterval.otherKey, "(other)"),
        ])
    func `D8: groups of bins and periods have readable titles`(interval: String, key: String, title: String) {
        #expect(GroupInterval(text: interval)?.title(ofKey: key) == title)
    }

    @Test(
        arguments: [
            ("1024", "0", "0–1K"), ("1000", "128000", "128,000–129,000"), ("1024", "131072", "128K–129K"), ("1000", "0", "0–1000"),
            ("524288", "-524288", "-512K to 0"),
        ])
    func `17.9, D8: both limits of a range of sizes have the same notation`(interval: String, key: String, title: String) {
        let notation = DecimalStyle.point.with(.size(.letters))
        #expect(GroupInterval(text: interval)?.title(ofKey: key, in: notation, groupsThousands: true) == title)
    }

    @Test func `D8: bin widths and periods are parsed from text, and other text is not an interval`() {
        for text in ["year", "hour", "10", "0.5", "100000", "123456789.012345"] { #expect(GroupInterval(text: text)?.text == text) }
        #expect(GroupInterval(text: "Month") == .period(.month) && GroupInterval(text: "1.50") == GroupInterval(text: "1.5"))
        for text in ["", "0", "0.0", "-1", "1e3", ".5", "5.", "1.2.3", "1234567890123456", "months", "desc", "٣"] {
            #expect(GroupInterval(text: text) == nil, "\(text)")
        }
    }
}
