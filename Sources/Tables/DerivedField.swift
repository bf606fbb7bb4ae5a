/// A field that is computed from others of its row.
public struct DerivedField: Hashable, Codable, Sendable {
    /// The field, with the kind of its values.
    public let field: Field
    /// How its values are computed.
    public let formula: Formula

    /// A field with a formula.
    public init(_ field: Field, _ formula: Formula) { (self.field, self.formula) = (field, formula) }
}
