import FieldValues

/// The declared type of an SQLite column, which may be any text. SQLite stores other values in the column, too.
package struct SQLiteColumnType: Sendable, Equatable {
    /// The type in the words of the table definition; empty without a type.
    package var name: String

    /// Creates a type from its name.
    package init(_ name: String) { self.name = name }

    /// The kind of the declared type, by the affinity rules of SQLite; `nil` for text and for types without a kind.
    var kind: ValueKind? {
        let type = name.uppercased()
        if type.contains("BOOL") { return nil }
        if type.contains("INT") { return .integer }
        if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") || type.contains("BLOB") { return nil }
        if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") { return .decimal }
        if type.contains("NUMERIC") || type.contains("DECIMAL") { return .decimal }
        if type.contains("DATETIME") || type.contains("TIMESTAMP") { return .dateTime }
        return type == "DATE" ? .date : nil
    }

    /// True if SQLite stores numbers in this column as strings.
    package var hasTextAffinity: Bool {
        let type = name.uppercased()
        return !type.contains("INT") && (type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT"))
    }

    /// How SQLite stores the numbers of this column:
    /// - `double` for a column declared as REAL, DOUBLE or FLOAT, because SQLite converts all of its numbers.
    /// - `nil` for a text column, because it contains no numbers.
    /// - `eachValue` for any other column: each number has its own type.
    package var numberStorage: NumberStorage? {
        if hasTextAffinity { return nil }
        let type = name.uppercased()
        let hasRealAffinity = ["REAL", "FLOA", "DOUB"].contains { type.contains($0) } && !type.contains("INT") && !type.contains("BLOB")
        return hasRealAffinity ? .double : .eachValue
    }

    /// Adjusts the profile of a column to its declared type. A column declared as text becomes text. Any other declared type is used only
    /// if the values fit several kinds, because SQLite stores any value in any column.
    package func declared(_ profile: ColumnProfile, title: String) -> ColumnProfile {
        var profile = profile
        if hasTextAffinity {
            // Text columns also store dates, because SQLite has no type for dates.
            guard !profile.titled(title).kind.isTemporal else { return profile }
            profile.kind = .text
            (profile.hasIdentifiers, profile.hasFlagWords, profile.maximumFractionDigits) = (false, false, 0)
            return profile
        }
        guard let kind else { return profile }
        let isUnknown = profile.sampledCount == profile.emptyCount
        if isUnknown || kind == .decimal && profile.kind == .integer { profile.kind = kind }
        return profile
    }
}
