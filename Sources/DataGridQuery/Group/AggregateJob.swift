import DataGrid
import FieldValues

/// Computes the figures of all groups.
struct AggregateJob {
    let table: any RecordTable
    let columns: ColumnSet
    let threads: Int
    let control: JobControl

    private var selection: RecordSelection { columns.selection }

    /// What has to be read of the table.
    static func requests(_ requests: [AggregateRequest]) -> [ColumnSet.Request] {
        requests.filter { $0.function != .distinct }.map(column)
    }

    private static func column(_ request: AggregateRequest) -> ColumnSet.Request {
        // Of texts only their number is asked, and any reading tells that.
        let kind = request.kind == .text ? .decimal : request.kind
        return ColumnSet.Request(column: request.column, ordering: SortOrdering(kind: kind, notation: request.notation))
    }

    /// The values of all requests for all groups, group by group.
    ///
    /// - Parameter order: slots in the order of the groups.
    func values(
        _ requests: [AggregateRequest], order: Storage<UInt32>, groups: [GroupResult.Group], levels: [GroupLevel]
    ) throws -> [AggregateValue] {
        var values = [AggregateValue](repeating: .none, count: requests.count * groups.count)
        guard !values.isEmpty else { return values }
        try values.withUnsafeMutableBufferPointer { values in
            let values = values.baseAddress!
            for column in Set(AggregateJob.requests(requests)) {
                guard let ordering = column.ordering, let vector = columns.values(column.column, as: ordering) else { continue }
                let figures = try figures(vector, order, groups, levels)
                for (index, request) in requests.enumerated()
                where request.function != .distinct && AggregateJob.column(request) == column {
                    let isText = request.kind == .text && request.function != .count
                    for group in groups.indices where !isText {
                        values[group * requests.count + index] = figures[group].value(
                            request.function, vector.meaning, isTemporal: request.kind.isTemporal)
                    }
                }
            }
            for (index, request) in requests.enumerated() where request.function == .distinct {
                control.extend(by: selection.slotCount)
                try countDistinct(request.column, order, groups, levels.count) { group, count in
                    values[group * requests.count + index] = .integer(count)
                }
            }
        }
        return values
    }

    /// Sums and so on of one column: of the innermost groups from their records, of the others from the groups inside.
    private func figures(
        _ values: ValueVector, _ order: Storage<UInt32>, _ groups: [GroupResult.Group], _ levels: [GroupLevel]
    ) throws -> [Figures] {
        var figures: [Figures]
        if case .fixed = values.meaning, let innermost = try groupOfCode(order, groups, levels) {
            figures = try figuresBySlot(values, groups.count, innermost)
        } else {
            figures = try figuresByGroup(values, order, groups, levels.count)
        }
        // Groups stand before those inside them, so backwards all parts are complete before they are added.
        var parts = [Figures](repeating: Figures(), count: levels.count + 1)
        for group in groups.indices.reversed() {
            let level = groups[group].level
            if level < levels.count - 1 {
                figures[group] = parts[level + 1]
                parts[level + 1] = Figures()
            }
            parts[level].add(figures[group])
        }
        return figures
    }

    /// What is added exactly can be added in any order: as it stands in memory, when there are few groups. Of which group a slot is
    /// says its code.
    private func figuresBySlot(_ values: ValueVector, _ groupCount: Int, _ innermost: (codes: CodeVector, groups: [Int])) throws
        -> [Figures]
    {
        let threads = max(1, threads)
        let own = Storage<Figures>(count: threads * groupCount, repeating: Figures())
        let groups = innermost.groups
        try forEachRange(of: values.count, threads: threads, control: control) { thread, range in
            let keys = Storage<UInt64>(count: rangeSize)
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

    /// The group of each code, where all slots are grouped, at one level, and few.
    private func groupOfCode(_ order: Storage<UInt32>, _ groups: [GroupResult.Group], _ levels: [GroupLevel]) throws
        -> (codes: CodeVector, groups: [Int])?
    {
        guard levels.count == 1, let codes = levels[0].fewCodes, groups.count <= 4096, selection.positionCount == codes.count
        else { return nil }
        var groupOfRank: [UInt32: Int] = [:]
        for group in groups.indices { groupOfRank[levels[0].rank(Int(order[groups[group].rows.lowerBound]))] = group }
        return (codes, (0..<codes.distinctCount).map { groupOfRank[levels[0].rank(ofCode: $0)] ?? 0 })
    }

    private func figuresByGroup(_ values: ValueVector, _ order: Storage<UInt32>, _ groups: [GroupResult.Group], _ levels: Int) throws
        -> [Figures]
    {
        var figures = [Figures](repeating: Figures(), count: groups.count)
        let isFixed = values.meaning != .double
        try figures.withUnsafeMutableBufferPointer { figures in
            let figures = figures.baseAddress!
            try forEachRange(of: groups.count, size: groups.count < 1024 ? 1 : 1024, threads: threads, control: control) { _, range in
                for group in range where groups[group].level == levels - 1 {
                    var figure = Figures()
                    for position in groups[group].rows {
                        if position & 0xFFFF == 0, control.isCancelled { return }
                        let slot = Int(order[position])
                        if isFixed {
                            figure.add(fixed: values.key(slot), values.kind(slot))
                        } else {
                            figure.add(double: values.key(slot), values.kind(slot))
                        }
                    }
                    figures[group] = figure
                }
            }
        }
        return figures
    }

    /// The number of different fields in each group: a mark for each field says in which group it was seen last.
    private func countDistinct(
        _ column: Int, _ order: Storage<UInt32>, _ groups: [GroupResult.Group], _ levels: Int, _ body: (Int, Int64) -> Void
    ) throws {
        let fields = try DistinctColumn(column, of: table, selection, threads: threads, control: control)
        let isBlank = (0..<fields.count).map { FieldBytes(fields.bytes($0)).isBlank }
        var seen = [Int](repeating: -1, count: fields.count * levels)
        for group in groups.indices {
            var count: Int64 = 0
            for position in groups[group].rows {
                if position & 0xFFFF == 0 { try control.checkCancellation() }
                let number = Int(fields.numbers[Int(order[position])])
                let mark = number * levels + groups[group].level
                guard seen[mark] != group, !isBlank[number] else { continue }
                seen[mark] = group
                count += 1
            }
            body(group, count)
        }
    }
}
