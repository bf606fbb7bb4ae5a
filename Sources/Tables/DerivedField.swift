/// A field computed from other fields of its row.
public struct DerivedField: Hashable, Codable, Sendable {
    /// The field, with the kind of its values.
    public let field: Field
    /// The formula that computes its values.
    public let formula: Formula

    /// Creates a derived field.
    public init(_ field: Field, _ formula: Formula) { (self.field, self.formula) = (field, formula) }
}
