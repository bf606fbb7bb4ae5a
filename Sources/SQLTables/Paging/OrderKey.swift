import FieldValues

/// One sort key of a statement: a sort key of the user, or a tie-break.
///
/// The values of a key fall into classes, whose order does not depend on the direction: numbers before NaN, text before blank text, NULL
/// last. Each part of a page requests only one class of the first key, so that an index can provide the order.
struct OrderKey: Sendable {
    /// A group of values whose place in the order does not depend on the direction.
    enum Class: Hashable, Sendable {
        case value
        case notANumber
        /// Text in a numeric column, as SQLite allows. It is always sorted by bytes, ascending.
        case unreadable
        case blank
        case null
    }

    /// The index of the column; `nil` for a derived field or a row address.
    var column: Int?
    /// The expression that is compared.
    var value: SQLFragment
    /// The column itself, if ``value`` is computed from it; otherwise `nil`. ``value`` can be NULL although the column has a value.
    var storedValue: SQLFragment?
    /// The condition for ``Class/notANumber``, on servers that store NaN as text; otherwise `nil`.
    var isNaN: SQLFragment?
    /// The expression that is selected.
    var selectedValue: SQLFragment
    /// The type to which a key value is cast when it is sent back; `nil` to send it unchanged.
    var type: String?
    /// The value as text, for ``Class/unreadable`` and ``Class/blank``.
    var text: SQLFragment
    var isDescending: Bool
    /// The classes in their order. Always contains ``Class/value``.
    var classes: [Class]
    /// True if an index on the column provides this order.
    var fitsIndex: Bool
    /// True if text is compared by bytes. Blank text is then less than `!`.
    var comparesBytes = false

    /// True if the key is a row address instead of a column.
    var isRowID: Bool { column == nil && fitsIndex }

    /// True if all values are in one class, so that no condition for a class is needed.
    var hasOnlyValues: Bool { classes == [.value] }

    /// The class of a value that the server returned.
    func valueClass(of value: SQLValue, _ dialect: SQLDialect) -> Class {
        var rowClass: Class
        switch value {
        case .null: rowClass = .null
        // PostgreSQL prints `NaN`, DuckDB `nan`.
        case .text(let text) where classes.contains(.notANumber) && text.lowercased() == "nan": rowClass = .notANumber
        case .text, .invalidText, .bytes:
            rowClass = value.isBlank && classes.contains(.blank) ? .blank : classes.contains(.unreadable) ? .unreadable : .value
        case .integer, .double: rowClass = .value
        }
        if !classes.contains(rowClass) { rowClass = .value }
        return rowClass
    }

    /// The condition that selects the rows of a class.
    func predicate(_ rowClass: Class, _ dialect: SQLDialect) -> SQLFragment {
        switch rowClass {
        case .null: return "\(storedValue ?? value) IS NULL"
        case .notANumber: return isNaN ?? "\(value) = \(dialect.nan ?? "NULL")"
        case .blank: return isBlank(dialect)
        case .unreadable:
            let isOther: SQLFragment = "NOT \(dialect.isNumeric(value)) AND NOT \(dialect.isBlank(text))"
            return "(\(storedValue ?? value) IS NOT NULL AND \(isOther)\(isNaN.map { " AND NOT \($0)" } ?? ""))"
        case .value:
            let isNotNull: SQLFragment = "\(storedValue ?? value) IS NOT NULL"
            guard let residual = residualCondition(dialect) else { return isNotNull }
            // `IS NOT NULL` limits the range of the index: without it, a descending scan would read all NULLs first.
            return classes.contains(.null) ? "(\(isNotNull) AND \(residual))" : residual
        }
    }

    /// The condition for ``Class/value`` that must be added to a comparison with a value; `nil` if the comparison alone is enough.
    func residualCondition(_ dialect: SQLDialect) -> SQLFragment? {
        if classes.contains(.unreadable) { return dialect.isNumeric(value) }
        if classes.contains(.notANumber) { return "\(value) < \(dialect.nan ?? "NULL")" }
        if classes.contains(.blank) { return "NOT \(isBlank(dialect))" }
        return nil
    }

    /// The condition for ``Class/blank``.
    private func isBlank(_ dialect: SQLDialect) -> SQLFragment {
        dialect.isBlank(text, comparing: comparesBytes ? storedValue ?? value : nil)
    }

    /// A key value as a parameter.
    func parameter(_ value: SQLValue, _ dialect: SQLDialect) -> SQLFragment {
        SQLFragment(SQLParameter(value, type: type ?? dialect.type(.text)))
    }

    /// The ORDER BY terms within one class; empty if its rows are ties.
    func order(within rowClass: Class, isBackward: Bool, _ dialect: SQLDialect) -> [SQLFragment] {
        switch rowClass {
        case .value: [dialect.order(value, isDescending: isDescending != isBackward, nullsLast: nil)]
        case .unreadable: [dialect.order(dialect.withByteCollation(text), isDescending: isBackward, nullsLast: nil)]
        case .notANumber, .blank, .null: []
        }
    }

    /// The ORDER BY terms for rows of all classes.
    func order(isBackward: Bool, _ dialect: SQLDialect) -> [SQLFragment] {
        let isDown = isDescending != isBackward
        if hasOnlyValues { return [dialect.order(value, isDescending: isDown, nullsLast: nil)] }
        if classes == [.value, .null] { return [dialect.order(value, isDescending: isDown, nullsLast: !isBackward)] }
        if classes == [.null, .value] { return [dialect.order(value, isDescending: isDown, nullsLast: isBackward)] }
        let branches = classes.enumerated().filter { $0.element != .value }.map { index, rowClass -> SQLFragment in
            "WHEN \(predicate(rowClass, dialect)) THEN \(index)"
        }
        let valueIndex = classes.firstIndex(of: .value) ?? 0
        let classIndex: SQLFragment = "CASE \(branches, by: " ") ELSE \(valueIndex) END"
        let orderedValue: SQLFragment = "CASE WHEN \(predicate(.value, dialect)) THEN \(value) END"
        var order = [
            dialect.order(classIndex, isDescending: isBackward, nullsLast: nil),
            dialect.order(orderedValue, isDescending: isDown, nullsLast: nil),
        ]
        if classes.contains(.unreadable) {
            let unreadable: SQLFragment = "CASE WHEN \(predicate(.unreadable, dialect)) THEN \(text) END"
            order.append(dialect.order(dialect.withByteCollation("(\(unreadable))"), isDescending: isBackward, nullsLast: nil))
        }
        return order
    }
}

/// The conditions and orders of statements that read the rows in the order of their keys, forward or backward.
struct RowScan {
    let keys: [OrderKey]
    let isBackward: Bool
    let dialect: SQLDialect
    /// True if an index starts with the columns of the first and the second key, in the same direction.
    var indexContinuesWithNextKey = false
    /// The number of leading keys whose values are frequent in the row after which the scan starts. Later rows with the same frequent
    /// values are a separate range, which an index can sort by the next key. A row comparison would read all rows with these values.
    var frequentKeyCount = 0
    /// True if the server must sort all rows, even if an index has their order.
    var isSorted = false

    /// Successive rows in the order of the keys, such as the rows whose first key is NULL.
    struct KeyRange {
        var conditions: [SQLFragment]
        /// The ORDER BY terms that sort the rows of the range.
        var order: [SQLFragment]
    }

    private func order(from level: Int) -> [SQLFragment] { keys[level...].flatMap { $0.order(isBackward: isBackward, dialect) } }

    private func classes(_ key: OrderKey) -> [OrderKey.Class] { isBackward ? key.classes.reversed() : key.classes }

    private func isDescending(_ key: OrderKey) -> Bool { key.isDescending != isBackward }

    /// True if `UNION ALL` keeps its operands in order and an index sorts each range. Otherwise, each range would scan the table.
    private var usesRanges: Bool { !isSorted && (keys.first?.fitsIndex ?? false) && dialect.capabilities.contains(.orderedUnion) }

    /// Ranges that together contain all rows, from the start.
    func allRanges() -> [KeyRange] {
        guard let first = keys.first else { return [KeyRange(conditions: [], order: [])] }
        guard usesRanges, !first.hasOnlyValues else { return [KeyRange(conditions: [], order: order(from: 0))] }
        return classes(first).map { rowClass in
            KeyRange(conditions: [first.predicate(rowClass, dialect)], order: order(from: 0, within: rowClass))
        }
    }

    /// The rows after a row, in the direction of the scan.
    func ranges(after key: RowKey) -> [KeyRange] {
        guard usesRanges else { return [KeyRange(conditions: [conditionAfter(key, from: 0)], order: order(from: 0))] }
        let start = rowComparisonStart(key)
        return ranges(after: key, last: start, rowComparison(after: key, from: start))
    }

    /// The first row with these values in the first keys, and all rows after it. Every value except the last is frequent. The scan is
    /// forward, and an index sorts each range.
    func ranges(from values: [SQLValue]) -> [KeyRange] {
        let (key, last) = (RowKey(values), values.count - 1)
        let rowClass = keys[last].valueClass(of: values[last], dialect)
        guard rowClass == .value else { return ranges(after: key, last: last, [keys[last].predicate(rowClass, dialect)]) }
        let condition: SQLFragment =
            "\(keys[last].value) \(keys[last].isDescending ? "<=" as SQLFragment : ">=") \(keys[last].parameter(values[last], dialect))"
        return ranges(after: key, last: last, [condition] + (keys[last].residualCondition(dialect).map { [$0] } ?? []))
    }

    /// Ranges that together contain all rows after a given row. A database index can supply each range in order. Rows of the first ranges
    /// equal the given row in all keys before `last`. Rows of later ranges equal it in fewer keys.
    /// - Parameters:
    ///   - last: the index of the last key that has a condition.
    ///   - conditions: the conditions of the first range for the key `last` and the keys after it; `nil` if that range has no rows.
    private func ranges(after key: RowKey, last: Int, _ conditions: [SQLFragment]?) -> [KeyRange] {
        var ranges: [KeyRange] = []
        for level in (0...last).reversed() {
            let prefix = (0..<level).map { equalityCondition(key, level: $0) }
            let constants = (0..<level).flatMap { level -> [SQLFragment] in
                let rowClass = keys[level].valueClass(of: key.values[level], dialect)
                return rowClass == .blank && level < frequentKeyCount ? [] : constantTerms(level, rowClass)
            }
            let rowClass = keys[level].valueClass(of: key.values[level], dialect)
            if let condition = level == last ? conditions : conditionsAfterValue(key, level: level, within: rowClass) {
                ranges.append(KeyRange(conditions: prefix + condition, order: constants + order(from: level, within: rowClass)))
            }
            for later in laterClasses(level, rowClass) {
                ranges.append(
                    KeyRange(
                        conditions: prefix + [keys[level].predicate(later, dialect)],
                        order: constants + order(from: level, within: later)))
            }
        }
        return ranges
    }

    private func order(from level: Int, within rowClass: OrderKey.Class) -> [SQLFragment] {
        let rest = level + 1 < keys.count ? order(from: level + 1) : []
        return constantTerms(level, rowClass) + keys[level].order(within: rowClass, isBackward: isBackward, dialect) + rest
    }

    /// ORDER BY terms that are constant within a class. Without them, the planner could scan the whole index of the next key to find the
    /// few rows of the class.
    private func constantTerms(_ level: Int, _ rowClass: OrderKey.Class) -> [SQLFragment] {
        let key = keys[level]
        switch rowClass {
        case .blank where key.comparesBytes: return ["(\(key.value) < '!')"]
        case .null where level == 0 && indexContinuesWithNextKey && dialect.family == .postgreSQL:
            // Within the NULLs, the index is sorted by the next key.
            return [dialect.order(key.value, isDescending: isDescending(keys[1]), nullsLast: nil)]
        default: return []
        }
    }

    private func laterClasses(_ level: Int, _ rowClass: OrderKey.Class) -> [OrderKey.Class] {
        let all = classes(keys[level])
        return all.firstIndex(of: rowClass).map { Array(all[($0 + 1)...]) } ?? []
    }

    /// The index of the first key that the row comparison covers, such as `(a, b) > (1, 2)`. The comparison covers as many of the last keys
    /// as possible. They all have the same direction, and only the first of them may have several classes.
    private func rowComparisonStart(_ key: RowKey) -> Int {
        var start = keys.count - 1
        guard dialect.capabilities.contains(.rowComparison) else { return start }
        while start > frequentKeyCount, keys[start].hasOnlyValues, isDescending(keys[start - 1]) == isDescending(keys[start]),
            keys[start - 1].valueClass(of: key.values[start - 1], dialect) == .value
        {
            start -= 1
        }
        return start
    }

    /// The conditions for rows after a row, compared by the keys from `start` on; `nil` if the rows of its class are ties.
    private func rowComparison(after key: RowKey, from start: Int) -> [SQLFragment]? {
        let rowClass = keys[start].valueClass(of: key.values[start], dialect)
        guard rowClass == .value else { return start == keys.count - 1 ? conditionsAfterValue(key, level: start, within: rowClass) : nil }
        let symbol: SQLFragment = isDescending(keys[start]) ? "<" : ">"
        let (values, others) = (
            keys[start...].map(\.value), (start..<keys.count).map { keys[$0].parameter(key.values[$0], dialect) }
        )
        let comparison: SQLFragment =
            values.count == 1 ? "\(values[0]) \(symbol) \(others[0])" : "(\(values)) \(symbol) (\(others))"
        return [comparison] + (keys[start].residualCondition(dialect).map { [$0] } ?? [])
    }

    /// The conditions for rows after a value within its class; `nil` if the rows of the class are ties.
    private func conditionsAfterValue(_ key: RowKey, level: Int, within rowClass: OrderKey.Class) -> [SQLFragment]? {
        let orderKey = keys[level]
        switch rowClass {
        case .value:
            let comparison: SQLFragment =
                "\(orderKey.value) \(isDescending(orderKey) ? "<" as SQLFragment : ">") \(orderKey.parameter(key.values[level], dialect))"
            return [comparison] + (orderKey.residualCondition(dialect).map { [$0] } ?? [])
        case .unreadable:
            let parameter = unreadableParameter(key.values[level])
            let comparison: SQLFragment =
                "\(dialect.withByteCollation(orderKey.text)) \(isBackward ? "<" as SQLFragment : ">") \(parameter)"
            return [comparison, orderKey.predicate(.unreadable, dialect)]
        case .notANumber, .blank, .null: return nil
        }
    }

    /// A value of the class ``OrderKey/Class/unreadable`` as a parameter. A blob is replaced by its text, because SQLite sorts every text
    /// before every blob.
    private func unreadableParameter(_ value: SQLValue) -> SQLFragment {
        guard case .bytes(let bytes) = value else { return dialect.parameter(value, .text) }
        return dialect.parameter(.text(bytes.withUnsafeBytes { BlobText.text($0) }), .text)
    }

    /// The condition for rows with the same key value.
    func equalityCondition(_ key: RowKey, level: Int) -> SQLFragment {
        let rowClass = keys[level].valueClass(of: key.values[level], dialect)
        switch rowClass {
        case .value: return "\(keys[level].value) = \(keys[level].parameter(key.values[level], dialect))"
        case .unreadable: return "\(dialect.withByteCollation(keys[level].text)) = \(unreadableParameter(key.values[level]))"
        case .notANumber, .blank, .null: return keys[level].predicate(rowClass, dialect)
        }
    }

    /// The condition for all rows after a row, for a single scan of the table.
    private func conditionAfter(_ key: RowKey, from level: Int) -> SQLFragment {
        let rowClass = keys[level].valueClass(of: key.values[level], dialect)
        let later = laterClasses(level, rowClass).map { keys[level].predicate($0, dialect) }
        if level == rowComparisonStart(key) {
            let comparison = rowComparison(after: key, from: level).map { [SQLFragment.joined($0, by: " AND ")] } ?? []
            let alternatives = comparison + later
            return alternatives.isEmpty ? dialect.falseLiteral : "(\(alternatives, by: " OR "))"
        }
        let within = conditionsAfterValue(key, level: level, within: rowClass).map { [SQLFragment.joined($0, by: " AND ")] } ?? []
        let rest: SQLFragment = "(\(equalityCondition(key, level: level)) AND \(conditionAfter(key, from: level + 1)))"
        return "(\(within + later + [rest], by: " OR "))"
    }
}
