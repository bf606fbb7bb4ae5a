public import FieldValues

/// The identity of a field while its table is open. It does not depend on the columns that show the field.
public struct FieldID: RawRepresentable, Hashable, Sendable, Codable, Comparable {
    /// The number of the field. Fields of a file are numbered from 0, derived fields from ``firstDerived``.
    public let rawValue: Int

    /// Creates an ID from a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The ID of the first derived field. It exceeds the number of fields that a file can have.
    public static let firstDerived = FieldID(rawValue: 1 << 30)
    /// In a table with ``Table/hasNestedValues``, the number of the additional column that has the JSON values of column 0. See also
    /// ``Table/isJSON``.
    package static let firstNested = 1 << 29
    /// The number of the column that has the values of nested column 0 in binary form, which ``NestedMarker`` describes. See
    /// ``Table/nestedColumns``.
    package static let firstStored = 1 << 28

    /// True if the field is computed from other fields.
    public var isDerived: Bool { self >= Self.firstDerived }

    /// Compares by number, which is table order.
    public static func < (a: FieldID, b: FieldID) -> Bool { a.rawValue < b.rawValue }
}

/// A field of a table: its name and the kind of its values.
public struct Field: Hashable, Codable, Sendable {
    /// The identity of the field.
    public var id: FieldID
    /// The name of the field. Names need not be unique.
    public var name: String
    /// The kind of the values.
    public var kind: ValueKind
    /// The notation of the numbers.
    public var notation: DecimalStyle
    /// The notation of the dates.
    public var dateNotation: DateNotation
    /// True if the table has null values, which differ from empty text.
    public var hasNulls: Bool

    /// Creates a field.
    public init(
        _ id: FieldID, name: String, kind: ValueKind, notation: DecimalStyle = .point, dateNotation: DateNotation = .iso,
        hasNulls: Bool = false
    ) {
        (self.id, self.name, self.kind, self.notation, self.dateNotation) = (id, name, kind, notation, dateNotation)
        self.hasNulls = hasNulls
    }

    /// Decodes a field. In fields of older versions, the notation of dates is `DateNotation.iso`, and there are no nulls.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(FieldID.self, forKey: .id), name: try values.decode(String.self, forKey: .name),
            kind: try values.decode(ValueKind.self, forKey: .kind), notation: try values.decode(DecimalStyle.self, forKey: .notation),
            dateNotation: try values.decodeIfPresent(DateNotation.self, forKey: .dateNotation) ?? .iso,
            hasNulls: try values.decodeIfPresent(Bool.self, forKey: .hasNulls) ?? false)
    }
}

/// The fields of a table, by name and by number.
public struct Schema: Sendable {
    /// The fields in the order of the table.
    public let fields: [Field]

    /// Creates a schema. O(1), because each query creates one and uses few of its fields.
    public init(_ fields: [Field]) { self.fields = fields }

    /// The field with this ID. O(1) if the index of the field equals its number, otherwise O(fields).
    public subscript(id: FieldID) -> Field? {
        if fields.indices.contains(id.rawValue), fields[id.rawValue].id == id { return fields[id.rawValue] }
        return fields.first { $0.id == id }
    }

    /// The first field with this name or, if no name is equal, the first field whose name is equal ignoring case. O(fields).
    public func field(named name: String) -> Field? {
        if let field = fields.first(where: { $0.name == name }) { return field }
        let folded = name.lowercased()
        return fields.first { $0.name.lowercased() == folded }
    }

    /// The field of the file with this number, counted from 1. Complexity as for ``subscript(_:)``.
    public func field(numbered number: Int) -> Field? { self[FieldID(rawValue: number - 1)] }

    /// The field name that is most similar to a misspelled word, or else a name that the word abbreviates. `nil` if no name is similar.
    /// O(fields).
    public func name(near word: String) -> String? {
        let names = fields.map(\.name)
        return Suggestions.closest(word, names) ?? Suggestions.abbreviated(word, names)
    }
}
