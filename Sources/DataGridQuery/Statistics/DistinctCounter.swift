import FieldValues

/// Counts distinct fields, or the distinct values of a column by their keys: exactly up to `limit`, with the count of each.
///
/// Beyond the limit, only the number of distinct values is known: exactly for values in a small range, otherwise as an estimate. The result
/// does not depend on the order of additions. The owner must call ``deallocate()``.
struct DistinctCounter {
    private let limit: Int
    /// The fields of at most eight bytes, and the keys.
    private(set) var short = ShortFields()
    /// The longer fields; all fields after ``moveToDictionary(_:)``.
    private(set) var dictionary = ByteDictionary()
    /// The number of occurrences of each field of the dictionary.
    private(set) var counts: [Int] = []
    /// A counter for each possible value, if values are close together.
    private var counted: CountedValues?
    /// True if the counts are known.
    private(set) var isCounting = true
    /// The range of the keys, if a bit for each possible key takes no more memory than the values.
    private var range: ClosedRange<UInt64>?
    /// The keys as distances from the start of `range`, after counting has stopped.
    private var keys: BitSet?
    /// Estimates the number of distinct values after counting has stopped, if there are no ``keys``.
    private var sketch = DistinctSketch()

    init(limit: Int) { self.limit = limit }

    func deallocate() {
        dictionary.deallocate()
        short.deallocate()
    }

    var distinct: ColumnStatistics.DistinctCount {
        if let counted { return .init(count: counted.counts.count { $0 > 0 }, isExact: true) }
        if isCounting { return .init(count: counts.count + short.count, isExact: true) }
        if let keys { return .init(count: keys.elementCount, isExact: true) }
        return .init(count: sketch.estimate, isExact: false)
    }

    /// Calls `body` with each field and its count; does not call it if there are too many.
    func forEach(_ body: (_ bytes: UnsafeBufferPointer<UInt8>, _ times: Int) throws -> Void) rethrows {
        for number in counts.indices { try body(dictionary.bytes(number), counts[number]) }
        try short.forEach(body)
    }

    // MARK: Fields

    /// Counts a field.
    /// - Returns: true if the field is known to have been counted before.
    @inline(__always)
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, times: Int = 1) throws -> Bool {
        guard isCounting else {
            sketch.add(bytes)
            return false
        }
        if bytes.count <= ShortFields.maximumBytes {
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

    mutating func add(_ other: DistinctCounter, _ control: JobControl) throws {
        sketch.add(other.sketch)
        var done = 0
        try other.forEach { bytes, times in
            _ = try add(bytes, times: times)
            done += 1
            if done & 4095 == 0 { try control.checkCancellation() }
        }
    }

    /// Discards the counts, and keeps only the number of distinct fields or keys.
    mutating func stopCounting() throws {
        guard isCounting else { return }
        let exact = self
        defer { exact.deallocate() }
        isCounting = false
        (dictionary, counts, short) = (ByteDictionary(), [], ShortFields())
        guard let range else { return exact.forEach { bytes, _ in sketch.add(bytes) } }
        let keys = try BitSet(count: range.count)
        exact.forEachKey { key, _ in keys.insert(Int(key - range.lowerBound)) }
        self.keys = keys
    }

    /// Moves all fields to the dictionary.
    mutating func moveToDictionary(_ control: JobControl) throws {
        try short.forEach { bytes, times in
            try counts.makeRoom()
            _ = try dictionary.number(of: bytes)
            counts.append(times)
            if counts.count & 4095 == 0 { try control.checkCancellation() }
        }
        short.deallocate()
        short = ShortFields()
    }

    // MARK: Values

    /// Counts the values of a column. A counter counts either one column of values or fields.
    /// - Parameters:
    ///   - known: the counts of all values, if they are known.
    ///   - others: the slots to leave out, ascending.
    mutating func add(_ values: ValueVector, counted known: CountedValues?, without others: [Int], control: JobControl) throws {
        if let known {
            counted = known
            for slot in others where values.kind(slot) == FieldClass.value.rawValue { counted?.remove(values.key(slot)) }
            return
        }
        let (first, last) = (values.minimum, values.maximum)
        if first <= last, (last - first) / 64 < UInt64(values.count) { range = first...last }
        var others = others[...]
        for index in 0..<values.blockCount {
            try control.checkCancellation()
            // A local variable needs no reference counting in the loop.
            let keys = keys
            try values.forEachValue(in: values.slots(ofBlock: index)) { slot, key in
                while let other = others.first, other < slot { others.removeFirst() }
                if slot == others.first { return }
                if let keys { keys.insert(Int(key - first)) } else { try add(key) }
            }
        }
    }

    /// Counts a key: in ``keys`` if its range is known; otherwise as a field that consists of its eight bytes.
    @inline(__always)
    private mutating func add(_ key: UInt64) throws {
        if let keys, let range { return keys.insert(Int(key - range.lowerBound)) }
        _ = try withUnsafeBytes(of: key) { try add($0.bindMemory(to: UInt8.self)) }
    }

    /// Calls `body` with each key and its count; does not call it if there are too many.
    func forEachKey(_ body: (_ key: UInt64, _ times: Int) -> Void) {
        if let counted { return counted.forEach { body(counted.minimum + UInt64($0), $1) } }
        short.forEach { bytes, times in body(UnsafeRawPointer(bytes.baseAddress!).loadUnaligned(as: UInt64.self), times) }
    }
}
