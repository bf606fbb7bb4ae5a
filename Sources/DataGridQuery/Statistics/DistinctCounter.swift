import Tables
import FieldValues

/// Counts the distinct fields of a column while it is read: exactly as long as no more than `limit` differ, otherwise by estimate.
///
/// The result does not depend on which thread reads what.
final class DistinctCounter: ColumnReader, @unchecked Sendable {
    let column: Int
    private let alphabet: NaturalOrder.Alphabet?
    private let limit: Int
    private let records: Int
    private let control: JobControl
    private let hasTooMany = Flag()
    private let states: [ThreadState]

    /// - Parameters:
    ///   - alphabet: the letters of natural order, where lengths and the first and last text are wanted.
    ///   - limit: the most distinct fields that are counted one by one; not less than ``NumberedColumn/fewLimit``, but in tests.
    init(_ column: Int, textsBy alphabet: NaturalOrder.Alphabet?, limit: Int, records: Int, threads: Int, control: JobControl) {
        (self.column, self.alphabet, self.limit, self.records, self.control) = (column, alphabet, limit, records, control)
        states = (0..<max(1, threads)).map { _ in ThreadState() }
    }

    private final class ThreadState {
        /// Made when there is something to count.
        var tally: DistinctTally?

        deinit { tally?.deallocate() }
    }

    private func makeTally() -> DistinctTally { DistinctTally(textsBy: alphabet, limit: limit, records: records) }

    func read(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) throws {
        let state = states[thread]
        if state.tally == nil { state.tally = makeTally() }
        if try !state.tally!.add(batch, index, isTooMuch: hasTooMany.isSet) { hasTooMany.set() }
    }

    /// Merges what the threads have counted, when all has been read. One column at a time: then its tables are in the cache.
    /// - Parameter settles: whether all fields are to be in the dictionary of the result, which is valid as long as the counter.
    func merge(settles: Bool = false) throws -> DistinctTally {
        for state in states { try state.tally?.countWaiting() }
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

/// The distinct fields that one thread has met, and in the end all of them. Whoever makes one deallocates it.
struct DistinctTally {
    private let alphabet: NaturalOrder.Alphabet?
    private let limit: Int
    /// Fields that are too long for ``short``; all of them, once they have been settled.
    private(set) var dictionary = ByteDictionary()
    /// How often each field of the dictionary occurs.
    private(set) var counts: [Int] = []
    private var short = ShortFields()
    /// Short fields that have been read but not counted yet, as ``ShortFields`` knows them, and their lengths.
    private var waiting: (words: [UInt64], lengths: [UInt8]) = ([], [])
    private let mostWaiting: Int
    /// Keeps the loads that only fill the cache.
    private var nearby: UInt64 = 0
    /// Whether fields are counted one by one.
    private(set) var isCounting = true
    private var sketch = DistinctSketch()
    private(set) var blankCount = 0
    private(set) var missingCount = 0
    private(set) var filledCount = 0
    private var lengths: (shortest: Int, longest: Int) = (.max, 0)
    private var first: [UInt8]?
    private var last: [UInt8]?

    init(textsBy alphabet: NaturalOrder.Alphabet?, limit: Int, records: Int) {
        (self.alphabet, self.limit) = (alphabet, limit)
        mostWaiting = max(1, min(1024, records))
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

    /// Calls `body` with each field that is counted one by one.
    func forEachField(_ body: (_ bytes: UnsafeBufferPointer<UInt8>, _ times: Int) throws -> Void) rethrows {
        for number in counts.indices { try body(dictionary.bytes(number), counts[number]) }
        try short.forEach(body)
    }

    // MARK: Counting

    /// The least columns whose tables are not in the cache together, however small they are. Then a thousand fields of one column wait until
    /// they are counted, and the table is fetched once.
    private static let manyColumns = 256

    /// - Returns: whether they are counted one by one.
    mutating func add(_ batch: FieldBatch, _ index: Int, isTooMuch: Bool) throws -> Bool {
        if isTooMuch { try stopCounting() }
        let isWaiting = isCounting && batch.width >= Self.manyColumns
        if !isWaiting, batch.width * short.byteCount > 1 << 20 { nearby &+= short.bringNear(batch, index) }
        for record in 0..<batch.count {
            let field = batch[record, index]
            guard let start = field.start else {
                missingCount += 1
                continue
            }
            if field.count == 0 || start[0] <= 0x20 && field.isBlank {
                blankCount += 1
                continue
            }
            filledCount += 1
            if isWaiting, field.count <= ShortFields.longest {
                if waiting.words.isEmpty {
                    waiting.words.reserveCapacity(mostWaiting)
                    waiting.lengths.reserveCapacity(mostWaiting)
                }
                waiting.words.append(ShortFields.word(field.bytes))
                waiting.lengths.append(UInt8(truncatingIfNeeded: field.count))
                if waiting.words.count == mostWaiting { try countWaiting() }
            } else {
                try count(field.bytes)
            }
        }
        return isCounting
    }

    mutating func countWaiting() throws {
        // Counting may end on the way.
        let (words, lengths) = waiting
        waiting = ([], [])
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

    /// Counts a field, one by one or by estimate.
    @inline(__always)
    private mutating func count(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        if isCounting {
            if try add(bytes, times: 1) { return }
        } else {
            sketch.add(bytes)
        }
        if alphabet != nil { look(at: bytes) }
    }

    /// - Returns: whether the field was known.
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
        try countWaiting()
        guard isCounting else { return }
        isCounting = false
        forEachField { bytes, _ in sketch.add(bytes) }
        dictionary.deallocate()
        short.deallocate()
        (dictionary, counts, short) = (ByteDictionary(), [], ShortFields())
    }

    mutating func add(_ other: DistinctTally, _ control: JobControl) throws {
        blankCount += other.blankCount
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

    /// Brings all fields into the dictionary.
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
        // All bytes but those that continue a character.
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
