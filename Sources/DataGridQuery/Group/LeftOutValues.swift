import FieldValues
import Locks
public import Tables

/// Values of a column that its aggregates leave out although they may be meant as values, such as `$4` in a column of plain numbers.
///
/// These are texts with a digit that cannot be read as the type of the column. Words such as `n/a` do not count.
public struct LeftOutValues: Sendable, Hashable {
    /// The aggregated field.
    public let field: FieldID
    /// The number of these values.
    public let count: Int
    /// The number of the first record with such a value.
    public let firstRecord: Int
    /// The first of these values, of which only the first characters are kept.
    public let firstText: String
}

/// Finds the ``LeftOutValues`` of a column. Only for columns in which some field is unreadable, because it takes another scan.
private final class LeftOutValueReader: ColumnReader, @unchecked Sendable {
    let column: Int
    private let ordering: SortOrdering
    private let selection: RecordSelection
    private let found = Mutex<(count: Int, first: (record: Int, text: String)?)>((0, nil))

    private static let maximumTextBytes = 64

    init(_ column: Int, _ ordering: SortOrdering, _ selection: RecordSelection) {
        (self.column, self.ordering, self.selection) = (column, ordering, selection)
    }

    func read(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) {
        var (count, first) = (0, (record: Int.max, offset: 0))
        for offset in 0..<batch.count where isLeftOut(batch[offset, index]) {
            count += 1
            let record = selection.record(at: slot + offset)
            if record < first.record { first = (record, offset) }
        }
        guard count > 0 else { return }
        found.withLock { found in
            found.count += count
            guard first.record < found.first?.record ?? .max else { return }
            let text = batch[first.offset, index].bytes.prefix(Self.maximumTextBytes)
            found.first = (first.record, String(decoding: text, as: UTF8.self))
        }
    }

    private func isLeftOut(_ field: FieldBytes) -> Bool {
        let isReadable =
            switch ordering {
            case .number(let notation): FixedPoint.read(field, notation) != nil || field.decimal(notation) != nil
            case .temporal(let kind, let notation): field.temporal(kind, notation) != nil
            case .natural, .text, .flag: true
            }
        return !isReadable && field.bytes.contains { $0 &- UInt8(ascii: "0") < 10 }
    }

    var values: LeftOutValues? {
        found.withLock { found in
            found.first.map {
                LeftOutValues(field: FieldID(rawValue: column), count: found.count, firstRecord: $0.record, firstText: $0.text)
            }
        }
    }
}

extension AggregateJob {
    /// The values that the aggregates leave out, in the order of the columns in `requests`. Empty for aggregates such as counts, which
    /// leave out no value.
    /// - Parameters:
    ///   - selection: the aggregated records, each at its slot. Created only if a column must be read again.
    ///   - vector: the values of a column; `nil` if the column was not read as values.
    static func leftOutValues(
        _ requests: [AggregateRequest], of table: any Table, _ selection: @autoclosure () throws -> RecordSelection, threads: Int,
        control: JobControl, vector: (ColumnSet.Request) -> ValueVector?
    ) throws -> [LeftOutValues] {
        var sources: [ColumnSet.Request] = []
        for request in requests where request.function.needsValues && request.function != .count {
            let source = valueRequest(request)
            if !sources.contains(source), vector(source)?.hasUnreadable == true { sources.append(source) }
        }
        guard !sources.isEmpty else { return [] }
        let selection = try selection()
        let readers = sources.compactMap { source -> LeftOutValueReader? in
            guard case .values(let ordering) = source.form else { return nil }
            return LeftOutValueReader(source.column, ordering, selection)
        }
        // Reading the columns again does not count as progress.
        try control.part(of: 0) { try selection.readColumns(with: readers, of: table, threads: threads, control: $0) }
        return readers.compactMap(\.values)
    }
}
