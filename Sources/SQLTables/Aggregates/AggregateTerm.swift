import FieldValues
import Tables

/// The SQL of an aggregate.
struct AggregateTerm: Sendable {
    var function: AggregateFunction
    /// The aggregated value of a row; NULL for rows that are ignored.
    var input: SQLFragment
    /// The value of a row, without the test for NaN that makes ``input`` slow. If the aggregate of these values is not NaN, it equals the
    /// aggregate of ``input``. `nil` if that is not certain, or if no value can be NaN.
    ///
    /// An order of groups by this aggregate can be wrong, because the aggregates of groups that are not fetched can be NaN.
    var inputWithoutNaNTest: SQLFragment?
    /// The kind of the values, which decides how a minimum or maximum compares them.
    var kind: ValueKind
    /// True if the result can be NaN, as in a sum of infinities.
    var mayBeNaN = false
    /// True if sums of the values are exact.
    var isExact: Bool
    /// True if the server computes with floating-point numbers, and reports an error if a result is too large for them.
    private(set) var canOverflow = false

    /// The number of rows for which a condition is true.
    init(countOf condition: SQLCondition) {
        (function, kind, isExact) = (.count, .integer, true)
        input = "CASE WHEN \(condition.sql) THEN 1 END"
    }

    init(_ aggregate: Query.Aggregate, _ conditions: ConditionCompiler) throws(UnsupportedError) {
        var column = try conditions.column(aggregate.field)
        if column.isText || column.storedValue != nil {
            let read = conditions.dialect.reading(column, as: aggregate.kind, aggregate.notation, aggregate.dateNotation)
            column = read ?? column
        }
        try self.init(aggregate.function, column, kind: aggregate.kind, conditions)
    }

    init(_ function: AggregateFunction, _ column: ColumnTerm, kind: ValueKind, _ conditions: ConditionCompiler) throws(UnsupportedError) {
        let dialect = conditions.dialect
        (self.function, self.kind) = (function, kind)
        switch column.storage {
        case .integer, .numeric, .flag, .date, .dateTime, .zonedDateTime, .time: isExact = true
        case .real, .double, .text, .paddedText, .dynamic, .opaque, .ordered: isExact = false
        }
        guard function.isDefined(for: kind) else {
            throw UnsupportedError("“\(function.rawValue)” cannot be computed for column “\(column.name)”.")
        }
        let isEmpty = dialect.isEmpty(column)
        switch function {
        case .count:
            input = "CASE WHEN \(isEmpty.sql) THEN NULL ELSE 1 END"
            return
        case .distinct:
            let text = conditions.text(column).sql
            input = column.hasEmptyValues ? "CASE WHEN \(isEmpty.sql) THEN NULL ELSE \(text) END" : text
            return
        case .first, .last:
            throw UnsupportedError("The \(function.rawValue) value of a group depends on the order of its rows. Open the group to see it.")
        default: break
        }
        guard kind == column.kind || kind.isNumber && column.isNumber || kind == .dateTime && column.kind == .date else {
            throw UnsupportedError("Column “\(column.name)” cannot be read as \(kind.rawValue) on the server.")
        }
        if function.percentage != nil || function == .standardDeviation, !dialect.capabilities.contains(.quantiles) {
            throw UnsupportedError("\(dialect.name) does not support quantiles or standard deviations.")
        }
        // Dates and times of SQLite are read as microseconds, and flags as 0 and 1.
        if column.storedValue != nil, !column.isNumber {
            input = column.value
            return
        }
        switch column.storage {
        case .flag: input = "CASE WHEN \(column.value) THEN 1 WHEN NOT \(column.value) THEN 0 END"
        case .date, .dateTime, .zonedDateTime, .time:
            guard let microseconds = dialect.microseconds(column) else {
                throw UnsupportedError(
                    dialect.capabilities.contains(.temporalTypes)
                        ? "gridview cannot express aggregates of column “\(column.name)” in the SQL of \(dialect.name)."
                        : "\(dialect.name) does not support dates.")
            }
            input = microseconds
        default:
            let number = try NumberTerm(column, in: conditions.dialect)
            let isExtreme = function == .min || function == .max
            mayBeNaN = number.mayBeNaN && !isExtreme
            canOverflow = dialect.family == .postgreSQL && number.storage == .double && function.percentage == nil && !isExtreme
            if number.mayBeNaN, let nan = dialect.nan {
                input = "CASE WHEN \(number.sql) < \(nan) THEN \(number.sql) END"
                // Quantiles need the test. Servers sort NaN as the greatest value, so without the test a quantile would be a wrong number
                // instead of NaN.
                if function.percentage == nil { inputWithoutNaNTest = number.sql }
            } else {
                // Sums of 64-bit integers wrap around in Sail.
                let isWide = dialect.family == .spark && column.storage == .integer && (function == .sum || function == .share)
                input = isWide ? "CAST(\(number.sql) AS decimal(38, 0))" : number.sql
            }
        }
    }

    /// The aggregated value of a row, see ``SQLQuery/skipsNaNTests`` and ``SQLQuery/avoidsOverflow``.
    func input(skipsNaNTests: Bool, avoidsOverflow: Bool, _ dialect: SQLDialect) -> SQLFragment {
        let value = skipsNaNTests ? inputWithoutNaNTest ?? input : input
        // A cast from a floating-point number keeps only 15 digits. The text has all of them.
        return avoidsOverflow && canOverflow ? dialect.cast(dialect.cast(value, .text), .numeric) : value
    }

    /// The SQL of the aggregate over a column of the inner SELECT. For `AggregateFunction.share`, it is the sum, from which the share is
    /// computed.
    func sql(over input: SQLFragment, _ dialect: SQLDialect) -> SQLFragment {
        if let percentage = function.percentage {
            let share = SQLFragment(checked: percentage < 10 ? "0.0\(percentage)" : "0.\(percentage)")
            return "\(function: "percentile_cont")(\(share)) WITHIN GROUP (ORDER BY \(dialect.cast(input, .double)))"
        }
        switch function {
        case .count: return "\(function: "count")(\(input))"
        case .distinct: return "\(function: "count")(DISTINCT \(input))"
        case .sum: return dialect.sum(input)
        // The total of no values is 0 in SQLite, but a group without values has no share.
        case .share where dialect.family == .sqlite: return "CASE WHEN count(\(input)) > 0 THEN \(dialect.total(input)) END"
        case .share: return dialect.total(input)
        // SQLite and DuckDB compute means in floating point, which rounds microseconds.
        case .mean where dialect.family == .sqlite && kind.isTemporal: return dialect.integerMean(input)
        case .mean where dialect.family == .duckDB && kind.isTemporal: return "sum(\(input)) // count(\(input))"
        case .mean: return "\(function: "avg")(\(input))"
        case .min: return "\(function: "min")(\(input))"
        case .max: return "\(function: "max")(\(input))"
        case .standardDeviation: return "\(function: "stddev_samp")(\(input))"
        default: return "NULL"
        }
    }

    /// Aggregates of one part of a group, such as the part on one shard. ``combined(_:hasOnePart:_:)`` computes the aggregate of the
    /// group from the aggregates of all its parts. `nil` if that is impossible.
    func partial(_ input: SQLFragment) -> [SQLFragment]? {
        switch function {
        case .count: ["\(function: "count")(\(input))"]
        case .sum, .share: ["\(function: "sum")(\(input))"]
        case .min: ["\(function: "min")(\(input))"]
        case .max: ["\(function: "max")(\(input))"]
        case .mean: isExact ? ["\(function: "sum")(\(input))", "\(function: "count")(\(input))"] : nil
        default: nil
        }
    }

    /// The aggregate of a group from its partial aggregates.
    /// - Parameter hasOnePart: true if the group has only one part; false if `partial` are columns with one row for each part.
    func combined(_ partial: [SQLFragment], hasOnePart: Bool, _ dialect: SQLDialect) -> SQLFragment {
        let results = partial.map { part -> SQLFragment in
            if hasOnePart { return part }
            return switch function {
            case .min: "\(function: "min")(\(part))"
            case .max: "\(function: "max")(\(part))"
            default: "\(function: "sum")(\(part))"
            }
        }
        return function == .mean ? "\(dialect.cast(results[0], .numeric)) / NULLIF(\(results[1]), 0)" : results[0]
    }

    /// The final value of an aggregate, such as the share of a total.
    /// - Parameters:
    ///   - avoidsOverflow: see ``SQLQuery/avoidsOverflow``.
    ///   - value: the aggregate of the group.
    ///   - total: the sum over all groups.
    func result(_ value: SQLFragment, total: SQLFragment, avoidsOverflow: Bool, _ dialect: SQLDialect) -> SQLFragment {
        guard function == .share else { return value }
        if avoidsOverflow, canOverflow { return "\(value) / NULLIF(\(total), 0)" }
        return "\(dialect.cast(value, .double)) / NULLIF(\(dialect.cast(total, .double)), 0)"
    }
}

extension SQLDialect {
    /// The exact sum of numbers.
    ///
    /// SQLite reports an error if the sum of integers needs more than 64 bits. So the billions and the rest are added separately. The
    /// result is then an integer or, if it is too large, its digits as text. It is a floating-point number if one of the numbers is.
    fileprivate func sum(_ input: SQLFragment) -> SQLFragment {
        guard family == .sqlite else { return "\(function: "sum")(\(input))" }
        let rest: SQLFragment = "sum(\(input) % 1000000000)"
        let (high, low): (SQLFragment, SQLFragment) = ("(sum(\(input) / 1000000000) + \(rest) / 1000000000)", "(\(rest) % 1000000000)")
        return """
            CASE WHEN sum(typeof(\(input)) = 'real') > 0 THEN total(\(input)) \
            WHEN abs(\(high)) <= 9223372035 THEN \(high) * 1000000000 + \(low) \
            WHEN \(high) > 0 AND \(low) < 0 THEN (\(high) - 1) || printf('%09d', 1000000000 + \(low)) \
            WHEN \(high) < 0 AND \(low) > 0 THEN (\(high) + 1) || printf('%09d', 1000000000 - \(low)) \
            WHEN count(\(input)) > 0 THEN \(high) || printf('%09d', abs(\(low))) END
            """
    }

    /// The mean of integers in SQLite, without its fraction. The billions and the rest are added separately, because a sum can have more
    /// than 64 bits.
    fileprivate func integerMean(_ input: SQLFragment) -> SQLFragment {
        let (count, high): (SQLFragment, SQLFragment) = ("count(\(input))", "sum(\(input) / 1000000000)")
        return """
            \(high) / \(count) * 1000000000 + (\(high) % \(count) * 1000000000 + sum(\(input) % 1000000000)) / \(count)
            """
    }

    /// The sum of numbers for a share, rounded to a floating-point number in SQLite.
    func total(_ input: SQLFragment) -> SQLFragment { family == .sqlite ? "total(\(input))" : "\(function: "sum")(\(input))" }

    /// The microseconds of a date or time, as in `FieldBytes.temporal(_:_:)`; NULL for values that gridview cannot read. `nil` if the
    /// dialect cannot compute them.
    fileprivate func microseconds(_ column: ColumnTerm) -> SQLFragment? {
        let isReadable = isReadable(column.value, column.storage)
        switch family {
        case .postgreSQL: return "CASE WHEN \(isReadable) THEN CAST(extract(epoch FROM \(column.value)) * 1000000 AS numeric) END"
        case .duckDB: return "CASE WHEN \(isReadable) THEN epoch_us(\(column.value)) END"
        case .spark where column.storage == .date:
            let days = cast("datediff(\(column.value), DATE '1970-01-01')", .integer)
            return "CASE WHEN \(isReadable) THEN CAST(\(days) * 86400000000 AS decimal(20, 0)) END"
        case .spark, .sqlite, .ansi: return nil
        }
    }
}
