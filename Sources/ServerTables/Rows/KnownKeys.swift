import FieldValues
import SQLTables

/// The known keys of rows of an order, sorted by position, with at most one key for each position. Other rows are found from these keys.
struct KnownKeys: Sendable {
    /// A row whose position and key are known. If `isFirstKey` is true, `key` contains only a first sort key, and the first row with that
    /// sort key is at `position` + 1.
    struct Anchor: Hashable, Sendable {
        var position: Int
        var key: RowKey
        var isFirstKey = false
    }

    private(set) var anchors: [Anchor] = []
    /// True if keys at equal distances are known, are being fetched, or took too long to fetch.
    var hasSpacedKeys = false

    /// Once this many keys are known, the keys of further pages are not kept.
    private static let limit = 100_000

    /// The index of the first anchor at or after a position. O(log anchors).
    private func index(of position: Int) -> Int { anchors.indices.partitioningIndex { anchors[$0].position >= position } }

    // MARK: Adding

    /// Adds an anchor, or replaces the anchor at the same position. Does nothing once too many keys are known.
    mutating func add(_ anchor: Anchor) {
        guard anchors.count < Self.limit else { return }
        let index = index(of: anchor.position)
        if index < anchors.count, anchors[index].position == anchor.position {
            anchors[index] = anchor
        } else {
            anchors.insert(anchor, at: index)
        }
    }

    /// Adds anchors that are sorted by position. Existing anchors at the same positions stay.
    mutating func merge(_ found: [Anchor]) {
        var merged: [Anchor] = []
        merged.reserveCapacity(found.count + anchors.count)
        var next = 0
        for anchor in anchors {
            while next < found.count, found[next].position < anchor.position {
                merged.append(found[next])
                next += 1
            }
            if next < found.count, found[next].position == anchor.position { next += 1 }
            merged.append(anchor)
        }
        anchors = merged + found[next...]
    }

    // MARK: Finding

    /// The key of the row at a position; `nil` if it is not known.
    func key(at position: Int) -> RowKey? {
        let index = index(of: position)
        guard index < anchors.count, anchors[index].position == position, !anchors[index].isFirstKey else { return nil }
        return anchors[index].key
    }

    /// The last anchor before a position; `nil` if its row is before `start`.
    func nearest(before position: Int, from start: Int) -> Anchor? {
        let index = index(of: position) - 1
        return index >= 0 && anchors[index].position >= start ? anchors[index] : nil
    }

    /// The first anchor at or after a position; `nil` if it has only a first sort key, from which no earlier rows can be found.
    func nearest(notBefore position: Int) -> Anchor? {
        let index = index(of: position)
        return index < anchors.count && !anchors[index].isFirstKey ? anchors[index] : nil
    }

    /// The number of rows between a position and the nearest anchor, the start of the order, or its end.
    /// - Parameter count: the number of all rows.
    func distance(to position: Int, ofRows count: Int) -> Int {
        let before = position - (nearest(before: position, from: 0)?.position ?? 0)
        let after = (nearest(notBefore: position)?.position ?? count) - position
        return min(before, after)
    }

    /// The cheapest request for rows of a section: from the start of the section, after a known row, before a known row, or from the end of
    /// the section.
    /// - Parameters:
    ///   - start: the position of the first row of the section.
    ///   - end: the end of the section; `nil` if it is not known.
    ///   - forwardOnly: true to exclude requests that return rows in reverse order.
    /// - Returns: the request, and the number of rows to skip from its start.
    func request(for rows: Range<Int>, from start: Int, end: Int?, forwardOnly: Bool) -> (request: PageRequest, skipped: Int) {
        var best = (request: PageRequest.first(rows.count), skipped: rows.lowerBound - start)
        if let anchor = nearest(before: rows.lowerBound, from: start) {
            let skipped = rows.lowerBound - anchor.position - 1
            // For the same number of skipped rows, a page after a key costs less than a page from the start.
            if skipped <= best.skipped {
                best = (
                    anchor.isFirstKey ? .from(firstKeyValues: [anchor.key.values[0]], count: rows.count) : .after(anchor.key, rows.count),
                    skipped
                )
            }
        }
        guard !forwardOnly else { return best }
        if let anchor = nearest(notBefore: rows.upperBound), anchor.position < end ?? .max {
            let skipped = anchor.position - rows.upperBound
            if skipped < best.skipped { best = (.before(anchor.key, rows.count), skipped) }
        }
        if let end, end - rows.upperBound < best.skipped { best = (.last(rows.count), end - rows.upperBound) }
        return best
    }
}
