import FieldValues

/// Counts the distinct fields of 1 to 8 bytes. Most numbers and codes are that short.
///
/// A field is stored in the hash table as a word and a length. Counting a known field reads one entry; a ``ByteDictionary`` reads an entry,
/// an offset and the bytes of the field. The table uses open addressing with linear probing. Memory: 21 to 86 bytes per field for small
/// tables.
struct ShortFields {
    static let maximumBytes = 8

    private struct Entry: BitwiseCopyable {
        var word: UInt64 = 0
        /// The length of the field in the lowest byte, and its count in the upper bytes. 0 marks a free entry.
        var lengthAndTimes: UInt64 = 0

        var length: UInt64 { lengthAndTimes & 0xFF }
        var times: Int { Int(truncatingIfNeeded: lengthAndTimes &>> 8) }
    }

    private var table: UnsafeMutablePointer<Entry>?
    private var capacity = 0
    private(set) var count = 0

    var byteCount: Int { capacity * MemoryLayout<Entry>.stride }

    func deallocate() { Self.deallocate(table) }

    private static func deallocate(_ table: UnsafeMutablePointer<Entry>?) { table.map { UnsafeMutableRawPointer($0).deallocate() } }

    /// Loads the table entries for the fields of a column into the cache, before they are counted. The loads do not depend on each other,
    /// so their waits overlap. Returns a sum of loaded words, so that the compiler keeps the loads.
    func prefetch(_ batch: FieldBatch, _ index: Int) -> UInt64 {
        guard let table else { return 0 }
        var sum: UInt64 = 0
        let (seed, mask) = (ByteHash.seed, capacity &- 1)
        for record in 0..<batch.count {
            let bytes = batch[record, index].bytes
            guard 1...Self.maximumBytes ~= bytes.count else { continue }
            let hash = ByteHash.hash(ByteHash.word(bytes), UInt32(truncatingIfNeeded: bytes.count), seed: seed)
            sum &+= table[Int(truncatingIfNeeded: hash) & mask].lengthAndTimes
        }
        return sum
    }

    /// Adds `times` to the count of a field.
    /// - Returns: true if the field was counted earlier.
    @inline(__always)
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, times: Int = 1) throws -> Bool {
        let (word, length) = (ByteHash.word(bytes), UInt32(truncatingIfNeeded: bytes.count))
        if count &* 4 >= capacity &* 3 { try grow() }
        let entry = entry(of: word, length)
        let isKnown = entry.pointee.lengthAndTimes != 0
        entry.pointee.lengthAndTimes &+= UInt64(truncatingIfNeeded: times) &<< 8
        if isKnown { return true }
        entry.pointee.word = word
        entry.pointee.lengthAndTimes |= UInt64(length)
        count += 1
        return false
    }

    /// Calls `body` with each distinct field and its count.
    func forEach(_ body: (_ bytes: UnsafeBufferPointer<UInt8>, _ times: Int) throws -> Void) rethrows {
        for index in 0..<capacity where table![index].lengthAndTimes != 0 {
            try Self.withBytes(of: table![index].word, Int(table![index].length)) { try body($0, table![index].times) }
        }
    }

    // MARK: Entries

    /// The entry of a field; if the field is new, the free entry for it.
    @inline(__always)
    private func entry(of word: UInt64, _ length: UInt32) -> UnsafeMutablePointer<Entry> {
        let mask = capacity &- 1
        var index = Int(truncatingIfNeeded: ByteHash.hash(word, length, seed: ByteHash.seed)) & mask
        while true {
            let entry = table.unsafelyUnwrapped + index
            if entry.pointee.word == word, entry.pointee.length == UInt64(length) { return entry }
            if entry.pointee.lengthAndTimes == 0 { return entry }
            index = (index &+ 1) & mask
        }
    }

    @inline(never)
    private mutating func grow() throws {
        let (old, oldCapacity) = (table, capacity)
        // A small table grows by a factor of 4, because each step hashes all fields again.
        let size = max(64, capacity * (capacity < 1024 ? 4 : 2))
        table = try Memory.allocateLarge(Entry.self, count: size)
        capacity = size
        table!.initialize(repeating: Entry(), count: capacity)
        for index in 0..<oldCapacity where old![index].lengthAndTimes != 0 {
            entry(of: old![index].word, UInt32(old![index].length)).pointee = old![index]
        }
        Self.deallocate(old)
    }

    // MARK: Words

    /// Calls `body` with the field that the first `count` bytes of a word contain.
    @inline(__always)
    static func withBytes(of word: UInt64, _ count: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maximumBytes) { bytes in
            write(word, count, to: bytes.baseAddress!)
            try body(UnsafeBufferPointer(start: bytes.baseAddress, count: count))
        }
    }

    private static func write(_ word: UInt64, _ count: Int, to bytes: UnsafeMutablePointer<UInt8>) {
        if count >= 4 {
            let raw = UnsafeMutableRawPointer(bytes)
            raw.storeBytes(of: UInt32(truncatingIfNeeded: word >> 32), as: UInt32.self)
            raw.storeBytes(of: UInt32(truncatingIfNeeded: word), toByteOffset: count - 4, as: UInt32.self)
        } else {
            bytes[0] = UInt8(truncatingIfNeeded: word >> 16)
            bytes[count / 2] = UInt8(truncatingIfNeeded: word >> 8)
            bytes[count - 1] = UInt8(truncatingIfNeeded: word)
        }
    }
}
