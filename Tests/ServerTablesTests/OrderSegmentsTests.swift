import SQLTables
import Testing

@testable import ServerTables

/// The sections of an order. No server is needed.
@Suite("19.4: sections of an order")
struct OrderSegmentsTests {
    private static let list = [("a", 0), ("b", 20), ("c", 21), ("d", 50)].map {
        OrderSegments.Segment(section: [.value($0.0)], start: $0.1)
    }

    private let segments = OrderSegments(Self.list)

    @Test func `a range of rows is divided at the starts of sections`() {
        let parts = segments.parts(10..<60, rowCount: 80)
        #expect(parts.map(\.segment) == Self.list && parts.map(\.rows) == [10..<20, 20..<21, 21..<50, 50..<60])
        #expect(parts.map(\.end) == [20, 21, 50, 80] && parts.map(\.isWhole) == [false, true, true, false])
        #expect(parts.map(\.segmentCount) == [20, 1, 29, 30])
        #expect(segments.parts(20..<21, rowCount: 80).map(\.rows) == [20..<21])
        #expect(segments.parts(70..<100, rowCount: 80).map(\.rows) == [70..<80] && segments.parts(80..<100, rowCount: 80).isEmpty)
    }

    @Test func `the last section has no end while rows are not counted`() {
        let parts = segments.parts(45..<100, rowCount: nil)
        #expect(parts.map(\.rows) == [45..<50, 50..<100] && parts.map(\.end) == [50, nil] && parts.map(\.segmentCount) == [29, nil])
        #expect(!parts[1].isWhole)
    }

    @Test func `rows are in one section if no section starts inside their range`() {
        #expect(segments.areInOneSection(0..<20) && segments.areInOneSection(21..<50) && segments.areInOneSection(60..<1_000))
        #expect(!segments.areInOneSection(0..<21) && !segments.areInOneSection(19..<21) && !segments.areInOneSection(20..<22))
    }

    @Test func `each section has its start position`() {
        #expect(segments.starts == [[.value("a")]: 0, [.value("b")]: 20, [.value("c")]: 21, [.value("d")]: 50])
        #expect(segments.isGrouped && segments.count == 4)
    }

    @Test func `without groups, all rows form one section`() {
        let all = OrderSegments([])
        #expect(!all.isGrouped && all.count == 1 && all.first.section.isEmpty && all.starts == [[]: 0])
        #expect(all.areInOneSection(0..<1_000_000) && all.parts(10..<20, rowCount: 15).map(\.rows) == [10..<15])
        #expect(all.parts(0..<15, rowCount: 15)[0].isWhole && !all.parts(0..<15, rowCount: nil)[0].isWhole)
    }
}
