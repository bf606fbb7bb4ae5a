public import FieldValues

extension Table {
    /// The profiles of columns, from samples at the beginning, the middle and the end of the known records.
    /// - Parameter notation: the notation of all numbers; `nil` to detect it for each column.
    /// - Complexity: O(500 records); fewer records if there are more than 200 columns.
    public func profiles(of columns: [Int], notation: DecimalStyle? = nil) -> [ColumnProfile] {
        guard !columns.isEmpty else { return [] }
        var samplers = [ColumnSampler](repeating: ColumnSampler(), count: columns.count)
        let most = max(20, min(500, 100_000 / columns.count))
        let places = recordCount <= most ? [0] : [0, (recordCount - most / 3) / 2, recordCount - most / 3]
        for place in places {
            let end = min(recordCount, place + (recordCount <= most ? most : most / 3))
            // Unreadable records are not sampled. Reading them for the screen reports the error.
            try? scan(place..<end, columns: columns) { _, fields in
                for (index, field) in fields.enumerated() { samplers[index].add(field) }
                return true
            }
        }
        return ColumnSampler.profiles(samplers, notation: notation)
    }
}
