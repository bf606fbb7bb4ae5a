import DataGrid
import FieldValues

/// Computes the figures of all groups, one column at a time.
struct AggregateJob {
    let table: any RecordTable
    let selection: RecordSelection
    /// Slots in the order of the groups.
    let order: Storage<UInt32>
    let groups: [GroupResult.Group]
    let levels: Int
    let threads: Int
    let control: JobControl

    /// The values of all requests for all groups, group by group.
    func values(_ requests: [AggregateRequest]) throws -> [AggregateValue] {
        var values = [AggregateValue](repeating: .none, count: requests.count * groups.count)
        guard !values.isEmpty else { return values }
        try values.withUnsafeMutableBufferPointer { values in
            let values = values.baseAddress!
            for column in Set(requests.map(\.column)).sorted() {
                let own = requests.enumerated().filter { $0.element.column == column }
                for (index, request) in own where request.function == .distinct {
                    try countDistinct(column) { group, count in values[group * requests.count + index] = .integer(count) }
                }
                for kind in Set(own.map(\.element.kind)) {
                    let requested = own.filter { $0.element.kind == kind && $0.element.function != .distinct }
                    guard !requested.isEmpty else { continue }
                    let ordering = SortOrdering(kind: kind)
                    let figures = try figures(column, ordering)
                    for group in groups.indices {
                        for (index, request) in requested {
                            let isText = kind == .text && request.function != .count
                            values[group * requests.count + index] = isText ? .none : figures[group].value(request.function)
                        }
                    }
                }
            }
        }
        return values
    }

    /// Sums and so on of one column: of the innermost groups from their records, of the others from the groups inside.
    private func figures(_ column: Int, _ ordering: SortOrdering) throws -> [Figures] {
        let values = try ValueColumn(column, as: ordering, of: table, selection, threads: threads, control: control)
        var figures = groups.map { _ in Figures(isWhole: values.isWhole) }
        try figures.withUnsafeMutableBufferPointer { figures in
            let figures = figures.baseAddress!
            try forEachRange(of: groups.count, size: groups.count < 1024 ? 1 : 1024, threads: threads, control: control) { _, range in
                for group in range where groups[group].level == levels - 1 {
                    var figure = figures[group]
                    for position in groups[group].rows {
                        if position & 0xFFFF == 0, control.isCancelled { return }
                        let slot = Int(order[position])
                        figure.add(values.keys[slot], values.classes[slot])
                    }
                    figures[group] = figure
                }
            }
            // Groups stand before those inside them, so backwards all parts are complete before they are added.
            var parts = [Figures](repeating: Figures(isWhole: values.isWhole), count: levels + 1)
            for group in groups.indices.reversed() {
                let level = groups[group].level
                if level < levels - 1 {
                    figures[group] = parts[level + 1]
                    parts[level + 1] = Figures(isWhole: values.isWhole)
                }
                parts[level].add(figures[group])
            }
        }
        return figures
    }

    /// The number of different fields in each group: a mark for each field says in which group it was seen last.
    private func countDistinct(_ column: Int, _ body: (Int, Int64) -> Void) throws {
        let fields = try DistinctColumn(column, of: table, selection, threads: threads, control: control)
        var seen = [Int](repeating: -1, count: fields.count * levels)
        for group in groups.indices {
            var count: Int64 = 0
            for position in groups[group].rows {
                if position & 0xFFFF == 0 { try control.checkCancellation() }
                let number = fields.numbers[Int(order[position])]
                let mark = Int(number) * levels + groups[group].level
                guard seen[mark] != group, number != fields.blank else { continue }
                seen[mark] = group
                count += 1
            }
            body(group, count)
        }
    }
}

/// What sums, means and extremes need of a set of values.
struct Figures {
    private let isWhole: Bool
    private var filled = 0
    private var valueCount = 0
    private var least = UInt64.max
    private var greatest: UInt64 = 0
    private var wholeSum: Int64 = 0
    private var overflows = false
    private var sum = 0.0
    private var compensation = 0.0

    init(isWhole: Bool) { self.isWhole = isWhole }

    @inline(__always)
    mutating func add(_ key: UInt64, _ kind: UInt8) {
        guard kind == FieldClass.value.rawValue else {
            if kind < FieldClass.blank.rawValue { filled += 1 }
            return
        }
        filled += 1
        valueCount += 1
        least = min(least, key)
        greatest = max(greatest, key)
        if isWhole {
            let value = ValueColumn.integer(of: key)
            addWhole(value)
            addDecimal(Double(value))
        } else {
            addDecimal(ValueColumn.decimal(of: key))
        }
    }

    mutating func add(_ other: Figures) {
        filled += other.filled
        valueCount += other.valueCount
        least = min(least, other.least)
        greatest = max(greatest, other.greatest)
        overflows = overflows || other.overflows
        addWhole(other.wholeSum)
        addDecimal(other.sum)
        if other.compensation.isFinite { addDecimal(other.compensation) }
    }

    func value(_ function: AggregateRequest.Function) -> AggregateValue {
        if function == .count { return .integer(Int64(filled)) }
        guard valueCount > 0 else { return .none }
        // Infinite sums have no meaningful compensation.
        let total = sum.isFinite ? sum + compensation : sum
        switch function {
        case .count, .distinct: return .none
        case .sum: return isWhole && !overflows ? .integer(wholeSum) : .decimal(total)
        case .mean: return .decimal((isWhole && !overflows ? Double(wholeSum) : total) / Double(valueCount))
        case .min: return isWhole ? .integer(ValueColumn.integer(of: least)) : .decimal(ValueColumn.decimal(of: least))
        case .max: return isWhole ? .integer(ValueColumn.integer(of: greatest)) : .decimal(ValueColumn.decimal(of: greatest))
        }
    }

    @inline(__always)
    private mutating func addWhole(_ value: Int64) {
        let (result, overflow) = wholeSum.addingReportingOverflow(value)
        wholeSum = result
        overflows = overflows || overflow
    }

    /// A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", 1974.
    @inline(__always)
    private mutating func addDecimal(_ value: Double) {
        let next = sum + value
        compensation += sum.magnitude >= value.magnitude ? (sum - next) + value : (value - next) + sum
        sum = next
    }
}
