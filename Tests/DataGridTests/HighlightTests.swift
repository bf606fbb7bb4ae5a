import GridTestSupport
import DataGrid
import Testing

@Suite struct HighlightTests {
    @Test func `A20: a change fades in steps of equal length`() {
        var highlights = Highlights(steps: 5)
        highlights.highlight(row: 3, at: 1_000, for: 500)
        #expect([1_000, 1_099, 1_100, 1_250, 1_499, 1_500, 9_999].map { highlights.level(ofRow: 3, at: $0) } == [5, 5, 4, 3, 1, 0, 0])
        #expect(highlights.level(ofRow: 4, at: 1_000) == 0)
    }

    @Test func `A20: the last of several changes of a cell is highlighted`() {
        var highlights = Highlights()
        highlights.highlight(.rise, row: 0, column: 0, at: 0, for: 10)
        #expect(highlights.change(ofRow: 0, column: 0, at: 5)?.change == .rise)
        #expect(highlights.change(ofRow: 0, column: 1, at: 5) == nil)
        #expect(highlights.change(ofRow: 0, column: 0, at: 10) == nil)
        highlights.highlight(.fall, row: 0, column: 0, at: 8, for: 10)
        #expect(highlights.change(ofRow: 0, column: 0, at: 10)?.change == .fall)
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `A20: the time of the next visible change of a highlight is predicted exactly`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var highlights = Highlights(steps: Int.random(in: 1...7, using: &random))
        for row in 0..<Int.random(in: 0...4, using: &random) {
            let start = Int64.random(in: 0...50, using: &random)
            let duration = Int64.random(in: 0...90, using: &random)
            highlights.highlight(row: RowID(row), at: start, for: duration)
            highlights.highlight(.rise, row: RowID(row), column: 0, at: start + 3, for: duration / 2)
        }
        func levels(_ now: Int64) -> [Int] {
            (0..<4).flatMap { row in
                [highlights.level(ofRow: RowID(row), at: now), highlights.change(ofRow: RowID(row), column: 0, at: now)?.level ?? 0]
            }
        }
        for now in Int64(53)...220 {
            let expected = (now + 1...240).first { levels($0) != levels(now) }
            #expect(highlights.nextLevelChange(after: now) == expected, "\(now)")
        }
    }

    @Test func `A20: faded highlights are dropped, and beyond the capacity only the newest are kept`() {
        var highlights = Highlights(capacity: 100)
        for index in 0..<1_000 {
            highlights.highlight(.rise, row: RowID(index), column: 0, at: Int64(index), for: 10_000)
            #expect(highlights.count <= 100)
        }
        #expect(highlights.change(ofRow: 999, column: 0, at: 1_000) != nil && highlights.change(ofRow: 800, column: 0, at: 1_000) == nil)
        for index in 0..<300 { highlights.highlight(row: RowID(index), at: 2_000, for: 5) }
        #expect(highlights.count <= 200)
        highlights.removeFaded(at: 2_005)
        #expect(!highlights.isEmpty && highlights.count <= 100)
        highlights.removeFaded(at: 99_999)
        #expect(highlights.isEmpty && highlights.nextLevelChange(after: 0) == nil)
        highlights.highlight(row: 1, at: .max - 1, for: .max)
        #expect(highlights.level(ofRow: 1, at: .max - 1) == highlights.steps)
        highlights.removeAll()
        #expect(highlights == Highlights(capacity: 100))
    }

    @Test func `A20: highlights follow renumbered rows and cells, and disappear with removed ones`() {
        var highlights = Highlights()
        for row in [RowID(1), 2] {
            highlights.highlight(row: row, at: 0, for: 100)
            highlights.highlight(.rise, row: row, column: 3, at: 0, for: 100)
        }
        highlights.renumber { $0 == 1 ? 5 : nil }
        for row in [RowID(1), 2, 5] {
            #expect((highlights.level(ofRow: row, at: 0) > 0) == (row == 5))
            #expect(highlights.change(ofRow: row, column: 3, at: 0)?.change == (row == 5 ? .rise : nil))
        }
        #expect(highlights.count == 2)
    }

    @Test func `A20: beyond the capacity, the oldest rows and cells are dropped first`() {
        var highlights = Highlights(capacity: 8)
        for index in 0..<50 {
            highlights.highlight(row: RowID(index), at: Int64(index), for: 10_000)
            highlights.highlight(.rise, row: RowID(index), column: 0, at: Int64(index), for: 10_000)
            let rows = (0..<50).filter { highlights.level(ofRow: RowID($0), at: Int64(index)) > 0 }
            let cells = (0..<50).filter { highlights.change(ofRow: RowID($0), column: 0, at: Int64(index)) != nil }
            #expect(rows == Array(index + 1 - rows.count...index) && cells == rows && rows.count >= min(index + 1, 6), "\(index): \(rows)")
        }
    }

    @Test func `A20: a cell keeps the mark of its last change until its next change, and marks follow their rows`() {
        var marks = ChangeMarks()
        #expect(marks.isEmpty)
        marks.set(.rise, row: 1, column: 0)
        marks.set(.rise, row: 2, column: 0)
        marks.set(.fall, row: 2, column: 3)
        marks.set(.fall, row: 2, column: 0)
        func all(_ column: ColumnID) -> [Highlights.Change?] { (1...3).map { marks.mark(ofRow: RowID($0), column: column) } }
        #expect(all(0) == [.rise, .fall, nil] && all(3) == [nil, .fall, nil])
        marks.set(.update, row: 1, column: 0)
        #expect(all(0) == [nil, .fall, nil], "a change without a direction removes the mark")
        marks.renumber { $0 == 2 ? 3 : nil }
        #expect(all(0) == [nil, nil, .fall] && all(3) == [nil, nil, .fall])
        marks.keepColumns { $0 == 3 }
        #expect(all(0) == [nil, nil, nil] && all(3) == [nil, nil, .fall])
        marks.remove(rows: [3])
        #expect(marks.isEmpty)
    }

    @Test func `A20: beyond the capacity, the older half of the marks is dropped`() {
        var marks = ChangeMarks(capacity: 8)
        for index in 0..<50 {
            marks.set(.rise, row: RowID(index), column: ColumnID(index % 2))
            let kept = (0..<50).filter { row in (0..<2).contains { marks.mark(ofRow: RowID(row), column: ColumnID($0)) != nil } }
            #expect(kept == Array(index + 1 - kept.count...index) && (min(index + 1, 4)...8).contains(kept.count), "\(index): \(kept)")
        }
        // A mark that is added and removed does not displace another mark.
        marks = ChangeMarks(capacity: 8)
        marks.set(.fall, row: 1, column: 0)
        for _ in 0..<50 {
            marks.set(.rise, row: 2, column: 0)
            marks.set(.update, row: 2, column: 0)
        }
        #expect(marks.mark(ofRow: 1, column: 0) == .fall && marks.mark(ofRow: 2, column: 0) == nil)
        // A dropped or removed newer mark does not bring back an older one.
        marks = ChangeMarks(capacity: 8)
        for row in 1...4 { marks.set(.rise, row: RowID(row), column: 0) }
        marks.set(.fall, row: 1, column: 0)
        #expect(marks.mark(ofRow: 1, column: 0) == .fall)
        marks.remove(rows: [1])
        #expect(marks.mark(ofRow: 1, column: 0) == nil && marks.mark(ofRow: 2, column: 0) == .rise)
    }

    @Test func `A20: an insertion of rows with ids changes no other ids, so highlights and marks stay valid`() {
        let state = grid("a", rows: 4, frame: (20, 8))
        #expect(state.rowIDMappingIfChanged(by: .insertRows(RowInsertion([9], at: 1))) == nil)
        #expect(state.rowIDMappingIfChanged(by: .removeRows(1..<2, renumbering: true))?(3) == 2)
    }
}
