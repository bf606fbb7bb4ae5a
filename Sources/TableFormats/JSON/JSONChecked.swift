import CByteScan
import Locks

/// The result of checking the records from the first one.
struct JSONChecked: Sendable, Equatable {
    /// The number of checked records.
    private(set) var count = 0
    /// The number of checked records that are not valid JSON, and the first of them.
    private(set) var invalidCount = 0
    private(set) var firstInvalid = 0
    /// The number of checked records in which U+FFFD replaces an unpaired surrogate, and the first of them.
    private(set) var replacedCount = 0
    private(set) var firstReplaced = 0
    /// The notes of the last record.
    private var lastNotes: UInt32 = 0
    /// For each chunk of records, the combined notes about its records.
    private var notes: [UInt32] = []

    /// The result of checking consecutive records of one chunk.
    struct Part: Sendable {
        var count = 0
        /// The combined notes about all records.
        var notes: UInt32 = 0
        var lastNotes: UInt32 = 0
        var invalidCount = 0
        /// The first record that is not valid JSON, if there is one.
        var firstInvalid = 0
        var replacedCount = 0
        /// The first record with a replaced character, if there is one.
        var firstReplaced = 0

        init() {}

        /// Records without notes.
        init(plain count: Int) { self.count = count }

        /// Adds records without notes.
        mutating func add(plain added: Int) {
            guard added > 0 else { return }
            lastNotes = 0
            count += added
        }

        /// Adds the notes about a record.
        mutating func add(_ recordNotes: UInt32, of record: Int) {
            notes |= recordNotes
            lastNotes = recordNotes
            count += 1
            if recordNotes & UInt32(GV_JSON_INVALID) != 0 {
                if invalidCount == 0 { firstInvalid = record }
                invalidCount += 1
            }
            if recordNotes & UInt32(GV_JSON_LONE_SURROGATE) != 0 {
                if replacedCount == 0 { firstReplaced = record }
                replacedCount += 1
            }
        }
    }

    /// The number of records of a chunk.
    static let chunkRecords = 16_384

    /// Adds the next records, which are in one chunk.
    mutating func add(_ part: Part) {
        guard part.count > 0 else { return }
        if count / Self.chunkRecords == notes.count { notes.append(0) }
        notes[count / Self.chunkRecords] |= part.notes
        if invalidCount == 0 { firstInvalid = part.firstInvalid }
        invalidCount += part.invalidCount
        if replacedCount == 0 { firstReplaced = part.firstReplaced }
        replacedCount += part.replacedCount
        lastNotes = part.lastNotes
        count += part.count
    }

    /// Removes the last record, which may have become longer.
    mutating func removeLast() {
        guard count > 0 else { return }
        count -= 1
        if lastNotes & UInt32(GV_JSON_INVALID) != 0 { invalidCount -= 1 }
        if lastNotes & UInt32(GV_JSON_LONE_SURROGATE) != 0 { replacedCount -= 1 }
        lastNotes = 0
    }

    /// `isTrusted` is true if a record is known to be valid and without duplicate or escaped keys. `end` is the end of the records with the
    /// same result.
    func trust(in record: Int) -> (isTrusted: Bool, end: Int) {
        let (notes, end) = chunkNotes(of: record)
        return (notes & UInt32(GV_JSON_INVALID | GV_JSON_DUPLICATE | GV_JSON_ESCAPED_KEY) == 0, end)
    }

    /// `areOdd` is true if plain characters of a record may be escaped. `end` is the end of the records with the same result.
    func escapes(in record: Int) -> (areOdd: Bool, end: Int) {
        let (notes, end) = chunkNotes(of: record)
        return (notes & UInt32(GV_JSON_ODD_ESCAPE) != 0, end)
    }

    private func chunkNotes(of record: Int) -> (notes: UInt32, end: Int) {
        guard record >= 0, record < count else { return (.max, .max) }
        return (notes[record / Self.chunkRecords], min(count, (record / Self.chunkRecords + 1) * Self.chunkRecords))
    }
}

/// The chunks in which a scan has found only plain records. Plain records are valid, have no notes, and have a column for each key. The
/// check does not read these chunks again.
final class JSONPlainChunks: Sendable {
    /// The plain records of each chunk, by its index.
    private let chunks = Mutex<[Int: Range<Int>]>([:])

    /// - Parameter records: the records of a chunk that were known and unchecked when the scan began.
    func insert(_ records: Range<Int>) { chunks.withLock { $0[records.lowerBound / JSONChecked.chunkRecords] = records } }

    /// True if `records`, which are in one chunk, are plain.
    func contains(_ records: Range<Int>) -> Bool {
        guard let known = chunks.withLock({ $0[records.lowerBound / JSONChecked.chunkRecords] }) else { return false }
        return known.lowerBound <= records.lowerBound && records.upperBound <= known.upperBound
    }
}

/// The columns of a file, and its checked records.
final class JSONCheckedRecords: Sendable {
    /// A new object replaces the plain chunks when the file grows, so that scans that began earlier cannot add chunks to it.
    let value = Mutex((schema: JSONSchema(), checked: JSONChecked(), plain: JSONPlainChunks()))
    /// Locked during a pass, so that only one pass runs at a time.
    let passes = Mutex(())
}
