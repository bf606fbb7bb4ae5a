public import DataGrid
import FieldValues
package import Tables

extension TableGridSource {
    /// The fields of the input as columns, with kinds from a sample. Takes at most 4 ms for the sample.
    public var gridColumns: [Column] {
        source.profiles(budgetMilliseconds: 4).enumerated().map { index, profile in
            let title = Self.title(ofColumn: index, of: source)
            let profile = profile.titled(title)
            var column = Column(id: ColumnID(index), title: title, kind: profile.kind, notation: profile.notation)
            (column.dateNotation, column.hasAmbiguousDates) = (profile.dateNotation, profile.hasAmbiguousDates)
            column.format.fractionDigits = min(12, profile.maximumFractionDigits)
            column.isIdentifier = profile.isIdentifier(titled: column.title)
            column.format.groupsThousands = !column.isIdentifier
            return column
        }
    }

    /// Shows the table in a grid, which receives ``gridColumns`` if it has no columns. Changes of the table are then drawn. O(columns).
    public func attach(to host: any GridHost) {
        host.dataSource = self
        if host.state.columns.all.isEmpty { host.perform(.replaceColumns(gridColumns)) }
        for column in host.state.columns.all { setKind(of: column) }
        onChange = { [weak host] in host?.reloadRows(nil) }
        host.reload()
    }

    /// Sets the kind and the notations of a column to those that the column has.
    package func setKind(of column: Column) {
        setKind(column.kind, notation: column.notation, dateNotation: column.dateNotation, of: column.id)
    }

    /// The title of a column of an input, or its number if the input has no title for it.
    package static nonisolated func title(ofColumn index: Int, of input: any TableSource) -> String {
        let title = input.title(ofColumn: index)
        return title.isEmpty ? "#\(index + 1)" : title
    }
}
