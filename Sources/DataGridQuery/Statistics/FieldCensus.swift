import Tables
import FieldValues

/// Counts the different fields of a column while it is read: exactly as long as no more than `limit` differ, otherwise by estimate.
///
/// The outcome does not depend on which thread has read what.
final class FieldCensus: ColumnReader, @unchecked Sendable {
    let column: Int
    let isWanted = true
    private let alphabet: NaturalOrder.Alphabet?
    private let limit: Int
    private let records: Int
    private let control: JobControl
    private let hasTooMany = Flag()
    private let desks: [Desk]
    /// What has been brought together.
    private let whole = Desk()

    /// - Parameters:
    ///   - alphabet: the letters of natural order, where lengths and the first and last text are wanted.
    ///   - limit: the most different fields that are counted one by one; not less than ``CodeVector/limit``, but in tests.
    ///   - records: how many there are.
    init(_ column: Int, textsBy alphabet: NaturalOrder.Alphabet?, limit: Int, records: Int, threads: Int, control: JobControl) {
        (self.column, self.alphabet, self.limit, self.records, self.control) = (column, alphabet, limit, records, control)
        desks = (0..<max(1, threads)).map { _ in Desk() }
    }

    /// What a thread counts by itself, once it has something to count.
    private final class Desk {
        var tally: Tally?
        deinit { tally?.deallocate() }
    }

    func take(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) throws {
        let desk = desks[thread]
        if desk.tally == nil { desk.tally = Tally(textsBy: alphabet, limit: limit, records: records) }
        let isCounting = try desk.tally?.take(batch, index, isTooMuch: hasTooMany.isSet) ?? true
        if !isCounting { hasTooMany.set() }
    }

    func end(_ range: Range<Int>, thread: Int) {}

    func finish() {}

    /// Brings together what threads have counted, when all has been read and before anything is asked. A column at a time: then its tables
    /// are near while they are asked.
    func bringTogether() throws {
        for desk in desks { try desk.tally?.countWaiting() }
        let isTooMuch = hasTooMany.isSet || desks.contains { $0.tally.map { !$0.isCounting } ?? false }
        for desk in desks where desk.tally != nil {
            if isTooMuch { try desk.tally?.stopCounting() }
            guard whole.tally != nil else {
                swap(&whole.tally, &desk.tally)
                continue
            }
            if let tally = desk.tally { try whole.tally?.add(tally, control) }
            desk.tally?.deallocate()
            desk.tally = nil
        }
    }

    /// Gives up the memory, once nothing will be asked any more.
    func removeAll() {
        whole.tally?.deallocate()
        whole.tally = nil
    }

    // MARK: When all has been brought together

    var blankCount: Int { whole.tally?.blankCount ?? 0 }
    var missingCount: Int { whole.tally?.missingCount ?? 0 }
    /// Fields that are not blank.
    var filledCount: Int { whole.tally?.filledCount ?? 0 }
    var distinct: ColumnStatistics.DistinctCount { whole.tally?.distinct ?? .init(count: 0, isExact: true) }
    var texts: ColumnStatistics.ClosedTexts? { whole.tally?.texts }

    /// The different fields with their counts, which the caller now owns; `nil` when they are too many.
    func takeFields() throws -> (dictionary: ByteDictionary, counts: [Int])? {
        guard let tally = whole.tally else { return (ByteDictionary(), []) }
        guard tally.isCounting else { return nil }
        try whole.tally?.settle(control)
        defer { whole.tally?.forgetFields() }
        return whole.tally.map { ($0.dictionary, $0.counts) }
    }

    /// Adds the fields that occur most to the most frequent ones; nothing when they are too many.
    func add(to top: inout TopFields) {
        guard let tally = whole.tally, tally.isCounting else { return }
        tally.forEachField { bytes, count in top.take(count: count) { [UInt8](bytes) } }
    }
}

/// The different fields that one thread has met.
private struct Tally {
    private let alphabet: NaturalOrder.Alphabet?
    private let limit: Int
    /// Fields that are too long for ``short``; all of them, once they have been settled.
    private(set) var dictionary = ByteDictionary()
    /// How often each field of the dictionary occurs.
    private(set) var counts: [Int] = []
    private var short = ShortFields()
    /// Fields for ``short``, of a column among very many.
    private var waiting: WaitingFields
    /// What was read for no other end than to have it in the cache.
    private var nearby: UInt64 = 0
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
        waiting = WaitingFields(records: records)
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

    /// - Parameter isTooMuch: whether another thread has met too many different fields.
    /// - Returns: whether they are counted one by one.
    mutating func take(_ batch: FieldBatch, _ index: Int, isTooMuch: Bool) throws -> Bool {
        if isTooMuch { try stopCounting() }
        // As many tables as columns, more than the cache holds: then all of a batch wait for memory together.
        let isWaiting = isCounting && batch.width >= Tally.manyColumns
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
                waiting.append(ShortFields.word(field.bytes), field.count)
                if waiting.isFull { try countWaiting() }
                continue
            }
            if isCounting {
                if try !count(field.bytes, times: 1), alphabet != nil { look(at: field.bytes) }
            } else {
                sketch.add(field.bytes)
                if alphabet != nil { look(at: field.bytes) }
            }
        }
        return isCounting
    }

    /// So many columns that their tables are not in the cache together, be they small.
    private static let manyColumns = 256

    /// Counts what was only put down so far.
    mutating func countWaiting() throws {
        guard waiting.count > 0 else { return }
        // Counting may end on the way.
        let fields = waiting.takeAll()
        defer { fields.deallocate() }
        for index in 0..<fields.count {
            let (word, length) = fields[index]
            if isCounting {
                if try short.add(word, UInt32(truncatingIfNeeded: length)) { continue }
                if counts.count + short.count > limit { try stopCounting() }
                if alphabet != nil { ShortFields.withBytes(of: word, length) { look(at: $0) } }
            } else {
                ShortFields.withBytes(of: word, length) {
                    sketch.add($0)
                    if alphabet != nil { look(at: $0) }
                }
            }
        }
    }

    /// - Returns: whether the field was known.
    @inline(__always)
    private mutating func count(_ bytes: UnsafeBufferPointer<UInt8>, times: Int) throws -> Bool {
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
        guard isCounting else { return }
        try countWaiting()
        guard isCounting else { return }
        isCounting = false
        forEachField { bytes, _ in sketch.add(bytes) }
        removeFields()
    }

    mutating func add(_ other: Tally, _ control: JobControl) throws {
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
            if isCounting { _ = try count(bytes, times: times) } else { sketch.add(bytes) }
            done += 1
            if done & 4095 == 0 { try control.checkCancellation() }
        }
    }

    func forEachField(_ body: (_ bytes: UnsafeBufferPointer<UInt8>, _ times: Int) throws -> Void) rethrows {
        for number in counts.indices { try body(dictionary.bytes(number), counts[number]) }
        try short.forEach(body)
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

    func deallocate() {
        dictionary.deallocate()
        short.deallocate()
        waiting.deallocate()
    }

    private mutating func removeFields() {
        deallocate()
        short = ShortFields()
        _ = waiting.takeAll()
        forgetFields()
    }

    /// The fields belong to somebody else from now on.
    mutating func forgetFields() {
        dictionary = ByteDictionary()
        counts = []
    }

}
