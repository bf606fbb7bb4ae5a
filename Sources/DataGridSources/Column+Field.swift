package import DataGrid
package import Tables

extension Column {
    /// Creates the column of a field, with the digits and marks that fit its values.
    /// - Parameter profile: the profile of the values.
    package init(_ field: Field, _ profile: ColumnProfile, width: WidthRule = .standard) {
        self.init(id: ColumnID(field.id), title: field.name, kind: field.kind, notation: field.notation, width: width)
        format.alignedFractionDigits = min(12, profile.maximumFractionDigits)
        // Only amounts have grouped thousands: years and codes are integers too.
        format.groupsThousands = !Self.isIdentifier(field.name)
        flagMarks = profile.hasFlagWords ? .none : .trueAndFalse
    }

    /// Creates the column of a field of an input. Its title is its number if the input has no title for it.
    /// - Parameters:
    ///   - index: the index of the field.
    ///   - profile: the profile of its values, which determines how they are read.
    package init(ofField index: Int, of input: any TableSource, _ profile: ColumnProfile, width: WidthRule = .standard) {
        let title = input.title(ofColumn: index)
        self.init(
            Field(
                FieldID(rawValue: index), name: title.isEmpty ? "#\(index + 1)" : title, kind: profile.kind, notation: profile.notation),
            profile, width: width)
    }

    /// True if the title suggests that integers are identifiers rather than amounts.
    private static func isIdentifier(_ title: String) -> Bool {
        let title = title.lowercased()
        return ["id", "year", "zip", "code", "no", "nr", "#"].contains(title) || title.hasSuffix("_id") || title.hasSuffix(" id")
            || title.hasSuffix("code")
    }
}
