import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

extension Document {
    /// Creates the derived columns that the command-line options define. Sets ``derivedFields`` and ``valuelessFields``.
    /// - Parameters:
    ///   - columns: the columns of the input, in its order.
    ///   - profiles: the known profiles, by the names of derived fields. Derived fields without a known profile are sampled.
    /// - Throws: ``RequestError`` for an error in a definition, unless the options skip invalid definitions.
    func makeDerivedColumns(_ options: LaunchOptions, from columns: [Column], profiles: [String: ColumnProfile]) throws -> [(
        column: Column, samples: [String]
    )] {
        (derivedFields, valuelessFields) = ([], [])
        guard !options.derivedColumns.isEmpty else { return [] }
        derivedFields = try definedFields(options, from: columns)
        computeDerivedFields(from: columns)
        return derivedFields.map { derived in
            let profile = profiles[derived.field.name] ?? source.snapshot.profiles(of: [derived.field])[0]
            if profile.sampledCount > 0, profile.sampledCount == profile.emptyCount { valuelessFields.append(derived.field.name) }
            return (Self.column(of: derived, profile, from: columns, groupsThousands: groupsThousands), profile.sampleTexts)
        }
    }

    /// The derived fields that the command-line options define.
    /// - Parameter columns: the columns of the input.
    /// - Throws: ``RequestError`` for an error in a definition, unless the options skip invalid definitions.
    func definedFields(_ options: LaunchOptions, from columns: [Column]) throws -> [DerivedField] {
        var fields: [DerivedField] = []
        var schema = Schema(columns)
        for definition in options.derivedColumns {
            do {
                let field = try DerivedField(definition, id: DerivedField.nextID(after: fields), in: schema)
                fields.append(field)
                schema = Schema(schema.fields + [field.field])
            } catch {
                if options.omitsInvalidColumns { continue }
                throw optionError("--derive", definition, error, in: schema)
            }
        }
        return fields
    }

    /// Makes the table compute the derived fields whenever rows are read. The types of `columns` determine how the fields in formulas are
    /// read.
    func computeDerivedFields(from columns: [Column]) {
        guard !derivedFields.isEmpty else { return }
        let compiled = compiledFields(from: columns)
        source.setDerivation { DerivedTable($0, compiled) }
    }

    /// The compiled formulas of all derived fields and of `newFields`. The types of `columns` determine how the fields in formulas are
    /// read.
    func compiledFields(adding newFields: [DerivedField] = [], from columns: [Column]) -> CompiledDerivedFields {
        CompiledDerivedFields(derivedFields + newFields, schema: Schema(columns))
    }

    /// A column that shows a derived field.
    /// - Parameters:
    ///   - profile: the type and widths of its values, from a sample.
    ///   - columns: the columns that the formula may use.
    ///   - groupsThousands: true if amounts have thousands separators.
    static func column(of derived: DerivedField, _ profile: ColumnProfile, from columns: [Column], groupsThousands: Bool = true) -> Column {
        var field = derived.field
        // The column of a JSON value gets the type of the sample, in which JSON strings count as text, even if they look like numbers.
        if derived.formula.isJSONValue {
            field = Field(
                field.id, name: field.name, kind: profile.kind, notation: profile.notation, dateNotation: profile.dateNotation)
        }
        var column = Column(field, profile, width: .automatic, groupsThousands: groupsThousands)
        if derived.formula.containsDivision, column.kind == .decimal {
            let fields = Set(derived.formula.fields)
            let inputs = columns.filter { fields.contains($0.id.field) }.map(\.format.reservedFractionDigits)
            limitFractionDigits(of: &column, profile, minimum: inputs.max() ?? 0)
        }
        // The numbers of a small table do not show that they are years, but the formula does.
        if case .call(.year, _) = derived.formula { (column.isIdentifier, column.format.groupsThousands) = (true, false) }
        column.measuredWidth = width(of: column, samples: profile.sampleTexts)
        return column
    }

    /// Limits the fraction digits that a column of quotients or means shows: to 4, or to `minimum` if it is greater. Small numbers get more
    /// digits, so that the smallest one shows three significant digits. The maximum is 12.
    static func limitFractionDigits(of column: inout Column, _ profile: ColumnProfile, minimum: Int = 0) {
        // The smallest quotients have the longest texts, so they are among the sample texts.
        var smallest = profile.sampleTexts.compactMap { Double($0)?.magnitude }.filter { $0 > 0 }.min() ?? 1
        var digits = smallest < 1 ? 2 : 0
        while smallest < 1, digits < 12 { (smallest, digits) = (smallest * 10, digits + 1) }
        digits = min(12, max(4, digits, minimum))
        guard digits < profile.maximumFractionDigits else { return }
        (column.format.fractionDigits, column.format.alignedFractionDigits) = (0...digits, digits)
    }
}

extension Formula {
    /// True if the formula or a part of it divides numbers.
    fileprivate var containsDivision: Bool {
        guard case .call(let function, let arguments) = self else { return false }
        return function == .divide || arguments.contains(where: \.containsDivision)
    }
}
