public import DataGridQuery
import EngineProtocol
public import FieldValues
import SQLTables
public import Tables

extension ServerQueryEngine {
    /// Asks the server for the nearest matching row, then for the number of rows before it. Rows without a key are read until one matches.
    /// - Throws: ``ServerError``, in addition to the errors of every query engine.
    public func firstMatch(
        of search: TextSearch, in table: any Table, order: RowSequence, from start: Int, direction: SearchDirection, control: JobControl
    ) throws -> SearchMatch? {
        guard let server = server(table) else {
            return try local.firstMatch(of: search, in: table, order: order, from: start, direction: direction, control: control)
        }
        return try Self.interruptible {
            let (order, rows) = try self.order(of: order, in: server)
            guard !rows.isEmpty, let condition = search.condition(columnCount: server.columnCount) else { return nil }
            let isBackward = direction == .backward
            let isInside = (0..<rows.count).contains(start)
            let start = isInside ? start : isBackward ? rows.count - 1 : 0
            guard order.query.hasUniqueOrder else {
                // The number of rows may be unknown, so a forward search also reads rows after the last known row.
                var end = rows.count
                if !order.knownRowCount.isComplete {
                    end = isBackward ? try count(order, in: server, control) : max(end, Self.searchLimit)
                }
                for range in isBackward ? [0..<start + 1, start + 1..<max(start + 1, end)] : [start..<end, 0..<start] {
                    if let match = try firstMatch(of: search, reading: range, of: order, in: server, isBackward: isBackward, control) {
                        order.addKnownRows(upTo: match.position + 1)
                        return match
                    }
                }
                return nil
            }
            var found = try order.firstMatch(condition, from: start, isBackward: isBackward) { control.isCancelled }
            if found == nil, isBackward ? start < rows.count - 1 : start > 0 {
                found = try order.firstMatch(condition, from: isBackward ? rows.count - 1 : 0, isBackward: isBackward) {
                    control.isCancelled
                }
            }
            guard let found else { return nil }
            order.addKnownRows(upTo: found.position + 1)
            let columns = search.columns ?? Array(0..<server.columnCount)
            let record = Record(found.row)
            let texts = columns.map { record[$0]?.text ?? "" }
            let match = search.matchIndices(in: texts).first ?? 0
            return SearchMatch(
                position: found.position, record: ServerSnapshot.firstRow(ofOrder: order.number) + found.position, column: columns[match])
        }
    }

    /// The maximum number of rows to search before the rows are counted.
    private static let searchLimit = Int(UInt32.max)

    private func count(_ order: ServerOrder, in server: ServerSnapshot, _ control: JobControl) throws -> Int {
        let statement = try compiling { () throws(SQLLimitations) in try order.query.count() }
        return try server.source.database.fetchNumber(statement) { control.isCancelled }
    }

    /// Reads rows until one matches. The position of a row without a key is known only by counting the rows before it.
    private func firstMatch(
        of search: TextSearch, reading positions: Range<Int>, of order: ServerOrder, in server: ServerSnapshot, isBackward: Bool,
        _ control: JobControl
    ) throws -> SearchMatch? {
        let columns = (search.columns ?? Array(0..<server.columnCount)).filter { (0..<server.columnCount).contains($0) }
        guard !positions.isEmpty, !columns.isEmpty else { return nil }
        let first = ServerSnapshot.firstRow(ofOrder: order.number)
        var found: SearchMatch?
        var texts: [String] = []
        var start = positions.lowerBound
        /// Searches the collected texts. A backward search reads rows forwards, so it keeps the last match.
        func searchTexts() {
            let hits = search.matchIndices(in: texts)
            if let hit = isBackward ? hits.last : hits.first {
                let row = hit / columns.count
                let firstHit = hits.first { $0 / columns.count == row } ?? hit
                found = SearchMatch(position: start + row, record: first + start + row, column: columns[firstHit % columns.count])
            }
            start += texts.count / columns.count
            texts = []
        }
        try order.scan(positions, fields: columns.map { FieldID(rawValue: $0) }, isCancelled: { control.isCancelled }) { _, batch in
            batch.forEachRow(columns: columns.count) { _, fields in
                texts += fields.map { $0.isMissing ? "" : String(decoding: $0.bytes, as: UTF8.self) }
                if texts.count >= 1_000 * columns.count { searchTexts() }
                return isBackward || found == nil
            }
        }
        try control.checkCancellation()
        if isBackward || found == nil { searchTexts() }
        return found
    }

    /// The maximum number of matches whose positions are kept.
    static let matchLimit = 1_000_000

    /// Asks the server for the positions of all matching rows, in one scan. If there are more than ``matchLimit``, another scan
    /// counts them.
    /// - Throws: ``ServerError``, in addition to the errors of every query engine.
    public func positions(
        matching search: TextSearch, in table: any Table, order: RowSequence, control: JobControl, report: @Sendable (Int) -> Void
    ) throws -> RowNumbers {
        guard let server = server(table) else {
            return try local.positions(matching: search, in: table, order: order, control: control, report: report)
        }
        return try Self.interruptible {
            let (order, _) = try self.order(of: order, in: server)
            guard let condition = search.condition(columnCount: server.columnCount) else { return RowNumbers([]) }
            // In sections, or without a definite order of rows, the server cannot number the matches.
            guard order.query.hasUniqueOrder, !order.segments.isGrouped else { throw JobCancelled() }
            let statement = try compiling { () throws(SQLLimitations) in try order.query.numbers(ofRowsMatching: condition) }
            var positions: [Int] = []
            try server.source.database.stream(statement, isCancelled: { control.isCancelled }) { batch in
                for row in 0..<batch.rowCount {
                    if let number = batch.text(row: row, column: 0).flatMap({ Int($0) }) { positions.append(number) }
                }
                report(positions.count)
                return positions.count <= Self.matchLimit
            }
            guard positions.count <= Self.matchLimit else {
                positions = []
                let count = try compiling { () throws(SQLLimitations) in try order.query.count(matching: condition) }
                throw TooManyMatches(count: try server.source.database.fetchNumber(count) { control.isCancelled })
            }
            return RowNumbers(positions, ofRows: order.knownRowCount.count)
        }
    }

    /// Reads rows until the value of the field differs.
    /// - Throws: ``ServerError``, in addition to the errors of every query engine.
    public func firstDifference(
        in field: FieldID, of table: any Table, order: RowSequence, from start: Int, direction: SearchDirection, control: JobControl
    ) throws -> Int? {
        guard let server = server(table) else {
            return try local.firstDifference(in: field, of: table, order: order, from: start, direction: direction, control: control)
        }
        return try Self.interruptible {
            let (order, rows) = try self.order(of: order, in: server)
            let first = ServerSnapshot.firstRow(ofOrder: order.number)
            guard (0..<rows.count).contains(start) else { return nil }
            var value: [UInt8]??
            var found: Int?
            func findDifferentValue(_ positions: Range<Int>, isBackward: Bool) throws {
                var last: Int?
                // Use the table as the user sees it, because the server table lacks derived fields.
                try table.scan(first + positions.lowerBound..<first + positions.upperBound, columns: [field.rawValue]) { record, fields in
                    let bytes = fields[0].isMissing ? nil : Array(fields[0].bytes)
                    if case .some(let known) = value {
                        if bytes != known {
                            if !isBackward {
                                found = record - first
                                return false
                            }
                            last = record - first
                        }
                    } else {
                        value = .some(bytes)
                    }
                    return !control.isCancelled
                }
                if isBackward { found = last }
            }
            if direction == .forward {
                try findDifferentValue(start..<rows.count, isBackward: false)
            } else {
                try findDifferentValue(start..<start + 1, isBackward: false)
                var end = start
                while end > 0, found == nil {
                    try control.checkCancellation()
                    let begin = max(0, end - 10_000)
                    try findDifferentValue(begin..<end, isBackward: true)
                    end = begin
                }
            }
            try control.checkCancellation()
            return found
        }
    }
}

extension TextSearch {
    /// The condition that is true for rows with a match; `nil` if no row can match.
    fileprivate func condition(columnCount: Int) -> Formula? {
        let columns = (columns ?? Array(0..<columnCount)).filter { (0..<columnCount).contains($0) }
        let tests = columns.map { column -> Formula in
            let field = Formula.field(FieldID(rawValue: column))
            switch needle {
            case .text(let text, let isCaseSensitive):
                return .call(isCaseSensitive ? .contains : .containsIgnoringCase, [field, .constant(.text(text))])
            case .pattern(let pattern):
                return .call(pattern.ignoresCase ? .matchesIgnoringCase : .matches, [field, .constant(.text(pattern.text))])
            }
        }
        if case .text(let text, _) = needle, text.isEmpty { return nil }
        return tests.count > 1 ? .call(.or, tests) : tests.first
    }
}
