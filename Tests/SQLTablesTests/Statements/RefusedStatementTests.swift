import DataGridQuery
import FieldValues
import SQLTables
import Tables
import Testing

/// Queries and requests without a statement.
@Suite("SQL that is refused")
struct RefusedStatementTests: StatementSuite {
    @Test func `H1: queries that a server computes differently are refused with a reason`() throws {
        func reasons(_ dialect: SQLDialect, _ change: (inout Query) -> Void) -> [SQLLimitation] {
            var query = Query()
            change(&query)
            do {
                _ = try SQLQuery(query, of: Self.table(dialect, nullable: true), in: dialect)
                return []
            } catch {
                return error.reasons
            }
        }
        let text = Formula.field(FieldID(rawValue: 2))
        let natural = reasons(.postgreSQL) { $0.sort = [Query.SortKey(FieldID(rawValue: 2), by: .natural)] }
        #expect(natural == [SQLLimitation(.sort(0), "PostgreSQL does not support natural order. Sort “`x`” by bytes instead.")])
        let pattern = reasons(.ansi) { $0.filters = [.call(.matches, [text, .constant(.text("a"))])] }
        #expect(pattern.map(\.part) == [.filter(0)])
        let several = reasons(.postgreSQL) {
            $0.filters = [
                .call(.matches, [text, .constant(.text("\\bA"))]), .call(.equal, [.call(.upper, [text]), .constant(.text("A"))]),
                .call(.greater, [text, .constant(.number(ExactDecimal(3)))]), .call(.equal, [.field(FieldID(rawValue: 9)), text]),
            ]
            $0.aggregates = [Query.Aggregate(.first, of: FieldID(rawValue: 1), kind: .decimal)]
        }
        #expect(several.map(\.part) == [.filter(0), .filter(1), .filter(2), .filter(3), .aggregate(0)])
        #expect(several[0].reason == "The server may read “\\b” in this regular expression differently.")
        var deep = Formula.call(.isEmpty, [text])
        for _ in 0..<5_000 { deep = .call(.not, [deep]) }
        #expect(reasons(.postgreSQL) { $0.filters = [deep] }.map(\.part) == [.filter(0)])
        let view = ServerTable(.table(["v"]), columns: Self.table(.postgreSQL).columns)
        let compiled = try SQLQuery(Query(), of: view, in: .postgreSQL)
        #expect(!compiled.hasUniqueOrder)
        #expect(throws: SQLLimitations.self) { try compiled.page(.after(RowKey([]), 10)) }
        #expect(try compiled.page(.first(10)).statement.text.hasSuffix("FROM \"v\" AS t LIMIT 10"))
    }

    @Test func `H1: invalid keys, counts and blocks do not crash the program`() throws {
        var table = Self.table(.postgreSQL, nullable: true)
        let keyed = try SQLQuery(Query(), of: table, in: .postgreSQL)
        table.keys = []
        table.estimatedRows = -1e300
        table.blockCount = .max
        let blocks = try SQLQuery(Query(), of: table, in: .postgreSQL)
        table.blockCount = .min
        let few = try SQLQuery(Query(), of: table, in: .postgreSQL)
        let keys = ["", "(", "(9223372036854775807,1)", "(-1,1)", "(99999999999999999999,0)", "(4294967295,65535)", "(4294967294,1)"]
        var requests: [PageRequest] = [
            .first(.max), .first(.min), .last(.max), .blocks(.min ..< .max), .blocks(5..<5),
        ]
        for key in keys { requests += [.after(RowKey([.text(key)]), .max), .before(RowKey([.text(key)]), 1)] }
        requests += [.after(RowKey([]), 1), .before(RowKey([.null, .null, .null]), 1), .after(RowKey([.null]), 5)]
        for request in requests {
            for query in [keyed, blocks, few] { _ = try? query.page(request) }
        }
        #expect(try keyed.page(.first(.min)).statement.text.hasSuffix("LIMIT 0"))
        #expect(try blocks.page(.after(RowKey([.text("(4294967294,1)")]), 3)).blocks?.upperBound == 4_294_967_295)
        let page = try keyed.page(.first(1))
        #expect(page.rows([[], [.null], [.null, .text("a"), .null, .text("1"), .null]]).isEmpty)
        #expect(
            page.rows([[.text("1"), .null, .text(String(repeating: "é", count: 1_025)), .text("1")]]).map(\.isTruncated) == [
                [false, false, true]
            ])
        #expect(ServerType(named: "numeric(" + String(repeating: "9", count: 500), in: .postgreSQL).storage == .numeric(scale: nil))
        #expect(SQLQuery.estimatedRows(inPlan: "[{\"Plan\": {\"Plan Rows\": 123456, \"Plan Rows\": 9}}]") == 123_456)
        #expect(SQLQuery.estimatedRows(inPlan: "\"Plan Rows\": " + String(repeating: "9", count: 400)) == nil)
    }
}
