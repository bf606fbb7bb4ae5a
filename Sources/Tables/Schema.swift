public import FieldValues

/// Names a field of a table for as long as the table is open, wherever the field is shown.
public struct FieldID: RawRepresentable, Hashable, Sendable, Codable, Comparable {
    /// The table's own number for the field. Fields of a file are numbered from 0; derived fields from ``firstDerived``.
    public let rawValue: Int

    /// The field with this number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The first of the derived fields. No file has so many fields.
    public static let firstDerived = FieldID(rawValue: 1 << 30)

    /// Whether the field is worked out from others.
    public var isDerived: Bool { self >= Self.firstDerived }

    /// By number: the order of the table.
    public static func < (a: FieldID, b: FieldID) -> Bool { a.rawValue < b.rawValue }
}

/// A field of a table: what its values are called, and how they are read.
public struct Field: Hashable, Codable, Sendable {
    /// Names the field.
    public var id: FieldID
    /// What people call it. Several fields may have one name.
    public var name: String
    /// What its values are read as.
    public var kind: ValueKind
    /// How its numbers are written.
    public var notation: NumberNotation

    /// A field of a table.
    public init(_ id: FieldID, name: String, kind: ValueKind, notation: NumberNotation = .point) {
        (self.id, self.name, self.kind, self.notation) = (id, name, kind, notation)
    }
}

/// The fields of a table, by name and by number.
public struct Schema: Sendable {
    /// The fields in the order of the table.
    public let fields: [Field]

    /// A table with these fields. O(1): a schema is made for each query, and few of its fields are asked for.
    public init(_ fields: [Field]) { self.fields = fields }

    /// The field with this identity. O(1) for a field that stands where its number says, otherwise O(fields).
    public subscript(id: FieldID) -> Field? {
        if fields.indices.contains(id.rawValue), fields[id.rawValue].id == id { return fields[id.rawValue] }
        return fields.first { $0.id == id }
    }

    /// The first field with this name, else the first whose name differs in case alone. O(fields).
    public func field(named name: String) -> Field? {
        if let field = fields.first(where: { $0.name == name }) { return field }
        let folded = name.lowercased()
        return fields.first { $0.name.lowercased() == folded }
    }

    /// The field of the file with this number, from 1. As ``subscript(_:)``.
    public func field(numbered number: Int) -> Field? { self[FieldID(rawValue: number - 1)] }

    /// The name of a field that is close to a word nobody knows; `nil` when none is. O(fields).
    public func name(near word: String) -> String? { NearNames.nearest(word, fields.map(\.name)) }
}
