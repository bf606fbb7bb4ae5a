import DataGridQuery
import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Locks
import Tables
import Testing

@testable import GridviewApp

/// The program with another query engine.
@MainActor
@Suite struct EngineTests {
    /// An engine that records queries and reverses the direction of each sort.
    private final class ReversingEngine: QueryEngine {
        let queries = Mutex<[Query]>([])
        /// The number of matches to report without their positions; `nil` to report the positions.
        let matchCount: Int?
        /// The groups that are left out.
        let omission: GroupOmission?
        /// The number of rows of estimated statistics; `nil` for none.
        let estimatedCount: Int?
        private let base = LocalQueryEngine(threads: 1)

        init(matchCount: Int? = nil, omission: GroupOmission? = nil, estimatedCount: Int? = nil) {
            (self.matchCount, self.omission, self.estimatedCount) = (matchCount, omission, estimatedCount)
        }

        func rows(
            of table: any Table, schema: Schema, matching query: Query, earlierFilterResult: FilterResult?, control: JobControl,
            report: (@Sendable (RowNumbers) -> Void)?
        ) throws -> QueryResult {
            queries.withLock { $0.append(query) }
            var result = try base.rows(
                of: table, schema: schema, matching: query, earlierFilterResult: earlierFilterResult, control: control, report: nil)
            result.groups?.omission = omission
            let rows = result.rows.map { RowNumbers(Array($0).reversed(), ofRows: table.recordCount) }
            return QueryResult(rows: rows, groups: result.groups, filterResult: result.filterResult)
        }

        func firstMatch(
            of search: TextSearch, in table: any Table, order: RowSequence, from start: Int, direction: SearchDirection, control: JobControl
        ) throws -> SearchMatch? {
            try base.firstMatch(of: search, in: table, order: order, from: start, direction: direction, control: control)
        }

        func positions(
            matching search: TextSearch, in table: any Table, order: RowSequence, control: JobControl, report: @Sendable (Int) -> Void
        ) throws -> RowNumbers {
            if let matchCount { throw TooManyMatches(count: matchCount) }
            return try base.positions(matching: search, in: table, order: order, control: control, report: report)
        }

        func firstDifference(
            in field: FieldID, of table: any Table, order: RowSequence, from start: Int, direction: SearchDirection, control: JobControl
        ) throws -> Int? {
            try base.firstDifference(in: field, of: table, order: order, from: start, direction: direction, control: control)
        }

        func statistics(
            of fields: [Field], in table: any Table, rows: RowNumbers?, exactLimit: Int, topCount: Int, details: ColumnStatistics.Details,
            control: JobControl
        ) throws -> [ColumnStatistics] {
            try base.statistics(
                of: fields, in: table, rows: rows, exactLimit: exactLimit, topCount: topCount, details: details, control: control)
        }

        func estimatedStatistics(of field: Field, in table: any Table, control: JobControl) throws -> ColumnStatistics? {
            estimatedCount.map { count in
                var estimate = ColumnStatistics(column: field.id.rawValue, kind: field.kind)
                (estimate.isEstimate, estimate.recordCount, estimate.valueCount) = (true, count, count)
                estimate.distinct = .init(count: 7, isExact: false)
                estimate.top = [.init(value: "2", count: count / 2)]
                return estimate
            }
        }

        func frequencies(of field: Field, in table: any Table, rows: RowNumbers?, control: JobControl) throws -> FrequencyTable {
            try base.frequencies(of: field, in: table, rows: rows, control: control)
        }
    }

    @Test func `D18: the query engine set in the options answers all queries`() throws {
        let engine = ReversingEngine()
        var options = LaunchOptions()
        options.makeEngine = { _ in engine }
        options.sort = [SortRequest(ColumnReference("a"))]
        let pilot = try Pilot("a\n2\n1\n3\n", options: options)
        #expect(pilot.order == [3, 1, 2])
        let queries = engine.queries.withLock { $0 }
        #expect(!queries.isEmpty && queries.allSatisfy { $0.sort.count == 1 })
    }

    private nonisolated static let omission = GroupOmission(largestCount: 2, firstCount: nil, isNested: false)!

    @Test func `19.5: a note about omitted groups stays visible while the rows are grouped`() throws {
        var options = LaunchOptions()
        options.makeEngine = { _ in ReversingEngine(omission: Self.omission) }
        let pilot = try Pilot("a,b\n2,x\n1,y\n2,z\n", size: (100, 14), options: options)
        pilot.press("zg")
        #expect(pilot.line(0).contains("! \(Self.omission.text)"), "\(pilot.line(0))")
        #expect(pilot.message == "Grouped by “a”. \(Self.omission.text)")
        pilot.press("zu")
        #expect(pilot.state.grid.outline.tree == nil && !pilot.line(0).contains("largest"), "\(pilot.line(0))")
        pilot.press("U")
        #expect(pilot.line(0).contains("! \(Self.omission.text)"), "\(pilot.line(0))")
    }

    @Test(arguments: [false, true]) func `19.5: output that omits groups is reported as incomplete`(isCollapsed: Bool) throws {
        let folder = try TemporaryFolder()
        var options = LaunchOptions()
        options.makeEngine = { _ in ReversingEngine(omission: Self.omission) }
        (options.groups, options.isCollapsed) = ([GroupRequest(ColumnReference("a"))], isCollapsed)
        let document = try Document(options.files.open(path: try folder.file("in.csv", bytes: Array("a\n2\n1\n".utf8))), options: options)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: try folder.file("out", bytes: [])))
        let notes = try BatchRun(document, options: options, format: .text(.csv)).write(to: file.fileDescriptor)
        #expect(notes.lines == [Self.omission.text] && notes.hasLosses)
    }

    @Test func `19.5: estimated statistics are marked, and exact ones replace them on request`() throws {
        var options = LaunchOptions()
        options.makeEngine = { _ in ReversingEngine(estimatedCount: 2_000_000) }
        let stepped = SteppedRunner()
        let pilot = try Pilot("a\n2\n1\n2\n", size: (80, 24), options: options, runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("I")
        stepped.runAll(pilot)
        #expect(pilot.line(1).hasPrefix(" a · all ≈ 2,000,000 rows, estimated"), "\(pilot.line(1))")
        let screen = pilot.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for text in ["≈ Estimates. Press e for exact statistics.", "rows ≈ 2,000,000", "distinct ≈ 7", "2 ≈ 1,000,000 ≈ 50.0 %"] {
            #expect(screen.contains(text), "\(text) in \(screen)")
        }
        pilot.press("e")
        #expect(pilot.screen.contains("Computing exact statistics…") && pilot.screen.contains("≈ 2,000,000"))
        #expect(stepped.count == 1)
        pilot.session.send(.jobEnded(.count, failure: nil))
        #expect(stepped.count == 1, "the end of another job does not start them again")
        stepped.runAll(pilot)
        #expect(pilot.line(1).hasPrefix(" a · all 3 rows") && !pilot.screen.contains("≈"), "\(pilot.screen)")
        // Estimates are about all rows, so they are not shown for filtered rows.
        pilot.press("Escape @")
        stepped.runAll(pilot)
        pilot.press("I")
        stepped.runAll(pilot)
        #expect(pilot.line(1).contains("rows, filtered") && !pilot.screen.contains("≈"), "\(pilot.screen)")
    }

    @Test func `D7: if there are too many matches to store, only their total is shown, without the rank of a match`() throws {
        var options = LaunchOptions()
        options.makeEngine = { _ in ReversingEngine(matchCount: 125_000_000) }
        let pilot = try Pilot("a\nx1\ny\nx2\n", size: (80, 10), options: options)
        pilot.press("/ x Enter")
        #expect(pilot.cursorCell == "a 1" && pilot.line(9).hasSuffix("“x” –/125,000,000"), "\(pilot.line(9))")
        pilot.press("n")
        #expect(pilot.cursorCell == "a 3" && pilot.line(9).hasSuffix("“x” –/125,000,000"), "\(pilot.line(9))")
    }
}
