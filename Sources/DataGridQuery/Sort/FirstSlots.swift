/// Finds the first `limit` slots of a sorted order without sorting all slots.
///
/// A sample of the slots is sorted first. None of the first `limit` slots of the order comes after the sample's slot at rank `limit`,
/// because the sample alone has `limit` slots that do not come after it. Therefore, all slots that come after it are skipped. Of millions
/// of slots, only some thousands remain, and the first `limit` of these are selected (R. W. Floyd, R. L. Rivest, "Expected Time Bounds for
/// Selection", 1975).
struct FirstSlots {
    let limit: Int
    let threads: Int
    let control: JobControl
    var sampleSize = 1 << 15

    /// The first `limit` of `slots` in sorted order, or all if there are fewer. Ties keep their order.
    /// - Parameters:
    ///   - slots: the slots to select from; `nil` for 0..<`count`.
    ///   - precedes: true if the first slot comes before the second; false for ties.
    ///   - visit: calls `body` with the slots of `range` that do not come after the slot `last`. `range` is within one block of
    ///     ``rangeSize`` slots. Called only if `slots` is `nil`. It must be faster than comparing slots one by one.
    /// - Complexity: O(`count`), with about one comparison per slot.
    func find(
        _ slots: UnsafeArray<UInt32>?, count: Int, _ precedes: (Int, Int) -> Bool,
        visit: ((_ range: Range<Int>, _ last: Int, _ body: (Int) throws -> Void) throws -> Void)? = nil
    ) throws -> [UInt32] {
        func slot(_ position: Int) -> Int { slots.map { Int($0[position]) } ?? position }
        func isOrdered(_ a: Int, before b: Int) -> Bool {
            if precedes(slot(a), slot(b)) { return true }
            return a < b && !precedes(slot(b), slot(a))
        }
        // The first `limit` positions in sorted order. When 2 × `limit` positions have been collected, the half that sorts later is
        // dropped.
        func first(_ positions: some Sequence<Int>) -> [Int] {
            var best: [Int] = []
            var worst: Int?
            func trim() {
                best.sort { isOrdered($0, before: $1) }
                best.removeLast(max(0, best.count - limit))
            }
            for position in positions {
                if let worst, !isOrdered(position, before: worst) { continue }
                best.append(position)
                guard best.count == 2 * limit else { continue }
                trim()
                worst = best.last
            }
            trim()
            return best
        }
        let size = max(limit, min(sampleSize, count))
        guard limit > 0, count > limit, let edge = first((0..<size).lazy.map { $0 * count / size }).last else {
            return limit > 0 ? first(0..<count).map { UInt32(slot($0)) } : []
        }
        let last = slot(edge)
        let states = try UnsafeArray<Int>(count: max(1, threads), repeating: 0)
        var found = [[Int]](repeating: [], count: max(1, threads))
        try found.withUnsafeMutableBufferPointer { found in
            let found = found.baseAddress!
            try forEachRange(of: count, size: rangeSize, threads: threads, control: control) { thread, range in
                func add(_ position: Int) throws {
                    if !precedes(slot(position), last) {
                        // The result needs at most `limit` slots that are ties with the slot `last`. Each thread visits such slots in
                        // ascending order, so it keeps the first `limit` of them.
                        guard states[thread] < limit else { return }
                        states[thread] += 1
                    }
                    try found[thread].makeRoom()
                    found[thread].append(position)
                }
                if slots == nil, let visit { return try visit(range, last, add) }
                for position in range where !precedes(last, slot(position)) { try add(position) }
            }
        }
        return first(found.joined()).map { UInt32(slot($0)) }
    }
}
