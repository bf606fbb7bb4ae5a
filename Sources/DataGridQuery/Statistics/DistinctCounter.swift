import FieldValues

/// Counts the distinct fields of a column, or its distinct values by their keys. Up to `limit` of them, it knows each one and its number of
/// occurrences.
///
/// Beyond the limit, only the number of distinct values is known: exactly for values in a small range, otherwise as an estimate. The result
/// does not depend on the order of additions. The owner must call ``deallocate()``.
struct DistinctCounter {
    private let limit: Int
    /// The counts of fields of at most eight bytes, and the counts of keys.
    private(set) var shortFields = ShortFields()
    /// The fields of more than eight bytes. After ``moveToDictionary(_:)``, all fields.
    private(set) var dictionary = ByteDictionary()
    /// The number of occurrences of each field in ``dictionary``, indexed by field number.
    private(set) var counts: [Int] = []
    /// The counts of all values, if the values are so close together that each possible value has a counter.
    private var valueCounts: ValueCounts?
    /// True while each distinct field and its count are known; false after the limit was exceeded.
    private(set) var isCounting = true
    /// The range of the keys, if a set with one bit for each possible key takes at most 8 bytes per value; otherwise `nil`.
    private var keyRange: ClosedRange<UInt64>?
    /// The keys that have occurred, as distances from the start of ``keyRange``. Used after the limit was exceeded.
    private var keys: BitSet?
    /// Estimates the number of distinct values after the limit was exceeded, if there is no ``keyRange``.
    private var sketch = DistinctSketch()

    init(limit: Int) { self.limit = limit }

    func deallocate() {
        dictionary.deallocate()
        shortFields.deallocate()
    }

    var distinct: ColumnStatistics.DistinctCount {
        if let valueCounts { return .init(count: valueCounts.counts.count { $0 > 0 }, isExact: true) }
        if isCounting { return .init(count: counts.count + shortFields.count, isExact: true) }
        if let keys { return .init(count: keys.elementCount, isExact: true) }
        return .init(count: sketch.estimate, isExact: false)
    }

    /// Calls `body` with each distinct field and its count. Does not call it if the limit was exceeded.
    func forEach(_ body: (_ bytes: UnsafeBufferPointer<UInt8>, _ times: Int) throws -> Void) rethrows {
        for number in counts.indices { try body(dictionary.bytes(number), counts[number]) }
        try shortFields.forEach(body)
    }

    // MARK: Fields

    /// Counts a field.
    /// - Returns: true if the field was counted earlier; false if it is new, or if the limit was exceeded, so that the counter does not
    ///   know the fields.
    @inline(__always)
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, times: Int = 1) throws -> Bool {
        guard isCounting else {
            sketch.add(bytes)
            return false
        }
        if bytes.count <= ShortFields.maximumBytes {
            if try shortFields.add(bytes, times: times) { return true }
        } else {
            try counts.makeRoom()
            let number = Int(try dictionary.number(of: bytes))
            if number < counts.count {
                counts[number] += times
                return true
            }
            counts.append(times)
        }
        if counts.count + shortFields.count > limit { try stopCounting() }
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

    /// Discards the counts because the limit was exceeded. From now on, only the number of distinct fields or keys is determined.
    mutating func stopCounting() throws {
        guard isCounting else { return }
        let exact = self
        defer { exact.deallocate() }
        isCounting = false
        (dictionary, counts, shortFields) = (ByteDictionary(), [], ShortFields())
        guard let keyRange else { return exact.forEach { bytes, _ in sketch.add(bytes) } }
        let keys = try BitSet(count: keyRange.count)
        exact.forEachKey { key, _ in keys.insert(Int(key - keyRange.lowerBound)) }
        self.keys = keys
    }

    /// Moves all fields to ``dictionary``, so that each field has a field number.
    mutating func moveToDictionary(_ control: JobControl) throws {
        try shortFields.forEach { bytes, times in
            try counts.makeRoom()
            _ = try dictionary.number(of: bytes)
            counts.append(times)
            if counts.count & 4095 == 0 { try control.checkCancellation() }
        }
        shortFields.deallocate()
        shortFields = ShortFields()
    }

    // MARK: Values

    /// Counts the values of a column by their keys. A counter must be used for one column of values only, or for fields only.
    /// - Parameters:
    ///   - knownCounts: the counts of all values of the column; `nil` if unknown.
    ///   - excludedSlots: the slots whose values are not counted, ascending.
    mutating func add(_ values: ValueVector, valueCounts knownCounts: ValueCounts?, without excludedSlots: [Int], control: JobControl)
        throws
    {
        if let knownCounts {
            valueCounts = knownCounts
            for slot in excludedSlots where values.kind(slot) == FieldClass.value.rawValue { valueCounts?.remove(values.key(slot)) }
            return
        }
        let (first, last) = (values.minimum, values.maximum)
        if first <= last, (last - first) / 64 < UInt64(values.count) { keyRange = first...last }
        var excludedSlots = excludedSlots[...]
        for index in 0..<values.blockCount {
            try control.checkCancellation()
            // A local copy avoids reference counting in the loop.
            let keys = keys
            try values.forEachValue(in: values.slots(ofBlock: index)) { slot, key in
                while let other = excludedSlots.first, other < slot { excludedSlots.removeFirst() }
                if slot == excludedSlots.first { return }
                if let keys { keys.insert(Int(key - first)) } else { try add(key) }
            }
        }
    }

    /// Counts a key: in ``keys`` if there is a ``keyRange``, otherwise as a field that consists of the eight bytes of the key.
    @inline(__always)
    private mutating func add(_ key: UInt64) throws {
        if let keys, let keyRange { return keys.insert(Int(key - keyRange.lowerBound)) }
        _ = try withUnsafeBytes(of: key) { try add($0.bindMemory(to: UInt8.self)) }
    }

    /// Calls `body` with each distinct key and its count. Does not call it if the limit was exceeded.
    func forEachKey(_ body: (_ key: UInt64, _ times: Int) -> Void) {
        if let valueCounts { return valueCounts.forEach { body(valueCounts.minimum + UInt64($0), $1) } }
        shortFields.forEach { bytes, times in body(UnsafeRawPointer(bytes.baseAddress!).loadUnaligned(as: UInt64.self), times) }
    }
}
