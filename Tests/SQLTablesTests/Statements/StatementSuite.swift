import DataGridQuery
import FieldValues
import SQLTables
import Tables

/// A suite of tests of the SQL text of statements.
protocol StatementSuite {}

extension StatementSuite {
    static func table(_ dialect: SQLDialect, nullable: Bool = false) -> ServerTable {
        let types = dialect.family == .sqlite ? ["INTEGER", "REAL", "TEXT"] : ["bigint", "numeric(10,2)", "text"]
        return ServerTable(
            .table(["my schema", "a\"; drop table x--"]),
            columns: [
                ServerColumn("id", type: ServerType(named: types[0], in: dialect), isNullable: false),
                ServerColumn("price", type: ServerType(named: types[1], in: dialect), isNullable: nullable),
                ServerColumn("`x`", type: ServerType(named: types[2], in: dialect)),
            ], keys: [ServerKey(columns: [0], isPrimary: true)], indexes: [ServerIndex([.init(1), .init(0)])], hasRowIDs: true)
    }

    static func page(
        _ dialect: SQLDialect, nullable: Bool = false, isDescending: Bool = false, options: SQLOptions = SQLOptions(),
        _ request: PageRequest
    ) throws -> SQLStatement {
        var query = Query()
        query.filters = [.call(.equal, [.field(FieldID(rawValue: 2)), .constant(.text("o'x"))])]
        query.sort = [Query.SortKey(FieldID(rawValue: 1), by: .kind(.decimal, .point), isDescending: isDescending)]
        let compiled = try SQLQuery(query, of: table(dialect, nullable: nullable), in: dialect, options: options)
        return try compiled.page(request, of: [FieldID(rawValue: 0)]).statement
    }
}
