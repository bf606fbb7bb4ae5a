package import DataGrid
package import Tables

extension Column {
    /// Creates a column that shows a field. Numbers get a format and flags get ✓/✗ marks that suit their values.
    /// - Parameters:
    ///   - profile: the profile of the field's values.
    ///   - groupsThousands: true if thousands in amounts are separated. Identifiers are never grouped.
    package init(_ field: Field, _ profile: ColumnProfile, width: WidthRule = .standard, groupsThousands: Bool = true) {
        self.init(id: ColumnID(field.id), title: field.name, kind: field.kind, notation: field.notation, width: width)
        dateNotation = field.dateNotation
        format.alignedFractionDigits = min(12, profile.maximumFractionDigits)
        isIdentifier = profile.isIdentifier(titled: field.name)
        format.groupsThousands = groupsThousands && !isIdentifier
        flagMarks = profile.hasFlagWords ? .none : .trueAndFalse
    }

    /// Creates a column that shows a field of an input. If the field has no title, the title of the column is the number of the field.
    /// - Parameters:
    ///   - index: the index of the field in the input.
    ///   - profile: the profile of the field's values. Together with the title, it determines how the values are parsed.
    package init(
        ofField index: Int, of input: any TableSource, _ profile: ColumnProfile, width: WidthRule = .standard, groupsThousands: Bool = true
    ) {
        let name = input.title(ofColumn: index)
        let title = name.isEmpty ? "#\(index + 1)" : name
        let profile = profile.titled(title)
        let field = Field(
            FieldID(rawValue: index), name: title, kind: profile.kind, notation: profile.notation, dateNotation: profile.dateNotation)
        self.init(field, profile, width: width, groupsThousands: groupsThousands)
        hasAmbiguousDates = profile.hasAmbiguousDates
        hasNulls = input.hasNulls
    }
}
