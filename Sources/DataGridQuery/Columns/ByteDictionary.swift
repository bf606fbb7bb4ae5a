import DataGrid
import FieldValues

/// Numbers the different fields of a column in the order in which they first occur: 0, 1, 2…
///
/// Blank fields are one, and fields that records do not have are another. Open addressing with linear probing over numbers; the fields
/// stand in one arena. About 40 bytes a field beside its own.
struct ByteDictionary {
    private var arena = ByteArena()
    private var starts: [Int] = [0]
    /// The hash in the upper half, so that other fields are rarely looked at, and number + 1 in the lower; 0 is free.
    private var table = [UInt64](repeating: 0, count: 64)
    private(set) var count = 0

    func deallocate() { arena.deallocate() }

    /// The field, blank ones as empty, those that records do not have as one blank.
    func bytes(_ number: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: arena.base + starts[number], count: starts[number + 1] - starts[number])
    }

    /// Bytes in memory.
    var byteCount: Int { arena.count + (starts.count + table.count) * 8 }

    /// The number of `field`, a new one if it was not seen before.
    @inline(__always)
    mutating func number(of field: FieldBytes) -> UInt32 {
        // Most fields do not begin with a blank, so most are not looked at twice.
        guard let first = field.bytes.first else { return numberOfBlank(field) }
        if first <= 0x20, field.isBlank { return numberOfBlank(field) }
        return number(of: field.bytes)
    }

    @inline(never)
    private mutating func numberOfBlank(_ field: FieldBytes) -> UInt32 {
        // A lone blank cannot be met otherwise: fields of blanks are looked up as empty.
        withUnsafePointer(to: UInt8(ascii: " ")) { number(of: UnsafeBufferPointer(start: $0, count: field.isMissing ? 1 : 0)) }
    }

    /// The number of the bytes of a field as ``bytes(_:)`` gives them.
    @inline(__always)
    mutating func number(of bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let hash = ByteDictionary.hash(bytes)
        let mask = table.count - 1
        var place = Int(hash) & mask
        while true {
            let entry = table[place]
            if entry == 0 { return insert(bytes, hash, place) }
            let candidate = Int(entry & 0xFFFF_FFFF) - 1
            if entry >> 32 == hash, isSame(candidate, bytes) { return UInt32(candidate) }
            place = (place + 1) & mask
        }
    }

    @inline(never)
    private mutating func insert(_ bytes: UnsafeBufferPointer<UInt8>, _ hash: UInt64, _ place: Int) -> UInt32 {
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
        guard starts[number + 1] - start == bytes.count, let other = bytes.baseAddress else { return bytes.isEmpty }
        let own = UnsafeRawPointer(arena.base + start)
        let raw = UnsafeRawPointer(other)
        func isSame<Word: FixedWidthInteger & BitwiseCopyable>(_ index: Int, _: Word.Type) -> Bool {
            own.loadUnaligned(fromByteOffset: index, as: Word.self) == raw.loadUnaligned(fromByteOffset: index, as: Word.self)
        }
        let count = bytes.count
        // The last word is read from the end, some bytes of it perhaps once more.
        if count >= 8 {
            var index = 0
            while index + 8 < count {
                guard isSame(index, UInt64.self) else { return false }
                index += 8
            }
            return isSame(count - 8, UInt64.self)
        }
        if count >= 4 { return isSame(0, UInt32.self) && isSame(count - 4, UInt32.self) }
        for index in 0..<count { guard isSame(index, UInt8.self) else { return false } }
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

    /// 32 bits, from a seed that nobody can aim at.
    @inline(__always)
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let hash = ByteHash.hash(bytes, seed: seed)
        return (hash ^ hash >> 32) & 0xFFFF_FFFF
    }

    private static let seed = UInt64.random(in: 0...UInt64.max)
}

extension ByteDictionary {
    /// The place of each field when the fields are ordered; blank fields come last, and after them those that records do not have.
    func ranks(_ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws -> [UInt32] {
        // Which number a field has depends on which thread met it first, so fields of equal value are put in the order of their bytes.
        let keys = [
            SortKey(column: 0, ordering: ordering, isDescending: isDescending), SortKey(column: 0, ordering: .text),
        ]
        let order = try SortJob(
            DictionaryTable(dictionary: self), keys, nil, threads: threads, control: JobControl(within: control), usesCodes: false
        ).records()
        var ranks = [UInt32](repeating: 0, count: count)
        for (rank, number) in order.enumerated() { ranks[Int(number)] = UInt32(rank) }
        return ranks
    }
}

extension ByteDictionary {
    /// As ``ranks(_:isDescending:threads:control:)``, with one rank for all that is blank or missing.
    func groupRanks(_ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws -> [UInt32] {
        var ranks = try ranks(ordering, isDescending: isDescending, threads: threads, control: control)
        let blanks = (0..<count).filter { FieldBytes(bytes($0)).isBlank }
        if let least = blanks.map({ ranks[$0] }).min() { for number in blanks { ranks[number] = least } }
        return ranks
    }

    /// A field as text; a missing one is empty.
    static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        FieldBytes(bytes).isBlank ? "" : String(decoding: bytes, as: UTF8.self)
    }
}

extension FieldBytes {
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(start: bytes.baseAddress, count: bytes.count) }
}

/// The different fields of a column as a table, so that they are ordered as records are.
private struct DictionaryTable: RecordTable, @unchecked Sendable {
    let dictionary: ByteDictionary
    var recordCount: Int { dictionary.count }
    var columnCount: Int { 1 }

    func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
        for record in records {
            let bytes = dictionary.bytes(record)
            let isMissing = bytes.count == 1 && bytes[0] == UInt8(ascii: " ")
            let field = isMissing ? FieldBytes.missing : FieldBytes(start: bytes.baseAddress, count: bytes.count)
            // All columns are the one that there is.
            let fields = [FieldBytes](repeating: field, count: columns.count)
            if !fields.withUnsafeBufferPointer({ body(record, $0) }) { return }
        }
    }
}
