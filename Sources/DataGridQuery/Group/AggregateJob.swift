import Tables
import FieldValues

/// Computes the figures of all groups.
struct AggregateJob {
    let columns: ColumnSet
    let threads: Int
    let control: JobControl

    private var selection: RecordSelection { columns.selection }

    /// What has to be read of the table.
    static func requests(_ requests: [AggregateRequest]) -> [ColumnSet.Request] {
        requests.compactMap { $0.function == .distinct ? ColumnSet.Request(column: $0.column, form: .numbers) : nil }
            + requests.filter(\.function.needsValues).map { ColumnSet.Request(column: $0.column, form: .values(ordering($0))) }
    }

    private static func ordering(_ request: AggregateRequest) -> SortOrdering {
        // Of texts only their number is asked, and any reading tells that.
        SortOrdering(kind: request.kind == .text ? .decimal : request.kind, notation: request.notation)
    }

    /// The values of all requests for all groups, group by group.
    ///
    /// - Parameter order: slots in the order of the groups.
    func values(_ requests: [AggregateRequest], order: Storage<UInt32>, groups: GroupList, levels: [GroupLevel]) throws -> [AggregateValue]
    {
        let count = requests.count * groups.count
        guard count > 0 else { return [] }
        var values = try [AggregateValue](count: count, threads: threads, control: control) { _ in .none }
        try values.withUnsafeMutableBufferPointer { values in
            let values = values.baseAddress!
            // Each column once, for all that is asked of it.
            struct Source: Hashable {
                let column: Int
                let ordering: SortOrdering
            }
            var asked: [Source: [Int]] = [:]
            for (index, request) in requests.enumerated() where request.function.needsValues {
                asked[Source(column: request.column, ordering: AggregateJob.ordering(request)), default: []].append(index)
            }
            control.begin(total: asked.count + requests.count { !$0.function.needsValues })
            for (source, indices) in asked {
                defer { control.advance(by: 1) }
                guard let vector = columns.values(source.column, as: source.ordering) else { continue }
                let scale = FigureScale(vector, isTemporal: requests[indices[0]].kind.isTemporal)
                let asked = indices.filter { requests[$0].kind != .text || requests[$0].function == .count }
                    .map { (place: $0, function: requests[$0].function) }
                let width = requests.count
                func take(_ group: Int, _ figures: some FigureSet) {
                    for (place, function) in asked { values[group * width + place] = figures.value(function, scale) }
                }
                if vector.exactDigits == nil {
                    try eachFigures(vector, order, groups, levels) { take($0, $1) }
                } else {
                    try eachExactFigures(vector, order, groups, levels) { take($0, $1) }
                }
            }
            for (index, request) in requests.enumerated() where !request.function.needsValues {
                defer { control.advance(by: 1) }
                if request.function == .distinct {
                    try countDistinct(request.column, order, groups, levels.count) { group, count in
                        values[group * requests.count + index] = .integer(count)
                    }
                    continue
                }
                try eachEnd(isLast: request.function == .last, order, groups, levels.count) { group, slot in
                    values[group * requests.count + index] = .record(selection.record(at: slot))
                }
            }
        }
        return values
    }

    /// Hands out the slot of the first or last record of each group, in the order that was given: of an outer group that is not the order in
    /// which its rows stand, as these stand in inner groups.
    private func eachEnd(isLast: Bool, _ order: Storage<UInt32>, _ groups: GroupList, _ levels: Int, _ body: (Int, Int) -> Void) throws {
        var positions: Storage<UInt32>?
        if levels > 1, let slots = selection.slots {
            let all = try Storage<UInt32>(count: selection.slotCount)
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
        // Backwards, all groups inside are done before the one around them.
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

    /// Hands out sums and so on of one column.
    private func eachFigures(
        _ values: ValueVector, _ order: Storage<UInt32>, _ groups: GroupList, _ levels: [GroupLevel], _ body: (Int, Figures) -> Void
    ) throws {
        if case .fixed = values.meaning, let innermost = groupOfCode(groups, levels) {
            let figures = try figuresBySlot(values, groups.count, innermost)
            return figures.indices.forEach { body($0, figures[$0]) }
        }
        let isFixed = values.meaning != .double
        try eachFigures(
            order, groups, levels,
            fetch: { values.fetch($0, $1, into: $2, $3) },
            add: { (figures: inout Figures, key: UInt64, kind: UInt8) in
                if isFixed { figures.add(fixed: key, kind) } else { figures.add(double: key, kind) }
            }, body)
    }

    /// The same of a column with exact numbers (``ValueVector/exactDigits``).
    private func eachExactFigures(
        _ values: ValueVector, _ order: Storage<UInt32>, _ groups: GroupList, _ levels: [GroupLevel], _ body: (Int, ExactFigures) -> Void
    ) throws {
        try eachFigures(
            order, groups, levels,
            fetch: { values.fetchExact($0, $1, into: $2, $3) },
            add: { (figures: inout ExactFigures, number: Int128, kind: UInt8) in figures.add(number, kind) }, body)
    }

    /// Hands out figures: of the innermost groups from their records, of the others from the groups inside. On several threads, each group once.
    /// - Parameters:
    ///   - fetch: writes the values and classes of so many slots to memory.
    ///   - add: adds a value and its class to figures.
    @inline(__always)
    private func eachFigures<Value: BitwiseCopyable, Set: FigureSet>(
        _ order: Storage<UInt32>, _ groups: GroupList, _ levels: [GroupLevel],
        fetch: (UnsafePointer<UInt32>, Int, UnsafeMutablePointer<Value>, UnsafeMutablePointer<UInt8>) -> Void,
        add: (inout Set, Value, UInt8) -> Void, _ body: (Int, Set) -> Void
    ) throws {
        let shares = try shares(groups)
        try forEachRange(of: shares.count - 1, size: 1, threads: threads, control: control) { _, range in
            // The values lie anywhere: fetched first and all together, they do not wait for each other.
            let first = groups.rows(shares[range.lowerBound]).lowerBound
            let end = groups.rows(shares[range.upperBound] - 1).upperBound
            var fetched = end..<end
            let (values, kinds) = (try Storage<Value>(count: rangeSize), try Storage<UInt8>(count: rangeSize))
            func fetchUp(to position: Int) {
                fetched = max(first, position + 1 - rangeSize)..<position + 1
                fetch(order.base + fetched.lowerBound, fetched.count, values.base, kinds.base)
            }
            // Groups stand before those inside them, so backwards all parts are complete before they are added.
            var parts = [Set](repeating: Set(), count: levels.count + 1)
            for group in (shares[range.lowerBound]..<shares[range.upperBound]).reversed() {
                let level = groups.level(group)
                var figures = Set()
                if level < levels.count - 1 {
                    figures = parts[level + 1]
                    parts[level + 1] = Set()
                } else {
                    for position in groups.rows(group).reversed() {
                        if position < fetched.lowerBound || fetched.isEmpty {
                            if control.isCancelled { return }
                            fetchUp(to: position)
                        }
                        let place = position - fetched.lowerBound
                        add(&figures, values[place], kinds[place])
                    }
                }
                if levels.count > 1 { parts[level].add(figures) }
                body(group, figures)
            }
        }
    }

    /// Where pieces of work begin, and the number of groups: whole outermost groups, until there is enough of them.
    private func shares(_ groups: GroupList) throws -> [Int] {
        var shares = [0]
        var (group, steps) = (0, 0)
        while group < groups.count {
            steps += 1
            try control.checkCancellation(at: steps)
            let last = shares[shares.count - 1]
            if group - last >= 1024 || groups.rows(group).lowerBound - groups.rows(last).lowerBound >= rangeSize { shares.append(group) }
            group = groups.end(group)
        }
        if groups.count > shares[shares.count - 1] { shares.append(groups.count) }
        return shares
    }

    /// What is added exactly can be added in any order: as it stands in memory, when there are few groups. Of which group a slot is
    /// says its code.
    private func figuresBySlot(_ values: ValueVector, _ groupCount: Int, _ innermost: (codes: CodeVector, groups: [Int])) throws
        -> [Figures]
    {
        let threads = max(1, threads)
        let own = try Storage<Figures>(count: threads * groupCount, repeating: Figures())
        let groups = innermost.groups
        try forEachRange(of: values.count, threads: threads, control: control) { thread, range in
            let keys = try Storage<UInt64>(count: rangeSize)
            values.decode(range, into: keys.base)
            let own = own.base + thread * groupCount
            let classes = values.blocks[range.lowerBound / rangeSize].classes
            groups.withUnsafeBufferPointer { groups in
                for slot in range {
                    let place = slot - range.lowerBound
                    let kind = classes.map { $0[place] } ?? FieldClass.value.rawValue
                    own[groups[Int(innermost.codes.codes[slot])]].add(fixed: keys[place], kind)
                }
            }
        }
        return (0..<groupCount).map { group in
            var all = own[group]
            for thread in 1..<threads { all.add(own[thread * groupCount + group]) }
            return all
        }
    }

    /// The group of each code, where ``fewCodes(_:)`` has codes.
    private func groupOfCode(_ groups: GroupList, _ levels: [GroupLevel]) -> (codes: CodeVector, groups: [Int])? {
        guard let codes = fewCodes(levels) else { return nil }
        var groupOfRank: [UInt32: Int] = [:]
        for group in 0..<groups.count { groupOfRank[levels[0].ranks[Int(groups.numbers[group])]] = group }
        return (codes, (0..<codes.count).map { groupOfRank[levels[0].ranks[$0]] ?? 0 })
    }

    /// The codes of all slots, where all are grouped, at one level, and the codes are few.
    private func fewCodes(_ levels: [GroupLevel]) -> CodeVector? {
        guard levels.count == 1, case .codes(let codes) = levels[0].column, codes.count <= 4096, selection.positionCount == codes.slotCount
        else { return nil }
        return codes
    }

    /// Whether neither groups nor figures need the slots in order.
    func isIndependentOfOrder(_ requests: [AggregateRequest], levels: [GroupLevel]) -> Bool {
        guard fewCodes(levels) != nil else { return false }
        return requests.allSatisfy { request in
            guard request.function.needsValues,
                let values = columns.values(request.column, as: AggregateJob.ordering(request))
            else { return false }
            return values.meaning != .double
        }
    }

    /// The number of different fields in each group: a mark for each field says in which group it was seen last.
    private func countDistinct(
        _ column: Int, _ order: Storage<UInt32>, _ groups: GroupList, _ levels: Int, _ body: (Int, Int64) -> Void
    ) throws {
        guard let column = columns.numbers(column) else { return }
        let fields = column.fields
        // In a plain column the same fields have different numbers, but one rank.
        let ranks: [UInt32]? =
            if case .plain(let plain) = column {
                try control.part(of: 0) { try plain.groupRanks(.text, isDescending: false, threads: threads, control: $0) }
            } else { nil }
        let isBlank = try [Bool](count: fields.count, threads: threads, control: control) { FieldBytes(fields.bytes($0)).isBlank }
        var seen = try [UInt32](count: fields.count * levels, threads: threads, control: control) { _ in .max }
        for group in 0..<groups.count {
            var count: Int64 = 0
            for position in groups.rows(group) {
                try control.checkCancellation(at: position)
                let number = column.number(Int(order[position]))
                let mark = (ranks.map { Int($0[number]) } ?? number) * levels + groups.level(group)
                guard seen[mark] != UInt32(group), !isBlank[number] else { continue }
                seen[mark] = UInt32(group)
                count += 1
            }
            body(group, count)
        }
    }
}
