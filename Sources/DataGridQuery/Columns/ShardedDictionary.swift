import Tables
import FieldValues

/// A dictionary of the distinct fields of a column, divided into shards by the leading bits of hashes. It has 1 shard for few fields and 64
/// for many.
///
/// Each thread fills its own dictionary. The shards with the same index are then merged by several threads; each shard fits in the
/// processor's cache. Before the merge, a field number has the index of the shard in its lowest bits, and the number in the shard above
/// these bits.
final class ShardedDictionary: FieldList, @unchecked Sendable {
    private let shardBits: Int
    private let shards: UnsafeMutableBufferPointer<ByteDictionary>
    /// For each shard, the field number of its first field in the merged dictionary. One more element at the end is the total number of
    /// fields.
    private var starts: [Int] = []
    private let hashes, entries: UnsafeArray<UInt64>
    private let fieldStarts: UnsafeArray<Int>
    /// The sum of bytes that were loaded only to fill the cache. Without a use, the compiler would remove these loads.
    private var prefetchedSum: UInt8 = 0

    init(shardBits: Int = 0) throws {
        self.shardBits = shardBits
        let batch = shardBits == 0 ? 0 : 1024
        (hashes, entries, fieldStarts) = (try UnsafeArray(count: batch), try UnsafeArray(count: batch), try UnsafeArray(count: batch))
        shards = .allocate(capacity: 1 << shardBits)
        for shard in shards.indices { shards.initializeElement(at: shard, to: ByteDictionary()) }
    }

    deinit {
        for shard in shards { shard.deallocate() }
        shards.deallocate()
    }

    var count: Int { starts.last ?? shards.reduce(0) { $0 + $1.count } }

    var byteCount: Int { shards.reduce(0) { $0 + $1.byteCount } }

    /// The bytes of a field. If there are several shards, they must have been merged before the call.
    func bytes(_ number: Int) -> UnsafeBufferPointer<UInt8> {
        if shards.count == 1 { return shards[0].bytes(number) }
        var shard = 0
        var step = shards.count / 2
        while step > 0 {
            if starts[shard + step] <= number { shard += step }
            step /= 2
        }
        return shards[shard].bytes(number - starts[shard])
    }

    // MARK: Numbering

    /// The shard of a hash: its leading bits. The hash table of a shard uses the lowest bits, so its entries stay evenly distributed.
    @inline(__always)
    private func shard(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash &>> (32 - UInt64(shardBits))) }

    @inline(__always)
    func number(of bytes: UnsafeBufferPointer<UInt8>) throws -> UInt32 { try number(of: bytes, hash: ByteDictionary.hash(bytes)) }

    @inline(__always)
    private func number(of bytes: UnsafeBufferPointer<UInt8>, hash: UInt64) throws -> UInt32 {
        let shard = shard(hash)
        return try shards[shard].number(of: bytes, hash: hash) &<< UInt32(shardBits) | UInt32(truncatingIfNeeded: shard)
    }

    /// Writes the field numbers of a column of a batch to `numbers`. Requires several shards.
    ///
    /// The hash table and the fields are larger than the processor's cache, so each look-up waits for memory three times. Each step is done
    /// for all fields of the batch before the next step, so that the waits overlap.
    func writeNumbers(of batch: FieldBatch, _ index: Int, to numbers: UnsafeMutablePointer<UInt32>) throws {
        for first in stride(from: 0, to: batch.count, by: hashes.count) {
            let count = min(hashes.count, batch.count - first)
            for offset in 0..<count { hashes[offset] = ByteDictionary.hash(batch[first + offset, index].key) }
            for offset in 0..<count { entries[offset] = shards[shard(hashes[offset])].firstEntry(hashes[offset]) }
            for offset in 0..<count { fieldStarts[offset] = shards[shard(hashes[offset])].start(ofEntry: entries[offset]) }
            var sum: UInt8 = 0
            for offset in 0..<count { sum &+= shards[shard(hashes[offset])].firstByte(fieldStarts[offset]) }
            prefetchedSum = sum
            for offset in 0..<count {
                numbers[first + offset] = try number(of: batch[first + offset, index].key, hash: hashes[offset])
            }
        }
    }

    // MARK: Merging

    /// Converts the field numbers of one thread's dictionary to field numbers of the merged dictionary.
    struct Renumbering: Sendable {
        fileprivate let shardBits: Int
        fileprivate let isIdentity: Bool
        /// The index in `numbers` where each shard starts.
        fileprivate let bases: [Int]
        fileprivate let numbers: UnsafeArray<UInt32>

        func apply(to fieldNumbers: UnsafeMutablePointer<UInt32>, count: Int) {
            if isIdentity { return }
            let (numbers, mask) = (numbers.base, 1 &<< shardBits &- 1)
            bases.withUnsafeBufferPointer { bases in
                for offset in 0..<count {
                    let number = Int(fieldNumbers[offset])
                    fieldNumbers[offset] = numbers[bases[number & mask] + number &>> shardBits]
                }
            }
        }
    }

    /// Merges the dictionaries of several threads into the first one. All must have the same number of shards. The field numbers of the
    /// result have no gaps.
    static func merge(_ dictionaries: [ShardedDictionary], control: JobControl) throws -> [Renumbering] {
        let all = dictionaries[0]
        let threads = dictionaries.count
        let renumberings = try dictionaries.enumerated().map { thread, dictionary in
            let bases = dictionary.shards.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
            return Renumbering(
                shardBits: all.shardBits, isIdentity: thread == 0 && all.shardBits == 0, bases: bases,
                numbers: try UnsafeArray(count: bases[bases.count - 1]))
        }
        try forEachRange(of: all.shards.count, size: 1, threads: threads, control: control) { _, range in
            let shard = range.lowerBound
            for (dictionary, renumbering) in zip(dictionaries, renumberings) {
                let (fields, first) = (dictionary.shards[shard], renumbering.bases[shard])
                for number in 0..<fields.count {
                    try control.checkCancellation(at: number + 1)
                    renumbering.numbers[first + number] =
                        dictionary === all ? UInt32(number) : try all.shards[shard].number(of: fields.bytes(number))
                }
            }
            all.shards[shard].close()
        }
        all.starts = all.shards.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        try forEachRange(of: all.shards.count, size: 1, threads: threads, control: control) { _, range in
            let first = UInt32(all.starts[range.lowerBound])
            for renumbering in renumberings where first > 0 {
                for offset in renumbering.bases[range.lowerBound]..<renumbering.bases[range.lowerBound + 1] {
                    renumbering.numbers[offset] += first
                }
            }
        }
        return renumberings
    }
}
