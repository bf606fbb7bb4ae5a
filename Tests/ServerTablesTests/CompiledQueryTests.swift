import DataGridQuery
import SQLTables
import Tables
import Testing

@testable import ServerTables

struct CompiledQueryTests {
    @Test(arguments: [("REAL", SQLDialect.sqlite), ("numeric(10,2)", .postgreSQL), ("DOUBLE", .duckDB)])
    func `D7: a filter with arithmetic of constants is sent with the result, so that the server can use an index`(
        type: String, dialect: SQLDialect
    ) throws {
        let table = ServerTable(.table(["t"]), columns: [ServerColumn("v", type: ServerType(named: type, in: dialect))])
        func statement(_ filter: String) throws -> SQLStatement {
            var query = Query()
            query.filters = [try Filter(filter, in: table.schema).formula]
            return try CompiledQuery(query, of: table, in: dialect).completeCellsQuery.count()
        }
        for (written, folded) in [
            ("v > 2 * 3", "v > 6"), ("v in (1 / 4, 10 - 2)", "v in (0.25, 8)"), ("v != abs(-(1 / 3))", "v != 0.3333333333333333"),
        ] {
            #expect(try statement(written) == statement(folded), "\(written)")
        }
    }
}
