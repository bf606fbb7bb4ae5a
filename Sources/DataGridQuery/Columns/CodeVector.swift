import DataGrid
import FieldValues

/// A column by slot as numbers of its different fields, which are few: two bytes a slot, and each field once.
final class CodeVector: @unchecked Sendable {
    /// The most different fields that are numbered.
    static let limit = 1 << 16

    let count: Int
    /// The number of the field at each slot.
    let codes: Storage<UInt16>
    private let dictionary: ByteDictionary

    init(count: Int, codes: Storage<UInt16>, dictionary: ByteDictionary) {
        (self.count, self.codes, self.dictionary) = (count, codes, dictionary)
    }

    deinit { dictionary.deallocate() }

    /// How many different fields there are.
    var distinctCount: Int { dictionary.count }

    func bytes(_ code: Int) -> UnsafeBufferPointer<UInt8> { dictionary.bytes(code) }

    /// Bytes in memory.
    var byteCount: Int { count * 2 + dictionary.byteCount }

    /// The place of each field when the fields are ordered; blank fields come last, and after them those that records do not have.
    func ranks(_ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws -> [UInt32] {
        try dictionary.ranks(ordering, isDescending: isDescending, threads: threads, control: control)
    }

    /// The same, with one place for all that is blank or missing.
    func groupRanks(_ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws -> [UInt32] {
        try dictionary.groupRanks(ordering, isDescending: isDescending, threads: threads, control: control)
    }
}

/// Reads a column as the numbers of its different fields, and gives up when they are too many.
final class CodeReader: ColumnReader, @unchecked Sendable {
    let column: Int
    private let count: Int
    private let codes: Storage<UInt16>
    private let threadOfRange: Storage<Int>
    private let desks: [Desk]
    private let control: JobControl
    /// The column, when all has been read and was not too much.
    private(set) var vector: CodeVector?
    private let hasTooMany = Flag()

    var isWanted: Bool { !hasTooMany.isSet }

    init(_ column: Int, count: Int, threads: Int, control: JobControl) {
        self.column = column
        self.count = count
        self.control = control
        codes = Storage(count: count)
        threadOfRange = Storage(count: count / rangeSize + 1, repeating: 0)
        desks = (0..<max(1, threads)).map { _ in Desk() }
    }

    /// What a thread numbers by itself; afterwards the numbers are brought together.
    private final class Desk {
        var dictionary = ByteDictionary()
        deinit { dictionary.deallocate() }
    }

    func take(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) {
        take(batch, index, slot: slot, &desks[thread].dictionary)
    }

    private func take(_ batch: FieldBatch, _ index: Int, slot: Int, _ dictionary: inout ByteDictionary) {
        for record in 0..<batch.count {
            codes[slot + record] = UInt16(truncatingIfNeeded: dictionary.number(of: batch[record, index]))
        }
        if dictionary.count > CodeVector.limit { hasTooMany.set() }
    }

    func end(_ range: Range<Int>, thread: Int) { threadOfRange[range.lowerBound / rangeSize] = thread }

    func finish() throws {
        let all = desks[0]
        var renumbered: [[UInt16]] = [[]]
        for desk in desks.dropFirst() {
            var numbers: [UInt16] = []
            for number in 0..<desk.dictionary.count {
                numbers.append(UInt16(truncatingIfNeeded: all.dictionary.number(of: desk.dictionary.bytes(number))))
                guard all.dictionary.count <= CodeVector.limit else { return hasTooMany.set() }
            }
            renumbered.append(numbers)
        }
        try forEachRange(of: count, threads: desks.count, control: control) { _, range in
            let thread = threadOfRange[range.lowerBound / rangeSize]
            guard thread > 0 else { return }
            renumbered[thread].withUnsafeBufferPointer { numbers in
                for slot in range { codes[slot] = numbers[Int(codes[slot])] }
            }
        }
        vector = CodeVector(count: count, codes: codes, dictionary: all.dictionary)
        all.dictionary = ByteDictionary()
    }
}
