import Testing

@testable import ServerTables

/// The number of rows of an order while its rows are fetched. No server is needed.
@Suite("19.4: the known row count of an order")
struct KnownRowCountTests {
    private func expect(_ rows: KnownRowCount, _ count: Int, isComplete: Bool, location: SourceLocation = #_sourceLocation) {
        #expect(rows.count == count && rows.isComplete == isComplete, sourceLocation: location)
    }

    @Test func `fetched rows become known, and a short page marks the end of the table`() {
        var rows = KnownRowCount(nil)
        expect(rows, 0, isComplete: false)
        rows.add(100, of: 0..<100, canHaveMore: false)
        expect(rows, 100, isComplete: false)
        rows.add(100, of: 500..<600, canHaveMore: false)
        rows.add(100, of: 200..<300, canHaveMore: false)
        expect(rows, 600, isComplete: false)
        rows.add(40, of: 600..<700, canHaveMore: false)
        expect(rows, 640, isComplete: true)
    }

    @Test func `an empty page marks the end of the table only right after the known rows`() {
        var rows = KnownRowCount(nil)
        rows.add(100, of: 0..<100, canHaveMore: false)
        rows.add(0, of: 900..<1_000, canHaveMore: false)
        expect(rows, 100, isComplete: false)
        rows.add(0, of: 100..<200, canHaveMore: false)
        expect(rows, 100, isComplete: true)
    }

    @Test func `a short page before the last known row does not mark the end, because rows may be deleted`() {
        var rows = KnownRowCount(nil)
        rows.add(upTo: 1_000)
        rows.add(50, of: 200..<300, canHaveMore: false)
        expect(rows, 1_000, isComplete: false)
    }

    @Test func `a short page that was read by disk blocks does not mark the end of the table`() {
        var rows = KnownRowCount(nil)
        rows.add(40, of: 0..<100, canHaveMore: true)
        expect(rows, 40, isComplete: false)
    }

    @Test func `the number of known rows does not change after the rows are counted`() {
        var rows = KnownRowCount(300)
        rows.add(100, of: 300..<400, canHaveMore: false)
        rows.add(upTo: 1_000)
        rows.add(10, of: 0..<100, canHaveMore: false)
        expect(rows, 300, isComplete: true)
    }
}
