extension Range<Int> {
    /// The first index for which the predicate is true, or the upper bound. The predicate must not change from true to false.
    /// O(log n) calls.
    @inlinable
    package func partitioningIndex(where belongsToSecond: (Int) throws -> Bool) rethrows -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if try belongsToSecond(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
