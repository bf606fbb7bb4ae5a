public import DataGrid
import Tables

extension TableGridSource {
    /// The fields of the input as grid columns, with kinds and formats from a sample. Reading the sample takes at most 4 ms.
    public var gridColumns: [Column] {
        source.profiles(budgetMilliseconds: 4).enumerated().map { Column(ofField: $0, of: source, $1) }
    }

    /// Shows the table in a grid, and updates the grid when the table changes. A grid without columns gets ``gridColumns``. O(columns).
    public func attach(to host: any GridHost) {
        host.dataSource = self
        if host.state.columns.all.isEmpty { host.perform(.replaceColumns(gridColumns)) }
        for column in host.state.columns.all { setKind(of: column) }
        onChange = { [weak host] in host?.reloadRows(nil) }
        host.reload()
    }

    /// Sets how the values of a column are parsed: the kind and the notations that a column of the grid has.
    package func setKind(of column: Column) {
        setKind(column.kind, notation: column.notation, dateNotation: column.dateNotation, of: column.id)
    }
}
