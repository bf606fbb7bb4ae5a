import Tables
import FieldValues

/// Reads a column of values and counts its distinct fields.
///
/// In most columns, all numbers are written with the same number of fraction digits, so distinct values are distinct fields. Counting
/// values is cheaper than counting strings. Only fields written in another way are counted as strings.
final class CountingValueReader: ColumnReader, @unchecked Sendable {
    let column: Int
    let reader: ValueReader
    /// Counts the fields that are written in another way than most, or all fields if ``digits`` is `nil`.
    let counter: FieldCounter
    private let notation: DecimalStyle
    private let recordCount: Int
    /// The number of fraction digits of nearly all fields; `nil` if it varies, or if the fields are not numbers.
    private let digits: UInt8?
    /// For each thread, the slots of the nonempty fields that are written in another way than most.
    private let otherSlots: [Slots]

    /// A list of slots that only one thread changes.
    private final class Slots { var slots: [Int] = [] }

    /// - Parameter digits: the number of fraction digits of nearly all fields, from a ``FractionDigitSample``.
    init(
        _ request: StatisticsRequest, digits: UInt8?, limit: Int, recordCount: Int, threads: Int, control: JobControl
    ) throws {
        (column, notation, self.digits) = (request.column, request.notation, digits)
        self.recordCount = recordCount
        reader = try ValueReader(
            request.column, as: request.ordering, count: recordCount, threads: threads)
        counter = FieldCounter(
            request.column, textAlphabet: nil, limit: limit, recordCount: recordCount, threads: threads, control: control)
        otherSlots = (0..<max(1, threads)).map { _ in Slots() }
    }

    func read(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) throws {
        let plain = try reader.readValues(batch, index, slot: slot, thread: thread)
        guard let digits else { return try counter.read(batch, index, slot: slot, thread: thread) }
        let otherSlots = otherSlots[thread]
        if plain == digits || otherSlots.slots.count > maximumOtherSlotCount { return }
        for record in 0..<batch.count {
            let field = batch[record, index]
            if FractionDigitSample.plainDigits(field, notation) == digits { continue }
            if !field.isMissing, !field.isBlank {
                try otherSlots.slots.makeRoom()
                otherSlots.slots.append(slot + record)
            }
            let singleRecord = FieldBatch(
                firstRecord: batch.firstRecord + record, count: 1, width: batch.width, fields: batch.fields + record * batch.width)
            try counter.read(singleRecord, index, slot: slot + record, thread: thread)
        }
    }

    func finishRange(_ range: Range<Int>, thread: Int) throws { try reader.finishRange(range, thread: thread) }

    func finish() throws { try reader.finish() }

    // MARK: After reading

    private var maximumOtherSlotCount: Int { recordCount / 8 }

    /// True if too many fields differ from the sample. The column must then be read once more with a ``FieldCounter``.
    var needsRecount: Bool {
        guard digits != nil else { return false }
        return reader.vector.representation == .double || otherSlots.reduce(0) { $0 + $1.slots.count } > maximumOtherSlotCount
    }

    /// Counts the values of all fields that ``counter`` has not counted. Does nothing if it has counted all fields.
    /// - Parameter knownCounts: the counts of all values of the column; `nil` if unknown.
    func count(_ values: inout DistinctCounter, valueCounts knownCounts: ValueCounts?, control: JobControl) throws {
        guard digits != nil else { return }
        try Memory.check(byteCount: otherSlots.reduce(0) { $0 + $1.slots.count } * 2 * MemoryLayout<Int>.stride)
        try values.add(reader.vector, valueCounts: knownCounts, without: otherSlots.flatMap(\.slots).sorted(), control: control)
    }

    /// The text that all fields with a key have in common. The key must be one that ``count(_:valueCounts:control:)`` has counted.
    func text(of key: UInt64) -> [UInt8] {
        guard let digits, case .fixed(let maximumDigits) = reader.vector.representation else { return [] }
        let number = ValueVector.integer(of: key) / FixedScale.power(maximumDigits - Int(digits))
        return FixedPoint.text(of: number, digits: Int(digits), notation)
    }
}

/// Finds the number of fraction digits that most numbers of a column have, from a sample of fields.
struct FractionDigitSample {
    /// The number of fraction digits of the first number.
    private var firstDigits: UInt8?
    private var counts = (matching: 0, differing: 0)

    mutating func add(_ field: FieldBytes, _ notation: DecimalStyle) {
        let fieldDigits = FractionDigitSample.plainDigits(field, notation)
        if firstDigits == nil { firstDigits = fieldDigits }
        if fieldDigits != nil, fieldDigits == firstDigits {
            counts.matching += 1
        } else if !field.isMissing, !field.isBlank {
            counts.differing += 1
        }
    }

    /// The number of fraction digits that nearly all fields have. `nil` if more than an eighth of the fields have another number of digits
    /// or another form.
    var digits: UInt8? { counts.differing * 8 <= counts.matching + counts.differing ? firstDigits : nil }

    /// The number of fraction digits of a number without redundant characters such as leading zeros; `nil` for other fields. Such a text
    /// can be restored from the value and its digits.
    static func plainDigits(_ field: FieldBytes, _ notation: DecimalStyle) -> UInt8? {
        guard let (mantissa, digits) = FixedPoint.read(field, notation) else { return nil }
        return FixedPoint.isCanonical(field, mantissa, UInt8(digits)) ? UInt8(digits) : nil
    }
}
