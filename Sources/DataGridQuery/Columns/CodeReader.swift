import Tables
import FieldValues
import Synchronization

/// Reads a column as the numbers of its different fields; when they are too many for codes, gives up, or goes on with wider numbers, or,
/// where nearly all of them differ, without looking them up.
final class CodeReader: ColumnReader, @unchecked Sendable {
    let column: Int
    /// Up to how many different fields the recent ones are looked for first: of more, most would displace each other.
    private static let recentLimit = 256
    private let count: Int
    private let goesOn: Bool
    private let codes: Storage<UInt16>
    /// In the ranges of threads that go on.
    private let numbers: Storage<UInt32>
    /// The thread that took a range, twice, and one more where it did not write codes.
    private let takers: Storage<Int>
    /// Where fields go that nearly all differ.
    private let fields: PlainColumn?
    private let course = Atomic(Course.undecided)
    private let desks: [Desk]
    private let control: JobControl
    /// The column, when all has been read and was not too much.
    private(set) var vector: CodeVector?
    /// The column, when it was too much for codes and the reader goes on.
    private(set) var wide: DistinctColumn?
    /// The column, when nearly all of it differs and the reader goes on.
    private(set) var plain: PlainColumn?
    private let hasTooMany = Flag()

    /// How all threads go on that have met too many fields for codes.
    private enum Course: UInt8, AtomicRepresentable { case undecided, wide, plain }

    var isWanted: Bool { !hasTooMany.isSet }

    /// - Parameter goesOn: whether the column is wanted whatever it holds.
    init(_ column: Int, count: Int, goesOn: Bool = false, threads: Int, control: JobControl) throws {
        self.column = column
        self.count = count
        self.goesOn = goesOn
        self.control = control
        codes = try Storage(count: count)
        numbers = try Storage(count: goesOn ? count : 0)
        takers = try Storage(count: count / rangeSize + 1, repeating: 0)
        fields = goesOn ? try PlainColumn(count: count) : nil
        desks = try (0..<max(1, threads)).map { _ in try Desk() }
    }

    /// What a thread numbers by itself; afterwards the numbers are brought together.
    private final class Desk {
        var dictionary = ByteDictionary()
        let recent: RecentFields
        /// Slots whose fields were looked up.
        var taken = 0
        var wide: WideDictionary?
        /// What codes are among the wide numbers.
        var numbersOfCodes: [UInt32] = []
        /// The fields of the current range, where they are not looked up any more.
        var plain: ByteArena?

        init() throws { recent = try RecentFields() }

        deinit {
            dictionary.deallocate()
            plain?.deallocate()
        }

        func widen() throws {
            guard wide == nil else { return }
            let all = try WideDictionary()
            numbersOfCodes = try (0..<dictionary.count).map { try all.number(of: dictionary.bytes($0)) }
            wide = all
        }
    }

    func take(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) throws {
        let desk = desks[thread]
        if desk.plain != nil { return try put(batch, index, slot: slot, desk) }
        if let wide = desk.wide { return try wide.take(batch, index, into: numbers.base + slot) }
        try take(batch, index, slot: slot, &desk.dictionary, desk.recent)
        desk.taken += batch.count
        guard desk.dictionary.count > CodeVector.limit else { return }
        guard goesOn else { return hasTooMany.set() }
        // The range goes on otherwise, and this batch begins that: its last codes were cut off.
        let before = slot / rangeSize * rangeSize..<slot
        if chosenCourse(desk) == .plain {
            desk.plain = ByteArena()
            for slot in before { try fields!.put(desk.dictionary.bytes(Int(codes[slot])), at: slot, &desk.plain!) }
            return try put(batch, index, slot: slot, desk)
        }
        try desk.widen()
        for before in before { numbers[before] = desk.numbersOfCodes[Int(codes[before])] }
        try desk.wide?.take(batch, index, into: numbers.base + slot)
    }

    private func put(_ batch: FieldBatch, _ index: Int, slot: Int, _ desk: Desk) throws {
        for record in 0..<batch.count { try fields!.put(batch[record, index].key, at: slot + record, &desk.plain!) }
    }

    /// The course that the first thread takes that has to take one.
    ///
    /// Of k records, about k²/2d have a field that was met before when they are drawn from d different fields, while these are few. Sorting
    /// is cheaper where by this d is more than twice the number of records: where most groups are of one record.
    private func chosenCourse(_ desk: Desk) -> Course {
        let repeated = desk.taken - desk.dictionary.count
        let course: Course = 4 * count * repeated <= desk.taken * desk.taken ? .plain : .wide
        let (isFirst, chosen) = self.course.compareExchange(expected: .undecided, desired: course, ordering: .relaxed)
        return isFirst ? course : chosen
    }

    private func take(_ batch: FieldBatch, _ index: Int, slot: Int, _ dictionary: inout ByteDictionary, _ recent: RecentFields) throws {
        func find(_ field: FieldBytes) throws -> UInt16 { UInt16(truncatingIfNeeded: try dictionary.number(of: field)) }
        let codes = codes.base + slot
        if dictionary.count <= CodeReader.recentLimit {
            for record in 0..<batch.count {
                let field = batch[record, index]
                codes[record] = try recent.code(of: field) { try find(field) }
            }
        } else {
            for record in 0..<batch.count { codes[record] = try find(batch[record, index]) }
        }
    }

    func end(_ range: Range<Int>, thread: Int) throws {
        let desk = desks[thread]
        takers[range.lowerBound / rangeSize] = thread * 2 + (desk.wide == nil && desk.plain == nil ? 0 : 1)
        guard let arena = desk.plain else { return }
        // The column owns it now.
        let count = arena.count
        fields!.end(range, arena)
        desk.plain = nil
        desk.plain = try ByteArena(likely: count)
    }

    func finish() throws {
        let all = desks[0]
        if course.load(ordering: .relaxed) == .plain { return try finishPlain() }
        guard desks.allSatisfy({ $0.wide == nil }) else { return try finishWide() }
        var renumbered: [[UInt16]] = [[]]
        for desk in desks.dropFirst() {
            var numbers: [UInt16] = []
            for number in 0..<desk.dictionary.count {
                numbers.append(UInt16(truncatingIfNeeded: try all.dictionary.number(of: desk.dictionary.bytes(number))))
                guard all.dictionary.count <= CodeVector.limit else { return goesOn ? try finishWide() : hasTooMany.set() }
            }
            renumbered.append(numbers)
        }
        try forEachRange(of: count, threads: desks.count, control: control) { _, range in
            let thread = takers[range.lowerBound / rangeSize] / 2
            guard thread > 0 else { return }
            renumbered[thread].withUnsafeBufferPointer { numbers in
                for slot in range { codes[slot] = numbers[Int(codes[slot])] }
            }
        }
        all.dictionary.close()
        vector = CodeVector(slotCount: count, codes: codes, dictionary: all.dictionary)
        all.dictionary = ByteDictionary()
    }

    private func finishWide() throws {
        for desk in desks { try desk.widen() }
        let merge = try WideMerge(desks.map { $0.wide! }, control: control)
        try forEachRange(of: count, threads: desks.count, control: control) { _, range in
            let (thread, isWide) = takers[range.lowerBound / rangeSize].quotientAndRemainder(dividingBy: 2)
            if isWide == 1 {
                merge.renumber(numbers.base + range.lowerBound, range.count, ofThread: thread)
            } else {
                desks[thread].numbersOfCodes.withUnsafeBufferPointer { wide in
                    for slot in range { numbers[slot] = wide[Int(codes[slot])] }
                }
                merge.renumber(numbers.base + range.lowerBound, range.count, ofThread: thread)
            }
        }
        wide = DistinctColumn(slotCount: count, numbers: numbers, fields: merge.fields)
    }

    /// Puts down the fields of those ranges, too, in which they were looked up.
    private func finishPlain() throws {
        try forEachRange(of: count, threads: desks.count, control: control) { _, range in
            let (thread, isPlain) = takers[range.lowerBound / rangeSize].quotientAndRemainder(dividingBy: 2)
            guard isPlain == 0 else { return }
            var arena = ByteArena()
            for slot in range { try fields!.put(desks[thread].dictionary.bytes(Int(codes[slot])), at: slot, &arena) }
            fields!.end(range, arena)
        }
        plain = fields
    }
}
