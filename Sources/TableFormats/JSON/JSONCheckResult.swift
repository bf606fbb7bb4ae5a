import CByteScan
import Locks

/// The result of checking the first records of a file.
struct JSONCheckResult: Sendable, Equatable {
    /// The number of checked records.
    private(set) var count = 0
    /// The checked records that are not valid JSON.
    private(set) var invalidRecords = Tally(note: GV_JSON_INVALID)
    /// The checked records in which U+FFFD replaces an unpaired surrogate.
    private(set) var recordsWithReplacements = Tally(note: GV_JSON_LONE_SURROGATE)
    /// The checked records in which an object has a key twice.
    private(set) var recordsWithRepeatedKeys = Tally(note: GV_JSON_DUPLICATE)
    /// The notes about the last record, for ``removeLast()``.
    private var lastRecordNotes: UInt32 = 0
    /// For each chunk of records, the combined notes about its records.
    private var notes: [UInt32] = []

    /// The number of records that have a note, and the first such record.
    struct Tally: Sendable, Equatable {
        private let note: UInt32
        private(set) var count = 0
        /// The record number of the first record that has the note; 0 if no record has it.
        private(set) var first = 0

        init<Note: BinaryInteger>(note: Note) { self.note = UInt32(note) }

        /// Counts a record if its notes contain the note of this tally.
        mutating func add(_ notes: UInt32, of record: Int) {
            guard notes & note != 0 else { return }
            if count == 0 { first = record }
            count += 1
        }

        /// Adds the count for records after those that are already counted.
        mutating func add(_ later: Tally) {
            if count == 0 { first = later.first }
            count += later.count
        }

        /// Removes the last record from the count. `notes` are the notes about it.
        mutating func removeLast(_ notes: UInt32) { if notes & note != 0 { count -= 1 } }
    }

    /// The result of checking consecutive records of one chunk.
    struct Part: Sendable {
        var count = 0
        /// The combined notes about all records.
        var notes: UInt32 = 0
        var lastRecordNotes: UInt32 = 0
        var invalidRecords = Tally(note: GV_JSON_INVALID)
        var recordsWithReplacements = Tally(note: GV_JSON_LONE_SURROGATE)
        var recordsWithRepeatedKeys = Tally(note: GV_JSON_DUPLICATE)

        init() {}

        /// Creates the result for `count` records without notes.
        init(plainCount count: Int) { self.count = count }

        /// Adds records without notes.
        mutating func addPlainRecords(_ added: Int) {
            guard added > 0 else { return }
            lastRecordNotes = 0
            count += added
        }

        mutating func add(_ recordNotes: UInt32, of record: Int) {
            notes |= recordNotes
            lastRecordNotes = recordNotes
            count += 1
            invalidRecords.add(recordNotes, of: record)
            recordsWithReplacements.add(recordNotes, of: record)
            recordsWithRepeatedKeys.add(recordNotes, of: record)
        }
    }

    /// The number of records in a chunk. The last chunk of a file can have fewer.
    static let chunkRecords = 16_384

    /// Adds the result for the next records, which are in one chunk.
    mutating func add(_ part: Part) {
        guard part.count > 0 else { return }
        if count / Self.chunkRecords == notes.count { notes.append(0) }
        notes[count / Self.chunkRecords] |= part.notes
        invalidRecords.add(part.invalidRecords)
        recordsWithReplacements.add(part.recordsWithReplacements)
        recordsWithRepeatedKeys.add(part.recordsWithRepeatedKeys)
        lastRecordNotes = part.lastRecordNotes
        count += part.count
    }

    /// Removes the last record, which may have become longer.
    mutating func removeLast() {
        guard count > 0 else { return }
        count -= 1
        invalidRecords.removeLast(lastRecordNotes)
        recordsWithReplacements.removeLast(lastRecordNotes)
        recordsWithRepeatedKeys.removeLast(lastRecordNotes)
        lastRecordNotes = 0
    }

    /// `isTrusted` is true if a record is known to be valid and without duplicate or escaped keys. The result is the same for all records
    /// in `record..<end`.
    func validity(ofRecord record: Int) -> (isTrusted: Bool, end: Int) {
        let (notes, end) = chunkNotes(of: record)
        return (notes & UInt32(GV_JSON_INVALID | GV_JSON_DUPLICATE | GV_JSON_ESCAPED_KEY) == 0, end)
    }

    /// `mayOccur` is true if some plain characters of the record may be written as escapes, which writers rarely do. The result is the same
    /// for all records in `record..<end`.
    func unusualEscapes(ofRecord record: Int) -> (mayOccur: Bool, end: Int) {
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
    /// The plain records of each chunk, keyed by the index of the chunk.
    private let chunks = Mutex<[Int: Range<Int>]>([:])

    /// - Parameter records: the records of a chunk that were known and unchecked when the scan began.
    func insert(_ records: Range<Int>) { chunks.withLock { $0[records.lowerBound / JSONCheckResult.chunkRecords] = records } }

    /// True if `records`, which are in one chunk, are plain.
    func contains(_ records: Range<Int>) -> Bool {
        guard let known = chunks.withLock({ $0[records.lowerBound / JSONCheckResult.chunkRecords] }) else { return false }
        return known.lowerBound <= records.lowerBound && records.upperBound <= known.upperBound
    }
}

/// The columns of a file, and its checked records.
final class JSONCheckState: Sendable {
    /// When the file grows, a new object replaces `plainChunks`. Scans that began earlier cannot add chunks to the new object.
    let value = Mutex((schema: JSONSchema(), checkResult: JSONCheckResult(), plainChunks: JSONPlainChunks()))
    /// Locked during a pass, so that only one pass runs at a time.
    let passLock = Mutex(())
}
