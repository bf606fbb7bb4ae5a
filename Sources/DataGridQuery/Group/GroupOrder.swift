import Tables
import FieldValues

/// Sorts groups by their size or by an aggregate. Inner groups are sorted within their outer group.
struct GroupOrder {
    let table: any Table
    let keys: [ResolvedGroupKey]
    let aggregates: [AggregateRequest]
    let threads: Int
    let control: JobControl

    /// Sorts the groups. Each level takes a few radix sorts of O(g) for g groups, and all levels together one pass over the records.
    func sort(_ result: inout GroupResult) throws {
        let groups = result.groups
        let parents = try parents(groups)
        // For each group, its position among all groups of its level.
        let positions = try UnsafeArray<UInt32>(count: groups.count)
        var innermost: [UInt32] = []
        for level in keys.indices {
            var levelGroups: [UInt32] = []
            for group in 0..<groups.count {
                try control.checkCancellation(at: group)
                if groups.level(group) == level {
                    try levelGroups.makeRoom()
                    levelGroups.append(UInt32(group))
                }
            }
            innermost = try sorted(levelGroups, level, result) { level == 0 ? 0 : UInt64(positions[Int(parents[$0])]) }
            for (position, group) in innermost.enumerated() {
                try control.checkCancellation(at: position)
                positions[Int(group)] = UInt32(position)
            }
        }
        try rearrange(&result, groupSequence(innermost, parents, groups), innermost)
    }

    private func parents(_ groups: GroupList) throws -> [UInt32] {
        guard keys.count > 1 else { return [] }
        var open = [UInt32](repeating: 0, count: keys.count)
        return try [UInt32](filled: groups.count) { parents in
            for group in 0..<groups.count {
                try control.checkCancellation(at: group)
                let level = groups.level(group)
                open[level] = UInt32(group)
                parents[group] = level == 0 ? 0 : open[level - 1]
            }
        }
    }

    /// The groups of a level in sorted order. Groups within the same outer group are consecutive.
    private func sorted(_ levelGroups: [UInt32], _ level: Int, _ result: GroupResult, parentPosition: (Int) -> UInt64) throws -> [UInt32] {
        var items = try UnsafeArray<KeyedIndex>(count: levelGroups.count)
        try forEachRange(of: levelGroups.count, threads: threads, control: control) { _, range in
            for position in range { items[position] = KeyedIndex(radixKey: 0, index: levelGroups[position]) }
        }
        // Stable sorts by three keys, the least significant first: the aggregate, the existence of an aggregate, and the outer group.
        func sort(by key: (Int) -> UInt64) throws {
            for position in 0..<levelGroups.count {
                try control.checkCancellation(at: position)
                items[position].radixKey = key(Int(items[position].index))
            }
            items = try RadixSort<KeyedIndex>(threads: threads, control: control).sorted(items)
        }
        if let keys = try aggregateKeys(levelGroups, keys[level], result) {
            if let lowWord = keys.lowWord { try sort(by: lowWord) }
            try sort { keys.key($0) ?? 0 }
            try sort { keys.key($0) == nil ? 1 : 0 }
        }
        if level > 0 { try sort(by: parentPosition) }
        let sorted = items
        return try [UInt32](count: levelGroups.count, threads: threads, control: control) { sorted[$0].index }
    }

    /// The aggregates of groups as unsigned integers, by which groups are sorted in ascending order. For descending order, the integers are
    /// inverted.
    private struct AggregateKeys {
        /// Returns the integer of a group, given the index of the group in its level; `nil` for a group without an aggregate. Such groups
        /// come last.
        var key: (Int) -> UInt64?
        /// Returns the lower 64 bits if the integers have 128 bits; ``key`` then returns the upper 64 bits. `nil` if the integers have 64
        /// bits.
        var lowWord: ((Int) -> UInt64)?
    }

    /// The keys that sort the groups of a level; `nil` if the groups are already in order.
    private func aggregateKeys(_ levelGroups: [UInt32], _ key: ResolvedGroupKey, _ result: GroupResult) throws -> AggregateKeys? {
        let flip = key.isDescending ? UInt64.max : 0
        switch key.order {
        case .value: return nil
        case .rowCount: return AggregateKeys { UInt64(result.groups.rows($0).count) ^ flip }
        case .aggregate(let aggregate):
            let width = result.valuesPerGroup
            if aggregates[aggregate].function == .first || aggregates[aggregate].function == .last {
                return AggregateKeys(key: try positionsByField(levelGroups, aggregate, key.isDescending, result))
            }
            var (isWhole, isExact, digits) = (true, false, 0)
            for (index, group) in levelGroups.enumerated() {
                try control.checkCancellation(at: index)
                switch result.values[Int(group) * width + aggregate] {
                case .none, .record, .integer: break
                case .decimal: isWhole = false
                case .exact(let number): (isExact, digits) = (true, max(digits, number.digits))
                }
            }
            func value(_ group: Int) -> AggregateValue { result.values[group * width + aggregate] }
            if isExact {
                return AggregateKeys {
                    value($0).scaledInteger(digits: digits).map { UInt64(truncatingIfNeeded: $0 >> 64) ^ 1 << 63 ^ flip }
                } lowWord: {
                    UInt64(truncatingIfNeeded: value($0).scaledInteger(digits: digits) ?? 0) ^ flip
                }
            }
            return AggregateKeys { group in
                switch value(group) {
                case .none, .record, .exact: nil
                case .integer(let number): (isWhole ? ValueVector.key(of: number) : ValueVector.key(of: Double(number))) ^ flip
                case .decimal(let number): number.isNaN ? nil : ValueVector.key(of: number) ^ flip
                }
            }
        }
    }

    /// The position of each group in an order by its first or last value. These values are fields, which are read from the records.
    private func positionsByField(
        _ levelGroups: [UInt32], _ aggregate: Int, _ isDescending: Bool, _ result: GroupResult
    ) throws -> (Int) -> UInt64? {
        let (values, width) = (result.values, result.valuesPerGroup)
        let records = try [Int](count: levelGroups.count, threads: threads, control: control) {
            if case .record(let record) = values[Int(levelGroups[$0]) * width + aggregate] { record } else { 0 }
        }
        let request = aggregates[aggregate]
        let ordering = SortOrdering(
            kind: request.kind, notation: request.notation, dateNotation: request.dateNotation, alphabet: request.alphabet)
        let key = ResolvedSortKey(column: request.column, ordering: ordering, isDescending: isDescending)
        let order = try control.withPart(of: 0) {
            try sortedRecords(
                of: table, by: [key], within: RowNumbers(records, ofRows: table.recordCount, shortLimit: control.shortLimit),
                threads: threads, control: $0)
        }
        // Check for more memory than the entries need, because a dictionary reserves memory for further entries.
        try Memory.check(byteCount: levelGroups.count * 48)
        var groupOfRecord = [Int: UInt32](minimumCapacity: levelGroups.count)
        for (group, record) in zip(levelGroups, records) {
            groupOfRecord[record] = group
            if groupOfRecord.count & 4095 == 0 { try control.checkCancellation() }
        }
        let positions = try UnsafeArray<UInt32>(count: result.groups.count)
        for (position, record) in order.enumerated() {
            positions[Int(groupOfRecord[record]!)] = UInt32(position)
            if position & 4095 == 0 { try control.checkCancellation() }
        }
        return { UInt64(positions[$0]) }
    }

    /// All groups in the new order of the innermost groups, each before its inner groups.
    private func groupSequence(_ innermost: [UInt32], _ parents: [UInt32], _ groups: GroupList) throws -> [UInt32] {
        guard keys.count > 1 else { return innermost }
        var sequence = try [UInt32](reserving: groups.count)
        var open = [UInt32](repeating: .max, count: keys.count)
        var path = [UInt32](repeating: 0, count: keys.count)
        for (position, group) in innermost.enumerated() {
            try control.checkCancellation(at: position)
            path[keys.count - 1] = group
            for level in (1..<keys.count).reversed() { path[level - 1] = parents[Int(path[level])] }
            for level in keys.indices where path[level] != open[level] {
                open[level] = path[level]
                sequence.append(path[level])
            }
        }
        return sequence
    }

    private func rearrange(_ result: inout GroupResult, _ sequence: [UInt32], _ innermost: [UInt32]) throws {
        let groups = result.groups
        var starts = try [UInt32](reserving: sequence.count + 1)
        var row: UInt32 = 0
        for (position, group) in sequence.enumerated() {
            try control.checkCancellation(at: position)
            starts.append(row)
            if groups.level(Int(group)) == keys.count - 1 { row += UInt32(groups.rows(Int(group)).count) }
        }
        starts.append(row)
        let old = result.order
        result.order = RowNumbers([])
        // Copies an array that has an element for each row. The rows of the copy follow the new order of the innermost groups.
        func rearranged<Number: FixedWidthInteger & BitwiseCopyable>(_ old: [Number]) throws -> [Number] {
            try [Number](filled: old.count) { new in
                try old.withUnsafeBufferPointer { old in
                    try forEachRange(of: sequence.count, size: 4096, threads: threads, control: control) { _, range in
                        for position in range where groups.level(Int(sequence[position])) == keys.count - 1 {
                            let rows = groups.rows(Int(sequence[position]))
                            (new + Int(starts[position])).initialize(from: old.baseAddress! + rows.lowerBound, count: rows.count)
                        }
                    }
                }
            }
        }
        if case .short(let old) = old.form {
            result.order = RowNumbers(try rearranged(old))
        } else {
            result.order = RowNumbers(.long(try rearranged(old.numbers(at: 0..<old.count))))
        }
        let (values, width) = (result.values, result.valuesPerGroup)
        if width > 0 {
            result.values = try [AggregateValue](count: sequence.count * width, threads: threads, control: control) {
                values[Int(sequence[$0 / width]) * width + $0 % width]
            }
        }
        result.groups = try groups.rearranged(sequence, starts: starts, threads: threads, control: control)
    }
}

extension AggregateValue {
    /// The aggregate as an integer: the number times 10^`digits`, where `digits` is at least the number of fraction digits of the
    /// aggregate. On overflow, the least or greatest integer.
    fileprivate func scaledInteger(digits: Int) -> Int128? {
        switch self {
        case .none, .record: return nil
        case .integer(let number): return ExactDecimal.scaled(Int128(number), by: digits) ?? (number < 0 ? .min : .max)
        case .exact(let number):
            return ExactDecimal.scaled(number.mantissa, by: digits - number.digits) ?? (number.mantissa < 0 ? .min : .max)
        case .decimal(let number):
            if number.isNaN { return nil }
            let scaled = (number * ExactDecimal.doublePower(digits)).rounded()
            return Int128(exactly: scaled) ?? (number < 0 ? .min : .max)
        }
    }
}
