import Tables
import FieldValues

/// Counts the distinct fields of a column while it is read: exactly up to `limit`, otherwise by an estimate.
///
/// The result does not depend on the thread that reads a record.
final class FieldCounter: ColumnReader, @unchecked Sendable {
    let column: Int
    private let alphabet: NaturalOrder.Alphabet?
    private let limit: Int
    private let recordCount: Int
    private let control: JobControl
    private let hasTooManyFields = Flag()
    private let threadStates: [ThreadState]

    /// - Parameters:
    ///   - alphabet: the alphabet of the natural order in which the first and the last string are found. `nil` if these strings and the
    ///     lengths are not needed.
    ///   - limit: the maximum number of distinct fields counted exactly; at least ``NumberedColumn/lowCardinalityLimit``, except in tests.
    init(_ column: Int, textAlphabet alphabet: NaturalOrder.Alphabet?, limit: Int, recordCount: Int, threads: Int, control: JobControl) {
        (self.column, self.alphabet, self.limit, self.recordCount, self.control) = (column, alphabet, limit, recordCount, control)
        threadStates = (0..<max(1, threads)).map { _ in ThreadState() }
    }

    private final class ThreadState {
        /// The fields that the thread has counted; created for the first field.
        var tally: FieldTally?

        deinit { tally?.deallocate() }
    }

    private func makeTally() -> FieldTally { FieldTally(textAlphabet: alphabet, limit: limit, recordCount: recordCount) }

    func read(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) throws {
        let state = threadStates[thread]
        if state.tally == nil { state.tally = makeTally() }
        if try !state.tally!.add(batch, index, exceedsLimit: hasTooManyFields.isSet) { hasTooManyFields.set() }
    }

    /// Merges the counts of all threads after reading. Callers merge one column after another, so that the tables of that column stay in
    /// the processor's cache.
    /// - Parameter intoDictionary: true to move all fields of the result to its dictionary. The dictionary is valid as long as this object
    ///   exists.
    func merge(intoDictionary: Bool = false) throws -> FieldTally {
        for state in threadStates { try state.tally?.countPendingFields() }
        if hasTooManyFields.isSet || threadStates.contains(where: { $0.tally?.fields.isCounting == false }) {
            for state in threadStates { try state.tally?.fields.stopCounting() }
        }
        let merged = threadStates[0]
        if merged.tally == nil { merged.tally = makeTally() }
        for state in threadStates.dropFirst() {
            guard let tally = state.tally else { continue }
            try merged.tally!.add(tally, control)
            tally.deallocate()
            state.tally = nil
        }
        if intoDictionary, merged.tally!.fields.isCounting { try merged.tally!.fields.moveToDictionary(control) }
        return merged.tally!
    }

    func removeAll() {
        for state in threadStates {
            state.tally?.deallocate()
            state.tally = nil
        }
    }
}

/// The distinct fields of a column that one thread has counted, or all threads after merging. The owner must call ``deallocate()``.
struct FieldTally {
    private let alphabet: NaturalOrder.Alphabet?
    fileprivate(set) var fields: DistinctCounter
    /// Short fields that have been read but not yet counted: their bytes as words of ``ShortFields``, and their lengths.
    private var pendingFields: (words: [UInt64], lengths: [UInt8]) = ([], [])
    private let maximumPendingFields: Int
    /// The sum of words that were loaded only to fill the cache. Without a use, the compiler would remove these loads.
    private var prefetched: UInt64 = 0
    private(set) var emptyCount = 0
    private(set) var missingCount = 0
    private(set) var filledCount = 0
    private var lengths: (shortest: Int, longest: Int) = (.max, 0)
    /// The first and the last text in natural order.
    private var first: [UInt8]?
    private var last: [UInt8]?

    init(textAlphabet alphabet: NaturalOrder.Alphabet?, limit: Int, recordCount: Int) {
        (self.alphabet, fields) = (alphabet, DistinctCounter(limit: limit))
        maximumPendingFields = max(1, min(1024, recordCount))
    }

    func deallocate() { fields.deallocate() }

    var textRange: ColumnStatistics.TextRange? {
        guard let first, let last else { return nil }
        return .init(first: first, last: last, lengths: lengths.shortest...lengths.longest)
    }

    // MARK: Counting

    /// The number of columns above which the tables of all columns do not fit in the processor's cache. About a thousand fields of a column
    /// are then collected before they are counted, so that the table of the column is loaded once for all of these fields.
    private static let manyColumnsCount = 256

    /// Adds the fields of a column of a batch.
    /// - Returns: true if fields are counted exactly, false if their number is estimated.
    mutating func add(_ batch: FieldBatch, _ index: Int, exceedsLimit: Bool) throws -> Bool {
        if exceedsLimit { try stopCounting() }
        let isPending = fields.isCounting && batch.width >= Self.manyColumnsCount
        if !isPending, batch.width * fields.shortFields.byteCount > 1 << 20 { prefetched &+= fields.shortFields.prefetch(batch, index) }
        for record in 0..<batch.count {
            let field = batch[record, index]
            guard let start = field.start else {
                missingCount += 1
                continue
            }
            if field.count == 0 || start[0] <= 0x20 && field.isBlank {
                emptyCount += 1
                continue
            }
            filledCount += 1
            if isPending, field.count <= ShortFields.maximumBytes {
                if pendingFields.words.isEmpty {
                    pendingFields.words.reserveCapacity(maximumPendingFields)
                    pendingFields.lengths.reserveCapacity(maximumPendingFields)
                }
                pendingFields.words.append(ByteHash.word(field.bytes))
                pendingFields.lengths.append(UInt8(truncatingIfNeeded: field.count))
                if pendingFields.words.count == maximumPendingFields { try countPendingFields() }
            } else if try !fields.add(field.bytes), alphabet != nil {
                measure(field.bytes)
            }
        }
        return fields.isCounting
    }

    mutating func countPendingFields() throws {
        for (word, length) in zip(pendingFields.words, pendingFields.lengths) {
            try ShortFields.withBytes(of: word, Int(length)) { if try !fields.add($0), alphabet != nil { measure($0) } }
        }
        pendingFields = ([], [])
    }

    mutating func stopCounting() throws {
        try countPendingFields()
        try fields.stopCounting()
    }

    mutating func add(_ other: FieldTally, _ control: JobControl) throws {
        emptyCount += other.emptyCount
        missingCount += other.missingCount
        filledCount += other.filledCount
        if alphabet != nil {
            lengths = (min(lengths.shortest, other.lengths.shortest), max(lengths.longest, other.lengths.longest))
            other.first?.withUnsafeBufferPointer { compare($0) }
            other.last?.withUnsafeBufferPointer { compare($0) }
        }
        try fields.add(other.fields, control)
    }

    // MARK: Strings

    private mutating func measure(_ bytes: UnsafeBufferPointer<UInt8>) {
        // Count all bytes except UTF-8 continuation bytes, which gives the number of Unicode scalars.
        var length = 0
        for byte in bytes where byte & 0xC0 != 0x80 { length += 1 }
        lengths = (min(lengths.shortest, length), max(lengths.longest, length))
        compare(bytes)
    }

    private mutating func compare(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let alphabet else { return }
        if first?.withUnsafeBufferPointer({ NaturalOrder.compare(bytes, $0, alphabet) < 0 }) ?? true { first = [UInt8](bytes) }
        if last?.withUnsafeBufferPointer({ NaturalOrder.compare(bytes, $0, alphabet) > 0 }) ?? true { last = [UInt8](bytes) }
    }
}
