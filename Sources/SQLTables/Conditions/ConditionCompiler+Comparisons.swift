import FieldValues
import Tables

/// Comparisons of columns and constants.
extension ConditionCompiler {
    func compare(_ a: Operand, _ comparison: SQLComparison, _ b: Operand) throws(UnsupportedError) -> SQLCondition {
        switch (a, b) {
        case (.column(let x), .column(let y)): return try compareColumns(x, comparison, y)
        case (.column(let column), .text(let text)): return try compare(column, comparison, text: text)
        case (.text(let text), .column(let column)): return try compare(column, comparison.exchanged, text: text)
        case (.column(let column), .temporal(let moment, let kind)): return try compare(column, comparison, moment, kind)
        case (.temporal(let moment, let kind), .column(let column)): return try compare(column, comparison.exchanged, moment, kind)
        case (.column(let column), .flag(let flag)): return try compare(column, comparison, flag)
        case (.flag(let flag), .column(let column)): return try compare(column, comparison.exchanged, flag)
        default: return compareNumbers(try number(a), comparison, try number(b))
        }
    }

    private func compareColumns(_ x: ColumnTerm, _ comparison: SQLComparison, _ y: ColumnTerm) throws(UnsupportedError) -> SQLCondition {
        if x.isNumber, y.isNumber { return compareNumbers(try NumberTerm(x, in: dialect), comparison, try NumberTerm(y, in: dialect)) }
        if x.kind == .flag, y.kind == .flag {
            return compareValues(x.value, comparison, y.value, aIsNullable: x.isNullable, bIsNullable: y.isNullable)
        }
        if x.kind.isTemporal, y.kind.isTemporal, (x.kind == .time) == (y.kind == .time) {
            var (a, b) = (dialect.comparableValue(x), dialect.comparableValue(y))
            if x.kind != y.kind, let c = dialect.reading(x, as: .dateTime), let d = dialect.reading(y, as: .dateTime) {
                (a, b) = (c.value, d.value)
            }
            if x.storage != y.storage { (a, b) = (dialect.withoutZone(a, x.storage), dialect.withoutZone(b, y.storage)) }
            return compareValues(a, comparison, b, aIsNullable: x.isNullable, bIsNullable: y.isNullable)
        }
        return compareTexts(text(x), comparison, text(y))
    }

    private func compare(_ column: ColumnTerm, _ comparison: SQLComparison, text: String) throws(UnsupportedError) -> SQLCondition {
        func compareAsTexts(allowsOrder: Bool) throws(UnsupportedError) -> SQLCondition {
            guard allowsOrder || comparison == .equal || comparison == .notEqual else {
                throw UnsupportedError("“\(text)” does not match the type of column “\(column.name)”.")
            }
            return compareTexts(testedText(column), comparison, try constant(text))
        }
        switch column.kind {
        case .text, .flag: return try compareAsTexts(allowsOrder: column.kind == .text)
        case .integer, .decimal:
            guard let literal = NumberLiteral(text) else { return try compareAsTexts(allowsOrder: false) }
            return compareNumbers(try NumberTerm(column, in: dialect), comparison, NumberTerm(literal, in: dialect))
        case .date, .dateTime, .time:
            let kind: ValueKind = column.kind == .time ? .time : .dateTime
            let found = FieldBytes.withBytes(of: text) { $0.temporal(kind, column.dateNotation) }
            guard let moment = found else { return try compareAsTexts(allowsOrder: false) }
            return try compare(column, comparison, moment, kind)
        }
    }

    private func compare(_ column: ColumnTerm, _ comparison: SQLComparison, _ moment: Int64, _ kind: ValueKind) throws(UnsupportedError)
        -> SQLCondition
    {
        var column = column
        let common: ValueKind = kind == .time ? .time : .dateTime
        if column.isText || column.kind.isTemporal && (column.kind == .time) == (kind == .time) {
            column = dialect.reading(column, as: common) ?? column
        }
        guard column.kind.isTemporal else {
            throw UnsupportedError(
                "Column “\(column.name)” is not a date or time on the server. Put the value in quotes to compare it as text.")
        }
        guard (column.kind == .time) == (kind == .time) else {
            throw UnsupportedError("Column “\(column.name)” contains \(column.kind == .time ? "times, not dates" : "dates, not times").")
        }
        return compareValues(
            dialect.comparableValue(column), comparison, self.moment(moment, for: column.storage), aIsNullable: column.isNullable)
    }

    /// A date or time as a parameter, typed for comparison with columns of this storage.
    func moment(_ microseconds: Int64, for storage: ServerType.Storage) -> SQLFragment {
        if dialect.family == .sqlite { return dialect.parameter(.integer(microseconds), .integer) }
        let isMidnight = microseconds % 86_400_000_000 == 0
        switch storage {
        case .time: return dialect.parameter(.text(DateText.text(ofMicroseconds: microseconds, kind: .time)), .time)
        case .date where isMidnight: return dialect.parameter(.text(DateText.text(ofMicroseconds: microseconds, kind: .date)), .date)
        case .zonedDateTime:
            return dialect.parameter(.text(DateText.text(ofMicroseconds: microseconds, kind: .dateTime) + "+00:00"), .zonedDateTime)
        default: return dialect.parameter(.text(DateText.text(ofMicroseconds: microseconds, kind: .dateTime)), .dateTime)
        }
    }

    private func compare(_ column: ColumnTerm, _ comparison: SQLComparison, _ flag: Bool) throws(UnsupportedError) -> SQLCondition {
        let column = column.isText ? dialect.reading(column, as: .flag) ?? column : column
        guard column.kind == .flag else {
            throw UnsupportedError("Column “\(column.name)” is not Boolean on the server.")
        }
        return compareValues(column.value, comparison, flag ? dialect.trueLiteral : dialect.falseLiteral, aIsNullable: column.isNullable)
    }

    /// Compares values that cannot be NaN. If one side is NULL, only `!=` is true.
    func compareValues(
        _ a: SQLFragment, _ comparison: SQLComparison, _ b: SQLFragment, aIsNullable: Bool, bIsNullable: Bool = false
    ) -> SQLCondition {
        let sql: SQLFragment = "\(a) \(comparison.sql) \(b)"
        guard aIsNullable || bIsNullable else { return SQLCondition(sql, mayBeNull: false) }
        guard comparison == .notEqual else { return SQLCondition(sql, mayBeNull: true) }
        let nulls: [SQLFragment] = (aIsNullable ? ["\(a) IS NULL"] : []) + (bIsNullable ? ["\(b) IS NULL"] : [])
        return SQLCondition("(\(sql) OR \(nulls, by: " OR "))", mayBeNull: false)
    }

    /// True if a list of numbers can contain a literal. In DuckDB, a list has one type, to which the column is converted. Therefore, only
    /// literals that fit the type of the column are put into a list. Other literals are compared one by one.
    private func listCanContain(_ literal: NumberLiteral, for column: ColumnTerm) -> Bool {
        guard dialect.family == .duckDB, let scale = column.storage.fractionDigits else { return true }
        guard let digits = literal.digitCounts else { return false }
        return digits.scale <= scale && digits.whole <= max(1, column.wholeDigits ?? .max)
    }

    /// The condition that `a` equals at least one of `others`.
    func equalsAny(_ a: Operand, of others: [Operand]) throws(UnsupportedError) -> SQLCondition {
        guard others.count <= 10_000 else { throw UnsupportedError("The list has more than 10,000 values.") }
        // A list of numbers or strings becomes one condition, which can use an index.
        if case .column(let column) = a, column.kind == .text || column.isNumber, !column.isMixed, column.storage != .real {
            var items: [SQLFragment] = []
            var rest: [Operand] = []
            for other in others {
                switch other {
                case .number(let literal) where column.isNumber && listCanContain(literal, for: column):
                    items.append(dialect.number(literal, for: column.storage, wholeDigits: column.wholeDigits))
                case .text(let text) where column.kind == .text && !text.isEmpty: items.append(try constant(text).sql)
                default: rest.append(other)
                }
            }
            if items.count > 1 {
                let value = column.kind == .text ? testedText(column).sql : column.value
                var parts = [SQLCondition("\(value) IN (\(items))", mayBeNull: column.isNullable)]
                for other in rest { parts.append(try compare(a, .equal, other)) }
                return .joined(parts, by: " OR ")
            }
        }
        var parts: [SQLCondition] = []
        for other in others { parts.append(try compare(a, .equal, other)) }
        return .joined(parts, by: " OR ")
    }
}
