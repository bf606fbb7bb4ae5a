import FieldValues

extension Table {
    /// The kinds and sample values of columns, judged by records at the beginning, in the middle and at the end of those known.
    /// - Complexity: O(500 records), fewer where there are more than 200 columns.
    public func profiles(of columns: [Int]) -> [ColumnProfile] {
        guard !columns.isEmpty else { return [] }
        var samplers = [ColumnSampler](repeating: ColumnSampler(), count: columns.count)
        let most = max(20, min(500, 100_000 / columns.count))
        let places = recordCount <= most ? [0] : [0, (recordCount - most / 3) / 2, recordCount - most / 3]
        for place in places {
            let end = min(recordCount, place + (recordCount <= most ? most : most / 3))
            // What cannot be read is not sampled; reading it for the screen tells why.
            try? scan(place..<end, columns: columns) { _, fields in
                for (index, field) in fields.enumerated() { samplers[index].add(field) }
                return true
            }
        }
        return ColumnSampler.profiles(samplers)
    }
}
