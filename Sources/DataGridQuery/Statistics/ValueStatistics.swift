import FieldValues

/// Computes the sums, standard deviation, quantiles and histogram of a column of values.
///
/// Doubles are first added within each block. The sums of the blocks are then added in block order. So the result does not depend on the
/// number of threads.
struct ValueStatistics {
    private let values: ValueVector
    private let threads: Int
    private let control: JobControl
    /// The number of records of each ``FieldClass``, indexed by its raw value.
    private(set) var counts = [Int](repeating: 0, count: Int(FieldClass.missing.rawValue) + 1)
    private var sums = Sums()
    private var deviation = Deviation()
    /// The key at each rank that the quantiles need.
    private var ranked: [Int: UInt64] = [:]
    private(set) var bins: [Int]?

    /// - Parameter valueCounts: the counts of all values, so that the values need not be read; `nil` if unknown.
    init(_ values: ValueVector, valueCounts: ValueCounts?, hasHistogram: Bool, threads: Int, control: JobControl) throws {
        (self.values, self.threads, self.control) = (values, threads, control)
        try countClasses()
        guard valueCount > 0 else { return }
        if let valueCounts {
            addUp(valueCounts)
            addDistribution(valueCounts, hasHistogram: hasHistogram)
        } else {
            try addUp()
            try addDistribution(hasHistogram: hasHistogram)
        }
    }

    var valueCount: Int { counts[Int(FieldClass.value.rawValue)] }

    /// The ranks of the sorted values that the quantiles need, ascending.
    private var ranks: [Int] { Quantiles.ranks(of: ColumnStatistics.percentages, count: valueCount) }

    private mutating func countClasses() throws {
        for index in 0..<values.blockCount {
            try control.checkCancellation()
            let slots = values.slots(ofBlock: index)
            guard let classes = values.blocks[index].classes else {
                counts[Int(FieldClass.value.rawValue)] += slots.count
                continue
            }
            for offset in 0..<slots.count { counts[Int(classes[offset])] += 1 }
        }
    }

    // MARK: First pass

    /// The sums and extremes of the values of a block.
    private struct Sums: BitwiseCopyable {
        var exact: Int128 = 0
        var double = NeumaierSum()
        /// The keys of the least and the greatest finite value.
        var minimum = UInt64.max
        var maximum: UInt64 = 0
    }

    private mutating func addUp() throws {
        let blocks = try UnsafeArray<Sums>(count: values.blockCount, repeating: Sums())
        let (isFixed, isExact) = (values.representation != .double, values.exactDigits != nil)
        try forEachRange(of: values.count, threads: threads, control: control) { _, range in
            let block = values.blocks[range.lowerBound / rangeSize]
            guard !block.keys.isEmpty else { return }
            var sums = Sums()
            if isFixed || isExact {
                let valueCount = block.classes.map { classes in (0..<range.count).count { classes[$0] == FieldClass.value.rawValue } }
                sums.exact =
                    isFixed
                    ? PackedBlock(block.keys) { Int128(ValueVector.integer(of: $0)) }.sum(range.count, values: valueCount ?? range.count)
                    : block.exact?.sum(range.count, values: valueCount ?? range.count) ?? 0
                (sums.minimum, sums.maximum) = (block.keys.minimum, block.keys.maximum)
            } else {
                try values.forEachValue(in: range) { _, key in
                    let value = ValueVector.decimal(of: key)
                    sums.double.add(value)
                    guard value.isFinite else { return }
                    sums.minimum = min(sums.minimum, key)
                    sums.maximum = max(sums.maximum, key)
                }
            }
            blocks[range.lowerBound / rangeSize] = sums
        }
        for index in 0..<values.blockCount {
            let block = blocks[index]
            sums.exact += block.exact
            sums.double.add(block.double)
            sums.minimum = min(sums.minimum, block.minimum)
            sums.maximum = max(sums.maximum, block.maximum)
        }
    }

    // MARK: Second pass

    private mutating func addDistribution(hasHistogram: Bool) throws {
        // Few values get few counters, because clearing more counters would take longer than counting.
        let digits = KeySelection.Digits(
            minimum: values.minimum, maximum: values.maximum, bits: min(14, Int.bitWidth - valueCount.leadingZeroBitCount))
        let threads = max(1, threads)
        let counts = try UnsafeArray<Int>(count: threads * digits.count, repeating: 0)
        let scale =
            hasHistogram && sums.minimum < sums.maximum
            ? HistogramBins(values.representation, minimum: sums.minimum, maximum: sums.maximum) : nil
        let binCounts = try UnsafeArray<Int>(count: threads * Histogram.binCount, repeating: 0)
        let isFixed = values.representation != .double
        if !isFixed { deviation = Deviation(range: ValueVector.decimal(of: sums.maximum) - ValueVector.decimal(of: sums.minimum)) }
        let empty = deviation
        let deviations = try UnsafeArray<Deviation>(count: values.blockCount, repeating: empty)
        let minimum = values.minimum
        // The minimum is subtracted from integers, so that differences of numbers beyond 2^53 are exact.
        let center =
            isFixed
            ? Double(sums.exact - Int128(ValueVector.integer(of: minimum)) * Int128(valueCount)) / Double(valueCount)
            : mean
        try forEachRange(of: values.count, threads: threads, control: control) { thread, range in
            let threadCounts = counts.base + thread * digits.count
            let bins = binCounts.base + thread * Histogram.binCount
            var deviation = empty
            try values.forEachValue(in: range) { _, key in
                threadCounts[digits.digit(of: key)] += 1
                let distance = (isFixed ? Double(key &- minimum) : ValueVector.decimal(of: key)) - center
                deviation.add(distance)
                if let scale, let bin = scale.bin(of: key) { bins[bin] += 1 }
            }
            deviations[range.lowerBound / rangeSize] = deviation
        }
        for index in 0..<values.blockCount {
            deviation.sum += deviations[index].sum
            deviation.squares += deviations[index].squares
        }
        if scale != nil {
            bins = (0..<Histogram.binCount).map { bin in
                (0..<threads).reduce(0) { $0 + binCounts[$1 * Histogram.binCount + bin] }
            }
        }
        let all = (0..<digits.count).map { digit in (0..<threads).reduce(0) { $0 + counts[$1 * digits.count + digit] } }
        ranked = Dictionary(uniqueKeysWithValues: zip(ranks, try select(digits, all)))
    }

    private func select(_ digits: KeySelection.Digits, _ counts: [Int]) throws -> [UInt64] {
        let plan = KeySelection.Plan(ranks, counts)
        if digits.shift == 0 { return plan.digits.map { digits.minimum + UInt64($0) } }
        var found = [[UInt64]](repeating: [], count: max(1, threads))
        try found.withUnsafeMutableBufferPointer { found in
            let found = found.baseAddress!
            try plan.shouldContinue.withUnsafeBufferPointer { shouldContinue in
                try forEachRange(of: values.count, threads: threads, control: control) { thread, range in
                    try values.forEachValue(in: range) { _, key in
                        guard shouldContinue[digits.digit(of: key)] else { return }
                        try found[thread].makeRoom()
                        found[thread].append(key)
                    }
                }
            }
        }
        var keys: [UInt64] = []
        for found in found {
            try control.checkCancellation()
            try keys.makeRoom(for: found.count)
            keys += found
        }
        return try KeySelection.select(plan.ranks, of: keys, control: control)
    }

    // MARK: Counted values

    private mutating func addUp(_ valueCounts: ValueCounts) {
        var distances = 0
        valueCounts.forEach { distances += $0 * $1 }
        sums.exact = Int128(ValueVector.integer(of: values.minimum)) * Int128(valueCount) + Int128(distances)
        (sums.minimum, sums.maximum) = (values.minimum, values.maximum)
    }

    private mutating func addDistribution(_ valueCounts: ValueCounts, hasHistogram: Bool) {
        let scale =
            hasHistogram && values.minimum < values.maximum
            ? HistogramBins(values.representation, minimum: values.minimum, maximum: values.maximum) : nil
        var binCounts = [Int](repeating: 0, count: Histogram.binCount)
        var ranks = ranks[...]
        var before = 0
        // The differences from the minimum and their squares are added as integers, without rounding.
        var sum = 0
        var squares: UInt128 = 0
        valueCounts.forEach { distance, count in
            let key = values.minimum + UInt64(distance)
            before += count
            while let rank = ranks.first, rank < before {
                ranked[rank] = key
                ranks.removeFirst()
            }
            sum += distance * count
            squares += UInt128(distance * distance) * UInt128(count)
            if let bin = scale?.bin(of: key) { binCounts[bin] += count }
        }
        if scale != nil { bins = binCounts }
        deviation.squares = Double(squares * UInt128(valueCount) - UInt128(sum) * UInt128(sum)) / Double(valueCount)
    }

    // MARK: Results

    private typealias Histogram = ColumnStatistics.Histogram

    /// The mean in a column of doubles.
    private var mean: Double {
        if let digits = values.exactDigits { return ExactDecimal(sums.exact, digits: digits).double / Double(valueCount) }
        return sums.double.mean(of: valueCount)
    }

    func write(to statistics: inout ColumnStatistics) {
        guard valueCount > 0 else { return }
        let isTemporal = statistics.kind.isTemporal
        let quantiles = Quantiles(values.representation, isTemporal: isTemporal)
        statistics.minimum = quantiles.value(values.minimum)
        statistics.maximum = quantiles.value(values.maximum)
        switch values.representation {
        case .double:
            if let digits = values.exactDigits, let (minimum, maximum) = values.exactExtremes {
                statistics.minimum = AggregateValue(minimum, digits: digits)
                statistics.maximum = AggregateValue(maximum, digits: digits)
                statistics.sum = AggregateValue(sums.exact, digits: digits)
                statistics.mean = AggregateValue(meanOf: sums.exact, digits: digits, count: valueCount)
            } else {
                statistics.sum = .decimal(sums.double.total)
                statistics.mean = .decimal(mean)
            }
        case .fixed(let digits):
            if isTemporal {
                statistics.mean = .integer(Int64(sums.exact * Int128(FixedScale.power(6 - digits)) / Int128(valueCount)))
            } else {
                statistics.mean = AggregateValue(meanOf: sums.exact, digits: digits, count: valueCount)
                statistics.sum = AggregateValue(sums.exact, digits: digits)
            }
        }
        if !isTemporal { statistics.standardDeviation = deviation.standardDeviation(of: valueCount, values.representation) }
        guard statistics.kind != .flag else { return }
        statistics.quantiles = ColumnStatistics.percentages.map { quantiles.value(of: $0, count: valueCount, ranked: ranked) }
        statistics.histogram = bins.map {
            Histogram(minimum: quantiles.value(sums.minimum), maximum: quantiles.value(sums.maximum), counts: $0)
        }
    }
}
