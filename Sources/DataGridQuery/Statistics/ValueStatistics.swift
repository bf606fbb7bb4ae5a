import FieldValues

/// Sums, deviation, quantiles and histogram of a column of values.
///
/// What is added as doubles is added block by block and the blocks in order, so that the result is the same for any number of threads.
struct ValueStatistics {
    private let values: ValueVector
    private let threads: Int
    private let control: JobControl
    /// Records of each ``FieldClass``.
    private(set) var counts = [Int](repeating: 0, count: Int(FieldClass.missing.rawValue) + 1)
    private var sums = Sums()
    private var deviation = Deviation()
    /// The values at the places that quantiles need.
    private var ranked: [Int: UInt64] = [:]
    private(set) var parts: [Int]?

    /// - Parameters:
    ///   - counted: how often each value occurs, where that is known: then the values themselves are not looked at.
    ///   - hasParts: whether a histogram is wanted.
    init(_ values: ValueVector, counted: CountedValues?, hasParts: Bool, threads: Int, control: JobControl) throws {
        (self.values, self.threads, self.control) = (values, threads, control)
        if let counted {
            addUp(counted)
            spread(counted, hasParts)
            return
        }
        try addUp()
        guard valueCount > 0 else { return }
        try spread(hasParts)
    }

    var valueCount: Int { counts[Int(FieldClass.value.rawValue)] }

    /// The place of the value below a percentage, and how many hundredths of the way to the next one it lies.
    private func place(of percentage: Int) -> (rank: Int, rest: Int) {
        let (rank, rest) = ((valueCount - 1) * percentage).quotientAndRemainder(dividingBy: 100)
        return (rank, rest)
    }

    /// The places of the values next to the percentages, ascending.
    private var ranks: [Int] {
        let lower = ColumnStatistics.percentages.map { place(of: $0) }
        return Set(lower.map(\.rank) + lower.filter { $0.rest > 0 }.map { $0.rank + 1 }).sorted()
    }

    // MARK: First look

    /// What is added up of a block.
    private struct Sums: BitwiseCopyable {
        var counts: (Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0)
        var exact: Int128 = 0
        var sum = 0.0
        var compensation = 0.0
        /// Of the finite values.
        var least = UInt64.max
        var greatest: UInt64 = 0

        /// A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", 1974.
        @inline(__always)
        mutating func add(_ value: Double) {
            let next = sum + value
            compensation += sum.magnitude >= value.magnitude ? (sum - next) + value : (value - next) + sum
            sum = next
        }
    }

    private mutating func addUp() throws {
        let blocks = try Storage<Sums>(count: values.blockCount, repeating: Sums())
        let (isFixed, isExact) = (values.meaning != .double, values.exactDigits != nil)
        try forEachRange(of: values.count, threads: threads, control: control) { _, range in
            let keys = try Storage<UInt64>(count: isExact ? 0 : range.count)
            if !isExact { values.decode(range, into: keys.base) }
            let block = values.blocks[range.lowerBound / rangeSize]
            var sums = Sums()
            if let classes = block.classes {
                for place in 0..<range.count {
                    switch classes[place] {
                    case FieldClass.value.rawValue: sums.counts.0 += 1
                    case FieldClass.notANumber.rawValue: sums.counts.1 += 1
                    case FieldClass.unreadable.rawValue: sums.counts.2 += 1
                    case FieldClass.blank.rawValue: sums.counts.3 += 1
                    default: sums.counts.4 += 1
                    }
                }
            } else {
                sums.counts.0 = range.count
            }
            guard sums.counts.0 > 0 else { return blocks[range.lowerBound / rangeSize] = sums }
            if isFixed {
                // Where there is no value, there is the least one: nothing is added.
                var (low, high): (UInt64, UInt64) = (0, 0)
                for place in 0..<range.count {
                    let distance = keys[place] &- block.base
                    low &+= distance & 0xFFFF_FFFF
                    high &+= distance &>> 32
                }
                let base = Int128(ValueVector.integer(of: block.base))
                sums.exact = base * Int128(sums.counts.0) + Int128(low) + Int128(high) << 32
                (sums.least, sums.greatest) = (block.base, block.greatest)
            } else if isExact {
                if let exact = block.exact?.pointee { sums.exact = exact.sum(range.count, values: sums.counts.0) }
                (sums.least, sums.greatest) = (block.base, block.greatest)
            } else {
                for place in 0..<range.count where block.classes.map({ $0[place] == FieldClass.value.rawValue }) ?? true {
                    let value = ValueVector.decimal(of: keys[place])
                    sums.add(value)
                    guard value.isFinite else { continue }
                    sums.least = min(sums.least, keys[place])
                    sums.greatest = max(sums.greatest, keys[place])
                }
            }
            blocks[range.lowerBound / rangeSize] = sums
        }
        for index in 0..<values.blockCount {
            let block = blocks[index]
            for (kind, count) in [block.counts.0, block.counts.1, block.counts.2, block.counts.3, block.counts.4].enumerated() {
                counts[kind] += count
            }
            sums.exact += block.exact
            sums.add(block.sum)
            if block.compensation.isFinite { sums.add(block.compensation) }
            sums.least = min(sums.least, block.least)
            sums.greatest = max(sums.greatest, block.greatest)
        }
    }

    // MARK: Second look

    /// The distances from the mean, and their squares, added up.
    private struct Deviation: BitwiseCopyable {
        var sum = 0.0
        var squares = 0.0
    }

    private mutating func spread(_ hasParts: Bool) throws {
        // Counters for few values would take longer to clear than to use.
        let digits = KeySelection.Digits(
            least: values.least, greatest: values.greatest, bits: min(14, Int.bitWidth - valueCount.leadingZeroBitCount))
        let threads = max(1, threads)
        let counts = try Storage<Int>(count: threads * digits.count, repeating: 0)
        let scale = hasParts && sums.least < sums.greatest ? PartScale(values.meaning, least: sums.least, greatest: sums.greatest) : nil
        let partCounts = try Storage<Int>(count: threads * Histogram.partCount, repeating: 0)
        let deviations = try Storage<Deviation>(count: values.blockCount, repeating: Deviation())
        let isFixed = values.meaning != .double
        let least = values.least
        // Whole numbers are measured from the least one, so that those beyond 2^53 keep their differences.
        let mean =
            isFixed
            ? Double(sums.exact - Int128(ValueVector.integer(of: least)) * Int128(valueCount)) / Double(valueCount)
            : total / Double(valueCount)
        try forEachRange(of: values.count, threads: threads, control: control) { thread, range in
            let keys = try Storage<UInt64>(count: range.count)
            values.decode(range, into: keys.base)
            let classes = values.blocks[range.lowerBound / rangeSize].classes
            let own = counts.base + thread * digits.count
            let parts = partCounts.base + thread * Histogram.partCount
            var deviation = Deviation()
            for place in 0..<range.count where classes.map({ $0[place] == FieldClass.value.rawValue }) ?? true {
                let key = keys[place]
                own[digits.of(key)] += 1
                let distance = (isFixed ? Double(key &- least) : ValueVector.decimal(of: key)) - mean
                deviation.sum += distance
                deviation.squares += distance * distance
                if let scale, let part = scale.part(of: key) { parts[part] += 1 }
            }
            deviations[range.lowerBound / rangeSize] = deviation
        }
        for index in 0..<values.blockCount {
            deviation.sum += deviations[index].sum
            deviation.squares += deviations[index].squares
        }
        if scale != nil {
            parts = (0..<Histogram.partCount).map { part in
                (0..<threads).reduce(0) { $0 + partCounts[$1 * Histogram.partCount + part] }
            }
        }
        let all = (0..<digits.count).map { digit in (0..<threads).reduce(0) { $0 + counts[$1 * digits.count + digit] } }
        ranked = Dictionary(uniqueKeysWithValues: zip(ranks, try select(digits, all)))
    }

    private func select(_ digits: KeySelection.Digits, _ counts: [Int]) throws -> [UInt64] {
        let plan = KeySelection.Plan(ranks, counts)
        if digits.shift == 0 { return plan.digits.map { digits.least + UInt64($0) } }
        var found = [[UInt64]](repeating: [], count: max(1, threads))
        try found.withUnsafeMutableBufferPointer { found in
            let found = found.baseAddress!
            try plan.isWanted.withUnsafeBufferPointer { isWanted in
                try forEachRange(of: values.count, threads: threads, control: control) { thread, range in
                    let keys = try Storage<UInt64>(count: range.count)
                    values.decode(range, into: keys.base)
                    let classes = values.blocks[range.lowerBound / rangeSize].classes
                    for place in 0..<range.count {
                        // What is no value has no digit either.
                        guard classes.map({ $0[place] == FieldClass.value.rawValue }) ?? true, isWanted[digits.of(keys[place])] else {
                            continue
                        }
                        try found[thread].makeRoom()
                        found[thread].append(keys[place])
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

    // MARK: Of counted values

    private mutating func addUp(_ counted: CountedValues) {
        for index in 0..<values.blockCount {
            let slots = values.slots(ofBlock: index)
            guard let classes = values.blocks[index].classes else {
                counts[Int(FieldClass.value.rawValue)] += slots.count
                continue
            }
            for place in 0..<slots.count { counts[Int(classes[place])] += 1 }
        }
        var distances = 0
        counted.forEach { distances += $0 * $1 }
        sums.exact = Int128(ValueVector.integer(of: values.least)) * Int128(valueCount) + Int128(distances)
        (sums.least, sums.greatest) = (values.least, values.greatest)
    }

    private mutating func spread(_ counted: CountedValues, _ hasParts: Bool) {
        let scale =
            hasParts && values.least < values.greatest ? PartScale(values.meaning, least: values.least, greatest: values.greatest) : nil
        var partCounts = [Int](repeating: 0, count: Histogram.partCount)
        var ranks = ranks[...]
        var before = 0
        var part = 0
        // The distances from the least value, and their squares, are added exactly.
        var sum = 0
        var squares: UInt128 = 0
        counted.forEach { distance, count in
            let key = values.least + UInt64(distance)
            before += count
            while let rank = ranks.first, rank < before {
                ranked[rank] = key
                ranks.removeFirst()
            }
            sum += distance * count
            squares += UInt128(distance * distance) * UInt128(count)
            if let scale {
                part = scale.part(of: key, notBefore: part)
                partCounts[part] += count
            }
        }
        if scale != nil { parts = partCounts }
        deviation.squares = Double(squares * UInt128(valueCount) - UInt128(sum) * UInt128(sum)) / Double(valueCount)
    }

    // MARK: Outcome

    private typealias Histogram = ColumnStatistics.Histogram

    /// The sum of doubles.
    private var total: Double {
        if let digits = values.exactDigits { return ExactDecimal(sums.exact, digits: digits).double }
        return sums.sum.isFinite ? sums.sum + sums.compensation : sums.sum
    }

    /// Writes what there is to say of values of the statistics' kind.
    func tell(_ statistics: inout ColumnStatistics) {
        guard valueCount > 0 else { return }
        let isTemporal = statistics.kind.isTemporal
        statistics.least = value(values.least, isTemporal)
        statistics.greatest = value(values.greatest, isTemporal)
        switch values.meaning {
        case .double:
            if let digits = values.exactDigits, let (least, greatest) = values.exactExtremes {
                statistics.least = AggregateValue(least, digits: digits)
                statistics.greatest = AggregateValue(greatest, digits: digits)
                statistics.sum = AggregateValue(sums.exact, digits: digits)
                statistics.mean = AggregateValue(meanOf: sums.exact, digits: digits, count: valueCount)
            } else {
                statistics.sum = .decimal(total)
                statistics.mean = .decimal(total / Double(valueCount))
            }
        case .fixed(let digits):
            if isTemporal {
                statistics.mean = .integer(Int64(sums.exact * Int128(FixedScale.power(6 - digits)) / Int128(valueCount)))
            } else {
                statistics.mean = AggregateValue(meanOf: sums.exact, digits: digits, count: valueCount)
                statistics.sum = AggregateValue(sums.exact, digits: digits)
            }
        }
        if !isTemporal, valueCount > 1 {
            let count = Double(valueCount)
            let scale = if case .fixed(let digits) = values.meaning { Double(FixedScale.power(digits)) } else { 1.0 }
            // The second term makes up for the rounding of the mean (T. F. Chan, G. H. Golub, R. J. LeVeque, 1983).
            let variance = (deviation.squares - deviation.sum * deviation.sum / count) / (count - 1)
            statistics.standardDeviation = variance.isFinite ? max(0, variance).squareRoot() / scale : nil
        }
        guard statistics.kind != .flag else { return }
        statistics.quantiles = ColumnStatistics.percentages.map { percentage in
            let (rank, rest) = place(of: percentage)
            return between(ranked[rank]!, ranked[rest == 0 ? rank : rank + 1]!, rest, isTemporal)
        }
        statistics.histogram = parts.map {
            Histogram(least: value(sums.least, isTemporal), greatest: value(sums.greatest, isTemporal), counts: $0)
        }
    }

    private func value(_ key: UInt64, _ isTemporal: Bool) -> AggregateValue {
        switch values.meaning {
        case .double: return .decimal(ValueVector.decimal(of: key))
        case .fixed(let digits):
            let number = ValueVector.integer(of: key)
            if isTemporal { return .integer(number * FixedScale.power(6 - digits)) }
            return digits == 0 ? .integer(number) : .decimal(FixedScale.double(number, digits: digits))
        }
    }

    /// The value that lies `rest` hundredths of the way from one to the other.
    private func between(_ lower: UInt64, _ upper: UInt64, _ rest: Int, _ isTemporal: Bool) -> AggregateValue {
        guard lower != upper, rest > 0 else { return value(lower, isTemporal) }
        switch values.meaning {
        case .double:
            let (a, b) = (ValueVector.decimal(of: lower), ValueVector.decimal(of: upper))
            // Between finite and infinite there is nothing halfway.
            guard a.isFinite, b.isFinite else { return .decimal(rest < 50 ? a : b) }
            let part = Double(rest) / 100
            return .decimal(a * (1 - part) + b * part)
        case .fixed(let digits):
            let (a, b) = (Int128(ValueVector.integer(of: lower)), Int128(ValueVector.integer(of: upper)))
            let hundredfold = a * Int128(100 - rest) + b * Int128(rest)
            if isTemporal { return .integer(Int64(hundredfold * Int128(FixedScale.power(6 - digits)) / 100)) }
            return AggregateValue(hundredfold, digits: digits + 2)
        }
    }
}
