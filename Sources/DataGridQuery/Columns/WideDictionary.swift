import Tables
import FieldValues

/// Numbers different fields of which there are many: a dictionary for each value of six bits of their hashes.
///
/// Dictionaries of several threads are brought together part by part, on as many threads, each part small enough for the cache. The number
/// of a field is its number in the part, and in the lowest six bits the part.
final class WideDictionary: @unchecked Sendable {
    static let partBits = 6
    static let partCount = 1 << partBits

    let parts: UnsafeMutablePointer<ByteDictionary>
    private let hashes: Storage<UInt64>
    private let entries: Storage<UInt64>
    private let starts: Storage<Int>
    /// What was read for no other end than to have it in the cache.
    private var sum: UInt8 = 0

    init() throws {
        (hashes, entries, starts) = (try Storage(count: 1024), try Storage(count: 1024), try Storage(count: 1024))
        parts = .allocate(capacity: WideDictionary.partCount)
        for part in 0..<WideDictionary.partCount { (parts + part).initialize(to: ByteDictionary()) }
    }

    deinit {
        for part in 0..<WideDictionary.partCount { parts[part].deallocate() }
        parts.deallocate()
    }

    /// Of the hash those bits that the part's table looks at last.
    @inline(__always)
    private static func part(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash &>> (32 - UInt64(partBits))) }

    func number(of bytes: UnsafeBufferPointer<UInt8>) throws -> UInt32 { try number(of: bytes, hash: ByteDictionary.hash(bytes)) }

    @inline(__always)
    private func number(of bytes: UnsafeBufferPointer<UInt8>, hash: UInt64) throws -> UInt32 {
        let part = WideDictionary.part(hash)
        return try parts[part].number(of: bytes, hash: hash) &<< UInt32(WideDictionary.partBits) | UInt32(part)
    }

    /// Writes the numbers of a column's fields to `numbers`.
    ///
    /// Table and fields are larger than any cache, so a look-up waits for memory three times. All of a batch take the same step before
    /// any takes the next: they wait together.
    func take(_ batch: FieldBatch, _ index: Int, into numbers: UnsafeMutablePointer<UInt32>) throws {
        for start in stride(from: 0, to: batch.count, by: 1024) { try take(batch, index, start..<min(batch.count, start + 1024), numbers) }
    }

    private func take(_ batch: FieldBatch, _ index: Int, _ records: Range<Int>, _ numbers: UnsafeMutablePointer<UInt32>) throws {
        let first = records.lowerBound
        for record in records { hashes[record - first] = ByteDictionary.hash(batch[record, index].key) }
        for place in 0..<records.count { entries[place] = parts[WideDictionary.part(hashes[place])].firstEntry(hashes[place]) }
        for place in 0..<records.count { starts[place] = parts[WideDictionary.part(hashes[place])].start(ofEntry: entries[place]) }
        var sum: UInt8 = 0
        for place in 0..<records.count { sum &+= parts[WideDictionary.part(hashes[place])].firstByte(starts[place]) }
        self.sum = sum
        for record in records {
            numbers[record] = try number(of: batch[record, index].key, hash: hashes[record - first])
        }
    }
}

/// The dictionaries of several threads as one; the first takes in the others.
struct WideMerge {
    /// All fields, with numbers without gaps.
    let fields: WideFields
    /// For each thread, where each part begins in `numbers`.
    private let bases: [[Int]]
    /// For each thread, the number that each of its fields has in the end.
    private let numbers: [Storage<UInt32>]

    init(_ dictionaries: [WideDictionary], control: JobControl) throws {
        let partCount = WideDictionary.partCount
        let bases = dictionaries.map { dictionary in
            (0..<partCount).reduce(into: [0]) { $0.append($0[$1] + dictionary.parts[$1].count) }
        }
        let numbers = try zip(dictionaries, bases).map { try Storage<UInt32>(count: $1[partCount]) }
        let all = dictionaries[0]
        try forEachRange(of: partCount, size: 1, threads: dictionaries.count, control: control) { _, range in
            let part = range.lowerBound
            for number in 0..<all.parts[part].count { numbers[0][bases[0][part] + number] = UInt32(number) }
            for thread in 1..<max(1, dictionaries.count) {
                let own = dictionaries[thread].parts[part]
                let place = numbers[thread].base + bases[thread][part]
                for number in 0..<own.count { place[number] = try all.parts[part].number(of: own.bytes(number)) }
            }
            all.parts[part].close()
        }
        let fields = WideFields(all)
        try forEachRange(of: partCount, size: 1, threads: dictionaries.count, control: control) { _, range in
            let first = UInt32(fields.starts[range.lowerBound])
            for thread in 0..<dictionaries.count {
                for place in bases[thread][range.lowerBound]..<bases[thread][range.lowerBound + 1] { numbers[thread][place] += first }
            }
        }
        (self.fields, self.bases, self.numbers) = (fields, bases, numbers)
    }

    /// Puts the numbers of all in the place of those of a thread.
    func renumber(_ own: UnsafeMutablePointer<UInt32>, _ count: Int, ofThread thread: Int) {
        let numbers = numbers[thread].base
        bases[thread].withUnsafeBufferPointer { bases in
            for place in 0..<count {
                let number = Int(own[place])
                own[place] = numbers[bases[number & (WideDictionary.partCount - 1)] + number &>> WideDictionary.partBits]
            }
        }
    }
}

/// The fields of a ``WideDictionary`` with numbers without gaps, part after part.
final class WideFields: FieldList, @unchecked Sendable {
    private let dictionary: WideDictionary
    /// The number of the first field of each part, and of all.
    let starts: [Int]

    init(_ dictionary: WideDictionary) {
        self.dictionary = dictionary
        starts = (0..<WideDictionary.partCount).reduce(into: [0]) { $0.append($0[$1] + dictionary.parts[$1].count) }
    }

    var count: Int { starts[WideDictionary.partCount] }

    func bytes(_ number: Int) -> UnsafeBufferPointer<UInt8> {
        // The last part that does not begin behind it.
        var part = 0
        var step = WideDictionary.partCount / 2
        while step > 0 {
            if starts[part + step] <= number { part += step }
            step /= 2
        }
        return dictionary.parts[part].bytes(number - starts[part])
    }

    /// Bytes in memory.
    var byteCount: Int { (0..<WideDictionary.partCount).reduce(0) { $0 + dictionary.parts[$1].byteCount } }
}
