import FieldValues

/// The values from which an ``ObjectSource`` computes its aggregates. Each row has an index in the lists of values.
///
/// With sections, this index is the position of the row, so that the rows of a section are adjacent. Without sections, this index is the
/// row number, which sorting does not change.
struct ObjectAggregates {
    /// Identifies the numbers of a tree in ``sums``.
    struct NumberSeries: Hashable {
        var column: Int
        /// True to count the objects that have a value; false to aggregate the values that are numbers.
        var isCount: Bool
    }

    /// The index of each row in the lists of values, by row number; `nil` if that index equals the row number. Removed rows have the last
    /// indices.
    fileprivate var valueIndices: [UInt32]?
    fileprivate var sums: [(series: NumberSeries, tree: AggregateTree)] = []
    fileprivate var texts: [(column: Int, counter: DistinctTextCounter)] = []
    /// The quantiles and standard deviations that were computed before. They are removed when an object changes.
    fileprivate var statistics: [StatisticKey: Double] = [:]

    /// A statistic of a column for a range of rows; `nil` means all rows.
    fileprivate struct StatisticKey: Hashable {
        var function: AggregateFunction
        var column: Int
        var rows: Range<Int>?
    }
}

/// Totals and aggregates of sections. A change of an object updates one branch of a tree for each column with totals.
extension ObjectSource {
    private var allRows: Range<Int> { 0..<Int.max }

    /// Returns an aggregate of the values in a column; NaN if there are no values. The functions for the first and the last value are not
    /// supported, because their results are cells, not numbers.
    ///
    /// O(log objects), but O(objects) the first time. Sorting and grouping discard counts of distinct strings. Every change discards
    /// quantiles and deviations. For a section of n rows, computing them again takes O(n) for counts, and O(n · log n) for quantiles and
    /// deviations.
    /// - Parameter rows: the positions of a section's rows; `nil` means all objects.
    func aggregate(_ function: AggregateFunction, of column: Int, in rows: Range<Int>? = nil) -> Double {
        if function == .distinct {
            let index = textsIndex(of: column)
            return Double(aggregateCache.texts[index].counter.count(in: rows ?? allRows))
        }
        let tree = aggregateCache.sums[sumsIndex(of: ObjectAggregates.NumberSeries(column: column, isCount: function == .count))].tree
        let summary = rows.map(tree.summary) ?? tree.totalSummary
        if function == .count { return Double(summary.count) }
        if function.percentage != nil || function == .standardDeviation {
            let key = ObjectAggregates.StatisticKey(function: function, column: column, rows: rows)
            if let cached = aggregateCache.statistics[key] { return cached }
            let value = NumberDistribution(tree.numbers(in: rows ?? allRows)).value(function)
            aggregateCache.statistics[key] = value
            return value
        }
        guard summary.count > 0 else { return .nan }
        return switch function {
        case .sum: summary.sum
        case .mean: summary.sum / Double(summary.count)
        case .min: summary.minimum
        case .max: summary.maximum
        case .share: share(summary.sum, of: tree.totalSummary.sum)
        case .count, .distinct, .first, .last, .standardDeviation, .median, .p5, .p10, .p25, .p75, .p90, .p95, .p99: .nan
        }
    }

    private func share(_ sum: Double, of all: Double) -> Double {
        let share = sum / all
        return share.isFinite ? share : .nan
    }

    /// Stores the object of a row, or removes it if `object` is `nil`, and updates the aggregates. O(log objects) for each column with
    /// totals.
    func setObject(_ object: Object?, at number: UInt32) {
        storedObjects[Int(number)] = object
        updateAggregates(number)
    }

    func updateAggregates(_ number: UInt32) {
        if !aggregateCache.statistics.isEmpty { aggregateCache.statistics = [:] }
        let object = storedObjects[Int(number)]
        var valueIndex = Int(number)
        if let count = aggregateCache.valueIndices?.count {
            // Give a new row the last index. The rows are sorted and grouped afterwards, which updates all indices.
            if valueIndex == count {
                aggregateCache.valueIndices?.append(number)
            } else {
                valueIndex = Int(aggregateCache.valueIndices![valueIndex])
            }
        }
        for index in aggregateCache.sums.indices {
            let value = value(aggregateCache.sums[index].series, of: object)
            aggregateCache.sums[index].tree.set(value, at: valueIndex)
        }
        guard !aggregateCache.texts.isEmpty else { return }
        var around: Set = [allRows]
        if let tree, let leaf = tree.innermostSection(containing: valueIndex) {
            // Collect the ranges in a set. A section with only one nested section can have the same range as that section.
            for section in sequence(first: leaf, next: tree.parent(of:)) { around.insert(tree.rows(of: section)) }
        }
        for index in aggregateCache.texts.indices {
            let text = object.flatMap(columns[aggregateCache.texts[index].column].text)
            aggregateCache.texts[index].counter.set(text, at: valueIndex, in: around)
        }
    }

    private func value(_ series: ObjectAggregates.NumberSeries, of object: Object?) -> Double {
        guard let object else { return .nan }
        if series.isCount { return columns[series.column].hasValue(object) ? 1 : .nan }
        return columns[series.column].number(object) ?? .nan
    }

    private func sumsIndex(of series: ObjectAggregates.NumberSeries) -> Int {
        if let index = aggregateCache.sums.firstIndex(where: { $0.series == series }) { return index }
        let values = objectsByValueIndex { self.value(series, of: $0) }
        aggregateCache.sums.append((series, AggregateTree(values)))
        return aggregateCache.sums.count - 1
    }

    private func textsIndex(of column: Int) -> Int {
        if let index = aggregateCache.texts.firstIndex(where: { $0.column == column }) { return index }
        let texts = objectsByValueIndex { $0.flatMap(columns[column].text) }
        aggregateCache.texts.append((column, DistinctTextCounter(texts)))
        return aggregateCache.texts.count - 1
    }

    private func objectsByValueIndex<Value>(_ value: (Object?) -> Value) -> [Value] {
        guard tree != nil else { return storedObjects.map(value) }
        let numbers = displayOrder + freeNumbers
        if aggregateCache.valueIndices == nil { aggregateCache.valueIndices = valueIndices(of: numbers) }
        return numbers.map { value(storedObjects[Int($0)]) }
    }

    private func valueIndices(of numbers: [UInt32]) -> [UInt32] {
        var valueIndices = numbers
        for (valueIndex, number) in numbers.enumerated() { valueIndices[Int(number)] = UInt32(valueIndex) }
        return valueIndices
    }

    /// Moves the stored values to the current indices of their rows after sorting or grouping. The objects are not read. O(objects) for
    /// each column with aggregates.
    func reorderAggregates() {
        let old = aggregateCache.valueIndices
        (aggregateCache.valueIndices, aggregateCache.statistics) = (nil, [:])
        guard old != nil || tree != nil, !aggregateCache.sums.isEmpty || !aggregateCache.texts.isEmpty else { return }
        let numbers = tree == nil ? Array(0..<UInt32(storedObjects.count)) : displayOrder + freeNumbers
        if tree != nil { aggregateCache.valueIndices = valueIndices(of: numbers) }
        let moved = numbers.map { number in old.map { Int($0[Int(number)]) } ?? Int(number) }
        for index in aggregateCache.sums.indices { aggregateCache.sums[index].tree = aggregateCache.sums[index].tree.reordered(by: moved) }
        for index in aggregateCache.texts.indices {
            aggregateCache.texts[index].counter = aggregateCache.texts[index].counter.reordered(by: moved)
        }
    }
}
