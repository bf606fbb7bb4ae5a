import DataGridQuery
import FieldValues
import SQLTables
import Tables

extension ServerQueryEngine {
    /// Fetches the groups of all levels. If there are too many outermost groups, the result has only the largest. If there are too many
    /// inner groups, the result ends early.
    func groups(_ compiled: CompiledQuery, _ query: Query, of source: ServerTableSource, _ control: JobControl) throws -> QueryResult {
        var shown = compiled.cutCellsQuery
        shown.skipsNaNTests = !source.hasNaN
        while true {
            do {
                return try groups(shown, compiled, query, of: source, control)
            } catch is NaNFound where shown.skipsNaNTests {
                source.setHasNaN()
                shown.skipsNaNTests = false
            } catch let error as ServerError where error.isOutOfRange && shown.canOverflow && !shown.avoidsOverflow {
                shown.avoidsOverflow = true
            }
        }
    }

    /// - Throws: ``NaNFound`` if the groups must be fetched again with tests for NaN.
    private func groups(
        _ shown: SQLQuery, _ compiled: CompiledQuery, _ query: Query, of source: ServerTableSource, _ control: JobControl
    ) throws -> QueryResult {
        let depth = query.groups.count
        var groups: [GroupResult.Group] = []
        var values: [AggregateValue] = []
        var segments: [OrderSegments.Segment] = []
        var position = 0
        var (hasLargestOnly, endsEarly) = (false, false)
        var areSectionsSortedByValue = query.groups.allSatisfy { $0.order == .value }
        /// Fetches the outermost groups.
        func fetch(limit: Int, largestFirst: Bool = false) throws -> (statement: SQLStatement, groups: [FetchedGroup], isTruncated: Bool) {
            let statement = try compiling { () throws(SQLLimitations) in
                try shown.groups(limit: limit, largestFirst: largestFirst)
            }
            let rows = try source.database.rows(statement.statement) { control.isCancelled }
            try ServerError.refuseInvalidText(in: rows)
            let found = statement.groups(rows)
            // If there are too many groups, they are fetched again, largest first. Only the second result is then tested for NaN.
            if largestFirst || !found.isTruncated, statement.mustTestForNaN(rows) { throw NaNFound() }
            return (statement.statement, found.groups, found.isTruncated)
        }
        var limit = depth > 1 ? outerSectionLimit : sectionLimit
        let start = ContinuousClock.now
        var outermost = try fetch(limit: limit)
        let outermostTime = ContinuousClock.now - start
        if outermost.isTruncated {
            // Each outer group may need its own statement, and each statement may read the whole table.
            if depth > 1 { limit = min(limit, 100) }
            outermost = try fetch(limit: limit, largestFirst: true)
            (hasLargestOnly, areSectionsSortedByValue) = (outermost.isTruncated, false)
        }
        var inner = InnerGroups(
            of: shown, in: source.database, outermost: outermost.groups.map(\.value), isOutermostComplete: !hasLargestOnly,
            limit: sectionLimit, timeLimit: max(innerGroupsTimeLimit, UInt32(clamping: Int(outermostTime * 3 / .milliseconds(1)))), control)
        func add(_ found: [FetchedGroup], in section: [GroupValue]) throws {
            let level = section.count
            for group in found {
                try control.checkCancellation()
                // An outer group is added only if there is also room for one inner group of each deeper level.
                guard groups.count + depth - level <= sectionLimit else {
                    endsEarly = true
                    return
                }
                let index = groups.count
                let start = position
                let path = section + [group.value]
                groups.append(GroupResult.Group(level: level, key: Self.key(group.value), rows: start..<start))
                values += zip(query.aggregates, group.aggregates).map { AggregateValue($1, of: $0, in: source.table) }
                if level + 1 == depth {
                    segments.append(OrderSegments.Segment(section: path, start: start))
                    position += Int(group.count)
                } else {
                    let found = try inner.groups(in: path, room: sectionLimit - groups.count)
                    if found.isTruncated { endsEarly = true }
                    try add(found.groups, in: path)
                }
                groups[index].rows = start..<position
            }
        }
        try add(outermost.groups, in: [])
        let order = source.addOrder(
            compiled, segments: segments, areSectionsSortedByValue: areSectionsSortedByValue, sectionsStatement: outermost.statement,
            count: position,
            hasAllRows: !hasLargestOnly && !endsEarly, indexScanTimeLimit: indexScanTimeLimit)
        // Without filters, the groups contain all rows of the table, so their row counts add up to the number of rows.
        if query.filters.isEmpty, order.hasAllRows, !source.base.knownRowCount.isComplete { source.base.setCount(position) }
        let first = ServerSnapshot.firstRow(ofOrder: order.number)
        let rows = RowNumbers(consecutive: first..<first + position)
        var result = GroupResult(order: rows, groups: try GroupList(groups), values: values)
        result.omission = GroupOmission(
            largestCount: hasLargestOnly ? limit : nil, firstCount: endsEarly ? groups.count : nil, isNested: depth > 1)
        result.leftOutValues = shown.fieldsWithLeftOutValues.enumerated().compactMap { index, field in
            let count = outermost.groups.reduce(0) { $0 + Int($1.leftOutCounts[index]) }
            return count == 0 ? nil : LeftOutValues(field: field, count: count)
        }
        return QueryResult(rows: rows, groups: result)
    }

    private static func key(_ value: GroupValue) -> String {
        switch value {
        case .value(let text): text
        case .other: GroupInterval.otherKey
        case .empty: ""
        }
    }
}

/// Thrown if NaN may have changed the result of a query that does not test for NaN.
private struct NaNFound: Error {}

/// Fetches the groups inside sections, level by level.
///
/// One statement fetches the groups of a level in all sections, if they are few enough and the server finds them in time. Otherwise, each
/// statement fetches the groups in the next sections of the result, until the limit of groups is reached.
private struct InnerGroups {
    private let query: SQLQuery
    private let database: ServerDatabase
    private let control: JobControl
    /// The maximum number of inner groups.
    private let limit: Int
    private let timeLimit: UInt32
    /// The state of the groups of one level.
    private struct Level {
        /// The sections that contain groups of this level, in the order of the result.
        var sections: [[GroupValue]] = []
        /// The number of sections whose groups were fetched.
        var fetchedCount = 0
        /// True until a statement has requested the groups in all sections.
        var mayFetchAll: Bool
        /// The number of sections of the next statement. The first statement selects a single section, to estimate how many groups the
        /// other sections have.
        var sectionCount = 1
    }
    private var levels: [Level]
    /// The groups that were fetched but not yet returned, by section.
    private var fetched: [[GroupValue]: [FetchedGroup]] = [:]

    /// The maximum number of sections that one statement selects. The server may compare each row with all of them.
    private static let sectionLimit = 250

    /// - Parameters:
    ///   - outermost: the values of the outermost groups.
    ///   - isOutermostComplete: false if `outermost` lacks some of the outermost groups.
    ///   - limit: the maximum number of groups of all levels.
    ///   - timeLimit: the time for the groups of a level in all sections, in milliseconds.
    init(
        of query: SQLQuery, in database: ServerDatabase, outermost: [GroupValue], isOutermostComplete: Bool, limit: Int, timeLimit: UInt32,
        _ control: JobControl
    ) {
        (self.query, self.database, self.control) = (query, database, control)
        (self.limit, self.timeLimit) = (limit - outermost.count, timeLimit)
        levels = query.query.groups.map { _ in Level(mayFetchAll: isOutermostComplete) }
        if levels.count > 1 { levels[1].sections = outermost.map { [$0] } }
    }

    /// The groups inside a section. Call it for the sections in the order of the result.
    /// - Parameter room: the maximum number of groups.
    mutating func groups(in section: [GroupValue], room: Int) throws -> (groups: [FetchedGroup], isTruncated: Bool) {
        if let found = fetched.removeValue(forKey: section) { return (found, false) }
        let level = section.count
        if levels[level].mayFetchAll {
            levels[level].mayFetchAll = false
            if let found = try groupsInAllSections(atLevel: level) {
                store(found, sectionCount: levels[level].sections.count, atLevel: level)
                return (fetched.removeValue(forKey: section) ?? [], false)
            }
            // This level has groups that the result lacks, so on deeper levels the server has more groups than the result can show.
            for inner in levels.indices where inner > level { levels[inner].mayFetchAll = false }
        }
        let waiting = levels[level].sections[levels[level].fetchedCount...]
        var count = min(waiting.count, levels[level].sectionCount)
        while count > 1 {
            let part = Array(waiting.prefix(count))
            let statement = try compiling { () throws(SQLLimitations) in try query.innerGroups(in: part, atLevel: level, limit: room) }
            let rows = try rows(statement.statement)
            let found = statement.groupsBySection(rows)
            if !found.isTruncated {
                if statement.mustTestForNaN(rows) { throw NaNFound() }
                let groupCount = found.groups.values.reduce(0) { $0 + $1.count }
                // Assume that the next sections have as many groups as these sections, and request as many as there is room for.
                let next = max(0, room - groupCount - count) * count / max(1, groupCount)
                levels[level].sectionCount = max(1, min(next, 4 * count, Self.sectionLimit))
                store(found.groups, sectionCount: count, atLevel: level)
                return (fetched.removeValue(forKey: section) ?? [], false)
            }
            count /= 4
        }
        let statement = try compiling { () throws(SQLLimitations) in try query.groups(in: section, limit: room) }
        let rows = try rows(statement.statement)
        if statement.mustTestForNaN(rows) { throw NaNFound() }
        let found = statement.groups(rows)
        levels[level].sectionCount = max(1, min(4, max(0, room - found.groups.count - 1) / max(1, found.groups.count)))
        store([section: found.groups], sectionCount: 1, atLevel: level)
        fetched[section] = nil
        return found
    }

    /// Stores the groups in the next sections of a level.
    private mutating func store(_ groups: [[GroupValue]: [FetchedGroup]], sectionCount: Int, atLevel level: Int) {
        let start = levels[level].fetchedCount
        levels[level].fetchedCount += sectionCount
        for section in levels[level].sections[start..<start + sectionCount] {
            let found = groups[section] ?? []
            fetched[section] = found
            if level + 1 < levels.count { levels[level + 1].sections += found.map { section + [$0.value] } }
        }
    }

    /// The groups of a level by their sections. `nil` if there are too many, or if the server does not find them in time.
    private func groupsInAllSections(atLevel level: Int) throws -> [[GroupValue]: [FetchedGroup]]? {
        let statement = try compiling { () throws(SQLLimitations) in try query.innerGroups(in: nil, atLevel: level, limit: limit) }
        do {
            let rows = try rows(statement.statement, timeLimit: timeLimit)
            let found = statement.groupsBySection(rows)
            if found.isTruncated { return nil }
            if statement.mustTestForNaN(rows) { throw NaNFound() }
            return found.groups
        } catch let error as ServerError where error == .timedOut {
            return nil
        }
    }

    private func rows(_ statement: SQLStatement, timeLimit milliseconds: UInt32 = 0) throws -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        try database.stream(statement, timeLimit: milliseconds, isCancelled: { control.isCancelled }) { batch in
            rows += database.values(batch)
            return true
        }
        try ServerError.refuseInvalidText(in: rows)
        return rows
    }
}
