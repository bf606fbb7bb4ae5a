extension Range<Int> {
    /// The first place that belongs to the second part, or the upper bound; the places of the first part come before those of the second.
    /// O(log n) questions.
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
