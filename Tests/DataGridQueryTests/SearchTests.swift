import DataGrid
import FieldValues
import Synchronization
import Testing

@testable import DataGridQuery

@Suite("D7 Search")
struct SearchTests {
    private func marked(_ text: String, _ search: TextSearch) -> String {
        var shown = ""
        var end = text.startIndex
        for range in search.ranges(in: text) {
            shown += text[end..<range.lowerBound] + "[" + text[range] + "]"
            end = range.upperBound
        }
        return shown + text[end...]
    }

    @Test func rangesForHighlighting() {
        #expect(marked("Abc abc ABC", .smart("abc")) == "[Abc] [abc] [ABC]")
        #expect(marked("Abc abc ABC", .smart("Abc")) == "[Abc] abc ABC")
        #expect(marked("aaaa", .smart("aa")) == "[aa][aa]")
        #expect(marked("Ärger ärger", .smart("är")) == "[Är]ger [är]ger")
        #expect(marked("Ärger ärger", .smart("Är")) == "[Är]ger ärger")
        #expect(marked("日本語", .smart("本")) == "日[本]語")
        #expect(marked("İx ix", .smart("ñx")) == "İx ix")
        #expect(marked("ÇİÇEK", .smart("çi")) == "[Çİ]ÇEK" || marked("ÇİÇEK", .smart("çi")) == "[Çİ]ÇEK")
        #expect(marked("abc", .smart("")) == "abc" && marked("", .smart("a")) == "")
        #expect(marked("a.c abc", .smart("a.c")) == "[a.c] abc")
    }

    private let table = MemoryTable([["one", "x"], ["Two", "y"], ["three", nil], ["", "two"], ["TWO", "z"], ["six"]])

    private func first(_ search: TextSearch, _ start: Int, _ direction: SearchDirection, wraps: Bool = true, order: [UInt32]? = nil) throws
        -> Int?
    {
        try firstMatch(
            of: search, in: table, from: start, direction: direction, wraps: wraps, order: order, threads: 2, control: JobControl())?
            .position
    }

    @Test func bothDirectionsAndWrapping() throws {
        let two = TextSearch.smart("two")
        #expect(try first(two, 0, .forward) == 1)
        #expect(try first(two, 1, .forward) == 1)
        #expect(try first(two, 2, .forward) == 3)
        #expect(try first(two, 5, .forward) == 1)
        #expect(try first(two, 5, .forward, wraps: false) == nil)
        #expect(try first(two, 5, .backward) == 4)
        #expect(try first(two, 3, .backward) == 3)
        #expect(try first(two, 0, .backward) == 4)
        #expect(try first(two, 0, .backward, wraps: false) == nil)
        #expect(try first(two, -5, .backward) == 4)
        #expect(try first(two, 99, .backward) == 4)
        #expect(try first(two, 99, .forward) == 1)
        #expect(try first(.smart("nowhere"), 3, .forward) == nil)
        #expect(try first(.smart("two", columns: [1]), 0, .forward) == 3)
        #expect(try first(.smart("Two"), 2, .forward) == 1)
        #expect(try first(two, 0, .forward, order: [5, 4, 3, 0]) == 1)
        #expect(try first(two, 0, .backward, order: [5, 4, 3, 0]) == 2)
        #expect(try first(two, 0, .forward, order: []) == nil)
        let match = try firstMatch(of: two, in: table, from: 3, direction: .forward, threads: 1, control: JobControl())
        #expect(match == SearchMatch(position: 3, record: 3, column: 1))
    }

    @Test func agreesWithLookingAtEveryRecord() throws {
        let table = randomTable(["text", "whole"], count: 30_000, seed: 3)
        let search = TextSearch.smart("name 77")
        let matching = table.rows.indices.filter { row in
            table.rows[row].contains { $0.map { !search.ranges(in: $0).isEmpty } ?? false }
        }
        for threads in [1, 2] {
            let batches = Mutex<[UInt32]>([])
            let control = JobControl()
            let found = try findRecords(matching: search, in: table, threads: threads, control: control) { batch in
                batches.withLock { $0 += batch }
            }
            #expect(found.map { Int($0) } == matching && batches.withLock { $0 } == found && control.fraction == 1)
        }
        var random = SplitMix(seed: 8)
        let all = (0..<UInt32(30_000)).map { $0 }
        let isMatch = Set(matching.map { UInt32($0) })
        for order in [
            all, all.filter { $0 % 2 == 0 }, all.shuffled(using: &random), all.filter { !isMatch.contains($0) || $0 > 29_000 }.reversed(),
        ] {
            for _ in 0..<4 {
                let start = Int(random.next() % UInt64(order.count))
                let after = order.indices[start...].first { isMatch.contains(order[$0]) } ?? order.firstIndex { isMatch.contains($0) }
                let before = order.indices[...start].last { isMatch.contains(order[$0]) } ?? order.lastIndex { isMatch.contains($0) }
                func match(_ direction: SearchDirection) throws -> Int? {
                    try firstMatch(
                        of: search, in: table, from: start, direction: direction, order: order, threads: 2, control: JobControl())?.position
                }
                #expect(try match(.forward) == after)
                #expect(try match(.backward) == before)
            }
        }
    }
}
