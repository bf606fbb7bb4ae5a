import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables
import Synchronization

/// Looking for rows, in the order in which they are shown.
struct FindWork: Sendable {
    let table: any Table
    /// The order in which the records are shown.
    let rows: RowOrder
    let threads: Int

    /// The number of positions; as in the file, all that are read by now.
    var count: Int { isNatural ? table.recordCount : rows.count }

    private var isNatural: Bool {
        switch rows {
        case .natural, .spliced: true
        case .permuted, .moved: false
        }
    }

    /// The next row that matches, round the end if need be.
    /// - Parameter start: a position; it counts itself only when `includingStart`.
    func first(
        _ search: TextSearch, from start: Int, isForward: Bool, includingStart: Bool, _ control: JobControl
    ) throws -> (match: SearchMatch, wrapped: Bool)? {
        let from = includingStart ? start : isForward ? start + 1 : start - 1
        guard
            let match = try firstMatch(
                of: search, in: table, from: from, direction: isForward ? .forward : .backward, order: rows.sequence, threads: threads,
                control: control)
        else { return nil }
        return (match, isForward ? match.position < from : match.position > from)
    }

    /// The positions of all rows that match, ascending.
    /// - Parameter report: told how many there are so far, on any thread.
    func all(_ search: TextSearch, _ control: JobControl, report: @Sendable (Int) -> Void) throws -> RowNumbers {
        try findPositions(matching: search, in: table, order: rows.sequence, threads: threads, control: control, report: report)
    }

    /// The next row whose value in `column` is another one than at `start`; `nil` when there is none in that direction.
    func firstDifferent(column: Int, from start: Int, isForward: Bool, _ control: JobControl) throws -> Int? {
        guard start >= 0, start < count else { return nil }
        var value: [UInt8]?
        try scan(start..<start + 1, column) { _, field in
            value = field.isMissing ? nil : Array(field.bytes)
            return false
        }
        control.begin(total: isForward ? count - start : start)
        // Pieces grow: the next value is near more often than not.
        var piece = 256
        var position = isForward ? start + 1 : start
        while isForward ? position < count : position > 0 {
            try control.checkCancellation()
            let range = isForward ? position..<min(count, position + piece) : max(0, position - piece)..<position
            var hit: Int?
            try scan(range, column) { position, field in
                let isSame = field.isMissing ? value == nil : value.map { $0.elementsEqual(field.bytes) } ?? false
                if !isSame { hit = position }
                // Backwards it is the last one of the piece that counts.
                return isSame || !isForward
            }
            if let hit { return hit }
            control.advance(by: range.count)
            position = isForward ? range.upperBound : range.lowerBound
            piece = min(1 << 16, piece * 4)
        }
        return nil
    }

    /// Reads one column of the rows at `positions`, in order; rows that stand side by side in the file are read at once.
    private func scan(_ positions: Range<Int>, _ column: Int, _ body: (_ position: Int, _ field: FieldBytes) -> Bool) throws {
        if isNatural { return try table.scan(positions, columns: [column]) { record, fields in body(record, fields[0]) } }
        var goesOn = true
        var position = positions.lowerBound
        while goesOn, position < positions.upperBound {
            let records = rows.consecutive(from: position, upTo: positions.upperBound)
            try table.scan(records, columns: [column]) { record, fields in
                goesOn = body(position + record - records.lowerBound, fields[0])
                return goesOn
            }
            position += records.count
        }
    }
}

/// All matches of a search, for "3/12".
struct MatchIndex {
    let search: Search
    let rows: RowOrder
    /// The positions that match, ascending.
    let positions: RowNumbers

    /// Which match is at `position`, from 1; `nil` when none is.
    func rank(of position: Int) -> Int? {
        let place = positions.partition(from: position)
        return place < positions.count && positions[place] == position ? place + 1 : nil
    }
}
