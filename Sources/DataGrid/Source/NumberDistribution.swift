import FieldValues

/// A list of numbers that computes their quantiles and their standard deviation.
struct NumberDistribution {
    private let numbers: [Double]

    /// - Parameter numbers: the numbers, which must not contain NaN.
    init(_ numbers: [Double]) { self.numbers = numbers }

    /// The quantile or standard deviation that `function` names; NaN if it is undefined. O(numbers · log numbers).
    func value(_ function: AggregateFunction) -> Double {
        guard !numbers.isEmpty else { return .nan }
        return function.percentage.map(quantile) ?? standardDeviation
    }

    /// The quantile, interpolated between the two numbers nearest to it.
    private func quantile(_ percentage: Int) -> Double {
        let sorted = numbers.sorted()
        let (rank, remainder) = ((sorted.count - 1) * percentage).quotientAndRemainder(dividingBy: 100)
        guard remainder > 0, sorted[rank] != sorted[rank + 1] else { return sorted[rank] }
        let (a, b) = (sorted[rank], sorted[rank + 1])
        guard a.isFinite, b.isFinite else { return remainder < 50 ? a : b }
        let weight = Double(remainder) / 100
        return a * (1 - weight) + b * weight
    }

    private var standardDeviation: Double {
        guard numbers.count > 1 else { return .nan }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let (sum, squares) = numbers.reduce((0.0, 0.0)) { ($0.0 + ($1 - mean), $0.1 + ($1 - mean) * ($1 - mean)) }
        // Subtract a second term, which corrects the rounding error of the mean.
        let variance = (squares - sum * sum / Double(numbers.count)) / Double(numbers.count - 1)
        return variance.isFinite ? max(0, variance).squareRoot() : .nan
    }
}
