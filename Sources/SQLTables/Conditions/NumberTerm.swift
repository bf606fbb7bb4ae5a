import FieldValues
import Tables

/// A numeric operand: an integer or a floating-point number.
struct NumberTerm {
    var sql: SQLFragment
    var storage: ServerType.Storage
    var isNullable: Bool
    var mayBeNaN: Bool
    var literal: NumberLiteral?
    /// The column before conversion, if its values can have several types; otherwise `nil`. ``sql`` excludes values that are not
    /// numbers.
    var mixedColumn: SQLFragment?
    /// The maximum number of digits before the decimal point of an integer or a decimal; `nil` if unknown.
    var wholeDigits: Int?

    var isInteger: Bool { storage == .integer }
}

/// Terms of literals and columns.
extension NumberTerm {
    init(_ literal: NumberLiteral, in dialect: SQLDialect) {
        let storage: ServerType.Storage
        switch literal {
        case .integer: storage = .integer
        case .exact: storage = dialect.family == .sqlite ? .double : .numeric(scale: nil)
        case .double: storage = .double
        }
        self.init(
            sql: dialect.number(literal, for: storage), storage: storage, isNullable: false, mayBeNaN: false, literal: literal,
            wholeDigits: literal.digitCounts?.whole)
    }

    /// The number in a column. Throws if the column is not numeric.
    init(_ column: ColumnTerm, in dialect: SQLDialect) throws(UnsupportedError) {
        let column = column.isText ? dialect.reading(column, as: .decimal) ?? column : column
        guard column.isNumber else {
            throw UnsupportedError("Column “\(column.name)” is not numeric on the server. Put the value in quotes to compare it as text.")
        }
        var value = column.value
        // Use the shortest text of the number, as gridview does: 0.1, not 0.10000000149.
        if column.storage == .real, dialect.family == .postgreSQL || dialect.family == .duckDB {
            value = dialect.cast(column.text, .double)
        }
        let mayBeText = column.isMixed && column.storedValue == nil
        if mayBeText { value = "CASE WHEN \(dialect.isNumeric(value)) THEN \(value) END" }
        self.init(
            sql: value, storage: column.storage == .real ? .double : column.storage, isNullable: column.isNullable || column.isMixed,
            mayBeNaN: column.mayBeNaN(in: dialect), mixedColumn: mayBeText ? column.value : nil, wholeDigits: column.wholeDigits)
    }
}

/// The SQL of a number in expressions with other numbers.
extension NumberTerm {
    /// The number as a floating-point number.
    func double(in dialect: SQLDialect) -> SQLFragment {
        // DuckDB converts decimals of at most 15 digits to the nearest floating-point number. Longer ones need a conversion through text.
        if let literal { return dialect.number(literal, for: .double) }
        guard dialect.family == .duckDB, case .numeric(let scale) = storage else { return dialect.cast(sql, .double) }
        let isShort = wholeDigits.map { $0 + (scale ?? 0) <= 15 } ?? false
        return dialect.cast(isShort ? sql : dialect.cast(sql, .text), .double)
    }

    /// The exact value of a number. Conversion to floating point would round large integers, and the text of a large floating-point
    /// number has fewer digits than its value.
    func exact(in dialect: SQLDialect) -> SQLFragment {
        if storage != .double { return dialect.cast(sql, .numeric) }
        let whole = dialect.cast(dialect.cast(sql, .integer), .numeric)
        let text = dialect.cast(dialect.cast(sql, .text), .numeric)
        return "CASE WHEN \(function: "abs")(\(sql)) < 9e18 AND \(sql) = \(function: "floor")(\(sql)) THEN \(whole) ELSE \(text) END"
    }

    /// The number as an operand beside another number. Beside a HUGEINT, a decimal is converted to a HUGEINT. Otherwise, DuckDB would
    /// convert the HUGEINT to a decimal, which can have fewer digits.
    func widened(forUseWith other: NumberTerm, in dialect: SQLDialect) -> SQLFragment {
        guard dialect.family == .duckDB, other.wholeDigits == SQLDialect.maximumDigits + 1, storage == .numeric(scale: 0) else {
            return sql
        }
        return "CAST(\(sql) AS hugeint)"
    }
}
