import Tables
import FieldValues

/// Reads a column of values and counts its different fields.
///
/// Numbers are mostly written in one way: then to count values is to count fields, and costs a part of it. Only what is written in another way
/// is counted as text.
final class ValueFieldReader: ColumnReader, @unchecked Sendable {
    let column: Int
    let reader: ValueReader
    /// The fields, or those that are not like most.
    let counter: DistinctCounter
    private let notation: NumberNotation
    private let limit: Int
    private let records: Int
    /// The digits after the point of nearly all fields; `nil` where they are not all the same, or fields are no numbers.
    private let digits: UInt8?
    /// For each thread, the slots of fields that are not like most and not blank.
    private let others: [Slots]

    private final class Slots { var slots: [Int] = [] }

    /// - Parameter digits: those after the point of nearly all fields, as a ``NumberSample`` says.
    init(
        _ request: StatisticsRequest, digits: UInt8?, limit: Int, records: Int, threads: Int, control: JobControl
    ) throws {
        (column, notation, self.digits) = (request.column, request.notation, digits)
        (self.limit, self.records) = (limit, records)
        reader = try ValueReader(
            request.column, as: SortOrdering(kind: request.kind, notation: request.notation), count: records, threads: threads)
        counter = DistinctCounter(request.column, textsBy: nil, limit: limit, records: records, threads: threads, control: control)
        others = (0..<max(1, threads)).map { _ in Slots() }
    }

    func read(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) throws {
        let plain = try reader.readValues(batch, index, slot: slot, thread: thread)
        guard let digits else { return try counter.read(batch, index, slot: slot, thread: thread) }
        let others = others[thread]
        if plain == digits || others.slots.count > mostOthers { return }
        for record in 0..<batch.count {
            let field = batch[record, index]
            if NumberSample.plainDigits(field, notation) == digits { continue }
            if !field.isMissing, !field.isBlank {
                try others.slots.makeRoom()
                others.slots.append(slot + record)
            }
            let own = FieldBatch(first: batch.first + record, count: 1, width: batch.width, fields: batch.fields + record * batch.width)
            try counter.read(own, index, slot: slot + record, thread: thread)
        }
    }

    func end(_ range: Range<Int>, thread: Int) throws { try reader.end(range, thread: thread) }

    func finish() throws { try reader.finish() }

    // MARK: When all has been read

    private var mostOthers: Int { records / 8 }

    /// Whether the fields have to be counted by another ``DistinctCounter`` after all, as too many are not like those that were looked at.
    var hasToCountAgain: Bool {
        guard digits != nil else { return false }
        return reader.vector.meaning == .double || others.reduce(0) { $0 + $1.slots.count } > mostOthers
    }

    /// The distinct values of fields that ``counter`` does not have; `nil` when it has all fields.
    func histogram(_ counted: CountedValues?, control: JobControl) throws -> (values: ValueHistogram, digits: Int)? {
        guard let digits else { return nil }
        try Memory.check(byteCount: others.reduce(0) { $0 + $1.slots.count } * 2 * MemoryLayout<Int>.stride)
        let others = others.flatMap(\.slots).sorted()
        return (try ValueHistogram(reader.vector, counted, without: others, limit: limit, control: control), Int(digits))
    }
}

/// Judges by some fields of a column how most of its numbers are written.
struct NumberSample {
    private var first: UInt8?
    private var seen = (like: 0, unlike: 0)

    mutating func look(at field: FieldBytes, _ notation: NumberNotation) {
        let own = NumberSample.plainDigits(field, notation)
        if first == nil { first = own }
        if own != nil, own == first { seen.like += 1 } else if !field.isMissing, !field.isBlank { seen.unlike += 1 }
    }

    /// The digits after the point of nearly all; `nil` where they differ, or many fields are written in another way.
    var digits: UInt8? { seen.unlike * 8 <= seen.like + seen.unlike ? first : nil }

    /// The digits after the point of a field that is written in the one way in which nothing is too much.
    static func plainDigits(_ field: FieldBytes, _ notation: NumberNotation) -> UInt8? {
        guard let (mantissa, digits) = FixedPoint.read(field, notation) else { return nil }
        return FixedPoint.isPlain(field, mantissa, UInt8(digits)) ? UInt8(digits) : nil
    }
}
