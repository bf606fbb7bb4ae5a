public import DataGrid
import Tables

extension TableGridSource {
    /// The fields of the input as columns, with kinds and formats from a sample. Takes at most 4 ms for the sample.
    public var gridColumns: [Column] {
        source.profiles(budgetMilliseconds: 4).enumerated().map { Column(ofField: $0, of: source, $1) }
    }

    /// Shows the table in a grid, and draws later changes of the table. A grid without columns receives ``gridColumns``. O(columns).
    public func attach(to host: any GridHost) {
        host.dataSource = self
        if host.state.columns.all.isEmpty { host.perform(.replaceColumns(gridColumns)) }
        for column in host.state.columns.all { setKind(of: column) }
        onChange = { [weak host] in host?.reloadRows(nil) }
        host.reload()
    }

    /// Sets the kind and the notations by which the values of a column are parsed, from a column of the grid.
    package func setKind(of column: Column) {
        setKind(column.kind, notation: column.notation, dateNotation: column.dateNotation, of: column.id)
    }
}
