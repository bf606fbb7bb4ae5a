package import Tables

/// Statements that fetch the rows of many sections at once.
extension SQLQuery {
    /// Creates a statement for the rows of all sections, sorted by the values of the groups, then by the sort keys. Each row has its cells,
    /// then the values of its section, see ``section(_:)``. `nil` if the text or the position of a group is not known from its rows.
    ///
    /// The result has the order of the sections only if each group level is sorted by value.
    package func rowsBySection(of fields: [FieldID]) throws(SQLLimitations) -> SQLStatement? {
        guard groups.allSatisfy(isDeterminedByRow) else { return nil }
        var list = try cells(of: fields)
        var terms: [SQLFragment] = []
        var values: [SQLFragment] = []
        for group in groups {
            let value: SQLFragment = "(\(group.value))"
            let groupClass = group.groupClass ?? "CASE WHEN \(value) IS NULL THEN 2 ELSE 0 END"
            list += [group.text(value, dialect), groupClass]
            values += group.groupClass == nil ? [value] : [value, groupClass]
            // Different numbers of SQLite can have equal text. The least of them determines the position of their group.
            let number = dialect.family == .sqlite ? leastNumber(of: group, among: values) : group.column.value
            terms += orderByValue(
                of: group, value, groupClass: groupClass, number: number,
                isDescending: group.key.isDescending && group.key.order == .value)
        }
        return rows(list, conditions, sortedBy: terms)
    }

    /// True if a statement for rows can compute the text of the group of a row, and the position of that group in the order.
    private func isDeterminedByRow(_ group: GroupTerm) -> Bool {
        if group.isOrderedByNumber { return !group.column.isMixed || dialect.family == .sqlite }
        // DuckDB does not report the collation of a column. If the collation ignores case, the rows of a group can have several texts.
        return dialect.family != .duckDB || !group.column.isText || group.form != .text
    }

    /// The least number of the rows of a group, computed for each of these rows.
    /// - Parameter values: the SQL of the values that the rows of the group have in common.
    private func leastNumber(of group: GroupTerm, among values: [SQLFragment]) -> SQLFragment {
        let number = group.column.value
        let counted: SQLFragment = group.column.isMixed ? "CASE WHEN \(dialect.isNumeric(number)) THEN \(number) END" : number
        return "min(\(counted)) OVER (PARTITION BY \(values))"
    }

    /// Creates a statement for the rows of the listed sections, in the order of the list, then of the sort keys. Each row has its cells,
    /// then the index of its section in the list.
    package func rows(inSections sections: [[GroupValue]], of fields: [FieldID]) throws(SQLLimitations) -> SQLStatement {
        guard !sections.isEmpty, sections.allSatisfy({ !$0.isEmpty && $0.count <= groups.count }) else {
            throw requestError("The query has fewer group levels than the section. Reload the table.")
        }
        let found = sections.map { condition(ofSection: $0) }
        let branches = found.enumerated().map { "WHEN \($0.element) THEN \($0.offset)" as SQLFragment }
        let index: SQLFragment = "CASE \(branches, by: " ") END"
        return rows(try cells(of: fields) + [index], conditions + ["\(found, by: " OR ")"], sortedBy: [index])
    }

    /// Converts the values that identify the section of a row: a text and a class for each group level. `nil` if they are malformed.
    package static func section(_ values: [SQLValue]) -> [GroupValue]? {
        guard values.count.isMultiple(of: 2) else { return nil }
        let section = stride(from: 0, to: values.count, by: 2).compactMap { start in
            values[start + 1].number.map { GroupValue(values[start], $0) }
        }
        return section.count == values.count / 2 ? section : nil
    }

    /// The condition of the rows in a section.
    func condition(ofSection section: [GroupValue]) -> SQLFragment {
        "(\(zip(groups, section).map { "(\($0.condition($1, dialect)))" as SQLFragment }, by: " AND "))"
    }

    private func rows(_ list: [SQLFragment], _ conditions: [SQLFragment], sortedBy terms: [SQLFragment]) -> SQLStatement {
        let order = terms + order.flatMap { $0.order(isBackward: false, dialect) }
        let statement: SQLFragment = "SELECT \(list)\(from)\(filter(conditions)) ORDER BY \(order)"
        return statement.statement(in: dialect)
    }
}
