/// Numbers byte strings in the order in which they first occur: 0, 1, 2…
///
/// Open addressing with linear probing over numbers; strings stand in one arena. About 40 bytes a string beside its own.
struct ByteDictionary {
    private var arena = ByteArena()
    private var starts: [Int] = [0]
    /// The hash in the upper half, so that other strings are rarely looked at, and number + 1 in the lower; 0 is free.
    private var table = [UInt64](repeating: 0, count: 64)
    private(set) var count = 0

    func deallocate() { arena.deallocate() }

    func bytes(_ number: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: arena.base + starts[number], count: starts[number + 1] - starts[number])
    }

    /// The number of `bytes`, a new one if they were not seen before.
    mutating func number(of bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let hash = ByteDictionary.hash(bytes)
        let mask = table.count - 1
        var place = Int(hash) & mask
        while table[place] != 0 {
            let entry = table[place]
            let candidate = Int(entry & 0xFFFF_FFFF) - 1
            if entry >> 32 == hash, isSame(candidate, bytes) { return UInt32(candidate) }
            place = (place + 1) & mask
        }
        count += 1
        table[place] = hash << 32 | UInt64(count)
        arena.append(bytes)
        starts.append(arena.count)
        if count * 2 > table.count { grow() }
        return UInt32(count - 1)
    }

    @inline(__always)
    private func isSame(_ number: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = starts[number]
        guard starts[number + 1] - start == bytes.count else { return false }
        for index in 0..<bytes.count where arena.base[start + index] != bytes[index] { return false }
        return true
    }

    private mutating func grow() {
        var larger = [UInt64](repeating: 0, count: table.count * 4)
        let mask = larger.count - 1
        for entry in table where entry != 0 {
            var place = Int(entry >> 32) & mask
            while larger[place] != 0 { place = (place + 1) & mask }
            larger[place] = entry
        }
        table = larger
    }

    /// Eight bytes at a time, mixed by the two halves of a product (W. Yi, "wyhash", 2019), from a seed that nobody can aim at.
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = seed ^ UInt64(bytes.count)
        var index = 0
        while index + 8 <= bytes.count {
            hash = mixed(hash ^ UnsafeRawPointer(bytes.baseAddress! + index).loadUnaligned(as: UInt64.self))
            index += 8
        }
        var rest: UInt64 = 0
        while index < bytes.count {
            rest = rest << 8 | UInt64(bytes[index])
            index += 1
        }
        hash = mixed(hash ^ rest)
        return (hash ^ hash >> 32) & 0xFFFF_FFFF
    }

    @inline(__always)
    private static func mixed(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }

    private static let seed = UInt64.random(in: 0...UInt64.max)
}
