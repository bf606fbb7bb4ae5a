import DataGridQuery
import FieldValues
import SQLTables
import Tables
import Testing

/// The statements for groups and statistics.
@Suite("SQL of groups and statistics")
struct AggregateStatementTests: StatementSuite {
    @Test(
        arguments: [
            (SQLDialect.spark, "(t.`sector` < '!' AND trim(BOTH ' ' FROM replace(t.`sector`, "),
            (.duckDB, "(ord(t.\"sector\") <= 32 AND strlen(trim(t.\"sector\", "),
        ])
    func `H2: group statements for a text column trim only the texts that can be blank`(dialect: SQLDialect, condition: String) throws {
        let table = ServerTable(.table(["t"]), columns: [ServerColumn("sector", type: ServerType(named: "string", in: dialect))])
        var query = Query()
        query.groups = [Query.GroupKey(FieldID(rawValue: 0), by: .text)]
        let statement = try SQLQuery(query, of: table, in: dialect).groups(limit: 10).statement
        #expect(statement.text.contains(condition), "\(statement.text)")
    }

    @Test func `H2: statistics that are not computed are NULL with a numeric type in every dialect`() throws {
        for dialect in [SQLDialect.postgreSQL, .sqlite, .duckDB, .spark, .ansi] {
            let fields = (0..<2).map { (FieldID(rawValue: $0), [AggregateFunction.count]) }
            let text = try SQLQuery(Query(), of: Self.table(dialect), in: dialect).statistics(of: fields, countsKinds: true).text
            let type = dialect.family == .sqlite ? "INTEGER" : "bigint"
            #expect(text.contains("CAST(NULL AS \(type))") && !text.contains(", NULL"), "\(text)")
        }
    }
}
