import FieldValues
import Tables

/// The SQL of a column or a derived field.
struct ColumnTerm {
    /// The index of the column; `nil` for a derived field.
    var index: Int?
    var name: String
    var kind: ValueKind
    var storage: ServerType.Storage
    /// The value in its own type.
    var value: SQLFragment
    /// The column itself, if its values are read as another kind; otherwise `nil`. ``value`` is then NULL for values that are not of the
    /// kind.
    var storedValue: SQLFragment?
    /// The value as the text that gridview shows.
    var text: SQLFragment
    /// The text for comparisons with a constant, in which very large values are cut; `nil` if no value is cut. In ``text``, such values are
    /// an error.
    var cutText: SQLFragment?
    var isNullable: Bool
    var collation = ServerColumn.Collation.bytes
    /// True if a value may have another type than its column, as in SQLite.
    var isMixed = false
    /// True if the server has converted all text that is a number to a number. gridview cannot read its remaining text as numbers either.
    var convertsText = false
    /// The notation of numbers in text.
    var notation = DecimalStyle.point
    /// The notation of dates in text.
    var dateNotation = DateNotation.iso
    /// The column itself if it stores only texts and blobs, as columns of text in a table of SQLite do; otherwise `nil`. ``text`` differs
    /// from it only for blobs.
    var textOrBlob: SQLFragment?
    /// True if the server itself stores the values. False for foreign tables, whose servers cannot run conditions with a collation.
    var isStored = false
    /// The maximum number of digits before the decimal point of an integer or a decimal; `nil` if unknown.
    var wholeDigits: Int?
    /// True for dates and times with nanoseconds, of which gridview reads the microseconds.
    var hasNanoseconds = false

    /// The length of the SQL, see ``SQLFragment/length``.
    var length: Int { value.length + text.length }

    /// The value before conversion. It is NULL only if the field has no value.
    var presence: SQLFragment { storedValue ?? value }

    var isText: Bool { kind == .text }
    var isNumber: Bool { kind.isNumber }

    /// True if a value can be empty without being missing. Only text can.
    var hasEmptyValues: Bool { isText || isMixed }

    /// True if the values are text on the server. False for other values that are shown as text.
    var hasTextValue: Bool { storage == .text }

    /// True if a value can be NaN, which servers treat as the greatest number.
    func mayBeNaN(in dialect: SQLDialect) -> Bool {
        switch storage {
        case .real, .double: dialect.nan != nil
        case .numeric: dialect.family == .postgreSQL
        default: false
        }
    }
}

extension SQLDialect {
    /// A column, qualified with the table alias `t` so that no result column hides it.
    func column(_ column: ServerColumn, index: Int) -> ColumnTerm {
        let value: SQLFragment = "t.\(name(column.name))"
        let storage = column.type.storage
        let isMixed = family == .sqlite && !column.hasUniformType
        let text: SQLFragment
        var cutText: SQLFragment?
        switch storage {
        case .text where !(family == .sqlite && isMixed): text = value
        // The cast of a real number to text has 15 digits and another exponent than the text that gridview shows, and the cast of a blob
        // has its bytes. Columns with only integers or only text cannot contain them.
        case _ where family == .sqlite && (isMixed || storage != .integer):
            text = storedText(value, storage, "gridview_value(\(value), 'text')")
            cutText = storedText(value, storage, "gridview_value(\(value), 'text cut')")
        // Use `abbrev`, because a cast to text would add the length of the network, as in 10.0.0.1/32.
        case .ordered("inet") where family == .postgreSQL: text = "\(function: "abbrev")(\(value))"
        // Show JSON, as for Parquet and Arrow files. The text of DuckDB is not JSON, because its strings have single quotes or no quotes.
        case .opaque where family == .duckDB && column.type.isNested: text = cast("to_json(\(value))", .text)
        default: text = cast(value, .text)
        }
        return ColumnTerm(
            index: index, name: column.name, kind: column.type.kind, storage: storage, value: value, text: text, cutText: cutText,
            isNullable: column.isNullable, collation: column.collation, isMixed: isMixed, wholeDigits: column.type.wholeDigits,
            hasNanoseconds: family == .duckDB && column.type.hasNanoseconds)
    }

    /// The value of a column for comparisons. Times with nanoseconds are reduced to microseconds. Infinite values stay.
    func comparableValue(_ column: ColumnTerm) -> SQLFragment {
        column.hasNanoseconds ? "coalesce(\(inMicroseconds(column.value)), \(cast(column.value, .dateTime)))" : column.value
    }

    /// The text of a value in a column of SQLite. If the value has the type of the column, the text comes from an expression that is twice
    /// as fast as `computed`. Almost all values have the type of their column.
    private func storedText(_ value: SQLFragment, _ storage: ServerType.Storage, _ computed: SQLFragment) -> SQLFragment {
        switch storage {
        case .text: "CASE WHEN typeof(\(value)) = 'text' THEN \(value) ELSE \(computed) END"
        case .integer: "CASE WHEN typeof(\(value)) = 'integer' THEN \(cast(value, .text)) ELSE \(computed) END"
        default: computed
        }
    }

    /// A column of SQLite, whose values are read as another kind, as gridview reads fields. `nil` for other databases, whose columns have
    /// one type, and for text.
    func reading(
        _ column: ColumnTerm, as kind: ValueKind, _ notation: DecimalStyle? = nil, _ dateNotation: DateNotation? = nil
    ) -> ColumnTerm? {
        guard family == .sqlite, kind != .text else { return nil }
        var term = column
        (term.notation, term.dateNotation) = (notation ?? column.notation, dateNotation ?? column.dateNotation)
        (term.kind, term.wholeDigits) = (kind, nil)
        (term.isNullable, term.isMixed) = (true, true)
        term.storage = kind == .integer ? .integer : kind == .decimal ? .double : .dynamic
        if kind.isNumber, term.notation == .point, column.convertsText {
            // An index can be used, because the numbers need no conversion.
            (term.value, term.storedValue) = (column.presence, nil)
            return term
        }
        term.storedValue = column.presence
        term.value = "gridview_value(\(column.presence), \(code(of: term)))"
        return term
    }

    /// The condition that is true if a value of a column is text that gridview reads as NaN; `nil` if the column's numbers are not read
    /// from text.
    /// - Parameter value: the value or its text; `nil` for the column itself.
    func parsesAsNaN(_ column: ColumnTerm, _ value: SQLFragment? = nil) -> SQLFragment? {
        guard let stored = column.storedValue, column.isNumber else { return nil }
        return "gridview_nan(\(value ?? stored), \(code(of: column)))"
    }

    /// The second argument of `gridview_value` and `gridview_nan`: the kind and the notation of the values.
    private func code(of column: ColumnTerm) -> SQLFragment {
        if column.isNumber, column.notation.unit != .none { return text("\(column.kind.rawValue) \(column.notation.code)") }
        let code = column.isNumber ? column.notation.code : column.dateNotation.rawValue
        return SQLFragment(checked: "'\(column.kind.rawValue) \(code)'")
    }

    /// A condition that is true for numbers in a column with values of several types.
    func isNumeric(_ value: SQLFragment) -> SQLFragment { "typeof(\(value)) IN ('integer', 'real')" }

    /// The condition that is true for NULL, and for text of a column that is empty or only spaces and tabs.
    func isEmpty(_ column: ColumnTerm) -> SQLCondition {
        let isNull: SQLFragment = "\(column.presence) IS NULL"
        guard column.hasEmptyValues else { return SQLCondition(column.isNullable ? isNull : falseLiteral, mayBeNull: false) }
        if family == .sqlite, column.index != nil, column.isMixed || column.storedValue != nil {
            // Only text can be blank, so do not compute the text of numbers and blobs.
            let isBlank: SQLFragment = "typeof(\(column.presence)) = 'text' AND \(self.isBlank(column.presence))"
            return SQLCondition(column.isNullable ? "(\(isNull) OR \(isBlank))" : "(\(isBlank))", mayBeNull: false)
        }
        // Compare bytes if possible. Trimming each text would take twice the time for groups in Sail.
        let isCompared = family == .spark || family == .postgreSQL && (column.isStored || column.collation == .bytes)
        let hasBytes = isCompared && column.hasTextValue
        let bytes = column.collation == .bytes ? column.text : withByteCollation(column.text)
        let isBlank = self.isBlank(column.text, comparing: hasBytes ? bytes : nil)
        return SQLCondition(column.isNullable ? "(\(isNull) OR \(isBlank))" : isBlank, mayBeNull: false)
    }

    /// A number as a parameter, typed for comparison with columns of this storage.
    /// - Parameter wholeDigits: the maximum number of digits of the columns before the decimal point; `nil` if unknown.
    func number(_ number: NumberLiteral, for storage: ServerType.Storage, wholeDigits: Int? = nil) -> SQLFragment {
        if family == .sqlite {
            switch number {
            case .integer(let integer): return parameter(.integer(integer), .integer)
            case .exact(let text): return parameter(.double(Double(text) ?? .nan), .double)
            case .double(let double): return parameter(.double(double), .double)
            }
        }
        switch (number, storage) {
        // Use the type HUGEINT for the literal. Otherwise, DuckDB would convert the HUGEINT column to a decimal, which has fewer digits.
        case (.integer(let integer), .numeric(scale: 0)) where family == .duckDB:
            return parameter(.text(String(integer)), .integer)
        // DuckDB cannot convert a HUGEINT of 39 digits to a decimal at all.
        case (.exact(let text), .numeric(scale: 0))
        where family == .duckDB && wholeDigits == Self.maximumDigits + 1 && Int128(text) != nil:
            return SQLFragment(SQLParameter(.text(text), type: "hugeint"))
        case (.integer(let integer), .integer): return parameter(.text(String(integer)), .integer)
        case (.double(let double), _) where !double.isFinite:
            return parameter(.text(double > 0 ? "Infinity" : "-Infinity"), .double)
        case (_, .real), (_, .double): return parameter(.text(number.text), .double)
        default: return SQLFragment(SQLParameter(.text(number.text), type: decimalType(of: number)))
        }
    }

    /// The type of a decimal literal. A decimal type of DuckDB has a fixed number of fraction digits, so it gets as many as the literal
    /// has. A literal with more digits than a decimal can have is a floating-point number, as in gridview.
    private func decimalType(of number: NumberLiteral) -> String {
        guard family == .duckDB else { return type(.numeric) }
        guard let (whole, scale) = number.digitCounts, whole + scale <= Self.maximumDigits else { return type(.double) }
        return "decimal(\(whole + scale), \(scale))"
    }

    /// True if a decimal type has a fixed number of digits.
    var hasFixedDecimals: Bool { family == .duckDB || family == .spark }

    /// The maximum number of digits of a decimal, in databases whose decimals have a fixed number of fraction digits.
    static let maximumDigits = 38

    /// The type of the values of a sort key or a group level, for decimals and large integers. In DuckDB, integers of 128 bits can have one
    /// digit more than decimals.
    func keyType(scale: Int?) -> String { family == .duckDB && scale == 0 ? "hugeint" : decimalType(scale: scale) }

    /// The type of a decimal with `scale` fraction digits. If `scale` is `nil`, the type allows any number of them.
    func decimalType(scale: Int?) -> String {
        guard family == .duckDB, let scale else { return type(.numeric) }
        return "decimal(\(Self.maximumDigits), \(min(Self.maximumDigits, scale)))"
    }

    /// A decimal as text without trailing zeros in its fraction.
    func decimalText(_ decimal: SQLFragment, scale: Int?) -> SQLFragment {
        if family == .postgreSQL { return "CAST(\(function: "trim_scale")(\(decimal)) AS text)" }
        let text = cast(decimal, .text)
        if scale == 0 { return text }
        if family == .spark { return "trim(TRAILING '.' FROM trim(TRAILING '0' FROM \(text)))" }
        return "rtrim(rtrim(\(text), '0'), '.')"
    }
}

/// A numeric literal in a condition.
enum NumberLiteral: Hashable {
    case integer(Int64)
    /// An exact decimal in plain digits.
    case exact(String)
    case double(Double)

    /// Parses a string by the rules of filters; `nil` if it is not a number.
    init?(_ text: String) {
        let literal = FieldBytes.withBytes(of: text) { field -> NumberLiteral? in
            if let integer = field.integer() { return .integer(integer) }
            guard let double = field.decimal(), !double.isNaN else { return nil }
            if double.isFinite, let exact = field.exactDecimal() { return .exact(exact.text) }
            return .double(double)
        }
        guard let literal else { return nil }
        self = literal
    }

    init(_ number: ExactDecimal) {
        self = number.digits == 0 ? Int64(exactly: number.mantissa).map { .integer($0) } ?? .exact(number.text) : .exact(number.text)
    }

    /// The numbers of digits before and after the decimal point, with at least one digit before it. `nil` for a floating-point number.
    var digitCounts: (whole: Int, scale: Int)? {
        if case .double = self { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return (max(1, parts[0].utf8.count { $0 != UInt8(ascii: "-") }), parts.count > 1 ? parts[1].utf8.count : 0)
    }

    /// The number rounded down to `count` fraction digits. `nil` if it does not have more fraction digits, or if it is a floating-point
    /// number.
    func roundedDown(fractionDigits count: Int) -> NumberLiteral? {
        guard let scale = digitCounts?.scale, count >= 0, scale > count else { return nil }
        let digits = text.utf8.filter { $0 != UInt8(ascii: ".") }.dropLast(scale - count)
        guard let mantissa = Int128(String(decoding: digits, as: UTF8.self)) else { return nil }
        // The text has no trailing zeros, so the omitted part of the fraction is not 0.
        return NumberLiteral(ExactDecimal(text.hasPrefix("-") ? mantissa - 1 : mantissa, digits: count))
    }

    var text: String {
        switch self {
        case .integer(let integer): String(integer)
        case .exact(let text): text
        case .double(let double): "\(double)"
        }
    }
}

/// A condition in three-valued logic. NULL means false.
struct SQLCondition {
    var sql: SQLFragment
    /// False if the condition is never NULL.
    var mayBeNull: Bool

    init(_ sql: SQLFragment, mayBeNull: Bool) { (self.sql, self.mayBeNull) = (sql, mayBeNull) }

    func negated(in dialect: SQLDialect) -> SQLCondition {
        SQLCondition(mayBeNull ? dialect.isNotTrue(sql) : "NOT (\(sql))", mayBeNull: false)
    }

    static func joined(_ parts: [SQLCondition], by separator: SQLFragment) -> SQLCondition {
        if parts.count == 1 { return parts[0] }
        return SQLCondition("(\(parts.map(\.sql), by: separator))", mayBeNull: parts.contains(where: \.mayBeNull))
    }
}

/// A comparison operator of SQL.
enum SQLComparison {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

    init?(_ function: Formula.Function) {
        switch function {
        case .equal: self = .equal
        case .notEqual: self = .notEqual
        case .less: self = .less
        case .lessOrEqual: self = .lessOrEqual
        case .greater: self = .greater
        case .greaterOrEqual: self = .greaterOrEqual
        default: return nil
        }
    }

    var sql: SQLFragment {
        switch self {
        case .equal: "="
        case .notEqual: "<>"
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }

    /// The comparison that has the same meaning after its two sides are swapped, such as `>` for `<`.
    var exchanged: SQLComparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }

    /// True if an empty string satisfies the comparison with `text`. Missing values compare as empty strings.
    func matchesEmptyText(comparedWith text: String) -> Bool {
        switch self {
        case .equal, .greaterOrEqual: text.isEmpty
        case .notEqual, .less: !text.isEmpty
        case .lessOrEqual: true
        case .greater: false
        }
    }
}
