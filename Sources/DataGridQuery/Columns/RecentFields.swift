import CByteScan
import FieldValues

/// A small cache of field numbers for short fields that occurred recently.
///
/// A look-up compares the field with one entry, without a branch that depends on the length of the field. If the field is not in the cache,
/// it is looked up in a dictionary and replaces that entry.
struct RecentFields {
    private static let maximumBytes: UInt = 16
    private static let tableBits: UInt64 = 10

    private struct Entry: BitwiseCopyable {
        /// The first eight bytes of the field, padded with zeros.
        var low: UInt64 = 0
        var high: UInt64 = 0
        /// The number of bytes of the field; `Int32.max` marks a free entry.
        var length = Int32.max
        var number: UInt32 = 0
    }

    private let table: UnsafeArray<Entry>

    init() throws { table = try UnsafeArray(count: 1 << Int(RecentFields.tableBits), repeating: Entry()) }

    /// The field number of a field. If it is not in the cache, it is the result of `find`, which is then cached.
    @inline(__always)
    func number(of field: FieldBytes, else find: () throws -> UInt32) rethrows -> UInt32 {
        // Reading 16 bytes is safe if they are in one memory page, even if the field is shorter. Longer fields and fields near the end of a
        // page are not cached.
        guard let start = field.start, UInt(bitPattern: field.count &- 1) < RecentFields.maximumBytes,
            UInt(bitPattern: start) & 4095 <= 4096 - 16
        else { return try find() }
        let length = Int32(truncatingIfNeeded: field.count)
        // The shift has two steps, because a single shift by 64 bits would have no effect.
        let (unused, half) = (UInt64(truncatingIfNeeded: 64 &- min(length, 8) &* 8), UInt64(truncatingIfNeeded: (max(length, 8) &- 8) &* 4))
        let low = UInt64(littleEndian: gv_load_word(start)) & (UInt64.max &>> unused)
        let high = UInt64(littleEndian: gv_load_word(start + 8)) & (((1 &<< half) &<< half) &- 1)
        let hash = (low ^ high &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
        let entry = table.base + Int(truncatingIfNeeded: hash &>> (64 - RecentFields.tableBits))
        if entry.pointee.low == low, entry.pointee.high == high, entry.pointee.length == length { return entry.pointee.number }
        let number = try find()
        entry.pointee = Entry(low: low, high: high, length: length, number: number)
        return number
    }
}
