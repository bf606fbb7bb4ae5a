package import DataGrid
package import Tables

extension Column {
    /// Creates the column of a field, with the digits and marks that fit its values.
    /// - Parameters:
    ///   - profile: the profile of the values.
    ///   - groupsThousands: true if amounts have grouped thousands; identifiers never do.
    package init(_ field: Field, _ profile: ColumnProfile, width: WidthRule = .standard, groupsThousands: Bool = true) {
        self.init(id: ColumnID(field.id), title: field.name, kind: field.kind, notation: field.notation, width: width)
        dateNotation = field.dateNotation
        format.alignedFractionDigits = min(12, profile.maximumFractionDigits)
        isIdentifier = profile.isIdentifier(titled: field.name)
        format.groupsThousands = groupsThousands && !isIdentifier
        flagMarks = profile.hasFlagWords ? .none : .trueAndFalse
    }

    /// Creates the column of a field of an input. The title is the number of the field if the input has no title for it.
    /// - Parameters:
    ///   - index: the index of the field.
    ///   - profile: the profile of its values. Together with the title, it determines how they are read.
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
