import Tables
import FieldValues

/// Computes the aggregates of all groups.
struct AggregateJob {
    let columns: LoadedColumns
    let threads: Int
    let control: JobControl

    private var selection: RecordSelection { columns.selection }

    /// The columns to read for the given aggregates.
    static func requests(_ requests: [AggregateRequest]) -> [LoadedColumns.Request] {
        requests.compactMap { $0.function == .distinct ? LoadedColumns.Request(column: $0.column, form: .numbers) : nil }
            + requests.filter(\.function.needsValues).map(valueRequest)
    }

    /// The column to read as values for an aggregate such as a sum.
    static func valueRequest(_ request: AggregateRequest) -> LoadedColumns.Request {
        // The only such aggregate of a text column is the count of its fields. The count is the same for every kind, so `.decimal` is used.
        let kind = request.kind == .text ? .decimal : request.kind
        return LoadedColumns.Request(
            column: request.column, form: .values(SortOrdering(kind: kind, notation: request.notation, dateNotation: request.dateNotation)))
    }

    /// The values of all aggregates of all groups, group by group.
    /// - Parameter order: the slots of the records, sorted by group.
    func values(_ requests: [AggregateRequest], order: UnsafeArray<UInt32>, groups: GroupList, levels: [GroupLevel]) throws
        -> [AggregateValue]
    {
        let count = requests.count * groups.count
        guard count > 0 else { return [] }
        var values = try [AggregateValue](count: count, threads: threads, control: control) { _ in .none }
        try values.withUnsafeMutableBufferPointer { values in
            let values = values.baseAddress!
            // Aggregates that need the same column are computed together.
            var requested: [LoadedColumns.Request: [Int]] = [:]
            for (index, request) in requests.enumerated() where request.function.needsValues {
                requested[Self.valueRequest(request), default: []].append(index)
            }
            control.begin(total: requested.count + requests.count { !$0.function.needsValues })
            for (source, indices) in requested {
                defer { control.advance(by: 1) }
                guard let vector = columns.values(source) else { continue }
                let isTemporal = requests[indices[0]].kind.isTemporal
                let scale = AggregateScale(vector, isTemporal: isTemporal)
                let requested = indices.filter { requests[$0].function.isDefined(for: requests[$0].kind) }
                    .map { (index: $0, function: requests[$0].function) }
                let width = requests.count
                let running = requested.filter { !$0.function.needsWholeGroup }
                if !running.isEmpty {
                    try forEachGroup(vector, order, groups, levels) { group, aggregates in
                        for (index, function) in running { values[group * width + index] = aggregates.value(function, scale) }
                    }
                }
                for (index, function) in running where function == .share { try convertSumsToShares(values + index, width, groups) }
                let whole = requested.filter(\.function.needsWholeGroup)
                if !whole.isEmpty {
                    let spread = ValueSpread(Quantiles(vector.representation, isTemporal: isTemporal), whole.map(\.function))
                    try forEachSpread(spread, vector, order, groups) { group, found in
                        for (index, value) in found.enumerated() { values[group * width + whole[index].index] = value }
                    }
                }
            }
            for (index, request) in requests.enumerated() where !request.function.needsValues {
                defer { control.advance(by: 1) }
                switch request.function {
                case .distinct:
                    try countDistinct(request.column, order, groups, levels.count) { group, count in
                        values[group * requests.count + index] = .integer(count)
                    }
                case .first, .last:
                    try forEachFirstOrLastSlot(isLast: request.function == .last, order, groups, levels.count) { group, slot in
                        values[group * requests.count + index] = .record(selection.record(at: slot))
                    }
                // Computed from typed values above.
                case .count, .sum, .mean, .min, .max, .share, .standardDeviation: break
                case .median, .p5, .p10, .p25, .p75, .p90, .p95, .p99: break
                }
            }
        }
        return values
    }

    /// Calls `body` with each group and the slot of its first or last record, in the order that the rows had before grouping.
    ///
    /// With several levels, the rows of an outer group are sorted by inner group, so they are no longer in that order.
    private func forEachFirstOrLastSlot(
        isLast: Bool, _ order: UnsafeArray<UInt32>, _ groups: GroupList, _ levels: Int, _ body: (Int, Int) -> Void
    ) throws {
        var positions: UnsafeArray<UInt32>?
        if levels > 1, let slots = selection.slots {
            let all = try UnsafeArray<UInt32>(count: selection.slotCount)
            for (position, slot) in slots.enumerated() {
                try control.checkCancellation(at: position)
                all[Int(slot)] = UInt32(position)
            }
            positions = all
        }
        func isBetter(_ slot: Int, than other: Int) -> Bool {
            let (a, b) = positions.map { (Int($0[slot]), Int($0[other])) } ?? (slot, other)
            return isLast ? a > b : a < b
        }
        // Go from the last group to the first. Inner groups are then complete before the group that contains them.
        var best = [Int?](repeating: nil, count: levels + 1)
        for group in (0..<groups.count).reversed() {
            try control.checkCancellation(at: group)
            let (level, rows) = (groups.level(group), groups.rows(group))
            let slot = best[level + 1] ?? Int(order[isLast ? rows.upperBound - 1 : rows.lowerBound])
            best[level + 1] = nil
            if best[level].map({ isBetter(slot, than: $0) }) ?? true { best[level] = slot }
            body(group, slot)
        }
    }

    /// Calls `body` with the index of each group and the aggregates of one column.
    private func forEachGroup(
        _ values: ValueVector, _ order: UnsafeArray<UInt32>, _ groups: GroupList, _ levels: [GroupLevel], _ body: (Int, Aggregates) -> Void
    ) throws {
        if values.representation != .double {
            if let (column, groupOfNumber) = groupsOfNumbers(groups, levels) {
                let aggregates = try aggregatesBySlot(values, groups.count, column, groupOfNumber)
                return aggregates.indices.forEach { body($0, aggregates[$0]) }
            }
            try forEachGroup(
                order, groups, levels, fetch: { values.fetch($0, $1, into: $2, $3) { values.key($0) } },
                add: { (aggregates: inout Aggregates, key: UInt64, kind: UInt8) in
                    aggregates.add(Int128(ValueVector.integer(of: key)), kind)
                }, body)
        } else if values.exactDigits == nil {
            try forEachGroup(
                order, groups, levels, fetch: { values.fetch($0, $1, into: $2, $3) { values.key($0) } },
                add: { (aggregates: inout Aggregates, key: UInt64, kind: UInt8) in aggregates.add(double: key, kind) }, body)
        } else {
            try forEachGroup(
                order, groups, levels, fetch: { values.fetch($0, $1, into: $2, $3) { values.exactNumber(at: $0) } },
                add: { (aggregates: inout Aggregates, number: Int128, kind: UInt8) in aggregates.add(number, kind) }, body)
        }
    }

    /// Calls `body` once with the index of each group and its aggregates, on several threads. Innermost groups are computed from their
    /// records, and each outer group from its inner groups.
    /// - Parameter fetch: writes the values and classes at some slots to memory.
    @inline(__always)
    private func forEachGroup<Value: BitwiseCopyable>(
        _ order: UnsafeArray<UInt32>, _ groups: GroupList, _ levels: [GroupLevel],
        fetch: (UnsafePointer<UInt32>, Int, UnsafeMutablePointer<Value>, UnsafeMutablePointer<UInt8>) -> Void,
        add: (inout Aggregates, Value, UInt8) -> Void, _ body: (Int, Aggregates) -> Void
    ) throws {
        let workUnits = try self.workUnits(groups)
        try forEachRange(of: workUnits.count - 1, size: 1, threads: threads, control: control) { _, range in
            // The values of a group are scattered in memory. Many are fetched at once, so that the waits for memory overlap.
            let first = groups.rows(workUnits[range.lowerBound]).lowerBound
            let end = groups.rows(workUnits[range.upperBound] - 1).upperBound
            var fetched = end..<end
            let (values, kinds) = (try UnsafeArray<Value>(count: rangeSize), try UnsafeArray<UInt8>(count: rangeSize))
            func fetchUp(to position: Int) {
                fetched = max(first, position + 1 - rangeSize)..<position + 1
                fetch(order.base + fetched.lowerBound, fetched.count, values.base, kinds.base)
            }
            // A group precedes its inner groups. Go from last to first, so that each inner group is complete before it is added to its
            // outer group.
            var parts = [Aggregates](repeating: Aggregates(), count: levels.count + 1)
            for group in (workUnits[range.lowerBound]..<workUnits[range.upperBound]).reversed() {
                let level = groups.level(group)
                var aggregates = Aggregates()
                if level < levels.count - 1 {
                    aggregates = parts[level + 1]
                    parts[level + 1] = Aggregates()
                } else {
                    for position in groups.rows(group).reversed() {
                        if position < fetched.lowerBound || fetched.isEmpty {
                            if control.isCancelled { return }
                            fetchUp(to: position)
                        }
                        let offset = position - fetched.lowerBound
                        add(&aggregates, values[offset], kinds[offset])
                    }
                }
                if levels.count > 1 { parts[level].add(aggregates) }
                body(group, aggregates)
            }
        }
    }

    /// The indices of groups where threads start a unit of work; the last element is the number of groups. A unit consists of complete
    /// outermost groups.
    private func workUnits(_ groups: GroupList) throws -> [Int] {
        var workUnits = [0]
        var (group, steps) = (0, 0)
        while group < groups.count {
            steps += 1
            try control.checkCancellation(at: steps)
            let last = workUnits[workUnits.count - 1]
            if group - last >= 1024 || groups.rows(group).lowerBound - groups.rows(last).lowerBound >= rangeSize { workUnits.append(group) }
            group = groups.end(group)
        }
        if groups.count > workUnits[workUnits.count - 1] { workUnits.append(groups.count) }
        return workUnits
    }

    /// The aggregates of all groups, if there are few groups. The values are added in slot order, which reads memory sequentially. Exact
    /// numbers can be added in any order.
    /// - Parameter groupOfNumber: the index of the group for each field number of `column`.
    private func aggregatesBySlot(
        _ values: ValueVector, _ groupCount: Int, _ column: NumberedColumn, _ groupOfNumber: [Int]
    ) throws -> [Aggregates] {
        let threads = max(1, threads)
        let threadAggregates = try UnsafeArray<Aggregates>(count: threads * groupCount, repeating: Aggregates())
        let groupOfNumber = try UnsafeArray(groupOfNumber.map { UInt32($0) })
        let parts = try (0..<threads).map { _ in try UnsafeArray<ShortAggregates>(count: groupCount, repeating: ShortAggregates()) }
        // A thread adds about `limit` values in 64 bits. It then moves the sums to 128 bits, before they can overflow.
        let magnitude = max(
            ValueVector.integer(of: values.minimum).magnitude, ValueVector.integer(of: values.maximum).magnitude, 1)
        let fitsInt64 = magnitude <= UInt64(Int64.max) / UInt64(2 * rangeSize)
        let limit = Int(UInt64(Int64.max) / magnitude) - rangeSize
        let added = try UnsafeArray<Int>(count: threads, repeating: 0)
        func addParts(_ thread: Int) {
            for group in 0..<groupCount {
                (threadAggregates.base + thread * groupCount + group).pointee.add(parts[thread][group])
                parts[thread][group] = ShortAggregates()
            }
            added[thread] = 0
        }
        try forEachRange(of: values.count, threads: threads, control: control) { thread, range in
            let threadAggregates = threadAggregates.base + thread * groupCount
            guard let numbers = column.numbers?.base else { return }
            let groups = groupOfNumber.base
            guard fitsInt64 else {
                return try values.forEachField(in: range) { slot, key, kind in
                    threadAggregates[Int(groups[Int(numbers[slot])])].add(Int128(ValueVector.integer(of: key)), kind)
                }
            }
            if added[thread] > limit { addParts(thread) }
            added[thread] += range.count
            let part = parts[thread].base
            try values.forEachField(in: range) { slot, key, kind in
                part[Int(groups[Int(numbers[slot])])].add(ValueVector.integer(of: key), kind)
            }
        }
        for thread in 0..<threads { addParts(thread) }
        return (0..<groupCount).map { group in
            var all = threadAggregates[group]
            for thread in 1..<threads { all.add(threadAggregates[thread * groupCount + group]) }
            return all
        }
    }

    /// The column of ``lowCardinalityColumn(_:)``, and a list with the group index for each field number of this column.
    private func groupsOfNumbers(_ groups: GroupList, _ levels: [GroupLevel]) -> (column: NumberedColumn, groups: [Int])? {
        guard let column = lowCardinalityColumn(levels) else { return nil }
        var groupOfRank: [UInt32: Int] = [:]
        for group in 0..<groups.count { groupOfRank[levels[0].ranks[Int(groups.fieldNumbers[group])]] = group }
        return (column, levels[0].ranks.map { groupOfRank[$0] ?? 0 })
    }

    /// The column that forms the groups, if there is one level, the column has few distinct fields, and all slots are grouped. Otherwise
    /// `nil`.
    private func lowCardinalityColumn(_ levels: [GroupLevel]) -> NumberedColumn? {
        guard levels.count == 1, levels[0].column.fields.count <= 4096, levels[0].column.numbers != nil,
            selection.positionCount == levels[0].column.slotCount
        else { return nil }
        return levels[0].column
    }

    /// True if the aggregates can be computed without sorting the slots by group.
    func isIndependentOfOrder(_ requests: [AggregateRequest], levels: [GroupLevel]) -> Bool {
        guard lowCardinalityColumn(levels) != nil else { return false }
        return requests.allSatisfy { request in
            request.function.needsValues && !request.function.needsWholeGroup
                && columns.values(Self.valueRequest(request)).map { $0.representation != .double } ?? false
        }
    }

    /// Converts sums to shares: divides the sum of each group by the sum of all rows.
    /// - Parameter width: the distance between the sums of successive groups in `sums`.
    private func convertSumsToShares(_ sums: UnsafeMutablePointer<AggregateValue>, _ width: Int, _ groups: GroupList) throws {
        var total = NeumaierSum()
        var group = 0
        var steps = 0
        while group < groups.count {
            steps += 1
            try control.checkCancellation(at: steps)
            if let sum = sums[group * width].double { total.add(sum) }
            group = groups.end(group)
        }
        let all = total.total
        for group in 0..<groups.count {
            try control.checkCancellation(at: group)
            let share = sums[group * width].double.map { $0 / all } ?? .nan
            sums[group * width] = share.isFinite ? .decimal(share) : .none
        }
    }

    /// Calls `body` with the quantiles and deviations of each group, on several threads.
    ///
    /// Groups of every level are computed from their rows. Memory: 8 bytes for each row of the group that a thread processes, and 16 bytes
    /// while the thread selects quantiles.
    private func forEachSpread(
        _ spread: ValueSpread, _ values: ValueVector, _ order: UnsafeArray<UInt32>, _ groups: GroupList,
        _ body: (Int, [AggregateValue]) -> Void
    ) throws {
        // If there are only a few groups, they are distributed one by one, so that all threads have work.
        let size = max(1, min(256, groups.count / (16 * max(1, threads))))
        try forEachRange(of: groups.count, size: size, threads: threads, control: control) { _, range in
            for group in range {
                let rows = groups.rows(group)
                var keys = try [UInt64](reserving: rows.count)
                for position in rows {
                    try control.checkCancellation(at: position)
                    let slot = Int(order[position])
                    if values.kind(slot) == FieldClass.value.rawValue { keys.append(values.key(slot)) }
                }
                body(group, try spread.values(of: keys, control: control))
            }
        }
    }

    /// Counts the distinct fields of each group. For each field and level, an array holds the last group in which the field occurred.
    private func countDistinct(
        _ column: Int, _ order: UnsafeArray<UInt32>, _ groups: GroupList, _ levels: Int, _ body: (Int, Int64) -> Void
    ) throws {
        guard let column = columns.numberedColumn(column) else { return }
        let fields = column.fields
        // In a raw column, equal fields have different field numbers. Their ranks are equal, so the ranks are used instead.
        let ranks = try column.raw.map { raw in
            try control.withPart(of: 0) { try raw.groupRanks(.text, isDescending: false, threads: threads, control: $0) }
        }
        let isBlank = try [Bool](count: fields.count, threads: threads, control: control) { FieldBytes(fields.bytes($0)).isBlank }
        var lastGroups = try [UInt32](count: fields.count * levels, threads: threads, control: control) { _ in .max }
        for group in 0..<groups.count {
            var count: Int64 = 0
            for position in groups.rows(group) {
                try control.checkCancellation(at: position)
                let number = column.number(Int(order[position]))
                let mark = (ranks.map { Int($0[number]) } ?? number) * levels + groups.level(group)
                guard lastGroups[mark] != UInt32(group), !isBlank[number] else { continue }
                lastGroups[mark] = UInt32(group)
                count += 1
            }
            body(group, count)
        }
    }
}
