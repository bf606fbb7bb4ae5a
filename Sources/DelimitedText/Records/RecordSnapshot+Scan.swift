public import Tables
import CByteScan
public import FieldValues

extension RecordSnapshot {
    /// Calls `body` for each of `records` in ascending order, with the fields of `columns` in the given order.
    ///
    /// The fields are UTF-8, unquoted and borrowed: they are valid only inside `body`. Fields that a record does not have, and columns
    /// below 0, are missing. Several threads may scan at once. The scan stops if `body` returns `false`.
    /// - Complexity: O(bytes of the records), plus O(log n) for the first one. Memory: one block, or the longest record.
    /// - Throws: ``DelimitedTextError`` if the file can no longer be read, `records` is out of bounds, or a record is longer than 1 GiB.
    public func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try scanBatches(records, columns: columns) { $0.forEachRecord(body) }
    }

    /// Scans like ``scan(_:columns:_:)-(Range<Int>,_,_)``, with up to 1,024 records per call.
    public func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        try scanBatches(records, columns: columns, cutting: nil, body)
    }

    /// Scans like ``scanBatches(_:columns:_:)``, but passes a record as a line if its bytes are already in the requested form.
    ///
    /// Records are passed as lines only if `columns` are the first columns in file order. The file must have the requested delimiter,
    /// double quotes as quotes, no comments, and a Unicode encoding.
    public func scanLines(
        _ records: Range<Int>, columns: [Int], delimiter: UInt8?, lines: (_ batch: LineBatch) -> Bool, fields: (_ batch: FieldBatch) -> Bool
    ) throws {
        let dialect = grammar.dialect
        let isSame =
            dialect.delimiter == delimiter && dialect.quote == UInt8(ascii: "\"") && dialect.commentPrefix.isEmpty
            && !dialect.encoding.isSingleByte
        let isWhole = !columns.isEmpty && columns.elementsEqual(columns.indices)
        guard isSame, isWhole else { return try scanBatches(records, columns: columns, fields) }
        // Swift treats an optional closure as escaping, so this call is needed to pass it on.
        try withoutActuallyEscaping(lines) { try scanBatches(records, columns: columns, cutting: nil, lines: $0, fields) }
    }

    /// Calls `body` with the fields of the header. Does not call it if the file has no header, or a header of two rows.
    public func scanHeader(columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        guard grammar.dialect.hasHeader, grammar.dialect.headerRows == 1, headerStartCount > 0 else { return }
        try scanBatches(-1..<0, columns: columns, cutting: nil) { batch in
            body(batch.fields(of: 0))
            return true
        }
    }

    /// Calls `body` with the fields of a record that was read, even if its number is not known.
    /// - Throws: the errors of ``scan(_:columns:_:)-(Range<Int>,_,_)``, and an error for a record whose end was not read.
    public func scan(_ record: Record, columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        let range = record.byteRange
        guard !record.isTruncated else {
            throw DelimitedTextError(
                .recordTooLong, "This row is too long to show yet. It can be read once the whole file has been read.", path: source.path,
                byteOffset: range.lowerBound)
        }
        var window = RecordWindow(source, begin: range.lowerBound, end: range.upperBound, block: max(range.count, 1), limit: range.count)
        while try window.extend() {}
        var selector = FieldSelector(grammar, columns, capacity: 1)
        let isRead = selector.read(window.bytes, window.count, isLast: true, atMost: 1).records == 1
        if isRead { body(selector.batch(from: 0).fields(of: 0)) } else { FieldBytes.withFields(of: columns.map { _ in nil }, body) }
    }

    /// Scans like ``scan(_:columns:_:)-(Range<Int>,_,_)``, but reads at most `maximumBytes` bytes of a record, for samples. The last field
    /// is cut off there.
    package func scan(
        _ records: Range<Int>, columns: [Int], cutting maximumBytes: Int,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try scanBatches(records, columns: columns, cutting: maximumBytes) { $0.forEachRecord(body) }
    }

    /// Scans records in batches, or passes them as lines.
    /// - Parameters:
    ///   - cutting: the maximum number of bytes to read of a record, for samples; the last field is cut off there. `nil` reads complete
    ///     records.
    ///   - lines: called with records that a writer of delimited text would write unchanged; `nil` to pass no lines.
    func scanBatches(
        _ records: Range<Int>, columns: [Int], cutting: Int?, lines: ((_ batch: LineBatch) -> Bool)? = nil,
        _ body: (_ batch: FieldBatch) -> Bool
    ) throws {
        if records.isEmpty { return }
        if records.lowerBound >= 0 || headerStartCount == 0 { try check(records) }
        let settings = grammar.settings
        var selector = FieldSelector(grammar, columns)
        let end = try end(ofRecords: records)
        let first = try offset(ofStart: records.lowerBound + headerStartCount)
        // The size in bytes of a batch if many columns are read, limited to about the size of the larger processor caches.
        let wide = min(selector.capacity * ((end - first) / records.count), 2 << 20)
        var window = RecordWindow(
            source, begin: first, end: end, block: selector.isWide ? max(settings.blockBytes, wide) : settings.blockBytes,
            limit: cutting ?? settings.maximumRecordBytes)

        var finder = lines == nil ? nil : LineFinder(grammar, fields: columns.count)
        var number = records.lowerBound
        while number < records.upperBound {
            var room = min(selector.capacity, records.upperBound - number)
            if let lines, let found = finder?.find(window.bytes, window.count, number..<records.upperBound) {
                if found.count > 0 {
                    if !lines(found) { return }
                    number += found.count
                    window.consume(found.byteCount)
                    continue
                }
                room = min(room, finder?.recordsToParse ?? room)
            }
            var isTruncated = false
            var progress = selector.read(window.bytes, window.count, isLast: window.isAtEnd, atMost: room)
            if progress.records == 0 {
                window.consume(progress.consumed)
                if try window.extend() { continue }
                if window.isAtEnd { throw changedError(record: number) }
                guard cutting != nil else { throw recordTooLongError(record: number, at: window.offset) }
                progress = selector.read(window.bytes, window.count, isLast: true, atMost: 1)
                if progress.records == 0 { throw changedError(record: number) }
                isTruncated = true
            }
            if !body(selector.batch(from: number)) { return }
            number += progress.records
            if isTruncated {
                if number < records.upperBound { window.seek(to: try offset(ofStart: number + headerStartCount)) }
                continue
            }
            window.consume(progress.consumed)
            if progress.records < room && number < records.upperBound {
                if try !window.extend() && window.isAtEnd && window.count == 0 { throw changedError(record: number) }
            }
        }
    }

    private func recordTooLongError(record: Int, at offset: Int) -> DelimitedTextError {
        let line = skippedLines + 1 + ((try? lineEndCount(before: offset)) ?? 0)
        let limit = grammar.settings.maximumRecordBytes >> 20
        return DelimitedTextError(
            .recordTooLong,
            "The row that starts on line \(line) of \(source.path ?? "the input") is too long: the limit is \(limit) MiB.",
            path: source.path, byteOffset: offset, record: record, line: line)
    }
}
