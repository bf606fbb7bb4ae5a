import Tables
import FieldValues
import Synchronization

/// Reads a column as field numbers: equal fields get the same number.
///
/// If there are too many distinct fields, the reader stops, or switches to a dictionary in shards. If nearly all fields are distinct, it
/// stores every field without looking it up.
final class FieldNumberReader: ColumnReader, @unchecked Sendable {
    let column: Int
    /// The maximum number of distinct fields for which the cache of recent fields is used. With more, fields would evict each other too
    /// often.
    private static let recentLimit = 256
    /// The number of slots to read.
    private let count: Int
    /// True to continue with another strategy after ``limit`` distinct fields; false to stop without a result.
    private let continuesPastLimit: Bool
    /// The field number of each slot. If ``keepsNumbers`` is false, only the field numbers of the range that each thread is reading.
    private let numbers: UnsafeArray<UInt32>
    /// The maximum number of distinct fields that are numbered with one dictionary for each thread.
    private let limit: Int
    /// True if ``numbers`` has room for all slots; false if it only holds the current range of each thread.
    private let keepsNumbers: Bool
    /// Receives the field numbers of each range that a thread has read, if ``keepsNumbers`` is false. Numbers of different threads are
    /// unrelated, because each thread has its own dictionary.
    var receiveRange: ((_ numbers: UnsafePointer<UInt32>, _ count: Int, _ thread: Int) throws -> Void)?
    /// The fields without numbering, used if nearly all fields are distinct.
    private let raw: RawColumn?
    private let strategy = Atomic(Strategy.undecided)
    private let threadStates: [ThreadState]
    private let control: JobControl
    /// Set when there are too many distinct fields, or by ``stop()``. All threads then stop reading.
    private let hasTooManyFields = Flag()
    /// The column, after all slots have been read; `nil` if the reader stopped.
    private(set) var result: NumberedColumn?

    /// The way in which all threads read the rest of the column after one of them has found too many distinct fields.
    private enum Strategy: UInt8, AtomicRepresentable { case undecided, sharded, raw }

    private final class ThreadState {
        var dictionary: ShardedDictionary
        let recent: RecentFields
        /// The number of fields that the thread has looked up in its ``dictionary``.
        var lookups = 0
        /// The ranges of slots whose field numbers come from ``dictionary``. They are converted if the strategy changes.
        var ranges: [Range<Int>] = []
        var strategy = Strategy.undecided

        init() throws { (dictionary, recent) = (try ShardedDictionary(), try RecentFields()) }
    }

    var shouldContinue: Bool { !hasTooManyFields.isSet }

    /// - Parameter continuesPastLimit: true to read the whole column even if it has many distinct fields.
    init(_ column: Int, count: Int, continuesPastLimit: Bool = false, threads: Int, control: JobControl) throws {
        (self.column, self.count, self.continuesPastLimit, self.control) = (column, count, continuesPastLimit, control)
        (limit, keepsNumbers) = (NumberedColumn.lowCardinalityLimit, true)
        numbers = try UnsafeArray(count: count)
        raw = continuesPastLimit ? try RawColumn(count: count, threads: threads) : nil
        threadStates = try (0..<max(1, threads)).map { _ in try ThreadState() }
    }

    /// Creates a reader that passes field numbers to ``receiveRange`` and does not keep them. It stops if the column has more than `limit`
    /// distinct fields.
    init(_ column: Int, count: Int, maximumFields limit: Int, threads: Int, control: JobControl) throws {
        (self.column, self.count, self.control, self.limit) = (column, count, control, limit)
        (continuesPastLimit, keepsNumbers, raw) = (false, false, nil)
        numbers = try UnsafeArray(count: max(1, threads) * rangeSize)
        threadStates = try (0..<max(1, threads)).map { _ in try ThreadState() }
    }

    /// Stops reading on all threads. There is no result.
    func stop() { hasTooManyFields.set() }

    /// The address where the field number of a slot is stored.
    private func numberAddress(_ slot: Int, _ thread: Int) -> UnsafeMutablePointer<UInt32> {
        numbers.base + (keepsNumbers ? slot : thread * rangeSize + (slot & (rangeSize - 1)))
    }

    /// The field numbers of the current range of a thread, if ``keepsNumbers`` is false. `nil` if there are too many distinct fields,
    /// because the thread may have stopped within the range.
    func numbers(ofThread thread: Int) -> UnsafePointer<UInt32>? {
        guard shouldContinue, threadStates[thread].dictionary.count <= limit else { return nil }
        return UnsafePointer(numbers.base + thread * rangeSize)
    }

    /// Merges the dictionaries of all threads. Returns the distinct fields and, for each thread, a list of the new numbers of its fields.
    /// `nil` if there are too many distinct fields.
    func mergedFields() throws -> (fields: any FieldList, numbers: [[UInt32]])? {
        guard shouldContinue else { return nil }
        let counts = threadStates.map(\.dictionary.count)
        let renumberings = try ShardedDictionary.merge(threadStates.map(\.dictionary), control: control)
        let fields = threadStates[0].dictionary
        guard fields.count <= limit else { return nil }
        return (
            fields,
            zip(counts, renumberings).map { count, renumbering in
                var numbers = (0..<count).map { UInt32($0) }
                numbers.withUnsafeMutableBufferPointer { if let start = $0.baseAddress { renumbering.apply(to: start, count: count) } }
                return numbers
            }
        )
    }

    func read(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) throws {
        let state = threadStates[thread]
        switch state.strategy {
        case .raw:
            for record in 0..<batch.count { try raw!.append(batch[record, index].key, at: slot + record, thread: thread) }
        case .sharded: try state.dictionary.writeNumbers(of: batch, index, to: numbers.base + slot)
        case .undecided:
            try lookUp(batch, index, numberAddress(slot, thread), state)
            state.lookups += batch.count
            try chooseStrategy(state, slot / rangeSize * rangeSize..<slot + batch.count, thread)
        }
    }

    /// Changes the strategy if there are too many distinct fields.
    /// - Parameter current: the slots of the current range that have been read.
    private func chooseStrategy(_ state: ThreadState, _ current: Range<Int>, _ thread: Int) throws {
        guard state.dictionary.count > limit else { return }
        guard continuesPastLimit else { return hasTooManyFields.set() }
        state.strategy = chosenStrategy(state)
        if state.strategy == .sharded { return try switchToShards(state, current) }
        try moveToRaw(state, thread)
        try moveToRaw(current, state, thread)
    }

    /// Reads a vector of dictionary codes. Looks up each entry of the vector's dictionary only once, when a record uses it.
    ///
    /// Returns false without reading anything for other vectors, for large dictionaries, and after the strategy has changed.
    func read(_ vector: ColumnVector, _ records: Range<Int>, slot: Int, thread: Int) throws -> Bool {
        let state = threadStates[thread]
        guard case .codes(let codes, let dictionary) = vector.values, state.strategy == .undecided,
            dictionary.count <= NumberedColumn.lowCardinalityLimit
        else { return false }
        // The field number of each code; the last element is for missing fields. `unknown` marks a code that no record has used yet.
        let (unknown, count) = (UInt32.max, dictionary.count)
        let known = try UnsafeArray<UInt32>(count: count + 1, repeating: unknown)
        let target = numberAddress(slot, thread) - records.lowerBound
        for record in records {
            var code = min(Int(codes[record]), count)
            if let presence = vector.presence, presence[record] == 0 { code = count }
            var number = known[code]
            if number == unknown {
                number = try state.dictionary.number(of: code < count ? dictionary[code].key : FieldBytes.missing.key)
                known[code] = number
            }
            target[record] = number
        }
        state.lookups += records.count
        try chooseStrategy(state, slot / rangeSize * rangeSize..<slot + records.count, thread)
        return true
    }

    private func lookUp(_ batch: FieldBatch, _ index: Int, _ numbers: UnsafeMutablePointer<UInt32>, _ state: ThreadState) throws {
        let (dictionary, recent) = (state.dictionary, state.recent)
        if dictionary.count <= FieldNumberReader.recentLimit {
            for record in 0..<batch.count {
                let field = batch[record, index]
                numbers[record] = try recent.number(of: field) { try dictionary.number(of: field.key) }
            }
        } else {
            for record in 0..<batch.count { numbers[record] = try dictionary.number(of: batch[record, index].key) }
        }
    }

    /// The strategy for the rest of the column. The first thread that calls this method chooses it for all threads.
    ///
    /// The thread has looked up k fields. If the column has d distinct fields, about k²/2d look-ups repeat an earlier field, as long as
    /// that is a small part of k. The thread counts the repetitions and so estimates d. If d is more than twice the number of records,
    /// nearly all fields are distinct, and sorting is cheaper than looking them up.
    private func chosenStrategy(_ state: ThreadState) -> Strategy {
        let repeated = state.lookups - state.dictionary.count
        let strategy: Strategy = 4 * count * repeated <= state.lookups * state.lookups ? .raw : .sharded
        let (isFirst, chosen) = self.strategy.compareExchange(expected: .undecided, desired: strategy, ordering: .relaxed)
        return isFirst ? strategy : chosen
    }

    /// Moves the fields of a thread to a dictionary in shards. `current` is the part of the current range that has been read, if any.
    private func switchToShards(_ state: ThreadState, _ current: Range<Int>? = nil) throws {
        let sharded = try ShardedDictionary(shardBits: 6)
        let newNumbers = try (0..<state.dictionary.count).map { try sharded.number(of: state.dictionary.bytes($0)) }
        for range in state.ranges + (current.map { [$0] } ?? []) {
            try control.checkCancellation()
            for slot in range { numbers[slot] = newNumbers[Int(numbers[slot])] }
        }
        state.dictionary = sharded
    }

    /// Copies the fields that a thread has numbered to the raw column.
    private func moveToRaw(_ state: ThreadState, _ thread: Int) throws {
        for range in state.ranges {
            try control.checkCancellation()
            try moveToRaw(range, state, thread)
            try raw!.finishRange(range, thread: thread)
        }
        state.ranges = []
    }

    private func moveToRaw(_ range: Range<Int>, _ state: ThreadState, _ thread: Int) throws {
        for slot in range { try raw!.append(state.dictionary.bytes(Int(numbers[slot])), at: slot, thread: thread) }
    }

    func finishRange(_ range: Range<Int>, thread: Int) throws {
        if !keepsNumbers {
            if let numbers = numbers(ofThread: thread) { try receiveRange?(numbers, range.count, thread) }
            return
        }
        if threadStates[thread].strategy == .raw {
            try raw!.finishRange(range, thread: thread)
        } else {
            threadStates[thread].ranges.append(range)
        }
    }

    func finish() throws {
        guard keepsNumbers else { return }
        if let raw, strategy.load(ordering: .relaxed) == .raw {
            for (thread, state) in threadStates.enumerated() { try moveToRaw(state, thread) }
            result = NumberedColumn(slotCount: count, numbers: nil, fields: raw)
            return
        }
        if strategy.load(ordering: .relaxed) == .sharded {
            for state in threadStates where state.strategy == .undecided { try switchToShards(state) }
        }
        let renumberings = try ShardedDictionary.merge(threadStates.map(\.dictionary), control: control)
        let dictionary = threadStates[0].dictionary
        guard continuesPastLimit || dictionary.count <= NumberedColumn.lowCardinalityLimit else { return hasTooManyFields.set() }
        var threadOfRange = [Int](repeating: 0, count: count / rangeSize + 1)
        for (thread, state) in threadStates.enumerated() {
            for range in state.ranges { threadOfRange[range.lowerBound / rangeSize] = thread }
        }
        try forEachRange(of: count, threads: threadStates.count, control: control) { _, range in
            renumberings[threadOfRange[range.lowerBound / rangeSize]].apply(to: numbers.base + range.lowerBound, count: range.count)
        }
        result = NumberedColumn(slotCount: count, numbers: numbers, fields: dictionary)
    }
}
