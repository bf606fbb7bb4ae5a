import CByteScan
import DelimitedText
import FieldValues
import Locks
import Tables

/// One pass over the records that are not checked yet, on several threads.
///
/// Each thread takes the next chunk, and checks it with the known keys. Results are committed in the order of the file. The thread with the
/// next chunk in this order commits its result, and the results of the finished chunks after it. A chunk with new keys is checked again
/// after all chunks before it are committed, because their keys are then known. New keys are rare.
final class JSONCheckRun: Sendable {
    private let snapshot: RecordSnapshot
    private let checkState: JSONCheckState
    private let shouldContinue: @Sendable (Int) -> Bool
    private let pause: @Sendable () -> Void
    private let firstRecord: Int
    private let plainChunks: JSONPlainChunks
    private let nextChunk: Atomic<Int>
    private let shared: Mutex<Shared>

    /// The state that the threads share.
    private struct Shared: Sendable {
        /// The first record that is not committed yet.
        var nextToCommit: Int
        /// The results of checked chunks that are not committed yet, keyed by their first record; `nil` for a chunk with new keys.
        var finishedParts: [Int: JSONCheckResult.Part?] = [:]
        var isCommitting = false
        var isStopped = false
        var error: (any Error)?
    }

    /// - Parameters:
    ///   - snapshot: the records.
    ///   - checkState: the result of earlier passes, which this pass extends.
    ///   - pause: waits until no urgent read is running.
    ///   - shouldContinue: called after each chunk with the number of checked records; return `false` to stop.
    init(
        _ snapshot: RecordSnapshot, _ checkState: JSONCheckState, pause: @escaping @Sendable () -> Void,
        _ shouldContinue: @escaping @Sendable (Int) -> Bool
    ) {
        (self.snapshot, self.checkState, self.pause, self.shouldContinue) = (snapshot, checkState, pause, shouldContinue)
        (firstRecord, plainChunks) = checkState.value.withLock { ($0.checkResult.count, $0.plainChunks) }
        nextChunk = Atomic(firstRecord / JSONCheckResult.chunkRecords)
        shared = Mutex(Shared(nextToCommit: firstRecord))
    }

    /// The error that ended the pass.
    var error: (any Error)? { shared.withLock { $0.error } }

    /// The number of chunks of this pass, at least 1.
    var chunkCount: Int {
        max(
            1,
            (snapshot.recordCount + JSONCheckResult.chunkRecords - 1) / JSONCheckResult.chunkRecords - firstRecord
                / JSONCheckResult.chunkRecords)
    }

    /// Checks chunks until no chunk remains, or the pass is stopped.
    /// - Parameter pauses: true to pause during urgent reads.
    func checkChunks(pauses: Bool) {
        var checker = JSONChecker(schema)
        do {
            while let chunk = claimNextChunk() {
                if pauses { pause() }
                let isDue = shared.withLock { shared in
                    guard shared.nextToCommit == chunk.lowerBound, !shared.isCommitting, !shared.isStopped else { return false }
                    shared.isCommitting = true
                    return true
                }
                let isPlain = plainChunks.contains(chunk)
                if isDue {
                    try commit(chunk, isPlain ? JSONCheckResult.Part(plainCount: chunk.count) : nil, &checker)
                } else if isPlain {
                    shared.withLock { $0.finishedParts[chunk.lowerBound] = .some(JSONCheckResult.Part(plainCount: chunk.count)) }
                } else {
                    checker.update(to: schema)
                    let part = try checker.checkKnownKeys(chunk, of: snapshot)
                    shared.withLock { $0.finishedParts[chunk.lowerBound] = .some(part) }
                }
                try commitFinishedChunks(&checker)
            }
        } catch {
            shared.withLock { shared in
                shared.isStopped = true
                if shared.error == nil { shared.error = error }
            }
        }
    }

    private var schema: JSONSchema { checkState.value.withLock { $0.schema } }

    private func claimNextChunk() -> Range<Int>? {
        guard !shared.withLock({ $0.isStopped }) else { return nil }
        return chunk(from: nextChunk.wrappingAdd(1, ordering: .relaxed).oldValue * JSONCheckResult.chunkRecords)
    }

    /// The unchecked records from `record` to the end of its chunk; `nil` after the last record.
    private func chunk(from record: Int) -> Range<Int>? {
        let end = min(snapshot.recordCount, (record / JSONCheckResult.chunkRecords + 1) * JSONCheckResult.chunkRecords)
        let first = max(firstRecord, record)
        return first < end ? first..<end : nil
    }

    private func commitFinishedChunks(_ checker: inout JSONChecker) throws {
        while true {
            let nextToCommit = shared.withLock { shared -> (chunk: Range<Int>, part: JSONCheckResult.Part?)? in
                guard !shared.isCommitting, !shared.isStopped, let part = shared.finishedParts.removeValue(forKey: shared.nextToCommit),
                    let chunk = chunk(from: shared.nextToCommit)
                else { return nil }
                shared.isCommitting = true
                return (chunk, part)
            }
            guard let nextToCommit else { return }
            try commit(nextToCommit.chunk, nextToCommit.part, &checker)
        }
    }

    /// Adds the result of a chunk to the checked records.
    /// - Parameter part: the result of the check; `nil` if the chunk has new keys and must be checked now.
    private func commit(_ chunk: Range<Int>, _ part: JSONCheckResult.Part?, _ checker: inout JSONChecker) throws {
        checker.update(to: schema)
        var part = part
        if let part {
            if part.invalidRecords.count > 0 { checker.addUnreadableRecord(part.invalidRecords.first) }
        } else {
            part = try checker.check(chunk, of: snapshot)
        }
        let (schema, added) = (checker.schema, part ?? JSONCheckResult.Part())
        let isAdded = checkState.value.withLock { records in
            // If the start differs, the file has grown, and the next pass begins with the last record again. If the count differs, the file
            // was truncated.
            guard records.checkResult.count == chunk.lowerBound, added.count == chunk.count else { return false }
            records.schema = schema
            records.checkResult.add(added)
            return true
        }
        let isStopped = !isAdded || !shouldContinue(chunk.upperBound)
        shared.withLock { shared in
            shared.nextToCommit = chunk.upperBound
            shared.isCommitting = false
            if isStopped { shared.isStopped = true }
        }
    }
}

/// Checks records on one thread.
struct JSONChecker {
    private(set) var schema: JSONSchema
    private var tree: JSONTree
    private var memory: JSONMemory
    /// The number of nodes for which memory was initialized after the first tree. Tests use it to measure the work.
    private(set) var initializedNodes = 0

    init(_ schema: JSONSchema) {
        self.schema = schema
        tree = JSONTree(schema, .discovery)
        memory = JSONMemory(tree)
    }

    /// Replaces the keys and columns by those of `schema`.
    mutating func update(to schema: JSONSchema) {
        guard schema.revision != self.schema.revision else { return }
        self.schema = schema
        rebuild()
    }

    private mutating func rebuild() {
        tree = JSONTree(schema, .discovery)
        memory = JSONMemory(tree)
        initializedNodes += tree.capacity
    }

    /// Adds new keys and columns of ``schema`` to the tree. Each record of a file may have new keys, so the time must not depend on the
    /// number of known keys.
    /// - Parameter changed: the nodes that were added or changed.
    private mutating func grow(_ changed: [Int] = []) {
        tree.grow(to: schema, changed: changed)
        if memory.adapt(to: tree) { return }
        memory = JSONMemory(tree)
        initializedNodes += tree.capacity
    }

    /// Adds the column of unreadable records, unless it exists.
    mutating func addUnreadableRecord(_ record: Int) {
        guard !schema.hasUnreadableRecords else { return }
        schema.addUnreadableRecord(record)
        grow()
    }

    /// Checks records without changing the schema. Returns `nil` if the schema would have to change, such as for a new key.
    mutating func checkKnownKeys(_ chunk: Range<Int>, of snapshot: RecordSnapshot) throws -> JSONCheckResult.Part? {
        try check(chunk, of: snapshot, addsKeys: false)
    }

    /// Checks records and adds columns for their new keys.
    mutating func check(_ chunk: Range<Int>, of snapshot: RecordSnapshot) throws -> JSONCheckResult.Part {
        try check(chunk, of: snapshot, addsKeys: true) ?? JSONCheckResult.Part()
    }

    private mutating func check(_ chunk: Range<Int>, of snapshot: RecordSnapshot, addsKeys: Bool) throws -> JSONCheckResult.Part? {
        var part = JSONCheckResult.Part()
        var isKnown = true
        var line = JSONLine()
        try snapshot.scanBatches(chunk, columns: JSONLine.columns) { batch in
            line.begin()
            var index = 0
            while index < batch.count {
                let plain = memory.readPlain(tree, batch, index..<batch.count).count
                part.addPlainRecords(plain)
                index += plain
                if index == batch.count { break }
                let record = batch.firstRecord + index
                defer { index += 1 }
                let bytes = line.bytes(batch.fields(of: index))
                guard bytes.baseAddress != nil else {
                    part.add(0, of: record)
                    continue
                }
                guard bytes.count < Int(UInt32.max) else {
                    part.add(UInt32(GV_JSON_INVALID), of: record)
                    continue
                }
                var (notes, findings) = memory.check(tree, bytes)
                while !findings.isEmpty {
                    guard addsKeys else {
                        isKnown = false
                        return false
                    }
                    grow(schema.add(findings, in: record, bytes))
                    // Objects below new keys may have new keys, too.
                    (notes, findings) = memory.check(tree, bytes)
                }
                if addsKeys, notes & UInt32(GV_JSON_INVALID) != 0 { addUnreadableRecord(record) }
                part.add(notes, of: record)
            }
            return true
        }
        return isKnown ? part : nil
    }
}
