import FieldValues
import Tables

/// One side of a comparison, if it can be compared without evaluating a formula.
struct FilterOperand {
    enum Kind {
        case column(Field)
        case number(FilterNumber)
        case text(String)
        case temporal(Int64, ValueKind)
        case flag(Bool)
    }

    var kind: Kind
    var range: Range<Int>
}

extension FilterPlanner {
    /// One side of a comparison; `nil` if a formula must be evaluated.
    func operand(_ part: LocatedFormula) throws(FilterError) -> FilterOperand? {
        let kind: FilterOperand.Kind
        switch part.formula {
        case .field(let id):
            guard let field = schema[id] else { return nil }
            kind = .column(field)
        case .constant(.text(let text)): kind = .text(text)
        case .constant(.flag(let flag)): kind = .flag(flag)
        case .constant(.temporal(let value, let moment)): kind = .temporal(value, moment)
        case .constant(.number(let number)): kind = .number(FilterNumber(number))
        case .constant(.approximate(let text)):
            guard let number = ComparisonType.number(.point).value(of: text) else {
                throw FilterError(.notNumber, "Not a number.", at: part.range)
            }
            kind = .number(number)
        case .call:
            // A result that is the same for all records, such as that of 10 * 1024, is a literal.
            guard part.formula.fields.isEmpty, !part.isCondition, try part.type(in: schema) == .number else { return nil }
            try part.checkPatterns()
            guard let value = FormulaProgram(part.formula, schema).constantValue else { return nil }
            kind = .number(FilterNumber(value))
        }
        return FilterOperand(kind: kind, range: part.range)
    }

    /// Creates the comparison of two operands. Both are read as values of one kind, according to the rules of ``Filter``.
    func compare(
        _ left: FilterOperand, _ comparison: FilterComparison, _ right: FilterOperand
    ) throws(FilterError) -> FilterExpression {
        guard dependsOnRecord(left) || dependsOnRecord(right) else {
            throw FilterError(.expectedColumnOnOneSide, "Expected a column on one side.\(hint(for: left))", at: left.range)
        }
        guard let type = try comparisonType(left, right) else {
            if comparison != .equal, comparison != .notEqual { try checkReadable(left, right) }
            return .compareTexts(try text(left), comparison, try text(right))
        }
        return .compare(try value(left, type), comparison, try value(right, type))
    }

    /// Advice for the error message about a string that was probably meant as a column name.
    private func hint(for operand: FilterOperand) -> String {
        guard case .text(let text) = operand.kind else { return "" }
        return schema.adviceOnOutputName(text) ?? schema.name(near: text).map { " Did you mean “\($0)”?" }
            ?? " Write the name of a column, or its number, such as #2."
    }

    /// The error for a condition that is only a column name. Only a column of flags can be a condition by itself.
    func missingComparisonError(_ field: Field, at range: Range<Int>) -> FilterError {
        let example: String
        switch field.kind {
        case .flag: example = "= true"
        case .integer, .decimal: example = "> 0"
        case .text: example = "= 'text'"
        case .date, .dateTime: example = "> 2024-01-31"
        case .time: example = "> 10:22"
        }
        return FilterError(
            .columnNotCompared,
            "“\(field.name)” is a column: compare it, as in \(field.name) \(example). To search every cell for it, put it in quotes.",
            at: range)
    }

    /// True if the value of the operand depends on the record.
    private func dependsOnRecord(_ operand: FilterOperand) -> Bool {
        switch operand.kind {
        case .column: return true
        case .number, .text, .temporal, .flag: return false
        }
    }

    /// The type in which both operands are compared; `nil` to compare them as strings.
    private func comparisonType(_ left: FilterOperand, _ right: FilterOperand) throws(FilterError) -> ComparisonType? {
        switch (left.kind, right.kind) {
        case (.column(let a), .column(let b)):
            let (x, y) = (ComparisonType(a), ComparisonType(b))
            if x == y { return x }
            if let x, let y, x.isNumber, y.isNumber { return .number(.point) }
            if let x, let y, x.isTemporal, y.isTemporal, x != .time, y != .time { return .dateTime(a.dateNotation) }
            return nil
        case (.column(let column), .text(let text)), (.text(let text), .column(let column)):
            // A column of flags is compared with a text as strings, because a flag has several forms and 'NO' may be a country code.
            guard let type = ComparisonType(column), type != .flag else { return nil }
            return type.withTime.value(of: text) == nil ? nil : type.withTime
        case (.column(let column), .temporal(_, let kind)), (.temporal(_, let kind), .column(let column)):
            guard let type = ComparisonType(column) else { return kind == .time ? .time : .dateTime(column.dateNotation) }
            guard type.isTemporal, (type == .time) == (kind == .time) else { throw mismatchError(column, left, right) }
            return kind == .time ? .time : .dateTime(column.dateNotation)
        case (.column(let column), .flag), (.flag, .column(let column)):
            guard column.kind == .text || column.kind == .flag else { throw mismatchError(column, left, right) }
            return .flag
        default:
            return .number(.point)
        }
    }

    /// Throws if `<`, `<=`, `>` or `>=` compares a column with a string that is not a value of the column's kind.
    ///
    /// `=` and `!=` are allowed, because they find cells with such text. A text column has no such restriction.
    private func checkReadable(_ left: FilterOperand, _ right: FilterOperand) throws(FilterError) {
        switch (left.kind, right.kind) {
        case (.column(let column), .text(let text)), (.text(let text), .column(let column)):
            guard column.kind != .text, column.kind != .flag else { return }
            throw mismatchError(column, left, right, ", not '\(text)'")
        default: return
        }
    }

    private func mismatchError(_ column: Field, _ left: FilterOperand, _ right: FilterOperand, _ suffix: String = "") -> FilterError {
        var range = right.range
        if case .column = right.kind { range = left.range }
        return typeMismatchError(of: column, suffix, at: range)
    }

    func typeMismatchError(of column: Field, _ suffix: String = "", at range: Range<Int>) -> FilterError {
        FilterError(.otherType, "Column “\(column.name)” contains \(Self.descriptionWithExample(of: column.kind))\(suffix).", at: range)
    }

    /// A phrase for error messages that names the values of a kind, with an example.
    private static func descriptionWithExample(of kind: ValueKind) -> String {
        switch kind {
        case .text: "text, as in 'text'"
        case .integer, .decimal: "numbers, as in 12.5"
        case .date: "dates, as in 2024-01-31"
        case .dateTime: "dates and times, as in 2024-01-31T10:22"
        case .time: "times, as in 10:22"
        case .flag: "true or false"
        }
    }

    private func text(_ operand: FilterOperand) throws(FilterError) -> FilterText {
        switch operand.kind {
        case .column(let column): return .column(column.id.rawValue)
        case .text(let text): return .literal(text)
        case .number, .temporal, .flag: throw FilterError(.expectedColumn, "Expected a column or text.", at: operand.range)
        }
    }

    /// One side of a comparison. The type is the result of ``comparisonType(_:_:)``, so constants fit it.
    private func value(_ operand: FilterOperand, _ type: ComparisonType) throws(FilterError) -> FilterValue {
        switch operand.kind {
        case .column(let column):
            // A text column may contain numbers. A column of dates, times or flags does not.
            guard !type.isNumber || column.kind == .text || column.kind.isNumber else {
                throw typeMismatchError(of: column, at: operand.range)
            }
            // In a comparison of two columns, each column keeps its own notation.
            if type.isNumber { return .column(column.id.rawValue, .number(column.notation)) }
            if case .dateTime = type { return .column(column.id.rawValue, .dateTime(column.dateNotation)) }
            return .column(column.id.rawValue, type)
        case .number(let number): return .literal(number)
        case .temporal(let value, _): return .literal(.integer(value))
        case .flag(let value): return .literal(.integer(value ? 1 : 0))
        case .text(let text): return .literal(type.value(of: text) ?? .none)
        }
    }
}
