import FieldValues

/// Rows moved by hand: an order in runs that stand in another sequence.
///
/// The order beneath is shared and never written out, so ten million rows of which some were moved take a few ranges.
public struct MovedRows: Equatable, Sendable {
    /// The order beneath; no moved one itself.
    public let base: RowOrder
    /// Positions in ``base``, in the sequence in which they stand now. Together they are all of it, each position once.
    public let runs: [Range<Int>]
    private let starts: [Int]

    private init(base: RowOrder, runs: [Range<Int>]) {
        self.base = base
        self.runs = runs.joinedRuns
        var next = 0
        starts = self.runs.map { run in
            defer { next += run.count }
            return next
        }
    }

    /// The rows at each of `runs` of `base`, one run after the other; `nil` unless they are all rows, each once. O(runs log runs).
    init?(base: RowOrder, checking runs: [Range<Int>]) {
        var next = 0
        for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard run.lowerBound == next, !run.isEmpty else { return nil }
            next = run.upperBound
        }
        guard next == base.count else { return nil }
        self.init(base: base, runs: runs)
    }

    subscript(position: Int) -> RowID {
        let run = index(at: position)
        return base[runs[run].lowerBound + position - starts[run]]
    }

    /// The position of a row; O(runs), and what it takes to find it in the order beneath.
    func position(of row: RowID) -> Int? {
        guard let there = base.position(of: row), let run = runs.firstIndex(where: { $0.contains(there) }) else { return nil }
        return starts[run] + there - runs[run].lowerBound
    }

    private func index(at position: Int) -> Int { starts.indices.partitioningIndex { starts[$0] > position } - 1 }

    // MARK: Moving

    /// The order after a move; the one beneath when everything is back in its place. O(runs).
    static func order(_ order: RowOrder, after move: RowMove) -> RowOrder {
        let old: MovedRows
        if case .moved(let rows) = order { old = rows } else { old = MovedRows(base: order, runs: [0..<order.count]) }
        let pieces = [0..<move.first.lowerBound, move.second, move.first, move.second.upperBound..<old.base.count]
        let new = MovedRows(base: old.base, runs: pieces.flatMap { old.runs(at: $0) })
        return new.runs.count > 1 ? .moved(new) : new.base
    }

    private func runs(at positions: Range<Int>) -> [Range<Int>] {
        guard !positions.isEmpty else { return [] }
        return (index(at: positions.lowerBound)...index(at: positions.upperBound - 1)).map { run in
            let shift = runs[run].lowerBound - starts[run]
            let seen = positions.clamped(to: starts[run]..<starts[run] + runs[run].count)
            return seen.lowerBound + shift..<seen.upperBound + shift
        }
    }

    /// With the rows that have come at the end of the source; `nil` when the order beneath is not the source's, or rows have gone. O(runs).
    public func grown(to count: Int) -> MovedRows? {
        guard case .natural(let old) = base, count >= old else { return nil }
        return MovedRows(base: .natural(count: count), runs: runs + [old..<count])
    }
}

/// Two runs of positions that stand side by side change places: that is what moving rows comes to.
struct RowMove {
    let first: Range<Int>
    let second: Range<Int>

    /// Moves the rows of `range` so that the first of them stands at `target` afterwards.
    init(_ range: Range<Int>, to target: Int) {
        if target < range.lowerBound {
            (first, second) = (target..<range.lowerBound, range)
        } else {
            (first, second) = (range, range.upperBound..<target + range.count)
        }
    }

    /// Where what stood at `position` stands afterwards.
    func position(after position: Int) -> Int {
        if first.contains(position) { return position + second.count }
        return second.contains(position) ? position - first.count : position
    }

    /// Where what stood in `range` stands afterwards, ascending.
    func ranges(after range: Range<Int>) -> [Range<Int>] {
        range.parts(between: [first.lowerBound, second.lowerBound, second.upperBound], at: position(after:))
    }
}
