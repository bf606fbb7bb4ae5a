import Tables
import FieldValues

/// The fields of a column, each at its field number. Fields with different numbers nearly always differ.
protocol FieldList: Sendable {
    var count: Int { get }
    /// The size in memory, in bytes.
    var byteCount: Int { get }
    /// The bytes of the field whose field number is `number`. An empty field has no bytes. A single space stands for a missing field.
    func bytes(_ number: Int) -> UnsafeBufferPointer<UInt8>
    /// The rank of each field in sorted order, indexed by field number. Equal fields share a rank. All empty and missing fields together
    /// also share one rank.
    func groupRanks(_ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws -> [UInt32]
}

extension FieldList {
    /// The numbers of all fields in sorted order. Empty fields come last, followed by missing fields.
    /// - Parameters:
    ///   - limit: the number of leading bytes that order fields with equal values, such as `1` and `1.0`.
    ///   - repeated: receives the positions in the sorted order where a field has the same value as the field before it.
    func order(
        _ ordering: SortOrdering, isDescending: Bool, limit: Int, threads: Int, control: JobControl, repeated: BitSet
    ) throws -> [UInt32] {
        let key = ResolvedSortKey(column: 0, ordering: ordering, isDescending: isDescending)
        let job = try SortJob(
            FieldTable(fields: self), [key], nil, threads: threads, control: control, usesCodes: false)
        // Field numbers depend on the timing of threads, so fields with equal values are ordered by their bytes.
        let ties = SortJob.TieBreak(
            isBefore: {
                let order = Platform.compare(leadingBytes($0, limit), leadingBytes($1, limit))
                return order < 0 || order == 0 && $0 < $1
            }, repeated: repeated)
        return try job.records(breaking: ties).short
    }

    /// The first `limit` bytes of a field. They determine the order of fields with equal values, such as `1` and `1.0`.
    private func leadingBytes(_ number: UInt32, _ limit: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes(Int(number))).prefix(limit))
    }

    /// The rank of each field in sorted order, indexed by field number. Fields with the same compared bytes share a rank.
    /// - Parameter limit: see ``order(_:isDescending:limit:threads:control:repeated:)``. By default, all bytes are compared. Distinct
    ///   fields then have distinct ranks: 0, 1, 2… without gaps.
    func ranks(_ ordering: SortOrdering, isDescending: Bool, limit: Int = .max, threads: Int, control: JobControl) throws -> [UInt32] {
        let repeated = try BitSet(count: count)
        let order = try order(
            ordering, isDescending: isDescending, limit: limit, threads: threads, control: control, repeated: repeated)
        func isShared(_ position: Int) -> Bool {
            guard limit < .max, repeated[position] else { return false }
            return Platform.compare(leadingBytes(order[position - 1], limit), leadingBytes(order[position], limit)) == 0
        }
        var rank: UInt32 = 0
        return try [UInt32](filled: count) { ranks in
            for (position, number) in order.enumerated() {
                try control.checkCancellation(at: position)
                if position > 0, !isShared(position) { rank += 1 }
                ranks[Int(number)] = rank
            }
        }
    }

    func groupRanks(_ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws -> [UInt32] {
        var ranks = try ranks(ordering, isDescending: isDescending, threads: threads, control: control)
        var blanks: [Int] = []
        for number in 0..<count {
            try control.checkCancellation(at: number)
            if FieldBytes(bytes(number)).isBlank { blanks.append(number) }
        }
        if let minimum = blanks.map({ ranks[$0] }).min() { for number in blanks { ranks[number] = minimum } }
        return ranks
    }
}

/// The distinct fields of a column as a table, so that they can be sorted like records.
private struct FieldTable<Fields: FieldList>: Table {
    let fields: Fields
    var recordCount: Int { fields.count }
    var columnCount: Int { 1 }

    private func field(_ record: Int) -> FieldBytes {
        let bytes = fields.bytes(record)
        let isMissing = bytes.count == 1 && bytes[0] == UInt8(ascii: " ")
        return isMissing ? FieldBytes.missing : FieldBytes(bytes)
    }

    func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
        try scanBatches(records, columns: columns) { $0.forEachRecord(body) }
    }

    func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (FieldBatch) -> Bool) throws {
        let size = 256
        // The table has a single column, so every requested column has its fields.
        let width = max(1, columns.count)
        let batch = UnsafeMutablePointer<FieldBytes>.allocate(capacity: size * width)
        defer { batch.deallocate() }
        for start in stride(from: records.lowerBound, to: records.upperBound, by: size) {
            let count = min(size, records.upperBound - start)
            for record in 0..<count { (batch + record * width).initialize(repeating: field(start + record), count: width) }
            if !body(FieldBatch(firstRecord: start, count: count, width: width, fields: batch)) { return }
        }
    }
}

extension FieldBytes {
    /// The bytes that represent the field in a ``FieldList``. A single space stands for a missing field: fields of spaces count as empty,
    /// so no other field has this form.
    @inline(__always)
    var key: UnsafeBufferPointer<UInt8> {
        // `isBlank` scans the field, so it is called only if the first byte is a space or a control character.
        guard let first = bytes.first, first > 0x20 || !isBlank else {
            return UnsafeBufferPointer(start: FieldBytes.blank, count: isMissing ? 1 : 0)
        }
        return bytes
    }

    /// A single space at an address that is never freed.
    nonisolated(unsafe) private static let blank: UnsafePointer<UInt8> = {
        let blank = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
        blank.initialize(to: UInt8(ascii: " "))
        return UnsafePointer(blank)
    }()
}
