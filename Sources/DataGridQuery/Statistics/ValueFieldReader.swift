import Tables
import FieldValues

/// Reads a column of values and counts its distinct fields.
///
/// Most columns have numbers in one notation. Distinct values are then distinct fields, and counting values is cheaper. Only fields in
/// another notation are counted as texts.
final class ValueFieldReader: ColumnReader, @unchecked Sendable {
    let column: Int
    let reader: ValueReader
    /// The counter of all fields, or of those in another notation.
    let counter: DistinctCounter
    private let notation: DecimalStyle
    private let limit: Int
    private let records: Int
    /// The fraction digits of nearly all fields; `nil` if they differ or if fields are not numbers.
    private let digits: UInt8?
    /// For each thread, the slots of fields in another notation that are not empty.
    private let others: [Slots]

    private final class Slots { var slots: [Int] = [] }

    /// - Parameter digits: the fraction digits of nearly all fields, from a ``NumberSample``.
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
        if plain == digits || others.slots.count > maximumOthers { return }
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

    // MARK: After reading

    private var maximumOthers: Int { records / 8 }

    /// True if another ``DistinctCounter`` must count the fields, because too many differ from the sample.
    var hasToCountAgain: Bool {
        guard digits != nil else { return false }
        return reader.vector.meaning == .double || others.reduce(0) { $0 + $1.slots.count } > maximumOthers
    }

    /// The distinct values of fields that are not in ``counter``; `nil` if it has all fields.
    func histogram(_ counted: CountedValues?, control: JobControl) throws -> (values: ValueHistogram, digits: Int)? {
        guard let digits else { return nil }
        try Memory.check(byteCount: others.reduce(0) { $0 + $1.slots.count } * 2 * MemoryLayout<Int>.stride)
        let others = others.flatMap(\.slots).sorted()
        return (try ValueHistogram(reader.vector, counted, without: others, limit: limit, control: control), Int(digits))
    }
}

/// Infers the notation of most numbers of a column from a sample.
struct NumberSample {
    private var first: UInt8?
    private var seen = (like: 0, unlike: 0)

    mutating func look(at field: FieldBytes, _ notation: DecimalStyle) {
        let own = NumberSample.plainDigits(field, notation)
        if first == nil { first = own }
        if own != nil, own == first { seen.like += 1 } else if !field.isMissing, !field.isBlank { seen.unlike += 1 }
    }

    /// The fraction digits of nearly all fields; `nil` if they differ, or if many fields have another notation.
    var digits: UInt8? { seen.unlike * 8 <= seen.like + seen.unlike ? first : nil }

    /// The fraction digits of a field in the canonical notation; `nil` for other fields.
    static func plainDigits(_ field: FieldBytes, _ notation: DecimalStyle) -> UInt8? {
        guard let (mantissa, digits) = FixedPoint.read(field, notation) else { return nil }
        return FixedPoint.isPlain(field, mantissa, UInt8(digits)) ? UInt8(digits) : nil
    }
}
