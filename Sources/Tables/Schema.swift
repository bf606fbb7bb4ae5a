public import FieldValues

/// The identity of a field while its table is open. It stays the same if the columns that show the field are moved or renamed.
public struct FieldID: RawRepresentable, Hashable, Sendable, Codable, Comparable {
    /// The number of the field. Fields of a file are numbered from 0, derived fields from ``firstDerived``.
    public let rawValue: Int

    /// Creates an ID from a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The ID of the first derived field. It is greater than the number of fields of any file.
    public static let firstDerived = FieldID(rawValue: 1 << 30)
    /// The first number of additional columns with JSON values, in tables with ``Table/hasNestedValues``. Column `firstNestedColumn + n`
    /// has the JSON values of column `n`. ``Table/isJSON`` tells which values are JSON.
    package static let firstNestedColumn = 1 << 29
    /// The first number of additional columns with nested values in the binary form of `NestedMarker`. Column `firstStoredColumn + n` has
    /// the values of element `n` of ``Table/nestedColumns``.
    package static let firstStoredColumn = 1 << 28

    /// True if a formula computes the field from other fields.
    public var isDerived: Bool { self >= Self.firstDerived }

    /// Compares the numbers, so fields are in table order and derived fields come last.
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
    /// The notation in which the numbers are written.
    public var notation: DecimalStyle
    /// The notation in which the dates are written.
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

    /// Decodes a field. For fields saved by older versions, the date notation becomes `DateNotation.iso`, and ``hasNulls`` becomes `false`.
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

    /// Creates a schema. O(1): indices by name are not built, because each query creates a schema and uses few of its fields.
    public init(_ fields: [Field]) { self.fields = fields }

    /// The field with this ID. O(1) if the index of the field equals its number, otherwise O(fields).
    public subscript(id: FieldID) -> Field? {
        if fields.indices.contains(id.rawValue), fields[id.rawValue].id == id { return fields[id.rawValue] }
        return fields.first { $0.id == id }
    }

    /// The first field with exactly this name. Otherwise, the first field with this name ignoring case. O(fields).
    ///
    /// For a name that a user has typed, ``fields(named:)`` also tells whether it is ambiguous.
    public func field(named name: String) -> Field? {
        if let field = fields.first(where: { $0.name == name }) { return field }
        let folded = name.lowercased()
        return fields.first { $0.name.lowercased() == folded }
    }

    /// All fields with exactly this name. Without such a field, all fields with this name ignoring case. Each ID occurs once. O(fields).
    public func fields(named name: String) -> [Field] {
        let found = Self.indices(named: name, in: fields, \.name)
        guard found.count > 1 else { return found.map { fields[$0] } }
        // A renamed column has two entries with the same ID.
        var ids: Set<FieldID> = []
        return found.map { fields[$0] }.filter { ids.insert($0.id).inserted }
    }

    /// The indices of the elements with exactly this name. Without such an element, the indices of the elements with this name ignoring
    /// case. O(elements).
    package static func indices<Element>(named name: String, in elements: [Element], _ elementName: (Element) -> String) -> [Int] {
        let exact = elements.indices.filter { elementName(elements[$0]) == name }
        guard exact.isEmpty else { return exact }
        let folded = name.lowercased()
        return elements.indices.filter { elementName(elements[$0]).lowercased() == folded }
    }

    /// True if no other field has the name of `field`. O(fields).
    package func nameIdentifies(_ field: Field) -> Bool { !fields.contains { $0.name == field.name && $0.id != field.id } }

    /// A copy without repeated names. If several fields have the same name, the first field keeps it, and the numbers of the other fields
    /// become their names, such as `#3`. Saved views of older versions use these names. O(fields).
    package var namingFirstFields: Schema {
        var names: Set<String> = []
        return Schema(
            fields.map { field in
                var field = field
                if !names.insert(field.name).inserted { field.name = "#\(field.id.rawValue + 1)" }
                return field
            })
    }

    /// The error message for a name that several columns have. It says what to write instead: the number of a column, or the name of a
    /// derived column, which has no short number.
    package static func ambiguousNameMessage(_ name: String, _ columns: [(id: FieldID, name: String)]) -> String {
        let choices = columns.prefix(3).map { $0.id.isDerived && $0.name != name ? "“\($0.name)”" : "#\($0.id.rawValue + 1)" }
        let list = choices.dropLast().joined(separator: ", ")
        let end = columns.count > choices.count ? ", \(choices.last ?? "") or the number of another" : " or \(choices.last ?? "")"
        return "Ambiguous column “\(name)”. Write \(list)\(end)."
    }

    /// Advice about a name such as `id_2`, which the second column `id` has only in output with distinct names; `nil` for other names. The
    /// advice is a sentence with a leading space. It covers the first 10,000 columns, because a prompt calls this for each typed character.
    package static func adviceOnOutputName(_ text: String, _ columns: @autoclosure () -> [(id: FieldID, name: String)]) -> String? {
        guard let mark = text.lastIndex(of: "_"), Int(text[mark...].dropFirst()) != nil else { return nil }
        // A renamed column has two entries with the same ID.
        var ids: Set<FieldID> = []
        let columns = columns().prefix(10_000).filter { !$0.id.isDerived && ids.insert($0.id).inserted }
        let (folded, base) = (text.lowercased(), text[..<mark].lowercased())
        guard columns.count(where: { $0.name.lowercased() == base }) > 1 else { return nil }
        // SQLite also distinguishes names that differ only in case.
        for key in [{ $0 }, { $0.lowercased() }] as [(String) -> String] {
            let written = DistinctNames.numbered(columns.map(\.name), by: key)
            if let index = written.firstIndex(where: { $0.lowercased() == folded }) {
                return " Only output uses this name. Write #\(columns[index].id.rawValue + 1)."
            }
        }
        return nil
    }

    /// Same as ``adviceOnOutputName(_:_:)``, for the fields of the schema.
    package func adviceOnOutputName(_ text: String) -> String? {
        Self.adviceOnOutputName(text, fields.prefix(10_000).map { (id: $0.id, name: $0.name) })
    }

    /// The field of the file with this number, counted from 1; `nil` without such a field. Complexity as for ``subscript(_:)``.
    public func field(numbered number: Int) -> Field? { self[FieldID(rawValue: number &- 1)] }

    /// The field name that is most similar to a misspelled word. If no name is similar, a name that the word abbreviates, otherwise `nil`.
    /// O(fields).
    public func name(near word: String) -> String? {
        let names = fields.map(\.name)
        return Suggestions.closest(word, names) ?? Suggestions.name(abbreviatedBy: word, in: names)
    }
}
