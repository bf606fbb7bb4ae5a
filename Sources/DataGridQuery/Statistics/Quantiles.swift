import FieldValues
import Tables

/// Quantiles with linear interpolation between neighboring values, like `quantile_cont` of DuckDB and type 7 of R. J. Hyndman, Y. Fan,
/// "Sample Quantiles in Statistical Packages", 1996.
struct Quantiles {
    let representation: ValueVector.Representation
    let isTemporal: Bool

    init(_ representation: ValueVector.Representation, isTemporal: Bool) {
        (self.representation, self.isTemporal) = (representation, isTemporal)
    }

    /// The ranks of the values from which the quantiles of `count` sorted values are computed, ascending. A percentage between two ranks
    /// needs both ranks.
    static func ranks(of percentages: [Int], count: Int) -> [Int] {
        let lower = percentages.map { rank(of: $0, count: count) }
        return Set(lower.map(\.rank) + lower.filter { $0.hundredths > 0 }.map { $0.rank + 1 }).sorted()
    }

    /// The position of a percentage among the ranks 0 to `count` − 1: the rank at or below it, and the distance from that rank in
    /// hundredths of a rank.
    private static func rank(of percentage: Int, count: Int) -> (rank: Int, hundredths: Int) {
        let (rank, hundredths) = ((count - 1) * percentage).quotientAndRemainder(dividingBy: 100)
        return (rank, hundredths)
    }

    /// The quantile at a percentage of `count` values.
    /// - Parameter ranked: the key at each rank that ``ranks(of:count:)`` returns.
    func value(of percentage: Int, count: Int, ranked: [Int: UInt64]) -> AggregateValue {
        let (rank, hundredths) = Self.rank(of: percentage, count: count)
        return interpolated(ranked[rank]!, ranked[hundredths == 0 ? rank : rank + 1]!, hundredths)
    }

    /// The value that a key stands for.
    func value(_ key: UInt64) -> AggregateValue {
        switch representation {
        case .double: return .decimal(ValueVector.decimal(of: key))
        case .fixed(let digits):
            let number = ValueVector.integer(of: key)
            if isTemporal { return .integer(number * FixedScale.power(6 - digits)) }
            return digits == 0 ? .integer(number) : .decimal(FixedScale.double(number, digits: digits))
        }
    }

    /// The value between two values, `hundredths` hundredths of the way from the lower to the upper one.
    private func interpolated(_ lower: UInt64, _ upper: UInt64, _ hundredths: Int) -> AggregateValue {
        guard lower != upper, hundredths > 0 else { return value(lower) }
        switch representation {
        case .double:
            let (a, b) = (ValueVector.decimal(of: lower), ValueVector.decimal(of: upper))
            // Interpolation with an infinite value has no meaning, so the nearer value is returned.
            guard a.isFinite, b.isFinite else { return .decimal(hundredths < 50 ? a : b) }
            let fraction = Double(hundredths) / 100
            return .decimal(a * (1 - fraction) + b * fraction)
        case .fixed(let digits):
            let (a, b) = (Int128(ValueVector.integer(of: lower)), Int128(ValueVector.integer(of: upper)))
            let hundredfold = a * Int128(100 - hundredths) + b * Int128(hundredths)
            if isTemporal { return .integer(Int64(hundredfold * Int128(FixedScale.power(6 - digits)) / 100)) }
            return AggregateValue(hundredfold, digits: digits + 2)
        }
    }
}

/// Sums for the standard deviation: the differences of values from a given mean, and the squares of these differences.
struct Deviation: BitwiseCopyable {
    /// The differences are multiplied by this power of two, so that the squares of extreme numbers neither overflow nor become 0.
    private let factor: Double
    var sum = 0.0
    var squares = 0.0

    /// - Parameter range: the difference of the greatest and the least value.
    init(range: Double = 1) {
        // A sum of squares of other numbers has an exponent within ±900, so it needs no factor.
        let exponent = range.isInfinite ? 1023 : range.exponent
        let isExtreme = range > 0 && exponent.magnitude > 400
        factor = isExtreme ? Double(sign: .plus, exponent: max(-1000, min(1000, -exponent)), significand: 1) : 1
    }

    @inline(__always)
    mutating func add(_ distance: Double) {
        let scaled = distance * factor
        sum += scaled
        squares += scaled * scaled
    }

    /// The sample standard deviation of `count` values; `nil` for fewer than two values, or if it is not finite.
    func standardDeviation(of count: Int, _ representation: ValueVector.Representation) -> Double? {
        guard count > 1 else { return nil }
        let scale = if case .fixed(let digits) = representation { Double(FixedScale.power(digits)) } else { 1.0 }
        // The second term corrects the rounding error of the mean (T. F. Chan, G. H. Golub, R. J. LeVeque, 1983).
        let variance = (squares - sum * sum / Double(count)) / Double(count - 1)
        guard variance.isFinite else { return nil }
        let deviation = max(0, variance).squareRoot() / scale / factor
        return deviation.isFinite ? deviation : nil
    }
}

/// Computes quantiles and the standard deviation of the values of a group.
struct ValueSpread {
    private let quantiles: Quantiles
    private let functions: [Query.Aggregate.Function]
    private let percentages: [Int]

    /// - Parameter functions: the aggregate functions to compute: quantiles and the standard deviation.
    init(_ quantiles: Quantiles, _ functions: [Query.Aggregate.Function]) {
        (self.quantiles, self.functions, percentages) = (quantiles, functions, functions.compactMap(\.percentage))
    }

    /// The result of each function for the values of a group, in the order of the functions. `keys` are the keys of these values.
    /// O(`keys`).
    func values(of keys: [UInt64], control: JobControl) throws -> [AggregateValue] {
        guard !keys.isEmpty else { return functions.map { _ in .none } }
        let ranks = Quantiles.ranks(of: percentages, count: keys.count)
        let found = ranks.isEmpty ? [] : try KeySelection.select(ranks, of: keys, control: control)
        let ranked = Dictionary(uniqueKeysWithValues: zip(ranks, found))
        return functions.map { function in
            if let percentage = function.percentage { return quantiles.value(of: percentage, count: keys.count, ranked: ranked) }
            return standardDeviation(of: keys).map { .decimal($0) } ?? .none
        }
    }

    private func standardDeviation(of keys: [UInt64]) -> Double? {
        guard let minimum = keys.min(), let maximum = keys.max() else { return nil }
        var deviation = Deviation()
        if quantiles.representation == .double {
            deviation = Deviation(range: ValueVector.decimal(of: maximum) - ValueVector.decimal(of: minimum))
            var sum = NeumaierSum()
            for key in keys { sum.add(ValueVector.decimal(of: key)) }
            let mean = sum.mean(of: keys.count)
            for key in keys { deviation.add(ValueVector.decimal(of: key) - mean) }
        } else {
            // The minimum is subtracted from integers, so that differences of numbers beyond 2^53 are exact.
            var sum: UInt128 = 0
            for key in keys { sum += UInt128(key - minimum) }
            let mean = Double(sum) / Double(keys.count)
            for key in keys { deviation.add(Double(key - minimum) - mean) }
        }
        return deviation.standardDeviation(of: keys.count, quantiles.representation)
    }
}
