import DataGrid
import DataGridSources
import FieldValues
import Tables

/// Types of columns that have no value in the sample of rows.
extension Document {
    /// Finds the types of ``rareTypes`` in all records known so far, and sets them.
    func findRareTypes() {
        if let found = rareTypes.search(for: .request, while: { true }) { setRareTypes(found) }
    }

    /// Sets the types of columns after a search.
    /// - Returns: The columns that have changed.
    @discardableResult
    func setRareTypes(_ found: RareTypes.Found) -> [Column] {
        let profiles = rareTypes.accept(found)
        if input.snapshot().isComplete { untypedFields.formUnion(found.profiles.keys.filter(rareTypes.contains)) }
        untypedFields.subtract(profiles.keys)
        var changed: [Column] = []
        for index in columns.indices where !columns[index].field.isDerived {
            guard let profile = profiles[columns[index].field] else { continue }
            let typed = column(ofField: columns[index].field.rawValue, profile)
            var column = columns[index]
            (column.kind, column.notation, column.isIdentifier) = (typed.kind, typed.notation, typed.isIdentifier)
            (column.dateNotation, column.hasAmbiguousDates) = (typed.dateNotation, typed.hasAmbiguousDates)
            column.flagMarks = typed.flagMarks
            // The options can set the number of decimals.
            let digits = column.format.fractionDigits
            column.format = typed.format
            column.format.fractionDigits = digits ?? typed.format.fractionDigits
            column.measuredWidth = max(column.measuredWidth, Self.width(of: column, samples: profile.sampleTexts))
            if column == columns[index] { continue }
            columns[index] = column
            source.setKind(of: column)
            changed.append(column)
        }
        if !changed.isEmpty { computeDerivedFields(from: columns) }
        return changed
    }
}
