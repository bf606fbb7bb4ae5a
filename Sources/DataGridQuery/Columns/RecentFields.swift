import CByteScan
import FieldValues

/// A cache of the numbers of recent short fields.
///
/// A look-up tests one entry: a known field takes one comparison, without a branch that depends on its length. Fields may evict each other,
/// so a field that is not found is looked up in a dictionary.
struct RecentFields {
    private static let maximumBytes: UInt = 16
    private static let tableBits: UInt64 = 10

    private struct Entry: BitwiseCopyable {
        /// The bytes, padded with zeros.
        var low: UInt64 = 0
        var high: UInt64 = 0
        /// `Int32.max` marks a free entry.
        var length = Int32.max
        var number: UInt32 = 0
    }

    private let table: UnsafeArray<Entry>

    init() throws { table = try UnsafeArray(count: 1 << Int(RecentFields.tableBits), repeating: Entry()) }

    /// The number of a field: the cached number, or the result of `find` if the field is not cached.
    @inline(__always)
    func number(of field: FieldBytes, else find: () throws -> UInt32) rethrows -> UInt32 {
        // A word within a memory page can be loaded safely, even if it extends beyond the field.
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
