import DataGrid
import FieldValues

/// Counts the different fields of a column while it is read: exactly as long as no more than `limit` differ, otherwise by estimate.
///
/// The outcome does not depend on which thread has read what.
final class FieldCensus: ColumnReader, @unchecked Sendable {
    let column: Int
    let isWanted = true
    private let desks: [Desk]
    private let control: JobControl
    private let hasTooMany = Flag()

    /// - Parameters:
    ///   - isText: whether lengths and the first and last text are wanted.
    ///   - limit: the most different fields that are counted one by one; not less than ``CodeVector/limit``, but in tests.
    ///   - records: how many there are.
    init(_ column: Int, isText: Bool, limit: Int, records: Int, threads: Int, control: JobControl) {
        self.column = column
        self.control = control
        desks = (0..<max(1, threads)).map { _ in Desk(isText: isText, limit: limit, records: records) }
    }

    /// What a thread counts by itself; afterwards the counts are brought together.
    private final class Desk {
        var tally: Tally
        init(isText: Bool, limit: Int, records: Int) { tally = Tally(isText: isText, limit: limit, records: records) }
        deinit { tally.deallocate() }
    }

    func take(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) {
        desks[thread].tally.take(batch, index)
        guard desks[thread].tally.isCounting else { return hasTooMany.set() }
        if hasTooMany.isSet { desks[thread].tally.stopCounting() }
    }

    func end(_ range: Range<Int>, thread: Int) {}

    func finish() {}

    /// Brings together what threads have counted, when all has been read and before anything is asked. A column at a time: then its tables
    /// are near while they are asked.
    func bringTogether() throws {
        for desk in desks { desk.tally.countWaiting() }
        if hasTooMany.isSet || desks.contains(where: { !$0.tally.isCounting }) { for desk in desks { desk.tally.stopCounting() } }
        for desk in desks.dropFirst() {
            try desks[0].tally.add(desk.tally, control)
            desk.tally.removeAll()
        }
    }

    /// Gives up the memory, once nothing will be asked any more.
    func removeAll() { desks[0].tally.removeAll() }

    // MARK: When all has been brought together

    var blankCount: Int { desks[0].tally.blankCount }
    var missingCount: Int { desks[0].tally.missingCount }
    /// Fields that are not blank.
    var filledCount: Int { desks[0].tally.filledCount }
    var distinct: ColumnStatistics.DistinctCount { desks[0].tally.distinct }
    var texts: ColumnStatistics.ClosedTexts? { desks[0].tally.texts }

    /// The different fields with their counts, which the caller now owns; `nil` when they are too many.
    func takeFields() throws -> (dictionary: ByteDictionary, counts: [Int])? {
        guard desks[0].tally.isCounting else { return nil }
        try desks[0].tally.settle(control)
        defer { desks[0].tally.forgetFields() }
        return (desks[0].tally.dictionary, desks[0].tally.counts)
    }

    /// The fields that occur most, equal ones in natural order; none when they are too many.
    func top(_ number: Int) -> [ColumnStatistics.Frequency] {
        let tally = desks[0].tally
        guard tally.isCounting, number > 0 else { return [] }
        var top = TopFields(number: number)
        tally.forEachField { top.take($0, $1) }
        return top.fields.map { .init(value: String(decoding: $0.bytes, as: UTF8.self), count: $0.count) }
    }
}

/// The different fields that one thread has met.
private struct Tally {
    private let isText: Bool
    private let limit: Int
    /// Fields that are too long for ``short``; all of them, once they have been settled.
    private(set) var dictionary = ByteDictionary()
    /// How often each field of the dictionary occurs.
    private(set) var counts: [Int] = []
    private var short = ShortFields()
    /// Fields for ``short``, of a column among very many.
    private var waiting: WaitingFields
    /// What was read for no other end than to have it in the cache.
    private var nearby: UInt32 = 0
    private(set) var isCounting = true
    private var sketch = DistinctSketch()
    private(set) var blankCount = 0
    private(set) var missingCount = 0
    private(set) var filledCount = 0
    private var lengths: (shortest: Int, longest: Int) = (.max, 0)
    private var first: [UInt8]?
    private var last: [UInt8]?

    init(isText: Bool, limit: Int, records: Int) {
        (self.isText, self.limit) = (isText, limit)
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

    mutating func take(_ batch: FieldBatch, _ index: Int) {
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
                if waiting.isFull { countWaiting() }
                continue
            }
            if isCounting {
                if !count(field.bytes, times: 1), isText { look(at: field.bytes) }
            } else {
                sketch.add(field.bytes)
                if isText { look(at: field.bytes) }
            }
        }
    }

    /// So many columns that their tables are not in the cache together, be they small.
    private static let manyColumns = 256

    /// Counts what was only put down so far.
    mutating func countWaiting() {
        guard waiting.count > 0 else { return }
        // Counting may end on the way.
        let fields = waiting.takeAll()
        for index in 0..<fields.count {
            let (word, length) = fields[index]
            if isCounting {
                if short.add(word, UInt32(truncatingIfNeeded: length)) { continue }
                if counts.count + short.count > limit { stopCounting() }
                if isText { ShortFields.withBytes(of: word, length) { look(at: $0) } }
            } else {
                ShortFields.withBytes(of: word, length) {
                    sketch.add($0)
                    if isText { look(at: $0) }
                }
            }
        }
        fields.deallocate()
    }

    /// - Returns: whether the field was known.
    @inline(__always)
    private mutating func count(_ bytes: UnsafeBufferPointer<UInt8>, times: Int) -> Bool {
        if bytes.count <= ShortFields.longest {
            if short.add(bytes, times: UInt32(truncatingIfNeeded: times)) { return true }
        } else {
            let number = Int(dictionary.number(of: bytes))
            if number < counts.count {
                counts[number] += times
                return true
            }
            counts.append(times)
        }
        if counts.count + short.count > limit { stopCounting() }
        return false
    }

    mutating func stopCounting() {
        guard isCounting else { return }
        countWaiting()
        guard isCounting else { return }
        isCounting = false
        forEachField { bytes, _ in sketch.add(bytes) }
        removeFields()
    }

    mutating func add(_ other: Tally, _ control: JobControl) throws {
        blankCount += other.blankCount
        missingCount += other.missingCount
        filledCount += other.filledCount
        if isText {
            lengths = (min(lengths.shortest, other.lengths.shortest), max(lengths.longest, other.lengths.longest))
            other.first?.withUnsafeBufferPointer { compare($0) }
            other.last?.withUnsafeBufferPointer { compare($0) }
        }
        sketch.add(other.sketch)
        var done = 0
        try other.forEachField { bytes, times in
            if isCounting { _ = count(bytes, times: times) } else { sketch.add(bytes) }
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
            _ = dictionary.number(of: bytes)
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
        if first?.withUnsafeBufferPointer({ NaturalOrder.compare(bytes, $0) < 0 }) ?? true { first = [UInt8](bytes) }
        if last?.withUnsafeBufferPointer({ NaturalOrder.compare(bytes, $0) > 0 }) ?? true { last = [UInt8](bytes) }
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

    mutating func removeAll() {
        removeFields()
        sketch = DistinctSketch()
    }
}
