import DataGridQuery
import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import ServerTables

@Suite("Limits of queries on servers")
struct QueryLimitTests: ServerSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("19.5: of too many groups, the largest are shown, and the result tells it")
    func largestGroups() throws {
        var opener = opener()
        // The groups have from 1 to 20 rows.
        opener.statement =
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20) "
            + "select a.i as size, b.i as item from n as a join n as b on b.i <= a.i"
        let source = try #require(try opener.open(path: try sqlite(ServerData(count: 1, seed: 1))) as? ServerTableSource)
        let schema = Schema(["size", "item"].enumerated().map { Field(FieldID(rawValue: $0), name: $1, kind: .text) })
        func result(levels: Int, limit: Int = 100_000, outerLimit: Int = 1_000) throws -> (groups: GroupResult, rows: RowNumbers) {
            var engine = self.engine
            var query = Query()
            (engine.sectionLimit, engine.outerSectionLimit) = (limit, outerLimit)
            query.groups = (0..<levels).map { Query.GroupKey(FieldID(rawValue: $0), by: .text) }
            let found = try engine.rows(
                of: source.snapshot(), schema: schema, matching: query, known: nil, control: JobControl(), report: nil)
            return (try #require(found.groups), try #require(found.rows))
        }
        for levels in 1...2 {
            let all = try result(levels: levels, limit: levels == 1 ? 20 : 230, outerLimit: 20)
            #expect(all.groups.omission == nil && all.rows.count == 210 && all.groups.groups.count == (levels == 1 ? 20 : 230))
        }
        let largest = try result(levels: 1, limit: 10)
        #expect(largest.groups.omission == "Only the 10 largest groups are shown, largest first.")
        #expect(largest.groups.groups.map(\.key) == (11...20).reversed().map(String.init) && largest.rows.count == 155)
        let rows = try source.snapshot().records(largest.rows[0]..<largest.rows[0] + 155, maximumFieldBytes: 100)
        let sizes: [String] = (11...20).reversed().flatMap { size in [String](repeating: "\(size)", count: size) }
        #expect(rows.map { $0[0]?.text ?? "" } == sizes)
        let counts = try self.engine.statistics(
            of: schema.fields, in: source.snapshot(), rows: largest.rows, exactLimit: 100, topCount: 0, details: [], control: JobControl())
        #expect(counts[0].recordCount == 155, "rows of other groups do not count")
        let sections = try source.statements(ofViewWithRow: largest.rows[0], withPlans: false) { false }[0]
        #expect(sections.title == "Sections" && sections.text.contains("q.n DESC"), "\(sections.text)")
        let outer = try result(levels: 2, outerLimit: 3)
        #expect(outer.groups.omission == "Only the 3 largest outer groups are shown, largest first.")
        #expect(outer.groups.groups.filter { $0.level == 0 }.map(\.key) == ["20", "19", "18"] && outer.rows.count == 57)
        // The first groups by text are 1, 10 and 11, with an inner group for each of their rows.
        let first = try result(levels: 2, limit: 24)
        #expect(first.groups.omission == "Only the first 24 groups are shown." && first.rows.count == 21)
        #expect(first.groups.groups.filter { $0.level == 0 }.map(\.rows) == [0..<1, 1..<11, 11..<21])
        let two = try result(levels: 2, limit: 14)
        #expect(two.groups.omission == "Only the first 13 groups are shown." && two.rows.count == 11, "no outer group is empty")
    }

    @Test("19.4: PostgreSQL estimates filtered rows before they are counted", .enabled(if: PostgresServer.isInstalled))
    func estimates() throws {
        let path = try sqlite(ServerData(count: 9_000, seed: 6))
        #expect(try estimatedRows(of: source(path + "?table=trades")) == nil)
        let server = try PostgresServer()
        defer { server.stop() }
        try ServerData(count: 9_000, seed: 6, isSQLite: false).write(to: server, folder: folder)
        let estimate = try estimatedRows(of: source("postgres://postgres@127.0.0.1:\(server.port)/postgres/trades"))
        #expect(estimate.map { (1..<9_000).contains($0) } == true, "\(estimate ?? -1)")
    }

    private func estimatedRows(of source: ServerTableSource) throws -> Int? {
        var query = Query()
        query.filters = [try Filter("symbol = 'Gold'", in: ServerData.schema).formula]
        let control = JobControl()
        _ = try engine.rows(
            of: source.snapshot(), schema: ServerData.schema, matching: query, known: nil, control: control, report: nil)
        return control.estimatedRowCount
    }

    @Test("19.5: what the server cannot do is refused with a reason")
    func refusals() throws {
        let source = try source(try sqlite(ServerData(count: 600, seed: 1)) + "?table=trades")
        var query = Query()
        query.groups = [Query.GroupKey(FieldID(rawValue: 1), by: .text)]
        query.aggregates = [Query.Aggregate(.median, of: FieldID(rawValue: 2), kind: .decimal)]
        let error = #expect(throws: ServerError.self) {
            try engine.rows(
                of: source.snapshot(), schema: ServerData.schema, matching: query, known: nil, control: JobControl(), report: nil)
        }
        #expect(error?.message.contains("SQLite") == true, "\(error?.message ?? "")")
        let control = JobControl()
        control.cancel()
        query.aggregates = []
        #expect(throws: JobCancelled.self) {
            try engine.rows(of: source.snapshot(), schema: ServerData.schema, matching: query, known: nil, control: control, report: nil)
        }
    }
}
