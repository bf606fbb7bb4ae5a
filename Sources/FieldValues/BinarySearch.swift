extension Range<Int> {
    /// The first index for which `belongsToSecond` is true; the upper bound if it is false for all indices. After the first index for which
    /// it is true, it must be true for all indices. O(log n) calls.
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
