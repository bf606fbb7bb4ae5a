import FieldValues
import Tables

/// The value that the rows of a group have in common.
public enum GroupValue: Hashable, Codable, Sendable {
    /// A value, or the start of an interval, as text.
    case value(String)
    /// All values that belong to no interval, such as NaN.
    case other
    /// All missing values: NULL, and text that is empty or only spaces and tabs.
    case empty
}

extension GroupValue {
    /// Creates the value from the text and the class that a statement returned; see ``GroupTerm/groupClass``.
    init(_ text: SQLValue, _ groupClass: Int64) {
        switch (groupClass, text) {
        case (0, .text(let text)): self = .value(text)
        case (0, .invalidText(let bytes)): self = .value(String(decoding: bytes, as: UTF8.self))
        case (1, _): self = .other
        default: self = .empty
        }
    }

    /// Compares strings by their bytes, as servers do.
    public static func == (a: GroupValue, b: GroupValue) -> Bool {
        switch (a, b) {
        case (.value(let a), .value(let b)): a.utf8.elementsEqual(b.utf8)
        case (.other, .other), (.empty, .empty): true
        default: false
        }
    }

    /// Hashes strings by their bytes, to match `==`.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .value(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .other: hasher.combine(1)
        case .empty: hasher.combine(2)
        }
    }
}

/// The SQL of a group level.
struct GroupTerm: Sendable {
    /// The way in which the value of a row becomes a group value.
    enum Form: Hashable, Sendable {
        /// The value in its own type. Equal values have the same text, so one text represents the group.
        case native(type: String)
        /// The value as text. Rows with the same text form a group.
        case text
        /// The start of a calendar period; `isTime` is true for times of day. PostgreSQL returns it as a date and time or a time; other
        /// databases return text.
        case period(GroupInterval.Period, isTime: Bool)
        /// The start of a bin of this width.
        case bin(ExactDecimal)
    }

    var key: Query.GroupKey
    var column: ColumnTerm
    /// How the value of a row is converted to its group value.
    var form: Form
    /// The group value of a row; NULL for ``GroupValue/empty`` and ``GroupValue/other``.
    var value: SQLFragment
    /// The value of a row as text.
    var rowText: SQLFragment
    /// 0 for ``GroupValue/value(_:)``, 1 for ``GroupValue/other``, 2 for ``GroupValue/empty``. `nil` if no row is `other`: a NULL value
    /// then means `empty`.
    var groupClass: SQLFragment?
    var isEmpty: SQLFragment
    /// True if groups are sorted by the bytes of their text, not by a collation of the server.
    var comparesBytes: Bool
    /// True if the values can include NaN.
    var hasNaN: Bool

    /// True if the value of a group is the text of a number, so that groups are sorted by the number.
    var isOrderedByNumber: Bool { form == .text && !comparesBytes && !column.isText }

    /// The condition that selects the rows of a group.
    func condition(_ value: GroupValue, _ dialect: SQLDialect) -> SQLFragment {
        switch value {
        case .empty: return isEmpty
        case .other: return groupClass.map { "\($0) = 1" } ?? dialect.falseLiteral
        case .value(let text):
            switch form {
            case .native(let type): return "\(column.value) = \(SQLFragment(SQLParameter(parameter(text, dialect), type: type)))"
            // The text of a group is never blank, so no test for blanks is needed, and an index can be used.
            case .text: return "\(rowText) = \(dialect.text(text))"
            case .period where dialect.family != .postgreSQL: return "\(self.value) = \(dialect.text(text))"
            case .period(_, isTime: true): return "\(self.value) = \(dialect.parameter(.text(text), .time))"
            case .period(let period, _):
                let length: SQLFragment
                switch period {
                case .year: length = "interval '1 year'"
                case .quarter: length = "interval '3 months'"
                case .month: length = "interval '1 month'"
                case .week: length = "interval '7 days'"
                case .day: length = "interval '1 day'"
                case .hour: length = "interval '1 hour'"
                }
                let start = dialect.parameter(.text(text), .dateTime)
                let (low, end): (SQLFragment, SQLFragment) = ("\(start)", "(\(start) + \(length))")
                // The last week of the year 9999 ends in the year 10000. gridview cannot read the days of that year, so they do not belong
                // to the group.
                let high = period == .week ? "LEAST(\(end), timestamp '10000-01-01')" : end
                let bounds = [low, high].map { dialect.withoutZone($0, column.storage) }
                return "\(column.value) >= \(bounds[0]) AND \(column.value) < \(bounds[1])"
            case .bin(let width):
                guard case .numeric = column.storage, dialect.family == .postgreSQL else {
                    let type =
                        switch dialect.family {
                        case .sqlite: dialect.type(.integer)
                        case .spark: "decimal(20, 0)"
                        default: dialect.decimalType(scale: width.digits)
                        }
                    return "\(self.value) = \(SQLFragment(SQLParameter(parameter(text, dialect), type: type)))"
                }
                let start = dialect.parameter(.text(text), .numeric)
                let size = dialect.parameter(.text(width.text), .numeric)
                return "\(column.value) >= \(start) AND \(column.value) < \(start) + \(size)"
            }
        }
    }

    private func parameter(_ text: String, _ dialect: SQLDialect) -> SQLValue {
        dialect.family == .sqlite ? Int64(text).map { .integer($0) } ?? .text(text) : .text(text)
    }

    /// The text of a group value, computed from the value that the inner SELECT returned.
    func text(_ value: SQLFragment, _ dialect: SQLDialect) -> SQLFragment {
        switch form {
        case .text: value
        case .period where dialect.family != .postgreSQL: value
        case .native: dialect.cast(value, .text)
        case .period(.hour, isTime: true): "\(function: "to_char")(\(value), 'HH24:MI:SS')"
        case .period(.hour, _): "\(function: "to_char")(\(value), 'YYYY-MM-DD HH24:MI:SS')"
        case .period: "\(function: "to_char")(\(value), 'YYYY-MM-DD')"
        case .bin(let width): dialect.decimalText(value, scale: dialect.family == .sqlite ? 0 : width.digits)
        }
    }
}

extension OrderCompiler {
    func compileGroup(_ key: Query.GroupKey, _ notes: inout [String]) throws(UnsupportedError) -> GroupTerm {
        let column = try column(key.field, for: key.comparison)
        let isEmpty = conditions.dialect.isEmpty(column).sql
        if let interval = key.interval { return try compileInterval(interval, key, column, isEmpty) }
        let form = try form(column, key.comparison)
        return try compileGroup(key, column, comparesBytes: form == .text && !options.serverSortBehavior.contains(.texts))
    }

    /// Compiles a group level without intervals.
    func compileGroup(_ key: Query.GroupKey, _ column: ColumnTerm, comparesBytes: Bool) throws(UnsupportedError) -> GroupTerm {
        let isEmpty = conditions.dialect.isEmpty(column).sql
        var value = column.value
        var form = GroupTerm.Form.text
        switch column.storage {
        // The result of arithmetic in SQLite can be a floating-point number, whose text does not have all of its digits.
        case .integer where !column.isMixed && (column.index != nil || conditions.dialect.family != .sqlite):
            form = .native(type: conditions.dialect.type(.integer))
        case .numeric(let scale) where scale != nil && column.index != nil:
            form = .native(type: conditions.dialect.keyType(scale: scale))
        case .flag: form = .native(type: conditions.dialect.type(.flag))
        case .date: form = .native(type: conditions.dialect.type(.date))
        case .dateTime: form = .native(type: conditions.dialect.type(.dateTime))
        case .zonedDateTime: form = .native(type: conditions.dialect.type(.zonedDateTime))
        case .time: form = .native(type: conditions.dialect.type(.time))
        default:
            // Group by the text, which can differ for equal numbers, such as 1.0 and 1.00.
            value = conditions.text(column).sql
            if column.hasEmptyValues { value = "CASE WHEN \(isEmpty) THEN NULL ELSE \(value) END" }
        }
        return GroupTerm(
            key: key, column: column, form: form, value: value, rowText: conditions.text(column).sql, groupClass: nil, isEmpty: isEmpty,
            comparesBytes: comparesBytes,
            hasNaN: form == .text && column.mayBeNaN(in: conditions.dialect))
    }

    private func compileInterval(
        _ interval: GroupInterval, _ key: Query.GroupKey, _ column: ColumnTerm, _ isEmpty: SQLFragment
    ) throws(UnsupportedError) -> GroupTerm {
        let dialect = conditions.dialect
        let value: SQLFragment
        let form: GroupTerm.Form
        var isOther: SQLFragment?
        switch interval {
        case .period(let period):
            guard column.kind.isTemporal, interval.applies(to: column.kind) else {
                throw UnsupportedError("Column “\(column.name)” does not contain dates on the server, so it cannot be grouped by period.")
            }
            guard let start = dialect.start(of: period, column) else {
                throw UnsupportedError(
                    "gridview cannot express groups of column “\(column.name)” by \(period) in the SQL of \(dialect.name).")
            }
            (value, isOther) = start
            form = .period(period, isTime: column.kind == .time)
        case .bins(let width):
            guard column.isNumber else {
                throw UnsupportedError(
                    "Column “\(column.name)” does not contain numbers on the server, so it cannot be grouped into ranges.")
            }
            guard width.mantissa > 0 else { throw UnsupportedError("The width of a range must be positive.") }
            form = .bin(width)
            if dialect.family == .sqlite {
                guard column.storage == .integer, width.digits == 0, let integerWidth = Int64(exactly: width.mantissa),
                    integerWidth < 1 << 53
                else {
                    throw UnsupportedError("SQLite does not support exact decimals, so range boundaries would be rounded.")
                }
                let size = dialect.parameter(.integer(integerWidth), .integer)
                let number = column.isMixed ? "CASE WHEN typeof(\(column.value)) = 'integer' THEN \(column.value) END" : column.value
                value = "(\(number)) - (((\(number)) % \(size)) + \(size)) % \(size)"
                if column.isMixed { isOther = "typeof(\(column.value)) <> 'integer'" }
            } else if dialect.family == .postgreSQL {
                var number = column.value
                if column.storage == .integer { number = dialect.cast(number, .numeric) }
                if case .numeric = column.storage {} else if column.storage != .integer { number = dialect.cast(column.text, .numeric) }
                if column.storage != .integer {
                    // The indices of ranges must fit in 63 bits.
                    let bound = dialect.cast(dialect.parameter(.text("\(width.double * 0x1p62)"), .numeric), .double)
                    let isFar: SQLFragment = "\(function: "abs")(\(dialect.cast(column.value, .double))) >= \(bound)"
                    isOther = "(\(column.value) IN ('NaN', 'Infinity', '-Infinity') OR \(isFar))"
                    number = "CASE WHEN \(column.value) NOT IN ('NaN', 'Infinity', '-Infinity') AND NOT \(isFar) THEN \(number) END"
                }
                let size = dialect.parameter(.text(width.text), .numeric)
                value = "(\(number)) - \(function: "mod")(\(function: "mod")(\(number), \(size)) + \(size), \(size))"
            } else if let start = try dialect.start(ofRange: width, column) {
                (value, isOther) = start
            } else {
                throw UnsupportedError("gridview cannot express these ranges of column “\(column.name)” in the SQL of \(dialect.name).")
            }
        }
        let groupClass: SQLFragment? = isOther.map { "CASE WHEN \(isEmpty) THEN 2 WHEN \($0) THEN 1 ELSE 0 END" }
        return GroupTerm(
            key: key, column: column, form: form, value: value, rowText: conditions.text(column).sql, groupClass: groupClass,
            isEmpty: isEmpty, comparesBytes: false, hasNaN: false)
    }
}

extension SQLDialect {
    /// The start of the period of a date or time, and a condition that is true for values that gridview cannot read, such as years after
    /// 9999. `nil` if the dialect cannot compute the periods that gridview reads.
    fileprivate func start(of period: GroupInterval.Period, _ column: ColumnTerm) -> (value: SQLFragment, isOther: SQLFragment?)? {
        let moment = column.value
        let isTime = column.kind == .time
        let name: SQLFragment
        switch period {
        case .year: name = "'year'"
        case .quarter: name = "'quarter'"
        case .month: name = "'month'"
        case .week: name = "'week'"
        case .day: name = "'day'"
        case .hour: name = "'hour'"
        }
        /// The start of the period for values that gridview can read. All other values belong to ``GroupValue/other``.
        func whereReadable(_ start: SQLFragment) -> (SQLFragment, SQLFragment?) {
            let isReadable = isReadable(moment, column.storage)
            return ("CASE WHEN \(isReadable) THEN \(start) END", isNotTrue(isReadable))
        }
        switch family {
        case .postgreSQL:
            let moment = withoutZone(moment, column.storage)
            if isTime { return whereReadable("CAST(\(function: "date_trunc")('hour', CAST(\(moment) AS interval)) AS time)") }
            return whereReadable("\(function: "date_trunc")(\(name), CAST(\(moment) AS timestamp))")
        case .duckDB:
            if isTime { return whereReadable(cast("make_time(hour(\(moment)), 0, 0)", .text)) }
            let start = cast("date_trunc(\(name), \(inMicroseconds(moment)))", .text)
            return whereReadable(period == .hour ? start : "left(\(start), 10)")
        case .spark:
            // Periods of values with a zone would depend on the zone of the session. Sail truncates only dates from 1677 to 2262, so the
            // text is cut instead.
            guard !isTime, column.storage != .zonedDateTime else { return nil }
            let (text, date) = (cast(moment, .text), cast(moment, .date))
            let start: SQLFragment
            switch period {
            case .year: start = "concat(left(\(text), 4), '-01-01')"
            case .quarter:
                let month: SQLFragment = "CASE quarter(\(moment)) WHEN 1 THEN '01' WHEN 2 THEN '04' WHEN 3 THEN '07' ELSE '10' END"
                start = "concat(left(\(text), 5), \(month), '-01')"
            case .month: start = "concat(left(\(text), 7), '-01')"
            case .week: start = cast("date_sub(\(date), \(daysSinceMonday(date)))", .text)
            case .day: start = "left(\(text), 10)"
            case .hour: start = column.storage == .date ? "concat(\(text), ' 00:00:00')" : "concat(left(\(text), 13), ':00:00')"
            }
            return whereReadable(start)
        case .sqlite, .ansi: return nil
        }
    }

    /// The start of the range of a number in DuckDB or Spark, and a condition that is true for numbers outside of every range. `nil` if the
    /// dialect cannot compute it.
    fileprivate func start(
        ofRange width: ExactDecimal, _ column: ColumnTerm
    ) throws(UnsupportedError) -> (value: SQLFragment, isOther: SQLFragment?)? {
        let literal = NumberLiteral(width)
        guard let (whole, scale) = literal.digitCounts, whole + scale <= 15 else {
            throw UnsupportedError("The width of a range can have at most 15 digits.")
        }
        if family == .spark {
            guard column.storage == .integer, scale == 0 else { return nil }
            // Arithmetic with 64-bit integers could overflow without an error, so only the remainder is computed with them.
            let rest: SQLFragment = "pmod(\(column.value), \(number(literal, for: .integer)))"
            return ("CAST(\(column.value) AS decimal(20, 0)) - CAST(\(rest) AS decimal(20, 0))", nil)
        }
        guard family == .duckDB else { return nil }
        let size = self.text(literal.text)
        /// The start of the range that contains a number. The number is text or a decimal. The start is computed with `digits` fraction
        /// digits.
        func start(_ number: SQLFragment, digits: Int) -> SQLFragment {
            let type = SQLFragment(checked: decimalType(scale: digits))
            let (number, size): (SQLFragment, SQLFragment) = ("CAST(\(number) AS \(type))", "CAST(\(size) AS \(type))")
            let rest: SQLFragment = "((\(number) % \(size)) + \(size)) % \(size)"
            return "CAST(\(number) - \(rest) AS \(SQLFragment(checked: decimalType(scale: scale))))"
        }
        // The indices of ranges must fit in 63 bits.
        let bound = parameter(.text("\(width.double * 0x1p62)"), .double)
        switch column.storage {
        case .integer:
            guard width.double < 1 else { return (start(column.value, digits: scale), nil) }
            let (limit, type) = (ExactDecimal(width.mantissa << 63, digits: scale).text, decimalType(scale: scale))
            let (low, high) = (
                SQLFragment(SQLParameter(.text("-" + limit), type: type)), SQLFragment(SQLParameter(.text(limit), type: type))
            )
            let isFar: SQLFragment = "(\(column.value) < \(low) OR \(column.value) >= \(high))"
            return ("CASE WHEN NOT \(isFar) THEN \(start(column.value, digits: scale)) END", isFar)
        case .numeric(let fraction?):
            // Numbers beyond ±`bound` belong to no range. Numbers in a range have at most `whole` + 19 digits before the decimal point.
            let digits = min(column.wholeDigits ?? Self.maximumDigits, whole + 19) + 1 + max(scale, fraction)
            guard digits <= Self.maximumDigits else { throw UnsupportedError(tooManyDigitsReason) }
            let isFar: SQLFragment = "abs(\(cast(column.value, .double))) >= \(bound)"
            return ("CASE WHEN NOT \(isFar) THEN \(start(column.value, digits: max(scale, fraction))) END", isFar)
        case .real, .double:
            let isOther: SQLFragment = "(\(column.value) IN ('NaN', 'Infinity', '-Infinity') OR abs(\(column.value)) >= \(bound))"
            // A floating-point number has at most 17 digits, so the fraction of a large number has few digits. A negative number that
            // needs more than 22 fraction digits must stay negative.
            let tiny: SQLFragment = "\(column.value) < 0 AND \(column.value) > CAST('-1e-15' AS double)"
            let small: SQLFragment = "CASE WHEN \(tiny) THEN '-1e-20' ELSE \(column.text) END"
            let value: SQLFragment = """
                CASE WHEN \(isOther) THEN NULL WHEN abs(\(column.value)) < CAST('1e15' AS double) THEN \(start(small, digits: 22)) \
                ELSE \(start(column.text, digits: max(2, scale))) END
                """
            return (value, isOther)
        default: return nil
        }
    }
}
