public import FieldValues

/// Rows of a table in the order in which they are shown.
public enum RowSequence: Sendable {
    /// Runs of rows that follow each other in the table. The last run may end behind the table.
    case runs([Range<Int>])
    /// Rows of a list, at these places of it.
    case list(RowNumbers, places: [Range<Int>])

    /// All rows, as they stand in the table.
    public static let all = RowSequence.runs([0..<Int.max])

    /// The rows of a list.
    public init(_ rows: RowNumbers) { self = .list(rows, places: [0..<rows.count]) }

    /// How many rows there are, in a table of `rowCount`. O(runs).
    public func count(ofRows rowCount: Int) -> Int {
        switch self {
        case .runs(let runs): runs.reduce(0) { $0 + $1.clamped(to: 0..<rowCount).count }
        case .list(_, let places): places.reduce(0) { $0 + $1.count }
        }
    }

    /// The rows as a list of their own; `nil` for runs. O(1), but O(count) where a list is not taken whole.
    public var rows: RowNumbers? {
        guard case .list(let list, let places) = self else { return nil }
        if places == [0..<list.count] { return list }
        if case .short(let rows) = list.form { return RowNumbers(places.flatMap { rows[$0] }) }
        return RowNumbers(.long(places.flatMap { list.numbers(at: $0) }))
    }

    /// Calls `body` with each position and its row, until it answers `false`; not for runs. O(count), and nothing is copied.
    public func forEachRow(while body: (_ position: Int, _ row: Int) throws -> Bool) rethrows {
        guard case .list(let list, let places) = self else { return }
        if places == [0..<list.count] { return try list.forEach(while: body) }
        for (position, place) in places.joined().enumerated() where try !body(position, list[place]) { return }
    }
}
