public import FieldValues

extension Table {
    /// The profiles of columns, inferred from samples at the beginning, the middle and the end of the known records.
    /// - Parameters:
    ///   - notation: the notation of all numbers; `nil` to detect it for each column.
    ///   - title: the title of a column, or an empty string. It helps to recognize sizes such as `1.5G`.
    /// - Complexity: O(500 records); fewer records if there are more than 200 columns.
    public func profiles(of columns: [Int], notation: DecimalStyle? = nil, title: (_ column: Int) -> String = { _ in "" })
        -> [ColumnProfile]
    {
        profiles(of: columns, delimiter: 0, notation: notation, title: title)
    }

    /// Same as ``profiles(of:notation:title:)``, for a file with a delimiter.
    /// - Parameter delimiter: the delimiter of the file; 0 for none.
    package func profiles(of columns: [Int], delimiter: UInt8, notation: DecimalStyle?, title: (_ column: Int) -> String)
        -> [ColumnProfile]
    {
        guard !columns.isEmpty else { return [] }
        var samplers = [ColumnSampler](repeating: ColumnSampler(), count: columns.count)
        let most = max(20, min(500, 100_000 / columns.count))
        var starts = [0]
        if recordCount > most {
            for start in [(recordCount - most / 3) / 2, recordCount - most / 3].map(sampleStart) where !starts.contains(start) {
                starts.append(start)
            }
        }
        let bounds = self as? any ColumnarTable
        // Columns that are cheap to read are sampled in groups. The memory of a group is released before the next group is read.
        let groupSize = bounds.map { $0.isSlowToScan } == false ? 1_024 : columns.count
        // Sample the first records and the first columns last, so that their bytes are still in memory when the first screen is drawn.
        for start in starts.reversed() {
            let end = min(recordCount, start + (recordCount <= most ? most : most / 3))
            for (index, column) in columns.enumerated() {
                if let limits = bounds?.bounds(ofColumn: column, in: start..<end, byPage: false) { samplers[index].add(limits) }
            }
            // Errors are ignored here: they are reported when the records are read for the screen.
            for first in stride(from: 0, to: columns.count, by: groupSize).reversed() {
                let group = Array(columns[first..<min(columns.count, first + groupSize)])
                try? sample(start..<end, columns: group, into: &samplers, from: first)
            }
        }
        return ColumnSampler.profiles(samplers, delimiter: delimiter, notation: notation) { title(columns[$0]) }
    }

    /// The profiles of columns without a value in the usual sample, inferred from the first values of each column. A column without any
    /// value has no sampled fields.
    /// - Parameters:
    ///   - first: the first record to read.
    ///   - delimiter: the delimiter of the file; 0 for none.
    ///   - notation: the notation of all numbers; `nil` to detect it for each column.
    ///   - shouldContinue: polled occasionally; return `false` to end the search.
    ///   - title: the title of a column, or an empty string.
    /// - Complexity: O(fields of the columns). Ends at the record in which the last column has enough values.
    package func profiles(
        ofRareColumns columns: [Int], from first: Int, delimiter: UInt8 = 0, notation: DecimalStyle?, while shouldContinue: () -> Bool,
        title: (_ column: Int) -> String
    ) -> [ColumnProfile] {
        var samplers = [ColumnSampler](repeating: ColumnSampler(), count: columns.count)
        var counts = [Int](repeating: 0, count: columns.count)
        // The indices of the columns that need more values.
        var open = Array(columns.indices)
        let (read, plain) = sampledColumns(columns)
        // Errors are ignored here: they are reported when the records are read for the screen or the output.
        try? scan(min(first, recordCount)..<recordCount, columns: read) { record, fields in
            var isFull = false
            for index in open where !fields[index].isBlank {
                let isString = plain[index].map { fields[$0].isMissing } ?? false
                samplers[index].add(fields[index], isString: isString && hasTypedStrings(inColumn: columns[index]))
                counts[index] += 1
                if counts[index] == Self.rareValueCount { isFull = true }
            }
            if isFull { open.removeAll { counts[$0] == Self.rareValueCount } }
            return !open.isEmpty && (record & 0xFFF != 0 || shouldContinue())
        }
        return ColumnSampler.profiles(samplers, delimiter: delimiter, notation: notation) { title(columns[$0]) }
    }

    /// The number of values that decide the type of a column without a value in the usual sample.
    private static var rareValueCount: Int { 500 }

    /// The profiles of fields, inferred from samples of the known records and the names of the fields.
    package func profiles(of fields: [Field]) -> [ColumnProfile] {
        let names = Dictionary(fields.map { ($0.id.rawValue, $0.name) }) { first, _ in first }
        return profiles(of: fields.map(\.id.rawValue)) { names[$0] ?? "" }
    }

    /// Adds the fields of some records to the samplers of their columns. JSON distinguishes strings from other values, and nulls from
    /// missing fields.
    /// - Parameters:
    ///   - first: the index of the sampler of the first column. The samplers of the other columns follow.
    ///   - maximumBytes: the number of bytes of fields after which the sample ends.
    package func sample(
        _ records: Range<Int>, columns: [Int], into samplers: inout [ColumnSampler], from first: Int = 0, maximumBytes: Int = .max
    ) throws {
        let typed = columns.map { hasTypedStrings(inColumn: $0) }
        let (read, plain) = sampledColumns(columns)
        var bytes = 0
        try scan(records, columns: read) { _, fields in
            for index in columns.indices {
                let field = fields[index]
                let isString = plain[index].map { fields[$0].isMissing } ?? false
                if field.isMissing, plain[index] != nil, !isString {
                    samplers[first + index].addNull()
                } else {
                    samplers[first + index].add(field, isString: isString && typed[index])
                }
                bytes += field.count
            }
            return bytes < maximumBytes
        }
    }

    /// The columns to read for a sample of `columns`: these columns, then additional ones.
    /// - Returns: For each column, also the index of the additional column with all of its values except strings; `nil` without such a
    ///   column.
    private func sampledColumns(_ columns: [Int]) -> (read: [Int], plain: [Int?]) {
        var read = columns
        let plain: [Int?] = columns.map { column in
            guard isJSON || hasTypedStrings(inColumn: column) else { return nil }
            read.append(FieldID.firstNestedColumn + column)
            return read.count - 1
        }
        return (read, plain)
    }
}
