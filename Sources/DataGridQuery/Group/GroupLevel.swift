import FieldValues
import Tables

/// A column that forms a level of groups. Records with the same rank on all levels are a group, and ranks are in the order of groups.
struct GroupLevel {
    let column: NumberedColumn
    /// The group rank of each field number of ``column``. Empty if the only level is a raw column, where ``runs`` has the groups.
    let ranks: [UInt32]
    /// The slots of a raw column, sorted by field; `nil` for other columns.
    let runs: FieldRuns?

    /// - Parameter isOnlyLevel: true if this is the only level and all slots are grouped in ascending order. Ranks are then not needed.
    init(_ column: NumberedColumn, _ key: ResolvedGroupKey, isOnlyLevel: Bool, threads: Int, control: JobControl) throws {
        self.column = column
        let isDescending = key.order == .value && key.isDescending
        let runs = try column.raw.map { try FieldRuns($0, key.ordering, isDescending: isDescending, threads: threads, control: control) }
        self.runs = runs
        ranks =
            if let runs { isOnlyLevel ? [] : try runs.ranks(control: control) } else {
                try column.fields.groupRanks(key.ordering, isDescending: isDescending, threads: threads, control: control)
            }
    }

    @inline(__always)
    func rank(_ slot: Int) -> UInt32 { ranks[column.number(slot)] }

    /// The slots in the order of their ranks. Slots with equal ranks stay in the order of `slots` (`nil` for ascending).
    func sorted(_ slots: UnsafeArray<UInt32>?, count: Int, threads: Int, control: JobControl) throws -> UnsafeArray<UInt32> {
        if slots == nil, let runs { return runs.slots }
        let keys = try RankKeys(column, ranks: ranks)
        return try SlotSort(threads: threads, control: control).sort(slots, count: count, keys: keys, isDescending: false)
    }

    /// The number of selected records with each rank.
    func counts(_ selection: RecordSelection, threads: Int, control: JobControl) throws -> [UInt32] {
        let fields = ranks.count
        let threads = max(1, threads)
        let threadCounts = try UnsafeArray<UInt32>(count: threads * fields, repeating: 0)
        try forEachRange(of: selection.positionCount, threads: threads, control: control) { thread, range in
            let counts = threadCounts.base + thread * fields
            if let numbers = column.numbers?.base, selection.slots == nil {
                for slot in range { counts[Int(numbers[slot])] += 1 }
            } else {
                for position in range { counts[column.number(selection.slots.map { Int($0[position]) } ?? position)] += 1 }
            }
        }
        var counts = try [UInt32](count: fields, threads: threads, control: control) { _ in 0 }
        for number in 0..<fields {
            try control.checkCancellation(at: number)
            for thread in 0..<threads { counts[Int(ranks[number])] += threadCounts[thread * fields + number] }
        }
        return counts
    }

    /// For each rank, the number of a field that has it.
    func fieldNumbersByRank(threads: Int, control: JobControl) throws -> [UInt32] {
        var numbers = try [UInt32](count: ranks.count, threads: threads, control: control) { _ in 0 }
        for number in ranks.indices {
            try control.checkCancellation(at: number)
            numbers[Int(ranks[number])] = UInt32(number)
        }
        return numbers
    }
}

/// Finds the groups in records that are sorted by all levels.
struct GroupFinder {
    let levels: [GroupLevel]
    let selection: RecordSelection
    let threads: Int
    let control: JobControl

    /// - Parameter order: the slots of the records, sorted by all levels.
    func groups(_ order: UnsafeArray<UInt32>) throws -> GroupList {
        let fields = levels.map(\.column.fields)
        guard !levels.isEmpty, selection.positionCount > 0 else {
            return GroupList(starts: [0], levels: [], fieldNumbers: [], fields: fields)
        }
        return levels.count == 1 ? try groupsOfOneLevel(fields) : try groupsOfLevels(order, fields)
    }

    private func groupsOfOneLevel(_ fields: [any FieldList]) throws -> GroupList {
        if let runs = levels[0].runs, selection.slots == nil {
            let starts = runs.starts
            let numbers = try [UInt32](count: starts.count - 1, threads: threads, control: control) { runs.slots[Int(starts[$0])] }
            return GroupList(starts: starts, levels: [], fieldNumbers: numbers, fields: fields)
        }
        let counts = try levels[0].counts(selection, threads: threads, control: control)
        let fieldNumbersByRank = try levels[0].fieldNumbersByRank(threads: threads, control: control)
        let count = counts.count { $0 > 0 }
        var (starts, numbers) = (try [UInt32](reserving: count + 1), try [UInt32](reserving: count))
        var start: UInt32 = 0
        for rank in counts.indices {
            try control.checkCancellation(at: rank)
            guard counts[rank] > 0 else { continue }
            starts.append(start)
            numbers.append(fieldNumbersByRank[rank])
            start += counts[rank]
        }
        starts.append(start)
        return GroupList(starts: starts, levels: [], fieldNumbers: numbers, fields: fields)
    }

    /// Finds the groups. A group starts where a field differs from the field of the previous row. A change at one level starts a group at
    /// that level and one at each inner level.
    private func groupsOfLevels(_ order: UnsafeArray<UInt32>, _ fields: [any FieldList]) throws -> GroupList {
        /// The positions in `order` where groups start, each with the outermost level at which a group starts.
        typealias Changes = [(position: UInt32, level: UInt8)]
        let count = selection.positionCount
        var found = [Changes](repeating: [], count: (count + rangeSize - 1) / rangeSize)
        try found.withUnsafeMutableBufferPointer { found in
            let found = found.baseAddress!
            try forEachRange(of: count, threads: threads, control: control) { _, range in
                var changes: Changes = []
                var position = range.lowerBound
                while position < range.upperBound {
                    if let level = position == 0 ? 0 : firstChangedLevel(at: position, order) {
                        try changes.makeRoom()
                        changes.append((UInt32(position), UInt8(level)))
                    }
                    position = endOfRun(from: position, upTo: range.upperBound, order)
                }
                found[range.lowerBound / rangeSize] = changes
            }
        }
        var groupCount = 0
        for changes in found {
            try control.checkCancellation()
            for change in changes { groupCount += levels.count - Int(change.level) }
        }
        var (starts, numbers) = (try [UInt32](reserving: groupCount + 1), try [UInt32](reserving: groupCount))
        var levelOfGroup = try [UInt8](reserving: groupCount)
        for changes in found {
            try control.checkCancellation()
            for (position, outermost) in changes {
                let slot = Int(order[Int(position)])
                for level in Int(outermost)..<levels.count {
                    starts.append(position)
                    levelOfGroup.append(UInt8(level))
                    numbers.append(UInt32(levels[level].column.number(slot)))
                }
            }
        }
        starts.append(UInt32(count))
        let ends = try GroupList.ends(levelOfGroup, control: control)
        return GroupList(starts: starts, levels: levelOfGroup, fieldNumbers: numbers, fields: fields, ends: ends)
    }

    /// The outermost level on which the row at `position` and the previous row are in different groups; `nil` if both rows are in the same
    /// group on all levels.
    private func firstChangedLevel(at position: Int, _ order: UnsafeArray<UInt32>) -> Int? {
        let (slot, before) = (Int(order[position]), Int(order[position - 1]))
        return levels.indices.first { levels[$0].rank(slot) != levels[$0].rank(before) }
    }

    /// The end of the run of rows that are in the same groups as the row at `start`. It is found by exponential and binary search.
    private func endOfRun(from start: Int, upTo end: Int, _ order: UnsafeArray<UInt32>) -> Int {
        let first = Int(order[start])
        func isSame(_ position: Int) -> Bool {
            let slot = Int(order[position])
            return levels.indices.allSatisfy { levels[$0].rank(slot) == levels[$0].rank(first) }
        }
        var step = 1
        var same = start
        while same + step < end, isSame(same + step) {
            same += step
            step *= 2
        }
        return (same + 1..<min(end, same + step)).partitioningIndex { !isSame($0) }
    }
}
