import Tables
import FieldValues

/// A dictionary that gives each distinct field of a column a number: 0, 1, 2…, in the order of first occurrence.
///
/// All empty fields share one number, and all missing fields share another number. The hash table uses open addressing with linear probing.
/// The bytes of all fields are in one arena. Memory: about 30 bytes per field in addition to its bytes, or 8 after ``close()``. The owner
/// must call ``deallocate()``.
struct ByteDictionary: FieldList, @unchecked Sendable {
    private var arena = ByteArena()
    /// The offset of each field in ``arena``, indexed by field number. The element after the last field is the end of that field.
    private var starts = UnsafeMutablePointer<Int>.allocate(capacity: 64)
    private var startCapacity = 64
    /// The hash table. An entry has the hash in its upper 32 bits and the field number + 1 in its lower 32 bits; 0 is a free entry.
    /// Comparing hashes first avoids most comparisons of fields.
    private var table = ByteDictionary.makeEmptyTable(size: 64)
    /// The bit mask that maps a hash to an index of ``table``: its size, a power of two, minus 1.
    private var mask = 63
    /// The number of distinct fields.
    private(set) var count = 0

    init() { starts[0] = 0 }

    func deallocate() {
        arena.deallocate()
        starts.deallocate()
        table.deallocate()
    }

    /// Frees the hash table when all fields have been added. Field bytes can still be read, but `number(of:)` must not be called.
    mutating func close() {
        table.deallocate()
        (table, mask) = (ByteDictionary.makeEmptyTable(size: 1), 0)
    }

    private static func makeEmptyTable(size: Int) -> UnsafeMutablePointer<UInt64> {
        let table = UnsafeMutablePointer<UInt64>.allocate(capacity: size)
        table.initialize(repeating: 0, count: size)
        return table
    }

    func bytes(_ number: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: arena.base + starts[number], count: starts[number + 1] - starts[number])
    }

    var byteCount: Int { arena.count + (count + mask + 2) * 8 }

    /// The field number of a field, to be passed to ``bytes(_:)``. A new field is added and gets the next number.
    @inline(__always)
    mutating func number(of bytes: UnsafeBufferPointer<UInt8>) throws -> UInt32 { try number(of: bytes, hash: ByteDictionary.hash(bytes)) }

    /// - Parameter hash: the result of ``hash(_:)`` for the bytes.
    @inline(__always)
    mutating func number(of bytes: UnsafeBufferPointer<UInt8>, hash: UInt64) throws -> UInt32 {
        var entryIndex = Int(hash) & mask
        while true {
            let entry = table[entryIndex]
            if entry == 0 { return try insert(bytes, hash, entryIndex) }
            let candidate = Int(entry & 0xFFFF_FFFF) - 1
            if entry >> 32 == hash, isSame(candidate, bytes) { return UInt32(candidate) }
            entryIndex = (entryIndex + 1) & mask
        }
    }

    /// The entry of the hash table where the search for a hash starts. Callers load the entries of many hashes at once, because loads that
    /// do not depend on each other overlap in time.
    @inline(__always)
    func firstEntry(_ hash: UInt64) -> UInt64 { table[Int(hash) & mask] }

    /// The arena offset of the field to which an entry of the hash table refers. Undefined for a free entry.
    @inline(__always)
    func start(ofEntry entry: UInt64) -> Int { entry == 0 ? 0 : starts[Int(entry & 0xFFFF_FFFF) - 1] }

    /// The first byte of the field at the arena offset `start`. Callers read it to load the field into the processor's cache early.
    @inline(__always)
    func firstByte(_ start: Int) -> UInt8 { arena.base[start] }

    @inline(never)
    private mutating func insert(_ bytes: UnsafeBufferPointer<UInt8>, _ hash: UInt64, _ entryIndex: Int) throws -> UInt32 {
        // Store the field before the hash table refers to it, because storing the field can fail.
        if count + 1 == startCapacity {
            let moved = try Memory.allocate(Int.self, count: startCapacity * 2)
            moved.update(from: starts, count: count + 1)
            starts.deallocate()
            (starts, startCapacity) = (moved, startCapacity * 2)
        }
        try arena.append(bytes)
        count += 1
        table[entryIndex] = hash << 32 | UInt64(count)
        starts[count] = arena.count
        if count * 3 > mask * 2 { try grow() }
        return UInt32(count - 1)
    }

    @inline(__always)
    func isSame(_ number: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = starts[number]
        guard starts[number + 1] - start == bytes.count, let other = bytes.baseAddress else { return bytes.isEmpty }
        let stored = UnsafeRawPointer(arena.base + start)
        let raw = UnsafeRawPointer(other)
        func isWordEqual<Word: FixedWidthInteger & BitwiseCopyable>(at index: Int, as _: Word.Type) -> Bool {
            stored.loadUnaligned(fromByteOffset: index, as: Word.self) == raw.loadUnaligned(fromByteOffset: index, as: Word.self)
        }
        let count = bytes.count
        // The last word is read from the end of the field, so it may overlap the word before it.
        if count >= 8 {
            var index = 0
            while index + 8 < count {
                guard isWordEqual(at: index, as: UInt64.self) else { return false }
                index += 8
            }
            return isWordEqual(at: count - 8, as: UInt64.self)
        }
        if count >= 4 { return isWordEqual(at: 0, as: UInt32.self) && isWordEqual(at: count - 4, as: UInt32.self) }
        for index in 0..<count { guard isWordEqual(at: index, as: UInt8.self) else { return false } }
        return true
    }

    private mutating func grow() throws {
        let size = (mask + 1) * 2
        let larger = try Memory.allocate(UInt64.self, count: size)
        larger.initialize(repeating: 0, count: size)
        for old in 0...mask where table[old] != 0 {
            var entryIndex = Int(table[old] >> 32) & (size - 1)
            while larger[entryIndex] != 0 { entryIndex = (entryIndex + 1) & (size - 1) }
            larger[entryIndex] = table[old]
        }
        table.deallocate()
        (table, mask) = (larger, size - 1)
    }

    /// A 32-bit hash. Its random seed makes it impossible to prepare input whose fields collide.
    @inline(__always)
    static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let hash = ByteHash.hash(bytes, seed: ByteHash.seed)
        return (hash ^ hash >> 32) & 0xFFFF_FFFF
    }

    static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        FieldBytes(bytes).isBlank ? "" : String(decoding: bytes, as: UTF8.self)
    }
}

extension FieldBytes {
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(start: bytes.baseAddress, count: bytes.count) }
}
