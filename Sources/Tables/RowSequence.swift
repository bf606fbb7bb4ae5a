public import FieldValues

/// The rows of a table in display order.
public enum RowSequence: Sendable {
    /// Ranges of consecutive rows, one after another. The last range may extend beyond the end of the table.
    case runs([Range<Int>])
    /// A list of row numbers. Only the elements at the indices in `ranges` are rows of the sequence, in the order of `ranges`.
    case list(RowNumbers, ranges: [Range<Int>])

    /// All rows in table order.
    public static let all = RowSequence.runs([0..<Int.max])

    /// Creates a sequence from a list of rows.
    public init(_ rows: RowNumbers) { self = rows.consecutive.map { .runs([$0]) } ?? .list(rows, ranges: [0..<rows.count]) }

    /// The number of rows of the sequence in a table of `rowCount` rows. O(ranges).
    public func count(ofRows rowCount: Int) -> Int {
        switch self {
        case .runs(let runs): runs.reduce(0) { $0 + ($1.upperBound == .max ? $1.clamped(to: 0..<rowCount) : $1).count }
        case .list(_, let ranges): ranges.reduce(0) { $0 + $1.count }
        }
    }

    /// The row numbers as a list; `nil` for ``runs(_:)``. O(1) if the sequence is a whole list, otherwise O(count).
    public var rows: RowNumbers? {
        guard case .list(let list, let ranges) = self else { return nil }
        if ranges == [0..<list.count] { return list }
        if case .short(let rows) = list.form { return RowNumbers(ranges.flatMap { rows[$0] }) }
        return RowNumbers(.long(ranges.flatMap { list.numbers(at: $0) }))
    }

    /// Calls `body` with each position and the row at it, until `body` returns `false`. Does nothing for ``runs(_:)``. O(count), without
    /// copying.
    public func forEachRow(while body: (_ position: Int, _ row: Int) throws -> Bool) rethrows {
        guard case .list(let list, let ranges) = self else { return }
        if ranges == [0..<list.count] { return try list.forEach(while: body) }
        for (position, index) in ranges.joined().enumerated() where try !body(position, list[index]) { return }
    }
}
