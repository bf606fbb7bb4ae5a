extension Range<Int> {
    /// The first index for which `belongsToSecond` is true; the upper bound if it is false for all indices. It must also be true for all
    /// indices after that one. O(log n) calls.
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
