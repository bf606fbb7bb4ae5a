import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery

/// Progress of jobs with parts that report their own progress.
@Suite struct JobControlTests {
    @Test func `D2: a part of a job adds its weight to the progress, whatever units the part counts`() throws {
        let control = JobControl()
        #expect(control.fraction == nil)
        control.begin(total: 100)
        control.advance(by: 20)
        control.withPart(of: 60) { part in
            part.begin(total: 7)
            #expect(control.fraction == 0.2)
            part.advance(by: 3)
            #expect(control.completed == 20 + 60 * 3 / 7)
            part.withPart(of: 2) { inner in
                inner.begin(total: 1000)
                inner.advance(by: 500)
                #expect(control.completed == 20 + 60 * 4 / 7)
            }
            #expect(control.completed == 20 + 60 * 5 / 7)
        }
        #expect(control.fraction == 0.8, "a finished part is complete")
        control.withPart(of: 0) {
            $0.begin(total: 5); $0.advance(by: 5)
        }
        control.withPart(of: 20) { _ in }
        #expect(control.fraction == 1 && control.completed == 100)
    }

    @Test func `D2: progress never decreases`() {
        let control = JobControl()
        control.begin(total: 10)
        control.advance(by: 5)
        control.extend(by: 10)
        #expect(control.fraction == 0.5)
        control.begin(total: 100)
        control.advance(by: 30)
        #expect(control.fraction == 0.5 && control.completed == 30)
        control.advance(by: 30)
        #expect(control.fraction == 0.6)
        control.advance(by: 90)
        #expect(control.fraction == 1)
        // A part that starts again is not counted twice.
        let whole = JobControl()
        whole.begin(total: 10)
        whole.withPart(of: 10) { part in
            for _ in 0..<3 {
                part.begin(total: 4)
                part.advance(by: 2)
            }
            #expect(whole.completed == 5)
        }
        #expect(whole.completed == 10)
    }

    @Test func `D2: cancelling stops every part of a job, and a failed part is not complete`() {
        let control = JobControl(total: 2)
        #expect(throws: JobCancelled.self) {
            try control.withPart(of: 2) { part in
                try part.checkCancellation()
                control.cancel()
                try part.withPart(of: 1) { try $0.checkCancellation() }
            }
        }
        #expect(control.fraction == 0)
    }

    /// The progress of a long job must visibly advance.
    @Test(arguments: [SortOrdering.text, .number]) func `D2: sorting reports progress in small steps`(_ ordering: SortOrdering) throws {
        var random = SplitMix64(seed: 7)
        let table = MemoryTable(column: (0..<280_000).map { _ in "\(random.next() % 1_000_000_007)" })
        let seen = ProgressRecorder()
        let control = JobControl(onProgress: { seen.add($0.fraction ?? 0) })
        _ = try sortedRecords(of: table, by: [ResolvedSortKey(column: 0, ordering: ordering)], threads: 2, control: control)
        let steps = seen.all.sorted()
        #expect(steps.last == 1)
        let longest = zip([0] + steps, steps).map { $1 - $0 }.max() ?? 1
        #expect(longest < 0.3, "\(longest)")
    }

    @Test func `D2: the ranges that threads take cover all positions and become shorter`() {
        var random = SplitMix64(seed: 44)
        for _ in 0..<500 {
            let (count, unit) = (Int.random(in: 0...5_000, using: &random), Int.random(in: 1...16, using: &random))
            let smallest = unit * Int.random(in: 1...4, using: &random)
            let largest = Bool.random(using: &random) ? smallest : 5_000
            let threads = Int.random(in: 1...4, using: &random)
            let ranges = shrinkingRanges(of: count, unit: unit, smallest: smallest, largest: largest, threads: threads)
            #expect(ranges.flatMap { Array($0) } == Array(0..<count))
            #expect(ranges.allSatisfy { $0.lowerBound % unit == 0 && $0.count <= max(smallest, largest) })
            #expect(ranges.dropLast().allSatisfy { $0.count >= smallest })
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.count >= $1.count })
        }
        let shared = shrinkingRanges(of: 1_000, unit: 10, smallest: 40, largest: 1_000, threads: 2)
        #expect(shared.map(\.count) == [250, 180, 140, 100, 80, 60, 40, 40, 40, 40, 30])
        #expect(shrinkingRanges(of: 1_000, unit: 10, smallest: 40, largest: 1_000, threads: 1) == [0..<1_000])
    }
}
