import FieldValues
import Tables

/// The position of the nearest record whose field has other bytes than the field at `start`; `nil` if no record in that direction differs.
/// A missing field differs from an empty one.
/// - Complexity: a scan of the records between `start` and the result, in growing chunks.
func firstDifference(
    in column: Int, of table: any Table, from start: Int, direction: SearchDirection, order: RowSequence = .all, control: JobControl
) throws -> Int? {
    let count = order.count(ofRows: table.recordCount)
    guard 0..<count ~= start else { return nil }
    /// Calls `body` with each of the ascending `positions` and its field until it returns `false`.
    func scan(_ positions: Range<Int>, _ body: (_ position: Int, _ field: FieldBytes) -> Bool) throws {
        var continues = true
        for (position, records) in order.runs(at: positions, rowCount: table.recordCount) where continues {
            try table.scan(records, columns: [column]) { record, fields in
                continues = body(position + record - records.lowerBound, fields[0])
                return continues
            }
        }
    }
    var value: [UInt8]?
    try scan(start..<start + 1) { _, field in
        value = field.isMissing ? nil : Array(field.bytes)
        return false
    }
    let isForward = direction == .forward
    var rest = isForward ? start + 1..<count : 0..<start
    control.begin(total: rest.count)
    // Start with a small chunk, because the next different field is usually near. Later chunks are larger.
    var size = 256
    while !rest.isEmpty {
        try control.checkCancellation()
        let chunk = isForward ? rest.prefix(size) : rest.suffix(size)
        var hit: Int?
        try scan(chunk.startIndex..<chunk.endIndex) { position, field in
            let isSame = field.isMissing ? value == nil : value.map { $0.elementsEqual(field.bytes) } ?? false
            if !isSame { hit = position }
            // A forward search ends at the first difference in a chunk. A backward search reads the whole chunk and uses the last one.
            return isSame || !isForward
        }
        if let hit { return hit }
        control.advance(by: chunk.count)
        rest = isForward ? chunk.endIndex..<count : 0..<chunk.startIndex
        size = min(1 << 16, size * 4)
    }
    return nil
}

extension RowSequence {
    /// The rows at some positions, divided into runs of consecutive rows, each with the position of its first row. O(positions) for lists.
    func runs(at positions: Range<Int>, rowCount: Int) -> [(position: Int, rows: Range<Int>)] {
        var found: [(position: Int, rows: Range<Int>)] = []
        var start = 0
        switch self {
        case .runs(let runs):
            for run in runs {
                let rows = run.clamped(to: 0..<rowCount)
                let overlap = positions.clamped(to: start..<start + rows.count)
                let shift = rows.lowerBound - start
                if !overlap.isEmpty { found.append((overlap.lowerBound, overlap.lowerBound + shift..<overlap.upperBound + shift)) }
                start += rows.count
            }
        case .list(let list, let ranges):
            for range in ranges {
                let overlap = positions.clamped(to: start..<start + range.count)
                let shift = range.lowerBound - start
                for (position, row) in zip(overlap, list.numbers(at: overlap.lowerBound + shift..<overlap.upperBound + shift)) {
                    if let last = found.last, last.rows.upperBound == row {
                        found[found.count - 1].rows = last.rows.lowerBound..<row + 1
                    } else {
                        found.append((position, row..<row + 1))
                    }
                }
                start += range.count
            }
        }
        return found
    }
}
