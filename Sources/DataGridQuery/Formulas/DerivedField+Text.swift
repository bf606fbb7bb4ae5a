public import Tables

extension DerivedField {
    /// Parses a definition such as `total = price * quantity`.
    /// - Parameters:
    ///   - definition: a name, bare or in double quotes, followed by `=` and a formula.
    ///   - id: the ID of the new field.
    ///   - schema: the fields that the formula can use: the fields of the table, and the derived fields before this one.
    /// - Throws: `FilterError` with the range of the error in `definition`.
    public init(_ definition: String, id: FieldID, in schema: Schema) throws(FilterError) {
        let source = FormulaSource(definition)
        let token = try source.token(after: 0)
        guard let name = token.name else {
            throw FilterError(.expectedName, "Expected a name for the new column, as in total = price * quantity.", at: token.range)
        }
        let equalsSign = try source.token(after: token.range.upperBound)
        guard equalsSign.kind == .symbol("=") else {
            throw FilterError(.expectedEqualsSign, "Expected “=” after the name of the new column.", at: equalsSign.range)
        }
        guard schema.field(named: name)?.name != name else {
            throw FilterError(.columnExists, FilterError.columnExists(name), at: token.range)
        }
        let text = source.text(equalsSign.range.upperBound..<source.scalars.count)
        do {
            let formula = try Formula(text, in: schema)
            self.init(Field(id, name: name, kind: formula.kind(in: schema)), formula)
        } catch {
            let shift = equalsSign.range.upperBound
            var shifted = error
            shifted.range = error.range.lowerBound + shift..<error.range.upperBound + shift
            throw shifted
        }
    }

    /// The name in a definition such as `total = price * quantity`; `nil` if the definition does not begin with a name.
    package static func name(inDefinition definition: String) -> String? { try? FormulaSource(definition).token(after: 0).name }

    /// The definition as text, such as `total = price * quantity`, with the field names of a schema.
    public func text(in schema: Schema) -> String { "\(Formula.quoted(field.name)) = \(formula.text(in: schema))" }
}
