import Tables
import FieldValues

/// Counts the distinct fields of a column while it is read: exactly up to `limit`, otherwise by an estimate.
///
/// The result does not depend on the assignment of records to threads.
final class DistinctCounter: ColumnReader, @unchecked Sendable {
    let column: Int
    private let alphabet: NaturalOrder.Alphabet?
    private let limit: Int
    private let records: Int
    private let control: JobControl
    private let hasTooMany = Flag()
    private let states: [ThreadState]

    /// - Parameters:
    ///   - alphabet: the alphabet of natural order, if lengths and the first and last text are required.
    ///   - limit: the maximum number of distinct fields counted exactly; at least ``NumberedColumn/lowCardinalityLimit``, except in tests.
    init(_ column: Int, textsBy alphabet: NaturalOrder.Alphabet?, limit: Int, records: Int, threads: Int, control: JobControl) {
        (self.column, self.alphabet, self.limit, self.records, self.control) = (column, alphabet, limit, records, control)
        states = (0..<max(1, threads)).map { _ in ThreadState() }
    }

    private final class ThreadState {
        /// Created when the first field is counted.
        var tally: DistinctTally?

        deinit { tally?.deallocate() }
    }

    private func makeTally() -> DistinctTally { DistinctTally(textsBy: alphabet, limit: limit, records: records) }

    func read(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) throws {
        let state = states[thread]
        if state.tally == nil { state.tally = makeTally() }
        if try !state.tally!.add(batch, index, exceedsLimit: hasTooMany.isSet) { hasTooMany.set() }
    }

    /// Merges the counts of all threads after reading. Merging one column at a time keeps its tables in the cache.
    /// - Parameter settles: true to move all fields to the dictionary of the result, which is valid as long as the counter exists.
    func merge(settles: Bool = false) throws -> DistinctTally {
        for state in states { try state.tally?.countPending() }
        if hasTooMany.isSet || states.contains(where: { $0.tally?.isCounting == false }) {
            for state in states { try state.tally?.stopCounting() }
        }
        let whole = states[0]
        if whole.tally == nil { whole.tally = makeTally() }
        for state in states.dropFirst() {
            guard let tally = state.tally else { continue }
            try whole.tally!.add(tally, control)
            tally.deallocate()
            state.tally = nil
        }
        if settles, whole.tally!.isCounting { try whole.tally!.settle(control) }
        return whole.tally!
    }

    func removeAll() {
        for state in states {
            state.tally?.deallocate()
            state.tally = nil
        }
    }
}

/// The distinct fields found by one thread, and later by all threads. The owner must call ``deallocate()``.
struct DistinctTally {
    private let alphabet: NaturalOrder.Alphabet?
    private let limit: Int
    /// The fields that are too long for ``short``; all fields after ``settle(_:)``.
    private(set) var dictionary = ByteDictionary()
    /// The number of occurrences of each field of the dictionary.
    private(set) var counts: [Int] = []
    private var short = ShortFields()
    /// Short fields that are read but not counted yet, as words of ``ShortFields``, and their lengths.
    private var pending: (words: [UInt64], lengths: [UInt8]) = ([], [])
    private let maximumPending: Int
    /// Accumulates loaded words, so that the prefetching loads are not optimized away.
    private var prefetched: UInt64 = 0
    /// True if fields are counted exactly.
    private(set) var isCounting = true
    private var sketch = DistinctSketch()
    private(set) var emptyCount = 0
    private(set) var missingCount = 0
    private(set) var filledCount = 0
    private var lengths: (shortest: Int, longest: Int) = (.max, 0)
    private var first: [UInt8]?
    private var last: [UInt8]?

    init(textsBy alphabet: NaturalOrder.Alphabet?, limit: Int, records: Int) {
        (self.alphabet, self.limit) = (alphabet, limit)
        maximumPending = max(1, min(1024, records))
    }

    func deallocate() {
        dictionary.deallocate()
        short.deallocate()
    }

    var distinct: ColumnStatistics.DistinctCount {
        isCounting ? .init(count: counts.count + short.count, isExact: true) : .init(count: sketch.estimate, isExact: false)
    }

    var texts: ColumnStatistics.ClosedTexts? {
        guard let first, let last else { return nil }
        return .init(
            first: String(decoding: first, as: UTF8.self), last: String(decoding: last, as: UTF8.self),
            lengths: lengths.shortest...lengths.longest)
    }

    /// Calls `body` with each field and its count.
    func forEachField(_ body: (_ bytes: UnsafeBufferPointer<UInt8>, _ times: Int) throws -> Void) rethrows {
        for number in counts.indices { try body(dictionary.bytes(number), counts[number]) }
        try short.forEach(body)
    }

    // MARK: Counting

    /// The minimum number of columns whose tables do not fit in the cache together. A thousand fields of a column are then collected and
    /// counted at once, so that the table of the column is loaded once.
    private static let manyColumns = 256

    /// - Returns: true if fields are counted exactly.
    mutating func add(_ batch: FieldBatch, _ index: Int, exceedsLimit: Bool) throws -> Bool {
        if exceedsLimit { try stopCounting() }
        let isPending = isCounting && batch.width >= Self.manyColumns
        if !isPending, batch.width * short.byteCount > 1 << 20 { prefetched &+= short.prefetch(batch, index) }
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
            if isPending, field.count <= ShortFields.longest {
                if pending.words.isEmpty {
                    pending.words.reserveCapacity(maximumPending)
                    pending.lengths.reserveCapacity(maximumPending)
                }
                pending.words.append(ShortFields.word(field.bytes))
                pending.lengths.append(UInt8(truncatingIfNeeded: field.count))
                if pending.words.count == maximumPending { try countPending() }
            } else {
                try count(field.bytes)
            }
        }
        return isCounting
    }

    mutating func countPending() throws {
        // Exact counting may end while the pending fields are counted.
        let (words, lengths) = pending
        pending = ([], [])
        for (word, length) in zip(words, lengths) {
            if isCounting {
                if try short.add(word, UInt32(length)) { continue }
                if counts.count + short.count > limit { try stopCounting() }
                if alphabet != nil { ShortFields.withBytes(of: word, Int(length)) { look(at: $0) } }
            } else {
                try ShortFields.withBytes(of: word, Int(length)) { try count($0) }
            }
        }
    }

    /// Counts a field exactly, or adds it to the estimate.
    @inline(__always)
    private mutating func count(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        if isCounting {
            if try add(bytes, times: 1) { return }
        } else {
            sketch.add(bytes)
        }
        if alphabet != nil { look(at: bytes) }
    }

    /// - Returns: true if the field was counted before.
    @inline(__always)
    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, times: Int) throws -> Bool {
        if bytes.count <= ShortFields.longest {
            if try short.add(bytes, times: times) { return true }
        } else {
            try counts.makeRoom()
            let number = Int(try dictionary.number(of: bytes))
            if number < counts.count {
                counts[number] += times
                return true
            }
            counts.append(times)
        }
        if counts.count + short.count > limit { try stopCounting() }
        return false
    }

    mutating func stopCounting() throws {
        try countPending()
        guard isCounting else { return }
        isCounting = false
        forEachField { bytes, _ in sketch.add(bytes) }
        dictionary.deallocate()
        short.deallocate()
        (dictionary, counts, short) = (ByteDictionary(), [], ShortFields())
    }

    mutating func add(_ other: DistinctTally, _ control: JobControl) throws {
        emptyCount += other.emptyCount
        missingCount += other.missingCount
        filledCount += other.filledCount
        if alphabet != nil {
            lengths = (min(lengths.shortest, other.lengths.shortest), max(lengths.longest, other.lengths.longest))
            other.first?.withUnsafeBufferPointer { compare($0) }
            other.last?.withUnsafeBufferPointer { compare($0) }
        }
        sketch.add(other.sketch)
        var done = 0
        try other.forEachField { bytes, times in
            if isCounting { _ = try add(bytes, times: times) } else { sketch.add(bytes) }
            done += 1
            if done & 4095 == 0 { try control.checkCancellation() }
        }
    }

    /// Moves all fields to the dictionary.
    mutating func settle(_ control: JobControl) throws {
        try short.forEach { bytes, times in
            try counts.makeRoom()
            _ = try dictionary.number(of: bytes)
            counts.append(times)
            if counts.count & 4095 == 0 { try control.checkCancellation() }
        }
        short.deallocate()
        short = ShortFields()
    }

    // MARK: Texts

    private mutating func look(at bytes: UnsafeBufferPointer<UInt8>) {
        // All bytes except UTF-8 continuation bytes.
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
