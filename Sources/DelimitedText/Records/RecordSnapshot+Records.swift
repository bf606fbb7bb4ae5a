public import Tables

extension RecordSnapshot {
    /// The records `range` as text.
    ///
    /// - Parameters:
    ///   - range: a range within `0 ..< recordCount`.
    ///   - columns: the fields to convert; `nil` for all.
    ///   - maximumFieldBytes: the maximum number of bytes of a field's text. At most 16 MiB of a record are read, or four times this value
    ///     if that is more.
    /// - Throws: ``DelimitedTextError`` if the file can no longer be read or the range is out of bounds.
    public func records(
        _ range: Range<Int>, columns: Range<Int>? = nil, maximumFieldBytes: Int = 4096
    ) throws(DelimitedTextError) -> [Record] {
        try check(range)
        if range.isEmpty { return [] }
        var reader = RecordReader(
            source, grammar, begin: try offset(ofStart: range.lowerBound + headerStartCount), end: try end(ofRecords: range),
            columns: columns,
            maximumFieldBytes: maximumFieldBytes)
        var result: [Record] = []
        result.reserveCapacity(range.count)
        for number in range {
            guard let record = try reader.next() else { throw changedError(record: number) }
            result.append(record)
            if record.isTruncated && number + 1 < range.upperBound { reader.seek(to: try offset(ofStart: number + 1 + headerStartCount)) }
        }
        return result
    }

    /// Reads all columns, like ``records(_:columns:maximumFieldBytes:)``.
    public func records(_ range: Range<Int>, maximumFieldBytes: Int) throws(DelimitedTextError) -> [Record] {
        try records(range, columns: nil, maximumFieldBytes: maximumFieldBytes)
    }

    func check(_ range: Range<Int>) throws(DelimitedTextError) {
        if range.lowerBound < 0 || range.upperBound > recordCount {
            throw DelimitedTextError(
                .outOfRange, "Rows \(range.lowerBound)..<\(range.upperBound) are out of range: the table has \(recordCount).",
                path: source.path)
        }
    }

    /// The file offset of the end of some records: the start of the next record, or the end of the known bytes.
    func end(ofRecords range: Range<Int>) throws(DelimitedTextError) -> Int {
        let next = range.upperBound + headerStartCount
        return next < startCount ? try offset(ofStart: next) : byteEnd
    }

    func changedError(record: Int) -> DelimitedTextError {
        DelimitedTextError(
            .changed, "\(source.path ?? "The file") was changed: row \(record + 1) has moved.", path: source.path,
            record: record)
    }
}
