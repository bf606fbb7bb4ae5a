import DataGridQuery
import SQLTables
import Tables

/// One query, compiled twice: for the screen and for output.
struct CompiledQuery: Sendable {
    /// The query for the screen, which cuts long cells.
    let cutCellsQuery: SQLQuery
    /// The query for output, which returns complete cells.
    let completeCellsQuery: SQLQuery

    /// The character limit of complete cells. It has no effect, because the protocol limits cells to the same number of bytes.
    private static let completeCellLimit = 1 << 24

    /// - Parameter schema: the fields as the user sees them; `nil` for the fields of the table.
    /// - Throws: ``ServerError`` if the server cannot run the query.
    init(_ query: Query, of table: ServerTable, schema: Schema? = nil, in dialect: SQLDialect) throws(ServerError) {
        var query = query
        // Only a comparison with a constant can use an index.
        query.filters = query.filters.map(\.foldingConstants)
        var options = SQLOptions()
        // No server sorts in natural order, so text is sorted by bytes instead.
        options.replacesNaturalOrder = true
        options.sendsStoredValues = true
        func compile() throws(ServerError) -> SQLQuery {
            try compiling { () throws(SQLLimitations) in
                try SQLQuery(query, of: table, schema: schema, in: dialect, options: options)
            }
        }
        cutCellsQuery = try compile()
        options.cellLimit = Self.completeCellLimit
        completeCellsQuery = try compile()
    }
}
